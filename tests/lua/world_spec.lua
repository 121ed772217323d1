-- Checked values of tests/reference/world.json that no spec of one kind of part has: impacts at one instant, stacks of
-- bodies on what they stand on, oscillators that graze and that strike once in a period, a map as a motion with kicks.
--
-- The values themselves are good to 1e-14 and better. What is solved at one instant is compared to the rounding of some
-- ten operations on velocities and impulses of about 1, what moves to what a solver of rtol 1e-13 leaves of its arcs.
local pc = require "percuss"
local json = require "dkjson"
local within = require "within"

local cases = {}
do
    local file = assert(io.open "tests/reference/world.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do cases[case.id] = case end
    file:close()
end
local function case(id) return cases[id].inputs, cases[id].outputs end

local ROUNDING = 4e-15
local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }
local newton = pc.contact.newton

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

local function disc(options)
    options.shape = "disc"
    return pc.free(options)
end

local function events_of(run, names)
    local out = {}
    for _, event in ipairs(run.events) do if names[event.name] then out[#out + 1] = event end end
    return out
end

-- Parts that touch and approach at the start, struck as one by the law named: velocities afterwards, and the impulses
-- along the normals by the names of contacts, 0 where none was struck.
local function struck(law, restitution, parts, together)
    parts.gravity, parts.together = 0, together or "simultaneous"
    parts.contact = pc.contact[law]{ restitution = restitution, friction = 0 }
    local run = simulate(parts, { duration = 1e-3 })
    local impulses = setmetatable({}, { __index = function() return 0 end })
    for _, hit in ipairs(run.impacts) do
        assert.equal(0, hit.time)
        assert.equal(parts.together, hit.rule)
        impulses[hit.contact] = hit.impulse.n
    end
    return run.impacts[#run.impacts].u_after, impulses, run
end

describe("contacts struck as one", function()
    for _, law in ipairs{ "newton", "poisson" } do
        for _, id in ipairs{ "v-groove-1", "v-groove-2" } do
            it(("return a disc from both walls of a groove: %s, %s"):format(id, law), function()
                local i, o = case(id)
                local r, c, s = 0.1, math.cos(i.wall_slope), math.sin(i.wall_slope)
                local u, p = struck(law, i.restitution, {
                    disc{ mass = i.mass, radius = r, y = r / c, vx = i.vx, vy = i.vy },
                    pc.plane{ nx = s, ny = c, name = "left" }, pc.plane{ nx = -s, ny = c, name = "right" },
                })
                for k = 1, 2 do
                    within(o[law].velocity[k], u[k], ROUNDING, "velocity")
                    within(o[law].impulses[k], p["body on " .. (k == 1 and "left" or "right")], ROUNDING, "impulse")
                end
            end)
        end

        for id, shape in pairs{ ["flat-1"] = "box", ["flat-2"] = "box", ["flat-3"] = "rod" } do
            it(("let what lands flat rise at e times the speed of each end: %s, %s"):format(id, law), function()
                local i, o = case(id)
                local rod = shape == "rod"
                local body = pc.free{
                    shape = shape, mass = i.mass, length = rod and 2 * i.half_width or nil,
                    width = not rod and 2 * i.half_width or nil, height = not rod and 2 * i.half_height or nil,
                    angle = rod and math.pi / 2 or 0, y = i.half_height, vy = i.vy, rate = i.omega,
                }
                within(i.inertia, body.inertia, 1e-16, "inertia")
                local u, p = struck(law, i.restitution, { body, pc.floor{ height = 0 } })
                within(o[law].vy, u[2], ROUNDING, "velocity")
                within(o[law].omega, u[3], 2 * ROUNDING, "rate") -- velocities over a lever of 0.3 m
                -- a rod stands upright at angle 0, so that its upper end comes to lie at the left
                local left, right = rod and "end2" or "corner1", rod and "end1" or "corner2"
                within(o[law].impulses[1], p["body." .. left .. " on floor"], ROUNDING, "left")
                within(o[law].impulses[2], p["body." .. right .. " on floor"], ROUNDING, "right")
            end)
        end

        it("share the blow on two pegs by the rule of the lever: box-two-pegs, " .. law, function()
            local i, o = case "box-two-pegs"
            local w, h = tonumber(i.half_width), tonumber(i.half_height)
            local u, p = struck(law, i.restitution, {
                pc.free{ shape = "box", width = 2 * w, height = 2 * h, mass = i.mass, y = h, vy = tonumber(i.vy) },
                pc.peg{ x = i.pegs_at[1], y = 0, name = "left" }, pc.peg{ x = i.pegs_at[2], y = 0, name = "right" },
            })
            within(o[law].vy, u[2], ROUNDING, "velocity")
            within(o[law].omega, u[3], 2 * ROUNDING, "rate")
            within(o[law].impulses[1], p["body on left"], ROUNDING, "left")
            within(o[law].impulses[2], p["body on right"], ROUNDING, "right")
        end)

        for _, id in ipairs{ "cradle-3-1", "cradle-5-2", "cradle-3-3" } do
            it(("send the balls of a cradle on together, which one after the other do not: %s, %s"):format(id, law),
                function()
                    local i, o = case(id)
                    local function row()
                        local parts = {}
                        for k = 1, i.balls do
                            parts[k] = disc{ mass = 1, radius = 0.5, x = k, vx = k == 1 and i.v0 or 0, name = "b" .. k }
                        end
                        return parts
                    end
                    local u, p = struck(law, i.restitution, row())
                    local one = struck(law, 1, row(), "sequential")
                    for k = 1, i.balls do
                        within(o[law][k], u[3 * k - 2], ROUNDING, "velocity of ball " .. k)
                        within(o.sequential_e1[k], one[3 * k - 2], ROUNDING, "in sequence")
                        if k < i.balls then
                            within(o[law .. "_impulses"][k], p[("b%d on b%d"):format(k, k + 1)], ROUNDING, "impulse")
                        end
                    end
                end)
        end

        it("part two discs from a third as mirror images: break-3-1, " .. law, function()
            local i, o = case "break-3-1"
            local x = math.sqrt(3) / 2
            local u, p = struck(law, i.restitution, {
                disc{ mass = i.masses[1], radius = 0.5, vx = i.v[1], vy = i.v[2], name = "cue" },
                disc{ mass = i.masses[2], radius = 0.5, x = x, y = 0.5, name = "upper" },
                disc{ mass = i.masses[3], radius = 0.5, x = x, y = -0.5, name = "lower" },
            })
            for k, name in ipairs{ "cue", "upper", "lower" } do
                for axis = 1, 2 do within(o[name][axis], u[3 * k - 3 + axis], ROUNDING, name) end
            end
            for k, name in ipairs{ "cue on upper", "cue on lower", "upper on lower" } do
                within(o.impulses[k], p[name], ROUNDING, name)
            end
            local kept = 0
            for k = 1, 9 do kept = kept + (k % 3 > 0 and u[k] ^ 2 or 0) end
            within(o.energy_fraction_kept, kept, ROUNDING, "energy")
        end)

        for _, id in ipairs{ "rack-2-1", "rack-3-3" } do
            it(("break a rack, to one answer: %s, %s"):format(id, law), function()
                local i, o = case(id)
                local parts = { disc{ mass = 1, radius = 0.5, vx = i.v_cue[1], vy = i.v_cue[2], name = "d0" } }
                for row = 0, i.rows - 1 do
                    for j = 0, row do
                        parts[#parts + 1] = disc{ mass = 1, radius = 0.5, x = 1 + row * math.sqrt(3) / 2,
                            y = j - row / 2, name = "d" .. #parts }
                    end
                end
                assert.equal(i.discs, #parts)
                local u, p, run = struck(law, i.restitution, parts)
                for k, v in ipairs(o[law .. "_velocities"]) do
                    for axis = 1, 2 do within(v[axis], u[3 * k - 3 + axis], 1e-14, "velocity of disc " .. k - 1) end
                end
                if law == "newton" then
                    for _, row in ipairs(o.newton_impulses) do
                        local name = ("d%d on d%d"):format(row.pair[1], row.pair[2])
                        within(row.impulse, p[name], 1e-14, name)
                    end
                end
                local before, after = run.impacts[1].energy.before, run:at(1e-3).energy
                within(o["energy_fraction_" .. law], after / before, 1e-14, "energy")
            end)
        end
    end
end)

describe("a rocking block", function()
    for _, id in ipairs{ "rocking-1", "rocking-2" } do
        it("loses at each change of corner what Housner says: " .. id, function()
            local i, o = case(id)
            local b, h = i.half_width, i.half_height
            within(o.slenderness, math.atan(b / h), 1e-15, "slenderness")
            local tilt = o.start_angle
            local run = simulate({
                pc.free{ shape = "box", width = 2 * b, height = 2 * h, mass = 1, angle = tilt,
                    y = h * math.cos(tilt) + b * math.sin(tilt) },
                pc.floor{ height = 0 }, contact = newton{ restitution = i.restitution, friction = 5 }, gravity = 9.81,
            }, { duration = 20, max_impacts = 5 })
            assert.equal(5, #run.impacts)
            local first = run.impacts[1]
            -- the rates keep their size between two impacts to what the solver leaves of the energy
            for k, hit in ipairs(run.impacts) do
                within(o.ratio, hit.u_after[3] / hit.u_before[3], 1e-11, "ratio")
                within(o.rates[k + 1], math.abs(hit.u_after[3] / first.u_before[3]), 1e-11, "rate")
            end
            within(o.friction_needed_in_the_impact, math.abs(first.impulse.t / first.impulse.n), 1e-11, "friction")
        end)

        it("swings by Housner's formula where its arcs are made linear: " .. id, function()
            local i, o = case(id)
            local alpha, p2 = o.slenderness, 3 * 9.81 / (4 * math.sqrt(i.half_width ^ 2 + i.half_height ^ 2))
            -- restitution of 1, so that the block comes back as high: from one impact to the next is half a period
            local run = simulate({ pc.mechanism{
                coordinates = { { "tilt", unit = "rad" } }, mass = { 1 }, start = { o.start_angle },
                force = function(_, q) return p2 * (q.tilt - alpha) end,
                gaps = { { function(_, q) return q.tilt end, name = "ground",
                    contact = newton{ restitution = 1, friction = 0 } } },
            } }, { duration = 2 * o.half_period_linear_first })
            assert.equal(2, #run.impacts)
            within(o.half_period_linear_first / 2, run.impacts[1].time, 1e-12, "quarter")
            within(o.half_period_linear_first, run.impacts[2].time - run.impacts[1].time, 1e-12, "half")
        end)
    end
end)

describe("a disc that spins", function()
    -- r: its radius; pairs have frictions of their own
    local function corner(i)
        local r = i.radius
        local run = simulate({
            disc{ mass = i.mass, radius = r, x = r, y = r, rate = i.omega0, name = "disc" },
            pc.floor{ height = 0 }, pc.wall{ x = 0, side = "right" }, gravity = i.g, pairs = {
                { a = "disc", b = "floor", contact = newton{ restitution = 0, friction = i.friction_floor } },
                { a = "disc", b = "wall", contact = newton{ restitution = 0, friction = i.friction_wall or 0.4 } },
            },
        }, { duration = 1 })
        local column = {}
        for k, name in ipairs(run.scene.contacts) do column[name] = "F_n" .. k end
        return run, column
    end

    it("is braked by floor and wall until it stops: corner-spin", function()
        local i, o = case "corner-spin"
        local run, column = corner(i)
        local now = run:at(0.3)
        within(o.floor_force, now[column["disc on floor"]], 1e-13, "floor")
        within(o.wall_force, now[column["disc on wall"]], 1e-13, "wall")
        within(o.angular_deceleration, (i.omega0 - now["disc.rate"]) / 0.3, 1e-11, "deceleration")
        local rest = events_of(run, { rest = true })
        assert.equal(1, #rest)
        within(o.time_of_stop, rest[1].time, 1e-12, "stop") -- 50 rad/s known to 1e-13 of it, over the deceleration
        local last = run:at(1)
        within(o.turns, last["disc.angle"] / (2 * math.pi), 1e-12, "turns")
        within(o.heat, last.friction, 1e-12, "heat")
        within(0, last["disc.rate"], 1e-15, "rate")
    end)

    it("leaves the wall and rolls away if it spins the other way: corner-spin-away", function()
        local i, o = case "corner-spin-away"
        local run, column = corner(i)
        local now = run:at(0.3)
        within(o.wall_force, now[column["disc on wall"]], 0, "wall")
        local stick = events_of(run, { stick = true })
        assert.equal(1, #stick)
        within(o.time_of_roll, stick[1].time, 1e-12, "rolls")
        local then_ = run:at(stick[1].time)
        within(o.v, then_["disc.vx"], 1e-12, "velocity")
        within(o.omega, then_["disc.rate"], 1e-11, "rate")
        within(o.distance, then_["disc.x"] - i.radius, 1e-12, "distance")
    end)

    it("bounces off to the side, in slip and then in stick: spin-drop", function()
        local i, o = case "spin-drop"
        local r = i.radius
        local run = simulate({
            disc{ mass = 1, radius = r, y = r + i.gap, rate = i.omega0 }, pc.floor{ height = 0 }, gravity = i.g,
            contact = newton{ restitution = i.restitution, friction = i.friction },
        }, { duration = o.time_of_rest_of_bounces + 0.01 })
        for k, time in ipairs(o.times) do
            local hit = run.impacts[k]
            within(time, hit.time, 1e-13, "time")
            within(o.x[k], hit.before.x, 1e-13, "place")
            within(o.vx[k], hit.u_after[1], 1e-13, "velocity")
            within(o.omega[k], hit.u_after[3], 1e-12, "rate")
            -- impact 3 slips until the point is at rest; later ones find it so
            local sticks = hit.phases[#hit.phases].kind == "stick"
            assert.equal(o.regime[k] == "stick", sticks or math.abs(hit.velocity.t) < 1e-13)
        end
        local ends = events_of(run, { accumulation = true })
        assert.equal(1, #ends)
        within(o.time_of_rest_of_bounces, ends[1].time, 1e-12, "end of the bounces")
    end)
end)

describe("Hertz's impact", function()
    it("is as deep, as hard and as long as its closed form: hertz-normal", function()
        local i, o = case "hertz-normal"
        local law = pc.contact.hunt_crossley{ stiffness = i.stiffness, damping = 0, friction = 0 }
        local body = pc.body.sphere{ radius = 0.02, mass = i.mass }
        for _, row in ipairs(o.rows) do
            local hit = pc.collide(body, law, { vt = 0, vn = -row.speed })
            local deepest = hit:at(hit.compression_time).u_n
            within(1, deepest / row.greatest_indentation, 1e-11, "indentation")
            within(1, hit.peak.n / row.greatest_force, 1e-11, "force")
            within(1, hit.duration / row.duration, 1e-11, "duration")
            within(o.duration_constant, hit.duration * row.speed / deepest, 1e-10, "constant")
        end
    end)
end)

describe("an oscillator", function()
    local r = 0.05

    local function oscillator(i, start, force, parts, options)
        table.insert(parts, disc{ mass = i.mass, radius = r, x = start.x, vx = start.v, name = "m" })
        table.insert(parts, pc.spring{ a = "m", stiffness = i.stiffness })
        table.insert(parts, pc.drag{ on = "m", linear = tonumber(i.damping) })
        table.insert(parts, force)
        parts.gravity = 0
        return simulate(parts, options)
    end

    it("touches its stop at the force that its steady swing needs: graze-steady", function()
        local i, o = case "graze-steady"
        local period = 2 * math.pi / i.omega
        local function swing(share)
            local a = i.stop * share
            return oscillator(i, { x = a * math.cos(o.phase_lag), v = a * i.omega * math.sin(o.phase_lag) },
                pc.force{ on = "m", fx = o.F_graze * share, frequency = i.omega },
                { pc.wall{ x = i.stop + r, side = "left" }, contact = newton{ restitution = 0.8, friction = 0 } },
                { duration = 10 * period })
        end
        local below = swing(1 - 1e-9)
        assert.equal(0, #below.impacts)
        local top = below:at(o.time_of_touch)
        within(i.stop * (1 - 1e-9), top["m.x"], 1e-12, "place")
        within(0, top["m.vx"], 1e-12, "velocity")
        -- above it the swing is cut short where cos(w t - lag) = 1/share, at the speed that it has there
        for _, share in ipairs{ 1 + 1e-6, 1 + 1e-3 } do
            local hit = swing(share).impacts[1]
            local before = math.acos(1 / share)
            -- the place is known to 1e-13; a time near a graze to that over the speed
            local speed = i.stop * share * i.omega * math.sin(before)
            within(o.time_of_touch - before / i.omega, hit.time, 1e-12 / speed, "time")
            within(speed, hit.u_before[1], 1e-9, "speed")
        end
    end)

    it("strikes once a period, on an orbit that is not stable: impact-periodic-1a", function()
        local i, o = case "impact-periodic-1a"
        local w = tonumber(i.omega)
        local T, t0 = 2 * math.pi * i.periods / w, o.time_of_impact
        local run = oscillator(i, { x = i.stop, v = o.v_after },
            pc.force{ on = "m", fx = i.force, frequency = w },
            { pc.wall{ x = i.stop + r, side = "left" }, contact = newton{ restitution = i.restitution, friction = 0 } },
            { start = t0, duration = 3.5 * T })
        assert.equal(3, #run.impacts)
        for k, hit in ipairs(run.impacts) do
            -- what the first arc leaves grows by 2.13 with each impact
            within(t0 + k * T, hit.time, 1e-12 * 2.2 ^ k, "time")
            within(o.v_before, hit.u_before[1], 1e-12 * 2.2 ^ k, "before")
            within(o.v_after, hit.u_after[1], 1e-12 * 2.2 ^ k, "after")
        end
        assert.is_false(o.stable)
        -- over a period that begins and ends between two impacts
        local from = t0 + T / 2
        local columns = {}
        for k, d in ipairs{ { q = { 1, 0, 0 }, u = { 0, 0, 0 } }, { q = { 0, 0, 0 }, u = { 1, 0, 0 } } } do
            local image = run:carry(d, from, from + T)
            columns[k] = { image.q[1], image.u[1] }
        end
        local trace = columns[1][1] + columns[2][2]
        local determinant = columns[1][1] * columns[2][2] - columns[1][2] * columns[2][1]
        within(o.trace, trace, 1e-10, "trace") -- differences of the force and of the law, 1e-11
        within(o.determinant, determinant, 1e-10, "determinant")
        local root = math.sqrt(trace ^ 2 / 4 - determinant)
        within(o.multipliers[1][1], trace / 2 + root, 1e-10, "multiplier")
        within(o.multipliers[2][1], trace / 2 - root, 1e-10, "multiplier")
    end)

    it("is pushed to and fro by a square wave: square-wave", function()
        local i, o = case "square-wave"
        local H = i.half_period
        local count = #o.x_at_switches
        local breaks = {}
        for k = 1, count + 1 do breaks[k] = k * H end
        local function pushed(start)
            return oscillator(i, start, pc.force{ on = "m", breaks = breaks, f = function(t)
                local k = 1
                while breaks[k] and t >= breaks[k] do k = k + 1 end
                return k % 2 == 1 and i.force or -i.force, 0
            end }, {}, { duration = count * H })
        end
        local run = pushed{ x = 0, v = 0 }
        for k = 1, count do
            local now = run:at(breaks[k])
            within(o.x_at_switches[k], now["m.x"], 1e-12, "place at switch " .. k)
            within(o.v_at_switches[k], now["m.vx"], 1e-12, "velocity at switch " .. k)
        end
        local x, v = table.unpack(o.steady_state_at_start_of_plus)
        local now = pushed{ x = x, v = v }:at(2 * H)
        within(x, now["m.x"], 1e-12, "steady place")
        within(v, now["m.vx"], 1e-12, "steady velocity")
    end)
end)

describe("bodies on what they stand on", function()
    it("jump, land and are pulled off again: hopper-two-mass", function()
        local i, o = case "hopper-two-mass"
        local r, l = 0.01, i.rest_length
        local run = simulate({
            disc{ mass = i.foot_mass, radius = r, y = r, name = "foot" },
            disc{ mass = i.upper_mass, radius = r, y = r + l - i.compression0, name = "upper" },
            pc.spring{ a = "foot", b = "upper", stiffness = i.stiffness, rest_length = l }, pc.floor{ height = 0 },
            contact = newton{ restitution = i.restitution, friction = 0 }, gravity = i.g,
        }, { duration = o.events[#o.events].time + 1e-3 })
        local seen, lost = 0, 0
        local impact_of = {}
        for _, hit in ipairs(run.impacts) do impact_of[hit.time] = hit end
        for _, event in ipairs(events_of(run, { lift_off = true, impact = true })) do
            seen = seen + 1
            local row = o.events[seen]
            assert.equal(row.what:find "^landing" and "impact" or "lift_off", event.name)
            -- up to nine arcs and roots of rtol 1e-13, whose lift-offs are where a force of 300 N/m times a length ends
            within(row.time, event.time, 2e-13, row.what)
            local before = run:at(event.time, "before")
            within(row.upper_height, before["upper.y"] - r, 1e-12, "height")
            within(row.upper_speed, before["upper.vy"], 2e-12, "speed")
            if event.name == "impact" then
                within(row.foot_speed_before, before["foot.vy"], 2e-11, "foot") -- springs at 39 rad/s
                within(row.loss, impact_of[event.time].loss, 1e-11, "loss")
                lost = lost + row.loss
                local stays = false
                for _, other in ipairs(run.events) do
                    stays = stays or other.name == "contact" and other.time == event.time
                end
                if seen < #o.events then assert.equal(not row.what:find "pulled off", stays) end
            end
        end
        assert.equal(#o.events, seen)
        within(lost, run:at(run.time).lost, 1e-11, "lost")
    end)

    it("slide down a smooth wall and leave it: ladder-wall", function()
        local i, o = case "ladder-wall"
        local L, angle = i.length, i.angle0
        local run = simulate({
            pc.free{ shape = "rod", length = L, mass = 1, x = L / 2 * math.cos(angle), y = L / 2 * math.sin(angle),
                angle = math.pi / 2 - angle, rate = -i.rate0, name = "ladder" },
            pc.floor{ height = 0 }, pc.wall{ x = 0, side = "right" }, gravity = i.g,
            contact = newton{ restitution = 0, friction = i.friction },
        }, { duration = 0.6 })
        local off = events_of(run, { lift_off = true })
        assert.equal(1, #off)
        assert.equal("ladder.end2 on wall", off[1].contact)
        -- where the force of the wall, which falls by 13 m/s^3 times the mass, has ended
        within(o.time_of_leaving, off[1].time, 1e-12, "time")
        local now = run:at(off[1].time, "before")
        within(o.angle_of_leaving, math.pi / 2 - now["ladder.angle"], 1e-12, "angle")
        within(o.rate_at_leaving, -now["ladder.rate"], 1e-12, "rate")
        within(o.horizontal_speed_of_centre, now["ladder.vx"], 1e-12, "speed")
        local floor
        for k, name in ipairs(run.scene.contacts) do
            if name == "ladder.end1 on floor" then floor = now["F_n" .. k] end
        end
        within(o.floor_force_over_weight, floor / i.g, 1e-12, "floor")
    end)
end)

describe("a rotor with kicks", function()
    local WIDTH = 1e-8 -- s, in which a rotor of 60 rad/s turns by 6e-7 rad

    -- The map phi' = phi + v, v' = e v - gamma cos(phi') as a motion: drag takes 1 - e of the rate in a second, and a
    -- kick at the middle of each second, told by its breaks, gives the rest. At the instant of a kick v is the angle
    -- that is to come until the next one.
    local function kicked(i, count, angle, rate)
        local c = -math.log(i.e)
        local breaks = {}
        for k = 1, count do breaks[2 * k - 1], breaks[2 * k] = k - 0.5, k - 0.5 + WIDTH end
        return pc.scene{
            disc{ radius = 1, mass = 2, angle = angle, rate = rate }, pc.drag{ on = "body", rotational = c },
                gravity = 0,
            pc.motor{ on = "body", breaks = breaks, f = function(t, phi)
                local k = math.min(math.floor(t + 0.5), count)
                if k < 1 or t > breaks[2 * k] then return 0 end
                return -i.gamma * c / (1 - i.e) * math.cos(phi) / (breaks[2 * k] - breaks[2 * k - 1])
            end },
        }, c
    end

    it("is Holmes' map of high bounces: table-holmes-lyapunov", function()
        local i, o = case "table-holmes-lyapunov"
        -- over six kicks, the map and the product of its derivatives
        local scene, c = kicked(i, 6, 0.3, 1)
        local run = pc.simulate(scene, { duration = 6, solver = TIGHT })
        local half = (1 - math.sqrt(i.e)) / (1 - i.e) -- of the angle of a second, what comes in its first half
        local phi, v = 0.3 + (1 - math.sqrt(i.e)) / c, (1 - i.e) / (c * math.sqrt(i.e))
        local d, dv = 1, 0
        for k = 1, 6 do
            v = i.e * v - i.gamma * math.cos(phi)
            dv = i.e * dv + i.gamma * math.sin(phi) * d
            -- within a kick the rotor turns by less than 60 rad/s times WIDTH, which grows as displacements do
            within(phi + half * v, run:at(k).angle, 60 * WIDTH * (1 + math.abs(d + half * dv)), "angle after kick "
                .. k)
            if k < 6 then phi, d = phi + v, d + dv end
        end
        local image = run:carry({ q = { 0, 0, 1 }, u = { 0, 0, 0 } }, 0, 6)
        assert.is_true(math.abs(image.q[3]) > 1e3)
        within(1, image.q[3] / (d + half * dv), 1e-3, "growth") -- of the angles, which are 60 WIDTH d off

        -- The value is that of 2000 orbits of 2000 kicks, uncertain to two standard errors; one orbit of N is to the
        -- square root of 4e6/N more. Four standard errors of 2000 kicks are 0.078.
        local count = 2000
        local found = pc.lyapunov(kicked(i, count, 0.3, 1), { duration = count - 20, settle = 20, interval = 10,
            solver = pc.solver.dop853{ rtol = 1e-7, atol = 1e-7 } })
        local error = 2 * cases["table-holmes-lyapunov"].uncertainty.lyapunov * math.sqrt(4e6 / count)
        within(o.lyapunov, found.exponent, error, "exponent")
    end)
end)
