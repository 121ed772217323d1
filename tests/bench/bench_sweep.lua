-- What sweeps cost beyond the work itself: maps of a law, the overhead of a point, cores, memory, stores. Minima of
-- repeats; wall time where several processes work.
local pc = require "percuss"

local function wall()
    -- resolution 10 ms, so what is timed takes a second or so
    local file = assert(io.open "/proc/uptime")
    local seconds = file:read "n"
    file:close()
    return seconds
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

-- ---- maps ----

local function map_seconds(jobs)
    local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
    local vt = pc.linspace(0, 3, 10000000)
    local start = jobs == 1 and os.clock or wall
    local began = start()
    pc.map(ball, law, { vt = vt, vn = -1, columns = { "vt" } })
    return start() - began
end

if not os.getenv "PERCUSS_JOBS" then
    -- one process a case: the number of threads is the process's
    local times = {}
    for _, jobs in ipairs{ 1, 2 } do
        times[jobs] = fastest(3, function()
            local pipe = assert(io.popen(string.format("%s --jobs %d %s map", program, jobs, arg[0])))
            local seconds = pipe:read "n"
            pipe:close()
            return seconds
        end)
    end
    print(("1e7 linear impacts: %.2f s on one core, %.2f s on two: %.2f times faster"):format(times[1], times[2],
        times[1] / times[2]))
elseif arg[1] == "map" then
    print(map_seconds(tonumber(os.getenv "PERCUSS_JOBS")))
    return
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

local function pendulum(jobs)
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
local one, two = fastest(3, function() return pendulum(1) end), fastest(3, function() return pendulum(2) end)
print(("2500 runs of a double pendulum: %.2f s by one worker, %.2f s by two: efficiency %.0f %%"):format(one, two,
    100 * one / two / 2))

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
        over = { { "x", pc.linspace(0, 1, 100000) } }, columns = { "y" }, store = store, progress = "none",
        run = function(p)
            local stop = os.clock() + 100e-6
            while os.clock() < stop do end
            return { y = p.x }
        end,
    }.info.seconds
end
local path = os.tmpname()
local without, with = fastest(2, slow), fastest(2, function() return slow(path) end)
for _, ending in ipairs{ "", "-wal", "-shm" } do os.remove(path .. ending) end
print(("1e5 points of 100 us: %.2f s, with a store %.2f s: %.1f %% more"):format(without, with,
    100 * (with / without - 1)))
