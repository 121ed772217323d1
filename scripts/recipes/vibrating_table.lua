-- How do I let a ball bounce on a vibrating table?
-- Words: shaking plate shaker driven oscillating bouncing ball period doubling chaos.
local pc = require "percuss"

-- In the frame of the table, which moves as A sin(w t), the height h falls with -g + A w^2 sin(w t).
local A, w, g, e = 0.01, 60, 9.81, 0.5
local m = pc.ode.solve{
    rhs = function(t, _, v) return v, -g + A*w^2*math.sin(w*t) end,
    y = { 0.03, 0 }, t = 20,
    events = { {
        function(_, h) return h end, direction = -1, name = "table",
        action = function(_, _, v) return 0, -e*v end,
    } },
}
-- phases of the last impacts in the period of the table: where they repeat, the motion does
local T = 2*math.pi/w
for i = #m.events - 1, #m.events do print(("%.4f"):format(m.events[i].time/T % 1)) end
--> 0.8353
--> 0.8353
