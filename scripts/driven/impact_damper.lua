-- An impact damper: a ball in a box that a force shakes on a spring strikes both walls, and takes from the swing.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Impact damper", source = "Masri and Caughey, J. Appl. Mech. 33 (1966); closed form of the symmetric orbit",
    arguments = { ... },
}

local box_mass, ball_mass, stiffness, damping, force, omega = 1, 0.1, 1, 0.1, 0.3, 1
local radius = 0.1

local function world(clearance, restitution, start)
    local function wall(x) return { shape = "box", width = 0.02, height = 0.4, mass = box_mass/2, x = x } end
    local out = clearance/2 + radius + 0.01
    return pc.scene{
        pc.free{ name = "box", shapes = { wall(-out), wall(out) }, x = start.x, vx = start.v },
        pc.free{ name = "ball", shape = "disc", radius = radius, mass = ball_mass, x = start.ball_x,
            vx = start.ball_v },
        pc.spring{ a = "box", stiffness = stiffness, damping = damping, name = "spring" },
        pc.force{ on = "box", fx = force, frequency = omega, name = "shaker" }, gravity = 0,
        contact = pc.contact.newton{ restitution = restitution, friction = 0 },
    }
end
local tight = pc.solver.dop853{ rtol = 1e-12 }

-- ---- the symmetric orbit: two impacts a period, half a period apart ----

local linear = force/math.sqrt((stiffness - box_mass*omega^2)^2 + (damping*omega)^2)
local orbit = { time = 2.5740368628501122, x = 1.5608657621926927, before = -0.6113616669716417,
    after = -0.2853021112534328, ball = 1.6302977785910446, impulse = 0.32605955571820894 }
local run = pc.simulate(world(2, 0.6, { x = orbit.x, v = orbit.after, ball_x = orbit.x + 1, ball_v = -orbit.ball }),
    { start = orbit.time, duration = 3.5, solver = tight })
local hit = run.impacts[1]
study:value("half a period later it strikes the other wall, at", string.format("%.8f", orbit.time + math.pi),
    hit.time, "s")
study:value("with the box at", string.format("%.8f", -orbit.x), hit.q[1], "m")
study:value("velocity of the box before", string.format("%.8f", -orbit.before), hit.u_before[1], "m/s")
study:value("and after", string.format("%.8f", -orbit.after), hit.u_after[1], "m/s")
study:value("impulse", string.format("%.8f", orbit.impulse), hit.impulse.n, "N s")

-- ---- from rest ----

-- The symmetric orbit exists, but is unstable for these values: from rest the motion goes elsewhere.
local long = pc.simulate(world(2, 0.6, { x = 0, v = 0, ball_x = 0.2, ball_v = 0 }), { duration = 300, solver = tight })
study:value("from rest: first impact", "10.1417471583", long.impacts[1].time, "s")
study:value("and the twelfth", "33.8858915464", long.impacts[12].time, "s")
local b = long:at(300)
study:value("energy left over in the ledger", nil,
    math.abs(b.energy + b.damped + b.lost - b.torque - long:at(0).energy), "J")

-- ---- what it does to the swing, over the clearance ----

local function swing(clearance, restitution)
    local motion = pc.simulate(world(clearance, restitution, { x = 0, v = 0, ball_x = 0.1*clearance, ball_v = 0 }),
        { duration = 260 })
    local c = motion:columns(pc.linspace(200, 260, 1501))
    return (c["box.x"]:max() - c["box.x"]:min())/2
end
study:value("swing without a ball, in closed form", nil, linear, "m")
study:value("clearance so wide that it never strikes: swing", string.format("%.2f", linear), swing(20, 0.6), "m")
local clearances, swings, dull = pc.linspace(0.25, 8, 32), {}, {}
local best = 1
for i = 1, #clearances do
    swings[i], dull[i] = swing(clearances[i], 0.6), swing(clearances[i], 0.2)
    if swings[i] < swings[best] then best = i end
end
study:value("least swing, e = 0.6", nil, swings[best], "m")
study:value("at the clearance", nil, clearances[best], "m")

local figure = pc.chart.figure{ title = "Impact damper: ball of a tenth of the mass, at resonance", columns = 2,
    width = 1100, height = 440 }
local panel = figure:panel{ title = "from rest, clearance 2 m, e = 0.6", xlabel = "t", xunit = "s", ylabel = "x",
    yunit = "m" }
local c = long:columns(pc.linspace(0, 60, 2400))
panel:line{ c.t, c["box.x"], label = "box" }
panel:line{ c.t, c["ball.x"], label = "ball" }
panel = figure:panel{ title = "swing in the end, 3 m without a ball", xlabel = "clearance", xunit = "m",
    ylabel = "half of the greatest less the least x", yunit = "m" }
panel:line{ clearances, swings, label = "e = 0.6" }
panel:line{ clearances, dull, label = "e = 0.2" }
study:draw(figure, "impact_damper")
return study:finish()
