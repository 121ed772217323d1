-- Below which speed do grains stick?
-- Words: adhesion powder dust JKR sticking speed surface energy pull-off.
local pc = require "percuss"

local R, rho, E, Gamma = 20e-6, 1050, 1e9, 0.05
local mass = rho*4/3*math.pi*R^3
local grain = pc.body.sphere{ radius = R, mass = mass }
local law = pc.contact.jkr{ modulus = E, radius = R, work_of_adhesion = Gamma, friction = 0.3 }
local V = math.sqrt(14.1844/mass)*(Gamma^5*R^4/E^2)^(1/6) -- what the neck takes
print(("sticking speed %.4f m/s, pull-off force %.3g N, %.0f times the weight"):format(V, 1.5*math.pi*Gamma*R,
    1.5*math.pi*Gamma*R/(mass*9.81)))
for _, v in ipairs{ 0.5*V, 1.1*V, 2*V } do
    local hit = pc.collide(grain, law, { vt = 0, vn = -v })
    print(("%.4f m/s  %-8s e = %.3f"):format(v, hit.outcome, hit.restitution.kinematic))
end
--> sticking speed 0.0385 m/s, pull-off force 4.71e-06 N, 13652 times the weight
--> 0.0193 m/s  adhered  e = 0.000
--> 0.0424 m/s  rebound  e = 0.417
--> 0.0771 m/s  rebound  e = 0.866
