-- What long motions are asked: sections, bifurcations, exponents, spectra, tables of impacts.
local pc = require "percuss"
local plot = require "percuss.plot"
local record = require "percuss.record"

local fail = plot.fail
local M = {}

-- ---- sections ----

local function table_of(names, units, rows)
    local columns = {}
    for k, name in ipairs(names) do
        local values = pc.array.zeros(#rows)
        for i, row in ipairs(rows) do values[i] = row[k] end
        columns[k] = { name, values, unit = units[name] }
    end
    return pc.table(columns)
end

-- run:section{ at = event name or period, columns = }: the state each time an event happens, or once a period.
function M.section(run, options)
    local times, from = {}, options.from or run.start
    if type(options.at) == "number" then
        if options.at ~= options.at or options.at <= 0 then
            fail("section: the period at = %g s must be > 0 s", options.at)
        end
        if run.time - run.start > 1e7 * options.at then
            fail("section: the period at = %g s is too short: the run must have at most 1e7 of it", options.at)
        end
        local k = math.ceil((from - run.start - (options.phase or 0)) / options.at)
        while true do
            local t = run.start + (options.phase or 0) + k * options.at
            if t > run.time then break end
            if t >= run.start then times[#times + 1] = t end
            k = k + 1
        end
    elseif type(options.at) == "string" then
        local known, names = false, run.event_names
        for _, name in ipairs(names) do known = known or name == options.at end
        if not known then
            local near = pc.nearest(options.at, names)
            fail("section: no event is called '%s'%s", options.at, near and "; did you mean '" .. near .. "'?"
                or "; there are: " .. table.concat(names, ", "))
        end
        for _, event in ipairs(run.events) do
            if event.name == options.at and event.time >= from then times[#times + 1] = event.time end
        end
    else
        fail('section: at must be the name of an event ("impact" is one) or a period in s')
    end
    local probe = run:columns{ run.start }
    local names = options.columns
    if not names then
        names = {}
        for _, name in ipairs(probe.names) do
            local stem = name:match "([^.]+)$"
            if stem:find "^angle" or stem:find "^rate" or stem:find "^v?[xy]$" then names[#names + 1] = name end
        end
    end
    for _, name in ipairs(names) do
        if not probe.units[name] then
            fail("section: %s", plot.no_column(name, probe.names))
        end
    end
    local all, rows = { "t", table.unpack(names) }, {}
    for i, t in ipairs(times) do
        local state = run:at(t, options.side or "after")
        rows[i] = {}
        for k, name in ipairs(all) do rows[i][k] = state[name] end
    end
    return table_of(all, probe.units, rows)
end

-- run:impact_table(): one row for each impact.
function M.impact_table(run)
    local names = { "t", "contact", "body", "other", "v_t0", "v_n0", "v_t", "v_n", "p_t", "p_n", "energy", "loss",
        "phases" }
    local units = {
        t = "s", v_t0 = "m/s", v_n0 = "m/s", v_t = "m/s", v_n = "m/s", p_t = "N s", p_n = "N s", energy = "J",
            loss = "J",
    }
    local rows, numbers, bodies = {}, {}, run.scene.contact_bodies
    for i, name in ipairs(run.scene.contacts) do numbers[name] = i end
    for i, hit in ipairs(run.impacts) do
        local contact = numbers[hit.contact]
        rows[i] = {
            hit.time, contact, bodies[contact][1], bodies[contact][2], hit.velocity_before.t, hit.velocity_before.n,
            hit.velocity.t, hit.velocity.n, hit.impulse.t, hit.impulse.n, hit.energy.after, hit.loss, hit.phase_count,
        }
    end
    return table_of(names, units, rows)
end

-- pc.bifurcation{ over = { name, values }, run = f, sample = g, columns = }: f(value) makes a run, g(run) lists numbers
-- (or rows) of its long-time motion.
function M.bifurcation(options)
    local over = type(options.over) == "table" and options.over or {}
    local name, values = over[1], over[2]
    if type(name) ~= "string" or type(values) ~= "table" and pc.type(values) ~= "array" then
        fail "bifurcation: over must be { name, values, unit = }"
    end
    local x, y = {}, {}
    for i = 1, #values do
        local samples = options.sample(options.run(values[i]))
        if type(samples) ~= "table" and pc.type(samples) ~= "array" then
            fail("bifurcation: sample must return a list of numbers, not %s", type(samples))
        end
        for k = 1, #samples do x[#x + 1], y[#y + 1] = values[i], samples[k] end
    end
    return pc.table{ { name, pc.array(x), unit = options.over.unit }, { "sample", pc.array(y) } }
end

-- ---- exponents ----

local function norm(d)
    local sum = 0
    for i = 1, #d.q do sum = sum + d.q[i] ^ 2 + d.u[i] ^ 2 end
    return math.sqrt(sum)
end

-- The largest Lyapunov exponent: a displacement carried along the motion, shortened to 1 after each interval (Benettin
-- et al. 1976).
function M.lyapunov(scene, options)
    options = options or {}
    local interval, duration = options.interval or 0.5, options.duration or 100
    if not (interval > 0 and duration > interval) then
        fail("lyapunov: duration must be greater than interval (%g s), and that than 0", interval)
    end
    if duration / interval > 1e7 then fail "lyapunov: duration must be at most 1e7 times interval" end
    local solver = options.solver or pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 }
    local function simulate(o)
        o.solver = solver
        return pc.simulate(scene, o)
    end
    local start = simulate{ duration = options.settle or 0, q = options.q, u = options.u, record = false }
    local state = start:at(start.time)
    local run = simulate{ start = start.time, duration = duration, q = state.q, u = state.u }
    local n = #state.q
    local d, grown, slowest, slowest_time = { q = {}, u = {} }, 0, nil, nil
    for i = 1, n do d.q[i], d.u[i] = 1 / math.sqrt(2 * n), 1 / math.sqrt(2 * n) end
    local series, times = {}, {}
    local aligned -- when it had turned to the direction that grows: after the first interval
    local intervals = math.floor(duration / interval + 1e-9)
    for k = 1, intervals do
        local t = run.start + k * interval
        d = run:carry(d, t - interval, math.min(t, run.time))
        local size = norm(d)
        -- contacts that stick take displacements away; what differences leave of them is rounding
        if size < 1e-9 then fail("lyapunov: nothing is left of a displacement at t = %.6g", t) end
        for i = 1, n do d.q[i], d.u[i] = d.q[i] / size, d.u[i] / size end
        if d.slowest and not (slowest and slowest < d.slowest) then
            slowest, slowest_time = d.slowest, d.slowest_time
        end
        if aligned then
            grown = grown + math.log(size)
            series[#series + 1], times[#times + 1] = grown / (t - aligned), t
        end
        aligned = aligned or t
    end
    return record.make("lyapunov", {
        exponent = series[#series], t = pc.array(times), series = pc.array(series), impacts = run.impact_count,
        slowest = slowest, slowest_time = slowest_time,
    })
end

-- ---- spectra ----

-- Fast Fourier transform in place, length a power of two (Cooley and Tukey 1965).
local function transform(re, im)
    local n, j = #re, 1
    for i = 1, n - 1 do
        if i < j then re[i], re[j], im[i], im[j] = re[j], re[i], im[j], im[i] end
        local m = n // 2
        while m >= 1 and j > m do j, m = j - m, m // 2 end
        j = j + m
    end
    local half = 1
    while half < n do
        for k = 0, half - 1 do
            local c, s = math.cos(math.pi * k / half), -math.sin(math.pi * k / half)
            for i = k + 1, n, 2 * half do
                local o = i + half
                local x, y = re[o] * c - im[o] * s, re[o] * s + im[o] * c
                re[o], im[o] = re[i] - x, im[i] - y
                re[i], im[i] = re[i] + x, im[i] + y
            end
        end
        half = 2 * half
    end
end

-- run:spectrum(column [, options]): one-sided power density with Hann's window; its sum over frequencies times their
-- step is the mean square of the windowed signal about its mean.
function M.spectrum(run, column, options)
    options = options or {}
    local n, from = options.points or 4096, options.from or run.start
    if n < 8 or n & (n - 1) ~= 0 then fail("spectrum: points must be a power of two, at least 8") end
    local span = run.time - from
    if span <= 0 then fail("spectrum: from must lie within the run") end
    local times = {}
    for i = 0, n - 1 do times[i + 1] = from + span * i / n end
    local c = run:columns(times)
    if not c.units[column] then fail("spectrum: %s", plot.no_column(column, c.names)) end
    local re, im, mean, weight = {}, {}, c[column]:mean(), 0
    for i = 1, n do
        local w = 0.5 - 0.5 * math.cos(2 * math.pi * (i - 1) / n)
        re[i], im[i] = w * (c[column][i] - mean), 0
        weight = weight + w * w
    end
    transform(re, im)
    local f, power = pc.array.zeros(n // 2), pc.array.zeros(n // 2)
    for k = 1, n // 2 do
        f[k] = (k - 1) / span
        power[k] = (k == 1 and 1 or 2) * (re[k] ^ 2 + im[k] ^ 2) * span / (n * weight)
    end
    local unit = c.units[column]
    local square = unit:find "[ /]" and "(" .. unit .. ")^2 s" or unit .. "^2 s"
    return pc.table{ { "frequency", f, unit = "Hz" }, { "power", power, unit = unit == "" and "s" or square } }
end

return M
