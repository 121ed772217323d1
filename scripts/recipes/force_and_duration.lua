-- How large is the force in an impact, and how long does it last?
-- Words: peak maximum force contact time duration Hertz steel ball.
local pc = require "percuss"

local steel = pc.material.steel
local ball = pc.body.sphere{ radius = 0.01, material = steel }
local law = pc.contact.hertz_mindlin{ material = steel, radius = 0.01, friction = 0 }
local hit = pc.collide(ball, law, { vt = 0, vn = -1 })
print(("%.0f N, %.1f us"):format(hit.peak.n, hit.duration*1e6))

-- Hertz in closed form: F_n = K u^1.5, greatest where K u^2.5/2.5 = m v^2/2
local K = 4/3*law.modulus*math.sqrt(0.01)
local m = ball.mass
local u = (5/4*m/K)^(2/5)
print(("%.9f"):format(hit.peak.n/(K*u^1.5))) --> 1.000000000
