-- Polygons and bodies put together from several: mass properties, impacts and motions of tests/reference/world.json,
-- the same body described in other ways, ledger, drawing, files, errors.
local pc = require "percuss"
local within = require "within"

local case = require "world_case"

local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

local function turned(points, angle, sign)
    local out = {}
    for i, p in ipairs(points) do
        local k = sign < 0 and #points + 1 - i or i
        out[k] = { math.cos(angle) * p[1] - math.sin(angle) * p[2], math.sin(angle) * p[1] + math.cos(angle) * p[2] }
    end
    return out
end

describe("a polygon", function()
    it("has the mass properties of an even plate, however it is listed", function()
        local i, o = case "polygon-mass"
        local hexagon = {}
        for k = 1, 6 do hexagon[k] = { 0.3 * math.cos(k * math.pi / 3), 0.3 * math.sin(k * math.pi / 3) } end
        for name, corners in pairs{ triangle = i.triangle, hexagon = hexagon } do
            for _, sign in ipairs{ 1, -1 } do
                local body = pc.free{ corners = turned(corners, 0.7, sign), mass = 3 }
                within(o[name].inertia_over_mass, body.inertia / 3, 1e-15, name)
                -- corners from the mass centre: { along, across }, across to the right and along downwards at angle 0
                local first = turned({ { corners[1][1] - o[name].centroid[1], corners[1][2] - o[name].centroid[2] } },
                    0.7, 1)[1]
                local seen = body.pieces[1][1] -- anticlockwise, whichever way they were listed
                within(first[1], seen[2], 1e-15, "x")
                within(first[2], -seen[1], 1e-15, "y")
            end
        end
        local L = pc.free{ shapes = {
            { shape = "box", mass = 0.12, width = 0.6, height = 0.2, x = 0.3, y = 0.1 },
            { shape = "box", mass = 0.06, width = 0.2, height = 0.3, x = 0.1, y = 0.35 },
        } }
        within(o.L.inertia_over_mass, L.inertia / L.mass, 1e-15, "L")
        within(0 - o.L.centroid[1], L.pieces[1][1][2], 1e-15, "L from its mass centre")
        within(o.L.centroid[2], L.pieces[1][1][1], 1e-15, "L from its mass centre")
    end)

    it("strikes with a vertex: triangle-vertex-1", function()
        local i, o = case "triangle-vertex-1"
        for name, friction in pairs{ rough = i.friction, smooth = 0 } do
            local expected = o[name]
            local low = -o.rough.r[2]
            local run = simulate({
                pc.free{ corners = i.polygon, mass = i.mass, angle = i.turned_by, y = low, vx = i.vx, vy = i.vy,
                    rate = i.omega },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = i.restitution, friction = friction },
            }, { duration = 1e-6 })
            local hit = run.impacts[1]
            assert.equal("body.corner1 on floor", hit.contact)
            within(expected.vx_after or expected.vx, hit.u_after[1], 1e-12, "vx")
            within(expected.vy_after or expected.vy, hit.u_after[2], 1e-12, "vy")
            within(expected.omega_after or expected.omega, hit.u_after[3], 1e-11, "omega")
            if name == "rough" then within(o.loss, hit.loss, 1e-12, "loss") end
        end
    end)

    it("moves as the box that it is", function()
        local function drop(body)
            return simulate({ body, pc.floor{ height = 0 }, pc.peg{ x = 0.1, y = 0.2, radius = 0.05 },
                contact = pc.contact.poisson{ restitution = 0.5, friction = 0.3 } }, { duration = 1.2 })
        end
        local given = { mass = 2, x = 0.1, y = 0.8, angle = 0.4, vx = 0.3, rate = 2 }
        local function with(more)
            for key, value in pairs(given) do more[key] = value end
            return pc.free(more)
        end
        local box = drop(with{ shape = "box", width = 0.3, height = 0.2 })
        local polygon = drop(with{ corners = { { 1, 1 }, { 1.3, 1 }, { 1.3, 1.2 }, { 1, 1.2 } } })
        assert.equal(#box.impacts, #polygon.impacts)
        assert.is_true(#box.impacts > 5)
        for k, hit in ipairs(box.impacts) do within(hit.time, polygon.impacts[k].time, 1e-8, "impact " .. k) end
        within(box:at(1.2).angle, polygon:at(1.2).angle, 1e-6, "angle")
    end)

    it("rolls on its corners down to rest, and the ledger closes", function()
        for n = 3, 16 do
            local corners = {}
            for k = 1, n do
                corners[k] = { 0.1 * math.cos(2 * math.pi * k / n), 0.1 * math.sin(2 * math.pi * k / n) }
            end
            local run = simulate({ pc.free{ corners = corners, mass = 1, y = 0.2, vx = 0.5, rate = -3, angle = 0.1 },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.2, friction = 0.6 } },
                { duration = 2, solver = pc.solver.dop853{ rtol = 1e-11 } })
            local a, b = run:at(0), run:at(2)
            within(0, (b.energy + b.lost + b.friction - a.energy) / 3, 1e-10, n .. " corners")
            assert.is_true(b.energy < a.energy and run:at(2).y > 0.04)
        end
    end)
end)

