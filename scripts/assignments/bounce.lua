-- A ball that bounces: energy, restitution, and the finite time of infinitely many bounces.
local pc = require "percuss"
local A = require "percuss.assignment"

local g = 9.81 -- m/s^2

local function fall_time(d) return math.sqrt(2 * d.height / g) end

return A.new{
    name = "bounce",
    title = "A ball that bounces",
    text = [[
A ball falls from rest on a hard floor and bounces straight up again. Each bounce gives it back the same fraction of its
speed, the kinematic restitution e. Take g = 9.81 m/s^2 and neglect the air and the duration of impacts.]],
    data = function(random)
        return {
            height = random:number(0.5, 2),
            restitution = random:number(0.6, 0.9, 2),
            mass = random:number(0.01, 0.2),
        }
    end,
    units = { height = "m", mass = "kg" },
    parts = {
        A.number{
            name = "speed", points = 1, text = "With what speed does the ball reach the floor for the first time?",
            unit = "m/s", digits = 3, answer = function(d) return math.sqrt(2 * g * d.height) end,
            mistakes = { {
                answer = function(d) return math.sqrt(g * d.height) end, message = "the kinetic energy is m v^2 / 2",
            } },
            hints = { { 2, "energy is conserved while the ball falls" } },
        },
        A.number{
            name = "loss", points = 2, text = "How much energy does the first impact take away?",
            unit = "J", digits = 3,
            answer = function(d) return d.mass * g * d.height * (1 - d.restitution ^ 2) end,
            mistakes = {
                {
                    answer = function(d) return d.mass * g * d.height * (1 - d.restitution) end, credit = 0.5,
                    message = "e is a ratio of speeds, not of energies",
                },
                {
                    answer = function(d) return d.mass * g * d.height * d.restitution ^ 2 end, credit = 0.5,
                    message = "this is what is left",
                },
            },
        },
        A.curve{
            name = "heights", points = 2, text = "How high does the ball rise after bounces 1 to 6? Return a list.",
            unit = "m", relative = 1e-3,
            answer = function(d)
                local list = {}
                for i = 1, 6 do list[i] = d.height * d.restitution ^ (2 * i) end
                return list
            end,
        },
        A.number{
            name = "rest", points = 2, text = "After what time, counted from the release, has the ball come to rest?",
            unit = "s", digits = 3,
            answer = function(d) return fall_time(d) * (1 + d.restitution) / (1 - d.restitution) end,
            mistakes = { {
                answer = function(d) return fall_time(d) / (1 - d.restitution) end, credit = 0.25,
                message = "between two impacts the ball goes up and comes down again",
            } },
            hints = { { 2, "the times between impacts are a geometric series" } },
        },
        A.chart{
            name = "motion", points = 3,
            text = "Draw the height over the time from the release to the third impact at least.",
            x = { unit = "s" }, y = { unit = "m" },
            test = function(panel, d)
                local t, y = pc.array(panel.series[1].x), pc.array(panel.series[1].y)
                if math.abs(y:max() / d.height - 1) > 1e-2 then return false, "the greatest height is the first" end
                if y:min() < -1e-2 * d.height then return false, "the ball stays above the floor" end
                local third = fall_time(d) * (1 + 2 * d.restitution + 2 * d.restitution ^ 2)
                return t:max() > 0.98 * third, "the third impact is not on it"
            end,
        },
    },
}
