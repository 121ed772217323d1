-- Displacements carried through joints: what these forbid is taken away, and the rest follows impacts at stops, dry
-- friction, drives and loops, against closed forms, against chains, and against differences of neighbouring motions
-- whose starts are put together by assemble = true.
local pc = require "percuss"
local near = require "within"

local tight = pc.solver.dop853{ rtol = 1e-13, atol = 1e-14 }

-- Where a rod that turns about (x, y) at `rate` is, its upper end there, at an angle from hanging.
local function rod(name, mass, length, angle, o)
    o = o or {}
    local s, c, w = math.sin(angle), math.cos(angle), o.rate or 0
    return pc.free{ shape = "rod", mass = mass, length = length, name = name, touch = o.touch or "none", angle = angle,
        x = (o.x or 0) + length/2*s, y = (o.y or 0) - length/2*c,
        vx = (o.vx or 0) + w*length/2*c, vy = (o.vy or 0) + w*length/2*s, rate = w }
end

local function pin(body, more)
    local options = { a = body, at = { 0, 0 } }
    for key, value in pairs(more or {}) do options[key] = value end
    return pc.pin(options)
end

-- Displacements in everything, which joints take their part of.
local function some(n)
    local d, x = { q = {}, u = {} }, 0.37
    for i = 1, n do
        x = (x*7.13 + 0.31) % 1
        d.q[i] = x - 0.5
        x = (x*5.17 + 0.71) % 1
        d.u[i] = x - 0.5
    end
    return d
end

local function kinds(run)
    local seen = {}
    for _, event in ipairs(run.events) do seen[event.name] = (seen[event.name] or 0) + 1 end
    return seen
end

-- The run of a scene, and what was carried against the central difference at the distance h = 1e-5, which errs by its
-- square times third derivatives, and rounds at 1e-13 over it.
local function compare(parts, duration, bound)
    local world = pc.scene(parts)
    local run = pc.simulate(world, { duration = duration, solver = tight })
    local start, h, size = run:at(0), 1e-5, 1
    local n = #start.q
    local d = some(n)
    local got = run:carry(d)
    local function go(s)
        local q, u = {}, {}
        for i = 1, n do q[i], u[i] = start.q[i] + s*d.q[i], start.u[i] + s*d.u[i] end
        return pc.simulate(world, { duration = duration, solver = tight, q = q, u = u, assemble = true }):at(duration)
    end
    local a, b = go(h), go(-h)
    for i = 1, n do size = math.max(size, math.abs(got.q[i]), math.abs(got.u[i])) end
    for i = 1, n do
        near((a.q[i] - b.q[i])/(2*h), got.q[i], (bound or 2e-8)*size, "q" .. i)
        near((a.u[i] - b.u[i])/(2*h), got.u[i], (bound or 2e-8)*size, "u" .. i)
    end
    return run, got
end

-- Bars of a loop: (x, y) and the velocity of where one begins, its direction from the x axis and rate.
local function bar(name, mass, length, x, y, phi, rate, vx, vy)
    local c, s = length/2*math.cos(phi), length/2*math.sin(phi)
    return pc.free{ shape = "rod", mass = mass, length = length, name = name, touch = "none", angle = phi - math.pi/2,
        rate = rate, x = x + c, y = y + s, vx = vx - rate*s, vy = vy + rate*c }
end

-- A four-bar linkage with its crank at 1 rad, and its geometry: the angles of coupler and rocker, and how the rates of
-- these follow that of the crank.
local G, C, L, R = 1, 0.4, 1.1, 0.8
local function loop(angle)
    local x1, y1 = C*math.cos(angle), C*math.sin(angle)
    local span = math.sqrt((G - x1)^2 + y1^2)
    local b = math.atan(-y1, G - x1) + math.acos((L^2 + span^2 - R^2)/(2*L*span))
    local c = math.atan(y1 + L*math.sin(b), x1 + L*math.cos(b) - G)
    return b, c, C*math.sin(angle - c)/(L*math.sin(c - b)), C*math.sin(angle - b)/(R*math.sin(c - b))
