-- The inside of a circle: the checked values of tests/reference/world.json, other bodies, ledger, a bowl that moves.
local pc = require "percuss"
local within = require "within"

local case = require "world_case"

local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }
local newton = pc.contact.newton

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

local function closes(run, scale, tolerance)
    local a, b = run:at(run.start or 0), run:at(run.time)
    local left = b.energy + b.friction + b.lost - a.energy - (rawget(b, "drive") or 0)
    within(0, left / scale, tolerance or 1e-11, "ledger")
end

-- Times at which the body passes the lowest place from the left to the right.
local function passes(run)
    local out = {}
    for _, event in ipairs(run.events) do if event.name == "lowest" then out[#out + 1] = event.time end end
    return out
end
local LOWEST = { { name = "lowest", function(_, q) return q[1] end, direction = 1 } }

describe("a bowl", function()
    local function start(R, r, angle)
        return (R - r) * math.sin(angle), R - (R - r) * math.cos(angle)
    end

    it("swings a disc that slides or rolls, and a point, with the periods of pendulums", function()
        local i, o = case "bowl"
        local R, r, g = i.bowl_radius, i.disc_radius, i.g
        for name, friction in pairs{ period_smooth_disc = 0, period_rolling_disc = 0.6 } do
            local x, y = start(R, r, i.angle0)
            local run = simulate({
                pc.free{ shape = "disc", radius = r, mass = 2, x = x, y = y }, pc.bowl{ x = 0, y = R, radius = R },
                gravity = g, contact = newton{ restitution = 0, friction = friction },
            }, { duration = 5, events = LOWEST })
            local times = passes(run)
            within(o[name], times[2] - times[1], 1e-10, name)
            closes(run, 10)
            if friction > 0 then
                local at = run:at(times[1])
                within(o.rolling_speed_at_bottom, at.vx, 1e-10, "speed")
                within(-o.spin_at_bottom, at.rate, 1e-9, "spin") -- it moves to the right
                within(o.force_at_bottom_over_weight, at.F_n / (2 * g), 1e-9, "force")
                within(o.friction_needed, math.abs(run:at(0).F_t / run:at(0).F_n), 1e-9, "friction")
            end
        end
        local x, y = start(R, 1e-9, i.angle0)
        local point = simulate({
            pc.free{ shape = "disc", radius = 1e-9, mass = 1, inertia = 1, x = x, y = y },
            pc.bowl{ x = 0, y = R, radius = R },
            gravity = g, contact = newton{ restitution = 0, friction = 0 },
        }, { duration = 4, events = LOWEST })
        within(o.period_point, passes(point)[2] - passes(point)[1], 1e-8, "period_point")
    end)

    for _, id in ipairs{ "circle-billiard-1", "circle-billiard-2" } do
        it("is a billiard: " .. id, function()
            local i, o = case(id)
            local run = simulate({
                pc.free{ shape = "disc", radius = i.disc_radius, mass = 1, x = tonumber(i.x0), y = tonumber(i.y0),
                    vx = i.vx0, vy = i.vy0 },
                pc.bowl{ x = 0, y = 0, radius = i.circle_radius }, gravity = i.g,
                contact = newton{ restitution = i.restitution, friction = i.friction },
            }, { duration = o.times[#o.times] + 1e-6 })
            for k, time in ipairs(o.times) do
                -- the motion is chaotic: a rounding of the start grows to some 1e-9 over 20 impacts
                local hit, allowed = run.impacts[k], 1e-13 * 3 ^ k + 1e-12
                within(time, hit.time, allowed, "time of impact " .. k)
                within(o.x[k], hit.q[1], 10 * allowed, "x")
                within(o.y[k], hit.q[2], 10 * allowed, "y")
            end
            closes(run, 10)
        end)
    end

    it("is a loop in which a rolling disc slips before it leaves: loop-friction", function()
        local i, o = case "loop-friction"
        local R, r = i.loop_radius, i.disc_radius
        local speed = math.sqrt(4 * i.g * 0.9 / 3)
        local run = simulate({
            pc.free{ shape = "disc", radius = r, mass = 1, x = 0, y = r, vx = speed, rate = -speed / r },
            pc.bowl{ x = 0, y = R, radius = R }, gravity = i.g,
            contact = newton{ restitution = 0, friction = i.friction },
        }, { duration = 0.4 })
        local seen = {}
        for _, event in ipairs(run.events) do seen[event.name] = seen[event.name] or event.time end
        within(o.slip.time, seen.slip, 1e-10, "slip")
        within(o["end"].time, seen.lift_off, 1e-10, "leaves")
        for name, time in pairs{ slip = seen.slip, ["end"] = seen.lift_off } do
            local at, expected = run:at(time), o[name]
            local angle = math.atan(at.x, R - at.y)
            within(expected.angle, angle, 1e-9, "angle")
            within(expected.rate, math.sqrt(at.vx ^ 2 + at.vy ^ 2) / (R - r), 1e-8, "rate")
            within(expected.spin, at.rate, 1e-7, "spin")
        end
        closes(run, 10)
    end)

    it("is left by a disc on which friction never fails where the closed form says: loop-disc", function()
        local i, o = case "loop-disc"
        local R, r = i.loop_radius, i.radius
        local speed = math.sqrt(4 * i.g * i.start_height / 3)
        local run = simulate({
            pc.free{ shape = "disc", radius = r, mass = 1, x = 0, y = r, vx = speed, rate = -speed / r },
            pc.bowl{ x = 0, y = R, radius = R }, gravity = i.g, contact = newton{ restitution = 0, friction = 1e6 },
        }, { duration = 0.5 })
        local left
        for _, event in ipairs(run.events) do if event.name == "lift_off" then left = left or event.time end end
        local at = run:at(left, "before")
        within(o.angle_from_top, math.pi - math.atan(at.x, R - at.y), 1e-4, "angle") -- mu finite: a little before
        within(o.speed_there, math.sqrt(at.vx ^ 2 + at.vy ^ 2), 1e-3, "speed")
    end)

    it("holds boxes and polygons by their corners, and the ledger closes", function()
        for number = 1, 8 do
            local corners = {}
            for k = 1, number + 2 do
                local a = 2 * math.pi * k / (number + 2)
                corners[k] = { 0.2 * math.cos(a), 0.2 * math.sin(a) }
            end
            local run = simulate({
                pc.free{ corners = corners, mass = 1, x = 0.3, y = 0, vx = 1, rate = 4, angle = 0.2 * number },
                pc.bowl{ x = 0, y = 0, radius = 1 }, contact = newton{ restitution = 0.4, friction = 0.3 },
            }, { duration = 3, solver = pc.solver.dop853{ rtol = 1e-11 } })
            assert.is_true(#run.impacts > 3)
            closes(run, 10, 1e-9)
            for t = 0, 3, 0.01 do
                local at = run:at(t)
                assert.is_true(math.sqrt(at.x ^ 2 + at.y ^ 2) < 1 - 0.2 * math.cos(math.pi / (number + 2)) + 1e-6)
            end
        end
    end)

    it("may begin with a ball at its centre, turn as a drum and shake", function()
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1 }
        local run = simulate({ ball, pc.bowl{ x = 0, y = 0, radius = 1 },
            contact = newton{ restitution = 0.5, friction = 0.2 } }, { duration = 1 })
        within(math.sqrt(2 * 0.9 / 9.81), run.impacts[1].time, 1e-12, "falls")
        local drum = simulate({ ball, pc.bowl{ x = 0, y = 0, radius = 1, surface_speed = 3, name = "drum",
            motion = { amplitude_y = 0.05, amplitude_x = 0.03, frequency = 12 } },
            contact = newton{ restitution = 0.5, friction = 0.2 } }, { duration = 3 })
        closes(drum, 10, 1e-10)
        assert.is_true(drum:at(3).rate ~= 0)
        within(drum:at(3).drive, drum:work "drum", 1e-6, "work")
    end)

    it("presses by compliant laws: a disc in a bowl hangs on its spring", function()
        local run = simulate({ pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.4, y = -0.7 },
            pc.bowl{ x = 0, y = 0, radius = 1 }, configuration = "moving",
            contact = pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 100, friction = 0.3 } }, { duration = 3 })
        local a, b = run:at(0), run:at(3)
        within(0, (b.energy + b.friction + b.lost + b.dissipated - a.energy) / 10, 1e-8, "ledger")
        within(0.9, math.sqrt(b.x ^ 2 + b.y ^ 2), 1e-3, "at the bowl")
    end)

    it("is drawn, and refuses what cannot be in it", function()
        local scratch = require "tests.lua.scratch"
        local world = pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = -0.85 },
            pc.bowl{ x = 0, y = 0, radius = 0.9 }, contact = newton{ restitution = 0.5, friction = 0.2 } }
        local picture = scratch() .. ".svg"
        assert.equal(picture, world:draw{ file = picture })
        os.remove(picture)
        assert.error_matches(function() pc.simulate(world, { duration = 1 }) end, "body on bowl: the motion begins")
        assert.error_matches(function() pc.bowl{ x = 0, y = 0, radius = -1 } end, "radius")
    end)
end)
