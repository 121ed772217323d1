-- Impacts at one instant: what symmetry demands holds, and the order of lists decides nothing.
local pc = require "percuss"
local near = require "near"

local law = {
    newton = function(e, mu) return pc.contact.newton{ restitution = e, friction = mu or 0 } end,
    poisson = function(e, mu) return pc.contact.poisson{ restitution = e, friction = mu or 0 } end,
    stronge = function(e, mu) return pc.contact.stronge{ restitution = e, friction = mu or 0 } end,
}
local compliant = {
    pc.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.2, friction = 0.3 },
    pc.contact.hertz_mindlin{ modulus = 1e9, kappa = 0.8, radius = 1, friction = 0.2 },
    pc.contact.hunt_crossley{ stiffness = 1e8, restitution = 0.8, friction = 0.3 },
    pc.contact.kelvin_voigt{ stiffness = 1e7, restitution = 0.7, friction = 0.2 },
}

-- The seed of a test is its name's, and there are several.
local function random(seed)
    local state = seed
    return function(lo, hi)
        state = (state * 1103515245 + 12345) % 2147483648
        return lo + (hi - lo) * state / 2147483648
    end
end

local function list_of(part, options)
    local parts = {}
    for k, p in ipairs(part) do parts[k] = p end
    for k, v in pairs(options) do parts[k] = v end
    return parts
end

