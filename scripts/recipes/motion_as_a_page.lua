-- How do I share a motion as a page that others can play?
-- Words: html web browser interactive slider view notebook.
local pc = require "percuss"

local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } }, angles = { 2.4, -1.6 } }
local law = pc.contact.poisson{ restitution = 0.8, friction = 0.15 }
local run = pc.simulate(pc.scene{ rig, pc.floor{ height = -0.75 }, contact = law }, { duration = 2 })
-- the page needs nothing but itself: space plays it, arrows step, i goes to the next event
print(run:view{ file = "swing.html" })
--> swing.html

-- one impact: the contact point, much enlarged, and the force within the cone of friction
local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
print(pc.collide(ball, spring, { vt = 1, vn = -1 }):view{ file = "impact.html" })
--> impact.html
