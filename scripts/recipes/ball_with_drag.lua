-- How do I add air drag to a bouncing ball?
-- Words: drag air resistance quadratic terminal velocity own equations force.
local pc = require "percuss"

local g, k, e = 9.81, 0.05, 0.9 -- m/s^2, 1/m, -
local m = pc.ode.solve{
    rhs = function(_, _, v) return v, -g - k*math.abs(v)*v end,
    y = { 2, 0 }, t = 3,
    events = { { function(_, y) return y end, direction = -1, name = "floor",
        action = function(_, _, v) return 0, -e*v end } },
}
-- the speed at the floor in closed form: v^2 = g/k (1 - exp(-2 k h))
local v = math.sqrt(g/k*(1 - math.exp(-2*k*2)))
print(("%.9f"):format(m.events[1].before[2] + v == 0 and 0 or math.abs(m.events[1].before[2] + v))) --> 0.000000000
