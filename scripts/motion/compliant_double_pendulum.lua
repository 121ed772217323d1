-- The double pendulum of Sypniewska-Kaminska (2017) on a floor of springs: as these grow stiff, the run tends to that
-- with rigid impacts, and the distance tells how fast.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A double pendulum on a compliant floor, beside the rigid run",
    source = "Sypniewska-Kaminska (2017), section 4 (her pendulum, mu = 0.15); Stronge (2000), chapter 5",
    arguments = { ... },
}

local solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 }
local duration = 2.5

local function world(law, configuration)
    return pc.scene{
        pc.chain{
            links = { { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676 },
                { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 } },
            angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 },
        },
        pc.floor{ depth = 0.9 }, contact = law, configuration = configuration,
    }
end

-- A normal spring without loss whose contact point sticks or slips by itself goes through the same velocities as the
-- rigid law with E = 1, as long as the pendulum does not move meanwhile.
local rigid = pc.simulate(world(pc.contact.stronge{ restitution = 1, friction = 0.15 }), { duration = duration,
    solver = solver })
local struck = rigid.impacts[1]
study:value("first impact at", nil, struck.time, "s")

local runs, distance = {}, {}
for i, k in ipairs{ 1e6, 1e8, 1e10 } do
    local law = pc.contact.kelvin_voigt{ stiffness = k, damping = 0, friction = 0.15 }
    local run = pc.simulate(world(law, "moving"), { duration = duration, solver = solver })
    local hit = run.impacts[1]
    runs[i] = run
    distance[i] = math.max(math.abs(hit.velocity.n - struck.velocity.n), math.abs(hit.velocity.t - struck.velocity.t))
    study:value(string.format("k = %g N/m: the contact lasts", k), nil, hit.duration * 1e6, "us")
    study:value(string.format("k = %g N/m: rebound velocity off by", k), nil, distance[i], "m/s")
    study:identity(string.format("k = %g N/m: time of the first impact", k), hit.time, struck.time, "s")
    local s0, s = run:at(0), run:at(duration)
    study:identity(string.format("k = %g N/m: energy and what friction took", k),
        s.energy + s.friction + s.dissipated, s0.energy, "J")
end
for i = 2, #distance do
    study:value(string.format("order in the stiffness, from %g to %g", 10^(4 + 2 * (i - 1)), 10^(4 + 2 * i)), nil,
        math.log(distance[i - 1] / distance[i]) / math.log(100))
end
local one, other = runs[3]:at(duration), rigid:at(duration)
study:value("angle of the lower link after 2.5 s, k = 1e10, beside the rigid run: off by", nil,
    math.abs(one.angle2 - other.angle2), "rad")

local figure = pc.chart.figure{ title = "Lower link: springs and rigid impacts" }
local panel = figure:panel{ xlabel = "t [s]", ylabel = "angle2 [rad]" }
local exact = rigid:columns(0.005)
panel:line{ exact.t, exact.angle2, label = "rigid" }
for i, k in ipairs{ "1e6", "1e8" } do
    local columns = runs[i]:columns(0.005)
    panel:line{ columns.t, columns.angle2, label = "k = " .. k .. " N/m" }
end
study:draw(figure, "compliant_double_pendulum")
study:note("A contact of finite stiffness lasts as 1/sqrt(k), and what the pendulum does meanwhile is as small as")
study:note("that: the order is 1/2.")
return study:finish()
