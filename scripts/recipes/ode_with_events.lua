-- How do I solve differential equations of my own, with events?
-- Words: integrate ode solver zero crossing hybrid system own model.
local pc = require "percuss"

-- an oscillator between two stops, which take half of its speed
local function stop(_, x, v) return x, -0.5*v end
local m = pc.ode.solve{
    rhs = function(_, x, v) return v, -x end, y = { 0, 2 }, t = 10,
    events = {
        { function(_, x) return x - 1 end, direction = 1, name = "right", action = stop },
        { function(_, x) return x + 1 end, direction = -1, name = "left", action = stop },
    },
}
print(("%s %.9f"):format(m.events[1].name, m.events[1].time)) --> right 0.523598776
print(("%.9f"):format(math.pi/6))                            --> 0.523598776
