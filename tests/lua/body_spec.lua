local pc = require "percuss"
local near = require "near"
local deg = pc.deg

local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return tostring(message)
end

-- Refused, and the message holds every one of the texts.
local function refused(texts, f, ...)
    local message = refusal(f, ...)
    for _, text in ipairs(texts) do
        assert(message:find(text, 1, true), ("%q is not in %q"):format(text, message))
    end
end

local function ball() return pc.body.sphere{ radius = 5e-3, mass = 0.0041 } end

local function pendulum(angle)
    return pc.body.pendulum{ length = 0.1, radius = 5e-3, mass = 0.0041, angle = angle or 30 * deg }
end

describe("body", function()
    it("gives W as rows and by element, with its rank", function()
        local b = ball()
        near(b.w_tt, 3.5 / 0.0041, 1e-15)
        near(b.w_nn, 1 / 0.0041, 1e-15)
        assert.equal(0, b.w_tn)
        assert.same({ { b.w_tt, 0 }, { 0, b.w_nn } }, b.W)
        assert.equal(2, b.rank)
        near(b.lai.lambda, 5 / 9, 1e-15)
        local space = pc.body.sphere{ radius = 5e-3, mass = 0.0041, spatial = true }
        assert.equal(3, #space.W)
        assert.equal(space.w_tt, space.w_t2t2)
        assert.equal(3, space.rank)
    end)

    it("reads its parameters back, by word or symbol, the derived ones as well", function()
        local b = ball()
        assert.same({ 5e-3, 5e-3, 0.0041, 200 }, { b.radius, b.R, b.mass, b.curvature })
        near(b.density, 0.0041 / (4 / 3 * math.pi * 5e-3 ^ 3), 1e-15)
        near(b.inertia, 2 / 5 * 0.0041 * 5e-3 ^ 2, 1e-15)
        assert.equal("sphere", b.kind)
        assert.is_nil(pc.body.rod{ length = 1, mass = 1, angle = 0 }.curvature)
        assert.equal(30, pc.body.rod{ length = 1, mass = 1, angle = 0, curvature = 30 }.curvature)
        assert.same({ 1, -2 }, pc.body.rigid{ mass = 1, inertia = 1, arm = { 1, -2 } }.arm)
        local touching = pc.body.pendulum{ length = 1, radius = 0.1, mass = 1, angle = 0.3, contact = "surface" }
        assert.equal("surface", touching.contact)
        assert.is_nil(touching.inertia) -- it turns about its pivot
        near(pc.body.box{ mass = 2, width = 0.3, height = 0.4, angle = 0.2 }.inertia, 2 * 0.25 / 12, 1e-15)
        near(pc.body.cylinder{ mass = 2, radius = 0.3, height = 0.4, angle = 0.2, spatial = true }.inertia,
            2 * (3 * 0.09 + 0.16) / 12, 1e-15)
    end)

    it("cannot be changed", function()
        refused({ "cannot be changed" }, function() ball().radius = 1 end)
    end)

    it("prints in one line what would make it again", function()
        assert.equal("body.sphere{ mass = 0.0041 kg, radius = 0.005 m }", tostring(ball()))
        local data = pc.body.matrix{ W = { { 2, 1 }, { 1, 3 } } }
        assert.equal("body.matrix{ mobility = {{2, 1}, {1, 3}} }", tostring(data))
        assert.equal("pair{ W = {{4, 2}, {2, 6}} 1/kg }", tostring(pc.pair(data, data)))
    end)

    it("describes itself in several lines", function()
        local text = pendulum():describe()
        for _, word in ipairs{ "body.pendulum", "W (1/kg)", "rank           1", "lambda 1,", "rate (rad/s)" } do
            assert(text:find(word, 1, true), word)
        end
    end)

    it("does not change the caller's table", function()
        local options = { radius = 1, mass = 2 }
        pc.body.sphere(options)
        assert.same({ radius = 1, mass = 2 }, options)
    end)
end)

describe("motion", function()
    it("takes the contact point's velocity, cartesian or polar", function()
        local b = ball()
        assert.same({ vt = 1, vn = -2 }, b:contact_velocity{ vt = 1, vn = -2 })
        assert.same({ vt = 0, vn = -2 }, b:contact_velocity{ vn = -2 })
        local v = b:contact_velocity{ speed = 2, incidence = 30 * deg }
        near(v.vt, 1, 1e-15)
        near(v.vn, -math.sqrt(3), 1e-15)
        local space = pc.body.sphere{ radius = 1, mass = 1, spatial = true }
        v = space:contact_velocity{ speed = 2, incidence = 30 * deg, azimuth = 90 * deg }
        near(v.vt2, 1, 1e-15)
        near(v.vt, 0, 0, 1e-15)
    end)

    it("takes the velocities of a free body", function()
        -- anticlockwise rotation moves the lowest point towards +t
        local b = pc.body.sphere{ radius = 0.5, mass = 1 }
        assert.same({ vt = 2.5, vn = -2 }, b:contact_velocity{ v = { 1, -2 }, omega = 3 })
        assert.same({ vt = 1, vn = -2 }, b:contact_velocity{ v = { 1, -2 } })
        assert.same({ vt = 1, vn = -2 }, b:contact_velocity{ v = pc.array{ 1, -2 } })
        -- a point ahead of the mass centre rises
        local r = pc.body.rigid{ mass = 1, inertia = 1, arm = { 2, 0 } }
        assert.same({ vt = 0, vn = 6 }, r:contact_velocity{ v = { 0, 0 }, omega = 3 })
    end)

    it("takes rotation in space about t, n and t2 = t x n", function()
        local I = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
        local b = pc.body.rigid{ mass = 1, inertia_tensor = I, arm = { 2, 3 }, arm_t2 = 5 }
        -- omega x arm
        local w, r = { 7, 11, 13 }, { 2, 3, 5 }
        local v = b:contact_velocity{ v = { 0, 0, 0 }, omega = w }
        assert.same({ w[2] * r[3] - w[3] * r[2], w[3] * r[1] - w[1] * r[3], w[1] * r[2] - w[2] * r[1] },
            { v.vt, v.vn, v.vt2 })
        assert.same(b:contact_velocity{ v = { 1, 2, 3 }, omega = { 0, 0, 4 } },
            b:contact_velocity{ v = { 1, 2, 3 }, omega = 4 })
    end)

    it("follows the guide of a pendulum from any one number", function()
        local p = pendulum(30 * deg)
        local v = p:contact_velocity{ rate = -6 }
        near(v.vt, -0.6 * math.cos(30 * deg), 1e-15)
        near(v.vn, -0.6 * math.sin(30 * deg), 1e-14)
        near(p:velocities{ vn = v.vn }.rate, -6, 1e-14)
        near(p:velocities{ vt = v.vt }.rate, -6, 1e-14)
        near(p:velocities{ speed = 0.6 }.rate, -6, 1e-14)
        near(p:velocities{ vt = v.vt, vn = v.vn }.rate, -6, 1e-14)
        near(p:velocities{ rates = { -6 } }.rate, -6, 0)
        -- hanging to the other side it comes from the other side
        near(pendulum(-30 * deg):velocities{ speed = 0.6 }.rate, 6, 1e-14)
    end)

    it("gives motion tables that can be given back", function()
        local bodies = { ball(), pendulum(), pc.body.sphere{ radius = 1, mass = 1, spatial = true },
            pc.body.system{ A = { { 2, 1 }, { 1, 3 } }, C = { { 1, 0.5 }, { 0, 1 } } },
            pc.body.lai{ mass = 1, lambda = 0.5 },
            pc.body.spherical_pendulum{ length = 1, mass = 1, angle = 0.5, joint = "universal" } }
        for _, b in ipairs(bodies) do
            local motion = b:velocities{ vn = -1, vt = b.kind:find "pendulum" and -1 / math.tan(b.angle) or 0.3 }
            if b.kind == "pendulum" then motion = b:velocities{ vn = -1 } end
            assert.same(motion, b:velocities(motion))
        end
    end)

    it("gives the energy, and what an impact can take of it at most", function()
        local b = pc.body.sphere{ radius = 1, mass = 2 }
        near(b:energy{ v = { 0, -2 }, omega = 3 }, 4 + 0.8 * 9 / 2, 1e-15)
        -- the contact stops, the centre cannot: 2/7 of the tangential part is within reach
        near(b:loss_max{ vt = 1, vn = 0 }, 2 / 7, 1e-15)
        near(b:loss_max{ vt = 0, vn = -2 }, 4, 1e-15)
        near(pendulum():energy{ rate = -6 }, 0.000738738, 1e-14)
        near(pendulum():loss_max{ rate = -6 }, 0.000738738, 1e-14)
        near(pc.body.lai{ mass = 2, lambda = 0.5 }:energy{ vt = 0, vn = -1 }, 2, 1e-15)
    end)

    it("after an impulse is that of the impulse's momentum", function()
        local b = pc.body.sphere{ radius = 0.5, mass = 2 }
        local m = b:after({ v = { 1, -1 }, omega = 0 }, { t = -0.2, n = 4 })
        near(m.v[1], 0.9, 1e-15)
        near(m.v[2], 1, 1e-15)
        near(m.omega, -0.2 * 0.5 / (0.4 * 2 * 0.25), 1e-14)
        local w = pc.body.matrix{ W = { { 2, 1 }, { 1, 3 } } }
        assert.same({ vt = 1 + 2 * 0.5 + 1, vn = -1 + 0.5 + 3 }, w:after({ vt = 1, vn = -1 }, { t = 0.5, n = 1 }))
        refused({ "impulse: n must be a number (N s)" }, b.after, b, { vn = -1 }, { t = 0 })
    end)

    it("refuses what it cannot mean, and says what it can", function()
        local b, p = ball(), pendulum()
        local function motion(texts, t, body) refused(texts, b.contact_velocity, body or b, t) end
        motion({ "give vt and vn" }, {})
        motion({ "vn is needed" }, { vt = 1 })
        motion({ "vn", "finite" }, { vt = 1, vn = 0 / 0 })
        motion({ "vt", "finite" }, { vt = math.huge, vn = 1 })
        motion({ "vn must be a number, not a string" }, { vt = 1, vn = "1" })
        motion({ "not both" }, { vt = 1, speed = 1 })
        motion({ "not both" }, { vt = 1, omega = 1 })
        motion({ "v is needed beside omega" }, { omega = 1 })
        motion({ "did you mean 'vn'" }, { vnn = 1 })
        motion({ "'rate'" }, { rate = 1 })
        motion({ "did you mean 'rate'" }, { ratee = 1 }, p)
        motion({ "speed = -1", ">= 0 m/s" }, { speed = -1, incidence = 0 })
        motion({ "incidence is needed" }, { speed = 1 })
        motion({ "incidence = 45", "rad", "did you mean 45.0*percuss.deg" }, { speed = 1, incidence = 45 })
        motion({ "incidence = 2", "-pi/2 to pi/2" }, { speed = 1, incidence = 2 })
        motion({ "'vt2' needs a body in space" }, { vt2 = 1, vn = -1 })
        motion({ "list of 2 numbers, not 3" }, { v = { 1, 2, 3 } })
        motion({ "named entries only" }, { 1, -1 })
        motion({ "a motion is a table" }, 3)
        motion({ "give 'rate'" }, { v = { 1, 2 } }, p)
        motion({ "vt/vn must be 1.73205", "not 1/-1" }, { vt = 1, vn = -1 }, p)
        motion({ "along t only", "vn = -1 m/s must be 0" }, { vn = -1 }, pendulum(0))
        motion({ "known by its W alone" }, { v = { 1, 0 } }, pc.body.lai{ mass = 2, lambda = 0.5 })
        motion({ "turn is needed as well" }, { rate = 1 },
            pc.body.spherical_pendulum{ length = 1, mass = 1, angle = 0.5, joint = "universal" })
    end)
end)

describe("pair", function()
    it("adds the mobilities and knows what both have in common", function()
        local a = pc.body.sphere{ radius = 0.1, mass = 1, material = pc.material.steel }
        local b = pc.body.sphere{ radius = 0.2, mass = 3, material = pc.material.steel }
        local both = pc.pair(a, b)
        near(both.w_tt, 3.5 * (1 + 1 / 3), 1e-15)
        near(both.w_nn, 1 + 1 / 3, 1e-15)
        near(both.mass, 0.75, 1e-15)
        assert.equal(15, both.curvature)
        assert.equal("pair", both.kind)
        assert.equal(pc.material.steel, both.material)
        assert.is_nil(pc.pair(a, pc.body.sphere{ radius = 1, mass = 1 }).material)
    end)

    it("moves by its relative velocity alone", function()
        local both = pc.pair(ball(), ball())
        assert.same({ vt = 1, vn = -1 }, both:contact_velocity{ vt = 1, vn = -1 })
        refused({ "known by its W alone" }, both.contact_velocity, both, { v = { 0, 1 } })
        refused({ "has no field 'radius'" }, function() return both.radius end)
    end)

    it("tells how both bodies move afterwards: momentum, moment of momentum and energy", function()
        local a, b = pc.body.sphere{ radius = 0.1, mass = 2 }, pc.body.sphere{ radius = 0.2, mass = 5 }
        local law = pc.contact.poisson{ restitution = 0.6, friction = 0.3 }
        local hit = pc.collide(pc.pair(a, b), law,
            { a = { v = { 1, -2 }, omega = 3 }, b = { v = { 0.5, -1 }, omega = -2 } })
        -- in the frame of a about the contact point: b is turned half round, so that its v is reversed
        local function sums(motion)
            local p, q = motion.a, motion.b
            local Ia, Ib = 0.4 * 2 * 0.01, 0.4 * 5 * 0.04
            return {
                2 * p.v[1] - 5 * q.v[1], 2 * p.v[2] - 5 * q.v[2],
                Ia * p.omega + Ib * q.omega - 2 * 0.1 * p.v[1] - 5 * 0.2 * q.v[1],
                (2 * (p.v[1] ^ 2 + p.v[2] ^ 2) + Ia * p.omega ^ 2 + 5 * (q.v[1] ^ 2 + q.v[2] ^ 2)
                    + Ib * q.omega ^ 2) / 2,
            }
        end
        local before, after = sums(hit.bodies_before), sums(hit.bodies)
        for k = 1, 3 do near(after[k], before[k], 1e-14) end
        near(before[4] - after[4], hit.loss, 1e-13)
        -- the relative velocity is that of the contact points, and alone it moves a
        assert.same(hit.velocity_before, pc.collide(pc.pair(a, b), law, { vt = hit.velocity_before.t, vn = -3 })
            .velocity_before)
        local alone = pc.collide(pc.pair(a, a), pc.contact.newton{ restitution = 1, friction = 0 }, { vt = 0, vn = -1 })
        assert.equal(-1, alone.bodies_before.a.v[2])
        near(alone.bodies.a.v[2] + 1, 1, 1e-15)
        near(alone.bodies.b.v[2], 1, 1e-15) -- along its own normal: away from a
        assert.is_nil(pc.collide(a, law, { vt = 0, vn = -1 }).bodies)
        refused({ "has a and b", "'vt'" }, pc.collide, pc.pair(a, b), law, { a = { vt = 0, vn = -1 }, vt = 1 })
        refused({ "do not approach" }, pc.collide, pc.pair(a, b), law, { b = { v = { 0, 1 } } })
    end)

    it("does the same in space", function()
        local a = pc.body.sphere{ radius = 0.1, mass = 2, spatial = true }
        local b = pc.body.sphere{ radius = 0.2, mass = 5, spatial = true }
        local hit = pc.collide(pc.pair(a, b), pc.contact.newton{ restitution = 0.5, friction = 0.2 },
            { a = { v = { 1, -2, 0.4 }, omega = { 1, 2, 3 } }, b = { v = { 0.5, -1, 0.7 }, omega = { 3, -1, -2 } } })
        local function sums(motion)
            local p, q, E = motion.a, motion.b, 0
            for k = 1, 3 do
                E = E + p.v[k] ^ 2 + 0.5 * 0.008 * p.omega[k] ^ 2 + 2.5 * q.v[k] ^ 2 + 0.5 * 0.08 * q.omega[k] ^ 2
            end
            return { 2 * p.v[1] - 5 * q.v[1], 2 * p.v[2] - 5 * q.v[2], 2 * p.v[3] + 5 * q.v[3], E }
        end
        local before, after = sums(hit.bodies_before), sums(hit.bodies)
        for k = 1, 3 do near(after[k], before[k], 1e-13) end
        near(before[4] - after[4], hit.loss, 1e-12)
    end)

    it("keeps the material of each for a law", function()
        local a = pc.body.sphere{ radius = 0.1, material = pc.material.steel }
        local b = pc.body.sphere{ radius = 0.1, material = pc.material.alumina }
        local law = pc.contact.hertz_mindlin{ body = pc.pair(a, b), friction = 0.1 }
        assert.equal(pc.material.steel.young, law.young)
        assert.equal(pc.material.alumina.young, law.counter_young)
        assert.equal(pc.material.alumina.poisson, law.counter_poisson)
        near(law.radius, 0.05, 1e-15)
    end)

    it("is refused for a body in the plane and one in space", function()
        refused({ "'spatial'" }, pc.pair, ball(), pc.body.sphere{ radius = 1, mass = 1, spatial = true })
        refused({ "body" }, pc.pair, ball(), {})
    end)
end)

describe("constructor", function()
    local body = pc.body

    it("refuses masses and sizes that are not positive, naming value, unit and range", function()
        refused({ "body.sphere: mass (m) = -1 kg", "> 0 kg" }, body.sphere, { radius = 1, mass = -1 })
        refused({ "mass (m) = 0 kg" }, body.sphere, { radius = 1, mass = 0 })
        refused({ "radius (R)", "nan m", "> 0 m" }, body.sphere, { radius = 0 / 0, mass = 1 })
        refused({ "radius (R) = inf m" }, body.sphere, { radius = math.huge, mass = 1 })
        refused({ "length (L) = -1 m", ">= 0 m" }, body.capsule, { length = -1, radius = 1, mass = 1, angle = 0 })
    end)

    it("wants one of mass, density and material, and the size that goes with a density", function()
        refused({ "'mass', 'density' or 'material'" }, body.sphere, { radius = 1 })
        refused({ "'mass' or 'density'", "give one of them" }, body.sphere, { radius = 1, mass = 1, density = 1 })
        refused({ "'thickness'" }, body.disc, { radius = 1, density = 1 })
        refused({ "'thickness'" }, body.shell, { radius = 1, density = 1 })
        refused({ "'section'" }, body.hoop, { radius = 1, density = 1 })
        refused({ "'section'" }, body.rod, { length = 1, density = 1, angle = 0 })
        refused({ "'depth'" }, body.box, { width = 1, height = 1, density = 1, angle = 0 })
        refused({ "'depth'" }, body.box, { width = 1, height = 1, mass = 1, angle = 0, spatial = true })
        refused({ "'radius' of a solid sphere" }, body.pendulum, { length = 1, density = 1, angle = 0.1 })
        refused({ "a mass of 0 kg", "> 0 kg" }, body.sphere, { radius = 1e-200, density = 1 })
    end)

    it("refuses impossible angles and suspects degrees", function()
        refused({ "angle (θ) = 45 rad", "did you mean 45*percuss.deg?" }, body.rod,
            { length = 1, mass = 1, angle = 45 })
        refused({ "angle (θ) = 1.6 rad" }, body.rod, { length = 1, mass = 1, angle = 1.6 })
        refused({ "angle", "below 1.570796327 rad" }, body.pendulum, { length = 1, mass = 1, angle = 90 * deg })
        refused({ "angle" }, body.spherical_pendulum, { length = 1, mass = 1, angle = -90 * deg, joint = "universal" })
        assert.equal(2, body.rod{ length = 1, mass = 1, angle = 90 * deg }.rank)
    end)

    it("refuses an inertia that no body has", function()
        local function tensor(texts, I, arm)
            refused(texts, body.rigid, { mass = 1, inertia_tensor = I, arm = arm or { 0.3, -0.2 } })
        end
        tensor({ "largest must be <= the sum" }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 2.1 } })
        tensor({ "positive semi-definite", "-1 kg m^2" }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 } })
        tensor({ "symmetric", "(2, 1) is 0.1" }, { { 1, 0, 0 }, { 0.1, 1, 0 }, { 0, 0, 1 } })
        tensor({ "3 rows of 3" }, { { 1, 0 }, { 0, 1 } })
        tensor({ "no moment about an axis" }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } })
        tensor({ "no moment about an axis" }, { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } })
        refused({ "inertia = 0 kg m^2" }, body.rigid, { mass = 1, inertia = 0, arm = { 1, 0 } })
        refused({ "inertia", "-1 kg m^2" }, body.rigid, { mass = 1, inertia = -1, arm = { 1, 0 } })
        refused({ "'inertia' or 'inertia_tensor'" }, body.rigid, { mass = 1, arm = { 1, 0 } })
        refused({ "arm_t2 = 1 m" }, body.rigid, { mass = 1, inertia = 1, arm = { 1, 0 }, arm_t2 = 1 })
    end)

    it("allows laminae, and rods whose arm lies along them", function()
        local plate = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 2 } }
        local lamina = body.rigid{ mass = 1, inertia_tensor = plate, arm = { 0.3, -0.2 } }
        near(lamina.w_nn, 1 + 0.09 / 2, 1e-15)
        local rod = body.rigid{ mass = 1, inertia_tensor = { { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 } }, arm = { 0, -2 } }
        assert.same({ { 5, 0, 0 }, { 0, 1, 0 }, { 0, 0, 5 } }, rod.W)
        local point = body.rigid{ mass = 2, inertia = 0, arm = { 0, 0 } }
        assert.same({ { 0.5, 0 }, { 0, 0.5 } }, point.W)
    end)

    it("refuses data that is no mobility", function()
        refused({ "positive semi-definite", "-1 1/kg" }, body.matrix, { W = { { 1, 2 }, { 2, 1 } } })
        refused({ "symmetric" }, body.matrix, { W = { { 1, 2 }, { 3, 10 } } })
        refused({ "2 x 2 or 3 x 3" }, body.matrix, { W = { { 1 } } })
        refused({ "zero" }, body.matrix, { W = { { 0, 0 }, { 0, 0 } } })
        refused({ "lambda (λ) = 1.1", "above -1 to 1" }, body.lai, { mass = 1, lambda = 1.1 })
        refused({ "lambda" }, body.lai, { mass = 1, lambda = -1 })
        refused({ "body.system: the mass matrix is singular" }, body.system,
            { A = { { 1, 0 }, { 0, 0 } }, C = { { 1, 0 }, { 0, 1 } } })
        refused({ "not positive semi-definite" }, body.system,
            { A = { { 1, 2 }, { 2, 1 } }, C = { { 1, 0 }, { 0, 1 } } })
        refused({ "symmetric" }, body.system, { A = { { 1, 2 }, { 0, 1 } }, C = { { 1, 0 }, { 0, 1 } } })
        refused({ "square" }, body.system, { A = { { 1, 2 } }, C = { { 1, 0 }, { 0, 1 } } })
        refused({ "2 or 3 rows of 2" }, body.system, { A = { { 1, 0 }, { 0, 1 } }, C = { { 1, 0 } } })
    end)

    it("accepts a system that is singular where it does no harm", function()
        local s = body.system{ A = { { 2, 0, 0 }, { 0, 4, 0 }, { 0, 0, 0 } }, C = { { 1, 0, 0 }, { 0, 1, 0 } } }
        assert.same({ { 0.5, 0 }, { 0, 0.25 } }, s.W)
        assert.same({ "u1", "u2", "u3" }, s.velocity_names)
    end)

    it("gives a system the motion of least energy that moves the contact point so", function()
        local s = body.system{ A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, C = { { 1, 1, 0 }, { 0, 0, 2 } } }
        local m = s:velocities{ vt = 2, vn = -4 }
        near(m.u1, 1, 1e-15)
        near(m.u2, 1, 1e-15)
        near(m.u3, -2, 1e-15)
        assert.same(m, s:velocities{ rates = { m.u1, m.u2, m.u3 } })
    end)

    it("names the nearest word for unknown parameters, fields and kinds", function()
        refused({ "did you mean 'radius'" }, body.sphere, { raduis = 1, mass = 1 })
        refused({ "joint is needed", "\"suppressed\" or \"universal\"" }, body.spherical_pendulum,
            { length = 1, mass = 1, angle = 0.1 })
        refused({ "did you mean \"universal\"" }, body.spherical_pendulum,
            { length = 1, mass = 1, angle = 0.1, joint = "univresal" })
        refused({ "body_spec.lua", "did you mean 'radius'" }, function() return ball().raduis end)
        refused({ "did you mean 'describe'" }, function() return ball():descrbe() end)
        refused({ "did you mean 'sphere'" }, function() return body.spere end)
        refused({ "radius' > 0 m" }, body.pendulum, { length = 1, mass = 1, angle = 0.1, contact = "surface" })
    end)
end)
