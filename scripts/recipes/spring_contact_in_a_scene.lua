-- How do I use a compliant law within a motion?
-- Words: configuration moving spring contact force history deformation scene.
local pc = require "percuss"

local ball = pc.free{ shape = "disc", radius = 0.05, mass = 1, y = 0.55, vx = 1 }
local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.21, friction = 0.3 }
local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = law, configuration = "moving" }
local run = pc.simulate(world, { duration = 1 })
local first = run.impacts[1]
print(("%.3f ms, %.0f N, %s"):format(first.duration*1e3, first.peak.n, first.regime)) --> 9.997 ms, 1000 N, stick-slip
