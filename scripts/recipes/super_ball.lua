-- How do I make a Super Ball, whose spin comes back?
-- Words: superball bouncy tangential restitution grip stiffness ratio.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 0.02, mass = 0.035 }
-- k_n/k_t = w_tt/w_nn: both springs swing half a period while the ball is in contact
local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = ball.w_tt/ball.w_nn, friction = 1 }
local hit = pc.collide(ball, law, { vt = 2, vn = -2 })
print(("v_t %.6f m/s, v_n %.6f m/s"):format(hit.velocity.t, hit.velocity.n)) --> v_t -2.000000 m/s, v_n 2.000000 m/s
print(("spin %.3f rad/s"):format(hit.body.omega))                            --> spin -142.857 rad/s
