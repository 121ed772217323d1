-- How do I let a force of my own act on a body?
-- Words: custom user-defined force function of time position magnet attraction external.
local pc = require "percuss"

-- a magnet at the origin pulls with 0.02/r^2 N
local magnet = pc.force{ on = "ball", f = function(_, body)
    local r = math.sqrt(body.x^2 + body.y^2)
    return -0.02*body.x/r^3, -0.02*body.y/r^3
end }
local ball = pc.free{ shape = "disc", radius = 0.01, mass = 0.1, x = 0.5, vy = math.sqrt(0.02/0.1/0.5), name = "ball" }
local run = pc.simulate(pc.scene{ ball, magnet, gravity = 0 }, { duration = 5 })
local s = run:at(5)
print(("r = %.6f m"):format(math.sqrt(s["ball.x"]^2 + s["ball.y"]^2))) --> r = 0.500000 m
