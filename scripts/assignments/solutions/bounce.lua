-- Model solution of the assignment bounce.
local pc = require "percuss"
local work = ...
local d = work.data
local g = 9.81

function work.speed() return math.sqrt(2 * g * d.height), "m/s" end

function work.loss() return d.mass * g * d.height * (1 - d.restitution ^ 2), "J" end

function work.heights()
    local list = {}
    for i = 1, 6 do list[i] = d.height * d.restitution ^ (2 * i) end
    return list, "m"
end

function work.rest()
    return math.sqrt(2 * d.height / g) * (1 + d.restitution) / (1 - d.restitution), "s"
end

function work.motion()
    local times, heights = {}, {}
    local start, speed, height = 0, 0, d.height
    for _ = 1, 4 do
        -- one flight: from this height with this speed upwards to the floor
        local duration = (speed + math.sqrt(speed ^ 2 + 2 * g * height)) / g
        for i = 0, 60 do
            local t = duration * i / 60
            times[#times + 1] = start + t
            heights[#heights + 1] = math.max(0, height + speed * t - g * t ^ 2 / 2)
        end
        start, speed, height = start + duration, d.restitution * (g * duration - speed), 0
    end
    local figure = pc.chart.figure{ title = "A ball that bounces" }
    figure:panel{ xlabel = "time", xunit = "s", ylabel = "height", yunit = "m" }:line{ times, heights }
    return figure
end
