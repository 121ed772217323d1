-- How much of its spin does a ball keep in a bounce?
-- Words: rolling twisting resistance spin bounce top spin normal axis couple delta drilling golf tennis.
local pc = require "percuss"

-- couples bounded by lengths times the normal impulse: against rolling, and against twisting about the normal
local ball = pc.body.sphere{ radius = 0.05, mass = 0.5, spatial = true }
local motion = { v = { 1, -2, 0 }, omega = { 0, 40, 20 } } -- along t, n, t2
for _, row in ipairs{ { 0, 0 }, { 1e-3, 0 }, { 1e-3, 3e-4 } } do
    local law = pc.contact.stronge{ restitution = 0.8, friction = 0.3, rolling = row[1], twisting = row[2] }
    local hit = pc.collide(ball, law, motion)
    local w = hit.body.omega
    print(("delta %.1f mm, delta_n %.1f mm: %6.2f about n, %6.2f about t2, lost %.4f J"):format(1e3*row[1], 1e3*row[2],
        w[2], w[3], hit.loss))
end
--> delta 0.0 mm, delta_n 0.0 mm:  40.00 about n,  -8.57 about t2, lost 0.6457 J
--> delta 1.0 mm, delta_n 0.0 mm:  40.00 about n,  -8.26 about t2, lost 0.6503 J
--> delta 1.0 mm, delta_n 0.3 mm:  38.92 about n,  -8.26 about t2, lost 0.6717 J
