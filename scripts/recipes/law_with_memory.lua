-- How do I write a contact law with memory, such as a material that relaxes?
-- Words: internal variable history Maxwell standard linear solid viscoelastic relaxation states rates.
local pc = require "percuss"

-- a spring k_0 beside a spring k_1 that a dashpot relaxes within the time tau
local solid = pc.contact.define{
    name = "recipe_linear_solid", doc = "The standard linear solid.",
    parameters = {
        { "lasting", symbol = "k_0", unit = "N/m", above = 0, doc = "stiffness that stays" },
        { "relaxing", symbol = "k_1", unit = "N/m", least = 0, doc = "stiffness that relaxes" },
        { "time", symbol = "tau", unit = "s", above = 0, doc = "time in which it does" },
    },
    states = { "x" }, -- the force of the spring that relaxes, N
    rates = function(p, _, w, x) return p.relaxing*w - x/p.time end,
    force = function(p, u, _, x) return p.lasting*u + x end,
    energy = function(p, u, x) return p.lasting*u^2/2 + x^2/(2*p.relaxing) end,
}
local ball = pc.body.sphere{ radius = 0.05, mass = 0.1 }
for _, time in ipairs{ 1e-5, 1e-3, 1e-1 } do -- it loses most where it relaxes within the time of the contact
    local law = solid{ lasting = 1e5, relaxing = 1e5, time = time, friction = 0.3 }
    local hit = pc.collide(ball, law, { vn = -1 })
    print(("tau = %5.0e s  e = %.4f  in %.2f ms"):format(time, hit.restitution.kinematic, 1e3*hit.duration))
end
--> tau = 1e-05 s  e = 0.9846  in 3.13 ms
--> tau = 1e-03 s  e = 0.7118  in 2.35 ms
--> tau = 1e-01 s  e = 0.9945  in 2.22 ms