end
local function four_bar(rate, axis)
    local b, c, of_b, of_c = loop(1)
    local x1, y1 = C*math.cos(1), C*math.sin(1)
    local parts = { gravity = 9.81, bar("crank", 1, C, 0, 0, 1, rate, 0, 0),
        bar("coupler", 2, L, x1, y1, b, of_b*rate, -rate*y1, rate*x1), bar("rocker", 1.5, R, G, 0, c, of_c*rate, 0, 0),
        pc.pin{ a = "coupler", b = "crank", at = { x1, y1 }, name = "first" },
        pc.pin{ a = "rocker", b = "coupler", at = { x1 + L*math.cos(b), y1 + L*math.sin(b) }, name = "second" },
        pc.pin{ a = "rocker", at = { G, 0 }, name = "far" } }
    axis.name = "axis"
    parts[#parts + 1] = pin("crank", axis)
    return parts
end

describe("a displacement carried through joints", function()
    it("of a rod on a pin is that of a chain of one link", function()
        local length, mass, angle, rate = 0.8, 2, 1.1, 0.7
        for _, stop in ipairs{ {}, { lower = -0.3, restitution = 0.8 }, { lower = -0.3, restitution = 0 },
                               { lower = -0.3, stiffness = 2000 }, { lower = -0.3, stiffness = 2000, damping = 5 },
                               { friction_torque = 0.7 } } do
            local chain = pc.simulate(pc.scene{ pc.chain{ links = { { mass = mass, length = length } },
                angles = { angle }, rates = { rate }, name = "p", touch = "none" }, pin("p", stop) },
                { duration = 2.1, solver = tight })
            local free = pc.simulate(pc.scene{ rod("p", mass, length, angle, { rate = rate }), pin("p", stop) },
                { duration = 2.1, solver = tight })
            -- a displacement of the angle that the pin allows; what it does not is taken away
            local da, dw, half = 0.6, -0.4, length/2
            local s, c = math.sin(angle), math.cos(angle)
            local allowed = { q = { half*c*da, half*s*da, da },
                u = { half*(c*dw - s*rate*da), half*(s*dw + c*rate*da), dw } }
            local want, got = chain:carry{ q = { da }, u = { dw } }, free:carry(allowed)
            near(want.q[1], got.q[3], 1e-9, "angle")
            near(want.u[1], got.u[3], 1e-9, "rate")
            local end_angle, end_rate = free:at(2.1)["p.angle"], free:at(2.1)["p.rate"]
            near(half*math.cos(end_angle)*got.q[3], got.q[1], 1e-9, "x")
            near(half*(math.cos(end_angle)*got.u[3] - math.sin(end_angle)*end_rate*got.q[3]), got.u[1], 1e-9, "vx")
            if want.slowest then near(want.slowest, got.slowest, 1e-9, "slowest") end
        end
    end)

    it("is projected as masses ask for, which is what assemble = true does", function()
        -- J + m l^2 of the rod about its pin: a push of the mass centre by (dx, dy) turns it by m l (c dx + s dy) of
        -- that, and a turn about the mass centre counts by J
        local mass, length, angle = 2, 0.8, 1.1
        local l, J = length/2, mass*length^2/12
        local run = pc.simulate(pc.scene{ rod("p", mass, length, angle), pin "p" }, { duration = 1, solver = tight })
        local d = run:carry({ q = { 0.3, -0.2, 0.5 }, u = { 0, 0, 0 } }, 0, 0)
        local turn = (J*0.5 + mass*l*(math.cos(angle)*0.3 - math.sin(angle)*0.2))/(J + mass*l^2)
        near(turn, d.q[3], 1e-10)
        near(l*math.cos(angle)*turn, d.q[1], 1e-10)
        near(l*math.sin(angle)*turn, d.q[2], 1e-10)
        near(0, d.u[1], 1e-12)
    end)

    it("grows at an upright pendulum as exp(w t), and so does pc.lyapunov's", function()
        local length = 0.8
        local w = math.sqrt(3*9.81/(2*length))
        local world = pc.scene{ rod("p", 2, length, math.pi), pin "p" }
        local run = pc.simulate(world, { duration = 1.5, solver = tight })
        local d = run:carry{ q = { -0.4*0.01, 0, 0.01 }, u = { -0.4*0.01*w, 0, 0.01*w } }
        near(0.01*math.exp(w*1.5), d.q[3], 1e-9*math.exp(w*1.5))
        local exponent = pc.lyapunov(world, { duration = 5, interval = 2 })
        near(w, exponent.exponent, 1e-6)
    end)

    it("of bounces at a stop is that of their closed form", function()
        -- a wheel that a constant moment turns back to its stop: t_1 by the start, then v e^k and 2 v e^k/a
        local e, M, J, angle, T = 0.6, 0.5, 0.2, 0.8, 2.4
        local a = M/J
        local function exact(x, w)
            local t = (w + math.sqrt(w*w + 2*a*x))/a
            local v = a*t - w
            local s, k = T - t, 1
            while s > 2*v*e/a do
                v, k = v*e, k + 1
                s = s - 2*v/a
            end
            return v*e*s - a*s*s/2, v*e - a*s, k
        end
        local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = J, angle = angle,
            rate = 0.2, name = "wheel", touch = "none" }, gravity = 0, pc.motor{ on = "wheel", torque = -M },
            pin("wheel", { lower = 0, restitution = e }) }, { duration = T, solver = tight })
        local x, w, impacts = exact(angle, 0.2)
        near(x, run:at(T)["wheel.angle"], 1e-11)
        near(w, run:at(T)["wheel.rate"], 1e-11)
        assert.equal(impacts, #run.impacts)
        assert.is_true(impacts >= 2)
        local h, dx, dw = 1e-3, 0.7, -0.3
        local function derivative(which)
            local sum = 0
            for i, weight in ipairs{ 45, -9, 1 } do
                sum = sum + weight*((select(which, exact(angle + i*h*dx, 0.2 + i*h*dw)))
                    - (select(which, exact(angle - i*h*dx, 0.2 - i*h*dw))))/(60*h)
            end
            return sum
        end
        local d = run:carry{ q = { 0, 0, dx }, u = { 0, 0, dw } }
        near(derivative(1), d.q[3], 1e-9)
        near(derivative(2), d.u[3], 1e-9)
        near(0, d.q[1], 1e-12)
    end)

    it("of a loop keeps to its one freedom", function()
        local run, d = compare(four_bar(-1.3, {}), 1.2)
        local at = run:at(1.2)
        local _, _, of_b, of_c = loop(at["crank.angle"] + math.pi/2)
        near(of_b*d.q[3], d.q[6], 1e-9, "coupler")
        near(of_c*d.q[3], d.q[9], 1e-9, "rocker")
        near(of_b*at["crank.rate"], at["coupler.rate"], 1e-10)
    end)

    it("of a loop goes through stops and friction", function()
        assert.is_true(#compare(four_bar(-1.3, { lower = -3, restitution = 0.7 }), 1.5).impacts >= 2)
        assert.equal(1, kinds((compare(four_bar(-1.3, { lower = -3, stiffness = 300, damping = 2 }), 1.5))).lift_off)
        assert.is_true(kinds((compare(four_bar(-1.3, { friction = 0.3, radius = 0.02 }), 1.5))).reversal >= 1)
    end)

    it("of a slider goes through stops, with the friction that their impulses bring", function()
        local block = { shape = "box", width = 0.1, height = 0.1, mass = 1, name = "b", touch = "none",
            vx = 0.5*math.cos(0.4), vy = 0.5*math.sin(0.4) }
        local run = compare({ pc.free(block), pc.slider{ a = "b", angle = 0.4, lower = -1, upper = 1,
            restitution = 0.6, friction = 0.1 } }, 2)
        assert.is_true(#run.impacts >= 2)
        local struck = compare({ rod("p", 2, 1, 1.1, { rate = 0.7 }),
            pin("p", { friction = 0.3, radius = 0.05, lower = -0.3, restitution = 0.7 }) }, 2.1)
        assert.equal("pin.friction", struck.impacts[2].contact)
    end)

    it("of welds, to the ground and between bodies, moves what these let move", function()
        compare({ rod("p", 2, 1, 1.1), rod("b", 1, 0.5, 0.3), pc.weld{ a = "b", b = "p", at = { 0, 0 } }, pin "p" }, 2)
        local _, d = compare({ rod("p", 2, 1, 1.1), pc.weld{ a = "p", at = { 0, 0 } },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 3, name = "f" } }, 1)
        for i = 1, 3 do
            near(0, d.q[i], 1e-12)
            near(0, d.u[i], 1e-12)
        end
    end)

    it("of a drive keeps its rate, not its angle", function()
        local w = 5
        local _, d = compare({ gravity = 9.81,
            pc.free{ shape = "disc", radius = 0.05, mass = 2, rate = w, name = "wheel", touch = "none" },
            rod("arm", 1, 0.7, 0.2, { x = 0.2, vy = w*0.2 }), pin("wheel", { rate = w, name = "motor" }),
            pc.pin{ a = "arm", b = "wheel", at = { 0.2, 0 }, name = "crank", lower = -3, upper = 3,
                restitution = 0.6 } }, 1)
        near(0, d.u[3], 1e-12)
        assert.is_true(math.abs(d.q[3]) > 0.01)
    end)

    it("goes through a crane with everything", function()
        local run = compare({ gravity = 9.81,
            pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 2, vx = 1.5, name = "trolley", touch = "none" },
            rod("arm", 1, 1, 0, { vx = 1.5, rate = 0.3 }), rod("hook", 0.5, 0.6, 0, { y = -1, vx = 1.8, rate = -0.2 }),
            pc.slider{ a = "trolley", lower = -0.4, upper = 0.3, restitution = 0.5, friction = 0.05, name = "rail" },
            pc.pin{ a = "arm", b = "trolley", at = { 0, 0 }, radius = 0.03, friction = 0.2, name = "top", lower = -0.7,
                upper = 0.6, stiffness = 300, damping = 1 },
            pc.pin{ a = "hook", b = "arm", at = { 0, -1 }, friction_torque = 0.02, name = "knee", lower = -0.7,
                upper = 0.6, restitution = 0.3 } }, 1)
        assert.is_true(#run.impacts >= 8)
    end)

    it("goes through impacts of what is joined with a floor, however they are resolved", function()
        for _, together in ipairs{ "tied", "simultaneous", "sequential" } do
            local s, c = math.sin(1.3), math.cos(1.3)
            local run = compare({ gravity = 9.81, together = together, pc.floor{ depth = 0.8 },
                rod("a", 1, 0.5, 1.3, { rate = -1, touch = "outline" }), pin "a",
                rod("b", 1, 0.5, 0.9, { x = 0.5*s, y = -0.5*c, vx = -0.5*c, vy = -0.5*s, touch = "outline" }),
                pc.pin{ a = "b", b = "a", at = { 0.5*s, -0.5*c }, friction = 0.4, radius = 0.03, name = "knee",
                    lower = -2, upper = 2, restitution = 0.5 },
                contact = pc.contact.newton{ restitution = 0.6, friction = 0.2 } }, 1.2)
            assert.is_true(#run.impacts >= 8)
        end
    end)

    it("goes through contacts that give, of whatever bodies, while their force is linear", function()
        local law = pc.contact.kelvin_voigt{ stiffness = 1e4, damping = 10, friction = 0 }
        local run = compare({ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.5, name = "d" },
            pc.free{ shape = "disc", radius = 0.1, mass = 2, x = 0.03, y = 0.9, name = "e" }, pc.floor{ height = 0 },
            configuration = "moving", contact = law }, 0.8)
        assert.is_true(#run.impacts >= 4)
        local hit = run.impacts[1]
        near(-hit.velocity_before.n, run:carry(some(6), 0, hit.time + 0.01).slowest, 1e-9)
    end)

    it("goes through a stop that closes again before it has recovered", function()
        local run = compare({ gravity = 0, pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = 0.2, angle = 0.05,
            name = "wheel", touch = "none" }, pin("wheel", { lower = 0, stiffness = 50, damping = 20 }),
            pc.force{ on = "wheel", f = function(t) return 0, 0, -2 + 8*math.sin(30*t) end } }, 2)
        local pressed = 0
        for _, event in ipairs(run.events) do
            local gap = run:at(event.time)["pin.lower.gap"]
            if event.name == "contact" and gap < -1e-4 then pressed = pressed + 1 end
        end
        assert.is_true(pressed >= 1)
    end)

    it("of bodies that are joined more than they need be is that of one body", function()
        -- two pins too many: which conditions follow from others shows where they do, not beside that
        local run, d = compare({ rod("a", 1, 0.8, 1), rod("b", 2, 0.5, 0.4), pin "a",
            pc.pin{ a = "b", b = "a", at = { 0.1, -0.2 }, name = "one" },
            pc.pin{ a = "b", b = "a", at = { 0.3, -0.3 }, name = "two" },
            pc.pin{ a = "b", b = "a", at = { 0.2, -0.6 }, name = "three" } }, 1)
        near(d.q[3], d.q[6], 1e-10)
        near(d.q[3]*0.4*math.cos(run:at(1)["a.angle"]), d.q[1], 1e-9)
    end)

    it("is refused where contacts that give do otherwise, or slip begins the other way", function()
        local function carry(law)
            return pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.5, name = "d" },
                pc.floor{ height = 0 }, configuration = "moving", contact = law }, { duration = 1 }):carry(some(3))
        end
        for _, one in ipairs{
            { pc.contact.kelvin_voigt{ stiffness = 1e4, damping = 10, friction = 0.1 }, "and has friction" },
            { pc.contact.kelvin_voigt{ stiffness = 1e4, damping_ratio = 0.1, friction = 0 },
                "and has constants that depend on its mass" },
            { pc.contact.hunt_crossley{ stiffness = 1e6, exponent = 1.5, damping = 1, friction = 0 },
                "and is not linear" },
        } do
            assert.error_matches(function() carry(one[1]) end,
                "d on floor is closed at t = 0.28%d* with configuration = \"moving\" " .. one[2])
        end
        -- a rod that begins to fall against friction: pushed up it would rub the other way first
        local run = pc.simulate(pc.scene{ rod("p", 2, 1, 1.1), pin("p", { friction_torque = 0.5 }) },
            { duration = 0.3, solver = tight })
        assert.is_true(run:carry{ q = { 0, 0, 0 }, u = { 0, 0, -1 } }.u[3] < 0)
        assert.error_matches(function() run:carry{ q = { 0, 0, 0 }, u = { 0, 0, 1 } } end,
            "pin.friction: slip begins, the other way, at t = 0: there a displacement has no image")
    end)
end)
