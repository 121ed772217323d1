-- How do I choose the damping that gives a wanted restitution?
-- Words: calibrate dashpot coefficient from e inverse.
local pc = require "percuss"

-- most laws take the restitution itself
local law = pc.contact.kelvin_voigt{ stiffness = 1e6, restitution = 0.7, friction = 0 }
print(("damping ratio %.6f"):format(law.damping_ratio))
local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
print(("%.9f"):format((pc.restitution(law, ball, 1)))) --> 0.700000000
