-- Outlines that meet: edges, flat sides, corners, against closed answers and conservation.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"
local near = require "within"

local g = 9.81
local solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 }

local function law(restitution, friction)
    return pc.contact.newton{ restitution = restitution, friction = friction or 0 }
end

local function names(run)
    local list = {}
    for _, event in ipairs(run.events) do list[#list + 1] = event.name end
    return list
end

local function first(run, name)
    for _, event in ipairs(run.events) do
        if event.name == name then return event end
    end
end

describe("an edge", function()
    -- A smooth disc that slides off a step turns about the edge until v^2/r = g cos(angle): energy gives
    -- cos = (2 + v0^2/(g r))/3; beyond v0^2 = g r it leaves where the edge begins.
    local function slide(side, v0)
        local sign = side == "left" and 1 or -1
        local disc = pc.free{ shape = "disc", radius = 0.2, mass = 1, x = -0.3 * sign, y = 1.2, vx = v0 * sign }
        local world = pc.scene{ disc, pc.step{ x = 0, y = 1, side = side }, contact = law(0.5) }
        return pc.simulate(world, { duration = 1, solver = solver })
    end

    it("lets a smooth disc go where its weight no longer holds it there", function()
        for _, side in ipairs{ "left", "right" } do
            local run = slide(side, 0.9)
            assert.same({ "contact", "lift_off" }, names(run))
            local lift = run:at(first(run, "lift_off").time)
            near((2 + 0.81 / (g * 0.2)) / 3, (lift.y - 1) / 0.2, 1e-10)
            near(run:at(0).energy, run:at(1).energy, 1e-11)
        end
    end)

    it("lets a fast disc fly from where the edge begins", function()
        local run = slide("left", 1.5)
        assert.same({ "contact", "lift_off" }, names(run))
        near(0.2, first(run, "lift_off").time, 1e-11)
        near(1.2 - g * 0.3 ^ 2 / 2, run:at(0.5).y, 1e-11)
    end)

    -- A disc that sticks to the edge rolls about it: (3/4) v^2 = g r (1 - cos), until friction gives way.
    it("lets a rough disc roll about it without slip", function()
        local disc = pc.free{ shape = "disc", radius = 0.2, mass = 1, x = -0.3, y = 1.2, vx = 0.4, rate = -2 }
        local run = pc.simulate(pc.scene{ disc, pc.step{ x = 0, y = 1, side = "left" }, contact = law(0.5, 2) },
            { duration = 1.5, solver = solver })
        assert.same({ "contact", "slip", "lift_off" }, names(run))
        local slip = first(run, "slip")
        assert.is_true(slip.time > 0.9)
        for _, t in ipairs{ 0.5, 0.76, 0.9, slip.time } do
            local s = run:at(t, "before")
            local v = math.sqrt(s.vx ^ 2 + s.vy ^ 2)
            near(0.16 + 4 / 3 * g * (1.2 - s.y), v ^ 2, 1e-10)
            near(-v / 0.2, s.rate, 1e-9)
        end
        near(2, math.abs(run:at(slip.time, "before").F_t / run:at(slip.time, "before").F_n), 1e-8)
    end)

    -- A rod that falls, tilted, on a point at the distance s from its centre: p = (1 + e) v_n/(1/m + s^2/J).
    it("strikes a rod that falls on it, whatever it belongs to", function()
        local m, J, d, e, h, tilt = 2, 2 / 12, 0.3, 0.8, 0.5, 0.1
        local fall = h + d * math.tan(tilt)
        local s, vn = d / math.cos(tilt), math.sqrt(2 * g * fall) * math.cos(tilt)
        local p = (1 + e) * vn / (1 / m + s ^ 2 / J)
        for _, part in ipairs{
            pc.peg{ x = d, y = 0 }, pc.step{ x = d, y = 0, side = "right" },
            pc.block{ x = d, y = -1, width = math.sqrt(2), height = math.sqrt(2), angle = math.pi / 4 },
            pc.bar{ x = d, y = 0, x2 = 2 * d, y2 = -1 },
        } do
            local rod = pc.free{ shape = "rod", length = 1, mass = m, y = h, angle = math.pi / 2 + tilt }
            local run = pc.simulate(pc.scene{ rod, part, contact = law(e) }, { duration = 0.35, solver = solver })
            assert.equal(1, run.impact_count, tostring(part))
            near(p, run.impacts[1].impulse.n, 1e-12)
            near(math.sqrt(2 * fall / g), run.impacts[1].time, 1e-12)
            near(p * s / J, run:at(0.35).rate, 1e-11)
        end
    end)

    it("is there for a pendulum only as far as the step goes", function()
        local function swing(obstacle)
            local rig = pc.chain{ links = { { mass = 1, length = 1 } }, angles = { -1 } }
            return pc.simulate(pc.scene{ rig, obstacle, contact = law(0.5) }, { duration = 1.5, solver = solver })
        end
        local wall = swing(pc.wall{ x = 0.5, side = "left" })
        local step = swing(pc.step{ x = 0.5, y = -0.8, side = "right" })
        assert.is_true(wall.impact_count > 0)
        near(wall.impacts[1].time, step.impacts[1].time, 1e-12)
        near(wall:at(1.5).angle1, step:at(1.5).angle1, 1e-10)
        assert.equal(0, swing(pc.step{ x = 0.5, y = -0.9, side = "right" }).impact_count)
    end)
end)

describe("a flat side", function()
    -- A plank of half thickness h on a fixed cylinder of radius R rocks with (k^2 + h^2) w^2 = g (R - h), k its
    -- radius of gyration; it starts rolled by an angle, its centre where rolling has brought it.
    local function plank(h, R, angle, duration)
        local body = pc.free{
            shape = "box", width = 2, height = 2 * h, mass = 1, angle = angle,
            x = -(R + h) * math.sin(angle) + R * angle * math.cos(angle),
            y = (R + h) * math.cos(angle) + R * angle * math.sin(angle),
        }
        local world = pc.scene{ body, pc.peg{ x = 0, y = 0, radius = R }, contact = law(0, 1) }
        return pc.simulate(world, { duration = duration, solver = solver }), (4 + 4 * h ^ 2) / 12 + h ^ 2
    end

    it("rocks on a cylinder with the frequency of rolling", function()
        local h, R, angle = 0.05, 0.5, 1e-3
        local run, inertia = plank(h, R, angle, 2)
        local w = math.sqrt(g * (R - h) / inertia)
        -- the frequency changes by the square of the angle
        for _, t in ipairs{ 0.3, 1, 2 } do near(angle * math.cos(w * t), run:at(t).angle, 1e-8) end
        near(0, run.impact_count, 0)
    end)

    it("falls from a cylinder that is rounder than it is thick", function()
        local h, R, angle = 0.3, 0.2, 1e-6
        local run, inertia = plank(h, R, angle, 1.5)
        local growth = math.exp(math.sqrt(g * (h - R) / inertia) * 1.5)
        near(1, run:at(1.5).angle / (angle * (growth + 1 / growth) / 2), 1e-8)
    end)

    it("of a box on two points is carried by the law of the lever", function()
        local box = pc.free{ shape = "box", width = 1, height = 0.2, mass = 3, x = 0.1, y = 0.1 }
        local world = pc.scene{ box, pc.peg{ x = -0.3, y = 0 }, pc.peg{ x = 0.4, y = 0 }, contact = law(0.5, 0.3) }
        local run = pc.simulate(world, { duration = 1 })
        local forces = {}
        local state = run:at(1)
        for i, name in ipairs(world.contacts) do
            if state["F_n" .. i] > 0 then forces[name] = state["F_n" .. i] end
        end
        near(3 * g * 0.3 / 0.7, forces["body on peg"], 1e-10)
        near(3 * g * 0.4 / 0.7, forces["body on peg2"], 1e-10)
        near(0.1, state.y, 1e-14)
        assert.equal(0, run.impact_count)
    end)

    -- Without gravity and friction a rod that slides over a fixed point keeps its energy and its angular momentum
    -- about the point: L = (J + m s^2) w, s' = sqrt(2 T/m - L w/m). Its end leaves the point after the integral of
    -- ds/s' (Simpson's rule here).
    it("of a rod slides over a point until its end is there", function()
        local m, J, s0, v0, w0 = 1, 4 / 12, 0.1, 0.8, 1.5
        local L, T2 = (J + m * s0 ^ 2) * w0, m * v0 ^ 2 + (J + m * s0 ^ 2) * w0 ^ 2
        local function speed(s) return math.sqrt((T2 - L ^ 2 / (J + m * s ^ 2)) / m) end
        local n, sum = 2000, 0
        for i = 0, n do
            local weight = (i == 0 or i == n) and 1 or i % 2 == 1 and 4 or 2
            sum = sum + weight / speed(s0 + (1 - s0) * i / n)
        end
        local rod = pc.free{ shape = "rod", length = 2, mass = m, angle = math.pi / 2, x = s0, vx = v0, vy = w0 * s0,
            rate = w0 }
        -- moving the centre outwards while it turns upwards, the rod is pressed down on what is below it
        local run = pc.simulate(pc.scene{ rod, pc.peg{ x = 0, y = 0 }, gravity = 0, contact = law(1) },
            { duration = 3, solver = solver })
        local lift = first(run, "lift_off")
        near(sum * (1 - s0) / (3 * n), lift.time, 1e-10)
        near(L / (J + m), run:at(lift.time).rate, 1e-10)
        near(run:at(0).energy, run:at(3).energy, 1e-12)
        assert.equal(0, run.impact_count)
    end)

    it("passes from a bar to its round end without an impact", function()
        local capsule = pc.free{ shape = "capsule", length = 1, radius = 0.1, mass = 1, x = 0.05, y = 0.2,
            angle = math.pi / 2 }
        local world = pc.scene{ capsule, pc.bar{ x = -2, y = 0, x2 = 0, y2 = 0, radius = 0.1 }, contact = law(0) }
        local run = pc.simulate(world, { duration = 0.9, solver = solver })
        assert.equal(0, run.impact_count)
        assert.truthy(first(run, "lift_off"))
        near(run:at(0).energy, run:at(0.9).energy, 1e-11)
    end)

    it("of boxes of one size carries a stack", function()
        local parts = { pc.floor{ height = 0 }, contact = law(0.5, 0.5) }
        for i = 1, 3 do
            parts[i + 1] = pc.free{ shape = "box", width = 1, height = 1, mass = 1, y = i - 0.5, name = "b" .. i }
        end
        local run = pc.simulate(pc.scene(parts), { duration = 2 })
        assert.equal(0, run.impact_count)
        assert.truthy(first(run, "rest"))
        for i = 1, 3 do
            near(i - 0.5, run:at(2)["b" .. i .. ".y"], 1e-14)
            near(0, run:at(2)["b" .. i .. ".x"], 1e-11) -- rounding of the forces, integrated twice
        end
    end)
end)

