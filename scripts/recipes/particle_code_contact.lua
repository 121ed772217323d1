-- How do I compute what a particle code computes at one contact?
-- Words: DEM LAMMPS LIGGGHTS YADE hooke spring dashpot tension attractive limit_damping limitForce tangential damping.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 5e-3, mass = 1e-3 }
local function after(more)
    local options = { stiffness = 1e5, restitution = 0.5, friction = 0.4 }
    for key, value in pairs(more) do options[key] = value end
    local v = pc.collide(ball, pc.contact.kelvin_voigt(options), { vt = 0.5, vn = -1 }).velocity
    return ("v_t = %.4f, v_n = %.4f m/s"):format(v.t, v.n)
end
local kt = 2/7*1e5
-- LAMMPS and LIGGGHTS let the damper pull at the end, unless told otherwise; YADE cuts the force at 0
print("history, pulls: " .. after{ tension = true, tangential = "spring", tangential_stiffness = kt })
print("history, cut at 0: " .. after{ tangential = "spring", tangential_stiffness = kt })
-- LAMMPS's default along the surface, linear_history: a dashpot beside the spring, whose sum friction bounds
print("history, damped, pulls: " .. after{
    tension = true, tangential = "spring_dashpot", tangential_stiffness = kt, tangential_damping = 2,
})
-- without a history of the contact: a dashpot, at most what friction bears
print("no history, pulls: " .. after{ tension = true, tangential = "dashpot", tangential_damping = 2 })
--> history, pulls: v_t = -0.4233, v_n = 0.5000 m/s
--> history, cut at 0: v_t = -0.3935, v_n = 0.5000 m/s
--> history, damped, pulls: v_t = -0.1994, v_n = 0.5000 m/s
--> no history, pulls: v_t = 0.0735, v_n = 0.5000 m/s
