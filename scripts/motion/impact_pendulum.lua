-- A pendulum that strikes a wall at its lowest position: its period against an elliptic integral, and its decay.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A pendulum and a wall", source = "Elliptic integrals: Abramowitz and Stegun, 17.3, 17.6", arguments = {
        ... },
}

local m, length, center, inertia, r, g = 1.5, 0.8, 0.45, 0.06, 0.04, 9.81

-- Complete elliptic integral of the first kind by the arithmetic-geometric mean.
local function elliptic(k)
    local a, b = 1, math.sqrt(1 - k * k)
    while math.abs(a - b) > 1e-16 do a, b = (a + b) / 2, math.sqrt(a * b) end
    return math.pi / (2 * a)
end

local function swing(degrees, e, duration)
    local rig = pc.chain{
        links = { { mass = m, length = length, center = center, inertia = inertia, radius = r } },
        angles = { degrees * pc.deg },
    }
    local wall = pc.wall{ x = -r, side = "right" } -- it touches the disk of the hanging pendulum
    local law = pc.contact.poisson{ restitution = e, friction = 0 }
    return pc.simulate(pc.scene{ rig, wall, contact = law, gravity = g },
        { duration = duration, solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 } })
end

local small = math.sqrt(m * g * center / (inertia + m * center^2))
for _, degrees in ipairs{ 60, 120, 170 } do
    local run = swing(degrees, 1, 10)
    local half = 2 * elliptic(math.sin(degrees * pc.deg / 2)) / small
    study:identity(string.format("period of the elastic pendulum from %d deg", degrees),
        run.impacts[2].time - run.impacts[1].time, half, "s")
end

-- With e < 1 the rate at the wall falls by e each time, and the amplitude follows from the energy.
local run = swing(120, 0.8, 6)
local s = math.sin(60 * pc.deg)
for k = 1, 3 do
    local a, b = run.impacts[k].time, run.impacts[k + 1].time
    study:identity("amplitude after impact " .. k .. ", e = 0.8", run:at((a + b) / 2).angle1,
        2 * math.asin(s * 0.8^k), "rad")
end

local figure = pc.chart.figure{ title = "Pendulum against a wall, e = 0.8, from 120°" }
local c = run:columns(0.005)
figure:panel{ ylabel = "angle [rad]" }:line{ c.t, c.angle1 }
figure:panel{ xlabel = "t [s]", ylabel = "rate [rad/s]" }:line{ c.t, c.rate1 }
study:draw(figure, "impact_pendulum")
return study:finish()
