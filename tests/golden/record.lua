-- What is kept of a golden scene: kinds, pairs and modes of its events in order, their times, states at impacts, forces
-- at twenty times, the ledger. How far two such records are apart, each quantity relative to its size.
local pc = require "percuss"

local M = {}

-- ---- running ----

-- Coordinates by kind, in the order of the state (lengths and angles have sizes of their own), and the start.
local function classes(parts)
    local list, q, u = {}, {}, {}
    local function add(class, place, velocity)
        list[#list + 1], q[#q + 1], u[#u + 1] = class, place, velocity
    end
    for _, part in ipairs(parts) do
        local kind = pc.type(part)
        if kind == "chain" then
            for i = 1, #part.links do add("angle", part.angles[i], part.rates[i]) end
        elseif kind == "free" then
            add("length", part.x, part.vx)
            add("length", part.y, part.vy)
            add("angle", part.angle, part.rate)
        end
    end
    return list, q, u
end

-- Simulate a scene; `shift`: relative change of gravity, of velocities and, where nothing touches at the start (a
-- contact has to stay), of coordinates, but for angles of free bodies that do not turn (what lands flat has to land
-- flat). Its sign alternates, so that bodies are moved apart.
function M.run(scene, shift)
    local parts, options = scene.make(), {}
    for key, value in pairs(scene.options) do options[key] = value end
    if shift then
        local start = pc.simulate(pc.scene(parts), { duration = 0 }):at(0)
        local touches = false
        for name, value in pairs(start) do
            if name:find "^gap" and value < 1e-9 then touches = true end
        end
        local function moved(values, at_rest)
            for i, value in ipairs(values) do
                local own = i % 2 == 1 and shift or -shift / 2
                if not at_rest or at_rest[i] ~= 0 then values[i] = value * (1 + own) end
            end
            return values
        end
        local list, q, u = classes(parts)
        local turning = {}
        for i, class in ipairs(list) do turning[i] = class == "length" and 1 or u[i] end
        if not touches then options.q = moved(q, turning) end
        options.u = moved(u)
        parts.gravity = (parts.gravity or 9.81) * (1 + shift)
    end
    return pc.simulate(pc.scene(parts), options)
end

-- ---- records ----

local MOST_EVENTS, MOST_STATES, TIMES = 80, 6, 20

-- Where to cut: in the middle between two events, so that rounding moves none of them across. (An accumulation is
-- listed before the contact that it becomes, and is later than that.)
local function cut_before(events, index, stop)
    local t = events[index] and events[index].time or stop
    local last = 0
    for i = 1, #events do
        if events[i].time < t then last = math.max(last, events[i].time) end
    end
    return last + (t - last) / 2
end

-- A window is a time { from, to } in which rounding decides, though not of what comes later: the last bounces of an
-- accumulation. What happens in it is not compared.
local function is_seen(windows, t)
    for _, window in ipairs(windows) do
        if t > window[1] and t < window[2] then return false end
    end
    return true
end

-- When forces are looked at: ten times over the span, ten within contacts that compliant laws make.
local function instants(run, span, windows)
    local times, within = {}, {}
    for _, hit in ipairs(run.impacts) do
        if hit.rule == "compliant" and hit.stop and hit.stop < span and #within < TIMES / 2 then
            within[#within + 1] = hit
        end
    end
    local function put(t)
        for _, window in ipairs(windows) do
            if t > window[1] and t < window[2] then t = window[1] end
        end
        times[#times + 1] = t
    end
    for i = 1, TIMES - #within do put(run.start + (span - run.start) * (i - 0.4142) / (TIMES - #within)) end
    for i, hit in ipairs(within) do put(hit.time + (hit.stop - hit.time) * (i - 0.4142) / #within) end
    table.sort(times)
    return times
end

local ledger = { "kinetic", "potential", "energy", "damped", "torque", "pivot", "friction", "lost", "stored",
    "dissipated" }

-- Time, end, impulse and velocity before of an impact, with q and u after it if wanted. What a contact that outlasts
-- the span has got so far is left out.
local function take_impact(hit, span, with_states)
    local open = hit.rule == "compliant" and not (hit.stop and hit.stop < span)
    local stop = hit.rule == "compliant" and not open and hit.stop or hit.time
    local impact = { hit.time, stop, open and 0 or hit.impulse.t, open and 0 or hit.impulse.n, hit.velocity_before.t,
        hit.velocity_before.n }
    if not open and with_states then
        for _, list in ipairs{ hit.q, hit.u_after } do table.move(list, 1, #list, #impact + 1, impact) end
    end
    return impact
end

-- The record of a run up to `span` without some windows; `times` are those of another record of the same scene.
function M.take(run, span, windows, times)
    local record = { span = span, windows = windows, stop = run.stop }
    record.events, record.impacts, record.forces, record.states = {}, {}, {}, {}
    record.classes = classes(run.scene.parts)
    local pairs_of = {}
    for i, name in ipairs(run.scene.contacts) do pairs_of[name] = i end
    for _, event in ipairs(run.events) do
        if event.time >= span then break end
        if is_seen(windows, event.time) then
            local kind = event.kind == "user" and event.name or event.kind
            record.events[#record.events + 1] = {
                time = event.time, kind = (kind:gsub(" ", "_")),
                pair = event.contact and pairs_of[event.contact] or 0,
                mode = event.mode or event.outcome or "-",
            }
        end
    end
    for _, hit in ipairs(run.impacts) do
        if hit.time >= span then break end
        if is_seen(windows, hit.time) then
            table.insert(record.impacts, take_impact(hit, span, #record.impacts < MOST_STATES))
        end
    end
    record.times = times or instants(run, span, windows)
    for i, t in ipairs(record.times) do
        local now, row = run:at(t), {}
        for p = 1, #run.scene.contacts do
            local suffix = #run.scene.contacts > 1 and p or ""
            local Ft, Fn = now["F_t" .. suffix], now["F_n" .. suffix]
            if Ft ~= 0 or Fn ~= 0 then row[#row + 1] = { p, Ft, Fn } end
        end
        record.forces[i] = row
        if i % 5 == 0 then
            local state = {}
            for _, list in ipairs{ now.q, now.u } do
                for _, value in ipairs(list) do state[#state + 1] = value end
            end
            for k, name in ipairs(ledger) do
                if k < 9 or run.rule == "compliant" then state[#state + 1] = now[name] end
            end
            record.states[#record.states + 1] = state
        end
    end
    return record
end

-- ---- comparison ----

-- What stands in front of the states of an impact.
local impact_kinds = { "time", "time", "impulse", "impulse", "speed", "speed" }

local function weight(parts)
    local mass, gravity = 0, math.abs(parts.gravity or 9.81)
    for _, part in ipairs(parts) do
        local kind = pc.type(part)
        if kind == "free" then mass = mass + part.mass end
        if kind == "chain" then for _, link in ipairs(part.links) do mass = mass + link.mass end end
    end
    return mass, gravity
end

-- The size of each quantity: the greatest that the record has of its kind, at least what weight makes of the lengths.
local function sizes(record, parts)
    local mass, gravity = weight(parts)
    local n = #record.classes
    local size = { time = record.span, length = 0, angle = 1, speed = 0, rate = 0, force = mass * gravity, impulse = 0,
        energy = 0 }
    local function see(kind, value) size[kind] = math.max(size[kind], math.abs(value)) end
    local function see_state(values, from)
        for i, class in ipairs(record.classes) do
            see(class, values[from + i])
            see(class == "angle" and "rate" or "speed", values[from + n + i])
        end
    end
    for _, state in ipairs(record.states) do
        see_state(state, 0)
        for i = 2 * n + 1, #state do see("energy", state[i]) end
    end
    for _, impact in ipairs(record.impacts) do
        for k, kind in ipairs(impact_kinds) do see(kind, impact[k]) end
        if #impact > #impact_kinds then see_state(impact, #impact_kinds) end
    end
    for _, row in ipairs(record.forces) do
        for _, force in ipairs(row) do see("force", force[2]); see("force", force[3]) end
    end
    local length = size.length > 0 and size.length or 1
    see("speed", math.sqrt(gravity * length))
    see("rate", math.sqrt(gravity / length))
    see("rate", size.speed / length)
    see("impulse", mass * size.speed)
    see("energy", mass * size.speed^2)
    return size
end

-- Compare `other` with `record`, a scene of `parts`: the first difference above `tolerance`, or after the time
-- record.exact above `loose`, as a sentence and the time at which it is, or nil; and the greatest difference before
-- record.exact, relative to the size of the quantity.
function M.compare(record, other, parts, tolerance, loose)
    local size, n, worst = sizes(record, parts), #record.classes, 0
    local exact = loose and record.exact or math.huge
    local found, at
    local function report(t, ...)
        if not at or t < at then found, at = string.format(...), t end
    end
    local function close(t, what, kind, a, b)
        local off = math.abs(a - b) / size[kind]
        if t < exact and off == off then worst = math.max(worst, off) end
        if a ~= b and (off > (t < exact and tolerance or loose) or off ~= off) then
            report(t, "%s: %.17g, was %.17g; off by %.1e of %.3g", what, b, a, off, size[kind])
        end
    end
    local function close_state(t, what, a, b, from)
        for i, class in ipairs(record.classes) do
            close(t, ("%s: q[%d]"):format(what, i), class, a[from + i], b[from + i])
            close(t, ("%s: u[%d]"):format(what, i), class == "angle" and "rate" or "speed", a[from + n + i],
                b[from + n + i])
        end
    end
    for i = 1, math.max(#record.events, #other.events) do
        local a, b = record.events[i], other.events[i]
        local function say(e)
            return e and ("%s of contact %d, %s, at %.17g s"):format(e.kind, e.pair, e.mode, e.time) or "nothing"
        end
        if not a or not b or a.kind ~= b.kind or a.pair ~= b.pair or a.mode ~= b.mode then
            report(math.min(a and a.time or math.huge, b and b.time or math.huge), "event %d: %s, was %s", i, say(b),
                say(a))
            break
        end
        close(a.time, ("time of event %d"):format(i), "time", a.time, b.time)
    end
    for i = 1, math.min(#record.impacts, #other.impacts) do
        local a, b = record.impacts[i], other.impacts[i]
        if #a ~= #b then
            report(a[1], "impact %d: open in one, over in the other", i)
            break
        end
        for k, kind in ipairs(impact_kinds) do close(a[2], ("impact %d: %s"):format(i, kind), kind, a[k], b[k]) end
        if #a > #impact_kinds then close_state(a[2], ("impact %d"):format(i), a, b, #impact_kinds) end
    end
    if #record.impacts ~= #other.impacts then
        report(record.span, "%d impacts, were %d", #other.impacts, #record.impacts)
    end
    for i, t in ipairs(record.times) do
        local forces = {}
        for k, rows in ipairs{ record.forces[i], other.forces[i] } do
            for _, row in ipairs(rows) do
                forces[row[1]] = forces[row[1]] or { { 0, 0 }, { 0, 0 } }
                forces[row[1]][k] = { row[2], row[3] }
            end
        end
        for p, both in pairs(forces) do
            for k, name in ipairs{ "F_t", "F_n" } do
                close(t, ("%s of contact %d at %.6g s"):format(name, p, t), "force", both[1][k], both[2][k])
            end
        end
    end
    for i, a in ipairs(record.states) do
        local b, t = other.states[i], record.times[5 * i]
        close_state(t, ("at %.6g s"):format(t), a, b, 0)
        for k = 2 * n + 1, #a do
            close(t, ("at %.6g s: %s"):format(t, ledger[k - 2 * n]), "energy", a[k], b[k])
        end
    end
    return found, at, worst
end

-- ---- what can be compared ----

-- Relative changes of the start, and how far apart they may bring results. A change of 1e-15 that has grown to half of
-- what `check` allows ends the time that is compared exactly; what follows is coarse, until it has grown to a tenth of
-- what is allowed there. Then rounding decides.
local SHIFTS, GROWN, COARSE = { 1e-15, -1e-15, 2.3e-15 }, 5e-13, 1e-9

-- The record of a scene, as far as rounding does not decide it.
function M.make(scene)
    local run, parts = M.run(scene), scene.make()
    local events, others = run.events, {}
    for i, shift in ipairs(SHIFTS) do others[i] = M.run(scene, shift) end
    local span, windows = run.time, {}
    if #events > MOST_EVENTS then span = cut_before(events, MOST_EVENTS + 1, run.time) end

    -- The record, and when it differs first.
    local function differs(stop, without, tolerance)
        local record, horizon = M.take(run, stop, without), math.huge
        for _, other in ipairs(others) do
            local _, at = M.compare(record, M.take(other, stop, without, record.times), parts, tolerance)
            horizon = math.min(horizon, at or math.huge)
        end
        return record, horizon
    end
    -- The first event that is not before a time, and where to cut before it.
    local function before(horizon)
        local index = #events + 1
        for i = #events, 1, -1 do
            if events[i].time >= horizon then index = i end
        end
        return cut_before(events, index, run.time), index
    end
    -- Leave a window up to the next accumulation, if all is well after it.
    local function leave_out(horizon, tolerance)
        local cut, index = before(horizon)
        while events[index] and events[index].kind ~= "accumulation" do index = index + 1 end
        if not events[index] or events[index].time >= span then return false end
        local over = events[index].time
        while events[index] and events[index].time <= over do index = index + 1 end
        local more = table.move(windows, 1, #windows, 1, {})
        more[#more + 1] = { cut, cut_before(events, index, run.time) }
        local _, next_horizon = differs(span, more, tolerance)
        if next_horizon <= more[#more][2] then return false end
        windows = more
        return true
    end

    while true do
        local _, horizon = differs(span, windows, COARSE)
        if horizon == math.huge then break end
        if not leave_out(horizon, COARSE) then
            local cut, index = before(horizon)
            -- where it is a force or state between two events that differs, the one before goes too
            if cut >= span and index > 1 then cut = cut_before(events, index - 1, run.time) end
            if cut >= span then cut = run.start + 0.7 * (span - run.start) end
            if cut - run.start < 1e-6 * (run.time - run.start) then
                error(scene.name .. ": rounding decides all of it")
            end
            span = cut
        end
    end
    while true do
        local record, horizon = differs(span, windows, GROWN)
        record.exact = math.min(horizon, span)
        if horizon == math.huge or not leave_out(horizon, GROWN) then return record end
    end
end

-- ---- bits ----

-- A number of all bits of a run: events, impacts, and every column at the end of every step.
function M.hash(run)
    local state = 0x3243F6A8885A308D
    local function fold(x)
        state = (state ~ x) * 0x100000001b3
        state = state ~ (state >> 29)
    end
    local function number(x) fold(string.unpack("<i8", string.pack("<d", x))) end
    local function text(s) for i = 1, #s do fold(s:byte(i)) end end
    for _, event in ipairs(run.events) do
        number(event.time)
        text(event.name .. "|" .. (event.contact or "") .. "|" .. (event.mode or event.outcome or ""))
    end
    for _, hit in ipairs(run.impacts) do
        for _, list in ipairs{ hit.q, hit.u_before, hit.u_after } do
            for _, value in ipairs(list) do number(value) end
        end
        number(hit.impulse.t)
        number(hit.impulse.n)
        number(hit.loss)
    end
    local columns = run:columns()
    for _, name in ipairs(columns.names) do
        local column = columns[name]
        for i = 1, #column do number(column[i]) end
    end
    return string.format("%016x", state)
end

-- ---- text ----

-- Thirteen digits: their rounding is a twentieth of what a comparison allows.
local function digits(x)
    if x == math.floor(x) and math.abs(x) < 1e15 then return string.format("%d", x) end
    return (string.format("%.13g", x))
end

local function row(word, values)
    local words = { word }
    for i, value in ipairs(values) do words[i + 1] = digits(value) end
    return table.concat(words, " ")
end

function M.to_text(name, record)
    local lines = { "scene " .. name, ("span %.17g %.17g %s"):format(record.exact, record.span, record.stop) }
    for _, window in ipairs(record.windows) do
        lines[#lines + 1] = ("window %.17g %.17g"):format(window[1], window[2])
    end
    for _, e in ipairs(record.events) do
        lines[#lines + 1] = ("event %s %s %d %s"):format(digits(e.time), e.kind, e.pair, e.mode)
    end
    for _, impact in ipairs(record.impacts) do lines[#lines + 1] = row("impact", impact) end
    for i, t in ipairs(record.times) do
        local values = {}
        for _, force in ipairs(record.forces[i]) do table.move(force, 1, 3, #values + 1, values) end
        lines[#lines + 1] = row(("forces %.17g"):format(t), values)
    end
    for _, state in ipairs(record.states) do lines[#lines + 1] = row("state", state) end
    return table.concat(lines, "\n") .. "\n"
end

-- Records by name of the text of a file.
function M.from_text(text)
    local records, record = {}, nil
    for line in text:gmatch "[^\n]+" do
        local word, rest = line:match "^(%S+) ?(.*)$"
        local values = {}
        if word ~= "scene" and word ~= "event" then
            for number in rest:gmatch "%S+" do values[#values + 1] = tonumber(number) end
        end
        if word == "scene" then
            record = { windows = {}, events = {}, impacts = {}, times = {}, forces = {}, states = {} }
            records[rest] = record
        elseif word == "span" then
            record.exact, record.span, record.stop = values[1], values[2], rest:match "%S+$"
        elseif word == "event" then
            local time, kind, pair, mode = rest:match "(%S+) (%S+) (%S+) (%S+)"
            table.insert(record.events, { time = tonumber(time), kind = kind, pair = tonumber(pair), mode = mode })
        elseif word == "window" then
            table.insert(record.windows, values)
        elseif word == "impact" then
            table.insert(record.impacts, values)
        elseif word == "state" then
            table.insert(record.states, values)
        elseif word == "forces" then
            local forces = {}
            for i = 2, #values, 3 do forces[#forces + 1] = { values[i], values[i + 1], values[i + 2] } end
            table.insert(record.times, values[1])
            table.insert(record.forces, forces)
        end
    end
    return records
end

M.classes = classes
return M
