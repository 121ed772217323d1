-- How do I drive a follower by a cam, and at which speed does it leave it?
-- Words: cam follower roller lift valve eccentric rotating lobe float jump contact loss rate.
local pc = require "percuss"

-- A circle of radius 30 mm that turns about an axis 5 mm beside its centre lifts a roller of 10 mm, on which its weight
-- alone presses. The path of the roller bends by less than a circle of 40 mm does, so that it leaves at
-- w^2 e (1 + e/40 mm) = g.
local e, R, r = 5e-3, 30e-3, 10e-3
local function outline(a) return e*math.cos(a) + math.sqrt(R^2 - (e*math.sin(a))^2) end
for _, w in ipairs{ 40, 45 } do
    local run = pc.simulate(pc.scene{
        pc.free{ shape = "disc", radius = r, mass = 0.2, y = math.sqrt((R + r)^2 - e^2), vy = w*e, name = "roller" },
        pc.cam{ x = 0, y = 0, radius = outline, motion = { rate = w } },
        pc.slider{ a = "roller", angle = math.pi/2, name = "guide" },
        contact = pc.contact.newton{ restitution = 0.3, friction = 0 },
    }, { duration = 4*math.pi/w })
    local left = "stays"
    for _, event in ipairs(run.events) do
        if event.name == "lift_off" and left == "stays" then
            left = ("leaves at %.1f degrees of the cam"):format(event.time*w/pc.deg)
        end
    end
    print(("%g rad/s: %s"):format(w, left))
end
--> 40 rad/s: stays
--> 45 rad/s: leaves at 63.3 degrees of the cam
print(("limit %.2f rad/s"):format(math.sqrt(9.81/(e*(1 + e/(R + r)))))) --> limit 41.76 rad/s
