-- How do I find the angle below which my pendulum wedges?
-- Words: critical angle pendulum stuck lock friction stiffness ratio.
local pc = require "percuss"

local mu, eta = 0.5, 1.21
local angle = pc.critical_angle(mu, eta)
print(("%.4f degrees"):format(angle/pc.deg)) --> 13.6766 degrees

-- one impact on each side of it
local law = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = eta, friction = mu }
for _, factor in ipairs{ 0.999, 1.001 } do
    local bob = pc.body.pendulum{ radius = 0.02, length = 0.5, mass = 0.1, angle = factor*angle, contact = "link" }
    print(pc.collide(bob, law, { rate = -1 }).outcome)
end
--> wedged
--> rebound
