-- How do I describe a body that percuss does not have?
-- Words: custom body mass matrix Jacobian mobility inertia tensor system own.
local pc = require "percuss"

-- a free body by mass, inertia and the arm from its mass centre to the contact (t, n)
local club = pc.body.rigid{ mass = 0.4, inertia = 2e-3, arm = { 0.05, -0.1 } }
-- the same by its mass matrix and the Jacobian of the contact point, as any mechanism could be given
local same = pc.body.system{
    mass_matrix = { { 0.4, 0, 0 }, { 0, 0.4, 0 }, { 0, 0, 2e-3 } },
    jacobian = { { 1, 0, 0.1 }, { 0, 1, 0.05 } },
}
print(("%.9f %.9f"):format(club.w_tt - same.w_tt, club.w_nn - same.w_nn)) --> 0.000000000 0.000000000
