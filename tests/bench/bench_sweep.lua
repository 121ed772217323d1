-- What sweeps cost beyond the work itself: maps of a law, the overhead of a point, cores, memory, stores. Minima of
-- repeats. Wall times of several processes mean something on an idle machine only; processor time, with that of the
-- workers, is given beside them.
local pc = require "percuss"

local function wall()
    -- resolution 10 ms, so what is timed takes a second or so
    local file = assert(io.open "/proc/uptime")
    local seconds = file:read "n"
    file:close()
    return seconds
end

-- Processor seconds of this process and of its children that have ended, in hundredths (proc(5), fields 14 to 17).
local function processor()
    local file = assert(io.open "/proc/self/stat")
    local fields = {}
    for word in file:read("a"):match("%) (.*)$"):gmatch "%S+" do fields[#fields + 1] = tonumber(word) or 0 end
    file:close()
    return (fields[12] + fields[13] + fields[14] + fields[15]) / 100
end

local function fastest(repeats, f)
    local best = math.huge
    for _ = 1, repeats do
        collectgarbage()
        best = math.min(best, f())
    end
    return best
end

-- Wall seconds of this program with a chunk.
local program = arg[-1]
local function run(chunk)
    local start = wall()
    assert(os.execute(string.format("%s -e '%s'", program, chunk)))
    return wall() - start
end

-- Seconds that this script prints in each of `programs` processes at once, run for one case; the longest counts, for
-- those that end early leave the machine to the rest.
local function seconds_of_case(case, jobs, programs)
    local pipes, longest = {}, 0
    for i = 1, programs do pipes[i] = assert(io.popen(("%s --jobs %d %s %s"):format(program, jobs, arg[0], case))) end
    for _, pipe in ipairs(pipes) do
        longest = math.max(longest, pipe:read "n")
        pipe:close()
    end
    return longest
end

-- ---- cases ----

local cases = {}

function cases.map(jobs)
    local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
    local vt = pc.linspace(0, 3, 10000000)
    local start = jobs == 1 and os.clock or wall
    local began = start()
    pc.map(ball, law, { vt = vt, vn = -1, columns = { "vt" } })
    return start() - began
end

function cases.pendulum(jobs)
    local law = pc.contact.poisson{ restitution = 0.7, friction = 0.2 }
    local links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.5 } }
    return pc.sweep{
        over = {
            { "first", pc.linspace(60, 170, 50) * pc.deg }, { "second", pc.linspace(-170, 170, 50) * pc.deg },
        },
        columns = { "impacts" }, jobs = jobs, progress = "none",
        run = function(p)
            local world = pc.scene{
                pc.chain{ links = links, angles = { p.first, p.second } }, pc.floor{ depth = 0.9 }, contact = law,
            }
            return { impacts = pc.simulate(world, { duration = 4, record = false }).impact_count }
        end,
    }.info.seconds
end

if arg[1] then
    print(cases[arg[1]](tonumber(os.getenv "PERCUSS_JOBS")))
    return
end

-- ---- maps ----

do
    -- one process a case: the number of threads is the process's
    local times = {}
    for _, jobs in ipairs{ 1, 2 } do
        times[jobs] = fastest(3, function() return seconds_of_case("map", jobs, 1) end)
    end
    print(("1e7 linear impacts: %.2f s on one core, %.2f s on two: %.2f times faster"):format(times[1], times[2],
        times[1] / times[2]))
end

-- ---- the overhead of a point ----

local n = 1000000
local function work(p) return { y = 2 * p.x } end

local bare = fastest(3, function()
    local start = os.clock()
    for i = 1, n do work{ x = i } end
    return (os.clock() - start) / n
end)
local x = pc.linspace(0, 1, n)
local point = fastest(3, function()
    local t = pc.sweep{ over = { { "x", x } }, run = work, columns = { "y" }, jobs = 1, progress = "none" }
    return t.info.seconds / n
end)
print(("a point of a sweep: %.0f ns, its function alone %.0f ns, overhead %.0f ns"):format(1e9 * point, 1e9 * bare,
    1e9 * (point - bare)))

-- ---- cores ----

-- Two programs of one worker each, at once, tell what two cores of this machine give at this moment.
local one, two, both, processor_of = math.huge, math.huge, math.huge, { 0, 0 }
for _ = 1, 5 do
    local before = processor()
    one = math.min(one, cases.pendulum(1))
    local between = processor()
    two = math.min(two, cases.pendulum(2))
    processor_of[1] = processor_of[1] + (between - before) / 5
    processor_of[2] = processor_of[2] + (processor() - between) / 5
    both = math.min(both, seconds_of_case("pendulum", 1, 2))
end
print(("2500 runs of a double pendulum: %.2f s by one worker, %.2f s by two: efficiency %.0f %%; processor %.2f, %.2f")
    :format(one, two, 50 * one / two, processor_of[1], processor_of[2]))
print(("two such programs at once: %.2f s each, efficiency of the machine %.0f %%, of the sweep beside it %.0f %%")
    :format(both, 100 * one / both, 50 * both / two))

-- ---- memory ----

local seconds = run([[
local pc = require "percuss"
pc.sweep{ over = { { "x", pc.linspace(0, 1, 10000000) } }, run = function(p) return { y = p.x } end,
    columns = { "y" }, progress = "none" }
local file = io.open "/proc/self/status"
local peak = file:read("a"):match "VmHWM:%s+(%d+)"
print(string.format("1e7 points of two columns, 160 MB: %.0f MB at most", peak / 1e3))
]])
print(("they took %.1f s"):format(seconds))

-- ---- a store ----

local function slow(store)
    if store then for _, ending in ipairs{ "", "-wal", "-shm" } do os.remove(store .. ending) end end
    return pc.sweep{
        over = { { "x", pc.linspace(0, 1, 100000) } }, columns = { "y" }, progress = "none",
        store = store or nil,
        run = function(p)
            local stop = os.clock() + 100e-6
            while os.clock() < stop do end
            return { y = p.x }
        end,
    }.info.seconds
end
local path = os.tmpname()
local seconds_of, used = {}, {}
for i, store in ipairs{ false, path } do
    local before = processor()
    seconds_of[i] = slow(store)
    used[i] = processor() - before
end
for _, ending in ipairs{ "", "-wal", "-shm" } do os.remove(path .. ending) end
print(("1e5 points of 100 us: %.2f s, with a store %.2f s; processor %.2f, %.2f s: %.1f %% more"):format(seconds_of[1],
    seconds_of[2], used[1], used[2], 100 * (used[2] / used[1] - 1)))
