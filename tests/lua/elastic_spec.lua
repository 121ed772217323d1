-- Elastic bodies that strike (percuss.elastic): records, refusals, values of an independent solution.
local cases = require "elastic_cases"
local near = require "near"
local pc = require "percuss"
local within = require "within"

local material = pc.material.custom{ name = "test", young = 70e9, poisson = 0.3, density = 2700 }
local ball = pc.elastic.sphere{ radius = 0.05, material = material }

local function refused(text, f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    message = type(message) == "table" and message.message or message
    assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
end

describe("values of the reference solution", function()
    for _, case in ipairs(cases.all()) do
        -- the finest meshes that a second or so allows
        local cells = ({ sphere = 10, capsule = 8 })[case.inputs.shape] or 10
        if case.role == "test" then
            it("are met: " .. case.id, function() cases.check(case, cells) end)
        end
    end
end)

describe("an elastic body", function()
    it("has the mass of its shape", function()
        near(ball.mass, 2700 * 4 / 3 * math.pi * 0.05 ^ 3, 1e-14)
        near(ball.inertia, 0.4 * ball.mass * 0.05 ^ 2, 1e-14)
        near(ball.height, 0.05, 1e-15)
        near(ball.bar_speed, math.sqrt(70e9 / 2700), 1e-15)
        assert.are.equal(material, ball.material)
        local rod = pc.elastic.rod{ radius = 0.01, length = 0.1, nose = "flat", material = material }
        near(rod.mass, 2700 * math.pi * 0.01 ^ 2 * 0.1, 1e-14)
        near(rod.inertia, rod.mass * (0.01 ^ 2 / 4 + 0.1 ^ 2 / 12), 1e-14)
        assert.are.equal("flat", rod.nose)
        assert.are.equal("elastic.sphere{ radius = 0.05 m }", tostring(ball))
    end)

    it("is refused where the method does not cover it", function()
        local soft = pc.material.custom{ name = "rubber", young = 1e6, poisson = 0.49, density = 1000 }
        refused("material 'rubber' has poisson = 0.49; it must be from 0 to 0.45", pc.elastic.sphere,
            { radius = 1, material = soft })
        refused("material 'bare' has no density", pc.elastic.sphere,
            { radius = 1, material = pc.material.custom{ name = "bare", young = 1e9, poisson = 0.3 } })
        refused("length = 0.1 m; it must be from 0.5 to 60 m", pc.elastic.rod,
            { radius = 1, length = 0.1, material = material })
        refused("has no parameter 'angle'", pc.elastic.rod, { radius = 1, length = 2, material = material, angle = 1 })
        refused("vn = 1 m/s is not allowed; it must be < 0 m/s", pc.elastic.collide, ball, { vn = 1 })
        refused("radial_friction needs a normal impact", pc.elastic.collide, ball,
            { vn = -1, vt = 1, friction = 0.1, radial_friction = true })
        refused("too slow: at 1e-30 m/s it lasts for 1.35e+07 passes", pc.elastic.collide, ball, { vn = -1e-30 })
        refused("too slow", pc.elastic.collide, ball, { vn = -1e-300 })
        refused("cells = 5", pc.elastic.collide, ball, { vn = -1, cells = 5 })
        refused("tolerance", pc.elastic.collide, ball, { vn = -1, cells = 8, tolerance = 1e-2 })
        refused("elastic_body", pc.elastic.collide, pc.body.sphere{ radius = 1, mass = 1 }, { vn = -1 })
    end)
end)

describe("an impact of an elastic body", function()
    local hit = pc.elastic.collide(ball, { vt = 0.1, vn = -1, omega = 3, friction = 0.2, cells = 8 })

    it("is a record like those of laws", function()
        assert.are.equal("elastic_impact", pc.type(hit))
        near(hit.velocity_before.t, 0.1, 1e-15)
        near(hit.body_before.v[1], 0.1 - 3 * 0.05, 1e-14)
        near(hit.impulse.n, ball.mass * (hit.velocity.n + 1), 1e-9)
        near(hit.impulse.t, ball.mass * (hit.body.v[1] - hit.body_before.v[1]), 1e-9)
        -- the mass centre of the mesh is lower than the sphere's by 6e-5 of the radius
        near(hit.velocity.t, hit.body.v[1] + hit.body.omega * ball.height, 1e-3, 1e-5)
        near(hit.impulse_ratio.total, hit.impulse.t / hit.impulse.n, 1e-14)
        near(hit.loss, hit.energy.vibration + hit.energy.friction, 1e-4)
        near(hit.energy.vibration, hit.vibration.n + hit.vibration.t, 1e-14)
        near(hit.restitution.kinematic, hit.velocity.n, 1e-14)
        near(hit.restitution.kinetic, hit.restitution.kinematic, 1e-6)
        assert.is_true(hit.method.balance < 1e-6 and hit.method.momentum < 1e-9)
        assert.are.equal(ball, hit.object)
        assert.is_nil(hit.uncertainty)
    end)

    it("has histories that add up", function()
        local h = hit.history
        local step = h.t[2] - h.t[1]
        near(h.F_n:sum() * step, hit.impulse.n, 1e-6)
        near(h.F_t:sum() * step, hit.impulse.t, 1e-6, 1e-9)
        near(h.F_n:max(), hit.peak.n, 1e-15)
        near(h.v_n[#h.v_n], hit.velocity.n, 1e-12)
        assert.is_true(h.stick_radius:max() <= h.contact_radius:max())
        -- Hertz's radius to a cell of 1/5.4 of it
        within(1, h.contact_radius:max() / hit.hertz.contact_radius, 0.2)
        local p = hit:pressure(hit.peak.n_time)
        local sum = 0
        for i = 1, #p.radius do
            assert.is_true(math.abs(p.traction[i]) <= p.limit[i] * (1 + 1e-9))
            sum = sum + p.pressure[i]
        end
        assert.is_true(sum > 0)
        -- p0 = 3 F/(2 pi a^2) on the axis, to the square of a cell, (1/5.4)^2
        near(p.pressure[1], 1.5 * hit.hertz.peak / (math.pi * hit.hertz.contact_radius ^ 2), 0.05)
        refused("is outside the history", hit.pressure, hit, 1)
    end)

    it("tells phases in turn", function()
        local last
        for _, phase in ipairs(hit.phases) do
            assert.is_true(phase.start <= phase.stop)
            if last then assert.are.equal(last.stop, phase.start) end
            last = phase
        end
        within(hit.duration, last.stop, hit.hertz.duration / 100)
    end)

    it("mirrors", function()
        local other = pc.elastic.collide(ball, { vt = -0.1, vn = -1, omega = -3, friction = 0.2, cells = 8 })
        assert.are.equal(hit.velocity.n, other.velocity.n)
        assert.are.equal(hit.velocity.t, -other.velocity.t)
        assert.are.equal(hit.body.omega, -other.body.omega)
    end)

    it("does not know units", function()
        -- lengths and speeds twice as large, four times the modulus: the same numbers with another metre
        local big = pc.elastic.sphere{ radius = 0.1, material = pc.material.custom{ young = 4 * 70e9, poisson = 0.3,
            density = 2700 } }
        local twice = pc.elastic.collide(big, { vt = 0.2, vn = -2, omega = 3, friction = 0.2, cells = 8 })
        near(twice.velocity.t, 2 * hit.velocity.t, 1e-9)
        near(twice.duration, hit.duration, 1e-9)
    end)

    it("flags what strains the method", function()
        assert.is_nil(hit.flags.displaced)
        local far = pc.elastic.collide(ball, { vt = 300, vn = -1, friction = 0.2, cells = 6 })
        assert.is_true(far.flags.displaced and far.method.displacement > 0.5)
        local fast = pc.elastic.collide(ball, { vn = -50, cells = 6 })
        assert.is_true(fast.flags.steep and fast.method.steepness > 0.2)
        assert.truthy(tostring(far):find("displaced      by %d+%.%d contact radii"))
        assert.truthy(tostring(fast):find("steep          a/R = 0.20"))
        assert.is_nil(tostring(hit):find "displaced" or tostring(hit):find "steep")
        refused("0.888 of the radius at the pole: at 2000 m/s", pc.elastic.collide, ball, { vn = -2000, cells = 6 })
    end)
end)

describe("a tolerance", function()
    it("is met, and the estimate is true", function()
        local unit = 0.1 * 1.7 / 1.4
        local hit = pc.elastic.collide(ball, { vt = unit, vn = -1, friction = 0.1, tolerance = 2e-2 })
        local error = hit.uncertainty.velocity / unit
        assert.is_true(error <= 2e-2 and hit.uncertainty.restitution <= 2e-2)
        assert.is_true(hit.method.meshes >= 4)
        local finer = pc.elastic.collide(ball, { vt = unit, vn = -1, friction = 0.1, cells = 14 })
        -- one placement of the finer mesh scatters by 1.5e-3
        within(finer.velocity.t / unit, hit.velocity.t / unit, error + 2e-3)
    end)

    it("reports progress, and stops when told", function()
        local shares = {}
        pc.elastic.collide(ball, { vn = -1, cells = 6, progress = function(share) shares[#shares + 1] = share end })
        assert.is_true(#shares >= 1 and shares[1] == 0)
        refused("stopped during an impact", pc.elastic.collide, ball,
            { vn = -1, cells = 6, progress = function() return false end })
        refused("no more", pc.elastic.collide, ball, { vn = -1, cells = 6, progress = function() error "no more" end })
    end)
end)

describe("contact.maw beneath a body that gives way", function()
    local psi = 1.7 / 1.4 -- v_t over mu |v_n| at psi = 1, nu = 0.3

    it("comes within 0.003 of the referee for spheres", function()
        local body = pc.body.sphere{ radius = 0.05, material = material }
        local law = pc.contact.maw{ material = material, radius = 0.05, friction = 0.1, body_compliance = "sphere" }
        local half_space = law:with{ body_compliance = "none" }
        local unit = psi * 0.1 * 0.5
        for _, psi1 in ipairs{ 0.2, 1, 2, 4 } do
            local motion = { vt = psi1 * unit, vn = -0.5 }
            local referee = pc.elastic.collide(ball, { vt = motion.vt, vn = -0.5, friction = 0.1, cells = 10 })
            local hit = pc.collide(body, law, motion)
            within(referee.velocity.t / unit, hit.velocity.t / unit, 0.003, "psi1 = " .. psi1)
            -- 10 cells are too short by 6e-4; without compliance the law is too long by 9.9e-3
            near(hit.duration, referee.duration, 1e-3)
            near(pc.collide(body, half_space, motion).duration / hit.duration, 1.0100, 1e-3)
        end
    end)

    it("closes nine tenths of the gap for upright rods", function()
        local alloy = pc.material.custom{ young = 70e9, poisson = 0.28, density = 2700 }
        local unit = 0.5 * 1.72 / 1.44 * 0.5
        local function strike(modes, c_n, c_t)
            local rod = pc.body.capsule{ length = 0.25, radius = 0.05, angle = 0, material = alloy,
                bending_modes = 2 * modes, axial_modes = modes }
            local law = pc.contact.maw{ material = alloy, radius = 0.05, friction = 0.5, normal_compliance = c_n,
                tangential_compliance = c_t }
            return pc.collide(rod, law, { vt = unit, vn = -0.5 }).velocity.t / unit
        end
        local referee = -0.1504 -- rod-LR5-v0.5-psi1, +-2e-4 by meshes to 20 cells; given -0.149(4)
        local rigid, modes, all = strike(0), strike(1), strike(1, -0.43, 0.3)
        within(0.341, rigid, 1e-3)
        within(-0.021, modes, 5e-3) -- the reduced model of the reference, another shear coefficient
        within(-0.114, all, 5e-3)
        assert.is_true((rigid - all) / (rigid - referee) > 0.92)
    end)

    it("agrees with the reduced model for tilted rods", function()
        local json = require "dkjson"
        local file = assert(io.open "tests/reference/elastodynamics.json")
        local known = {}
        for _, case in ipairs(json.decode(file:read "a")) do known[case.id] = case.outputs end
        file:close()
        local alloy = pc.material.custom{ young = 70e9, poisson = 0.28, density = 2700 }
        -- mu, angle of W, tan of the incidence: Lai (1999), Table 5.2; bound: case b amplifies what beams differ in
        local rods = { a = { 0.5, 0.27018, 1.549, 3e-3 }, b = { 1.0, 0.38956, 9.53159, 1e-2 },
            c = { 0.5, -0.62204, 1.07757, 3e-3 }, d = { 1.0, -0.59062, 1.35013, 3e-3 } }
        for name, rod in pairs(rods) do
            local mu, theta, slope, bound = table.unpack(rod)
            for kind, options in pairs{ rigid = { 0, 0 }, modes = { 4, 3 }, ["modes+local"] = { 4, 3, -0.43, 0.31 } } do
                local body = pc.body.capsule{ length = 0.25, radius = 0.05, material = alloy,
                    angle = theta + math.asin(math.sin(theta) / 2.5), bending_modes = options[1],
                    axial_modes = options[2] }
                local law = pc.contact.maw{ material = alloy, radius = 0.05, friction = mu,
                    normal_compliance = options[3], tangential_compliance = options[4] }
                local hit = pc.collide(body, law, { vt = slope * 0.5, vn = -0.5 })
                local expected = known[("tilted-%s-%s"):format(name, kind)]
                within(expected.wt.value, hit.velocity.t / 0.5, bound, name .. " " .. kind)
                within(expected.wn.value, hit.velocity.n / 0.5, bound, name .. " " .. kind)
                within(expected.ratio.value, hit.impulse_ratio.total, bound, name .. " " .. kind)
                if options[3] then
                    -- the document writes c_n = +0.43 beside delta = delta_H - 0.43 F/(E* R): its numbers are with
                    -- the sign of the latter
                    local off = pc.collide(body, law:with{ normal_compliance = 0.43 }, { vt = slope * 0.5, vn = -0.5 })
                    assert.is_true(math.abs(off.velocity.t / 0.5 - expected.wt.value) > 2 * bound, name)
                end
            end
        end
    end)

    it("has a history that ends where the impact does", function()
        local rod = pc.body.capsule{ length = 0.25, radius = 0.05, angle = 0.2, material = material, bending_modes = 2 }
        local law = pc.contact.maw{ material = material, radius = 0.05, friction = 0.5, body_compliance = "sphere" }
        local hit = pc.collide(rod, law, { vt = 0.3, vn = -1 })
        local h = hit:trace(50)
        near(h.v_t[50], hit.velocity.t, 1e-9)
        near(h.p_n[50], hit.impulse.n, 1e-9)
        near(hit.velocity.n, -1 + rod.w_nn * hit.impulse.n + rod.w_tn * hit.impulse.t, 1e-12)
    end)

    it("is refused where modes would be left out", function()
        local rod = pc.body.capsule{ length = 0.25, radius = 0.05, angle = 0, material = material, bending_modes = 1 }
        local motion = { vt = 0, vn = -1 }
        local maw = pc.contact.maw{ material = material, radius = 0.05, friction = 0.5 }
        refused("contact.newton takes no modes", pc.collide, rod, pc.contact.newton{ e = 1, mu = 0 }, motion)
        refused("would leave out the body's modes", pc.collide, rod, maw, motion, { configuration = "moving" })
        refused("pair would leave out", pc.pair, rod, rod)
        refused("restitution would leave out", pc.restitution, maw, rod, 1)
        refused("map would leave out", pc.map, rod, maw, { vt = pc.linspace(0, 1, 5), vn = -1 })
        refused("modes need a material", pc.body.capsule, { length = 1, radius = 0.1, mass = 1, angle = 0,
            bending_modes = 1 })
        refused("give section", pc.body.rod, { length = 1, mass = 1, angle = 0, material = material, axial_modes = 1 })
        refused("is too short", pc.body.capsule, { length = 0.01, radius = 0.1, angle = 0, material = material,
            axial_modes = 1 })
        refused("does not go with", pc.contact.maw, { material = material, radius = 1, friction = 0,
            body_compliance = "sphere", tangential_compliance = 1 })
        local soft = pc.contact.maw{ material = material, radius = 0.05, friction = 0.5, body_compliance = "sphere" }
        refused("body_compliance acts in percuss.collide", pc.collide, pc.body.sphere{ radius = 0.05, mass = 1 }, soft,
            motion, { configuration = "moving" })
    end)
end)

describe("fields and pictures of an impact", function()
    local scratch = require "scratch"
    local hit = pc.elastic.collide(ball, { vn = -0.5, cells = 8 })
    local a = hit.hertz.contact_radius
    local p0 = 1.5 * hit.hertz.peak / (math.pi * a ^ 2)

    it("have the stresses of Hertz beneath the contact", function()
        local n = 41
        local function axis(quantity)
            local s = hit:section{ quantity = quantity, times = { hit.peak.n_time }, x = { -a, a }, z = { 0, 2 * a },
                points = n }[1]
            return s, function(k) return s.values[20 * n + k] end -- x = 0, all z
        end
        local s, sigma = axis "sigma_nn"
        -- -p0/(1 + (z/a)^2): Johnson (1985), 3.45; cells of a/5.4 there, which are means over their neighbours
        for k = 11, 31, 10 do
            near(sigma(k), -p0 / (1 + (s.z[k] / a) ^ 2), 0.06)
        end
        local _, mises = axis "stress"
        local most = 0
        for k = 1, n do if mises(k) == mises(k) then most = math.max(most, mises(k)) end end
        near(most, 0.62 * p0, 0.08)
    end)

    it("are symmetric in a normal impact, rigid before it, and empty outside", function()
        local s = hit:section{ quantity = "u_n", times = { 0, hit.compression_time }, points = 41 }
        assert.are.equal(2, #s)
        assert.are.equal("m", s[1].unit)
        local n, seen = #s[1].z, 0
        for i = 1, #s[1].x do
            for k = 1, n do
                local one, other = s[2].values[(i - 1) * n + k], s[2].values[(#s[1].x - i) * n + k]
                local outside = s[1].x[i] ^ 2 + (s[1].z[k] - 0.05) ^ 2 > 0.05 ^ 2 * 1.001
                if outside then assert.is_true(one ~= one) end
                if one == one then
                    seen = seen + 1
                    within(one, other, 1e-12)
                    assert.are.equal(0, s[1].values[(i - 1) * n + k])
                    assert.is_true(one < 0)
                end
            end
        end
        near(seen, math.pi / 4 * 40 ^ 2, 0.02)
        -- the mass centre has come down by the approach, 0.99 of Hertz's
        near(s[2].values[20 * n + 21], -0.99 * hit.hertz.depth, 0.02)
        local flat = pc.elastic.collide(pc.elastic.rod{ radius = 0.01, length = 0.05, nose = "flat",
            material = material }, { vn = -1, cells = 6 })
        local stress = flat:section{ quantity = "sigma_nn", times = { 0.5 * flat.duration }, points = 51 }[1]
        -- behind the front -rho c v
        near(stress.values[5 * #stress.z + 1], -2700 * 1 * math.sqrt(70e9 / 2700), 0.2)
    end)

    it("are drawn", function()
        local file = scratch ".svg"
        assert.are.equal(file, hit:plot{ file = file })
        hit:plot("pressure", { file = scratch ".svg" })
        hit:field("stress", nil, { file = scratch ".svg", points = 31 })
        hit:animate{ file = scratch ".gif", frames = 2, points = 15 }
        refused("name that ends in .gif", hit.animate, hit, { file = "a.png" })
        refused("no column 'F_x'", hit.plot, hit, { "F_x" })
        refused("outside the history", hit.section, hit, { times = { 1 } })
        refused("must be { least, greatest }", hit.section, hit, { times = { 0 }, x = { 1, 0 } })
        refused("is not known", hit.field, hit, "temperature")
    end)
end)

describe("a nose", function()
    local R = 0.01
    local function rod(nose, length)
        return pc.elastic.rod{ radius = R, length = length, nose = nose, material = material }
    end

    it("of the rod's radius is round to the last bit", function()
        local round, same = rod("round", 0.05), rod(R, 0.05)
        assert.are.equal(R, same.nose)
        assert.are.equal("elastic.rod{ radius = 0.01 m, length = 0.05 m, nose = 0.01 m }", tostring(same))
        for _, motion in ipairs{ { vn = -1, vt = 0.3, omega = 2, friction = 0.3, cells = 7 },
            { vn = -20, radial_friction = true, friction = 0.1, cells = 7 } } do
            local a, b = pc.elastic.collide(round, motion), pc.elastic.collide(same, motion)
            for _, field in ipairs{ "mass", "inertia", "height" } do assert.are.equal(round[field], same[field]) end
            assert.are.equal(a.velocity.n, b.velocity.n)
            assert.are.equal(a.velocity.t, b.velocity.t)
            assert.are.equal(a.energy.vibration, b.energy.vibration)
            for _, column in ipairs{ "t", "F_n", "F_t", "v_n", "v_t", "contact_radius" } do
                local x, y = a.history[column], b.history[column]
                assert.is_true(#x > 100 and #x == #y)
                for i = 1, #x do assert.are.equal(x[i], y[i]) end
            end
        end
    end)

    it("has the mass and moment of inertia of its cap, the cylinder and the hemisphere", function()
        for _, ratio in ipairs{ 1, 1.0001, 1.5, 3, 100 } do
            local N, L = ratio * R, 0.03
            local body = rod(N, L)
            local d = N - math.sqrt(N ^ 2 - R ^ 2)
            local volume = math.pi * (d * (3 * R ^ 2 + d ^ 2) / 6 + R ^ 2 * L + 2 / 3 * R ^ 3)
            near(body.mass, 2700 * volume, 1e-12)
            -- discs of r(z): polynomials of z in each part, of which Gauss's three points are exact
            local m, first, second = 0, 0, 0
            local function part(from, to, squared)
                for k = -1, 1 do
                    local z = (from + to) / 2 + k * math.sqrt(0.6) * (to - from) / 2
                    local w = (k == 0 and 8 or 5) / 18 * (to - from)
                    local A = math.pi * squared(z)
                    m, first, second = m + w * A, first + w * A * z, second + w * A * (squared(z) / 4 + z ^ 2)
                end
            end
            part(0, d, function(z) return 2 * N * z - z ^ 2 end)
            part(d, d + L, function() return R ^ 2 end)
            part(d + L, d + L + R, function(z) return R ^ 2 - (z - d - L) ^ 2 end)
            near(m, volume, 1e-11) -- d of 100 radii has lost 4 digits here
            near(body.height, first / m, 1e-11)
            near(body.inertia, 2700 * (second - first ^ 2 / m), 1e-11)
        end
    end)

    it("is refused where it is no cap, or its contact nears the rim", function()
        refused('elastic.rod: nose = 0.009 m; it must be from 0.01 m to 1 m, 1 to 100 times the rod\'s radius, or '
            .. '"flat"',
            rod, 0.009, 0.05)
        refused("nose = 1.01 m", rod, 1.01, 0.05)
        refused("nose = -1 m is not allowed", rod, -1, 0.05)
        refused("nose = inf m is not allowed", rod, math.huge, 0.05)
        refused("nan m is not allowed", rod, 0 / 0, 0.05)
        refused('nose = "blunt" is not known', rod, "blunt", 0.05)
        refused("nose must not have a zero byte", rod, "flat\0", 0.05)
        refused("nose must be a string or a number", rod, {}, 0.05)
        refused("at 10 m/s the contact on a nose of 0.5 m grows to 0.00681 m by Hertz, 0.681 of the rod's radius",
            pc.elastic.collide, rod(0.5, 0.05), { vn = -10 })
    end)

    it("strikes as Hertz has it where the contact is small", function()
        for _, ratio in ipairs{ 2, 5 } do
            local a, peak, duration = {}, {}, {}
            for i, v in ipairs{ 1e-2, 1e-3 } do
                local hit = pc.elastic.collide(rod(ratio * R, R), { vn = -v, cells = 14 })
                near(hit.impulse.n, hit.object.mass * (v + hit.velocity.n), 1e-9)
                assert.is_true(hit.method.balance < 1e-6 and hit.method.momentum < 1e-9)
                a[i], peak[i], duration[i] = hit.hertz.contact_radius / R, hit.peak.n / hit.hertz.peak,
                    hit.duration / hit.hertz.duration
                near(hit.hertz.contact_radius ^ 2, ratio * R * hit.hertz.depth, 1e-14)
                -- the end is stiffer than the half-space by some a/R: 0.4 a/R in force
                assert.is_true(peak[i] > 1 and peak[i] < 1 + 0.6 * a[i])
            end
            local function limit(x) return x[2] - (x[1] - x[2]) / (a[1] - a[2]) * a[2] end
            -- 14 cells: the peak errs by 4e-5, the duration, which ends with the last ring, by 5e-4 (10 cells: 1e-3)
            near(limit(peak), 1, 1e-4)
            near(limit(duration), 1, 8e-4)
        end
    end)

    -- Hertz's spring of the nose's radius at the end of a bar of equal mass, by the bar's free modes: u(0) is the sum
    -- of q_k, q_0'' = -F/M, q_k'' + w_k^2 q_k = -2 F/M, w_k = k pi c/L. Sears (1908).
    local function sears(body, nose, v)
        local MODES, M = 30, body.mass
        local w = math.pi * body.bar_speed * material.density * math.pi * R ^ 2 / M
        local K = 4 / 3 * material.young / (1 - material.poisson ^ 2) * math.sqrt(nose)
        local scale = 2.94 * (1.25 * M * v ^ 2 / K) ^ 0.4 / v
        local start = { 0, v }
        for k = 1, MODES do start[2 * k + 1], start[2 * k + 2] = 0, 0 end
        local function force(y)
            local depth = 0
            for k = 0, MODES do depth = depth + y[2 * k + 1] end
            return depth > 0 and K * depth ^ 1.5 or 0
        end
        local motion = pc.ode.solve{ y = start, t = 2 * scale, autonomous = true,
            solver = pc.solver.dop853{ rtol = 1e-8, atol = 1e-12 },
            rhs = function(_, y, dydt)
                local F = force(y)
                for k = 0, MODES do
                    dydt[2 * k + 1] = y[2 * k + 2]
                    dydt[2 * k + 2] = -(k * w) ^ 2 * y[2 * k + 1] - (k == 0 and 1 or 2) * F / M
                end
            end }
        assert.are.equal(0, force(motion.y))
        local peak = 0
        for i = 1, 400 do peak = math.max(peak, force(motion:at(scale * i / 400))) end
        return -motion.y[2] / v, peak
    end

    -- L twice as long at an eighth of the speed: the contact lasts for as many passes of a wave, while a/R and R/L, by
    -- whose terms the rod is no bar and its end no half-space, are halved
    it("loses to waves what Hertz's spring on a bar does, the more exactly the slimmer the rod", function()
        for _, ratio in ipairs{ 2, 5 } do
            local last
            for _, case in ipairs{ { 20, 0.25 }, { 40, 0.25 / 8 } } do
                local body, v = rod(ratio * R, case[1] * R), case[2]
                local hit = pc.elastic.collide(body, { vn = -v, cells = 8 })
                local e, peak = sears(body, ratio * R, v)
                local off = math.abs(hit.restitution.kinematic - e)
                assert.is_true(off < (last and last / 2 or 1.5e-3), off)
                -- with the rod's radius for the nose's the force would be off by 13 % and more
                near(hit.peak.n, peak, 0.7 / case[1])
                last = off
            end
        end
    end)

    it("has waves on a mesh of its own as on that of an outline", function()
        local N, L, points = 1.5 * R, 2 * R, {}
        local d, slope = N - math.sqrt(N ^ 2 - R ^ 2), math.asin(R / N)
        for i = 1, 24 do -- dense at the rim, which the curve through the points rounds
            local angle = slope * (1 - (1 - i / 24) ^ 2)
            points[i] = { N * math.sin(angle), N * (1 - math.cos(angle)) }
        end
        for i = 1, 22 do points[24 + i] = { R, d + L * (i / 22) ^ 2 } end
        for i = 1, 16 do
            local angle = math.pi / 2 * i / 16
            points[46 + i] = { i < 16 and R * math.cos(angle) or 0, d + L + R * math.sin(angle) }
        end
        local outline = pc.elastic.body{ outline = points, radius = N, material = material }
        local motion = { vn = -1, vt = 0.5, friction = 0.5, cells = 10 }
        local a, b = pc.elastic.collide(rod(N, L), motion), pc.elastic.collide(outline, motion)
        near(a.object.mass, outline.mass, 1e-4)
        near(a.peak.n, b.peak.n, 1e-3)
        near(a.duration, b.duration, 5e-4)
        within(a.restitution.kinematic, b.restitution.kinematic, 2e-5)
        -- errors of some 1/n^2 in psi2 each
        within(a.velocity.t, b.velocity.t, 2e-3 * 0.5 * 1.7 / 1.4)
    end)
end)

describe("compare", function()
    it("takes the same body by elastodynamics as a column", function()
        local body = pc.body.sphere{ radius = 0.05, material = material }
        local law = pc.contact.maw{ material = material, radius = 0.05, friction = 0.1, body_compliance = "sphere" }
        local c = pc.compare(body, { law, ball }, { vt = 0.05, vn = -0.5 })
        assert.are.equal("elastodynamics", c.rows[2].name)
        near(c.rows[2].velocity.t, c.rows[1].velocity.t, 0, 3e-3 * 0.1 * 0.5 * 1.7 / 1.4)
        assert.truthy(tostring(c):find("elastodynamics", 1, true))
        local motion = { vt = 0, vn = -1 }
        local rough = law:with{ friction = 0.2 }
        local note = pc.compare(body, { law, rough, ball }, motion).rows[3].note
        assert.truthy(note:find("the friction of the laws", 1, true))
        local heavy = pc.body.sphere{ radius = 0.05, mass = 2 }
        assert.truthy(pc.compare(heavy, { law, ball }, motion).rows[2].note:find("the elastic body has w_tt", 1, true))
        refused("no contact law, nor an elastic body", pc.compare, body, { law, body }, motion)
    end)
end)

describe("an outline of one's own", function()
    local R, L = 0.05, 0.1
    local function circle(n)
        local points = {}
        for i = 1, n do
            local angle = math.pi * i / n
            points[i] = { i < n and R * math.sin(angle) or 0, R * (1 - math.cos(angle)) }
        end
        return points
    end
    local function strike(body, cells)
        return pc.elastic.collide(body, { vt = 0.5, vn = -5, friction = 0.5, cells = cells })
    end

    it("is the sphere where it is a circle", function()
        local same = pc.elastic.body{ outline = circle(20), radius = R, material = material }
        near(same.mass, ball.mass, 1e-12)
        near(same.inertia, ball.inertia, 1e-12)
        local a, b = strike(ball, 7), strike(same, 7)
        near(a.velocity.t, b.velocity.t, 1e-9)
        near(a.duration, b.duration, 1e-9)
        near(same.outline[7][1], circle(20)[7][1], 1e-12)
    end)

    it("is the rod with round ends, on another mesh", function()
        local points = {}
        for i = 1, 14 do
            local angle = math.pi / 2 * i / 14
            points[i] = { R * math.sin(angle), R * (1 - math.cos(angle)) }
        end
        for i = 1, 10 do points[14 + i] = { R, R + L * i / 10 } end
        for i = 1, 14 do
            local angle = math.pi / 2 * i / 14
            points[24 + i] = { i < 14 and R * math.cos(angle) or 0, R + L + R * math.sin(angle) }
        end
        local rod = pc.elastic.rod{ radius = R, length = L, material = material }
        local same = pc.elastic.body{ outline = points, radius = R, material = material }
        -- the curve through the points is off by the fourth power of their distance where curvature jumps
        near(same.mass, rod.mass, 2e-4)
        near(same.inertia, rod.inertia, 2e-4)
        near(same.height, rod.height, 1e-5)
        local a, b = strike(rod, 10), strike(same, 10)
        -- both meshes are of second order with errors of some 1/n^2 in psi2
        within(a.velocity.t, b.velocity.t, 1e-2 * 0.5 * 5 * 1.7 / 1.4)
        near(a.duration, b.duration, 5e-4)
        within(a.restitution.kinematic, b.restitution.kinematic, 5e-5)
    end)

    it("has the mass of an ellipsoid, and strikes with the radius at its pole", function()
        local points = {}
        for i = 1, 40 do
            local angle = math.pi * i / 40
            points[i] = { i < 40 and 0.02 * math.sin(angle) or 0, 0.03 * (1 - math.cos(angle)) }
        end
        local egg = pc.elastic.body{ outline = points, radius = 0.02 ^ 2 / 0.03, material = material }
        near(egg.mass, 2700 * 4 / 3 * math.pi * 0.02 ^ 2 * 0.03, 1e-4)
        near(egg.inertia, egg.mass / 5 * (0.02 ^ 2 + 0.03 ^ 2), 1e-4)
        local hit = pc.elastic.collide(egg, { vn = -0.1, cells = 8 })
        -- Hertz's impact, but for terms of a/R = 0.03
        near(hit.duration, hit.hertz.duration, 0.02)
        near(hit.peak.n, hit.hertz.peak, 0.02)
        assert.is_true(hit.method.balance < 1e-6 and hit.method.momentum < 1e-9)
    end)

    it("is refused where it is none", function()
        local function body(outline, radius)
            return function() pc.elastic.body{ outline = outline, radius = radius or R, material = material } end
        end
        refused("must end on the axis", body{ { 0.05, 0.05 }, { 0.01, 0.1 } })
        refused("is not in sight of the pole", body{ { 0.01, 0.001 }, { 0.02, 1e-4 }, { 0, 0.1 } })
        refused("times as far from the pole", body{ { 0.05, 0.05 }, { 0, 1 } })
        refused("outline[1] must be a point { r, z }, not a number", body{ 1, 2 })
        refused("two numbers from 0 on", body{ { -1, 2 }, { 0, 1 } })
        refused("it must have from 2 to 65", body{ { 0, 0.1 } })
        local sharp = pc.elastic.body{ outline = { { 0.0499, 0.05 }, { 0.012, 0.052 }, { 0, 0.1 } }, radius = R,
            material = material }
        refused("cells that are folded", pc.elastic.collide, sharp, { vn = -1 })
    end)
end)

describe("calibrate", function()
    it("finds the tangential compliance of a sphere that contact.maw has", function()
        local fits, why = pcall(pc.fit, pc.table{ { "x", { 1 } }, { "y", { 1 } } }, function(p) return p.a end,
            { { "a", 1 } }, { columns = "y" })
        if not fits and tostring(why):find "has no cminpack" then return pending "a build without fits" end
        local hits, unit = {}, 0.1 * 1.7 / 1.4 * 0.5
        for i, psi in ipairs{ 0.2, 1, 3 } do
            hits[i] = pc.elastic.collide(ball, { vt = psi * unit, vn = -0.5, friction = 0.1, cells = 10 })
        end
        local law = pc.contact.maw{ material = material, radius = 0.05, friction = 0.1, normal_compliance = -0.41 }
        local body = pc.body.sphere{ radius = 0.05, material = material }
        local better, fit = pc.elastic.calibrate(law, { { "tangential_compliance", 0.1, lo = 0, hi = 2 } }, body, hits)
        -- c_t = 0.05 + 0.09 ln(R/a) at a/R = 0.0322, which was fitted on meshes of 14 cells
        near(better.tangential_compliance, 0.05 + 0.09 * math.log(1 / 0.03217), 0, 0.015)
        assert.are.equal(better.tangential_compliance, fit.values.tangential_compliance)
        refused("is no impact of an elastic body", pc.elastic.calibrate, law, { { "friction", 0.1 } }, body, { 1 })
    end)
end)
