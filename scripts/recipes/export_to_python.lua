-- How do I use results in Python, numpy or pandas?
-- Words: export npz numpy csv sqlite matplotlib data other programs.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local angle = pc.linspace(1, 89, 89)
local m = pc.map(ball, law, { speed = 1, incidence = angle*pc.deg })
local t = pc.table{ { "angle", angle, unit = "deg" }, { "vt", m.vt, unit = "m/s" }, { "loss", m.loss, unit = "J" } }
print(t:npz "impacts.npz") --> impacts.npz
print(t:csv "impacts.csv") --> impacts.csv
-- in Python: numpy.load("impacts.npz")["vt"], or pandas.read_csv("impacts.csv")
