-- Displacements carried along motions with impacts, and the exponents made of them: against a known linearised map, an
-- integrable motion, differences of whole motions, and the classical estimate by two neighbours.
local pc = require "percuss"
local near = require "within"

local tight = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }

-- A driven pendulum beside a wall: Shaw and Holmes (1983); irregular at 10 rad/s.
local function driven(w)
    local rig = pc.chain{
        links = { { mass = 1, length = 0.5, center = 0.4, inertia = 0.01, radius = 0.03, damping = 0.02 } },
        angles = { 0.1 }, pivot = { amplitude_x = 0.06, frequency = w },
    }
    return pc.scene{ rig, pc.wall{ x = -0.1, side = "right" },
        contact = pc.contact.poisson{ restitution = 0.7, friction = 0 } }
end

local function double(law)
    local rig = pc.chain{
        links = {
            { mass = 3.2, length = 0.5, inertia = 0.0676 },
            { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
        }, angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 },
    }
    return pc.scene{ rig, pc.floor{ depth = 0.9 }, contact = law }
end

-- A ball above a disc whose centre the pivot of a link moves, on one vertical: to the ball a table that vibrates.
local amplitude, frequency, e, g = 0.02, 40, 0.9, 9.81
local function table_scene(y)
    local shaker = pc.chain{
        links = { { mass = 1, length = 1, center = 0, inertia = 1, reach = 0, radius = 0.2 } }, angles = { 0 },
        pivot = { amplitude_y = amplitude, frequency = frequency },
    }
    local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = y, name = "ball" }
    return pc.scene{ shaker, ball, contact = pc.contact.poisson{ restitution = e, friction = 0 }, gravity = g }
end

