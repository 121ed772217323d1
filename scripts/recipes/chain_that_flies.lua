-- How do I let a chain of links fly and fall, with no pivot?
-- Words: floating free base thrown rope nunchaku acrobat gymnast conserve momentum angular momentum floats.
local pc = require "percuss"

local link = { mass = 0.3, length = 0.3, damping = 0 }
-- x0, y0 are the place of the upper end of the first link, vx, vy its velocity
local stick = pc.chain{ links = { link, link }, angles = { 1.2, 2.4 }, rates = { 6, -3 },
    touch = "joints", pivot = { floats = true, y = 1, vx = 0.5, vy = 2 } }
local run = pc.simulate(pc.scene{ stick, pc.floor{ height = 0 },
    contact = pc.contact.newton{ restitution = 0.4, friction = 0.3 } }, { duration = 3 })
local first = run.impacts[1]
print(("%s at %.3f s"):format(first.contact, first.time)) --> chain on floor at 0.841 s
local a, b = run:at(0), run:at(first.time - 0.01)
print(("energy before it lands: %.6f J of %.6f J"):format(b.energy, a.energy))
--> energy before it lands: 9.131138 J of 9.131138 J
