-- 1. One ball
-- A ball strikes a wall obliquely. What is needed: a body, a contact law, a motion.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("One ball", ...)

lesson:say [[
    A body is frozen at the instant of contact: what counts is its mass and where it is touched.
    SI units everywhere, so a radius of 5 mm is 5e-3.]]
local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
print(ball)

lesson:say [[
    A contact law says how wall and ball push each other. Here: two springs, one along the normal n,
    one along the tangent t, and Coulomb friction.]]
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
print(spring)

lesson:say [[
    vt and vn are the velocity of the point that touches; vn < 0 approaches.]]
local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })
print(hit)

lesson:say [[
    Everything printed is a field: hit.velocity.t, hit.loss, hit.phases[1].kind, ... help(hit) lists them.]]
print("velocity afterwards, t and n [m/s]:", hit.velocity.t, hit.velocity.n)
print("spin afterwards [rad/s]:", hit.body.omega)
lesson:claim("the point of contact comes back along the tangent", hit.velocity.t < 0)
lesson:claim("the normal spring gives everything back", math.abs(hit.velocity.n - 1) < 1e-12)
lesson:draw("forces", function(file) hit:plot{ "F_t", "F_n", file = file } end)

lesson:exercise "Make the ball twice as heavy. Which numbers change, and which do not? Why?"
lesson:answer [[
    Times and forces grow by sqrt(2), the impulse by 2. Velocities, the spin and the lost fraction stay: all
    forces act through the same factor 1/m, so mass changes the scale of time alone.]]
lesson:exercise "Take friction = 0. What does friction do to the spin?"
lesson:answer [[
    The ball leaves without spin, v_t stays 1 m/s and nothing is lost. Spin comes from friction alone: the normal
    force goes through the centre of the ball.]]