describe("the links of a chain", function()
    -- A link that falls from an angle upon a point at the distance d below its pivot: w^2 = m g l (1 - cos)/J about
    -- the pivot, p = (1 + e) J w/d.
    it("touch with their whole length where they are asked to", function()
        local J, d, e, angle = 1 / 3, 0.4, 0.6, 0.8
        local function swing(touch)
            local rig = pc.chain{ links = { { mass = 1, length = 1 } }, angles = { angle }, touch = touch }
            local world = pc.scene{ rig, pc.peg{ x = 0, y = -d }, contact = law(e) }
            return pc.simulate(world, { duration = 0.6, solver = solver })
        end
        local run, w = swing("links"), math.sqrt(g * (1 - math.cos(angle)) / J)
        assert.equal(1, run.impact_count)
        near((1 + e) * J * w / d, run.impacts[1].impulse.n, 1e-11)
        near(e * w, run:at(run.impacts[1].time).rate1, 1e-11)
        assert.equal(0, swing("end").impact_count)
    end)

    it("meet discs, pegs and other chains, and the ledger closes", function()
        local function rig(x, angles)
            return pc.chain{ links = { { mass = 1, length = 1 }, { mass = 1, length = 0.8 } }, angles = angles,
                pivot = { x = x, y = 0 }, touch = "links" }
        end
        local world = pc.scene{
            rig(0, { 1.2, 1.4 }), rig(1.6, { -0.6, 0.2 }), pc.peg{ x = 0.5, y = -0.6 }, pc.floor{ depth = 2.5 },
            pc.free{ shape = "disc", radius = 0.1, mass = 0.3, x = 0.4, y = 0.1, vy = -2 }, contact = law(0.8, 0.2),
        }
        local run = pc.simulate(world, { duration = 1.5, solver = solver })
        local met = {}
        for _, impact in ipairs(run.impacts) do met[impact.contact] = true end
        assert.is_true(met["chain.link1 on peg"])
        assert.is_true(met["chain2.link1.end2 on chain.link2"])
        assert.is_true(met["body on chain.link1"])
        local s = run:at(1.5)
        near(run:at(0).energy, s.energy + s.lost + s.friction, 1e-9)
    end)
end)

