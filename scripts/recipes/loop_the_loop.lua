-- How do I let a ball run in a bowl or through a loop?
-- Words: inside of a circle bowl loop drum roll swing leave lift off marble.
local pc = require "percuss"

-- A disc enters a loop rolling, too slow to get round: it begins to slip, then it leaves the track.
local R, r, speed = 0.5, 0.05, 3.43
local run = pc.simulate(pc.scene{
    pc.free{ shape = "disc", radius = r, mass = 1, y = r, vx = speed, rate = -speed/r },
    pc.bowl{ x = 0, y = R, radius = R, name = "loop" },
    contact = pc.contact.newton{ restitution = 0.3, friction = 0.4 },
}, { duration = 0.6 })
local seen = {}
for _, event in ipairs(run.events) do seen[event.name] = seen[event.name] or event.time end
local at = run:at(seen.lift_off)
print(("slips from %.3f s on, leaves at %.3f s, %.1f degrees from the lowest place"):format(seen.slip, seen.lift_off,
    math.atan(at.x, R - at.y)/pc.deg))
--> slips from 0.276 s on, leaves at 0.357 s, 122.0 degrees from the lowest place
run:draw{ trail = 0.6 }
