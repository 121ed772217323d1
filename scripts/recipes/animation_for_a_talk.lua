-- How do I make an animation of a motion for a talk?
-- Words: gif movie video picture swing double pendulum animate.
local pc = require "percuss"

local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } }, angles = { 2.4, -1.6 } }
local law = pc.contact.poisson{ restitution = 0.8, friction = 0.15 }
local run = pc.simulate(pc.scene{ rig, pc.floor{ height = -0.75 }, contact = law }, { duration = 2 })
-- half speed, 20 pictures a second, paths of half a second behind the joints
print(run:animate{ file = "swing.gif", fps = 20, speed = 0.5, trail = 0.5, width = 400, height = 300, to = 0.5 })
--> swing.gif
