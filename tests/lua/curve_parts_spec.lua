-- Discs that touch a curve in two places at once: wedged in valleys narrower than themselves, from crest to crest, in
-- dents and in openings. Each against closed forms, or against planes and bowls that make the same place.
local pc = require "percuss"
local within = require "within"

local TIGHT = pc.solver.dop853{ rtol = 1e-13, atol = 1e-13 }
local newton = pc.contact.newton
local g = 9.81

local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

local function disc(options)
    options.shape, options.mass, options.radius = "disc", options.mass or 1, options.radius or 0.5
    return pc.free(options)
end

local function closes(run, scale, tolerance)
    local function total(at)
        local sum = at.energy - (rawget(at, "drive") or 0)
        for _, name in ipairs{ "friction", "lost", "dissipated" } do sum = sum + (rawget(at, name) or 0) end
        return sum
    end
    within(0, (total(run:at(run.time)) - total(run:at(run.start or 0)))/scale, tolerance or 1e-11, "ledger")
end

local function count(run, name, contact)
    local n, first = 0, nil
    for _, event in ipairs(run.events) do
        if event.name == name and (not contact or event.contact == contact) then
            n, first = n + 1, first or event.time
        end
    end
    return n, first
end

-- y = c x^2, turned by an angle about its lowest point. A disc of radius r has its middle so high above that where it
-- touches both sides, each at the slope angle theta.
local function valley(c, angle, more)
    local co, si = math.cos(angle), math.sin(angle)
    local options = { curve = function(s) return co*s - si*c*s*s, si*s + co*c*s*s end, from = -1, to = 1 }
    for key, value in pairs(more or {}) do options[key] = value end
    return pc.profile(options)
end
local function wedged(c, r)
    local x = math.sqrt(4*c*c*r*r - 1)/(2*c) -- x = r sin(theta), tan(theta) = 2 c x
    return c*x*x + r/math.sqrt(1 + 4*c*c*x*x), math.atan(2*c*x)
end

-- A level floor that turns up by an angle at both ends: two planes, with an arc between that no disc gets to.
local function trough(angle, more)
    local rho, length = 0.02, 2
    local depth = rho/math.cos(angle) - rho -- of where the planes would meet, below the arc
    local options = { x = -length*math.cos(angle) - rho*math.sin(angle),
        y = length*math.sin(angle) + rho*(1 - math.cos(angle)) + depth, angle = -angle,
        pieces = { { length = length }, { radius = rho, turn = 2*angle }, { length = length } } }
    for key, value in pairs(more or {}) do options[key] = value end
    return pc.track(options)
end

-- A teardrop from inside: most of a bowl of radius 1, and two tangents that meet in a tight arc below it.
local function teardrop(more)
    local half, rho = 0.6, 0.1 -- the angle of the tangents to the vertical
    local length = (1 - rho)/math.tan(half)
    local options = { x = math.cos(half), y = -math.sin(half), angle = math.pi/2 - half,
        pieces = { { radius = 1, turn = math.pi + 2*half }, { length = length },
            { radius = rho, turn = math.pi - 2*half }, { length = length } } }
    for key, value in pairs(more or {}) do options[key] = value end
    return pc.track(options), 1/math.sin(half)
end

