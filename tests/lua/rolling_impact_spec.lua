-- Resistance to rolling and twisting in impacts: against closed forms, against an independent integration, in its
-- limits, in the mirror and turned about the normal; the ledger; in scenes, of one contact and of several.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local KINDS = { "newton", "poisson", "stronge" }

local state = 1
local function seed(k)
    state = k
    for _ = 1, 5 do state = state*48271 % 2147483647 end
end
local function random(lo, hi)
    state = state*48271 % 2147483647
    return lo + (hi - lo)*state/2147483647
end

local function law(kind, options)
    return pc.contact[kind]{
        restitution = options.restitution or 0.8, friction = options.friction or 0.3, rolling = options.rolling,
        twisting = options.twisting,
    }
end

-- A ball, and its inertia.
local R, m = 0.1, 2
local J = 0.4*m*R^2
local ball, space_ball = pc.body.sphere{ radius = R, mass = m }, pc.body.sphere{ radius = R, mass = m, spatial = true }

-- A free body in space, of no symmetry: W and the rows of turning are full.
local function lump()
    local function inertia()
        local a, b = random(0.01, 0.03), random(0.01, 0.03)
        return a, b, random(math.abs(a - b) + 0.002, a + b - 0.002)
    end
    local a, b, c = inertia()
    -- turned by two angles, so that products of inertia appear
    local s1, c1, s2, c2 = math.sin(0.7), math.cos(0.7), math.sin(0.4), math.cos(0.4)
    local Q = { { c1, -s1, 0 }, { c2*s1, c2*c1, -s2 }, { s2*s1, s2*c1, c2 } }
    local I = {}
    for i = 1, 3 do
        I[i] = {}
        for k = 1, 3 do I[i][k] = a*Q[i][1]*Q[k][1] + b*Q[i][2]*Q[k][2] + c*Q[i][3]*Q[k][3] end
    end
    for i = 1, 3 do for k = 1, i - 1 do I[i][k] = I[k][i] end end
    return pc.body.rigid{
        mass = random(0.5, 3), inertia_tensor = I, arm = { random(-0.1, 0.1), random(-0.2, -0.1) },
        arm_t2 = random(-0.1, 0.1), curvature = 10,
    }, I
end

-- A motion with which the contact point approaches.
local function motion_of(body, speed)
    local motion = {
        v = { random(-1, 1), 0, random(-1, 1) },
        omega = { random(-speed, speed), random(-speed, speed), random(-speed, speed) },
    }
    motion.v[2] = -random(0.5, 3) - body:contact_velocity(motion).vn
    return motion
end

-- What holds of every impact: the ledger, and both cones.
local function check(hit, rolling, twisting)
    local scale = hit.energy.before
    near(hit.energy.before - hit.energy.after, hit.loss, 0, 1e-11*scale)
    near(hit.work.normal + hit.work.tangential, -hit.loss, 0, 1e-12*scale)
    assert.is_true(hit.work.friction <= 1e-13*scale)
    local roll = math.sqrt((hit.couple.t or 0)^2 + hit.couple.t2^2)
    assert.is_true(roll <= rolling*hit.impulse.n*(1 + 1e-12))
    assert.is_true(math.abs(hit.couple.n or 0) <= twisting*hit.impulse.n*(1 + 1e-12))
end

