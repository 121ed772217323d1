-- How do I measure how chaotic a motion is?
-- Words: Lyapunov exponent sensitive chaos double pendulum growth.
local pc = require "percuss"

local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } }, angles = { 2.4, -1.6 } }
local law = pc.contact.newton{ restitution = 1, friction = 0 }
local l = pc.lyapunov(pc.scene{ rig, pc.floor{ height = -0.75 }, contact = law }, { duration = 20 })
print(("%.1f per second, %d impacts"):format(l.exponent, l.impacts)) --> 2.3 per second, 17 impacts
print(("digits that are left after 5 s: %.0f"):format(math.max(0, 16 - 5*l.exponent/math.log(10))))
