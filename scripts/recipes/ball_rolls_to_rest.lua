-- How do I let a ball roll to rest?
-- Words: rolling resistance friction couple delta billiard marble wheel slope stays rest distance.
local pc = require "percuss"

-- the couple against rolling is at most 2 mm times the normal force
local law = pc.contact.newton{ restitution = 0.5, friction = 0.4, rolling = 2e-3 }
local R, v, g = 0.05, 1.5, 9.81
local ball = pc.free{ shape = "disc", radius = R, mass = 0.5, inertia = 0.4*0.5*R^2, y = R, vx = v }
local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 10 })
for _, event in ipairs(run.events) do
    print(("%-7s at %.4f s, %.4f m"):format(event.kind, event.time, run:at(event.time).x))
end
--> contact at 0.0000 s, 0.0000 m
--> stick   at 0.1176 s, 0.1493 m
--> rest    at 3.8226 s, 2.0730 m
-- all of its energy has become heat of friction, a third of it while it slid
print(("%.4f J of %.4f J"):format(run:at(10).friction, 0.5*0.5*v^2)) --> 0.5625 J of 0.5625 J
-- rolling it slows down by delta g/(R (1 + 2/5)); on a slope it stays where the tangent is below delta/R
print(("%.4f m/s^2, %.2f degrees"):format(2e-3*g/(1.4*R), math.deg(math.atan(2e-3/R)))) --> 0.2803 m/s^2, 2.29 degrees
