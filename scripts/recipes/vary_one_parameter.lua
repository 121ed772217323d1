-- How do I compute many impacts at once?
-- Words: map array vectorized batch scan incidence angle fast.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 5e-3, material = pc.material.alumina }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local angle = pc.linspace(1, 89, 89)
local m = pc.map(ball, law, { speed = 1, incidence = angle*pc.deg })
print(("most is lost at %g degrees"):format(angle[m.loss_fraction:argmax()])) --> most is lost at 75 degrees
