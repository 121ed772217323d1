-- How much does a small error at the start grow in a linkage with stops?
-- Words: sensitivity carry displacement perturbation variation linearised joint pin stop loop linkage tolerance play.
local pc = require "percuss"

-- a leg: two pinned rods, whose knee has stops that give back half of the speed; the shank starts turned by `more`
local function leg(more)
    return pc.simulate(pc.scene{
        pc.free{ shape = "rod", length = 0.5, mass = 1, x = 0.25, angle = math.pi/2, name = "thigh", touch = "none" },
        pc.free{ shape = "rod", length = 0.4, mass = 0.6, x = 0.5 + 0.2*math.sin(more), y = -0.2*math.cos(more),
            angle = more, name = "shank", touch = "none" },
        pc.pin{ a = "thigh", at = { 0, 0 }, name = "hip" },
        pc.pin{ a = "shank", b = "thigh", at = { 0.5, 0 }, lower = -2.6, upper = 0, restitution = 0.5, name = "knee" },
    }, { duration = 1.2 })
end
local run = leg(-0.1)
print(#run.impacts .. " impacts, the first at " .. run.impacts[1].contact)
--> 3 impacts, the first at knee.upper

-- turned by a little more, the middle of the shank moves with it, as the knee asks for: x, y, angle of thigh and shank
local d = run:carry{ q = { 0, 0, 0, 0.2*math.cos(0.1), -0.2*math.sin(0.1), 1 }, u = { 0, 0, 0, 0, 0, 0 } }
print(("%.4f rad of the thigh and %.4f of the shank for each"):format(d.q[3], d.q[6]))
--> -0.2480 rad of the thigh and 0.1349 of the shank for each

-- two runs say the same, to the digits that a difference leaves
local h = 1e-5
local up, down = leg(-0.1 + h):at(1.2), leg(-0.1 - h):at(1.2)
print(("%.4f and %.4f"):format((up["thigh.angle"] - down["thigh.angle"])/(2*h),
    (up["shank.angle"] - down["shank.angle"])/(2*h)))
--> -0.2480 and 0.1349