describe("a displacement carried along a motion", function()
    it("of a ball on a vibrating table follows the linearised map of its impacts", function()
        local run = pc.simulate(table_scene(0.5), { duration = 40, solver = tight })
        local hits = run.impacts
        local last = 30
        assert.is_true(#hits > last)
        local function speed(t) return amplitude * frequency * math.cos(frequency * t) end
        local function acceleration(t) return -amplitude * frequency ^ 2 * math.sin(frequency * t) end
        near(amplitude * math.sin(frequency * hits[7].time), hits[7].q[3] - 0.3, 1e-12, "table")

        -- displaced at a fixed instant just after the first impact: what that says of its time and velocity
        local V, t = hits[1].u_after[3], hits[1].time
        local dy, dv = 0.3, -0.7
        local dt = dy / (speed(t) - V)
        local dV = dv - g * dt
        for k = 2, last do
            local T = hits[k].time - t
            local arrival = V - g * T
            local next_dt = (speed(t) * dt + T * dV - arrival * dt) / (speed(t + T) - arrival)
            dV = -e * (dV - g * (next_dt - dt)) + (1 + e) * acceleration(t + T) * next_dt
            t, V, dt = hits[k].time, hits[k].u_after[3], next_dt
        end
        local d = run:carry({ q = { 0, 0, dy, 0 }, u = { 0, 0, dv, 0 } }, hits[1].time, t)
        local size = math.abs(dt * (speed(t) - V))
        assert.is_true(size > 1e3) -- it has grown: the motion is irregular
        near(1, d.q[3] / (dt * (speed(t) - V)), 1e-7, "height")
        near(1, d.u[3] / (dV + g * dt), 1e-7, "velocity")
        near(0, d.q[1], 0)
    end)

    it("sees a pulse however short, which breaks or a time scale tell", function()
        local solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-12 }
        local function pulsed(angle, width, told_by_breaks)
            local from, to = 0.5, 0.5 + width
            local scene = pc.scene{
                pc.free{ shape = "disc", radius = 1, mass = 2, angle = angle }, gravity = 0,
                pc.motor{ on = "body", breaks = told_by_breaks and { from, to } or nil, f = function(t, phi)
                    if told_by_breaks then return t > from and t < to and 10 / width * math.sin(phi) or 0 end
                    return 10 / width * math.exp(-((t - from) / width) ^ 2) * math.sin(phi)
                end },
            }
            return pc.simulate(scene, { duration = 1, solver = solver,
                time_scale = not told_by_breaks and 3 * width or nil })
        end
        for _, told_by_breaks in ipairs{ true, false } do
            for _, width in ipairs{ 0.1, 0.01, 1e-3 } do
                local d = pulsed(0.3, width, told_by_breaks):carry{ q = { 0, 0, 1 }, u = { 0, 0, 0 } }
                -- central differences err by the square of h, some 1e-10 of 10, and round at 1e-12 over h
                local h = 1e-5
                local a, b = pulsed(0.3 + h, width, told_by_breaks):at(1), pulsed(0.3 - h, width, told_by_breaks):at(1)
                near((a.rate - b.rate) / (2 * h), d.u[3], 1e-7, "rate")
                near((a.angle - b.angle) / (2 * h), d.q[3], 1e-7, "angle")
                assert.is_true(math.abs(d.u[3]) > 5)
            end
        end
    end)

    it("goes through slip that begins where a force jumps", function()
        local function pushed(x)
            return pc.simulate(pc.scene{
                pc.free{ shape = "box", width = 0.4, height = 0.2, mass = 2, x = x, y = 0.1, name = "b" },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0, friction = 0.4 }, gravity = 10,
                pc.spring{ a = "b", b_at = { 0, 0.1 }, stiffness = 3 },
                pc.force{ on = "b", at = { 0, -0.05 }, breaks = { 0.5, 0.8 }, f = function(t)
                    return t > 0.5 and t < 0.8 and 12 or 0, 0
                end },
            }, { duration = 1.5, solver = tight })
        end
        local run = pushed(0)
        assert.equal("slip", run.events[4].name)
        near(0.5, run.events[4].time, 0)
        -- m x'' = push - friction - k x: a displacement swings with k until the block is at rest again
        local last = run.events[#run.events].time
        local image = run:carry{ q = { 1, 0, 0 }, u = { 0, 0, 0 } }
        near(math.cos(math.sqrt(3 / 2) * (last - 0.5)), image.q[1], 1e-9, "place")
        near(0, image.u[1], 1e-12, "velocity")
    end)

    it("is the same in any units of length and time", function()
        local function carried(L, T)
            local links = {
                { mass = 1, length = 0.5 * L, center = 0.2 * L, inertia = 0.03 * L ^ 2, radius = 0.03 * L },
                { mass = 0.7, length = 0.4 * L, center = 0.2 * L, inertia = 0.02 * L ^ 2, radius = 0.02 * L },
            }
            local rig = pc.chain{ links = links, angles = { 0.7, -0.4 }, rates = { -1 / T, 2 / T } }
            local ball = pc.free{ shape = "disc", radius = 0.05 * L, mass = 0.5, x = 0.2 * L, y = -1.1 * L,
                vx = 0.3 * L / T, vy = -0.5 * L / T, rate = 2 / T }
            local scene = pc.scene{ rig, ball, pc.floor{ depth = 1.3 * L }, pc.wall{ x = -0.6 * L, side = "right" },
                contact = pc.contact.poisson{ restitution = 0.8, friction = 0.2 }, gravity = 9.81 * L / T ^ 2 }
            local run = pc.simulate(scene, { duration = 1.2 * T,
                solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-12 * math.min(1, L) } })
            assert.is_true(run.impact_count >= 4)
            local d = run:carry({ q = { 1e-3, -2e-3, 1e-3 * L, 2e-3 * L, 1e-3 },
                u = { 1e-3 / T, 2e-3 / T, 1e-3 * L / T, -1e-3 * L / T, 2e-3 / T } }, 0, 1.2 * T)
            local q, u = d.q, d.u
            return { q[1], q[2], q[3] / L, q[4] / L, q[5], u[1] * T, u[2] * T, u[3] * T / L, u[4] * T / L, u[5] * T }
        end
        local known = carried(1, 1)
        for _, units in ipairs{ { 1e3, 1 }, { 1e3, 30 }, { 1e-6, 1e-3 }, { 1, 1e3 } } do
            for i, value in ipairs(carried(units[1], units[2])) do -- of about 1e-2, known to 1e-9 of it
                near(known[i], value, 1e-9, ("component %d in units of %g m, %g s"):format(i, units[1], units[2]))
            end
        end
    end)

    for name, law in pairs{
        poisson = pc.contact.poisson{ restitution = 0.9, friction = 0.15 },
        stronge = pc.contact.stronge{ restitution = 0.8, friction = 0.4 },
        linear = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = 0.3 },
    } do
        it("is the difference of neighbouring motions over their distance, with friction: " .. name, function()
            local world = double(law)
            local q, u = { -140 * pc.deg, 90 * pc.deg }, { -1.2, 0.5 }
            local dq, du = { 0.1, 0.2 }, { 0.3, -0.4 }
            local run = pc.simulate(world, { duration = 3.6, solver = tight })
            assert.is_true(run.impact_count >= 3)
            local d = run:carry{ q = dq, u = du }
            -- central differences: their error is the square of the distance, times growth; rounding over it 1e-8
            local h = 1e-6
            local function displaced(s)
                local a, b = {}, {}
                for i = 1, 2 do a[i], b[i] = q[i] + s * dq[i], u[i] + s * du[i] end
                return pc.simulate(world, { duration = 3.6, solver = tight, q = a, u = b }):at(3.6)
            end
            local a, b = displaced(h), displaced(-h)
            local size = 0
            for i = 1, 2 do size = math.max(size, math.abs(d.q[i]), math.abs(d.u[i])) end
            for i = 1, 2 do
                near((a.q[i] - b.q[i]) / (2 * h), d.q[i], 1e-6 * size, "angle")
                near((a.u[i] - b.u[i]) / (2 * h), d.u[i], 1e-6 * size, "rate")
            end
        end)
    end

    it("is linear, and may be carried in parts", function()
        local run = pc.simulate(double(pc.contact.poisson{ restitution = 0.9, friction = 0.15 }), { duration = 4 })
        local function carry(q1, u2, from, to) return run:carry({ q = { q1, 0 }, u = { 0, u2 } }, from, to) end
        local a, b, both = carry(1, 0, 0, 4), carry(0, 1, 0, 4), carry(2, -3, 0, 4)
        local size = math.abs(a.q[1]) + math.abs(b.q[1]) + math.abs(a.u[2]) + math.abs(b.u[2])
        near(2 * a.q[1] - 3 * b.q[1], both.q[1], 1e-7 * size)
        near(2 * a.u[2] - 3 * b.u[2], both.u[2], 1e-7 * size)
        local part = run:carry(carry(2, -3, 0, 2.7), 2.7, 4)
        near(both.u[1], part.u[1], 1e-7 * size)
        local at = run.impacts[2].time -- a cut at an impact
        near(both.u[1], run:carry(carry(2, -3, 0, at), at, 4).u[1], 1e-7 * size)
        assert.equal(run.impacts[3].time > run.impacts[1].time, true)
        local least, time = math.huge, nil
        for _, hit in ipairs(run.impacts) do
            if -hit.velocity_before.n < least then least, time = -hit.velocity_before.n, hit.time end
        end
        near(least, both.slowest, 1e-12)
        assert.equal(time, both.slowest_time)
        assert.is_nil(carry(1, 0, 0, 0.5).slowest)
    end)

    it("goes through a pivot and a torque written in Lua", function()
        local function scene(angle)
            local rig = pc.chain{
                links = { { mass = 1, length = 1, center = 0.5, inertia = 0.1 } }, angles = { angle },
                pivot = function(t) return 0.1 * math.sin(t), 0, 0.1 * math.cos(t), 0, -0.1 * math.sin(t), 0 end,
                torque = function(_, q) return -0.5 * q[1] ^ 3 end,
            }
            return pc.scene{ rig, pc.wall{ x = -0.2, side = "right" },
                contact = pc.contact.newton{ restitution = 0.9, friction = 0.1 } }
        end
        local function run(angle) return pc.simulate(scene(angle), { duration = 4, solver = tight }) end
        local d = run(0.3):carry{ q = { 1 }, u = { 0 } }
        local a, b = run(0.3 + 1e-6):at(4), run(0.3 - 1e-6):at(4)
        near((a.angle1 - b.angle1) / 2e-6, d.q[1], 1e-6)
        near((a.rate1 - b.rate1) / 2e-6, d.u[1], 1e-5)
    end)

    it("passes through impacts of several pairs at one instant, in their order", function()
        -- three balls in a row, the last two touch: the first one's displacement goes over to the last
        local function disc(x, vx) return pc.free{ shape = "disc", radius = 0.5, mass = 1, x = x, vx = vx } end
        local run = pc.simulate(pc.scene{ disc(-1.5, 1), disc(0), disc(1), gravity = 0,
            contact = pc.contact.newton{ restitution = 1, friction = 0 } }, { duration = 2 })
        assert.equal(2, run.impact_count)
        assert.equal(run.impacts[1].time, run.impacts[2].time)
        local q, u = { 0.3, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0.2, 0, 0, 0, 0, 0, 0, 0, 0 }
        local d = run:carry{ q = q, u = u }
        local want_q, want_u = { 0, 0, 0, 0, 0, 0, 0.3 + 0.2 * 2, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0.2, 0, 0 }
        for i = 1, 9 do
            near(want_q[i], d.q[i], 1e-9)
            near(want_u[i], d.u[i], 1e-9)
        end
    end)

    it("goes past edges and off bars that have two faces", function()
        local laws = pc.contact.poisson{ restitution = 0.8, friction = 0.1 }
        local function box(h)
            local body = pc.free{ shape = "box", width = 0.3, height = 0.2, mass = 1, x = -0.05 + 0.3 * h,
                y = 0.5 + 0.2 * h, angle = 0.3 - 0.4 * h, vx = 0.1, rate = h }
            return pc.scene{ body, pc.step{ x = 0, y = 0, side = "right" }, contact = laws }, 0.42
        end
        local function below(h)
            local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.1 * h, y = -1 + 0.2 * h,
                vx = 1 + 0.3 * h, vy = 6, rate = 2 - h }
            return pc.scene{ ball, pc.bar{ x = -2, y = 0, x2 = 2, y2 = 0.5 }, contact = laws }, 0.5
        end
        for _, make in ipairs{ box, below } do
            local function go(h)
                local world, T = make(h)
                return pc.simulate(world, { duration = T, solver = tight })
            end
            local run, a, b = go(0), go(1e-6), go(-1e-6)
            assert.is_true(run.impact_count >= 1)
            local x, y = a:at(a.time), b:at(b.time)
            local d0, e0 = a:at(0), b:at(0)
            local d = { q = {}, u = {} }
            for i = 1, 3 do
                d.q[i], d.u[i] = (d0.q[i] - e0.q[i]) / 2e-6, (d0.u[i] - e0.u[i]) / 2e-6
            end
            local got = run:carry(d)
            for i = 1, 3 do
                near((x.q[i] - y.q[i]) / 2e-6, got.q[i], 1e-5)
                near((x.u[i] - y.u[i]) / 2e-6, got.u[i], 1e-4)
            end
            assert.equal(run.impact_count, a.impact_count)
        end
    end)

    it("is refused outside the motion, for other coordinates, or where nothing was recorded", function()
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.3 }
        local world = pc.scene{ ball, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 0.3, friction = 0 } }
        local zero = { q = { 0, 1, 0 }, u = { 0, 0, 0 } }
        local run = pc.simulate(world, { duration = 2 })
        assert.error_matches(function() run:carry(zero, 1, 5) end, "is not within the motion, 0 to 2")
        assert.error_matches(function() run:carry{ q = { 1 }, u = { 1, 2, 3 } } end, "q must be a list of 3 numbers")
        run = pc.simulate(world, { duration = 0.2, record = false })
        assert.error_matches(function() run:carry(zero) end, "not recorded")
    end)
