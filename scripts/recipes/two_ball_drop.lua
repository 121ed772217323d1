-- How do I drop a tennis ball on top of a basketball?
-- Words: two balls stacked drop rebound higher three times speed.
local pc = require "percuss"

local M, m = 0.6, 0.06 -- kg
local big = pc.free{ name = "big", shape = "disc", radius = 0.12, mass = M, y = 1.12 }
local small = pc.free{ name = "small", shape = "disc", radius = 0.03, mass = m, y = 1.12 + 0.15 + 1e-9 }
local law = pc.contact.newton{ restitution = 1, friction = 0 }
local run = pc.simulate(pc.scene{ big, small, pc.floor{ height = 0 }, contact = law }, { duration = 0.46 })

for _, impact in ipairs(run.impacts) do print(impact.contact) end
--> big on floor
--> big on small
local v = math.sqrt(2*9.81*1) -- of both at the floor
print(("%.6f"):format(run.impacts[2].u_after[5]/v)) --> 2.636364
print(("%.6f"):format((3*M - m)/(M + m)))           --> 2.636364
