-- A mass on a spring on a belt that runs: it is carried until the spring pulls harder than static friction holds, slips
-- back, and is caught again. Closed forms of the limit cycle without a damper; one root with it.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Stick and slip on a belt", source = "Popp and Stelter, Phil. Trans. R. Soc. A 332 (1990); closed forms",
    arguments = { ... },
}

local m, k, V, static, kinetic, g = 1, 100, 0.1, 5, 3, 9.81

local function carry(damping, duration)
    return pc.simulate(pc.scene{
        -- its inertia keeps it from turning
        pc.free{ shape = "disc", radius = 0.05, mass = m, inertia = 1e12, y = 0.05, vx = V, name = "mass" },
        pc.floor{ height = 0, name = "belt", surface_speed = V },
        pc.spring{ a = "mass", b_at = { 0, 0.05 }, stiffness = k, damping = damping, name = "spring" },
        gravity = g, contact = pc.contact.newton{ restitution = 0, friction = kinetic/(m*g),
            static_friction = static/(m*g) },
    }, { duration = duration, solver = pc.solver.dop853{ rtol = 1e-12 } })
end

local function times(run)
    local slips, sticks = {}, {}
    for _, event in ipairs(run.events) do
        if event.name == "slip" then slips[#slips + 1] = event.time end
        if event.name == "stick" then sticks[#sticks + 1] = event.time end
    end
    return slips, sticks
end

-- Without a damper the slip is a part of a circle in (x, v/w) about kinetic/k, from (static/k, V/w) to the mirror image
-- of that; then the belt carries the mass back over 2 (static - kinetic)/k.
local run = carry(0, 6)
local w = math.sqrt(k/m)
local edge = (static - kinetic)/k
local slipping = (math.pi + 2*math.atan(V, edge*w))/w
local sticking = 2*edge/V
local slips, sticks = times(run)
study:value("slip lasts", string.format("%.10f", slipping), sticks[2] - slips[2], "s")
study:value("stick lasts", string.format("%.10f", sticking), slips[3] - sticks[2], "s")
study:value("slip begins at", string.format("%.10f", static/k), run:at(slips[2])["mass.x"], "m")
study:value("and ends at", string.format("%.10f", kinetic/k - edge), run:at(sticks[2])["mass.x"], "m")

-- In one cycle the belt gives what friction takes, its force times the way that the belt gains on the mass.
local heat = kinetic*(V*slipping + 2*edge)
local a, b = run:at(slips[2]), run:at(slips[3])
study:value("heat of a cycle", string.format("%.10f", heat), b.friction - a.friction, "J")
study:value("work of the belt in a cycle", string.format("%.10f", heat), run:work("belt", slips[2], slips[3]), "J")

-- A damper c takes its part of what static friction holds: slip begins at (static - c V)/k.
local damped = carry(1.5, 6)
local from, to = times(damped)
study:value("with c = 1.5 N s/m slip begins at", string.format("%.10f", (static - 1.5*V)/k),
    damped:at(from[3])["mass.x"], "m")
study:value("then it ends at", "0.0171513867", damped:at(to[3])["mass.x"], "m")
study:value("period", "0.7455913144", from[4] - from[3], "s")
local last = damped:at(6)
study:value("energy left over in the ledger", nil, math.abs(last.energy + last.damped + last.friction - last.drive
    - damped:at(0).energy), "J")

-- Beyond some speed of the belt the damper takes the swing before the belt catches the mass again: it slips for good.
local speeds, widths = pc.linspace(0.02, 0.4, 20), {}
for i = 1, #speeds do
    V = speeds[i]
    local c = carry(1.5, 24):columns(pc.linspace(20, 24, 401))
    widths[i] = c["mass.x"]:max() - c["mass.x"]:min()
end
V = 0.1

local figure = pc.chart.figure{ title = "Stick and slip on a belt", columns = 3, width = 1500, height = 440 }
local panel = figure:panel{ title = "limit cycles, belt at 0.1 m/s", xlabel = "x", xunit = "m", ylabel = "v",
    yunit = "m/s" }
for _, each in ipairs{ { run, "c = 0" }, { damped, "c = 1.5 N s/m" } } do
    local c = each[1]:columns(pc.linspace(3, 6, 3000))
    panel:line{ c["mass.x"], c["mass.vx"], label = each[2] }
end
panel = figure:panel{ title = "friction", xlabel = "t", xunit = "s", ylabel = "F_t", yunit = "N" }
local c = run:columns(pc.linspace(0, 3, 1500))
panel:line{ c.t, c.F_t }
panel = figure:panel{ title = "width of the motion, c = 1.5 N s/m", xlabel = "speed of the belt", xunit = "m/s",
    ylabel = "greatest less least x", yunit = "m" }
panel:line{ speeds, widths }
study:draw(figure, "stick_slip")
return study:finish()
