-- How do I make Newton's cradle?
-- Words: cradle row of balls beads chain hertz dispersion.
local pc = require "percuss"

-- Balls that touch press each other all at once; with Hertz's law the first ones come back a little.
local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
local law = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }
local bodies, velocity = {}, {}
for i = 1, 5 do bodies[i], velocity[i] = ball, i == 1 and 1 or 0 end
local cradle = pc.cradle{ bodies = bodies, contact = law, velocity = velocity }
print(cradle.velocity)

-- With small gaps between them they strike one after the other, and the textbook is right.
local apart = pc.cradle{ bodies = bodies, contact = law, velocity = velocity, gaps = { 1e-3, 1e-3, 1e-3, 1e-3 } }
print(("%.9f"):format(apart.velocity[5])) --> 1.000000000