-- Kinetic energy after the first impacts over that before, of free bodies; gravity does nothing in no time.
local function first_instant(run)
    local hits, all = run.impacts, {}
    for _, hit in ipairs(hits) do if hit.time == hits[1].time then all[#all + 1] = hit end end
    return all
end

describe("what lands flat", function()
    local function land(body, contact, together)
        return pc.simulate(pc.scene{ body, pc.floor{ height = 0 }, contact = contact, together = together },
            { duration = 0.6 })
    end
    local function box(o)
        return pc.free{ shape = "box", width = o.w, height = o.h, mass = o.m or 1, x = o.x or 0, y = 0.5 + o.h / 2,
            vx = o.vx }
    end

    local shapes = { { w = 0.2, h = 0.1 }, { w = 1, h = 0.01, x = 0.3 }, { w = 0.1, h = 0.7, m = 9 } }

    it("leaves without spin, at e times its speed, by every law with a joint rule", function()
        for _, make in pairs(law) do
            for _, e in ipairs{ 1, 0.7, 0.3 } do
                for _, shape in ipairs(shapes) do
                    local run = land(box(shape), make(e))
                    local hit, v = run.impacts[1], math.sqrt(2 * 9.81 * 0.5)
                    assert.equal("tied", hit.rule)
                    assert.is_nil(hit.flags.order_dependent)
                    assert.equal(2, #first_instant(run))
                    -- velocities round at some 1e-16 of 3 m/s, and a rate at that over the half width
                    near(hit.u_after[2], e * v, 1e-12)
                    near(hit.u_after[3], 0, 0, 1e-12 / shape.w)
                    near(hit.u_after[1], 0, 0, 1e-14)
                end
            end
        end
    end)

    it("does so by compliant laws, which press at both corners", function()
        for _, contact in ipairs(compliant) do
            local hit = land(box{ w = 0.2, h = 0.1 }, contact).impacts[1]
            assert.equal("tied", hit.rule)
            near(hit.u_after[3], 0, 0, 1e-10)
            local alone = pc.restitution(contact, pc.body.matrix{ mobility = { { 1, 0 }, { 0, 2 } } }, -hit.u_before[2])
            -- each corner carries half the mass: as one impact of that mass; the damper of the last one is made for
            -- the mass that a corner has for itself
            if contact ~= compliant[4] then near(hit.u_after[2], -alone * hit.u_before[2], 1e-9) end
        end
    end)

    it("spins in sequence, which the record says", function()
        local run = land(box{ w = 0.2, h = 0.1 }, law.newton(1), "sequential")
        assert.equal("sequential", run.impacts[1].rule)
        assert.is_true(run.impacts[1].flags.order_dependent)
        -- the left corner first: Newton at one corner of a box, J = 2 v/w_nn, w_nn = 1/m + (w/2)^2/I
        local v, I = -run.impacts[1].u_before[2], (0.2^2 + 0.1^2) / 12
        near(run.impacts[1].u_after[3], -0.1 * 2 * v / (1 + 0.01 / I) / I, 1e-12)
    end)

    it("is struck by laws of single impacts in a fixed order, and says so", function()
        for _, name in ipairs{ "smith", "whittaker", "kane_levinson" } do
            local contact = pc.contact[name]{ restitution = 0.8, friction = 0.2 }
            local run = land(box{ w = 0.2, h = 0.1 }, contact)
            assert.equal("sequential", run.impacts[1].rule)
            assert.is_true(run.impacts[1].flags.order_dependent)
            assert.error_matches(function() land(box{ w = 0.2, h = 0.1 }, contact, "simultaneous") end,
                "contact." .. name .. ".*impacts of one contact only")
        end
    end)

    it("tells bodies apart that nothing joins: each is struck as if it were alone", function()
        local function ball(x, w)
            return pc.free{ shape = "disc", radius = 0.1, mass = 1, x = x, y = 0.6, vx = 0.4, rate = w }
        end
        -- slip that turns round: the law follows it, a joint rule would not
        for _, make in pairs(law) do
            local contact = make(0.6, 0.4)
            local both = pc.simulate(pc.scene{ ball(0, -20), ball(1, 3), pc.floor{ height = 0 }, contact = contact },
                { duration = 0.5 })
            local one = pc.simulate(pc.scene{ ball(0, -20), pc.floor{ height = 0 }, contact = contact },
                { duration = 0.5 })
            assert.equal("sequential", both.impacts[1].rule)
            assert.is_nil(both.impacts[1].flags.order_dependent)
            for k = 1, 3 do near(both.impacts[1].u_after[k], one.impacts[1].u_after[k], 1e-13) end
        end
    end)
end)

describe("a disc dropped into a V", function()
    it("goes straight up, and a tilted one mirrors", function()
        for _, make in pairs(law) do
            for _, a in ipairs{ 0.3, math.pi / 4, 1.1 } do
                for _, mu in ipairs{ 0, 0.2, 0.7 } do
                    local disc = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.5 }
                    local run = pc.simulate(pc.scene{ disc, contact = make(0.9, mu),
                        pc.plane{ nx = math.sin(a), ny = math.cos(a) },
                        pc.plane{ nx = -math.sin(a), ny = math.cos(a) } }, { duration = 0.4 })
                    local hit = run.impacts[1]
                    assert.equal("tied", hit.rule)
                    near(hit.u_after[1], 0, 0, 1e-14)
                    near(hit.u_after[3], 0, 0, 1e-12)
                    local v = -hit.u_before[2]
                    -- Newton without friction reverses each normal velocity
                    if mu == 0 then near(hit.u_after[2], 0.9 * v, 1e-12) end
                end
            end
        end
    end)
end)

describe("a joint impact", function()
    -- A box on two sides of a V, discs in a heap: several contacts of one body, not alike.
    local function strike(make, e, mu, seed)
        local u = random(seed)
        local a, b = u(-0.9, -0.2), u(0.2, 0.9)
        local spin = u(-3, 3)
        -- both sides touch at once: the disc begins there; the speeds of approach are made equal by its direction
        local na, nb = { math.sin(a), math.cos(a) }, { math.sin(b), math.cos(b) }
        local disc = pc.free{ shape = "disc", radius = 0.5, mass = 2, inertia = u(0.05, 0.3), x = 0, y = 0,
            vx = -2 * (na[1] + nb[1]), vy = -2 * (na[2] + nb[2]), rate = spin }
        local parts = { disc, contact = make(e, mu), gravity = 0 }
        for k, n in ipairs{ na, nb } do
            parts[1 + k] = pc.plane{ nx = n[1], ny = n[2], x = -0.5 * n[1], y = -0.5 * n[2] }
        end
        return pc.simulate(pc.scene(parts), { duration = 1e-3 })
    end

    it("by Stronge's law conserves energy for E = 1 without friction and never creates any", function()
        for seed = 1, 40 do
            local hit = strike(law.stronge, 1, 0, seed).impacts[1]
            assert.equal("tied", hit.rule)
            near(hit.energy.after, hit.energy.before, 1e-12)
            for _, mu in ipairs{ 0.1, 0.4, 1 } do
                for _, e in ipairs{ 1, 0.5, 0 } do
                    local first = strike(law.stronge, e, mu, seed).impacts[1]
                    assert.is_true(first.loss >= -1e-12 * first.energy.before)
                    assert.is_nil(first.flags.gained_energy)
                end
            end
        end
    end)

    it("by Stronge's law gives back E^2 of the works of its normal forces", function()
        -- E = 0 ends with compression; the works of both phases are those of straight lines
        local compared = 0
        for seed = 1, 20 do
            for _, E in ipairs{ 0.3, 0.6, 0.9 } do
                local mu = 0.1
                local hits = first_instant(strike(law.stronge, E, mu, seed))
                local halves = first_instant(strike(law.stronge, 0, mu, seed))
                if #hits == 2 and #halves == 2 then
                    local compression, restitution = 0, 0
                    for k, hit in ipairs(hits) do
                        local c = halves[k]
                        assert.equal(c.contact, hit.contact)
                        near(c.velocity.n, 0, 0, 1e-13)
                        compression = compression + c.impulse.n * c.velocity_before.n / 2
                        restitution = restitution + (hit.impulse.n - c.impulse.n) * hit.velocity.n / 2
                    end
                    compared = compared + 1
                    near(restitution, -E^2 * compression, 1e-12)
                end
            end
        end
        assert.is_true(compared >= 30)
    end)

    it("by Newton's law reverses every normal velocity, by Poisson's every impulse", function()
        for seed = 1, 20 do
            for _, hit in ipairs(first_instant(strike(law.newton, 0.7, 0.2, seed))) do
                near(hit.velocity.n, -0.7 * hit.velocity_before.n, 1e-12)
            end
            local stopped = first_instant(strike(law.poisson, 0, 0, seed))
            for k, hit in ipairs(first_instant(strike(law.poisson, 0.7, 0, seed))) do
                near(hit.impulse.n, 1.7 * stopped[k].impulse.n, 1e-12)
            end
        end
    end)
end)

-- Scenes as functions that list their parts; bodies carry their names, by which the outcomes are compared.
local scenes = {
    break_shot = function()
        local parts = { pc.free{ shape = "disc", radius = 0.03, mass = 0.2, x = -0.5, vx = 2, name = "cue" } }
        local d, row = 0.06, 0
        for i = 0, 3 do
            for k = 0, i do
                row = row + 1
                parts[#parts + 1] = pc.free{ shape = "disc", radius = 0.03, mass = 0.2,
                    x = i * d * math.sqrt(3) / 2, y = (k - i / 2) * d, name = "b" .. row }
            end
        end
        return parts, { gravity = 0, contact = law.newton(0.95) }, 0.6
    end,
    v = function()
        return { pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.7, name = "d" },
            pc.plane{ nx = 0.5, ny = 0.8 }, pc.plane{ nx = -0.5, ny = 0.8 } },
            { contact = law.poisson(0.8, 0.1) }, 0.9
    end,
    boxes = function()
        return { pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.4, name = "a" },
            pc.free{ shape = "box", width = 0.3, height = 0.2, mass = 2, x = 1, y = 0.45, rate = 0.7, name = "b" },
            pc.floor{ height = 0 }, pc.wall{ x = 3, side = "left" } },
            { contact = law.stronge(0.7, 0.3) }, 0.6
    end,
    cradle = function()
        local parts = {}
        for i = 1, 5 do
            parts[i] = pc.chain{ links = { { mass = 1, length = 1, center = 1, inertia = 0.004, radius = 0.1 } },
                pivot = { x = 0.2 * (i - 3) }, angles = { i == 1 and -0.5 or i == 5 and 0.5 or 0 }, name = "c" .. i }
        end
        return parts, { contact = law.newton(1) }, 0.9
    end,
    by_one = function()
        return { pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.4, name = "a" },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 1, y = 0.4, name = "b" }, pc.floor{ height = 0 } },
            { contact = pc.contact.smith{ restitution = 0.6, friction = 0.2 } }, 0.5
    end,
    springs = function()
        return { pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.4, name = "a" },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.15, y = 1.4, name = "b" },
            pc.floor{ height = 0 } },
            { contact = compliant[3] }, 0.7
    end,
}

