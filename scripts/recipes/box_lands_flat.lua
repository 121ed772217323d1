-- How do I let a box land flat on both corners at once?
-- Words: simultaneous contacts tied together symmetric turn order.
local pc = require "percuss"

local function spin_after(together)
    local box = pc.free{ shape = "box", width = 0.4, height = 0.2, mass = 1, y = 0.6 }
    local law = pc.contact.newton{ restitution = 0.5, friction = 0.3 }
    local world = pc.scene{ box, pc.floor{ height = 0 }, contact = law, together = together }
    return pc.simulate(world, { duration = 0.4 }):at(0.4).u[3]
end
print(("tied: %.9f rad/s"):format(math.abs(spin_after "tied"))) --> tied: 0.000000000 rad/s
print(spin_after "sequential" ~= 0)                             --> true
