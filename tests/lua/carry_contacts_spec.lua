-- Displacements carried through contacts that last and through impacts at one instant: against closed forms, and
-- against differences of neighbouring motions.
local pc = require "percuss"

local tight = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }

local near = require "within"

local function kinds(run)
    local seen = {}
    for _, event in ipairs(run.events) do seen[event.name] = (seen[event.name] or 0) + 1 end
    return seen
end

-- make(s) is the scene with its start displaced by s d. The run, and what was carried against the central difference,
-- whose error is the square of the distance, 1e-12, times second derivatives, and rounding of the states over it.
local function compare(make, duration, d, bound)
    local h = 1e-6
    local function go(s) return pc.simulate(make(s), { duration = duration, solver = tight }) end
    local run, a, b = go(0), go(h):at(duration), go(-h):at(duration)
    local got, size = run:carry(d), 1
    for i = 1, #d.q do size = math.max(size, math.abs(got.q[i]), math.abs(got.u[i])) end
    for i = 1, #d.q do
        near((a.q[i] - b.q[i]) / (2 * h), got.q[i], (bound or 1e-8) * size, "q" .. i)
        near((a.u[i] - b.u[i]) / (2 * h), got.u[i], (bound or 1e-8) * size, "u" .. i)
    end
    return run, got
end

local function disc(o)
    return pc.free{ shape = "disc", radius = 0.1, mass = 1, x = o.x, y = o.y or 0.1, angle = o.angle, vx = o.vx,
        vy = o.vy, rate = o.rate }
end

-- A disc with some of everything, displaced in everything.
local tumbling = { q = { 0.3, 0.5, 0.2 }, u = { 0.7, 0.3, 0.4 } }
local function tumble(s)
    return disc{ x = 0.3 * s, y = 0.3 + 0.5 * s, angle = 0.2 * s, vx = 2 + 0.7 * s, vy = 0.3 * s, rate = 1 + 0.4 * s }
end

-- Two links above a wall or a floor, driven at their pivot.
local function driven(obstacle, law)
    return function(s)
        local rig = pc.chain{
            links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.4, radius = 0.03, damping = 0.02 } },
            angles = { 0.1 + 0.5 * s, 0.2 }, rates = { 0.3 * s, 0.2 * s },
            pivot = { amplitude_x = 0.06, frequency = 6 },
        }
        return pc.scene{ rig, obstacle, contact = law }
    end, { q = { 0.5, 0 }, u = { 0.3, 0.2 } }
end

