-- Golden scenes (tests/golden) saved and loaded at their instants: where something happens, and halfway to the next
-- event. What was loaded goes on as what was not, to the last bit of the file that is saved at the end.
local pc = require "percuss"
local golden, scenes = require "tests.golden.record", require "tests.golden.scenes"
local scratch = require "scratch"

local function bytes_of(run)
    local name = scratch ".run"
    run:save(name)
    local file = assert(io.open(name, "rb"))
    local bytes = file:read "a"
    file:close()
    return bytes, name
end

-- Times at which to save: of events, and between them; the end is left out.
local function instants(run)
    local times, last = {}, run.start
    for _, event in ipairs(run.events) do
        if event.time > last and event.time < run.time then
            times[#times + 1] = last + (event.time - last) / 2
            times[#times + 1] = event.time
            last = event.time
        end
    end
    times[#times + 1] = last + (run.time - last) / 2
    return times
end

local function options_of(scene, duration)
    local options = {}
    for key, value in pairs(scene.options) do options[key] = value end
    options.duration = duration
    return options
end

-- Save and load one scene at time t; both runs then go on to the end. False if the motion cannot end there.
local function check(scene, t, stop)
    local world = pc.scene(scene.make())
    local ended, run = pcall(pc.simulate, world, options_of(scene, t))
    if not ended then return false end
    local bytes, name = bytes_of(run)
    local again = pc.load_run(name, { scene = world, events = scene.options.events })
    os.remove(name)
    local where = ("%s at %.17g s"):format(scene.name, t)
    local second, second_name = bytes_of(again)
    os.remove(second_name)
    assert(bytes == second, where .. ": what was loaded is not what was saved")
    run:continue(stop - run.time)
    again:continue(stop - again.time)
    local a, name_a = bytes_of(run)
    local b, name_b = bytes_of(again)
    os.remove(name_a)
    os.remove(name_b)
    assert(a == b, where .. ": what was loaded goes on otherwise")
    return true
end

-- Check a share of all instants, drawn with a seed, at most `most` of a scene; their number, and a list of those at
-- which a motion could not end.
return function(share, seed, most)
    local state, n, broken = seed * 7919 + 1, 0, {}
    for _, scene in ipairs(scenes) do
        local run = golden.run(scene)
        local left = most
        for _, t in ipairs(instants(run)) do
            state = state * 16807 % 2147483647
            if state < share * 2147483647 and left > 0 then
                if not check(scene, t, run.time) then broken[#broken + 1] = ("%s at %.17g s"):format(scene.name, t) end
                n, left = n + 1, left - 1
            end
        end
    end
    return n, broken
end
