-- What happens when friction locks a guide?
-- Words: jam self-locking locked guide slider rail drawer stick friction grows reaction Painleve paradox impulse.
local pc = require "percuss"

-- a light block slides on a level guide with 1.3 m/s and drags a heavy rod that leans ahead of it
local function slide(friction)
    return pc.simulate(pc.scene{
        pc.free{ shape = "box", width = 0.1, height = 0.1, mass = 0.05, vx = 1.3, name = "block", touch = "none" },
        pc.free{ shape = "rod", length = 1, mass = 1, inertia = 0.01, x = 0.5*math.sin(0.3), y = -0.5*math.cos(0.3),
            angle = 0.3, vx = 1.3, name = "rod", touch = "none" },
        pc.slider{ a = "block", friction = friction, name = "guide" },
        pc.pin{ a = "rod", b = "block", at = { 0, 0 } } }, { duration = 0.02 })
end

-- friction pulls the block back, which presses it against its guide by more than that friction asked for: no load is
-- enough, and the block stops in no time, as against a wall. The energy of its slip is lost
local run = slide(0.8)
for _, event in ipairs(run.events) do print(event.kind) end
--> jam
--> impact
--> contact
local hit = run.impacts[1]
print(("%.4f N s along the guide, %.4f N s across, %.4f J lost"):format(hit.impulse.t, hit.impulse.n, hit.loss))
--> -0.2242 N s along the guide, 0.3529 N s across, 0.1457 J lost

-- with less friction it slides on
local easy = slide(0.2)
print(("%d impacts, still %.1f m/s"):format(#easy.impacts, easy:at(0.02)["block.vx"])) --> 0 impacts, still 1.4 m/s