describe("a disc that is wider than a valley", function()
    it("rests on both sides of it, with the forces that bear it", function()
        local c, r = 3, 0.5
        local height, theta = wedged(c, r)
        for _, angle in ipairs{ 0, 0.2, -0.35 } do
            for _, mu in ipairs{ 0, 0.4 } do
                local run = simulate({ disc{ x = -height*math.sin(angle) + 0.02, y = 1.1 }, valley(c, angle),
                    contact = newton{ restitution = 0.2, friction = mu } }, { duration = 3 })
                local s = run:at(3)
                within(-height*math.sin(angle), s.x, 1e-12, "x")
                within(height*math.cos(angle), s.y, 1e-12, "y")
                within(0, s.gap1, 1e-14, "gap")
                within(0, s.gap2, 1e-14, "gap")
                -- the normals lean by theta to the right on the left side, part 1, and to the left on the other
                local n = { { math.sin(theta - angle), math.cos(theta - angle) },
                    { -math.sin(theta + angle), math.cos(theta + angle) } }
                local sum = { 0, -g, 0 }
                for k = 1, 2 do
                    local F, T = s["F_n" .. k], s["F_t" .. k]
                    assert.is_true(F > 0 and math.abs(T) <= mu*F*(1 + 1e-9))
                    sum[1] = sum[1] + F*n[k][1] + T*n[k][2]
                    sum[2] = sum[2] + F*n[k][2] - T*n[k][1]
                    sum[3] = sum[3] + T
                end
                for k = 1, 3 do within(0, sum[k], 1e-11, "balance " .. k) end
                if mu == 0 then
                    within(g*math.sin(theta + angle)/math.sin(2*theta), s.F_n1, 1e-11, "left")
                    within(g*math.sin(theta - angle)/math.sin(2*theta), s.F_n2, 1e-11, "right")
                end
                closes(run, 10)
            end
        end
    end)

    it("spins down there by the friction of both sides", function()
        local c, r, mu, rate = 3, 0.5, 0.3, 40
        local height, theta = wedged(c, r)
        local run = simulate({ disc{ y = height, rate = rate }, valley(c, 0),
            contact = newton{ restitution = 0, friction = mu } }, { duration = 1 })
        -- sum of forces zero: N1 + N2 and N1 - N2 by both equations
        local s, co, si = run:at(0.1), math.cos(theta), math.sin(theta)
        local both = g/(co*(1 + mu*mu))
        within(both, s.F_n1 + s.F_n2, 1e-11, "normal forces")
        within(mu*both*co/si, math.abs(s.F_n1 - s.F_n2), 1e-11, "their difference")
        within(rate - mu*both*r/(0.5*r*r)*0.1, s.rate, 1e-11, "rate")
        closes(run, 100)
    end)

    it("strikes both sides at once where it falls in the middle, and one after the other beside it", function()
        local c, r = 3, 0.5
        local height = wedged(c, r)
        local law = newton{ restitution = 0.6, friction = 0 }
        local run = simulate({ disc{ y = height + 0.2 }, valley(c, 0), contact = law }, { duration = 0.3 })
        local time = math.sqrt(2*0.2/g)
        within(time, run.impacts[1].time, 1e-13, "time")
        within(time, run.impacts[2].time, 1e-13, "time")
        assert.same({ "body on profile.part1", "body on profile.part2" },
            { run.impacts[1].contact, run.impacts[2].contact })
        local after = run:at(time + 1e-9)
        within(0, after.vx, 1e-12, "vx")
        within(0.6*g*time, after.vy, 1e-7, "vy")
        run = simulate({ disc{ x = 0.01, y = height + 0.2 }, valley(c, 0), contact = law }, { duration = 0.3 })
        assert.equal("body on profile.part2", run.impacts[1].contact)
        assert.is_true(run.impacts[2].time > run.impacts[1].time)
        closes(run, 10)
    end)

    it("moves between two slopes as between two planes", function()
        for _, case in ipairs{ { 0.5, 0.3, 0.2, {} }, { 0.9, 0, 0, {} },
            { 0.3, 0.6, 0.5, { motion = { amplitude_x = 0.03, frequency = 9 } } },
            { 0.7, 0.2, 0.3, { motion = { amplitude_y = 0.02, frequency = 14 } } } } do
            local angle, e, mu, motion = table.unpack(case)
            local function fall(...)
                local parts = { disc{ radius = 0.2, x = 0.1, y = 0.6, vx = -0.7, rate = 3 }, ... }
                parts.contact = newton{ restitution = e, friction = mu }
                return simulate(parts, { duration = 1.5 })
            end
            local function plane(way)
                local options = { nx = way*math.sin(angle), ny = math.cos(angle) }
                for key, value in pairs(motion) do options[key] = value end
                return pc.plane(options)
            end
            local one, two = fall(trough(angle, motion)), fall(plane(1), plane(-1))
            for k = 1, 5 do within(two.impacts[k].time, one.impacts[k].time, 1e-9, "impact " .. k) end
            for i = 1, 6 do
                local a, b = one:at(i/4), two:at(i/4)
                for _, name in ipairs{ "x", "y", "angle", "vx", "vy", "F_n1", "F_n2" } do
                    within(b[name], a[name], 1e-7*math.max(1, math.abs(b[name])), name .. " at " .. i/4)
                end
            end
            closes(one, 10)
        end
    end)

    it("leaves one side where the valley is pulled from under it", function()
        local c, r, amplitude, frequency = 3, 0.5, 0.5, 8
        local height, theta = wedged(c, r)
        local run = simulate({ disc{ y = height, vx = amplitude*frequency },
            valley(c, 0, { motion = { amplitude_x = amplitude, frequency = frequency } }),
            contact = newton{ restitution = 0, friction = 0 } }, { duration = 0.2 })
        -- it moves with the valley until the acceleration to the left is g tan(theta)
        local _, time = count(run, "lift_off", "body on profile.part1")
        within(math.asin(g*math.tan(theta)/(amplitude*frequency^2))/frequency, time, 1e-10, "lift-off")
        assert.equal(0, #run.impacts)
        closes(run, 10)
    end)

    it("presses both sides in by compliant laws", function()
        local c, r, k = 3, 0.5, 1e5
        for _, law in ipairs{ pc.contact.kelvin_voigt{ stiffness = k, damping = 300, friction = 0 },
            pc.contact.kelvin_voigt{ stiffness = k, damping = 300, friction = 0.4, tangential = "spring",
                tangential_stiffness = 5e4 } } do
            local height = wedged(c, r)
            local run = simulate({ disc{ x = 0.02, y = height + 0.1 }, valley(c, 0), contact = law,
                configuration = "moving" }, { duration = 3, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 } })
            local s = run:at(3)
            local depth = -s.gap1
            local _, theta = wedged(c, r - depth)
            within(s.gap1, s.gap2, 1e-10, "gaps")
            within(k*depth, s.F_n1, 1e-6, "law")
            within(g, 2*(s.F_n1*math.cos(theta) + math.abs(s.F_t1)*math.sin(theta)), 1e-6, "weight")
            closes(run, 10, 1e-9)
        end
    end)

    it("rolls from crest to crest, and comes to rest between two of them", function()
        local run = simulate({ disc{ x = -2.5, y = 0.35, vx = 3, rate = -15, radius = 0.2 },
            pc.profile{ y = function(x) return 0.1*math.sin(12*x) end, from = -3, to = 3 },
            contact = newton{ restitution = 0.3, friction = 0.5 } }, { duration = 3 })
        local s, bearing = run:at(3), 0
        for k = 1, #run.scene.contacts do
            if s["F_n" .. k] > 0 then
                bearing = bearing + 1
                within(0, s["gap" .. k], 1e-14, "gap")
            end
        end
        assert.equal(2, bearing)
        local valley_at = (s.x*12/math.pi - 1.5)/2
        within(math.floor(valley_at + 0.5), valley_at, 1e-12, "in the middle of a valley")
        closes(run, 20)
    end)
end)

