-- How good are two springs compared with the continuum?
-- Words: Maw Barber Fawcett linear law error compare tangential rebound angle.
local pc = require "percuss"

local steel = pc.material.steel
local ball = pc.body.sphere{ radius = 0.01, material = steel }
local maw = pc.contact.maw{ material = steel, radius = 0.01, friction = 0.3 }
local springs = pc.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.21, friction = 0.3 }
for _, angle in ipairs{ 10, 30, 50, 70 } do
    local motion = { speed = 1, incidence = angle*pc.deg }
    local a, b = pc.collide(ball, maw, motion).velocity.t, pc.collide(ball, springs, motion).velocity.t
    print(("%d degrees: %7.4f %7.4f m/s"):format(angle, a, b))
end
--> 10 degrees:  0.0174  0.0670 m/s
--> 30 degrees: -0.1580 -0.1314 m/s
--> 50 degrees: -0.3392 -0.3364 m/s
--> 70 degrees:  0.2215  0.2215 m/s