end)

-- The classical estimate: two motions, whose distance is measured when both have struck equally often and are clear of
-- the obstacle, and set back to the separation.
local function two_neighbours(scene, options)
    local separation, interval = 1e-7, options.interval
    local state = pc.simulate(scene, { duration = options.settle, solver = tight }):at(options.settle)
    local q, u, t = state.q, state.u, options.settle
    local n, sum, aligned = #q, 0, nil
    local dq, du = {}, {}
    for i = 1, n do dq[i], du[i] = separation / math.sqrt(2 * n), separation / math.sqrt(2 * n) end
    while t < options.settle + options.duration - 1e-9 do
        local q2, u2 = {}, {}
        for i = 1, n do q2[i], u2[i] = q[i] + dq[i], u[i] + du[i] end
        local a = pc.simulate(scene, { start = t, duration = interval, solver = tight, q = q, u = u })
        local b = pc.simulate(scene, { start = t, duration = interval, solver = tight, q = q2, u = u2 })
        while a.impact_count ~= b.impact_count or a:at(a.time).gap < 100 * separation do
            a:continue(interval / 20)
            b:continue(interval / 20)
        end
        local x, y, d = a:at(a.time), b:at(b.time), 0
        for i = 1, n do d = d + (x.q[i] - y.q[i]) ^ 2 + (x.u[i] - y.u[i]) ^ 2 end
        d = math.sqrt(d)
        if aligned then sum = sum + math.log(d / separation) end
        for i = 1, n do
            dq[i], du[i] = (y.q[i] - x.q[i]) * separation / d, (y.u[i] - x.u[i]) * separation / d
        end
        q, u, t = x.q, x.u, a.time
        aligned = aligned or t
    end
    return sum / (t - aligned)
