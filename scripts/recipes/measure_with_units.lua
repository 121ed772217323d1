-- How do I see the units of a result?
-- Words: SI units show describe table columns convert degrees.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local h = pc.collide(ball, law, { speed = 1, incidence = 30*pc.deg }):trace(10)
print(h.units.F_n .. " over " .. h.units.u_n) --> N over m
print(ball:describe())
