-- Kecskemethy (1999), last paragraph: roots of the integrator's polynomial against changes of sign at steps.
--
-- Each case has events that are known beforehand. Both ways see the same motion with the same steps. The last column
-- says how many evenly spaced values of g a search for changes of sign would need to find the same events.
local pc = require "percuss"
local report = require "percuss.report"
local study = require("percuss.study").new{
    title = "Events that are never missed: roots of polynomials against changes of sign",
    source = "Kecskemethy, Lange and Grabner (1999), last paragraph", arguments = { ... },
}

local g0 = 9.81
local t1 = 0.37

-- Motions are polynomials or circular functions of time, so that the events are exact.
local function parabola(clearance)
    return {
        rhs = function(t) return g0 * (t - t1) end, y = g0 / 2 * (t1 ^ 2 + clearance), t = 1,
        g = function(_, y) return y end, exact = function(t) return g0 / 2 * ((t - t1) ^ 2 + clearance) end,
    }
end

local cases = {}
local function case(name, description)
    description.name = name
    cases[#cases + 1] = description
end

local graze = parabola(0)
graze.events = { t1 }
graze.near = 1e-7 -- a double root is known to the square root of rounding
case("graze: a ball just touches", graze)

local excursion = parabola(-1e-12)
excursion.events = { t1 - 1e-6, t1 + 1e-6 }
case("penetration for 2 us", excursion)

local miss = parabola(1e-12)
miss.events = {}
case("near miss by 5e-12", miss)

local quartic = { 0.1, 0.2, 0.6, 0.9 }
local function product(t)
    local p = 1
    for _, root in ipairs(quartic) do p = p * (t - root) end
    return p
end
case("two pairs in a step", {
    rhs = function(t)
        local sum = 0
        for i in ipairs(quartic) do
            local p = 1
            for k, root in ipairs(quartic) do if k ~= i then p = p * (t - root) end end
            sum = sum + p
        end
        return sum
    end,
    y = product(0), t = 1, g = function(_, y) return y end, exact = product, events = quartic,
})

local wall = 0.9999
local wall_events = {}
for k = 0, 15 do
    local a = math.acos(wall)
    for _, side in ipairs{ -1, 1 } do wall_events[#wall_events + 1] = math.pi / 2 + 2 * math.pi * k + side * a end
end
case("oscillator that grazes a stop", {
    rhs = function(_, x, v) return v, -x end, y = { 0, 1 }, t = 98,
    g = function(_, x) return x - wall end, exact = function(t) return math.sin(t) - wall end,
    events = wall_events, near = 1e-6,
})

-- The lower end of a falling rod that spins: the gap n0 - g t^2/2 - |cos(20 t)|/2 grazes once, then strikes.
local n0 = 1.009312074414233
local function gap(t) return n0 - g0 * t ^ 2 / 2 - 0.5 * math.abs(math.cos(20 * t)) end
case("falling rod that spins", {
    rhs = function(_, _, v) return v, -g0 end, y = { 0, 0 }, t = 0.42,
    g = function(t, y) return n0 + y - 0.5 * math.abs(math.cos(20 * t)) end, exact = gap,
    events = { 0.3306778682690833, 0.4111350041704063 }, near = 1e-7,
})

local pulses, pulse_width = {}, math.acos(0.999)
for k = 1, 63 do
    for _, side in ipairs{ -1, 1 } do
        local t = (2 * math.pi * k + side * pulse_width) / 40
        if t < 10 then pulses[#pulses + 1] = t end
    end
end
case("pulses of a fast cosine", {
    rhs = function() return 1 end, y = 0, start = 0.01, t = 10,
    g = function(t) return math.cos(40 * t) - 0.999 end, exact = function(t) return math.cos(40 * t) - 0.999 end,
    events = pulses,
})

case("start with a residue of -1e-17, leaving", {
    rhs = function(_, _, v) return v, -g0 end, y = { -1e-17, 0.3 }, t = 0.1, direction = -1,
    g = function(_, y) return y end, exact = function(t) return -1e-17 + 0.3 * t - g0 * t ^ 2 / 2 end,
    events = { 0.06116207951070333 },
})

-- How many of the known events were found, missed, and how many found ones are none.
local function judge(found, known, near)
    local used, hits = {}, 0
    for _, t in ipairs(known) do
        for i, other in ipairs(found) do
            if not used[i] and math.abs(other - t) <= near then
                used[i] = true
                hits = hits + 1
                break
            end
        end
    end
    return #known - hits, #found - hits
end

-- A change of sign between neighbours, halved down; `value` is the state's own g. One call for each neighbour and
-- for each halving.
local function sign_changes(times, value)
    local found, calls, last = {}, 1, value(times[1])
    for i = 2, #times do
        local here = value(times[i])
        calls = calls + 1
        if last * here <= 0 then
            local a, b, ga = times[i - 1], times[i], last
            while b - a > 1e-12 do
                local m = (a + b) / 2
                local gm = value(m)
                calls = calls + 1
                if ga * gm <= 0 then b = m else a, ga = m, gm end
            end
            found[#found + 1] = (a + b) / 2
        end
        last = here
    end
    return found, calls
end

-- The least power of two of even steps with which changes of sign find everything and nothing else.
local function steps_needed(c)
    for power = 2, 21 do
        local n = 2 ^ power
        local times, start = {}, c.start or 0
        for i = 0, n do times[i + 1] = start + (c.t - start) * i / n end
        local found = sign_changes(times, c.exact)
        local missed, extra = judge(found, c.events, c.near or 1e-9)
        if missed == 0 and extra == 0 then return n end
    end
end

local rows = { { "", "events", "polynomial: missed", "false", "calls of g", "changes of sign: missed", "false",
    "calls", "even steps needed" } }
local total = { known = 0, missed = 0, extra = 0, calls = 0, sign_missed = 0, sign_extra = 0 }
for _, c in ipairs(cases) do
    -- the rates are smooth in t, so that steps may be long, and what rounding leaves of a graze stays below its noise
    local motion = pc.ode.solve{
        rhs = c.rhs, y = c.y, start = c.start or 0, t = c.t, time_scale = math.huge,
        solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-14 },
        events = { { c.g, direction = c.direction or 0 } },
    }
    local found = {}
    for i, event in ipairs(motion.events) do found[i] = event.time end
    local near = c.near or 1e-9
    local missed, extra = judge(found, c.events, near)
    local times, column = {}, motion:columns().t
    for i = 1, #column do times[i] = column[i] end
    local crossings, calls = sign_changes(times, function(t) return c.g(t, motion:at(t)) end)
    local sign_missed, sign_extra = judge(crossings, c.events, near)
    local needed = steps_needed(c)
    rows[#rows + 1] = { c.name, tostring(#c.events), tostring(missed), tostring(extra),
        tostring(motion.statistics.event_calls), tostring(sign_missed), tostring(sign_extra), tostring(calls),
        needed and string.format("%d", needed) or "never (2^21 tried)" }
    total.known = total.known + #c.events
    total.missed, total.extra = total.missed + missed, total.extra + extra
    total.calls = total.calls + motion.statistics.event_calls
    total.sign_missed, total.sign_extra = total.sign_missed + sign_missed, total.sign_extra + sign_extra
end
study:say(report.aligned(rows, "  "))

study:value("events in all cases", nil, total.known)
study:value("missed by roots of polynomials", nil, total.missed)
study:value("false by roots of polynomials", nil, total.extra)
study:value("missed by changes of sign at the same steps", nil, total.sign_missed)
study:value("false by changes of sign", nil, total.sign_extra)
study:statement("polynomial root finding misses nothing where changes of sign do", "much more reliable and efficient",
    string.format("%d of %d missed against %d", total.missed, total.known, total.sign_missed),
    total.missed == 0 and total.extra == 0 and total.sign_missed > 0)

-- The grazing oscillator about its first contact: what the ends of steps show, and what happened between them.
local c = cases[5]
local motion = pc.ode.solve{ rhs = c.rhs, y = c.y, t = 4, solver = pc.solver.dop853{ rtol = 1e-9 },
    events = { { c.g } } }
local fine, steps = motion:columns(0.002), motion:columns()
local figure = pc.chart.figure{ title = "Oscillator and a stop at 0.9999", columns = 2, width = 1100, height = 450 }
local whole = figure:panel{ title = "dense output joins long steps", xlabel = "t", ylabel = "x", legend = true }
whole:line{ fine.t, fine[1], label = "dense output" }
whole:scatter{ steps.t, steps[1], label = "ends of steps" }
whole:hline{ wall, label = "stop" }
local times, states = {}, {}
for i = -40, 40 do
    times[#times + 1] = math.pi / 2 + i * 1e-3
    states[#states + 1] = motion:at(times[#times]) - wall
end
local close = figure:panel{ title = "the excursion", xlabel = "t", ylabel = "x - 0.9999", legend = true }
close:line{ times, states, label = "dense output" }
close:hline{ 0 }
close:scatter{ { motion.events[1].time, motion.events[2].time }, { 0, 0 }, label = "events" }
study:draw(figure, "detection")
return study:finish()
