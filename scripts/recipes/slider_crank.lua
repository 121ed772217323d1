-- How do I build a linkage, and read the forces in its joints?
-- Words: joint pin hinge slider crank piston mechanism four-bar reaction drive motor rate.
local pc = require "percuss"

local w, r, l = 40, 0.1, 0.35
local wheel = pc.free{ shape = "disc", radius = 0.12, mass = 2, rate = w, name = "wheel", touch = "none" }
local rod = pc.free{ shape = "rod", mass = 0.6, length = l, x = r + l/2, angle = math.pi/2, rate = -w*r/l,
    vy = w*r/2, name = "rod", touch = "none" }
local block = pc.free{ shape = "box", width = 0.1, height = 0.06, mass = 0.9, x = r + l, name = "block" }
local world = pc.scene{ wheel, rod, block,
    pc.pin{ a = "wheel", at = { 0, 0 }, rate = w, name = "motor" }, -- a drive that holds 40 rad/s
    pc.pin{ a = "rod", b = "wheel", at = { r, 0 }, name = "crank" },
    pc.pin{ a = "block", b = "rod", at = { r + l, 0 }, name = "wrist" },
    pc.slider{ a = "block", name = "guide" } }
local s = pc.simulate(world, { duration = 0.5/w }):at(0.5/w)
print(("at 0.5 rad: x = %.6f m"):format(s["block.x"])) --> at 0.5 rad: x = 0.434459 m
print(("wrist pin %.3f N, torque %.4f N m"):format(s["wrist.Rx"], s["motor.M"]))
--> wrist pin -149.425 N, torque 12.8699 N m
