-- Compliant laws within motions: configuration = "moving".
local pc = require "percuss"

local function near(expected, actual, bound, name)
    assert.is_true(math.abs(expected - actual) <= bound,
        ("%s: expected %.17g, got %.17g, bound %.1e"):format(name or "value", expected, actual, bound))
end

local function tight(rtol)
    return pc.solver.dop853{ rtol = rtol, atol = rtol / 10 }
end

local function ball(options)
    local shape = { shape = "disc", radius = 0.1, mass = 2 }
    for key, value in pairs(options) do shape[key] = value end
    return pc.free(shape)
end

local function on_floor(law, body, options)
    local scene = { ball(body), pc.floor{ height = 0 }, contact = law, configuration = "moving" }
    for key, value in pairs(options or {}) do scene[key] = value end
    return pc.scene(scene)
end

-- energy and what was taken from it or brought to it since the start
local function balance(run, t)
    local s = run:at(t)
    return s.energy + s.damped + s.friction + s.lost + s.dissipated - s.torque - s.pivot
end

local springs = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.2, friction = 0.3 }

describe("a ball on a linear spring", function()
    -- m u'' = m g - k u from u = 0 with w: u = u0 (1 - cos(Wt)) + w/W sin(Wt), u0 = m g/k, which is 0 again after
    -- 2 (pi - atan(w/(W u0)))/W
    local m, k, g, h = 2, 1e6, 9.81, 0.5
    local W, w = math.sqrt(k / m), math.sqrt(2 * g * h)
    local duration = 2 * (math.pi - math.atan(w / (W * m * g / k))) / W

    it("bounces with the period of the closed form, and the bounces do not change", function()
        local run = pc.simulate(on_floor(springs, { y = 0.1 + h }), { duration = 20, solver = tight(1e-12) })
        local fall, period = math.sqrt(2 * h / g), 2 * math.sqrt(2 * h / g) + duration
        assert.equal(31, run.impact_count)
        for i, hit in ipairs(run.impacts) do
            near(fall + (i - 1) * period, hit.time, 1e-11 * i, "impact " .. i)
            near(duration, hit.duration, 1e-11)
            near(1, hit.restitution.kinematic, 1e-11)
            near(0, hit.loss, 1e-10)
            assert.equal("compliant", hit.rule)
            assert.equal("rebound", hit.outcome)
        end
        assert.equal("compliant", run.rule)
    end)

    it("is pressed as far, and as hard, as its energy says", function()
        local run = pc.simulate(on_floor(springs, { y = 0.1 + h }), { duration = 0.5, solver = tight(1e-12) })
        local deepest = m * g / k * (1 + math.sqrt(1 + 2 * k * h / (m * g)))
        local hit = run.impacts[1]
        near(k * deepest, hit.peak.n, 1e-9 * k * deepest, "force")
        local turn = run:at(hit.time + hit.peak.n_time)
        near(-deepest, turn.gap, 1e-12)
        near(0, turn.vy, 1e-8)
        near(k * deepest^2 / 2, turn.stored, 1e-10)
    end)

    it("rests where the spring carries it, if it begins there", function()
        local run = pc.simulate(on_floor(springs, { y = 0.1 - m * g / k }), { duration = 3 })
        assert.equal("contact", run.impacts[1].outcome)
        near(-m * g / k, run:at(3).gap, 1e-15)
        near(m * g, run:at(3).F_n, 1e-9)
        assert.equal(1, #run.contacts)
    end)

    it("put down without speed, swings about that place with twice its depth", function()
        local run = pc.simulate(on_floor(springs, { y = 0.1 }), { duration = 0.1, solver = tight(1e-11) })
        for i = 1, 9 do
            local t = i * 0.0101
            near(-m * g / k * (1 - math.cos(W * t)), run:at(t).gap, 1e-9 * m * g / k)
        end
    end)

    it("comes to mg/k when the floor damps, and says how much that took", function()
        local floor = pc.contact.kelvin_voigt{ stiffness = k, damping_ratio = 0.4, friction = 0 }
        local run = pc.simulate(on_floor(floor, { y = 0.15 }), { duration = 3, solver = tight(1e-10) })
        near(-m * g / k, run:at(3).gap, 1e-12)
        near(balance(run, 0), balance(run, 3), 1e-9)
        near(m * g * (0.05 + m * g / k) - (m * g)^2 / (2 * k), run:at(3).dissipated, 1e-9)
    end)
end)

describe("one impact", function()
    local function struck(law, stiffness_of, vt, rtol)
        local run = pc.simulate(on_floor(law(stiffness_of), { y = 0.1, vx = vt, vy = -1 }, { gravity = 0 }),
            { duration = 1e-2, solver = tight(rtol or 1e-12) })
        return run.impacts[1]
    end

    it("of a disc is the frozen one, since its W does not change", function()
        local body = pc.body.disc{ radius = 0.1, mass = 2 }
        local laws = {
            function() return pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.2, friction = 0.4 } end,
            function()
                return pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 0.7, friction = 0.9, restitution = 0.6 }
            end,
            function() return pc.contact.hunt_crossley{ stiffness = 1e8, restitution = 0.7, friction = 0.2 } end,
            function()
                return pc.contact.kelvin_voigt{ stiffness = 1e6, restitution = 0.5, friction = 0.5,
                    tangential = "spring", tangential_stiffness = 8e5 }
            end,
            function() return pc.contact.coupled{ modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.3 } end,
            function()
                return pc.contact.hertz_mindlin{ modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.4 }
            end,
            function()
                return pc.contact.tsuji{ modulus = 1e8, radius = 0.1, restitution = 0.8, friction = 0.3 }
            end,
            function()
                return pc.contact.walton_braun{ stiffness = 1e6, restitution = 0.5, friction = 0.4 }
            end,
            function()
                return pc.contact.thornton{ modulus = 1e8, radius = 0.1, yield = 1e6, friction = 0.4 }
            end,
            function()
                return pc.contact.lankarani_nikravesh{ stiffness = 1e8, restitution = 0.8, friction = 0.3 }
            end,
        }
        for number, law in ipairs(laws) do
            for _, vt in ipairs{ 0, 0.1, 1, -3 } do
                local frozen, hit = pc.collide(body, law(), { v = { vt, -1 } }), struck(law, nil, vt)
                local name = ("law %d, v_t = %g: "):format(number, vt)
                -- the distance of the exact thresholds of stick is known to the root of the error
                near(frozen.velocity.n, hit.velocity.n, 1e-9, name .. "v_n")
                near(frozen.velocity.t, hit.velocity.t, 1e-8, name .. "v_t")
                near(frozen.impulse.t, hit.impulse.t, 1e-8, name .. "p_t")
                near(frozen.duration, hit.duration, 1e-8 * frozen.duration, name .. "duration")
                near(frozen.peak.n, hit.peak.n, 1e-8 * frozen.peak.n, name .. "force")
                near(frozen.loss, hit.loss, 1e-8, name .. "loss")
                near(frozen.work.friction, hit.work.friction, 1e-8, name .. "friction")
                if vt ~= 0 then assert.equal(#frozen.phases, #hit.phases, name .. "phases") end
            end
        end
    end)

    it("by Hunt and Crossley's law has the restitution of the closed form", function()
        -- a - ln(1 + a) = -b - ln(1 - b), a = zeta v_in, b = zeta v_out
        local zeta = 1.3
        local law = pc.contact.hunt_crossley{ stiffness = 1e8, damping = zeta, friction = 0 }
        local hit = pc.simulate(on_floor(law, { y = 0.1, vy = -1 }, { gravity = 0 }),
            { duration = 1e-2, solver = tight(1e-12) }).impacts[1]
        local b = zeta * hit.velocity.n
        near(zeta - math.log(1 + zeta), -b - math.log(1 - b), 1e-10)
    end)

    it("of a rod that turns is Brach's simulation", function()
        -- Brach (1993), Tables 3 and 4: k = 1000 N/m, computed anew as percuss.collide(..., "moving") does
        local body = pc.body.rod{ length = 1, mass = 1, angle = math.pi / 4 }
        for _, row in ipairs{ { 0.6, 0.01, 1.69 }, { 0.2, 0.3, 1.7 }, { 0, 0.2, 0 }, { -1, 0.5, 20 } } do
            local law = pc.contact.hunt_crossley{ stiffness = 1000, exponent = 1, damping = row[3], friction = row[2] }
            local alone = pc.collide(body, law, { v = { row[1], -1 }, omega = 0 }, { configuration = "moving" })
            local rod = pc.free{ shape = "rod", length = 1, mass = 1, angle = math.pi / 4, vx = row[1], vy = -1,
                y = 0.5 * math.cos(math.pi / 4) }
            local run = pc.simulate(pc.scene{ rod, pc.floor{ height = 0 }, contact = law, configuration = "moving",
                gravity = 0 }, { duration = 0.15, solver = tight(1e-12) })
            local hit = run.impacts[1]
            near(alone.velocity.t, hit.velocity.t, 1e-9, "v_t")
            near(alone.velocity.n, hit.velocity.n, 1e-9, "v_n")
            near(alone.duration, hit.duration, 1e-9, "duration")
            near(alone.impulse.n, hit.impulse.n, 1e-9, "p_n")
        end
    end)
end)