describe("an impact that resists rolling", function()
    it("takes rolling from a smooth ball by the length times the normal impulse, or all of it", function()
        for _, kind in ipairs(KINDS) do
            for _, sign in ipairs{ 1, -1 } do
                local p = 1.8*m*1.5
                for _, share in ipairs{ 0.2, 0.999, 1.001, 1e6 } do
                    local w = 7
                    local hit = pc.collide(ball, law(kind, { friction = 0, rolling = share*J*w/p }), {
                        v = { 0.4, -1.5 }, omega = sign*w,
                    })
                    near(hit.body.omega, sign*w*math.max(1 - share, 0), 1e-12, 1e-14*w)
                    near(hit.body.v[1], 0.4, 1e-15)
                    near(hit.impulse.n, p, 1e-14)
                    near(hit.couple.t2, -sign*J*w*math.min(share, 1), 1e-12)
                    near(hit.loss, 0.5*m*1.5^2*0.36 + 0.5*J*(w^2 - hit.body.omega^2), 1e-12)
                    check(hit, share*J*w/p, 0)
                end
            end
        end
    end)

    it("slides, sticks and goes on against rolling alone, as angular momentum about the contact has it", function()
        -- H = J w - m R v changes by the couple alone, and what sticks has v = -w R
        for _, kind in ipairs(KINDS) do
            for _, delta in ipairs{ 1e-3, 0.01 } do
                local hit = pc.collide(ball, law(kind, { rolling = delta }), { v = { 1, -2 }, omega = -30 })
                local H = J*-30 - m*R*1 + delta*hit.impulse.n
                near(hit.body.omega, H/(J + m*R^2), 1e-13)
                near(hit.body.v[1], -R*hit.body.omega, 1e-13)
                near(hit.impulse.n, 1.8*m*2, 1e-14)
                check(hit, delta, 0)
            end
        end
    end)

    it("is the law without it where the length is 0, to the last bit", function()
        seed(3)
        for _, kind in ipairs(KINDS) do
            for _ = 1, 20 do
                local body = lump()
                local motion = motion_of(body, 20)
                local a = pc.collide(body, law(kind, {}), motion)
                local b = pc.collide(body, law(kind, { rolling = 0, twisting = 0 }), motion)
                for i = 1, 3 do
                    assert.equal(a.body.v[i], b.body.v[i])
                    assert.equal(a.body.omega[i], b.body.omega[i])
                end
                assert.equal(a.loss, b.loss)
                assert.equal(0, b.couple.t2)
            end
        end
    end)

    it("tends to it with the length", function()
        seed(4)
        for _, kind in ipairs(KINDS) do
            for _ = 1, 20 do
                local body = lump()
                local motion = motion_of(body, 20)
                local a = pc.collide(body, law(kind, {}), motion)
                -- two integrators that share nothing but the law: the swerve of slip as a series, and this
                local b = pc.collide(body, law(kind, { rolling = 1e-14, twisting = 1e-14 }), motion)
                for i = 1, 3 do
                    near(b.body.v[i], a.body.v[i], 0, 3e-11)
                    near(b.body.omega[i], a.body.omega[i], 0, 3e-10)
                end
            end
        end
    end)

    it("locks what turns where the lengths are great", function()
        seed(5)
        for _, kind in ipairs(KINDS) do
            for _ = 1, 20 do
                local body = lump()
                local motion = motion_of(body, 20)
                motion.v[2] = motion.v[2] - 10 -- or it parts before it is locked
                local hit = pc.collide(body, law(kind, { rolling = 1e4, twisting = 1e4 }), motion)
                for i = 1, 3 do near(hit.body.omega[i], 0, 0, 1e-9) end
                check(hit, 1e4, 1e4)
                -- without turning it is a mass point, but for the short while in which it still turns, which goes
                -- with 1e-4 m: v_t loses mu p_n/m as long as it slides
                if kind == "newton" then
                    near(hit.body.v[2], -0.8*hit.velocity_before.n, 1e-11)
                else
                    near(hit.body.v[2], -0.8*motion.v[2], 1e-2)
                end
                local before = math.sqrt(motion.v[1]^2 + motion.v[3]^2)
                local after = math.sqrt(hit.body.v[1]^2 + hit.body.v[3]^2)
                near(after, math.max(before - 0.3*hit.impulse.n/body.mass, 0), 0, 1e-2)
            end
        end
    end)

    it("takes energy only, by laws that create none, and keeps within its cones", function()
        for k = 1, 40 do
            seed(10 + k)
            local body = lump()
            local rolling, twisting = 10^random(-4, 0), 10^random(-4, 0)
            for _, kind in ipairs(KINDS) do
                local hit = pc.collide(body, law(kind, {
                    restitution = random(0, 1), friction = random(0, 1.2), rolling = rolling, twisting = twisting,
                }), motion_of(body, 20))
                check(hit, rolling, twisting)
                if kind ~= "newton" then assert.is_true(hit.loss >= -1e-12*hit.energy.before) end
                if kind == "stronge" then assert.is_true(hit.restitution.energetic <= 1 + 1e-10) end
            end
        end
    end)

    it("is the same in the mirror, and in the plane", function()
        for k = 1, 20 do
            seed(100 + k)
            local vt, vn, w = random(-2, 2), -random(0.5, 3), random(-40, 40)
            for _, kind in ipairs(KINDS) do
                local l = law(kind, { rolling = 10^random(-4, -1), twisting = random(0, 0.1), friction = random(0, 1) })
                local a = pc.collide(ball, l, { v = { vt, vn }, omega = w })
                local b = pc.collide(ball, l, { v = { -vt, vn }, omega = -w })
                assert.equal(a.body.v[1], -b.body.v[1])
                assert.equal(a.body.omega, -b.body.omega)
                assert.equal(a.loss, b.loss)
                local c = pc.collide(space_ball, l, { v = { vt, vn, 0 }, omega = { 0, 0, w } })
                near(c.body.v[1], a.body.v[1], 1e-12, 1e-13)
                near(c.body.omega[3], a.body.omega, 1e-12, 1e-12)
            end
        end
    end)

    it("of a ball is the same whichever way it is turned about the normal", function()
        for k = 1, 20 do
            seed(200 + k)
            local motion, phi = motion_of(space_ball, 30), random(0, 6)
            local s, c = math.sin(phi), math.cos(phi)
            local function turned(v) return { c*v[1] + s*v[3], v[2], -s*v[1] + c*v[3] } end
            local l = law(KINDS[k % 3 + 1], { rolling = 10^random(-4, -1), twisting = random(0, 0.1) })
            local a = pc.collide(space_ball, l, motion)
            local b = pc.collide(space_ball, l, { v = turned(motion.v), omega = turned(motion.omega) })
            local v, omega = turned(a.body.v), turned(a.body.omega)
            for i = 1, 3 do
                near(b.body.v[i], v[i], 1e-11, 1e-12)
                near(b.body.omega[i], omega[i], 1e-11, 1e-11)
            end
        end
    end)

    it("follows its equations, integrated over normal impulse with another method", function()
        local function cross(a, b)
            return { a[2]*b[3] - a[3]*b[2], a[3]*b[1] - a[1]*b[3], a[1]*b[2] - a[2]*b[1] }
        end
        local function solve(A, b) -- Cramer's rule
            local function det(M)
                return M[1][1]*(M[2][2]*M[3][3] - M[2][3]*M[3][2]) - M[1][2]*(M[2][1]*M[3][3] - M[2][3]*M[3][1])
                    + M[1][3]*(M[2][1]*M[3][2] - M[2][2]*M[3][1])
            end
            local out, d = {}, det(A)
            for i = 1, 3 do
                local M = {}
                for r = 1, 3 do M[r] = { A[r][1], A[r][2], A[r][3] } M[r][i] = b[r] end
                out[i] = det(M)/d
            end
            return out
        end
        local tried = 0
        for k = 1, 30 do
            seed(300 + k)
            local body, I = lump()
            local motion = motion_of(body, 60)
            motion.v[1], motion.v[3] = 20*motion.v[1], 20*motion.v[3] -- so fast that nothing stops
            local mu, rolling, twisting = random(0.05, 0.3), 10^random(-4, -2), 10^random(-4, -2)
            local l = law("poisson", { friction = mu, rolling = rolling, twisting = twisting })
            local hit = pc.collide(body, l, motion)
            local arm = { body.arm[1], body.arm[2], body.arm_t2 }
            local function rates(_, v1, v2, v3, w1, w2, w3)
                local v, w = { v1, v2, v3 }, { w1, w2, w3 }
                local turn = cross(w, arm)
                local ut, ut2 = v[1] + turn[1], v[3] + turn[3]
                local slide, roll = math.sqrt(ut^2 + ut2^2), math.sqrt(w[1]^2 + w[3]^2)
                local p = { -mu*ut/slide, 1, -mu*ut2/slide }
                local q = cross(arm, p)
                local c = { -rolling*w[1]/roll, -twisting*(w[2] > 0 and 1 or -1), -rolling*w[3]/roll }
                local dw = solve(I, { q[1] + c[1], q[2] + c[2], q[3] + c[3] })
                return p[1]/body.mass, 1/body.mass, p[3]/body.mass, dw[1], dw[2], dw[3]
            end
            if hit.regime == "gross slip" then
                local y = { motion.v[1], motion.v[2], motion.v[3], table.unpack(motion.omega) }
                local z = { pc.ode.solve{
                    rhs = rates, y = y, t = hit.impulse.n, autonomous = true,
                    solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 },
                }:at(hit.impulse.n) }
                if z[5]*y[5] > 0 then
                    tried = tried + 1
                    for i = 1, 3 do
                        near(hit.body.v[i], z[i], 1e-9, 1e-9)
                        near(hit.body.omega[i], z[3 + i], 1e-9, 1e-9)
                    end
                end
            end
        end
        assert.is_true(tried >= 10, tried)
    end)

    it("has its path through impulse space", function()
        seed(7)
        for _, body in ipairs{ ball, (lump()) } do
            local motion = body.spatial and motion_of(body, 20) or { v = { 1, -2 }, omega = -30 }
            local hit = pc.collide(body, law("stronge", { rolling = 0.01, twisting = 0.02 }), motion)
            local path = pc.impulse.path(hit, 20)
            local n = #path.p_n
            near(path.v_t[1], hit.velocity_before.t, 1e-14)
            near(path.p_n[n], hit.impulse.n, 1e-14)
            near(path.v_n[n], hit.velocity.n, 1e-10)
            near(path.p_t[n], hit.impulse.t, 1e-10, 1e-12)
            near(path.W_f[n], hit.work.friction, 1e-10)
            for i = 2, n do assert.is_true(path.W_f[i] <= path.W_f[i - 1] + 1e-13) end
        end
    end)

    it("is refused where nothing is known to roll", function()
        local function refused(body, options, text)
            local ok, why = pcall(pc.collide, body, law("newton", options), { vt = 1, vn = -1 })
            assert.is_false(ok)
            assert.truthy(tostring(why):find(text, 1, true), tostring(why))
        end
        local rod = pc.body.rod{ length = 1, mass = 1, angle = 0.4 }
        refused(rod, { rolling = 0.01 }, "rolling (delta) = 0.01 m is the resistance of a round surface")
        refused(pc.pair(ball, ball), { rolling = 0.01 }, "how a pair of bodies turns where it touches is not known")
        pc.collide(rod, law("newton", { twisting = 0.01 }), { vt = 1, vn = -1 }) -- nothing twists in the plane
        local ok, why = pcall(pc.map, ball, law("newton", { rolling = 0.01 }), { vt = pc.linspace(0, 1, 3), vn = -1 })
        assert.is_false(ok)
        assert.truthy(tostring(why):find("how the body turns", 1, true), tostring(why))
    end)