describe("the order of lists", function()
    local function outcome(parts, options, duration)
        local run = pc.simulate(pc.scene(list_of(parts, options)), { duration = duration })
        local out, s = { count = run.impact_count }, run:at(run.time)
        for _, hit in ipairs(run.impacts) do
            out.impulse = (out.impulse or 0) + hit.impulse.n
        end
        for key, value in pairs(s) do
            local own = key:match "[^.]*$"
            if own:match "^v?[xy]%d?$" or own:match "^angle%d?$" or own:match "^rate%d?$" then
                out[key] = value
            end
        end
        return out
    end

    for name, make in pairs(scenes) do
        it("reaches nothing in " .. name, function()
            local parts, options, duration = make()
            local first = outcome(parts, options, duration)
            for seed = 1, 4 do
                local u, list = random(seed), {}
                for k, part in ipairs(parts) do list[k] = part end
                for k = #list, 2, -1 do
                    local other = math.floor(u(1, k + 1))
                    list[k], list[other] = list[other], list[k]
                end
                local other = outcome(list, options, duration)
                assert.equal(first.count, other.count)
                local compared = 0
                for key, value in pairs(first) do
                    compared = compared + 1
                    -- a break shot multiplies rounding by some ten each time; the others hardly
                    near(other[key], value, 1e-9, 1e-9)
                end
                assert.is_true(compared >= 6)
            end
        end)
    end

    -- Two boxes, a disc and a V, in the mirror x -> -x; two of them land flat, or on both sides, at once.
    local function in_mirror(sign, seed, contact)
        local u = random(seed)
        local function x(lo, hi) return sign * u(lo, hi) end
        local parts = {
            pc.free{ shape = "box", width = 0.3, height = 0.2, mass = 1, x = x(-2.2, -1.8), y = 0.6, name = "flat" },
            pc.free{ shape = "box", width = 0.2, height = 0.3, mass = 2, x = x(1.8, 2.2), y = 0.8, angle = x(-1, 1),
                rate = x(-3, 3), vx = x(-0.5, 0.5), name = "tilted" },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.7, vx = seed % 2 * x(-0.2, 0.2), name = "disc" },
            pc.bar{ x = sign * -0.6, y = 0.5, x2 = 0, y2 = 0.1 }, pc.bar{ x = 0, y = 0.1, x2 = sign * 0.6, y2 = 0.5 },
            pc.floor{ height = 0 },
        }
        parts.contact = contact
        return pc.simulate(pc.scene(parts), { duration = 0.45 })
    end

    it("and a mirror changes nothing either", function()
        local ties = 0
        for _, contact in ipairs{ law.newton(0.8, 0.2), law.poisson(0.6, 0.1), law.stronge(0.9, 0.3), compliant[3] } do
            for seed = 1, 6 do
                local one, other = in_mirror(1, seed, contact), in_mirror(-1, seed, contact)
                assert.equal(one.impact_count, other.impact_count)
                for _, hit in ipairs(one.impacts) do if hit.rule == "tied" then ties = ties + 1 end end
                local a, b = one:at(0.45), other:at(0.45)
                for _, name in ipairs{ "flat", "tilted", "disc" } do
                    for key, turn in pairs{ x = -1, y = 1, angle = -1, vx = -1, vy = 1, rate = -1 } do
                        near(b[name .. "." .. key], turn * a[name .. "." .. key], 1e-9, 1e-9)
                    end
                end
            end
        end
        assert.is_true(ties >= 48)
    end)

    it("leaves a rack as symmetric as it was", function()
        local run = pc.simulate(pc.scene(list_of(scenes.break_shot())), { duration = 0.6 })
        local s = run:at(0.6)
        -- rows of the rack are symmetric about y = 0
        local pairs_of = { { "b2", "b3" }, { "b4", "b6" }, { "b7", "b10" }, { "b8", "b9" } }
        for _, p in ipairs(pairs_of) do
            near(s[p[1] .. ".x"], s[p[2] .. ".x"], 1e-9, 1e-9)
            near(s[p[1] .. ".y"], -s[p[2] .. ".y"], 1e-9, 1e-9)
            near(s[p[1] .. ".vy"], -s[p[2] .. ".vy"], 1e-9, 1e-9)
        end
        near(s["cue.y"], 0, 0, 1e-12)
        near(s["b1.vy"], 0, 0, 1e-12)
    end)
