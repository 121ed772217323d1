-- Two builds timed in turns: percuss tests/tools/bench_against.lua OLD NEW [BENCH ...]
-- OLD and NEW are folders that a build has filled with percuss and tests/bench/bench_*; BENCH: rigid, sim, ode.lua; all
-- that both have if none is given. They run A B A B, so that what else the machine does meets both. Of each time that a
-- bench prints the least over all rounds counts; printed are both and old/new, which falls where the new build is
-- slower. Below LEAST a bench is measured again; what is still below then makes the exit code 1.
local ROUNDS, LEAST = 5, 0.95

local SECONDS = { ns = 1e-9, us = 1e-6, ms = 1e-3, s = 1 }

-- The times in a line, and what is left of the line to tell them by: numbers, which may differ, are left out. Times of
-- peers, at the end of a line, are not ours.
local function times_of(line)
    local times = {}
    line = line:gsub("CVODE.*", "")
    local label = line:gsub("(%d[%d.]*e?[-+]?%d*) (%a+)", function(number, unit)
        local value = SECONDS[unit] and tonumber(number)
        if value then times[#times + 1] = value * SECONDS[unit] end
        return value and ".." or nil
    end)
    return times, (label:gsub("%d[%d.]*e?[-+]?%d*", "#"):gsub("%s+", " "))
end

-- Run one bench and lower the minima of `rows`; `order` keeps the order of what is seen first.
local function measure(build, bench, which, rows, order)
    local command = bench:find "%.lua$" and ("%s/percuss tests/bench/bench_%s"):format(build, bench)
        or ("%s/tests/bench/bench_%s"):format(build, bench)
    local pipe = assert(io.popen(command .. " </dev/null 2>&1"))
    local seen = {}
    for line in pipe:lines() do
        local times, label = times_of(line)
        seen[label] = (seen[label] or 0) + 1
        for i, time in ipairs(times) do
            local key = ("%s\0%d\0%d"):format(label, seen[label], i)
            if not rows[key] then
                rows[key] = { label = line:gsub("CVODE.*", ""), index = i, count = #times, constant = true }
                order[#order + 1] = key
            end
            local row = rows[key]
            row.constant = row.constant and (not row.first or row.first == time)
            row.first = row.first or time
            row[which] = math.min(row[which] or math.huge, time)
        end
    end
    if not pipe:close() then
        io.stderr:write(command, " failed\n")
        os.exit(2)
    end
end

local function exists(path)
    local file = io.open(path)
    if file then file:close() end
    return file ~= nil
end

-- The benches that both builds have; Lua ones are those of this checkout.
local function benches_of(old, new)
    local list = {}
    local pipe = assert(io.popen "ls tests/bench")
    for file in pipe:lines() do
        local name, kind = file:match "^bench_([%w_]+)%.(%a+)$"
        if kind == "lua" then list[#list + 1] = name .. ".lua" end
        local program = name and "/tests/bench/bench_" .. name
        if kind == "c" and exists(old .. program) and exists(new .. program) then list[#list + 1] = name end
    end
    pipe:close()
    return list
end

local function in_units(seconds)
    for _, unit in ipairs{ "s", "ms", "us" } do
        if seconds >= SECONDS[unit] then return ("%.4g %s"):format(seconds / SECONDS[unit], unit) end
    end
    return ("%.4g ns"):format(seconds * 1e9)
end

-- Rows that are slower than they may be, printed if wanted.
local function slower(rows, order, show)
    local n = 0
    for _, key in ipairs(order) do
        local row = rows[key]
        if row.old and row.new and not row.constant then
            local ratio = row.old / row.new
            if ratio < LEAST then n = n + 1 end
            if show then
                local of = row.count > 1 and (" (time %d of %d)"):format(row.index, row.count) or ""
                print(("%6.2f %s %10s -> %-10s %s%s"):format(ratio, ratio < LEAST and "<" or " ", in_units(row.old),
                    in_units(row.new), row.label:gsub("^%s+", ""), of))
            end
        elseif show and not (row.old and row.new) then
            print(("only in the %s build: %s"):format(row.old and "old" or "new", row.label))
        end
    end
    return n
end

local old, new = arg[1], arg[2]
if not new or not exists(old .. "/percuss") or not exists(new .. "/percuss") then
    io.stderr:write "usage: percuss tests/tools/bench_against.lua OLD NEW [BENCH ...]; OLD and NEW: as build/release\n"
    os.exit(2)
end
local benches = { table.unpack(arg, 3) }
if #benches == 0 then benches = benches_of(old, new) end
print "old/new   old time -> new time   where"
local total = 0
for _, bench in ipairs(benches) do
    local rows, order = {}, {}
    print("== " .. bench)
    for round = 1, 2 * ROUNDS do
        measure(old, bench, "old", rows, order)
        measure(new, bench, "new", rows, order)
        if round == ROUNDS and slower(rows, order, false) == 0 then break end
    end
    total = total + slower(rows, order, true)
end
print(("%d of these ratios below %.2f"):format(total, LEAST))
os.exit(total == 0)
