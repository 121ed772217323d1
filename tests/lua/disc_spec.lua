-- Discs in space on a plane, as scripts see them, and the studies that use them.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "scratch"

local function study(name)
    return assert(loadfile("scripts/" .. name .. ".lua"))("--quiet", "--no-figures")
end

local function value(s, name)
    local row = s.by_name[name]
    assert.is_truthy(row, "there is no row " .. name)
    return row.computed
end

local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return tostring(message)
end

describe("a disc on a plane", function()
    local function slide()
        return pc.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, velocity = { 0.5, 0, 0 },
            duration = 0.2, rows = 101 }
    end

    it("tells of its motion in columns, which close the energy", function()
        local run = slide()
        assert.equal(101, #run.t)
        near(0.2, run.t[101], 1e-15)
        local total = run.kinetic + run.potential + run.stored + run.lost_friction + run.lost_damping
        assert.is_true((total - total[1]):abs():max() <= run.drift + 1e-15)
        assert.is_true(run.drift < 1e-12)
        for _, name in ipairs(run.names) do
            assert.equal(101, #run[name])
            assert.is_string(run.units[name])
        end
    end)

    it("lists what the contact did, without gaps", function()
        local phases = slide().phases
        assert.equal("stick", phases[1].kind)
        assert.equal("slip", phases[2].kind)
        for i = 2, #phases do assert.equal(phases[i - 1].stop, phases[i].start) end
        near(0.2, phases[#phases].stop, 1e-15)
    end)

    it("stands on its springs unless a height is given, and falls from that", function()
        near(-0.1 * 9.81 / 1e4, slide().height[1], 1e-15)
        local drop = pc.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, height = 0.1,
            duration = 0.1 }
        assert.equal("flight", drop.phases[1].kind)
        near(0.1 - 9.81 * 0.05 ^ 2 / 2, drop.height[501], 1e-12)
    end)

    it("flies flat and turning without touching anything", function()
        -- a flat disc has one edge, which becomes two as soon as it turns: that is no change of contact
        local run = pc.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, height = 0.2,
            tilt_rate = 5, duration = 0.1, rows = 11 }
        assert.same({ 1, "flight" }, { #run.phases, run.phases[1].kind })
        near(0.5, run.tilt[11], 1e-9)
    end)

    it("lands flat while it spins, and again", function()
        -- all springs of a flat disc touch at once, where rounding has left it a little above or below the plane; the
        -- friction on a rim that spins at w takes 2 mu (v + v') / a from w at each impact
        local mu, a, v, w = 0.3, 0.05, 0.2, 1e5
        local run = pc.disc_on_plane{ model = "rim", radius = a, mass = 0.1, inertia = 6.25e-5, stiffness = 1e8,
            friction = mu, height = 1e-9, spin = w, velocity = { 0, 0, -v }, duration = 0.2, rows = 3 }
        local impacts = 0
        for _, phase in ipairs(run.phases) do impacts = impacts + (phase.kind == "slip" and 1 or 0) end
        assert.equal(5, impacts) -- every 2 v/g = 0.041 s
        near(w - impacts * mu * (2 * v) * 2 / a, run.spin[3], 0.01) -- gravity adds 2e-4 of the impulse
    end)

    -- the stretch is at the edge of the cone then, swings through to the other edge, touches it at rest, and back
    it("slides to rest on a stiff floor, and sticks there", function()
        for _, direction in ipairs{ 0, 1, 2.5 } do
            for _, friction in ipairs{ 0.2, 0.3, 0.5 } do
                local speed = 0.05
                local run = pc.disc_on_plane{ radius = 0.05, mass = 1, stiffness = 1e9, friction = friction,
                    velocity = { speed * math.cos(direction), speed * math.sin(direction), 0 }, duration = 0.03 }
                local stop = speed / (friction * 9.81)
                assert.equal("slip", run.phases[1].kind)
                near(run.phases[1].stop, stop, 1e-3)
                local slips = 0
                for i = 2, #run.phases do
                    if run.phases[i].kind == "slip" then slips = slips + run.phases[i].stop - run.phases[i].start end
                end
                assert.is_true(slips < 1e-3 * stop)
                near(run:at(0.03).lost_friction, speed^2 / 2, 1e-8) -- the stretch was there from the start
            end
        end
    end)

    it("tells at which parameter it has come to an end, and keeps what there was", function()
        local options = { radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, tilt = 0.3, spin = 20,
            height = 0.05, duration = 10, rows = 1001, max_steps = 5000 }
        local ok, failure = pcall(pc.disc_on_plane, options)
        assert.is_false(ok)
        assert.equal("limit", failure.code)
        assert.is_truthy(failure.message:find("max_steps = 5000 steps", 1, true))
        assert.is_truthy(failure.message:find("of duration = 10 s", 1, true))
        local run = failure.partial
        assert.equal(failure.time, run.phases[#run.phases].stop)
        assert.is_true(#run.t > 10 and run.t[#run.t] <= failure.time)
        near(run.tilt[#run.t], run:at(run.t[#run.t]).tilt, 1e-9)
        assert.is_truthy(refusal(run.at, run, 9):find("is outside the motion", 1, true))
        options.max_steps, options.duration = nil, failure.time
        near(run.tilt[10], pc.disc_on_plane(options):at(run.t[10]).tilt, 1e-9)
    end)

    it("answers within a few seconds to whatever it is given", function()
        -- sizes, spins and frictions over many decades, flat and upright, from a fixed seed
        local state = 20
        local function random()
            state = (state * 16807) % 2147483647
            return state / 2147483647
        end
        local function decades(lo, hi) return 10 ^ (lo + (hi - lo) * random()) end
        for _ = 1, 40 do
            local radius, mass = decades(-3, 0), decades(-3, 2)
            local rate, speed = math.sqrt(9.81 / radius), math.sqrt(9.81 * radius)
            local tilts = { 0, decades(-12, -1), 1.5 * random(), math.pi / 2 - decades(-12, -1) }
            local tilt = tilts[1 + random() * 4 // 1]
            local function signed(x, hi)
                return (random() < 0.4 and 0 or random() < 0.5 and 1 or -1) * x * decades(-2, hi)
            end
            local options = {
                radius = radius, mass = mass, model = random() < 0.5 and "rim" or "area", tilt = tilt,
                inertia = mass * radius ^ 2 / 4 * decades(-3, 3), stiffness = mass * 9.81 / radius * decades(1, 6),
                friction = random() < 0.3 and 0 or decades(-8, 0.7), damping = random() < 0.5 and 0 or decades(-4, 2),
                gravity = random() < 0.2 and 0 or 9.81, spin = signed(rate, 3), tilt_rate = signed(rate, 2),
                precession = tilt > 0 and signed(rate, 2) or nil, velocity = { signed(speed, 1), 0, signed(speed, 1) },
                height = random() < 0.5 and radius * decades(-2, 0.5) or nil, duration = 5 * speed / 9.81, rows = 11,
                max_steps = 20000,
            }
            local ok, run = pcall(pc.disc_on_plane, options)
            local failure = not ok and run or nil
            if failure then
                assert.equal("limit", failure.code, tostring(failure))
                run = failure.partial
            end
            local total = run.kinetic + run.potential + run.stored + run.lost_friction + run.lost_damping
            assert.is_true(run.drift <= 1e-6 * (run.kinetic:max() + math.abs(total[1])))
        end
    end)

    it("tells of any time, between rows as at them", function()
        local options = { radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, tilt = 0.3, precession = 3,
            spin = 20, height = 0.05, velocity = { 0.3, 0, -0.2 }, damping = 0.1, duration = 0.5, rows = 101 }
        local run = pc.disc_on_plane(options)
        options.rows = 1000
        local other = pc.disc_on_plane(options) -- 999 intervals have times of their own
        for _, r in ipairs{ run, other } do
            for i = 1, #r.t, 11 do
                local s = run:at(r.t[i])
                for _, name in ipairs(r.names) do
                    -- velocities grow as the disc settles: relative to the largest
                    assert.is_true(math.abs(r[name][i] - s[name]) <= 1e-9 * r[name]:abs():max(), name)
                end
            end
        end
        -- it begins in free fall
        near(0.05 - 0.2 * 0.003 - 9.81 * 0.003 ^ 2 / 2, run:at(0.003).height, 1e-14)
        local modes = { flight = 0, smooth = 1, stick = 2, slip = 3 }
        for _, phase in ipairs(run.phases) do
            assert.equal(modes[phase.kind], run:at(phase.start).mode)
            assert.equal(modes[phase.kind], run:at((phase.start + phase.stop) / 2).mode)
        end
        assert.equal(0.5, run:at(0.5).t)
        assert.is_truthy(refusal(run.at, run, 0.6):find("from 0 to 0.5 s", 1, true))
    end)

    it("is drawn by columns, one panel for each unit", function()
        local name = scratch ".svg"
        assert.equal(name, slide():plot{ "vx", "force", "friction", file = name, title = "slide" })
        assert.is_truthy(io.open(name):close())
        assert.is_truthy(refusal(slide().plot, slide(), { "vx", fille = name }):find("did you mean 'file'", 1, true))
        assert.is_truthy(refusal(slide().plot, slide(), { "tild" }):find("did you mean 'tilt'", 1, true))
    end)

    it("refuses what makes no sense, by name and range", function()
        local function try(options)
            local all = { radius = 1, mass = 1, stiffness = 1e4, friction = 0.3, duration = 1 }
            for key, x in pairs(options) do all[key] = x end
            return refusal(pc.disc_on_plane, all)
        end
        assert.is_truthy(try{ precession = 3 }:find("needs a tilt", 1, true))
        assert.is_truthy(try{ polar_inertia = 1 }:find("must not exceed twice inertia", 1, true))
        assert.is_truthy(try{ tilt = 2 }:find("tilt = 2 rad is not allowed", 1, true))
        assert.is_truthy(try{ spinn = 2 }:find("did you mean 'spin'", 1, true))
        assert.is_truthy(try{ model = "ring" }:find("rim", 1, true))
    end)

    -- Steps that pass a corner of the force (an edge that leaves) may be off by more than their tolerance: 1e-8 of the
    -- energy is the worst of many draws, doubled.
    it("keeps its energy, its cone and its wits whatever it is given", function()
        math.randomseed(7)
        local function between(a, b) return a + (b - a) * math.random() end
        local function decades(a, b) return a * (b / a) ^ math.random() end
        local function sometimes(share, x) return math.random() < share and x or 0 end
        for draw = 1, 40 do
            local task = {
                model = math.random() < 0.5 and "rim" or "area", radius = decades(0.01, 1), mass = decades(0.01, 5),
                stiffness = decades(1e3, 1e5), stiffness_ratio = decades(0.1, 10), friction = between(0, 1.5),
                damping = sometimes(0.6, decades(1e-3, 30)), gravity = sometimes(0.85, 9.81), duration = 0.2,
                tilt = ({ 0, math.pi / 2, between(0, 1.5), decades(1e-9, 1e-1) })[math.random(4)],
                spin = sometimes(0.6, between(-50, 50)), tilt_rate = sometimes(0.4, between(-5, 5)),
                velocity = { between(-2, 2), sometimes(0.7, between(-2, 2)), between(-1, 0.5) }, rows = 51,
            }
            if task.tilt > 0 then task.precession = sometimes(0.5, between(-30, 30)) end
            if math.random() < 0.6 then task.height = task.radius * (math.sin(task.tilt) + decades(1e-3, 1)) end
            local run, where = pc.disc_on_plane(task), "draw " .. draw
            local energy = run.kinetic[1] + math.abs(run.potential[1]) + run.stored[1]
            assert.is_true(run.drift <= 1e-8 * energy, where)
            for i = 1, #run.t do
                for _, name in ipairs(run.names) do
                    assert.is_true(math.abs(run[name][i]) < math.huge, where .. ": " .. name)
                end
                assert.is_true(run.force[i] >= 0, where)
                assert.is_true(run.friction[i] <= task.friction * run.force[i] + 1e-6 * task.mass * 9.81, where)
                local before = math.max(i - 1, 1)
                assert.is_true(run.lost_friction[i] - run.lost_friction[before] >= -1e-8 * energy, where)
                assert.is_true(run.lost_damping[i] - run.lost_damping[before] >= -1e-12 * energy, where)
            end
        end
    end)

    it("of speeds beyond the range of numbers is refused, and of the slowest and fastest others computed", function()
        local function ask(speed, tilt)
            return pc.flat_impact{ model = "rim", radius = 1, mass = 1, stiffness = 1e4, speed = speed, tilt = tilt }
        end
        for _, speed in ipairs{ 5e-324, 1e-308, 2e-307 } do
            for _, tilt in ipairs{ 0, 0.5 } do
                assert.error_matches(function() ask(speed, tilt) end,
                    "flat_impact: speed %(v%) = .* m/s.*too far apart")
            end
        end
        for _, speed in ipairs{ 1e-300, 1e-160, 1e-8, 1e160, 1e300 } do -- flat, it is a linear spring at any speed
            assert.is_true(math.abs(ask(speed, 0).velocity / speed - 1) < 1e-11, speed)
        end
    end)

    it("may be damped in a single impact too", function()
        local r = pc.flat_impact{ radius = 1, mass = 1, stiffness = 1e4, speed = 2, restitution = 0.7 }
        near(1.4, r.velocity, 1e-9)
        assert.is_truthy(refusal(pc.flat_impact, { radius = 1, mass = 1, stiffness = 1e4, speed = 2, restitution = 0.7,
            damping = 1 }):find("damping", 1, true))
    end)
end)

describe("the study", function()
    it("of rolling tends to the rigid disc with the stiffness", function()
        local s = study "kecskemethy1999/rolling"
        -- a point on the rim gives by a length that goes with k^(-2/3), vibrations that are left with k^(-1/2)
        near(0.5, value(s, "upright: order in which it tends to 1/3"), 0.05)
        assert.is_true(value(s, "as a cone: order in which the tilt settles") > 0.5)
        near(0.5, value(s, "upright: order of that in 1/kappa"), 0.01)
        local turn = value(s, "as a cone: rate of the rigid disc")
        near(turn, value(s, "as a cone, k = 1e+06 N/m: mean rate"), 2e-4 * turn)
        near(1 / 3, value(s, "upright, k = 1e+06 N/m: part of the energy lost"), 5e-4)
        near(2, value(s, "sliding and spinning: spin over speed"), 1e-9)
        -- the springs stretch within a quarter of a period at the start and the end: sqrt(m/kt) is 11 ms
        near(value(s, "sliding and spinning: the end, sqrt(v^2 + r^2 omega^2)/(mu g)"),
            value(s, "sliding and spinning: slip ends"), 5e-3)
        assert.is_true(value(s, "greatest drift of the energy") < 1e-11)
    end)

    it("of a spinning disc keeps its energy in the ledger and lies flat in the end", function()
        local s = study "motion/spinning_disc"
        local kept = s.by_name["energy lost, and what there was"]
        near(kept.other, kept.computed, 1e-12)
        assert.is_true(value(s, "moments of steady rolling: greatest relative error until 1e-3 rad") < 0.1)
        local flat = value(s, "flat to 1e-4 rad at")
        assert.is_true(flat > 1.2 and flat < 1.6)
        local first, late = value(s, "rate of the contact point at 0 s"), value(s, "rate of the contact point at 1.2 s")
        assert.is_true(late > 6 * first)
        assert.is_true(value(s, "without damping, tilt after 2 s") > 0.1)
    end)
end)
