-- The cost of a right-hand side and of an event function written in Lua, and of impacts that go from event to event.
-- Minima of repeats.
local pc = require "percuss"

local function best(options, calls)
    local least = math.huge
    for _ = 1, 7 do
        local start = os.clock()
        local motion = pc.ode.solve(options)
        local per_call = (os.clock() - start) / calls(motion)
        least = math.min(least, per_call)
    end
    return 1e9 * least
end

local function rhs_calls(motion) return motion.statistics.rhs_calls end

local two = best({ rhs = function(_, x, v) return v, -x end, y = { 1, 0 }, t = 4000, record = false }, rhs_calls)
local four = best({ rhs = function(_, x, y, u, v) return u, v, -2*x + y, x - 2*y end, y = { 1, 0, 0, 1 }, t = 4000,
                    record = false }, rhs_calls)
local y20 = {}
for i = 1, 20 do y20[i] = i end
local twenty = best({ rhs = function(t, y, dydt) for i = 1, 20 do dydt[i] = y[i]*t end end, y = y20, t = 4,
                      record = false, solver = pc.solver.rk4 { step = 1e-3 } }, rhs_calls)
print(("Lua right-hand side with its share of the step: %.0f ns for 2 equations, %.0f for 4, %.0f for 20 in tables")
    :format(two, four, twenty))

local watched = best({ rhs = function(_, x, v) return v, -x end, y = { 1, 0 }, t = 4000, record = false,
                       events = { { function(_, x) return x - 0.3 end } } },
    function(motion) return #motion.events end)
print(("oscillator with an event function in Lua: %.1f us for each event found"):format(watched / 1e3))

local function flat(options)
    local least = math.huge
    for _ = 1, 15 do
        local start = os.clock()
        for _ = 1, 10 do pc.flat_impact(options) end
        least = math.min(least, (os.clock() - start) / 10)
    end
    return 1e6 * least
end

local disc = { radius = 1, mass = 1, stiffness = 1e4, speed = 1 }
print(("a disc that falls flat: %.1f us"):format(flat(disc)))
disc.tilt = 0.01
print(("tilted: %.1f us"):format(flat(disc)))
disc.model, disc.other_radius, disc.offset, disc.azimuth = "overlap", 1, 0.5, 0.3
print(("on another disc that it overlaps in part: %.1f us"):format(flat(disc)))