describe("a part of a curve", function()
    it("goes on as the next where a disc passes from one to the other: a teardrop as a bowl", function()
        local soft = pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 30, friction = 0.3 }
        for _, case in ipairs{ { newton{ restitution = 0, friction = 0.4 }, nil, 0.34 }, { soft, "moving", 0.34 },
            { newton{ restitution = 0.5, friction = 0 }, nil, 0.24 } } do
            for _, way in ipairs{ -1, 1 } do
                local function roll(obstacle)
                    return simulate({ disc{ radius = 0.3, x = 0.7*way, y = 0, vy = 9, rate = 30*way }, obstacle,
                        contact = case[1], configuration = case[2] }, { duration = case[3], separate = true })
                end
                local a, b = roll((teardrop())), roll(pc.bowl{ x = 0, y = 0, radius = 1 })
                local s, o = a:at(case[3]), b:at(case[3])
                assert.is_true(s.x*way < -0.4) -- over the top
                for _, name in ipairs{ "x", "y", "angle", "vx", "vy", "rate" } do
                    within(o[name], s[name], 1e-7*math.max(1, math.abs(o[name])), name)
                end
                within(o.F_n, s.F_n1 + s.F_n2, 1e-7*o.F_n, "force")
                local before, after = way < 0 and 1 or 2, way < 0 and 2 or 1
                assert.equal(0, s["F_n" .. before])
                if not case[2] then -- one ends where the other begins
                    local ends, time = count(a, "lift_off", "body on track.part" .. before)
                    local begins, same = count(a, "contact", "body on track.part" .. after)
                    assert.same({ 1, 1, time }, { ends, begins, same })
                end
                closes(a, 50, 1e-9)
            end
        end
    end)

    it("is all there is of a closed curve with one tight end, where a disc comes to rest on two", function()
        local obstacle, below = teardrop()
        local run = simulate({ disc{ radius = 0.3, x = 0.2, y = 0.3, vx = 1 }, obstacle,
            contact = newton{ restitution = 0.2, friction = 0.3 } }, { duration = 4 })
        local s = run:at(4)
        within(0, s.x, 1e-12, "x")
        within(0.3/math.sin(0.6) - below, s.y, 1e-12, "y")
        assert.is_true(s.F_n1 > 0 and s.F_n2 > 0)
        closes(run, 20)
    end)

    it("is passed on the other side, too", function()
        local function roll(obstacle)
            return simulate({ disc{ radius = 0.3, x = 0.05, y = 1.3, vx = 0.5 }, obstacle,
                contact = newton{ restitution = 0, friction = 0.3 } }, { duration = 1 })
        end
        local inside, outside = roll((teardrop())), roll((teardrop{ side = "right" }))
        for _, name in ipairs{ "x", "y", "angle", "vx", "vy", "rate" } do
            within(outside:at(1)[name], inside:at(1)[name], 1e-9, name)
        end
    end)

    it("holds with the next a roller in the dent of a cam that turns with it", function()
        local function radius(a) return 0.6 - 0.25*math.exp(-8*(1 - math.cos(a - math.pi/2))) end
        local function turn(rate, start)
            local cam = pc.cam{ x = 0, y = 0, radius = radius, motion = { amplitude_angle = 0.3, frequency = rate } }
            return simulate({ disc{ radius = 0.25, x = 0, y = start, vx = -0.3*rate*start }, cam,
                contact = newton{ restitution = 0, friction = 0 } }, { duration = 2 })
        end
        local height = turn(0, 0.7):at(2).y
        local run = turn(2, height)
        for t = 0.1, 2, 0.1 do
            local s, angle = run:at(t), 0.3*math.sin(2*t)
            within(-height*math.sin(angle), s.x, 1e-10, "x")
            within(height*math.cos(angle), s.y, 1e-10, "y")
            assert.is_true(s.F_n1 > 0 and s.F_n2 > 0)
        end
        closes(run, 10)
    end)

    it("ends at an end of the curve, over whose opening a disc lies", function()
        local half = 0.3 -- of the opening of a bowl, as an angle
        local run = simulate({ disc{ x = 0.02, y = 1.6, radius = 0.5 }, pc.arc{ x = 0, y = 0, radius = 1,
            from = math.pi/2 + half, to = 2.5*math.pi - half }, contact = newton{ restitution = 0, friction = 0.2 } },
            { duration = 2 })
        local s = run:at(2)
        within(math.cos(half) + math.sqrt(0.25 - math.sin(half)^2), s.y, 1e-12, "y")
        within(g/2, s.F_n1*math.sqrt(1 - 4*math.sin(half)^2) + math.abs(s.F_t1)*2*math.sin(half), 1e-11, "weight")
        run = simulate({ disc{ x = 0.1, y = 1.4, radius = 1.25 }, pc.arc{ x = 0, y = 0, radius = 1, from = -math.pi,
            to = 0 }, contact = newton{ restitution = 0, friction = 0 } }, { duration = 3 })
        within(0.75, run:at(3).y, 1e-12, "on both ends of a bowl that is too small")
        within(g/2/0.6, run:at(3).F_n1, 1e-11, "force")
    end)

    it("is named after its curve, and takes the law of that or its own", function()
        local soft, hard = newton{ restitution = 0, friction = 0.1 }, newton{ restitution = 0.9, friction = 0 }
        local function scene(...)
            return pc.scene{ disc{ y = 2, name = "ball" }, valley(3, 0), contact = soft, pairs = { ... } }
        end
        local world = scene{ a = "ball", b = "profile", contact = hard }
        assert.same({ "ball on profile.part1", "ball on profile.part2" }, world.contacts)
        local both = pc.simulate(world, { duration = 0.7 })
        within(-both.impacts[1].velocity_before.n*0.9, both.impacts[1].velocity.n, 1e-12, "restitution")
        local one = pc.simulate(scene{ a = "ball", b = "profile.part2", contact = hard }, { duration = 0.7 })
        assert.is_true(one:at(0.5)["ball.vx"] < -0.5) -- thrown off that side alone
        assert.error_matches(function() scene{ a = "ball", b = "profile.part3", contact = hard } end, "profile.part3")
        -- discs of one radius share parts, others have their own
        world = pc.scene{ disc{ y = 2 }, disc{ y = 4 }, disc{ y = 6, radius = 0.1 }, valley(3, 0), contact = soft }
        assert.equal(3 + 5, #world.contacts)
    end)

    it("is kept by runs that are saved, and carries displacements through impacts", function()
        local scratch = require "tests.lua.scratch"
        local run = simulate({ disc{ radius = 0.3, x = 0.2, y = 0.3, vx = 1 }, (teardrop()), contact = newton{
            restitution = 0.5, friction = 0.2 } }, { duration = 0.5 })
        local file = scratch() .. ".run"
        run:save(file)
        local again = pc.load_run(file)
        os.remove(file)
        assert.equal(run:continue(0.5):at(1).x, again:continue(0.5):at(1).x)
        local function fall(dx)
            return simulate({ disc{ x = 0.05 + dx, y = 1.2 }, valley(3, 0), contact = newton{ restitution = 0.5,
                friction = 0 } }, { duration = 0.35 })
        end
        local plain, h = fall(0), 1e-6
        assert.is_true(#plain.impacts >= 2)
        local image = plain:carry({ q = { 1, 0, 0 }, u = { 0, 0, 0 } }, 0, 0.35)
        local slope = (fall(h):at(0.35).x - fall(-h):at(0.35).x)/(2*h)
        within(slope, image.q[1], 1e-5*math.abs(slope), "carried")
    end)

    it("is no refuge: where nothing of the curve is reached, or all of a hollow at once, discs are refused", function()
        local function world(radius, obstacle)
            return function() pc.scene{ disc{ radius = radius, y = 3 }, obstacle, contact = newton{ restitution = 0,
                friction = 0 } } end
        end
        local half = pc.arc{ x = 0, y = 0, radius = 1, from = -math.pi, to = 0 }
        assert.error_matches(world(1, half), "radius of curvature is 1 m.*hollow of its own radius")
        assert.error_matches(world(1.1, pc.arc{ x = 0, y = 0, radius = 1 }), "radius of curvature is 1 m")
        assert.error_matches(function()
            simulate({ disc{ y = 0.2 }, valley(3, 0), contact = newton{ restitution = 0, friction = 0 } },
                { duration = 1 })
        end, "body on profile.part[12]: the motion begins with an overlap")
        world(1.1, half)()
        -- the lowest place of y = c x^2 has the radius of curvature 1/(2 c)
        assert.error_matches(world(1.000001/6, valley(3, 0)), "hollow of its own radius")
        assert.error_matches(world(0.999999/6, valley(3, 0)), "hollow of its own radius")
        for _, share in ipairs{ 1.00001, 0.99999 } do
            local run = simulate({ disc{ radius = share/6, x = 0.1, y = 0.8 }, valley(3, 0), contact = newton{
                restitution = 0.3, friction = 0.3 } }, { duration = 0.6, solver = pc.solver.dop853{ rtol = 1e-9 } })
            closes(run, 10, 1e-8)
        end
        -- a track that meets itself is gone along
        local loop = pc.track{ pieces = { { length = 1 }, { radius = 0.5, turn = 7 } } }
        assert.error_matches(world(0.6, loop), "two places.*do not meet themselves")
    end)

    it("keeps energy and what moves on it, at random: long_curves has more", function()
        local check, tried = require "tests.lua.curve_random", 0
        for seed = 1, 25 do
            local left, deepest, compliant, what = check(seed, true)
            if left then
                tried = tried + 1
                within(0, left, compliant and 1e-8 or 1e-9, "ledger of " .. seed .. ", " .. what)
                within(0, deepest, 2e-3, "overlap of " .. seed .. ", " .. what)
            end
        end
        assert.is_true(tried >= 22)
    end)
end)