describe("several contacts at once", function()
    it("in a row of Hertz spheres are those of percuss.cradle", function()
        local law = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }
        local sphere = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        local driven = pc.cradle{ bodies = { sphere, sphere, sphere, sphere, sphere }, contact = law,
            velocity = { 1, 0, 0, 0, 0 } }
        local parts = { contact = law, configuration = "moving", gravity = 0 }
        for i = 1, 5 do
            parts[i] = pc.free{ shape = "disc", radius = 0.01, mass = 0.03, x = 0.02 * (i - 1),
                vx = i == 1 and 1 or 0, name = "ball" .. i }
        end
        local run = pc.simulate(pc.scene(parts), { duration = 1e-3, solver = tight(1e-13) })
        local last = run:at(1e-3)
        for i = 1, 5 do near(driven.velocity[i], last["ball" .. i .. ".vx"], 1e-11, "ball " .. i) end
        assert.equal(4, run.impact_count)
        for i, hit in ipairs(run.impacts) do near(driven.contacts[i].impulse, hit.impulse.n, 1e-12) end
    end)
end)

describe("refusals", function()
    it("name what is missing", function()
        local floor = pc.floor{ height = 0 }
        assert.has_error(function()
            pc.scene{ ball{}, floor, contact = pc.contact.newton{ restitution = 1, friction = 0 },
                configuration = "moving" }
        end, "scene: configuration = \"moving\" needs a compliant law at one contact at least, such as " ..
            "contact.linear or contact.hunt_crossley")
        local ok, message = pcall(pc.scene, { ball{}, floor, configuration = "moving",
            contact = pc.contact.maw{ modulus = 1e9, radius = 0.1, poisson = 0.3, friction = 0.3 } })
        assert.is_false(ok)
        assert.truthy(message:find("contact.maw (body on floor) gives whole impacts only", 1, true), message)
        ok, message = pcall(pc.simulate, on_floor(springs, { y = 0.2 }), { duration = 1,
            contact_solver = pc.solver.rk4{ step = 1e-3 } })
        assert.is_false(ok)
        assert.truthy(message:find("contact_solver needs a method that chooses its steps", 1, true), message)
    end)
end)
