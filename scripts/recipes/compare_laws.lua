-- How do I compare two or more laws for one impact?
-- Words: Newton Poisson Stronge side by side table impulse plane.
local pc = require "percuss"

local rod = pc.body.rod{ mass = 1, length = 1, angle = -45*pc.deg }
local c = pc.compare(rod, {
    pc.contact.newton{ restitution = 0.8, friction = 0.5 },
    pc.contact.poisson{ restitution = 0.8, friction = 0.5 },
    pc.contact.stronge{ restitution = 0.8, friction = 0.5 },
}, { vt = 0.2, vn = -1 })
print(c)
for _, row in ipairs(c.rows) do print(("%.4f"):format(row.kinematic)) end
--> 0.8000
--> 0.7127
--> 0.7189
-- c:plot() draws the impulse plane
