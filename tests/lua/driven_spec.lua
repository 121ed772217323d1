-- Obstacles that move and belts: the checked values of tests/reference/world.json, closed forms, the same motion in the
-- frame of the obstacle, ledger, functions, errors.
local pc = require "percuss"
local within = require "within"

local case = require "world_case"

local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }
local newton = pc.contact.newton

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

-- A ball above a table A sin(w t), from its lowest point's height and speed.
local function bounce(e, A, w, g, y0, v0, options)
    return simulate({
        pc.free{ shape = "disc", radius = 0.01, mass = 1, y = y0 + 0.01, vy = v0 },
        pc.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
        gravity = g, contact = newton{ restitution = e, friction = 0 },
    }, options)
end

-- Every joule: what moves, was lost and went into friction is what was there and what drives and forces gave.
local function closes(run, scale, tolerance)
    local a, b = run:at(run.start or 0), run:at(run.time)
    local left = b.energy + b.damped + b.friction + b.lost - b.torque - b.pivot - b.drive - a.energy
    within(0, left / scale, tolerance or 1e-11, "ledger")
end

local function events_of(run, contact, names)
    local out = {}
    for _, event in ipairs(run.events) do
        if names[event.name] and event.contact == contact then out[#out + 1] = event end
    end
    return out
end

describe("a ball on a vibrating table", function()
    for _, id in ipairs{ "table-fixed-1", "table-fixed-3" } do
        it("bounces once in its periods: " .. id, function()
            local i, o = case(id)
            local A, w, T = i.A_of_orbit, i.omega, 2 * math.pi / i.omega
            local t0 = o.time_of_impact
            local run = bounce(i.e, A, w, i.g, A * math.sin(w * t0), o.speed_after,
                { start = t0, duration = (5 * i.periods_per_flight + 0.5) * T })
            assert.equal(5, #run.impacts)
            for k, hit in ipairs(run.impacts) do
                within(k * i.periods_per_flight * T, hit.time - t0, 1e-12, "time")
                within(o.speed_after, hit.u_after[2], 1e-11, "speed")
            end
            closes(run, o.speed_after ^ 2)
            -- the multipliers: a displacement of the start, carried over one flight and its impact, at the next one
            local to = t0 + i.periods_per_flight * T
            local one = bounce(i.e, A, w, i.g, A * math.sin(w * t0), o.speed_after,
                { start = t0, duration = to - t0 + 1e-9 })
            local columns = {}
            for k, d in ipairs{ { q = { 0, 1, 0 }, u = { 0, 0, 0 } }, { q = { 0, 0, 0 }, u = { 0, 1, 0 } } } do
                local image = one:carry(d, t0, to + 1e-9)
                columns[k] = { image.q[2], image.u[2] }
            end
            within(o.trace, columns[1][1] + columns[2][2], 2e-8, "trace") -- after 1e-9 s more
            within(o.determinant, columns[1][1] * columns[2][2] - columns[1][2] * columns[2][1], 2e-8, "determinant")
        end)
    end

    for _, id in ipairs{ "table-flip2-1", "table-flip2-2" } do
        it("bounces twice in its periods where the first orbit has flipped: " .. id, function()
            local i, o = case(id)
            local A, w = o.A_flip_2, i.omega
            local t1, t2 = table.unpack(o.times_of_the_two_impacts)
            local run = bounce(i.e, A, w, i.g, A * math.sin(w * t1), o.speed_after_first,
                { start = t1, duration = 4.4 * math.pi / w + 1e-3 })
            assert.equal(2, #run.impacts)
            within(o.first_flight, run.impacts[1].time - t1, 1e-12, "first flight")
            within(o.second_flight, run.impacts[2].time - run.impacts[1].time, 1e-12, "second flight")
            within(0, (run.impacts[1].time - t2) % (2 * math.pi / w), 1e-12, "phase")
            within(o.speed_after_first, run.impacts[2].u_after[2], 1e-11, "speed")
        end)
    end

    for _, id in ipairs{ "table-orbit30-1", "table-orbit30-3", "table-orbit30-4" } do
        it("from rest: " .. id, function()
            local i, o = case(id)
            -- bounces too low for rounding are taken for the end of their sequence: compared down to flights of 2e-6 s
            local run = bounce(i.e, i.A, i.omega, i.g, i.y0, i.v0, { duration = o.times[30] + 1e-3 })
            local seen = 0
            for k, time in ipairs(o.times) do
                if k > #run.impacts or (k > 1 and time - o.times[k - 1] < 2e-6) then break end
                within(time, run.impacts[k].time, 2e-13 + 1e-13 * k, "time of impact " .. k)
                -- the speed of a disc of 1 kg at its centre; rates of the table's curve times the error in time
                within(o.speed_before[k], run.impacts[k].u_before[2], 2e-11, "speed before")
                within(o.speed_after[k], run.impacts[k].u_after[2], 2e-11, "speed after")
                seen = k
            end
            assert.is_true(seen >= 19)
            closes(run, 1)
        end)
    end

    it("in chaos keeps to the exact motion as long as rounding lets it", function()
        local i, o = case "table-chaos15-1"
        local run = bounce(i.e, i.A, i.omega, i.g, i.y0, i.v0, { duration = o.times[15] + 1e-3 })
        local growth = o.time_shift_per_1e_16_of_y0_at_5_10_15
        for k, time in ipairs(o.times) do
            -- 30 times what a rounding of the height at the start makes, and what a step rounds
            within(time, run.impacts[k].time, 1e-13 + 30 * growth[math.ceil(k / 5)], "time of impact " .. k)
        end
    end)

    it("is thrown and held once a period without restitution", function()
        local i, o = case "table-inelastic"
        local run = bounce(0, i.A, i.omega, i.g, 0, i.A * i.omega, { duration = 3.5 * 2 * math.pi / i.omega })
        local T = 2 * math.pi / i.omega
        local lifts, lands = events_of(run, "body on table", { lift_off = true }), run.impacts
        for k = 1, 3 do
            within(o.time_lift_off + (k - 1) * T, lifts[k].time, 1e-12, "lift-off")
            within(o.speed_lift_off, run:at(lifts[k].time, "before").vy, 1e-11, "speed")
            within(o.time_landing + (k - 1) * T, lands[k].time, 1e-11, "landing")
            within(o.approach_speed_at_landing, -lands[k].velocity_before.n, 1e-10, "approach")
            within(o.loss_per_cycle_per_mass, lands[k].loss, 1e-11, "loss")
        end
        within(o.rest_until_next_lift_off, lifts[2].time - lands[1].time, 1e-11, "rest")
        closes(run, 1)
        -- over one period the ball comes back with what it had: the table gives what is lost
        within(o.loss_per_cycle_per_mass, run:work("table", lifts[1].time, lifts[2].time), 1e-10, "work")
    end)

    for _, id in ipairs{ "table-zeno-1", "table-zeno-2" } do
        it("comes to rest after infinitely many bounces: " .. id, function()
            local i, o = case(id)
            local run = bounce(i.e, i.A, i.omega, i.g, i.y0, i.v0, { duration = 0.34 })
            local ends = events_of(run, "body on table", { accumulation = true })
            within(o.time_of_rest, ends[1].time, 2e-11, "rest")
            closes(run, 0.2)
            if not o.time_lift_off then return end
            local lifts = events_of(run, "body on table", { lift_off = true })
            within(o.time_lift_off, lifts[1].time, 1e-11, "lift-off")
            within(o.speed_lift_off, run:at(lifts[1].time, "after").vy, 1e-10, "speed")
            local next
            for _, hit in ipairs(run.impacts) do next = next or (hit.time > lifts[1].time and hit.time) end
            within(o.next_impact, next, 1e-9, "next impact")
            within(o.second_time_of_rest, ends[2].time, 1e-9, "second rest")
            within(o.second_lift_off, lifts[2].time, 1e-11, "second lift-off")
        end)
    end

    it("is never missed by it, however fast it shakes", function()
        local bounces, compared = require "table_bounces" (1, 4, 301)
        assert.is_true(bounces > 1000 and compared > 0.9 * bounces)
    end)

    it("flies by the closed form as by the method, whatever falls on whatever shakes", function()
        local state = 2024
        local function uniform(a, b)
            state = (1664525 * state + 1013904223) % 4294967296
            return a + (b - a) * state / 4294967296
        end
        local shapes = { { shape = "disc", radius = 0.03 }, { shape = "box", width = 0.04, height = 0.02 },
            { corners = { { -0.02, -0.01 }, { 0.03, -0.01 }, { 0, 0.03 } } }, { shape = "rod", length = 0.1 } }
        local discs = { { shape = "sphere", radius = 0.03 }, { shapes = { { shape = "disc", radius = 0.02, mass = 1 },
            { shape = "disc", radius = 0.03, mass = 2, x = 0.03 } } } }
        local compared = 0
        for trial = 1, 60 do
            local function part(x)
                local body = { mass = 1, y = uniform(0.2, 0.4), x = x + uniform(-0.1, 0.1), vx = uniform(-0.5, 0.5),
                    vy = uniform(-0.5, 0.5), rate = uniform(-9, 9), angle = uniform(0, 6) }
                for k, v in pairs(trial <= 40 and shapes[trial % 4 + 1] or discs[trial % 2 + 1]) do
                    body[k] = v
                end
                if body.shapes then body.mass = nil end
                return pc.free(body)
            end
            local w = uniform(10, 80)
            local function run(events)
                local more = { pc.wall{ x = 2, side = "left" }, pc.wall{ x = -2, side = "right" } }
                if trial > 40 then -- discs may meet others and round pegs as well
                    more = { part(0.4), pc.peg{ x = 0.2, y = 0.1, radius = 0.02,
                        motion = { amplitude_x = 0.03, frequency = 20 } } }
                end
                return simulate({ part(0), more[1], more[2], gravity = 9.81,
                    pc.plane{ x = 0, y = 0, nx = uniform(-0.2, 0.2), ny = 1, motion = { amplitude_x = uniform(0, 0.02),
                        amplitude_y = uniform(5, 15) / w ^ 2, frequency = w, phase = uniform(0, 6) } },
                    pc.wall{ x = 1, side = "left" }, pc.wall{ x = -1, side = "right" },
                    contact = newton{ restitution = 0.7, friction = 0.2 },
                }, { duration = 1, max_impacts = 6, events = events })
            end
            local before = state
            local free = run(nil)
            state = before
            local integrated = run{ { name = "never", g = function() return 1 end } }
            assert.equal(#integrated.impacts, #free.impacts)
            for k, hit in ipairs(integrated.impacts) do
                -- a corner that lands turns errors of 1e-12 into some decades more at each impact
                within(hit.time, free.impacts[k].time, 1e-11 * 10 ^ k, "time")
                within(hit.u_after[2], free.impacts[k].u_after[2], 1e-10 * 10 ^ k, "speed")
                compared = compared + 1
            end
            closes(free, 10)
            assert.is_true(free.statistics.steps < integrated.statistics.steps or #free.impacts == 0)
        end
        assert.is_true(compared > 100)
    end)

    it("moves apart from a neighbour as fast as the exact map says", function()
        local i, o = case "table-lyapunov-1"
        local run = bounce(i.e, i.A, i.omega, i.g, 0.05, 1.3, { duration = 320, solver = pc.solver.dop853{} })
        assert.is_true(#run.impacts > 300)
        local l = pc.lyapunov(run.scene, { duration = 320, interval = 4 })
        -- 390 impacts: the mean of that many scatters by some 0.2 per second over starts
        within(o.per_second, l.exponent, 0.35, "per second")
        within(o.mean_flight, 320 / #run.impacts, 0.12, "mean flight")
    end)

    it("on a floor that rises at a constant speed bounces as on one at rest", function()
        local i, o = case "table-lift"
        for _, derivatives in ipairs{ 0, 1, 2 } do
            local function rise(t)
                if derivatives == 0 then return 0, i.floor_speed * t, 0 end
                if derivatives == 1 then return 0, i.floor_speed * t, 0, 0, i.floor_speed, 0 end
                return 0, i.floor_speed * t, 0, 0, i.floor_speed, 0, 0, 0, 0
            end
            local run = simulate({
                pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1 + i.drop_height },
                pc.floor{ height = 0, motion = rise }, gravity = i.g,
                contact = newton{ restitution = i.e, friction = 0 },
            }, { duration = 2.7 })
            for k, time in ipairs(o.times) do
                within(time, run.impacts[k].time, 1e-11, "time") -- through 10 bounces
                within(o.approach_speeds[k], -run.impacts[k].velocity_before.n, 1e-11, "speed")
            end
            within(o.time_of_rest, events_of(run, "body on floor", { accumulation = true })[1].time, 1e-9, "rest")
            within(i.floor_speed, run:at(2.7).vy, 1e-9, "carried")
            closes(run, i.g)
        end
    end)

    it("rests until its floor begins to move", function()
        local i, o = case "floor-starts"
        local A, w = i.A, i.omega
        local function motion(t)
            if t < 3 then return 0, 0, 0, 0, 0, 0, 0, 0, 0 end
            local s = w * (t - 3)
            return 0, A * (1 - math.cos(s)), 0, 0, A * w * math.sin(s), 0, 0, A * w ^ 2 * math.cos(s), 0
        end
        local run = simulate({
            pc.free{ shape = "disc", radius = 0.02, mass = 2, y = 0.02 }, pc.floor{ height = 0, motion = motion },
            gravity = i.g, contact = newton{ restitution = i.restitution, friction = 0 },
        }, { duration = 3.16, breaks = { 3 } })
        within(o.lift_off_time, events_of(run, "body on floor", { lift_off = true })[1].time, 1e-11, "lift-off")
        within(o.lift_off_speed, run:at(o.lift_off_time + 1e-12).vy, 1e-9, "speed")
        within(o.contact_force_over_mass_at_3, run:at(3 + 1e-9).F_n / 2, 1e-5, "force")
        within(o.first_impact, run.impacts[1].time, 1e-11, "impact")
        within(o.speed_before, run.impacts[1].u_before[2], 1e-10, "before")
        within(o.speed_after, run.impacts[1].u_after[2], 1e-10, "after")
        closes(run, 1)
    end)
end)

describe("a belt", function()
    for _, id in ipairs{ "stickslip-cycle-1", "stickslip-damped" } do
        it("carries a block on a spring until it slips: " .. id, function()
            local i, o = case(id)
            local m, V, g = i.mass, i.belt_speed, 10
            local run = simulate({
                -- a disc that cannot turn: its inertia is that of a wall
                pc.free{ shape = "disc", radius = 0.1, mass = m, inertia = 1e12, y = 0.1, vx = V },
                pc.floor{ height = 0, name = "belt", surface_speed = V },
                pc.spring{ a = "body", b_at = { 0, 0.1 }, stiffness = i.stiffness, damping = i.damping or 0 },
                gravity = g,
                contact = newton{ restitution = 0, friction = i.kinetic_force / (m * g),
                    static_friction = i.static_force / (m * g) },
            }, { duration = 4 })
            local slips = events_of(run, "body on belt", { slip = true })
            local sticks = events_of(run, "body on belt", { stick = true })
            assert.is_true(#slips >= 4)
            for k = 1, 3 do
                within(o.slip_duration, sticks[k].time - slips[k].time, 1e-10, "slip")
                within(o.stick_duration, slips[k + 1].time - sticks[k].time, 1e-10, "stick")
                within(o.x_slip_start or o.slip_start, run:at(slips[k].time).x, 1e-11, "begins")
                within(o.x_slip_end or o.slip_end, run:at(sticks[k].time).x, 1e-11, "ends")
            end
            closes(run, 1)
            if not o.heat_per_cycle then return end
            within(o.first_slip_time, slips[1].time, 1e-11, "first")
            within(o.heat_per_cycle, run:at(slips[3].time).friction - run:at(slips[2].time).friction, 1e-11, "heat")
            within(o.heat_per_cycle, run:work("belt", slips[2].time, slips[3].time), 1e-11, "work")
            local x_max, v_min = 0, 0
            for t = slips[1].time, sticks[1].time, 1e-4 do
                local at = run:at(t)
                x_max, v_min = math.max(x_max, at.x), math.min(v_min, at.vx)
            end
            within(o.x_max, x_max, 1e-8, "farthest")
            within(o.v_min, v_min, 1e-6, "fastest")
        end)
    end

    it("takes a block along: half of its work is heat", function()
        local i, o = case "conveyor-block"
        local run = simulate({
            pc.free{ shape = "box", width = 0.2, height = 0.1, mass = i.mass, y = 0.05 },
            pc.floor{ height = 0, surface_speed = i.belt_speed }, gravity = i.g,
            contact = newton{ restitution = 0, friction = i.friction },
        }, { duration = 1 })
        local at = run:at(1)
        within(o.time_of_stick, events_of(run, "body.corner1 on floor", { stick = true })[1].time, 1e-11, "stick")
        within(o.distance, run:at(o.time_of_stick).x, 1e-11, "distance")
        within(o.heat, at.friction, 1e-11, "heat")
        within(o.work_of_belt, at.drive, 1e-11, "work")
        within(i.belt_speed, at.vx, 1e-12, "carried")
        closes(run, 4)
    end)

    it("takes a block uphill", function()
        local i, o = case "conveyor-incline"
        local s, c = math.sin(i.slope), math.cos(i.slope)
        local run = simulate({
            pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 3, x = -0.05 * s, y = 0.05 * c, angle = i.slope },
            pc.plane{ nx = -s, ny = c, surface_speed = i.belt_speed, name = "belt" }, gravity = i.g,
            contact = newton{ restitution = 0, friction = i.friction },
        }, { duration = 1 })
        local stick = o.time_of_stick
        within(stick, events_of(run, "body.corner1 on belt", { stick = true })[1].time, 1e-11, "stick")
        local at = run:at(stick)
        within(o.distance, (at.x + 0.05 * s) * c + (at.y - 0.05 * c) * s, 1e-11, "distance")
        within(o.heat_per_mass, at.friction / 3, 1e-11, "heat")
        within(o.acceleration, run:at(stick / 2).vx / c / (stick / 2), 1e-10, "acceleration")
        closes(run, 4)
    end)

    it("sets a disc rolling where it stands", function()
        local i, o = case "conveyor-disc"
        local run = simulate({
            pc.free{ shape = "disc", radius = i.radius, mass = i.mass, y = i.radius },
            pc.floor{ height = 0, surface_speed = i.belt_speed }, gravity = i.g,
            contact = newton{ restitution = 0, friction = i.friction },
        }, { duration = 1 })
        within(o.time_of_roll, events_of(run, "body on floor", { stick = true })[1].time, 1e-11, "roll")
        within(o.v, run:at(1).vx, 1e-11, "v")
        within(o.omega, run:at(1).rate, 1e-10, "omega")
        within(o.distance, run:at(o.time_of_roll).x, 1e-11, "distance")
        within(o.heat, run:at(1).friction, 1e-11, "heat")
        closes(run, 4)
    end)

    it("round a drum turns what leans on it, as the same drum does that turns itself", function()
        -- a disc between a drum and a wall; the drum's surface runs at 2 m/s by itself, or because the drum turns
        local function spun(drum)
            return simulate({
                pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.25 / math.sqrt(2), y = 0.25 / math.sqrt(2) },
                drum, pc.wall{ x = 0.25 / math.sqrt(2) + 0.1, side = "left" },
                contact = newton{ restitution = 0, friction = 0.1 },
            }, { duration = 0.3 })
        end
        local belt = spun(pc.peg{ x = 0, y = 0, radius = 0.15, surface_speed = 2, name = "drum" })
        local wheel = spun(pc.peg{ x = 0, y = 0, radius = 0.15, name = "drum",
            motion = function(t) return 0, 0, -2 / 0.15 * t, 0, 0, -2 / 0.15, 0, 0, 0 end })
        for _, name in ipairs{ "rate", "F_t1", "F_n1", "F_t2", "F_n2", "drive", "friction" } do
            within(wheel:at(0.2)[name], belt:at(0.2)[name], 1e-10, name)
        end
        assert.is_true(belt:at(0.2).rate > 1)
        closes(belt, 1)
        closes(wheel, 1)
    end)

    it("may change its speed, by a function with or without its rate", function()
        for _, told in ipairs{ true, false } do
            local run = simulate({
                pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.05 },
                pc.floor{ height = 0, surface_speed = function(t)
                    if told then return 0.1 * math.sin(5 * t), 0.5 * math.cos(5 * t) end
                    return 0.1 * math.sin(5 * t)
                end }, gravity = 10, contact = newton{ restitution = 0, friction = 0.1 },
            }, { duration = 1 })
            within(0.1 * math.sin(5), run:at(1).vx, 1e-10, "sticks")
            within(0.5 * math.cos(1), run:at(0.2).F_t1 + run:at(0.2).F_t2, 1e-9, "force")
            closes(run, 0.01, 1e-9)
        end
    end)
end)

describe("a shaken track", function()
    for _, id in ipairs{ "shaken-1", "shaken-3", "shaken-5" } do
        it("moves its block: " .. id, function()
            local i, o = case(id)
            local slope, beta = tonumber(i.slope), tonumber(i.direction_angle)
            local A, w, s, c = tonumber(i.A), i.omega, math.sin(slope), math.cos(slope)
            -- a disc that cannot turn stands for the block: one contact
            local run = simulate({
                pc.free{ shape = "disc", radius = 0.01, inertia = 1e9, mass = 1, x = -0.01 * s, y = 0.01 * c,
                    vx = A * w * math.cos(beta + slope), vy = A * w * math.sin(beta + slope) },
                pc.plane{ nx = -s, ny = c, name = "track", motion = { frequency = w,
                    amplitude_x = A * math.cos(beta + slope), amplitude_y = A * math.sin(beta + slope) } },
                gravity = i.g, contact = newton{ restitution = 0, friction = tonumber(i.friction) },
            }, { duration = 30 * 2 * math.pi / w + 1e-9 })
            local function along(at) return (at.x + 0.01 * s) * c + (at.y - 0.01 * c) * s end
            local seen = {}
            for _, event in ipairs(run.events) do
                local mode = event.mode
                if event.name == "lift_off" then
                    seen[#seen + 1] = { event.time, "flight" }
                elseif event.name == "slip" or event.name == "reversal" or event.name == "contact" then
                    seen[#seen + 1] = { event.time, mode }
                elseif event.name == "stick" then
                    seen[#seen + 1] = { event.time, "stick" }
                end
            end
            if seen[1][1] == 0 then table.remove(seen, 1) end -- the contact at the start
            for k, expected in ipairs(o.events) do
                within(expected.time, seen[k][1], 1e-10, "event " .. k)
                assert.equal(expected.becomes, seen[k][2])
                within(expected.x, along(run:at(expected.time)), 1e-9, "place")
                local at = run:at(seen[k][1], "after")
                within(expected.v, at.vx * c + at.vy * s, 1e-8, "speed")
            end
            within(o.x_after_30_cycles, along(run:at(30 * 2 * math.pi / w)), 1e-8, "after 30 cycles")
            closes(run, 1)
        end)
    end
end)

describe("an obstacle that moves", function()
    local law = newton{ restitution = 0.6, friction = 0.3 }

    it("gives the motion that a chain's pivot gives a disc", function()
        -- the same table as a disc on a link with a moving pivot, which does not turn
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.03, y = 0.4, rate = 2 }
        local link = { mass = 1, length = 1, center = 0, inertia = 1e12, reach = 0, radius = 0.2 }
        local pivot = { amplitude_y = 0.02, amplitude_x = 0.01, frequency = 30, phase = 0.3 }
        local shaker = pc.chain{ links = { link }, pivot = pivot }
        local a = simulate({ ball, shaker, contact = law, gravity = 9.81 }, { duration = 0.8 })
        local b = simulate({ ball, pc.peg{ x = 0, y = 0, radius = 0.2, motion = pivot }, contact = law },
            { duration = 0.8 })
        assert.equal(#a.impacts, #b.impacts)
        assert.is_true(#a.impacts >= 2)
        for k = 1, #a.impacts do
            within(b.impacts[k].time, a.impacts[k].time, 1e-9, "time")
            within(b.impacts[k].impulse.n, a.impacts[k].impulse.n, 1e-8, "impulse")
        end
        within(b:at(0.8).x, a:at(0.8)["body.x"], 1e-8, "place")
    end)

    it("is seen from its own frame as one at rest in another gravity", function()
        -- a floor that accelerates upwards by 2 m/s^2 and sideways by 1 m/s^2, by differences of its place
        local function box(options)
            options.shape, options.width, options.height, options.mass = "box", 0.2, 0.1, 1
            options.y, options.angle, options.rate = 0.5, 0.4, 1.5
            return pc.free(options)
        end
        local moving = simulate({ box{ vx = 0.1 }, pc.floor{ height = 0, motion = function(t)
            return 0.5 * t ^ 2, t ^ 2, 0
        end }, contact = law, gravity = 8 }, { duration = 1 })
        local still = simulate({ box{ vx = 0.1 }, pc.floor{ height = 0 },
            pc.force{ on = "body", fx = -1 }, contact = law, gravity = 10 }, { duration = 1 })
        assert.equal(#still.impacts, #moving.impacts)
        assert.is_true(#still.impacts >= 4)
        for k, hit in ipairs(still.impacts) do
            within(hit.time, moving.impacts[k].time, 1e-8, "time")
            within(hit.loss, moving.impacts[k].loss, 1e-7, "loss")
        end
        within(still:at(1).x, moving:at(1).x - 0.5, 1e-7, "x")
        within(still:at(1).angle, moving:at(1).angle, 1e-6, "angle")
        closes(moving, 5)
    end)

    it("closes the ledger whatever it is and however it moves", function()
        local random = 12345
        local function uniform(a, b)
            random = (1103515245 * random + 12345) % 2147483648
            return a + (b - a) * random / 2147483648
        end
        for number = 1, 40 do
            local motion = { amplitude_x = uniform(-0.02, 0.02), amplitude_y = uniform(-0.02, 0.02),
                amplitude_angle = uniform(-0.2, 0.2), frequency = uniform(3, 40), phase = uniform(0, 6) }
            local surface = number % 3 == 0 and uniform(-1, 1) or nil
            local kind = number % 5
            local options = { motion = motion, surface_speed = surface, name = "it" }
            local function give(more)
                for key, value in pairs(options) do more[key] = value end
                return more
            end
            local obstacle = kind == 0 and pc.block(give{ x = 0, y = -0.3, width = 1, height = 0.4, angle = 0.1 })
                or kind == 1 and pc.peg(give{ x = 0.02, y = -0.3, radius = 0.2 })
                or kind == 2 and pc.floor(give{ height = -0.1 })
                or kind == 3 and pc.bar(give{ x = -0.4, y = -0.1, x2 = 0.5, y2 = -0.15, radius = 0.02 })
                or pc.peg(give{ x = 0.02, y = -0.2, radius = 0 })
            local body = number % 2 == 0 and pc.free{ shape = "box", width = 0.3, height = 0.2, mass = 2, y = 0.3,
                angle = uniform(-1, 1), rate = uniform(-3, 3) }
                or pc.free{ shape = "capsule", length = 0.3, radius = 0.05, mass = 2, y = 0.3, rate = uniform(-3, 3) }
            local contact = number % 4 == 3 and pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2,
                friction = 0.3, restitution = 0.7 } or law
            local run = simulate({ body, obstacle, pc.floor{ height = -2 }, contact = contact,
                configuration = number % 4 == 3 and "moving" or "frozen" },
                { duration = 1, solver = pc.solver.dop853{ rtol = 1e-11 } })
            local a, b = run:at(0), run:at(1)
            local taken = b.friction + b.lost + (number % 4 == 3 and b.dissipated or 0)
            within(0, (b.energy + taken - b.drive - a.energy) / 20, 1e-9, "ledger of scene " .. number)
            -- but for the last of bounces without end, which stop without an impact at some 1e-6 m/s
            within(b.drive, run:work "it", 1e-5, "work in scene " .. number)
        end
    end)

    it("presses compliant contacts: a block on a spring floor that shakes is an oscillator", function()
        local k, m, A, w, g = 1000, 1, 0.001, 20, 10
        local run = simulate({
            pc.free{ shape = "disc", radius = 0.1, mass = m, y = 0.1 - m * g / k },
            pc.floor{ height = 0, motion = { amplitude_y = A, frequency = w } }, gravity = g,
            contact = pc.contact.kelvin_voigt{ stiffness = k, damping = 0, friction = 0 }, configuration = "moving",
        }, { duration = 1.5 })
        -- m y'' = -k (y - A sin w t) from rest at 0
        local w0 = math.sqrt(k / m)
        local B = A * w0 ^ 2 / (w0 ^ 2 - w ^ 2)
        local function exact(t) return B * (math.sin(w * t) - w / w0 * math.sin(w0 * t)) end
        for t = 0.1, 1.5, 0.1 do within(exact(t), run:at(t).y - 0.1 + m * g / k, 1e-10, "y") end
        closes(run, 0.01, 1e-9)
    end)

    it("carries a displacement along as two motions part, whatever it does", function()
        local drives = {
            { motion = { amplitude_x = 0.02, amplitude_y = 0.01, frequency = 11, phase = 0.4 } },
            { motion = { amplitude_angle = 0.1, frequency = 7 } },
            { motion = function(t) return 0.02 * math.sin(9 * t), 0.01 * math.cos(9 * t), 0.05 * math.sin(9 * t) end },
            { surface_speed = 0.7 },
            { surface_speed = function(t) return 0.7 + 0.2 * math.sin(5 * t) end },
        }
        local T, h, names = 0.3, 1e-6, { "q", "u" }
        local direction = { q = { 0.3, 0.2, -0.5 }, u = { 0.1, 0.4, 0.6 } }
        for k, drive in ipairs(drives) do
            drive.height, drive.name = 0, "table"
            local function run(s)
                local q, u = { 0, 0.3, 0.4 }, { 0.1, 0, 1 }
                for i = 1, 3 do
                    q[i], u[i] = q[i] + s * direction.q[i], u[i] + s * direction.u[i]
                end
                return simulate({
                    pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1 }, pc.floor(drive),
                    contact = newton{ restitution = 0.6, friction = 0.3 },
                }, { duration = T, q = q, u = u, time_scale = 0.05 })
            end
            local base = run(0)
            local image, ahead, behind = base:carry(direction), run(h):at(T), run(-h):at(T)
            assert.is_true(#base.impacts >= 1, "drive " .. k)
            for _, name in ipairs(names) do
                for i = 1, 3 do -- differences err by h^2 times a third derivative, and by 1e-13 of places over h
                    within((ahead[name][i] - behind[name][i]) / (2 * h), image[name][i], 1e-6, name .. i .. " of " .. k)
                end
            end
        end
    end)

    it("is drawn, saved and asked where it is", function()
        local scratch = require "tests.lua.scratch"
        local run = bounce(0.5, 0.01, 30, 9.81, 0.05, 0, { duration = 0.4 })
        within(0.01 * math.sin(9), run:at(0.3)["table.y"], 1e-15, "place")
        within(0.3 * math.cos(9), run:at(0.3)["table.vy"], 1e-15, "speed")
        local file = scratch()
        assert.equal(file, run:save(file))
        local again = pc.load_run(file)
        again:continue(0.2)
        run:continue(0.2)
        assert.equal(#run.impacts, #again.impacts)
        assert.equal(run:at(0.6).y, again:at(0.6).y)
        assert.equal(run:at(0.6).drive, again:at(0.6).drive)
        local once = run:section{ at = 2 * math.pi / 30, columns = { "table.y", "y" } }
        for k = 1, #once.t do within(0, once["table.y"][k], 1e-15, "once a period") end
    end)

    -- A floor that rises at once with V throws up what rests on it: its speed is (1 + e) V after the impact.
    it("strikes what rests on it where its velocity jumps", function()
        for _, knows in ipairs{ false, true } do
            local V, e, g, m = 0.7, 0.5, 9.81, 2
            local function motion(t)
                if knows then return 0, V * math.max(0, t - 0.5), 0, 0, t > 0.5 and V or 0, 0, 0, 0, 0 end
                return 0, V * math.max(0, t - 0.5), 0
            end
            local run = simulate({
                pc.free{ shape = "disc", radius = 0.1, mass = m, y = 0.1 }, pc.floor{ height = 0, motion = motion },
                gravity = g, contact = newton{ restitution = e, friction = 0 },
            }, { duration = 0.55, breaks = { 0.5 } })
            local hit, bound = run.impacts[1], knows and 1e-13 or 1e-9 -- as rates are known by differences
            within(0.5, hit.time, 1e-15, "time")
            within((1 + e) * V, hit.u_after[2], bound, "speed")
            within(m * (1 + e) * V * V, hit.driven, 4 * bound, "work of the drive")
            within(m * (1 - e * e) * V * V / 2, hit.loss, 4 * bound, "lost")
            within(0.1 + (1 + e) * V * 0.05 - g * 0.05 ^ 2 / 2, run:at(0.55).q[2], bound, "height")
            closes(run, 1, knows and 1e-11 or 1e-9)
        end
    end)

    it("lets go of what it leaves where its velocity jumps, and draws along what sticks", function()
        local function motion(t) return 0.3 * math.max(0, t - 0.2), -2 * math.max(0, t - 0.4), 0 end
        local run = simulate({
            pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.05, name = "b" },
            pc.floor{ height = 0, motion = motion }, contact = newton{ restitution = 0, friction = 0.5 },
        }, { duration = 0.5, breaks = { 0.2, 0.4 }, solver = pc.solver.dop853{} })
        local slid = 0.3 / (0.5 * 9.81) -- s, until it has the speed of the floor
        within(0, run:at(0.2 + slid / 2)["b.vx"] - 0.15, 1e-9, "it is sped up by friction")
        within(0.3 * (0.2 - slid / 2), run:at(0.4)["b.x"], 1e-9, "then it goes along")
        within(0.05 - 9.81 * 0.1 ^ 2 / 2, run:at(0.5)["b.y"], 1e-9, "and falls freely")
        closes(run, 1, 1e-9)
    end)

    it("jumps as a belt, and under a compliant contact", function()
        local belt = pc.floor{ height = 0, surface_speed = function(t) return t > 0.25 and 1.2 or 0 end }
        local box = { shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.05 }
        local run = simulate({ pc.free(box), belt, contact = newton{ restitution = 0, friction = 0.4 } },
            { duration = 1, breaks = { 0.25 } })
        local slid = 1.2 / (0.4 * 9.81)
        within(1.2 * (0.75 - slid / 2), run:at(1).q[1], 1e-10, "place")
        closes(run, 1)
        -- a mass on a spring whose foot begins to move with V is the oscillator that is struck with -V
        local V, m, k = 0.01, 1, 1e4
        local rise = function(t) return 0, V * math.max(0, t - 0.1), 0, 0, t > 0.1 and V or 0, 0, 0, 0, 0 end
        local spring = simulate({
            pc.free{ shape = "disc", radius = 0.1, mass = m, y = 0.1 - m * 9.81 / k },
            pc.floor{ height = 0, motion = rise }, configuration = "moving",
            contact = pc.contact.kelvin_voigt{ stiffness = k, damping = 0, friction = 0 },
        }, { duration = 0.3, breaks = { 0.1 } })
        local w, t = math.sqrt(k / m), 0.17
        local y = 0.1 - m * 9.81 / k + V * (t - 0.1) - V / w * math.sin(w * (t - 0.1))
        assert.is_true(V * w < 9.81, "or it would lift off")
        within(y, spring:at(t).q[2], 1e-10, "on a spring")
    end)

    it("is not carried past a break that strikes, and says so", function()
        local function motion(t) return 0, 0.5 * math.max(0, t - 0.5), 0 end
        local run = simulate({
            pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1 }, pc.floor{ height = 0, motion = motion },
            contact = newton{ restitution = 0.5, friction = 0 },
        }, { duration = 0.6, breaks = { 0.5 } })
        assert.error_matches(function() run:carry{ q = { 1e-3, 0, 0 }, u = { 0, 0, 0 } } end,
            "not carried past t = 0.5, a break where the velocity of an obstacle jumps")
    end)

    it("is refused where it jumps, has a corner nobody told, or returns rates that are not its own", function()
        local function refused(pattern, y, motion, options)
            options = options or {}
            options.duration = 1
            assert.error_matches(function()
                simulate({
                    pc.free{ shape = "disc", radius = 0.1, mass = 1, y = y }, pc.floor{ height = 0, motion = motion },
                    contact = newton{ restitution = 0.5, friction = 0 },
                }, options)
            end, pattern)
        end
        local function jump(by) return function(t) return 0, t > 0.3 and by or 0, 0 end end
        local function known(by) return function(t) return 0, t > 0.3 and by or 0, 0, 0, 0, 0, 0, 0, 0 end end
        for _, by in ipairs{ 0.1, -0.1 } do
            refused("floor: the place that it moves to jumps by 0.1 m at t = 0.3 s", 0.1, jump(by),
                { breaks = { 0.3 } })
            refused("floor: its motion.* has a corner or a jump near t = 0%.[23]%d*.* in breaks", 0.1, jump(by))
            refused("body on floor: .* belongs into breaks", 0.1, known(by))
        end
        refused("body on floor: the gap jumps to .* m near t = 0.3", 1, known(0.3))
        refused("floor: its motion.* has a corner or a jump near", 0.1, function(t)
            return 0, math.abs(t - 0.3) - 0.3, 0
        end)
        refused("motion returns 0.1 for the rate of its y at t = 0 s, but that changes at 0.9;", 0.1, function(t)
            return 0, 0.1 * math.sin(9 * t), 0, 0, 0.1 * math.cos(9 * t), 0
        end)
        refused("for the rate of its rate of y at t = ", 0.1, function(t)
            return 0, 0.1 * math.sin(9 * t), 0, 0, 0.9 * math.cos(9 * t), 0, 0, 8.1 * math.sin(9 * t), 0
        end)
        assert.error_matches(function() return pc.floor{ height = 0, motion = { amplitude_y = 0.1 } } end,
            "motion: its amplitudes need a frequency %(rad/s%)")
    end)

    it("is not what another part of a thin obstacle does that becomes the nearest", function()
        local function drop(motion)
            return pc.simulate(pc.scene{
                pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 5, x = 0.12, y = 0.5, angle = 0.97,
                    vx = -0.4 },
                pc.track{ x = -1, y = 0, pieces = { { length = 1 } }, motion = motion },
                contact = pc.contact.linear{ stiffness = 2000, tangential = 2000, friction = 0.1 },
                configuration = "moving" }, { duration = 0.8 }):at(0.8)
        end
        local still, held = drop(), drop(function() return 0, 0, 0 end)
        for _, name in ipairs{ "x", "y", "angle", "vx", "vy", "rate" } do
            assert.is_true(math.abs(still[name] - held[name]) < 1e-6, name)
        end
    end)

    it("refuses what it cannot be", function()
        local function fails(pattern, f) assert.error_matches(f, pattern) end
        fails("motion: amplitude_y must be a number", function()
            return pc.floor{ height = 0, motion = { amplitude_y = "x" } }
        end)
        fails("no parameter 'amplitude'; did you mean 'amplitude_", function()
            return pc.floor{ height = 0, motion = { amplitude = 1 } }
        end)
        fails("floor: motion must be", function() return pc.floor{ height = 0, motion = 3 } end)
        fails("floor: surface_speed", function() return pc.floor{ height = 0, surface_speed = 0/0 } end)
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1 }
        local function run(obstacle)
            return pc.simulate(pc.scene{ ball, obstacle, contact = law }, { duration = 2 })
        end
        fails("peg: motion must return x, y and angle.*result 2 is nil", function()
            return run(pc.peg{ x = 0, y = 0, radius = 0.1, motion = function() return 1 end })
        end)
        fails("result 5 is a? ?string", function()
            return run(pc.peg{ x = 0, y = 0, radius = 0.1, motion = function() return 0, 0, 0, 0, "a", 0 end })
        end)
        fails("surface_speed must return a speed.*not a number", function()
            return run(pc.floor{ height = 0, surface_speed = function() return 0/0 end })
        end)
        fails("thrown by the shaker", function()
            return run(pc.floor{ height = 0, motion = function() error "thrown by the shaker" end })
        end)
        fails("no force and no moving obstacle 'tabel'; did you mean 'table'", function()
            return bounce(0.5, 0.01, 30, 9.81, 0.05, 0, { duration = 0.1 }):work "tabel"
        end)
    end)
end)
