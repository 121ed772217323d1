-- Contacts whose damping is stronger by orders than any that swings, within motions that go on far longer than it takes
-- to act. No outcome is known in closed form; what is asked for is what no motion may break: it comes to its end, soon,
-- its ledger of energy closes, no contact stays closed when it has opened, and friction takes energy.
local pc = require "percuss"

local function balance(s)
    return s.energy + s.damped + s.friction + s.lost + s.dissipated - s.torque - s.pivot
end

-- Run it at this tolerance, and hold it to `bound` times the energy it has. Returns the run.
local function keep(parts, law, duration, rtol, bound, steps)
    parts.contact, parts.configuration = law, "moving"
    local run = pc.simulate(pc.scene(parts), { duration = duration, solver = pc.solver.dop853{ rtol = rtol,
        atol = rtol / 100, max_steps = steps } })
    local first, last = run:at(0), run:at(run.time)
    local scale = math.abs(first.kinetic) + math.abs(first.potential)
    assert.is_true(math.abs(balance(last) - balance(first)) <= bound * scale,
        ("the ledger is open by %.2e of the energy"):format((balance(last) - balance(first)) / scale))
    for i, hit in ipairs(run.impacts) do
        assert.is_true(hit.work.friction <= bound * scale,
            ("friction gives %.2e of the energy at impact %d"):format(hit.work.friction / scale, i))
    end
    return run
end