end)

describe("random impacts that resist rolling and twisting", function()
    it("close their ledgers, within their cones", function() -- 600 of the 60,000 of long_rolling, with its bounds
        local try, tried = require "tests.lua.rolling_random", 0
        for k = 1, 600 do
            local open, beyond, what = try(k)
            tried = tried + (open and 1 or 0)
            local bound = open and (what:find "linkage" or what:find "pendulum") and 1e-6 or 1e-9
            assert.is_true(not open or (open < bound and beyond < 1e-8),
                ("impact %d, %s: ledger %g, cone %g"):format(k, what, open or 0, beyond or 0))
        end
        assert.is_true(tried > 300)
    end)
end)

describe("an impact that resists twisting", function()
    it("reduces the spin of a ball about the normal by the length times the impulse, or to 0", function()
        for _, kind in ipairs(KINDS) do
            for _, w in ipairs{ 9, -9 } do
                local p, twisting = 1.8*m*1.5, 0.002
                local hit = pc.collide(space_ball, law(kind, { twisting = twisting }), {
                    v = { 0.2, -1.5, 0.1 }, omega = { 3, w, -2 },
                })
                near(hit.body.omega[2], w - twisting*p/J*(w > 0 and 1 or -1), 1e-13)
                local none = pc.collide(space_ball, law(kind, {}), { v = { 0.2, -1.5, 0.1 }, omega = { 3, w, -2 } })
                -- of a ball twisting has nothing to do with the rest
                for i = 1, 3 do near(hit.body.v[i], none.body.v[i], 1e-12, 1e-14) end
                local locked = pc.collide(space_ball, law(kind, { twisting = 1 }), {
                    v = { 0.2, -1.5, 0.1 }, omega = { 3, w, -2 },
                })
                near(locked.body.omega[2], 0, 0, 1e-13)
                near(locked.couple.n, -J*w, 1e-13)
                check(hit, 0, twisting)
                check(locked, 0, 1)
            end
        end
    end)
end)