describe("a sphere in the plane", function()
    it("rolls at 5/7 of the speed with which it began to slide, a disc at 2/3", function()
        for shape, share in pairs{ sphere = 5/7, disc = 2/3 } do
            local run = pc.simulate(pc.scene{
                pc.free{ shape = shape, radius = 0.1, mass = 3, y = 0.1, vx = 2 }, pc.floor{ height = 0 },
                contact = pc.contact.newton{ restitution = 0, friction = 0.4 },
            }, { duration = 1 })
            local s = run:at(1)
            near(s.vx, 2 * share, 1e-12)
            near(s.rate, -s.vx / 0.1, 1e-10)
        end
    end)

    it("has the inertia of the body that collide knows", function()
        local body = pc.body.sphere{ radius = 0.02, mass = 0.3 }
        local own, taken = pc.free{ shape = "sphere", radius = 0.02, mass = 0.3 }, pc.free{ body = body }
        near(own.inertia, 0.4 * 0.3 * 0.02 ^ 2, 1e-20)
        near(taken.inertia, own.inertia, 1e-20)
        assert.error_matches(function() pc.free{ shape = "sphere", mass = 1 } end, "a sphere needs its radius")
        assert.error_matches(function() pc.free{ shape = "sphere", mass = 1, radius = 1, length = 2 } end,
            "a sphere has no length")
    end)
end)