describe("a displacement carried through contacts that last", function()
    it("of a block that slides and stops moves it by what the stopping distance gains", function()
        local mu, g, v, dx, dv = 0.3, 9.81, 1, 0.3, 0.7
        local function make(s)
            local box = pc.free{ shape = "box", width = 0.4, height = 0.2, mass = 1, x = dx * s, y = 0.1,
                vx = v + dv * s }
            return pc.scene{ box, pc.floor{ height = 0 },
                contact = pc.contact.newton{ restitution = 0, friction = mu } }
        end
        local run, d = compare(make, 1, { q = { dx, 0, 0 }, u = { dv, 0, 0 } })
        assert.equal(2, kinds(run).stick)
        near(dx + v * dv / (mu * g), d.q[1], 1e-9)
        near(0, d.u[1], 1e-12)
        -- while it slides the velocity keeps its displacement
        d = run:carry({ q = { dx, 0, 0 }, u = { dv, 0, 0 } }, 0, 0.2)
        near(dx + 0.2 * dv, d.q[1], 1e-9)
        near(dv, d.u[1], 1e-9)
    end)

    it("of a disc that slides until it rolls keeps its momentum about the line of contact", function()
        local function make(s)
            return pc.scene{ disc{ x = 0.3 * s, angle = 0.2 * s, vx = 1 + 0.7 * s, rate = 1 + 0.4 * s },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0, friction = 0.3 } }
        end
        local run, d = compare(make, 1, { q = { 0.3, 0, 0.2 }, u = { 0.7, 0, 0.4 } })
        assert.equal(1, kinds(run).stick)
        -- m v r - J w with J = m r^2/2
        near((2 * 0.7 - 0.1 * 0.4) / 3, d.u[1], 1e-9)
        near(-d.u[1] / 0.1, d.u[3], 1e-8)
    end)

    it("passes the impact without restitution with which a contact begins", function()
        local run = compare(function(s)
            return pc.scene{ tumble(s), pc.floor{ height = 0 },
                contact = pc.contact.newton{ restitution = 0, friction = 0.2 } }
        end, 1.5, tumbling)
        local seen = kinds(run)
        assert.same({ 1, 1, 1 }, { seen.impact, seen.contact, seen.stick })
    end)

    it("passes the end of bounces that accumulate, whose time it displaces", function()
        -- the last bounces are 4e-13 m high: rounding of positions is 1e-4 of that, and a share of 1e-6 of what goes on
        local run = compare(function(s)
            return pc.scene{ tumble(s), pc.floor{ height = 0 },
                contact = pc.contact.poisson{ restitution = 0.5, friction = 0.1 } }
        end, 1.5, tumbling, 1e-6)
        assert.equal(1, kinds(run).accumulation)
        assert.equal(1, kinds(run).stick)
        compare(driven(pc.wall{ x = -0.05, side = "right" }, pc.contact.poisson{ restitution = 0.4, friction = 0.2 }),
            1.4, select(2, driven()), 1e-6)
    end)

    it("passes the bounce that is too slow for v_rest", function()
        local run = compare(function(s)
            return pc.scene{ tumble(s), pc.floor{ height = 0 }, v_rest = 0.3,
                contact = pc.contact.poisson{ restitution = 0.5, friction = 0.1 } }
        end, 1.5, tumbling)
        assert.equal(3, run.impact_count)
    end)

    it("of a driven pendulum that is pressed against a wall goes through slip, its reversals and lift-off", function()
        local make, d = driven(pc.wall{ x = -0.05, side = "right" },
            pc.contact.poisson{ restitution = 0, friction = 0.2 })
        local seen = kinds((compare(make, 2.3, d)))
        assert.is_true(seen.contact == 2 and seen.reversal >= 2 and seen.lift_off == 1)
        -- one that has one coordinate alone is held where it is: nothing is left
        local run = pc.simulate(pc.scene{
            pc.chain{ links = { { mass = 1, length = 0.5, radius = 0.03 } }, angles = { 0.1 },
                pivot = { amplitude_x = 0.06, frequency = 6 } },
            pc.wall{ x = -0.05, side = "right" }, contact = pc.contact.poisson{ restitution = 0, friction = 0.2 },
        }, { duration = 2, solver = tight })
        assert.is_true(kinds(run).contact >= 1)
        near(0, run:carry{ q = { 1 }, u = { 1 } }.q[1], 1e-8)
    end)

    it("of a chain whose end slides on a floor passes stick that breaks at a greater friction", function()
        local d = { q = { 0.5, -0.3 }, u = { 0.3, 0.2 } }
        local function make(law)
            return function(s)
                local rig = pc.chain{
                    links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.5, radius = 0.02 } },
                    angles = { 0.3 + 0.5 * s, 0.9 - 0.3 * s }, rates = { 0.3 * s, 0.2 * s },
                    pivot = { amplitude_x = 0.06, frequency = 6 },
                }
                return pc.scene{ rig, pc.floor{ height = -0.83 }, contact = law }
            end
        end
        local sliding = compare(make(pc.contact.poisson{ restitution = 0, friction = 0.2 }), 1.3, d)
        assert.is_true(kinds(sliding).reversal >= 1)
        local sticking = compare(
            make(pc.contact.kane_levinson{ restitution = 0, friction = 0.2, static_friction = 0.4 }), 2.1, d)
        assert.is_true(kinds(sticking).stick >= 1 and kinds(sticking).slip >= 1)
    end)

    it("goes round and off an edge", function()
        local function scene(body, mu)
            return pc.scene{ body, pc.step{ x = 0, y = 0, side = "left" },
                contact = pc.contact.newton{ restitution = 0, friction = mu } }
        end
        local rolls = compare(function(s)
            return scene(disc{ x = -0.2 + 0.3 * s, angle = 0.2 * s, vx = 1 + 0.7 * s, rate = -6 + 0.4 * s }, 0.3)
        end, 0.5, { q = { 0.3, 0, 0.2 }, u = { 0.7, 0, 0.4 } })
        assert.is_true(kinds(rolls).stick == 1 and kinds(rolls).slip == 1 and kinds(rolls).lift_off == 1)
        local slips = compare(function(s)
            return scene(pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 1, x = -0.4 + 0.3 * s, y = 0.05,
                vx = 2 + 0.7 * s }, 0.1)
        end, 0.29, { q = { 0.3, 0, 0 }, u = { 0.7, 0, 0 } })
        assert.equal(2, kinds(slips).lift_off) -- a corner after the other
    end)

    it("of a block that rocks passes impacts that close one contact and open another", function()
        local run = compare(function(s)
            return pc.scene{ pc.free{ shape = "box", width = 0.2, height = 0.4, mass = 1, y = 0.5, angle = 0.1 + s },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0, friction = 0.9 } }
        end, 0.8, { q = { 0, 0, 1 }, u = { 0, 0, 0 } })
        assert.is_true(kinds(run).lift_off >= 2)
    end)

    it("may be carried in parts, and loses what the contact forbids where it begins", function()
        local world = driven(pc.wall{ x = -0.05, side = "right" },
            pc.contact.poisson{ restitution = 0, friction = 0.2 })(0)
        local run = pc.simulate(world, { duration = 2, solver = tight })
        local d = { q = { 1, -1 }, u = { 0.5, 2 } }
        local begin, off
        for _, event in ipairs(run.events) do
            if event.name == "contact" then begin = begin or event.time end
            if event.name == "lift_off" then off = off or event.time end
        end
        local whole = run:carry(d)
        for _, cut in ipairs{ begin, (begin + off) / 2, off } do
            local part = run:carry(run:carry(d, 0, cut), cut, 2)
            for i = 1, 2 do
                near(whole.q[i], part.q[i], 1e-7)
                near(whole.u[i], part.u[i], 1e-7)
            end
        end
        -- in contact the end of the second link moves along the wall alone
        local middle = (begin + off) / 2
        local state, held = run:at(middle), run:carry(d, middle, middle)
        near(0, 0.5 * math.cos(state.q[1]) * held.q[1] + 0.4 * math.cos(state.q[2]) * held.q[2], 1e-9)
        assert.is_true(math.abs(held.q[1]) > 1e-3)
    end)

    it("makes Lyapunov exponents of motions with lasting contacts, and says where nothing is left", function()
        local law = pc.contact.poisson{ restitution = 0, friction = 0.2 }
        local l = pc.lyapunov(driven(pc.wall{ x = -0.05, side = "right" }, law)(0), { duration = 20, solver = tight })
        assert.is_true(l.impacts > 5 and l.exponent == l.exponent and math.abs(l.exponent) < 10)
        local rig = pc.chain{ links = { { mass = 1, length = 0.5, radius = 0.03 } }, angles = { 0.5 } }
        local resting = pc.scene{ rig, pc.wall{ x = 0.1, side = "right" }, contact = law }
        assert.error_matches(function() pc.lyapunov(resting, { duration = 10 }) end, "nothing is left")
    end)

    it("is put back with the velocity that its new place allows", function()
        -- a rod that turns about its foot, which stays on the floor: y = l cos phi, and vy = -l sin phi w
        local l, phi, w = 0.5, 0.5, 1
        local run = pc.simulate(pc.scene{ pc.free{ shape = "rod", length = 2*l, mass = 1, angle = phi,
            y = l*math.cos(phi), rate = w, vy = -l*math.sin(phi)*w }, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 0, friction = 0 } }, { duration = 0.1, solver = tight })
        local d = run:carry({ q = { 0, 0.3, 0.1 }, u = { 0, 0, 0 } }, 0, 0)
        near(-l*math.sin(phi)*d.q[3], d.q[2], 1e-11)
        near(-l*math.cos(phi)*w*d.q[3] - l*math.sin(phi)*d.u[3], d.u[2], 1e-11)
    end)
