-- How do I model a cord that goes slack?
-- Words: rope cable bungee elastic tension only slack spring.
local pc = require "percuss"

local jumper = pc.free{ shape = "disc", radius = 0.3, mass = 75, name = "jumper" }
local cord = pc.spring{ a = "jumper", stiffness = 90, damping = 20, rest_length = 20, slack = true }
local run = pc.simulate(pc.scene{ jumper, cord }, { duration = 30 })
print(("deepest %.2f m"):format(-run:columns(0.01)["jumper.y"]:min())) --> deepest 43.17 m
