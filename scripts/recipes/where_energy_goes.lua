-- How do I see where the energy goes?
-- Words: ledger balance loss friction dissipated work impacts heat.
local pc = require "percuss"

local block = pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.05, vx = 2 }
local law = pc.contact.newton{ restitution = 0.3, friction = 0.4 }
local run = pc.simulate(pc.scene{ block, pc.floor{ height = 0 }, contact = law }, { duration = 1 })
for _, t in ipairs{ 0, 0.25, 1 } do
    local now = run:at(t)
    print(("%.4f J + %.4f J by friction + %.4f J in impacts"):format(now.energy, now.friction, now.lost))
end
--> 2.4905 J + 0.0000 J by friction + 0.0000 J in impacts
--> 1.0097 J + 1.4808 J by friction + 0.0000 J in impacts
--> 0.4905 J + 2.0000 J by friction + 0.0000 J in impacts
-- run:plot "energy" draws it over time
