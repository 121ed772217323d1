-- How do I let a block rock on a floor?
-- Words: Housner rocking block tips corner free-standing column earthquake.
local pc = require "percuss"

local b, h, tilt = 0.2, 0.8, 0.1 -- m, m, rad: it begins on one corner
local law = pc.contact.newton{ restitution = 0, friction = 1.5 }
local block = pc.free{
    shape = "box", width = b, height = h, mass = 1, angle = tilt, y = h/2*math.cos(tilt) + b/2*math.sin(tilt),
}
local run = pc.simulate(pc.scene{ block, pc.floor{ height = 0 }, contact = law }, { duration = 4 })

-- what the change of corners leaves of the rate, and Housner's 1 - 3/2 sin^2 of the angle of the diagonal
local first = run.impacts[1]
print(("%.9f"):format(first.u_after[3]/first.u_before[3]))     --> 0.911764706
print(("%.9f"):format(1 - 1.5*math.sin(math.atan(b/h))^2))     --> 0.911764706