-- Random bodies of every shape that fly at each other, by a generator of our own.
local function bodies(seed, mirrored, exchanged)
    local state = seed
    for _ = 1, 10 do state = state * 16807 % 2147483647 end
    local function random(lo, hi)
        state = state * 16807 % 2147483647
        return lo + (hi - lo) * state / 2147483647
    end
    local shapes = {
        function() return { shape = "disc", radius = 0.4 } end,
        function() return { shape = "rod", length = 1.4 } end,
        function() return { shape = "box", width = 1, height = 0.6 } end,
        function() return { shape = "capsule", length = 0.8, radius = 0.2 } end,
    }
    local list = {}
    for i = 1, 2 do
        local s = shapes[math.floor(random(1, 4.9999))]()
        local side = mirrored and -1 or 1
        s.name, s.mass = i == 1 and "a" or "b", random(0.5, 2)
        s.x, s.y, s.angle = side * (i == 1 and -1.5 or 1.5), random(-0.3, 0.3), side * random(0, 6)
        s.vx, s.vy, s.rate = side * (i == 1 and 1 or -1), random(-0.2, 0.2), side * random(-3, 3)
        list[exchanged and 3 - i or i] = pc.free(s)
    end
    return list
end

local function encounter(seed, contact, mirrored, exchanged)
    local list = bodies(seed, mirrored, exchanged)
    list.gravity, list.contact = 0, contact
    return pc.simulate(pc.scene(list), { duration = 3, solver = solver }), list
end