end)

describe("a displacement carried through impacts at one instant", function()
    local function two(together)
        return function(s)
            return pc.scene{ disc{ x = -0.4 + 0.3 * s, y = 0.3 + 0.2 * s, vx = 2 + 0.7 * s },
                disc{ x = 0.4 + 0.3 * s, y = 0.3 - 0.1 * s, vx = 2 + 0.7 * s, rate = s }, pc.floor{ height = 0 },
                together = together, contact = pc.contact.newton{ restitution = 0.5, friction = 0.1 } }
        end
    end

    it("is defined where the impacts are on bodies that do not touch", function()
        for _, together in ipairs{ "sequential", "simultaneous" } do
            local run = compare(two(together), 0.3, { q = { 0.3, 0.2, 0, 0.3, -0.1, 0 }, u = { 0.7, 0, 0, 0.7, 0, 1 } })
            assert.equal(run.impacts[1].time, run.impacts[2].time)
        end
    end)

    it("is defined in a smooth corner, where either order gives the same, and not in a rough one", function()
        local d = { q = { 0.3, 0.2, 0 }, u = { 0.7, 0, 0 } }
        local function corner(friction)
            return pc.simulate(pc.scene{
                pc.free{ shape = "disc", radius = 0.125, mass = 1, x = 0.5, y = 0.5, vx = -1, vy = -1 },
                pc.floor{ height = 0 }, pc.wall{ x = 0, side = "right" }, gravity = 0,
                contact = pc.contact.newton{ restitution = 0.5, friction = friction },
            }, { duration = 1 })
        end
        local run = corner(0)
        assert.equal(run.impacts[1].time, run.impacts[2].time)
        local got, T = run:carry(d), 0.375
        -- each coordinate by itself: the farther it has to go at -1, the shorter it goes at 1/2
        near(-0.5 * (0.3 + T * 0.7) - 0.5 * 0.7 * (1 - T), got.q[1], 1e-9)
        near(-0.5 * 0.2, got.q[2], 1e-9)
        near(-0.5 * 0.7, got.u[1], 1e-9)
        assert.error_matches(function() corner(0.2):carry(d) end,
            "body on .- and body on .- are struck at once at t = 0%.375, and the motion depends on which is first")
    end)

    it("is not defined for a box that lands flat", function()
        local run = pc.simulate(pc.scene{ pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 1, y = 0.25 },
            pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0.1 } },
            { duration = 0.3 })
        assert.error_matches(function() run:carry{ q = { 0, 1, 0 }, u = { 0, 0, 0 } } end,
            "corner1 on floor and .*corner2 on floor are struck at once")
    end)

    it("is that of the joint impact where the others touch before and go on to touch", function()
        local function row(first, second)
            return function(s)
                local function ball(x, vx)
                    return pc.free{ shape = "disc", radius = 0.5, mass = 1, x = x, vx = vx }
                end
                return pc.scene{ ball(-1.1 + first * s, 1), ball(second * s), ball(1), gravity = 0,
                    together = "simultaneous", contact = pc.contact.poisson{ restitution = 0.8, friction = 0 } }
            end
        end
        compare(row(1, 0), 1, { q = { 1, 0, 0, 0, 0, 0, 0, 0, 0 }, u = { 0, 0, 0, 0, 0, 0, 0, 0, 0 } })
        local run = pc.simulate(row(1, 0)(0), { duration = 1 })
        assert.error_matches(function()
            run:carry{ q = { 0, 0, 0, -1, 0, 0, 0, 0, 0 }, u = { 0, 0, 0, 0, 0, 0, 0, 0, 0 } }
        end, "are struck at once at t = 0.1, and the motion depends on which is first")
    end)

    it("is refused where a compliant contact moves along", function()
        local run = pc.simulate(pc.scene{ disc{ y = 0.3 }, pc.floor{ height = 0 }, configuration = "moving",
            contact = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3 } }, { duration = 0.5 })
        assert.error_matches(function() run:carry(tumbling) end, 'configuration = "moving"')
        near(0.5 + 0.1 * 0.3, run:carry(tumbling, 0, 0.1).q[2], 1e-9)
    end)
end)
