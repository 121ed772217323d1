-- How do I stop a motion when something happens?
-- Words: terminal event condition threshold own function detect.
local pc = require "percuss"

local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1, vy = 3 }
local law = pc.contact.newton{ restitution = 0.9, friction = 0 }
local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, {
    duration = 10,
    -- q: x, y, angle; u: their rates. From above through 0.5 m:
    events = { { function(_, q) return q[2] - 0.5 end, name = "half a metre", direction = -1, terminal = true } },
})
print(run.stop .. " " .. run.events[#run.events].name) --> event half a metre
print(("%.9f"):format(run:at(run.time).q[2]))           --> 0.500000000
