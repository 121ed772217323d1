-- Golden scenes: percuss tests/golden/run.lua COMMAND [FAMILY or FAMILY/SCENE ...]
--   check   compare with what is stored: to 1e-12 of the size of each quantity until a change of the start by 1e-15 has
--           grown to that, and to 1e-8 until it has grown to 1e-9; all scenes unless some are named
--   verdicts  compare events, their order, and values to 1e-6: for builds that may differ in less (long_thresholds.py)
--   renew   store the results of the scenes that are named ("all": of all), and say what has changed in them
--   hash    print a number of all bits of each run and of all of them: equal before and after a change that keeps bits
--   list    print the names
local folder = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = folder .. "/?.lua;" .. package.path
local scenes, golden = require "scenes", require "record"

local EXACT, COARSE = 1e-12, 1e-8

local command = arg[1]
local wanted = {}
for i = 2, #arg do wanted[i - 1] = arg[i] end

local function is_wanted(scene)
    for _, word in ipairs(wanted) do
        if word == scene.name or word == scene.family or word == "all" then return true end
    end
    return #wanted == 0
end

local function file_of(family) return folder .. "/" .. family .. ".txt" end

local stored = {}
local function stored_of(family)
    if not stored[family] then
        local file = io.open(file_of(family))
        stored[family] = file and golden.from_text(file:read "a") or {}
        if file then file:close() end
    end
    return stored[family]
end

-- The first difference between what is stored and a run of now, as text. verdict: only what is larger than that counts.
local function difference(scene, verdict)
    local record = stored_of(scene.family)[scene.name]
    if not record then return "nothing is stored" end
    if not (record.exact and record.span and record.stop) then return "what is stored is damaged" end
    local ok, run = pcall(golden.run, scene)
    if not ok then return "it fails: " .. tostring(run) end
    if run.stop ~= record.stop then return ("it ends by %s, was %s"):format(run.stop, record.stop) end
    if run.time < record.span then return ("it ends at %.17g s"):format(run.time) end
    record.classes = golden.classes(run.scene.parts)
    local span = record.span
    if verdict then -- what happens just as the comparison ends may happen just after it
        span = span*(1 - verdict)
        local events, impacts = {}, {}
        for _, event in ipairs(record.events) do events[#events + 1] = event.time < span and event or nil end
        for _, hit in ipairs(record.impacts) do impacts[#impacts + 1] = hit[1] < span and hit or nil end
        record.events, record.impacts = events, impacts
    end
    local now = golden.take(run, span, record.windows, record.times)
    local found, _, worst = golden.compare(record, now, scene.make(), verdict or EXACT, verdict or COARSE)
    return found, worst
end

local commands = {}

function commands.check(verdict)
    local passed, failed, worst = 0, 0, 0
    for _, scene in ipairs(scenes) do
        if is_wanted(scene) then
            local text, off = difference(scene, verdict)
            if text then
                failed = failed + 1
                print(scene.name .. ": " .. text)
            else
                passed, worst = passed + 1, math.max(worst, off)
            end
        end
    end
    for _, scene in ipairs(scenes) do stored_of(scene.family)[scene.name] = nil end
    for family, records in pairs(stored) do
        for name in pairs(records) do
            failed = failed + 1
            print(("%s: stored in %s, but there is no such scene"):format(name, file_of(family)))
        end
    end
    if passed > 0 then print(("greatest relative difference %.1e"):format(worst)) end
    print(("%d passed, %d failed"):format(passed, failed))
    os.exit(failed == 0 and passed > 0)
end

function commands.verdicts() commands.check(1e-6) end

function commands.renew()
    if #wanted == 0 then
        io.stderr:write "renew needs the names of scenes or families whose results are meant to change, or all\n"
        os.exit(2)
    end
    local texts, families = {}, {}
    for _, scene in ipairs(scenes) do
        if not texts[scene.family] then
            texts[scene.family] = {}
            families[#families + 1] = scene.family
        end
        local list, old = texts[scene.family], stored_of(scene.family)[scene.name]
        if is_wanted(scene) then
            local before = old and difference(scene)
            local record = golden.make(scene)
            list[#list + 1] = golden.to_text(scene.name, record)
            print(("%s: %s; %d events; compared for %.4g s exactly, %.4g s coarsely, of %.4g s"):format(scene.name,
                not old and "new" or before or "unchanged", #record.events, record.exact, record.span,
                scene.options.duration))
        elseif old then
            list[#list + 1] = golden.to_text(scene.name, old)
        end
    end
    for _, family in ipairs(families) do
        local file = assert(io.open(file_of(family), "w"))
        assert(file:write(table.concat(texts[family])))
        assert(file:close())
    end
end

function commands.hash()
    local all = {}
    for _, scene in ipairs(scenes) do
        if is_wanted(scene) then
            all[#all + 1] = golden.hash(golden.run(scene))
            print(all[#all] .. "  " .. scene.name)
        end
    end
    local sum = 0
    for i, word in ipairs(all) do sum = sum * 31 + i + tonumber(word, 16) end
    print(("%016x  all %d"):format(sum, #all))
end

function commands.list()
    for _, scene in ipairs(scenes) do print(scene.name) end
end

if not commands[command] then
    io.stderr:write "usage: percuss tests/golden/run.lua check|verdicts|renew|hash|list [FAMILY or FAMILY/SCENE ...]\n"
    os.exit(2)
end
commands[command]()
