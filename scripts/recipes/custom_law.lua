-- How do I write a contact law of my own?
-- Words: custom user-defined law define function force indentation rate check.
local pc = require "percuss"

local stiffening = pc.contact.define{
    name = "recipe_stiffening", doc = "A spring that stiffens, with a dashpot.",
    parameters = {
        { "stiffness", symbol = "k", unit = "N/m", above = 0 },
        { "hardening", symbol = "h", unit = "1/m", default = 0, least = 0 },
        { "damping", symbol = "c", unit = "N s/m", default = 0, least = 0 },
    },
    force = function(p, u, w) return p.k*u*(1 + p.h*u) + p.c*w end,
    energy = function(p, u) return p.k*u^2*(1/2 + p.h*u/3) end,
}
local law = stiffening{ k = 1e5, h = 500, c = 20, friction = 0.3 }
local ball = pc.body.sphere{ radius = 0.05, mass = 0.1 }
print(pc.contact.check(law, { quiet = true, mass = 0.1 }).ok)                     --> true
print(("e = %.4f"):format(pc.collide(ball, law, { vn = -1 }).restitution.kinematic)) --> e = 0.7662