describe("stiff damping in a motion", function()
    it("lets a pendulum go whose spring along the floor pulls it off faster than the damper opens", function()
        -- the contact ends where u = 0; there, within a step, w falls below -1/zeta as well
        local run = keep({
            pc.chain{ angles = { 0.15, 0.9, 0.22 }, rates = { -3.1, 2.1, -0.86 }, links = {
                { length = 0.384, mass = 1.24 }, { length = 0.257, mass = 1.79 },
                { length = 0.497, mass = 0.342, radius = 0.05 } } },
            pc.floor{ depth = 1.1226 } },
            pc.contact.hunt_crossley{ stiffness = 2.4e5, exponent = 1, damping = 5.4e5, friction = 0.5,
                tangential = "mindlin", stiffness_ratio = 1.47 }, 1, 1e-6, 1e-5, 5000)
        assert.is_true(run.impact_count >= 1)
    end)

    it("sees stick and slip of what is pressed by far less than the damper's greatest force", function()
        local capsule = pc.free{ shape = "capsule", length = 0.164, radius = 0.035, mass = 0.207, y = 0.398,
            angle = 0.904, rate = 8.66, vx = -0.396, vy = -0.075 }
        local run = keep({ capsule, pc.floor{ height = 0 } },
            pc.contact.hunt_crossley{ stiffness = 7.7e5, exponent = 1, damping = 1.6e6, friction = 0.1 },
            1.5, 1e-6, 1e-4, 5000)
        local stuck = 0
        for _, contact in ipairs(run.contacts) do stuck = stuck + (contact.mode == "stick" and 1 or 0) end
        assert.equal(2, #run.contacts)
        assert.is_true(stuck >= 1) -- it lies on both ends, and one is enough to hold it
    end)

    it("takes from friction what springs along the surface hold, and no more", function()
        for _, along in ipairs{ { tangential = "rigid" }, { tangential = "spring", tangential_stiffness = 1e9 },
            { tangential = "mindlin", stiffness_ratio = 1.5 } } do
            for _, zeta in ipairs{ 4e4, 4e5, 4e6 } do
                for seed = 1, 4 do
                    math.randomseed(seed)
                    local body = { shape = seed % 2 == 0 and "box" or "capsule", width = 0.1, height = 0.15,
                        length = 0.2, radius = 0.04, mass = 0.3, y = 0.3, angle = math.random(),
                        vx = math.random() - 0.5, vy = -2 * math.random(), rate = 10 * math.random() - 5 }
                    if body.shape == "box" then body.length, body.radius = nil, nil
                    else body.width, body.height = nil, nil end
                    along.stiffness, along.damping, along.friction = 1e9, zeta, seed / 4
                    keep({ pc.free(body), pc.floor{ height = 0 } }, pc.contact.hunt_crossley(along), 0.3, 1e-7, 1e-5,
                        20000)
                end
            end
        end
    end)

    it("takes long steps where what is pressed rests, slides or rolls, however fast it would swing", function()
        -- swings of 1e5 per s that are damped by a third of what would stop them at once: hundreds of periods until
        -- none is left, then seconds
        local law = { stiffness = 1e9, damping_ratio = 0.3, friction = 0.6 }
        local shapes = {
            rests = { shape = "rod", length = 0.2, mass = 0.2, y = 0.4, angle = -0.5, vx = 0.6, rate = 9 },
            slides = { shape = "capsule", length = 0.2, radius = 0.04, mass = 0.1, y = 0.3, angle = -0.2, vx = -1.3 },
            rolls = { shape = "disc", radius = 0.1, mass = 0.5, y = 0.2, vx = 1, rate = -5 },
        }
        for name, body in pairs(shapes) do
            for _, tension in ipairs{ false, true } do
                law.tension, law.friction = tension, name == "slides" and 0 or 0.6
                local run = keep({ pc.free(body), pc.floor{ height = 0 } }, pc.contact.kelvin_voigt(law), 5, 1e-9, 1e-9,
                    20000)
                local last = run:at(run.time)
                local pressing = name == "rolls" and last.F_n or last.F_n1 + last.F_n2
                assert.is_true(math.abs(pressing - 9.81 * body.mass) < 1e-6, name)
                if name == "slides" then assert.is_true(math.abs(last.vx + 1.3) < 1e-12) end
                if name == "rolls" then assert.is_true(math.abs(last.vx + 0.1 * last.rate) < 1e-9) end
            end
        end
    end)

    it("lets a box leave the corner on which it tilts, however little the damper holds it back by then", function()
        -- a critical damping ten thousand times over: at the touch it pushes with 1e9 N, and soon with the weight
        local box = pc.free{ shape = "box", width = 0.075686, height = 0.124633, mass = 0.138594, y = 0.469683,
            angle = 0.782142, rate = -4.585272, vx = -0.77386, vy = -0.157789 }
        local run = keep({ box, pc.floor{ height = 0 } },
            pc.contact.kelvin_voigt{ stiffness = 2.287e9, damping_ratio = 10998, friction = 1, tangential = "spring",
                tangential_stiffness = 4.852e8 }, 0.5, 1e-6, 1e-5, 100000)
        for i = 1, 400 do
            local s = run:at(i / 800)
            for corner = 1, 4 do assert.is_true(s["F_n" .. corner] > -0.1) end
        end
    end)

    it("begins once with each touch, though the damper makes much of the rounding of a gap", function()
        -- among pendulums that differ by next to nothing some touch with a gap that rounds to more than nothing
        local law = pc.contact.hunt_crossley{ stiffness = 3e8, damping = 8.5e5, friction = 0.1 }
        for i = 0, 60 do
            local run = pc.simulate(pc.scene{
                pc.chain{ links = { { length = 0.38242696174230006 + 1e-5 * i, mass = 0.125, radius = 0.05 } },
                    angles = { -1.2047375990699194 }, rates = { 3.4477457709946222 } },
                pc.floor{ depth = 0.22239222337417625 }, contact = law, configuration = "moving" },
                { duration = 0.1, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-13, max_steps = 5000 } })
            assert.equal(1, run.impact_count)
        end
    end)

    it("sees a slip that ends within the damper's own time", function()
        local disc = pc.free{ shape = "disc", radius = 0.077147375900929072, mass = 2.8741097350530636,
            angle = -1.0412964312774826, rate = 5.7131123579655192, vx = -0.62307354885790822,
            vy = -1.4359590319698796, y = 0.44591606686915231 }
        local run = keep({ disc, pc.floor{ height = 0 }, pc.wall{ side = "right", x = -0.35 },
            pc.wall{ side = "left", x = 0.6 } },
            pc.contact.kelvin_voigt{ damping_ratio = 112697, friction = 1.522, stiffness = 59373707 }, 3, 1e-6, 1e-5,
            5000)
        assert.is_true(run.impact_count > 1)
    end)

    it("lets a rod leave a wall that it has touched more slowly than the motion around it goes", function()
        local rod = pc.free{ shape = "rod", angle = -1.2137527103598988, length = 0.28309918516583532,
            mass = 0.13107927710841841, rate = -4.1774994916563513, vx = -1.6711647463517068,
            vy = -1.6986078318567293, y = 0.4490766069323634 }
        local run = keep({ rod, pc.floor{ height = 0 }, pc.wall{ side = "right", x = -0.35 } },
            pc.contact.hunt_crossley{ damping = 34806.520599650699, friction = 1, stiffness = 90534345.105736062,
                tangential = "spring", tangential_stiffness = 48141768.572657757 }, 0.3, 1e-6, 1e-5, 20000)
        for i = 1, 300 do
            local s = run:at(i / 1000)
            for pair = 1, #run.scene.contacts do
                if s["F_n" .. pair] ~= 0 then assert.is_true(s["gap" .. pair] < 1e-9) end
            end
        end
    end)

    it("of one impact makes no energy of a jam that it cannot follow", function()
        local pendulum = pc.body.pendulum{ angle = 0.51381759196421872, length = 0.60988508189008539,
            mass = 2.9726567002823128 }
        local law = pc.contact.kelvin_voigt{ damping_ratio = 3857.0566623917116, friction = 1,
            stiffness = 93971052.214576021, stiffness_ratio = 0.95678181421844355, tangential = "mindlin" }
        local ok, hit = pcall(pc.collide, pendulum, law, { rate = -1.1676033790980913 }, { configuration = "moving" })
        if ok then assert.is_true(hit.energy.after <= hit.energy.before)
        else assert.matches("its slip could not be followed", tostring(hit)) end
    end)

    it("under tension lets a point without friction come to rest and go back", function()
        local box = pc.body.box{ angle = 0.83, height = 0.468, width = 0.57, mass = 5.38 }
        for _, vt in ipairs{ 1.12, -1.12, 0 } do
            local hit = pc.collide(box, pc.contact.kelvin_voigt{ stiffness = 5.7e9, damping_ratio = 0.78, friction = 0,
                tension = true, tangential = "spring", tangential_stiffness = 1e9 }, { vt = vt, vn = -6.9 })
            assert.equal(0, hit.work.friction)
            -- without friction the tangent does nothing: restitution of the spring and dashpot
            local e = math.exp(-math.pi * 0.78 / math.sqrt(1 - 0.78 ^ 2))
            assert.is_true(math.abs(hit.restitution.kinematic - e) < 1e-10)
        end
    end)
end)
