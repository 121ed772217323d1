-- How do I find when a bouncing ball has come to rest?
-- Words: accumulation Zeno chatter infinitely many impacts time of rest simulation never stops bouncing.
local pc = require "percuss"

local e, g = 0.8, 9.81
local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local law = pc.contact.newton{ restitution = e, friction = 0 }
local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 6 })
local t = math.sqrt(2/g) -- of the fall through 1 m
for _, event in ipairs(run.events) do
    if event.kind == "accumulation" then
        print(("%.9f s, ratio %.6f"):format(event.time, event.ratio)) --> 4.063712769 s, ratio 0.800000
    end
end
print(("%.9f s"):format(t*(1 + e)/(1 - e))) --> 4.063712769 s
