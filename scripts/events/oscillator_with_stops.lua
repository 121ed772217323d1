-- A user's own system: a forced oscillator between two stops. What it does at one frequency, against an exact
-- solution, and at many.
--
--   x'' + 2 zeta x' + x = F cos(w t),   -1 <= x <= 1,   x'+ = -e x'- at a stop
--
-- The model is the function `run`: a right-hand side, two events, and what they do.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Forced oscillator between two stops",
    source = "Shaw (1985), Journal of Applied Mechanics 52, rigid amplitude constraints", arguments = { ... },
}

local zeta, force, e = 0.05, 1.2, 0.8

local function bounce(_, x, v) return x > 0 and 1 or -1, -e * v end

local function run(w, stop, solver)
    return pc.ode.solve{
        rhs = function(t, x, v) return v, force * math.cos(w * t) - 2 * zeta * v - x end,
        y = { 0, 0 }, t = stop, names = { "x", "v" }, solver = solver,
        events = {
            { function(_, x) return x - 1 end, direction = 1, action = bounce, name = "right" },
            { function(_, x) return x + 1 end, direction = -1, action = bounce, name = "left" },
        },
    }
end

-- Exactly: between impacts the motion is a decaying oscillation about the forced one. The next impact is looked for
-- with steps of 1/2000 of a period and halved down; no tolerance enters.
local function exact_impacts(w, count)
    local wd, period = math.sqrt(1 - zeta ^ 2), 2 * math.pi / w
    local d = (1 - w ^ 2) ^ 2 + (2 * zeta * w) ^ 2
    local c, s = force * (1 - w ^ 2) / d, force * 2 * zeta * w / d
    local t0, x0, v0 = 0, 0, 0
    local function state(t)
        local a = x0 - c * math.cos(w * t0) - s * math.sin(w * t0)
        local b = (v0 + w * (c * math.sin(w * t0) - s * math.cos(w * t0)) + zeta * a) / wd
        local decay, phase = math.exp(-zeta * (t - t0)), wd * (t - t0)
        local cosine, sine = math.cos(phase), math.sin(phase)
        local x = decay * (a * cosine + b * sine) + c * math.cos(w * t) + s * math.sin(w * t)
        local v = decay * ((b * wd - zeta * a) * cosine - (a * wd + zeta * b) * sine) -
            w * (c * math.sin(w * t) - s * math.cos(w * t))
        return x, v
    end
    local list = {}
    while #list < count do
        local lo, hi = t0, t0 + period / 2000
        while math.abs((state(hi))) < 1 do lo, hi = hi, hi + period / 2000 end
        while true do
            local m = (lo + hi) / 2
            if m <= lo or m >= hi then break end
            if math.abs((state(m))) < 1 then lo = m else hi = m end
        end
        local x, v = state(hi)
        t0, x0, v0 = hi, x > 0 and 1 or -1, -e * v
        list[#list + 1] = { time = hi, speed = v }
    end
    return list
end

local w0 = 1.35
local motion = run(w0, 80, pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 })
local exact = exact_impacts(w0, math.min(30, #motion.events))
local worst_time, worst_speed = 0, 0
for i, impact in ipairs(exact) do
    worst_time = math.max(worst_time, math.abs(impact.time - motion.events[i].time))
    worst_speed = math.max(worst_speed, math.abs(impact.speed - motion.events[i].before[2]))
end
study:value("impacts until t = 80", nil, #motion.events)
study:value("first impact", nil, motion.events[1].time)
study:value("greatest difference of the times of 30 impacts from the exact ones", nil, worst_time)
study:value("greatest difference of their speeds", nil, worst_speed)
study:statement("the impacts are the exact ones", nil,
    string.format("times within %.0e, speeds within %.0e", worst_time, worst_speed),
    worst_time < 1e-9 and worst_speed < 1e-9)

-- Never beyond a stop, not even between the ends of steps.
local fine = motion:columns(0.005)
study:value("greatest |x| of 16000 states", nil, fine.x:map(math.abs):max())

-- After 40 periods: the speeds at the right stop for 171 frequencies. At low ones the force holds the mass against a
-- stop: its bounces accumulate, and a model without a state of rest ends there.
local frequencies, speeds, count, held, last_held = {}, {}, 0, 0, 0
for w = 0.1, 1.801, 0.01 do
    local period = 2 * math.pi / w
    local m = run(w, 60 * period, pc.solver.dop853{ rtol = 1e-8, atol = 1e-9 })
    for _, event in ipairs(m.events) do
        if event.name == "right" and event.time > 40 * period then
            frequencies[#frequencies + 1], speeds[#speeds + 1] = w, event.before[2]
        end
    end
    count = count + #m.events
    if m.stop == "stalled" then held, last_held = held + 1, w end
end
study:value("impacts in the sweep over the frequency", nil, count)
study:statement("bounces accumulate at a stop", nil,
    string.format("at %d frequencies, the highest %.2f", held, last_held), "slow forcing holds the mass there")

local figure = pc.chart.figure{ title = "Oscillator between stops, ζ = 0.05, F = 1.2, e = 0.8", columns = 2,
    width = 1200, height = 900 }
local history = figure:panel{ title = "ω = 1.35", xlabel = "t", ylabel = "x", xlim = { 0, 40 } }
history:line{ fine.t, fine.x }
history:hline{ 1 }
history:hline{ -1 }
figure:panel{ title = "phase plane", xlabel = "x", ylabel = "v" }:line{ fine.x, fine.v }
figure:panel{ title = "speeds at the right stop after 40 periods", xlabel = "ω", ylabel = "v" }
    :scatter{ frequencies, speeds }
study:draw(figure, "oscillator_with_stops")
return study:finish()
