-- How do I make a Poincare section of a motion with impacts?
-- Words: stroboscopic section return map points phase space.
local pc = require "percuss"

local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1, vx = 0.3 }
local law = pc.contact.newton{ restitution = 1, friction = 0 }
local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 5 })
local s = run:section{ at = "impact", columns = { "x", "vy" } }
print(#s)
print(("%.9f"):format(s.vy:max() - s.vy:min())) --> 0.000000000
-- s:scatter("x", "vy") draws it
