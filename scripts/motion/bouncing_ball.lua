-- A ball dropped on a floor: times and heights of the bounces, their accumulation, rest.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "The bouncing ball and the end of its bounces", source = "Elementary: parabolas", arguments = { ... },
}

local g, e, h, radius = 9.81, 0.7, 1, 2^-7
local ball = pc.free{ shape = "disc", radius = radius, mass = 1, y = h + radius }
local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = e, friction = 0 },
    gravity = g }
local run = pc.simulate(world, { duration = 3 })

-- The n-th impact of a fall from h comes at sqrt(2h/g) (1 + 2 e + ... + 2 e^(n-1)).
local first = math.sqrt(2 * h / g)
for _, n in ipairs{ 1, 2, 5, 20 } do
    local sum = 1
    for k = 1, n - 1 do sum = sum + 2 * e^k end
    study:identity("time of impact " .. n, run.impacts[n].time, first * sum, "s")
end
for _, n in ipairs{ 1, 2, 10 } do
    local top = (run.impacts[n].time + run.impacts[n + 1].time) / 2
    study:identity("height after impact " .. n, run:at(top).y - radius, h * e^(2 * n), "m")
end
for _, event in ipairs(run.events) do
    if event.kind == "accumulation" then
        study:identity("the bounces end", event.time, first * (1 + e) / (1 - e), "s")
        study:identity("ratio of the last intervals", event.ratio, e)
    end
end
study:value("bounces that rounding can tell", nil, run.impact_count)
local last = run:at(3)
study:statement("at 3 s", "at rest on the floor",
    string.format("its lowest point at %g m, vy = %g m/s", last.y - radius, last.vy), last.y == radius and last.vy == 0)

local c = run:columns(0.002)
local figure = pc.chart.figure{ title = "Ball, e = 0.7, from 1 m" }
figure:panel{ ylabel = "height [m]" }:line{ c.t, c.y - radius }
figure:panel{ xlabel = "t [s]", ylabel = "velocity [m/s]" }:line{ c.t, c.vy }
study:draw(figure, "bouncing_ball")
return study:finish()
