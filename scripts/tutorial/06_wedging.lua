-- 6. Wedging
-- Some impacts never end: a pendulum that strikes at a small angle may lock itself by friction.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("Wedging", ...)

local angle, eta = 13 * pc.deg, 1.21
local function swing(friction)
    local bob = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = angle }
    return pc.collide(bob, pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = friction },
        { rate = -6 })
end

lesson:say [[
    Between two frictions the pendulum wedges: it stays, and vibrates in the contact for ever.]]
local low, high = pc.wedging_range(angle, eta)
print("wedges for frictions between", low, "and", high)
for _, friction in ipairs{ 0.3, low * 0.999, low * 1.001, 0.5, high * 0.999, high * 1.001, 1 } do
    local hit = swing(friction)
    print(string.format("friction %.5f  %s", friction, hit.outcome))
    lesson:claim("it wedges inside the range and nowhere else", hit.wedged == (friction > low and friction < high))
end

lesson:say [[
    What is left vibrates: hit.lock has the mean forces and the frequency.]]
local lock = swing(0.5).lock
print("mean F_n [N]:", lock.mean.n, "frequency [rad/s]:", lock.frequency)
lesson:draw("wedged", function(file) swing(0.5):plot{ "F_t", "F_n", file = file } end)

lesson:exercise "Do the same for 20 degrees. Is there a range? At which angle does it vanish?"
lesson:answer [[
    There is none: pc.wedging_range gives nil. For this stiffness ratio it vanishes at 13.69 degrees, where
    both frictions are 0.525.]]
lesson:exercise "A wedged impact has an infinite duration. How does that show in hit.velocity?"
lesson:answer [[
    It is zero, and the lost fraction is 1: what vibrates in the contact does not come back as motion.]]