end

describe("the largest Lyapunov exponent", function()
    it("of a driven impact pendulum is that of two neighbours, and positive where its motion is irregular", function()
        for _, w in ipairs{ 10, 10.6 } do
            local period = 2 * math.pi / w
            local o = { duration = 40 * period, settle = 20 * period, interval = period }
            local l = pc.lyapunov(driven(w), { duration = o.duration, settle = o.settle, interval = period,
                solver = tight })
            -- neighbours 1e-7 apart see second derivatives, which grazes make large: 1e-5 of the exponent here
            near(two_neighbours(driven(w), o), l.exponent, 1e-4, "exponent at " .. w)
            assert.equal(w == 10, l.exponent > 0.3)
            assert.is_true(l.impacts >= 10 and l.slowest > 0)
        end
    end)

    it("of a ball between elastic walls is 0: the distance grows with time, by its law", function()
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, vx = 1 }
        local world = pc.scene{ ball, pc.wall{ x = -1, side = "right" }, pc.wall{ x = 1, side = "left" },
            contact = pc.contact.newton{ restitution = 1, friction = 0 }, gravity = 0 }
        for _, T in ipairs{ 20, 200, 2000 } do
            local l = pc.lyapunov(world, { duration = T, interval = 0.7 })
            -- (1, 1)/sqrt(2) in each coordinate becomes (1 + t, 1)/sqrt(2); from t = 0.7 on that is counted
            local function size(t) return math.sqrt(((1 + t) ^ 2 + 1) / 2) end
            local stop = 0.7 * math.floor(T / 0.7 + 1e-9)
            near(math.log(size(stop) / size(0.7)) / (stop - 0.7), l.exponent, 1e-7)
            near(1, l.slowest, 1e-12)
        end
    end)

    it("of an elastic bouncing ball is 0", function()
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
        local world = pc.scene{ ball, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 1, friction = 0 } }
        local short, long = pc.lyapunov(world, { duration = 30 }), pc.lyapunov(world, { duration = 300 })
        -- the distance grows like t
        assert.is_true(long.exponent < 1.5 * math.log(300) / 300)
        assert.is_true(long.exponent < 0.3 * short.exponent)
    end)

    it("refuses what it cannot do by name", function()
        assert.error_matches(function() pc.lyapunov(driven(10), { durations = 3 }) end, "did you mean 'duration'")
        assert.error_matches(function() pc.lyapunov(driven(10), { duration = 0.1 }) end,
            "duration must be greater than interval %(0.5 s%)")
        local law = pc.contact.hunt_crossley{ stiffness = 1e5, damping = 0.1, friction = 0.1 }
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.2 }
        local springy = pc.scene{ ball, pc.floor{ height = 0 }, contact = law, configuration = "moving" }
        -- found deep inside, told at the line of the script
        local _, message = pcall(function() return pc.lyapunov(springy, { duration = 5 }), 0 end)
        assert.matches("lyapunov_spec.lua:%d+: .*configuration = \"moving\"", message)
    end)
end)