-- Momentum, and angular momentum about the origin.
local function momenta(run, list, t)
    local s, px, py, L = run:at(t), 0, 0, 0
    for _, body in ipairs(list) do
        local function of(name) return s[body.name .. "." .. name] end
        px, py = px + body.mass * of("vx"), py + body.mass * of("vy")
        L = L + body.inertia * of("rate") + body.mass * (of("x") * of("vy") - of("y") * of("vx"))
    end
    return px, py, L
end

describe("bodies of every shape", function()
    it("keep energy and momenta when they meet, rough or smooth", function()
        local impacts = 0
        for seed = 1, 60 do
            for _, contact in ipairs{ law(1), pc.contact.poisson{ restitution = 0.6, friction = 0.4 } } do
                local run, list = encounter(seed, contact)
                impacts = impacts + run.impact_count
                local px, py, L = momenta(run, list, 0)
                local qx, qy, M = momenta(run, list, 3)
                near(px, qx, 1e-12)
                near(py, qy, 1e-12)
                near(L, M, 1e-11)
                local s = run:at(3)
                near(run:at(0).energy, s.energy + s.lost + s.friction, 1e-10)
            end
        end
        assert.is_true(impacts > 60)
    end)

    it("meet alike in the mirror and in either order", function()
        local contact = pc.contact.poisson{ restitution = 0.9, friction = 0.3 }
        for seed = 1, 40 do
            local run = encounter(seed, contact)
            local mirror = encounter(seed, contact, true)
            local other = encounter(seed, contact, false, true)
            local s, m, o = run:at(3), mirror:at(3), other:at(3)
            assert.equal(run.impact_count, mirror.impact_count)
            assert.equal(run.impact_count, other.impact_count)
            for _, body in ipairs{ "a.", "b." } do
                near(s[body .. "x"], -m[body .. "x"], 1e-9)
                near(s[body .. "rate"], -m[body .. "rate"], 1e-9)
                for _, name in ipairs{ "x", "y", "angle", "vx", "vy", "rate" } do
                    near(s[body .. name], o[body .. name], 1e-9)
                end
            end
        end
    end)

    -- Rods without thickness in a box, elastic and smooth: two that crossed would each have the other's ends on both
    -- of its sides.
    it("never pass through each other", function()
        local n, length, state = 6, 0.8, 7
        local function random(lo, hi)
            state = state * 16807 % 2147483647
            return lo + (hi - lo) * state / 2147483647
        end
        local parts = {
            gravity = 0, contact = law(1), pc.floor{ height = -1.5 }, pc.plane{ y = 1.5, nx = 0, ny = -1 },
            pc.wall{ x = -1.5, side = "right" }, pc.wall{ x = 1.5, side = "left" },
        }
        for i = 1, n do
            parts[#parts + 1] = pc.free{
                shape = "rod", length = length, mass = 1 + 0.1 * i, name = "r" .. i,
                x = (i - 1) % 3 - 1, y = (i - 1) // 3 - 0.5, angle = random(0.1, 0.4),
                vx = random(-1, 1), vy = random(-1, 1), rate = random(-3, 3),
            }
        end
        local run = pc.simulate(pc.scene(parts), { duration = 10 })
        assert.is_true(run.impact_count > 50)
        near(run:at(0).energy, run:at(10).energy, 1e-11)
        local function ends(s, i)
            local name = "r" .. i .. "."
            local x, y, angle = s[name .. "x"], s[name .. "y"], s[name .. "angle"]
            local ex, ey = length / 2 * math.sin(angle), -length / 2 * math.cos(angle)
            return { x - ex, y - ey, x + ex, y + ey }
        end
        local function between(p, q) -- ends of q on both sides of p, by more than rounding
            local function side(x, y) return (p[3] - p[1]) * (y - p[2]) - (p[4] - p[2]) * (x - p[1]) end
            local a, b = side(q[1], q[2]), side(q[3], q[4])
            return a * b < 0 and math.min(math.abs(a), math.abs(b)) > 1e-12
        end
        for k = 0, 1000 do
            local s, rods = run:at(k / 100), {}
            for i = 1, n do
                rods[i] = ends(s, i)
                for j = 1, i - 1 do assert.is_false(between(rods[i], rods[j]) and between(rods[j], rods[i])) end
            end
        end
    end)
end)

