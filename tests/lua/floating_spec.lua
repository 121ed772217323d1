-- Chains that nothing holds: conservation; rods joined by pins, free bodies and hanging chains as other ways to a
-- motion; impacts, contacts that last, forces, joints, files, pictures, errors.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"
local within = require "within"

local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }
local newton = pc.contact.newton

local function generator(seed)
    local state = seed
    for _ = 1, 10 do state = state * 16807 % 2147483647 end
    return function(lo, hi)
        state = state * 16807 % 2147483647
        return lo + (hi - lo) * state / 2147483647
    end
end

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

-- Momentum, angular momentum about the origin, of rods whose mass centres are in the middle.
local function momenta(links, s)
    local px, py, L = 0, 0, 0
    local x, y, vx, vy = s.x0, s.y0, s.vx0, s.vy0
    for i, link in ipairs(links) do
        local sine, cosine, w = math.sin(s["angle" .. i]), math.cos(s["angle" .. i]), s["rate" .. i]
        local c = link.length / 2
        local cx, cy, cvx, cvy = x + c * sine, y - c * cosine, vx + c * w * cosine, vy + c * w * sine
        px, py = px + link.mass * cvx, py + link.mass * cvy
        L = L + link.mass * (cx * cvy - cy * cvx) + link.mass * link.length ^ 2 / 12 * w
        x, y = x + link.length * sine, y - link.length * cosine
        vx, vy = vx + link.length * w * cosine, vy + link.length * w * sine
    end
    return px, py, L
end

local function random_chain(random, n, springs)
    local links, angles, rates = {}, {}, {}
    for i = 1, n do
        links[i] = { mass = random(0.5, 2), length = random(0.2, 0.6) }
        if springs and i > 1 then links[i].stiffness, links[i].rest_angle = random(0, 3), random(-0.5, 0.5) end
        angles[i], rates[i] = random(-3, 3), random(-3, 3)
    end
    local pivot = { floats = true, x = random(-1, 1), y = random(-1, 1), vx = random(-1, 1), vy = random(-1, 1) }
    return links, angles, rates, pivot
end

