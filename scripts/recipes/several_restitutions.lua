-- How do I convert Newton's e into Poisson's R or Stronge's E?
-- Words: coefficient of restitution convert kinematic kinetic energetic.
local pc = require "percuss"

local rod = pc.body.rod{ mass = 1, length = 1, angle = -45*pc.deg }
local r = pc.convert_restitution(rod, { vt = 0.2, vn = -1 }, { e = 0.8, mu = 0.5 })
print(("R = %.4f, E = %.4f"):format(r.kinetic, r.energetic)) --> R = 0.8980, E = 0.8902
