-- Bodies overlap at the start: how do I push them apart?
-- Words: overlap penetration initial gap separate random packing heap pile grains begins with an overlap.
local pc = require "percuss"

local parts = { pc.floor{ height = 0 }, pc.wall{ x = -0.5, side = "right" }, pc.wall{ x = 0.5, side = "left" } }
math.randomseed(7)
for i = 1, 20 do
    parts[#parts + 1] = pc.free{ name = "grain" .. i, shape = "sphere", radius = 0.04 + 0.03*math.random(), mass = 1,
        x = 0.8*math.random() - 0.4, y = 0.6*math.random() }
end
parts.contact = pc.contact.newton{ restitution = 0.3, friction = 0.4 }
local world = pc.scene(parts)

local _, message = pcall(pc.simulate, world, { duration = 0 })
print((tostring(message):match "begins with an overlap")) --> begins with an overlap
-- the least displacement, each body weighed by its mass, after which none is left
local run = pc.simulate(world, { duration = 0.2, separate = true })
local s, least = run:at(0), math.huge
for i = 1, #world.contacts do least = math.min(least, s["gap" .. i]) end
print(least > -1e-12) --> true