describe("a body put together", function()
    it("bounces: dumbbell-bounce", function()
        local i, o = case "dumbbell-bounce"
        local half = i.rod_length / 2
        local function disc(x, mass)
            return { shape = "disc", radius = i.radius, mass = mass, x = x, inertia = 1e-12 }
        end
        local run = simulate({
            pc.free{ y = i.y0, vy = i.vy0, angle = tonumber(i.angle0), rate = tonumber(i.omega0), shapes = {
                { shape = "rod", length = i.rod_length, mass = i.rod_mass, angle = math.pi / 2,
                    inertia = i.inertia - 2 * 0.5 * half ^ 2 - 2e-12 },
                disc(half, i.discs[1]), disc(-half, i.discs[2]),
            } },
            pc.floor{ height = 0 }, gravity = i.g,
            contact = pc.contact.newton{ restitution = i.restitution, friction = i.friction },
        }, { duration = 2.3 })
        for k, expected in ipairs(o.impacts) do
            local hit = run.impacts[k]
            assert.equal(expected["end"] > 0 and "body.part2 on floor" or "body.part3 on floor", hit.contact)
            within(expected.time, hit.time, 1e-11, "time")
            within(expected.angle, hit.q[3], 1e-10, "angle")
            within(expected.impulse, hit.impulse.n, 1e-10, "impulse")
            within(expected.vy_after, hit.u_after[2], 1e-10, "vy")
            within(expected.omega_after, hit.u_after[3], 1e-9, "omega")
        end
    end)

    -- A box with a ball inside, which strikes its walls from within: what is not convex.
    local function damper(i, start)
        local r, half = 0.1, i.clearance / 2
        local function wall(x)
            return { shape = "box", width = 0.02, height = 0.4, mass = i.box_mass / 2, x = x }
        end
        return pc.scene{
            pc.free{ name = "box", shapes = { wall(-half - r - 0.01), wall(half + r + 0.01) }, x = start.box_x,
                vx = start.box_v },
            pc.free{ name = "ball", shape = "disc", radius = r, mass = i.ball_mass, x = start.ball_x,
                vx = start.ball_v },
            pc.spring{ a = "box", stiffness = i.stiffness, damping = i.damping },
            pc.force{ on = "box", fx = i.force, frequency = i.omega }, gravity = 0,
            contact = pc.contact.newton{ restitution = i.restitution, friction = 0 },
        }
    end

    it("holds a ball inside: impact-damper-start", function()
        local i, o = case "impact-damper-start"
        local world = damper(i, { box_x = 0, box_v = 0, ball_x = i.x_ball0, ball_v = 0 })
        local run = pc.simulate(world, { duration = o.times[12] + 0.1, solver = TIGHT })
        for k, time in ipairs(o.times) do
            local hit = run.impacts[k]
            within(time, hit.time, 1e-9, "time " .. k) -- errors of 1e-13 of a step, through 12 impacts and 34 s
            within(o.box_v_after[k], hit.u_after[1], 1e-9, "box")
            within(o.ball_v_after[k], hit.u_after[4], 1e-9, "ball")
            local side = hit.q[4] > hit.q[1] and 1 or -1
            assert.equal(o.sides[k], side)
        end
    end)

    it("holds it on the symmetric orbit as long as that lets it: impact-damper-1", function()
        local i, o = case "impact-damper-1"
        -- just after the impact at the wall at +x
        local world = damper(i, { box_x = o.box_x, box_v = o.box_v_after, ball_x = o.box_x + i.clearance / 2,
            ball_v = -o.ball_speed })
        local run = pc.simulate(world, { start = o.time_of_impact_at_plus, duration = 7, solver = TIGHT })
        for k = 1, 2 do
            local hit, sign = run.impacts[k], k % 2 == 1 and -1 or 1
            within(o.time_of_impact_at_plus + k * math.pi, hit.time, 1e-9, "time")
            within(sign * o.box_x, hit.q[1], 1e-9, "box")
            within(sign * o.box_v_before, hit.u_before[1], 1e-9, "before")
            within(sign * o.box_v_after, hit.u_after[1], 1e-9, "after")
            within(o.impulse, hit.impulse.n, 1e-9, "impulse")
        end
    end)

    it("lets a disc roll over the seam of two flush pieces as if there were none", function()
        local function roll(shapes)
            return simulate({
                pc.free{ name = "plank", shapes = shapes, y = 0.05 },
                pc.free{ name = "disc", shape = "disc", radius = 0.1, mass = 0.5, x = -0.3, y = 0.2, vx = 1,
                    rate = -10 },
                pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0, friction = 0.4 },
            }, { duration = 0.6, solver = pc.solver.dop853{ rtol = 1e-10 } })
        end
        local whole = roll{ { shape = "box", width = 1, height = 0.1, mass = 4 } }
        local halves = roll{
            { shape = "box", width = 0.5, height = 0.1, mass = 2, x = -0.25 },
            { shape = "box", width = 0.5, height = 0.1, mass = 2, x = 0.25 },
        }
        within(whole:at(0.6)["disc.x"], halves:at(0.6)["disc.x"], 1e-9, "x")
        within(whole:at(0.6)["disc.rate"], halves:at(0.6)["disc.rate"], 1e-8, "rate")
        within(0, halves:at(0.6).lost, 1e-10, "lost")
    end)

    it("is drawn, saved, and part of another", function()
        local scratch = require "tests.lua.scratch"
        local hook = { { shape = "capsule", length = 0.3, radius = 0.02, mass = 0.3 },
            { shape = "disc", radius = 0.05, mass = 0.2, y = 0.2 } }
        local nested = pc.free{ y = 0.6, angle = 0.5, shapes = {
            pc.free{ shapes = hook, x = 0.1, angle = 1 },
            { corners = { { 0, 0 }, { 0.2, 0 }, { 0, 0.1 } }, mass = 0.4 },
        } }
        assert.equal(3, #nested.pieces)
        within(0.9, nested.mass, 1e-15, "mass")
        local world = pc.scene{ nested, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 0.3, friction = 0.3 } }
        local run = pc.simulate(world, { duration = 0.8 })
        local file, picture = scratch(), scratch() .. ".svg"
        assert.equal(picture, run:draw{ file = picture })
        os.remove(picture)
        assert.equal(file, run:save(file))
        local again = pc.load_run(file)
        assert.equal(run:continue(0.2):at(1).angle, again:continue(0.2):at(1).angle)
    end)

    it("is refused with the place of what is wrong", function()
        local function fails(pattern, options)
            assert.error_matches(function() return pc.free(options) end, pattern)
        end
        local star = {}
        for k = 1, 5 do star[k] = { math.cos(4 * math.pi * k / 5), math.sin(4 * math.pi * k / 5) } end
        fails("not convex at corners%[1%]", { corners = star, mass = 1 })
        fails("corners%[3%] lies beyond the side", { corners = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0, 1 } }, mass = 1 })
        fails("a polygon has 3 to 16", { corners = { { 0, 0 }, { 1, 0 } }, mass = 1 })
        fails("corners%[2%] must be a place", { corners = { { 0, 0 }, { 1 }, { 0, 1 } }, mass = 1 })
        fails("corners%[1%] must be a place", { corners = { { 0, 0/0 }, { 1, 0 }, { 0, 1 } }, mass = 1 })
        fails("mass %(m%) is needed", { corners = { { 0, 0 }, { 1, 0 }, { 0, 1 } } })
        fails("by its corners has no radius", { corners = { { 0, 0 }, { 1, 0 }, { 0, 1 } }, mass = 1, radius = 1 })
        fails("shapes is empty", { shapes = {} })
        fails("shapes%[1%] must be a table or a free body, not number", { shapes = { 3 } })
        fails("shapes%[2%] has no vx of its own", { shapes = {
            { shape = "disc", radius = 1, mass = 1 }, { shape = "disc", radius = 1, mass = 1, vx = 2 },
        } })
        fails("the mass of a body put together is that of its shapes",
            { mass = 1, shapes = { { shape = "disc", radius = 1, mass = 1 } } })
        fails("say the same thing", { shape = "disc", radius = 1, mass = 1, corners = star })
    end)
end)
