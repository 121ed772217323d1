-- How do I compute an impact in three dimensions?
-- Words: 3-D space spatial swerve sphere spin second tangent direction of slip turns.
local pc = require "percuss"

local cylinder = pc.body.cylinder{ radius = 0.02, height = 0.06, mass = 0.2, angle = 0.4, spatial = true }
local law = pc.contact.stronge{ restitution = 0.7, friction = 0.1 }
local hit = pc.collide(cylinder, law, { vt = 1, vt2 = 0.5, vn = -1 })
local v = hit.velocity
print(("after: %.4f %.4f %.4f m/s"):format(v.t, v.n, v.t2)) --> after: -0.1073 0.6738 0.0162 m/s
print(hit.regime)                                           --> gross slip