-- The same as rods with pins.
local function rods(links, angles, rates, pivot, shape)
    local parts, x, y, vx, vy = {}, pivot.x, pivot.y, pivot.vx, pivot.vy
    for i, link in ipairs(links) do
        local sine, cosine, w, c = math.sin(angles[i]), math.cos(angles[i]), rates[i], link.length / 2
        local body = { name = "rod" .. i, mass = link.mass, length = link.length, angle = angles[i], rate = w,
            x = x + c * sine, y = y - c * cosine, vx = vx + c * w * cosine, vy = vy + c * w * sine }
        for k, v in pairs(shape or { shape = "rod", touch = "none" }) do body[k] = v end
        if i > 1 then parts[#parts + 1] = pc.pin{ a = "rod" .. i - 1, b = "rod" .. i, at = { x, y } } end
        parts[#parts + 1] = pc.free(body)
        x, y = x + link.length * sine, y - link.length * cosine
        vx, vy = vx + link.length * w * cosine, vy + link.length * w * sine
    end
    return parts
end

-- Impacts by instants.
local function instants(run)
    local list = {}
    for _, hit in ipairs(run.impacts) do
        local last = list[#list]
        if not last or hit.time - last.time > 1e-9 then
            last = { time = hit.time, loss = 0, impulse = 0 }
            list[#list + 1] = last
        end
        last.loss, last.impulse = last.loss + hit.loss, last.impulse + hit.impulse.n
    end
    return list
end

local function closes(run, scale, tolerance)
    local a, b = run:at(0), run:at(run.time)
    within(0, (b.energy + b.damped + b.friction + b.lost - b.torque - b.pivot - a.energy) / scale, tolerance, "ledger")
end

describe("a chain that floats", function()
    it("keeps momentum, angular momentum and energy in free flight", function()
        local random = generator(3)
        for n = 1, 8 do
            local links, angles, rates, pivot = random_chain(random, n, true)
            local run = simulate({ pc.chain{ links = links, angles = angles, rates = rates, pivot = pivot },
                gravity = 0 }, { duration = 2 })
            local a, b = run:at(0), run:at(2)
            local px, py, L = momenta(links, a)
            local qx, qy, M = momenta(links, b)
            -- errors of some 100 steps of 1e-13
            within(px, qx, 1e-11, "momentum")
            within(py, qy, 1e-11, "momentum")
            within(L, M, 1e-11, "angular momentum")
            within(a.energy, b.energy, 1e-11 * a.energy, "energy")
            within(0, b.Rx1, 1e-11, "force at the upper end")
            within(0, b.Ry1, 1e-11, "force at the upper end")
            assert.is_true(math.abs(b.angle1 - a.angle1) > 0.01)
        end
    end)

    it("falls as weight lets its mass centre fall, and turns as without weight", function()
        local links, angles, rates, pivot = random_chain(generator(8), 3)
        local function run(g)
            return simulate({ pc.chain{ links = links, angles = angles, rates = rates, pivot = pivot }, gravity = g },
                { duration = 1 }):at(1)
        end
        local a, b = run(0), run(9.81)
        for i = 1, 3 do within(a["angle" .. i], b["angle" .. i], 1e-11, "angle") end
        within(a.x0, b.x0, 1e-11, "x0")
        within(a.y0 - 9.81 / 2, b.y0, 1e-11, "y0")
    end)

    it("moves as rods that are joined by pins", function()
        local random = generator(11)
        for n = 2, 5 do
            local links, angles, rates, pivot = random_chain(random, n)
            local one = simulate({ pc.chain{ links = links, angles = angles, rates = rates, pivot = pivot } },
                { duration = 1 }):at(1)
            local parts = rods(links, angles, rates, pivot)
            local other = simulate(parts, { duration = 1 }):at(1)
            for i = 1, n do
                within(one["angle" .. i], other["rod" .. i .. ".angle"], 1e-10, "angle")
                within(one["rate" .. i], other["rod" .. i .. ".rate"], 1e-9, "rate")
            end
            within(one.x1, 2 * other["rod1.x"] - one.x0, 1e-10, "x1")
            within(one.energy, other.energy, 1e-10, "energy")
        end
    end)

    it("strikes and rubs along a floor as these rods do", function()
        for seed = 1, 6 do
            local random = generator(seed)
            local links = { { mass = 1, length = 0.5 }, { mass = 2, length = 0.7 } }
            local angles, rates = { random(0.2, 1.4), random(1.7, 2.8) }, { random(-2, 2), random(-2, 2) }
            local pivot = { floats = true, x = 0, y = 1.2, vx = random(-1, 1), vy = 0 }
            local law = newton{ restitution = 0.5, friction = 0.3 }
            local one = simulate({ pc.chain{ links = links, angles = angles, rates = rates, pivot = pivot,
                touch = "joints" }, pc.floor{ height = 0 }, contact = law, together = "sequential" },
                { duration = 0.8, max_impacts = 8 })
            local parts = rods(links, angles, rates, pivot, { shape = "rod" })
            parts[#parts + 1], parts.contact = pc.floor{ height = 0 }, law
            parts.together = "sequential" -- two ends at a joint are not two impacts
            local other = simulate(parts, { duration = 0.8, max_impacts = 8 })
            local first, second = instants(one), instants(other)
            assert.is_true(#first >= 3)
            for k = 1, math.min(#first, #second) - 1 do -- each makes more of the errors before
                local bound = 1e-11 * 10 ^ math.min(k, 5)
                for _, name in ipairs{ "time", "loss", "impulse" } do
                    within(second[k][name], first[k][name], bound, name .. " " .. k)
                end
            end
            closes(one, 30, 1e-10)
        end
    end)

    it("of one link is a rod, whatever it does on a floor", function()
        for _, configuration in ipairs{ "frozen", "moving" } do
            local law = configuration == "frozen" and newton{ restitution = 0.4, friction = 0.5 }
                or pc.contact.kelvin_voigt{ stiffness = 2e4, damping = 15, friction = 0.5 }
            local function drop(part)
                return simulate({ part, pc.floor{ height = 0 }, contact = law, configuration = configuration },
                    { duration = 0.9 })
            end
            local rod = drop(pc.free{ shape = "capsule", length = 0.6, radius = 0.02, mass = 1, inertia = 0.03,
                y = 0.7 - 0.3 * math.cos(0.7), x = 0.3 * math.sin(0.7), angle = 0.7,
                vx = 0.5 + 0.3 * 2 * math.cos(0.7), vy = 0.3 * 2 * math.sin(0.7), rate = 2 })
            local chain = drop(pc.chain{ links = { { mass = 1, length = 0.6, inertia = 0.03, thickness = 0.04 } },
                angles = { 0.7 }, rates = { 2 }, touch = "links",
                pivot = { floats = true, x = 0, y = 0.7, vx = 0.5 } })
            assert.is_true(#rod.impacts > 0 and #chain.impacts > 0)
            for _, t in ipairs{ 0.2, 0.5, 0.9 } do
                local a, b = rod:at(t), chain:at(t)
                within(a.angle, b.angle1, 1e-8, configuration .. " angle")
                within(a.x, (b.x0 + b.x1) / 2, 1e-8, configuration .. " x")
                within(a.y, (b.y0 + b.y1) / 2, 1e-8, configuration .. " y")
                within(a.energy, b.energy, 1e-7, configuration .. " energy")
            end
        end
    end)

    it("that is pinned at its upper end hangs", function()
        local links = { { mass = 1, length = 0.5 }, { mass = 2, length = 0.7, damping = 0.1, stiffness = 2 } }
        local angles, rates = { 0.8, -0.4 }, { 1, 2 }
        local pinned = simulate({ pc.chain{ links = links, angles = angles, rates = rates, touch = "none",
            pivot = { floats = true, x = 0.2, y = 0.1 } }, pc.pin{ a = "chain.link1", at = { 0.2, 0.1 } } },
            { duration = 2 })
        local hangs = simulate({ pc.chain{ links = links, angles = angles, rates = rates, touch = "none",
            pivot = { x = 0.2, y = 0.1 } } }, { duration = 2 })
        local a, b = hangs:at(2), pinned:at(2)
        within(a.angle1, b.angle1, 1e-10, "angle1")
        within(a.angle2, b.angle2, 1e-10, "angle2")
        within(a.Rx1, b["pin.Rx"], 1e-8, "Rx")
        within(a.Ry1, b["pin.Ry"], 1e-8, "Ry")
        within(0.2, b.x0, 1e-14, "x0")
        within(a.damped, b.damped, 1e-10, "damped")
    end)

    it("comes to rest on a floor with its ledger closed", function()
        local links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.5, damping = 0.05 },
            { mass = 1, length = 0.5, damping = 0.05 } }
        local run = simulate({ pc.chain{ links = links, angles = { 1.2, 1.7, 1.4 }, touch = "joints",
            pivot = { floats = true, y = 0.5 } }, pc.floor{ height = 0 },
            contact = newton{ restitution = 0.3, friction = 0.4 } },
            { duration = 4, solver = pc.solver.dop853{ rtol = 1e-10 } })
        local s = run:at(4)
        closes(run, 10, 1e-8)
        for _, name in ipairs{ "y0", "y1", "y2", "y3" } do within(0, s[name], 1e-9, name) end
        within(0, s.kinetic, 1e-12, "kinetic")
        local load = 0
        for i = 1, #run.scene.contacts do load = load + s["F_n" .. i] end
        within(3 * 9.81, load, 1e-9, "load")
    end)

    it("is drawn by springs, and saved, read and continued", function()
        local function world()
            return pc.scene{ pc.chain{ name = "c", links = { { mass = 1, length = 0.3 }, { mass = 1, length = 0.3 } },
                angles = { 1, 2 }, touch = "none", pivot = { floats = true, vx = 1 } },
                pc.free{ name = "ball", shape = "disc", radius = 0.1, mass = 2, x = 1 },
                pc.spring{ a = "c.link1", b = "ball", stiffness = 40, rest_length = 0.5 }, gravity = 0 }
        end
        local run = pc.simulate(world(), { duration = 1, solver = TIGHT })
        local a, b = run:at(0), run:at(1)
        within(a.energy, b.energy, 1e-10, "energy")
        local function momentum(s) -- of two rods of 1 kg: their joint and ends
            local first, second = s["c.rate1"] * math.cos(s["c.angle1"]), s["c.rate2"] * math.cos(s["c.angle2"])
            return 2 * s["c.vx0"] + 0.45 * first + 0.15 * second + 2 * s["ball.vx"]
        end
        within(2, momentum(a), 1e-14, "momentum")
        within(2, momentum(b), 1e-11, "momentum")
        local path = scratch "floating.run"
        local half = pc.simulate(world(), { duration = 0.5, solver = TIGHT })
        half:save(path)
        local again = pc.load_run(path)
        again:continue(0.5)
        half:continue(0.5)
        assert.same(half:at(1), again:at(1))
        within(b["c.x0"], again:at(1)["c.x0"], 1e-11, "x0")
        assert.is_true(#run:plot{ "c.x0", "c.y0", file = scratch "floating.svg" } >= 0)
        run.scene:draw{ file = scratch "floating-scene.svg" }
        os.remove(path)
    end)

    it("carries displacements along", function()
        local links = { { mass = 1, length = 0.5 }, { mass = 2, length = 0.7 } }
        local direction = { q = { 0.3, -0.4, 0.5, 0.2 }, u = { 0.5, 0.1, -0.3, 0.4 } }
        local function run(s)
            local q, u = { 0.9, 0.2, 0, 1.3 }, { 1, -1, 0.5, 0 }
            for i = 1, 4 do q[i], u[i] = q[i] + s * direction.q[i], u[i] + s * direction.u[i] end
            return simulate({ pc.chain{ links = links, pivot = { floats = true } }, pc.floor{ height = 0 },
                contact = newton{ restitution = 0.6, friction = 0.2 } }, { duration = 0.4, q = q, u = u })
        end
        local h, base = 1e-6, run(0)
        assert.is_true(#base.impacts > 0)
        local image, ahead, behind = base:carry(direction), run(h):at(0.4), run(-h):at(0.4)
        for i = 1, 4 do
            within((ahead.q[i] - behind.q[i]) / (2 * h), image.q[i], 1e-6, "q" .. i)
            within((ahead.u[i] - behind.u[i]) / (2 * h), image.u[i], 1e-5, "u" .. i)
        end
    end)

    it("says what has no meaning", function()
        local link = { mass = 1, length = 1 }
        assert.error_matches(function() pc.chain{ links = { link }, pivot = { floats = true, frequency = 3 } } end,
            "pivot: frequency has no effect on one that floats")
        assert.error_matches(function() pc.chain{ links = { link }, pivot = { vx = 3 } } end,
            "pivot: vx has no effect without floats = true")
        assert.error_matches(function()
            pc.chain{ links = { { mass = 1, length = 1, damping = 2 } }, pivot = { floats = true } }
        end, "links%[1%] has no joint above it where the pivot floats")
    end)
end)
