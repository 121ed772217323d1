-- How do I give a joint a stop, as of a door or a knee?
-- Words: limit end bumper hinge lower upper bounce door knee joint angle range dry friction torque.
local pc = require "percuss"

-- a door, seen from above, is pushed open; its hinge rubs, and a stop ends its way at 1.4 rad
local door = pc.free{ shape = "rod", mass = 20, length = 0.9, y = -0.45, rate = 2, vx = 0.9, name = "door",
    touch = "none" }
local world = pc.scene{ door, gravity = 0,
    pc.pin{ a = "door", at = { 0, 0 }, name = "hinge", friction_torque = 1.5, upper = 1.4, restitution = 0.3 } }
local run = pc.simulate(world, { duration = 5 })
local hit = run.impacts[1]
print(("%s at %.4f s: %.4f rad/s, then %.4f"):format(hit.contact, hit.time, hit.before["door.rate"],
    hit.after["door.rate"]))
--> hinge.upper at 0.7378 s: 1.7951 rad/s, then -0.5385
print(("it rests at %.4f rad"):format(run:at(5)["door.angle"])) --> it rests at 0.8780 rad

-- a rubber bumper gives: its force is the moment of the stop
local soft = pc.simulate(pc.scene{ door, gravity = 0, pc.pin{ a = "door", at = { 0, 0 }, name = "hinge",
    friction_torque = 1.5, upper = 1.4, stiffness = 2e4, damping = 80 } }, { duration = 5 })
print(("%.0f N m for %.1f ms"):format(soft.impacts[1].peak.n, 1e3*soft.impacts[1].duration))
--> 508 N m for 48.0 ms
