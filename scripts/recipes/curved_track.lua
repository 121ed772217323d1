-- How do I let a ball roll along a curve of my own?
-- Words: curved track profile spline points slope hill valley roller coaster half pipe function of x lift off crest.
local pc = require "percuss"

-- A hill and a valley: through points, as they may have been measured, and by a function.
local function height(x) return 0.25*math.cos(2*x) + 0.05*x end
local points = {}
for k = 0, 28 do
    local x = -1.2 + 0.15*k
    points[k + 1] = { x, height(x) }
end
local curves = { pc.profile{ points = points }, pc.profile{ y = height, from = -1.2, to = 3 } }

-- A ball that is released near the top rolls down, and up on the other side.
for _, curve in ipairs(curves) do
    local run = pc.simulate(pc.scene{
        pc.free{ shape = "sphere", radius = 0.05, mass = 0.1, x = 0.3, y = height(0.3) + 0.0565 }, curve,
        contact = pc.contact.newton{ restitution = 0, friction = 0.5 },
    }, { duration = 3 })
    local c = run:columns(0.001)
    print(("fastest %.3f m/s, farthest right %.3f m"):format(c.vx:max(), c.x:max()))
    run:draw{ trail = 3 }
end
--> fastest 2.354 m/s, farthest right 2.540 m
--> fastest 2.354 m/s, farthest right 2.540 m