describe("obstacles", function()
    it("refuse what is no outline", function()
        local function fails(text, f, options)
            local ok, message = pcall(f, options)
            assert.is_false(ok)
            assert.truthy(tostring(message):find(text, 1, true), tostring(message))
        end
        fails("its ends must differ", pc.bar, { x = 1, y = 1, x2 = 1, y2 = 1 })
        fails("must be > 0", pc.block, { x = 0, y = 0, width = 0, height = 1 })
        fails("side", pc.step, { x = 0, y = 0, side = "up" })
    end)

    it("are drawn", function()
        local path = scratch ".svg"
        local world = pc.scene{
            pc.free{ shape = "capsule", length = 1, radius = 0.1, mass = 1, y = 2 }, pc.floor{ depth = 1 },
            pc.step{ x = 1, y = 0, side = "right" }, pc.block{ x = -1, y = 0, width = 1, height = 0.5, angle = 0.3 },
            pc.bar{ x = -2, y = 1, x2 = -1, y2 = 1.5, radius = 0.1 }, contact = law(0.5),
        }
        world:draw{ file = path }
        local file = assert(io.open(path))
        assert.is_true(#file:read("a") > 1000)
        file:close()
    end)

    it("keep gaps that are distances where one has gone round another, to the end of a run", function()
        -- a turning rod and a box drift side by side, and the line of the rod passes over the box
        local world = pc.scene{
            pc.free{ shape = "box", mass = 1.4, width = 0.11, height = 0.3, x = 0.1, y = 2.2, angle = 2.6, vx = 0.33,
                vy = -0.29, rate = -1.08 },
            pc.free{ shape = "rod", mass = 0.16, length = 0.8, x = 2.1, y = 2.18, angle = -0.61, vx = 0.16, vy = -0.34,
                rate = 2.26 },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 5, y = 0.2, vy = -0.1 }, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 1, friction = 0 }, gravity = 0,
        }
        for stop = 0.5, 4, 0.125 do
            local run = pc.simulate(world, { duration = stop })
            for i, contact in ipairs(world.contacts) do
                local gap = run:at(run.time)["gap" .. i]
                assert.is_true(gap >= 0, ("%s at %g s: %g"):format(contact, stop, gap))
                assert.near(run:at(run.time - 1e-9)["gap" .. i], gap, 1e-8)
            end
        end
    end)
end)

describe("the end of a bar", function()
    -- Discs and capsules that fall on one another slide round each other's ends. Where a contact went on along the
    -- wrong side of a capsule, bodies jumped by centimetres and the ledger opened by joules.
    for _, seed in ipairs{ 1, 19, 36 } do
        it("hands a contact on to the side where it is: heap " .. seed, function()
            math.randomseed(seed, 3)
            local parts = { pc.floor{ height = 0 } }
            for k = 1, 3 + seed % 3 do
                local body = { mass = 0.3 + 2 * math.random(), x = k % 2 - 0.5 + 0.1 * math.random(), y = 0.5 + k // 2,
                    angle = 6 * math.random(), vx = 2 * math.random() - 1, rate = 6 * math.random() - 3 }
                if k % 2 == 0 then
                    body.shape, body.radius, body.angle = "disc", 0.2 + 0.15 * math.random(), nil
                else
                    body.shape, body.length = "capsule", 0.3 + 0.3 * math.random()
                    body.radius = 0.1 + 0.1 * math.random()
                end
                parts[#parts + 1] = pc.free(body)
            end
            parts.contact = pc.contact.poisson{ restitution = 0.4 * math.random(), friction = 0.6 * math.random() }
            local c = pc.simulate(pc.scene(parts), { duration = 3 }):columns(0.01)
            local off = (c.energy + c.friction + c.lost - c.energy[1]):abs():max()
            assert.is_true(off < 1e-8, off) -- drift of three seconds at the default tolerance
        end)
    end
end)