describe("a scene whose impacts resist rolling", function()
    it("has the impacts of collide, record and file", function()
        for _, kind in ipairs(KINDS) do
            for _, delta in ipairs{ 1e-3, 0.01, 10 } do
                local l = law(kind, { rolling = delta })
                local disc = pc.free{ shape = "disc", radius = 0.1, mass = 2, y = 0.3, vx = 1, vy = -2, rate = -30 }
                local run = pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = l }, { duration = 0.4 })
                local h = run.impacts[1]
                local hit = pc.collide(pc.body.disc{ radius = 0.1, mass = 2 }, l, {
                    v = { 1, h.u_before[2] }, omega = -30,
                })
                near(h.u_after[1], hit.body.v[1], 1e-13, 1e-14)
                near(h.u_after[3], hit.body.omega, 1e-13, 1e-12)
                near(h.couple, hit.couple.t2, 1e-13)
                near(h.loss, hit.loss, 1e-12)
                near(h.work.friction, hit.work.friction, 1e-12)
                local path = scratch "rolling_impact.run"
                assert(run:save(path))
                local again = pc.load_run(path).impacts[1]
                assert.equal(h.couple, again.couple)
                assert.equal(h.work.friction, again.work.friction)
            end
        end
    end)

    it("takes a chain by what its last link does", function()
        for _, delta in ipairs{ 1e-3, 0.02 } do
            local l = law("stronge", { rolling = delta, friction = 0.2 })
            local arm = pc.body.linkage{
                lengths = { 1, 0.8 }, masses = { 1, 0.5 }, angles = { 0.4, -0.2 }, radius = 0.05,
            }
            local hit = pc.collide(arm, l, { rates = { -1, 2 } })
            check(hit, delta, 0)
            assert.is_true(hit.couple.t2 ~= 0)
        end
    end)

    it("strikes several contacts as one, each with its couple, in the mirror as well", function()
        for _, kind in ipairs(KINDS) do
            for _, delta in ipairs{ 0, 0.01, 10 } do
                local function drop(sign)
                    local capsule = pc.free{
                        shape = "capsule", length = 1, radius = 0.1, mass = 2, y = 0.3, vx = sign, vy = -2,
                        angle = math.pi/2,
                    }
                    local run = pc.simulate(pc.scene{
                        capsule, pc.floor{ height = 0 }, contact = law(kind, { rolling = delta, restitution = 0.5 }),
                    }, { duration = 0.2 })
                    local a, b = run:at(0), run:at(0.2)
                    near(b.energy + b.friction + b.lost, a.energy, 1e-12)
                    return run
                end
                local run, other = drop(1), drop(-1)
                local h, o = run.impacts[1], other.impacts[1]
                near(h.u_after[1], -o.u_after[1], 1e-12, 1e-13)
                near(h.u_after[3], -o.u_after[3], 1e-12, 1e-13)
                local couple, normal = 0, 0
                for _, each in ipairs(run.impacts) do
                    assert.is_true(math.abs(each.couple) <= delta*each.impulse.n*(1 + 1e-10))
                    couple, normal = couple + each.couple, normal + each.impulse.n
                end
                assert.is_true(delta == 0 or couple ~= 0)
            end
        end
    end)
end)
