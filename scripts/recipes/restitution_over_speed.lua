-- How does restitution change with the speed of the impact?
-- Words: velocity dependent e yield plastic viscous curve.
local pc = require "percuss"

local steel = pc.material.steel
local ball = pc.body.sphere{ radius = 0.01, material = steel }
local plastic = pc.contact.thornton{ material = steel, radius = 0.01, yield = 1.5e9, friction = 0 }
for _, v in ipairs{ 0.01, 0.1, 1, 5 } do
    print(("%5.2f m/s  e = %.4f"):format(v, (pc.restitution(plastic, ball, v))))
end
-- at high speeds e falls like v^(-1/4)
local ratio = pc.restitution(plastic, ball, 50)/pc.restitution(plastic, ball, 800)
print(("%.2f"):format(ratio)) --> 2.00
