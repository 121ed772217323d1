-- How do I let a ball bounce on a vibrating table?
-- Words: ball on a shaking table plate shaker driven oscillating moving floor bouncing ball period doubling chaos.
local pc = require "percuss"

local A, w, e = 0.0025, 60, 0.8               -- amplitude (m), frequency (rad/s), restitution
local world = pc.scene{
    pc.free{ shape = "disc", radius = 0.01, mass = 0.1, y = 0.04 },
    pc.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
    contact = pc.contact.newton{ restitution = e, friction = 0 },
}
local run = pc.simulate(world, { duration = 10 })
-- phases of the last impacts in the period of the table: where they repeat, the motion does
local T = 2*math.pi/w
for i = #run.impacts - 1, #run.impacts do print(("%.4f"):format(run.impacts[i].time/T % 1)) end
--> 0.1879
--> 0.1879
-- the table gives in each impact what is lost there
local hit = run.impacts[#run.impacts]
print(("%.6f J given, %.6f J lost"):format(hit.driven, hit.loss))
--> 0.005863 J given, 0.005863 J lost
