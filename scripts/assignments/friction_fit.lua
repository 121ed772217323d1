-- Fit a friction coefficient: oblique impacts of a ball, some of which slide through and some of which do not.
local pc = require "percuss"
local A = require "percuss.assignment"
local random_numbers = require "percuss.assignment_random"

-- Tangential restitution of the centre of a solid sphere that slides through: 1 - mu (1 + e) / tan(incidence); one that
-- sticks at the end (rigid, no tangential compliance): 5/7. The larger friction of the two never acts.
local function tangential(angle, mu, e)
    return math.max(1 - mu * (1 + e) / math.tan(angle), 5 / 7)
end

-- Measured at incidences of 10 to 80 degrees, with noise of a standard deviation of about 0.004 in the value.
local function measure(d)
    local noise = random_numbers.new("noise" .. d.seed)
    local angles, values = {}, {}
    for i = 1, 15 do
        angles[i] = 5 + 5 * i
        local sum = 0
        for _ = 1, 12 do sum = sum + noise:uniform() end -- nearly normal, of unit variance, mean 6
        local exact = tangential(angles[i] * pc.deg, d.hidden, d.restitution)
        values[i] = tonumber(string.format("%.4f", exact + 0.004 * (sum - 6)))
    end
    return angles, values
end

-- The friction of least squares, by golden sections: the sum of squares has one minimum in this range.
local function best(angles, values, e)
    local function squares(mu)
        local sum = 0
        for i = 1, #angles do sum = sum + (tangential(angles[i] * pc.deg, mu, e) - values[i]) ^ 2 end
        return sum
    end
    local lo, hi, ratio = 0.02, 0.5, (math.sqrt(5) - 1) / 2
    for _ = 1, 60 do
        local a, b = hi - ratio * (hi - lo), lo + ratio * (hi - lo)
        if squares(a) < squares(b) then hi = b else lo = a end
    end
    return (lo + hi) / 2
end

local function show_data(d)
    local figure = pc.chart.figure{ width = 560, height = 380 }
    local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "tangential restitution" }
    panel:scatter{ d.angles, d.values, label = "measured" }
    return figure
end

return A.new{
    name = "friction_fit",
    title = "Fit a friction coefficient",
    text = [[
A solid sphere was thrown on a plate at incidences d.angles (deg, from the normal) without spin, and the tangential
restitution of its centre, v_t after over v_t before, was measured: d.values. The normal restitution e = d.restitution
is known. While the ball slides through the whole impact, the value is 1 - mu (1 + e)/tan(angle); where friction
suffices to stop the sliding of the contact point, take it as rigid, with the value 5/7.]],
    data = function(random)
        local d = {
            restitution = random:number(0.85, 0.98, 2), hidden = random:number(0.08, 0.2),
            seed = random:integer(1, 1e6),
        }
        local angles, values = measure(d)
        return { restitution = d.restitution, angles = angles, values = values }
    end,
    units = { angles = "deg" },
    figures = { A.figure{ name = "data", caption = "Your measurements.", draw = show_data } },
    parts = {
        A.number{
            name = "friction", points = 4,
            text = "What friction coefficient fits all measurements best, by least squares?",
            unit = "", relative = 2e-3, answer = function(d) return best(d.angles, d.values, d.restitution) end,
            mistakes = { {
                answer = function(d) return best(d.angles, d.values, 0) end,
                message = "the normal impulse is (1 + e) times that of compression", credit = 0.25,
            } },
            hints = { { 2, "only balls that slide through tell about the friction; pc.fit sees that by itself" } },
        },
        A.number{
            name = "limit", points = 2,
            text = "At what incidence does the ball begin to slide through, with your friction?",
            unit = "deg", relative = 2e-3,
            answer = function(d)
                return math.atan(3.5 * (1 + d.restitution) * best(d.angles, d.values, d.restitution)) / pc.deg
            end,
            hints = { { 1, "there the two formulas give the same value" } },
        },
        A.chart{
            name = "fit", points = 3, text = "Draw measurements and fit over the incidence.",
            x = { unit = "deg" }, y = { unit = "" }, series = 2,
        },
        A.words{
            name = "doubt", points = 1, least = 15,
            text = "Which measurements decide the result, and what would you measure next to know it better?",
        },
    },
}