end)

describe("the study of landing flat", function()
    it("finds symmetry by default, and the closed form of the sequence", function()
        local s = assert(loadfile "scripts/motion/landing_flat.lua")("--quiet", "--no-figures")
        local function computed(name) return assert(s.by_name[name], name).computed end
        near(computed "box, tied: spins at", 0, 0, 1e-12)
        near(computed "rod, tied: spins at", 0, 0, 1e-12)
        near(computed "disc in a V, tied: leaves sideways at", 0, 0, 1e-12)
        near(computed "box, sequential: spins at", 6.65010761, 1e-8)
        near(computed "rod, sequential: spins at", -0.169132965, 1e-8)
        near(computed "disc in a V, sequential: leaves sideways at", 1.98704573, 1e-8)
    end)
end)

describe("a cradle of balls that touch", function()
    it("hands the motion on by default: its contacts do not approach at once", function()
        for raised = 1, 3 do
            local parts = { contact = law.newton(1) }
            for i = 1, 5 do
                parts[i] = pc.chain{ links = { { mass = 1, length = 1, center = 1, inertia = 0.004, radius = 0.1 } },
                    pivot = { x = 0.2 * (i - 1) }, angles = { i <= raised and -0.4 or 0 } }
            end
            local run = pc.simulate(pc.scene(parts), { duration = 0.7 })
            local before, after = run.impacts[1].u_before, run.impacts[#run.impacts].u_after
            for i = 1, 5 do
                near(after[i], i > 5 - raised and before[1] or 0, 1e-9, 1e-9)
                assert.is_nil(run.impacts[i % #run.impacts + 1].flags.order_dependent)
            end
        end
    end)
end)
