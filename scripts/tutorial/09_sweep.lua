-- 9. A sweep
-- A function at many points, on all cores, kept in a file that survives a crash.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("A sweep", ...)

local store = os.tmpname()
local function sweep(report)
    return pc.sweep{
        over = {
            { "theta", pc.linspace(5, 60, 12) * pc.deg, unit = "rad" },
            { "mu", pc.linspace(0.1, 1.5, 15) },
        },
        run = function(p)
            report()
            local bob = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = p.theta }
            local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = p.mu }
            local hit = pc.collide(bob, law, { rate = -6 })
            return { loss = hit.loss_fraction, wedged = hit.wedged }
        end,
        columns = { "loss", "wedged" }, store = store, progress = "none", changed = "keep",
    }
end

lesson:say [[
    Twelve angles times fifteen frictions. The function gets a point and returns its columns.]]
local t = sweep(function() end)
print(t)
lesson:claim("every point is there", #t == 12 * 15)

lesson:say [[
    Asked again, nothing is computed: the points come from the store.]]
local again = sweep(function() error "this must not run" end)
lesson:claim("the second table is the first", again.loss == t.loss and #again:failures() == 0)

lesson:say [[
    A table is filtered, grouped and drawn.]]
print(t:group("theta", { { "loss", "max" } }))
-- a wedged body is left with the rounding of its velocity
lesson:claim("no point loses more than everything", t.loss:max() <= 1 + 1e-12)
lesson:draw("map", function(file) t:contour("theta", "mu", "loss", { file = file }) end)
for _, ending in ipairs{ "", "-wal", "-shm" } do os.remove(store .. ending) end

lesson:exercise "Which of the points wedge? (t:filter(t.wedged:eq(1)))"
lesson:answer [[
    25 of 180: all at 5 degrees, and those with friction from 0.3 to 1.2 at 10 degrees. At 15 degrees none does:
    the range vanishes at 13.69 degrees.]]
lesson:exercise "Refine the grid to 100 x 100 points. How long does it take with --jobs 1 and with all cores?"
lesson:answer [[
    Below a second. The points do not know of each other, so cores share them; what does not shrink is the
    start of the processes.]]
