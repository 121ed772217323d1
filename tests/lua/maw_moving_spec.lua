-- Maw's rings while everything moves: percuss.collide and percuss.simulate with configuration = "moving".
local pc = require "percuss"
local near = require "within"

local scratch = require "scratch"
local moving = { configuration = "moving" }

local function maw(options)
    local law = { modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.3 }
    for key, value in pairs(options or {}) do law[key] = value end
    return pc.contact.maw(law)
end

local function tight(rtol)
    return pc.solver.dop853{ rtol = rtol, atol = rtol / 10 }
end

-- a disc that strikes the floor, alone in the world; W does not change
local function struck(law, vt, options)
    options = options or { duration = 1e-2, solver = tight(1e-10) }
    return pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 2, y = 0.1, vx = vt, vy = -1 },
        pc.floor{ height = 0 }, contact = law, configuration = "moving", gravity = 0 }, options)
end

describe("a body whose W does not change", function()
    -- rebounds by front tracking, 1e-9 (tests/reference/lai1999.json, mbf-*): psi1, chi, psi2
    local checked = {
        { 1.0, 1.441176470588, -0.05969670394344 }, { 2.0, 1.441176470588, -0.8372100067684 },
        { 3.0, 1.441176470588, -1.379683292358 }, { 4.0, 1.441176470588, -1.436512224694 },
        { 4.7, 1.441176470588, -1.061610994439 }, { 0.5, 1.235294117647, -0.09046717588093 },
        { 2.5, 1.235294117647, -1.345963715189 }, { 3.5, 1.235294117647, -1.307239799758 },
        { 1.5, 0.8235294117647, -1.186661236606 }, { 2.0, 0.8235294117647, -1.197958982814 },
    }
    local sphere = pc.body.sphere{ radius = 0.1, mass = 2 }

    local function rebound(case, rings, tolerance)
        local kappa = 3.5 / (3 * case[2]) -- w_tt/w_nn = 7/2
        local law = pc.contact.maw{ modulus = 1e8, radius = 0.1, kappa = kappa, friction = 0.3, rings = rings,
            tolerance = tolerance }
        local unit = 1.5 * kappa * 0.3
        return pc.collide(sphere, law, { vt = case[1] * unit, vn = -1 }, moving).velocity.t / unit
    end

    it("rebounds as the exact solution says, with the order two in the rings", function()
        local sums = {}
        for i, rings in ipairs{ 20, 160 } do
            sums[i] = 0
            for _, case in ipairs(checked) do
                local off = math.abs(rebound(case, rings) - case[3])
                assert.is_true(off < 0.75 / rings^2, ("psi1 = %g, chi = %g: %.1e"):format(case[1], case[2], off))
                sums[i] = sums[i] + off
            end
        end
        assert.is_true(math.log(sums[1] / sums[2], 8) > 1.8, ("%.2f"):format(math.log(sums[1] / sums[2], 8)))
    end)

    it("meets the tolerance of the law", function()
        for i = 1, 10, 3 do near(checked[i][3], rebound(checked[i], nil, 1e-4), 1e-4) end
    end)

    it("is the frozen impact in a motion and alone, in every regime", function()
        local disc, law = pc.body.disc{ radius = 0.1, mass = 2 }, maw()
        local unit = 1.5 * law.kappa * 0.3
        for _, vt in ipairs{ 0, 0.05, 0.3, 1, -1, 2, -5 } do
            local frozen = pc.collide(disc, law, { v = { vt, -1 } })
            local alone, hit = pc.collide(disc, law, { v = { vt, -1 } }, moving), struck(law, vt).impacts[1]
            assert.equal(frozen.regime, alone.regime)
            assert.equal(#frozen.phases, #hit.phases)
            for _, other in ipairs{ alone, hit } do
                local name = ("v_t = %g: "):format(vt)
                near(1, other.velocity.n, 1e-8, name .. "v_n")
                -- both are known to the tolerance of the law
                near(frozen.velocity.t, other.velocity.t, 2e-5 * unit, name .. "v_t")
                near(frozen.duration, other.duration, 1e-7 * frozen.duration, name .. "duration")
                near(frozen.peak.n, other.peak.n, 1e-8 * frozen.peak.n, name .. "F_n")
                near(frozen.peak.t, other.peak.t, 1e-3 * frozen.peak.n, name .. "F_t")
                for i, phase in ipairs(frozen.phases) do
                    local theirs = other.phases[i]
                    assert.same({ phase.kind, phase.sign }, { theirs.kind, theirs.sign }, name)
                    -- found where a step ends, 400 of them in all
                    near(phase.stop, theirs.stop, 0.01 * frozen.duration, name .. "stop")
                    near(phase.at_stop.u_t, theirs.at_stop.u_t, 0.02 * alone:at(alone.compression_time).u_n)
                end
                -- nothing but friction takes energy
                near(other.loss, -other.work.friction, 1e-8, name .. "friction")
                assert.is_true(other.work.friction <= 1e-10)
            end
        end
    end)

    it("has the phases of the frozen impact, however little of the circle decides them", function()
        local radius = 1e-4
        local mass = 7850 * 4 / 3 * math.pi * radius ^ 3
        local law = pc.contact.maw{ young = 208e9, poisson = 0.3, radius = radius, friction = 0.3 }
        local round = pc.body.sphere{ radius = radius, mass = mass }
        for _, vt in ipairs{ 1.5, 2, 4 } do
            local ball = pc.free{
                shape = "disc", radius = radius, mass = mass, inertia = 0.4 * mass * radius ^ 2, y = radius, vx = vt,
                vy = -5,
            }
            local world = pc.scene{
                ball, pc.floor{ height = 0 }, gravity = 0, contact = law, configuration = "moving",
            }
            local hit = pc.simulate(world, { duration = radius }).impacts[1]
            assert.equal(pc.collide(round, law, { vt = vt, vn = -5 }).regime, hit.regime)
            assert.equal(#hit.phases, hit.phase_count)
            for i = 2, hit.phase_count do assert.equal(hit.phases[i - 1].stop, hit.phases[i].start) end
        end
    end)

    it("has mirrored histories, bit by bit", function()
        local law = maw{ rings = 40 }
        local disc = pc.body.disc{ radius = 0.1, mass = 2 }
        for _, vt in ipairs{ 0.1, 0.7, 3 } do
            local one, other = pc.collide(disc, law, { v = { vt, -1 } }, moving),
                pc.collide(disc, law, { v = { -vt, -1 } }, moving)
            assert.equal(one.velocity.t, -other.velocity.t)
            assert.equal(one.velocity.n, other.velocity.n)
            assert.equal(one.work.friction, other.work.friction)
            assert.equal(struck(law, vt).impacts[1].velocity.t, -struck(law, -vt).impacts[1].velocity.t)
        end
    end)

    it("is the same in every run, bit by bit", function()
        local law = maw{ rings = 40 }
        local one, other = struck(law, 0.7), struck(law, 0.7)
        assert.same(one:at(0.004), other:at(0.004))
        assert.equal(one.impacts[1].velocity.t, other.impacts[1].velocity.t)
        assert.equal(one.statistics.steps, other.statistics.steps)
    end)

    it("loads as Mindlin's stiffness while all sticks, and slips as a whole like it", function()
        -- without slip both add ratio k dz to the force; beyond psi1 = 4 chi - 1 both are mu F_n
        local disc = pc.body.disc{ radius = 0.1, mass = 2 }
        local function compare(mu, vt)
            local ours = pc.collide(disc, maw{ friction = mu, rings = 200 }, { v = { vt, -1 } }, moving)
            local mindlin = pc.collide(disc, pc.contact.hertz_mindlin{ modulus = 1e8, radius = 0.1, poisson = 0.3,
                friction = mu }, { v = { vt, -1 } }, moving)
            return ours, mindlin
        end
        local ours, mindlin = compare(50, 1)
        local turn = mindlin.compression_time
        local theirs, here = mindlin:at(turn), ours:at(turn)
        near(theirs.p_t, here.p_t, 4e-4 * math.abs(theirs.p_t))
        near(theirs.F_t, here.F_t, 4e-4 * math.abs(theirs.F_t))
        assert.is_true(math.abs(mindlin.velocity.t - ours.velocity.t) > 0.01) -- Mindlin's unloading is another
        ours, mindlin = compare(0.2, 3)
        near(mindlin.velocity.t, ours.velocity.t, 1e-9)
        near(mindlin.loss, ours.loss, 1e-8)
    end)
end)

describe("a body that turns", function()
    it("tends to the frozen impact as the modulus grows, with the order 2/5", function()
        -- an upright rod has no w_tn, but turns while the contact lasts, and that as E^(-2/5)
        local upright, motion = pc.body.rod{ length = 1, mass = 1, angle = 0 }, { v = { 0.5, -1 }, omega = 3 }
        local before
        for _, modulus in ipairs{ 1e9, 1e11, 1e13 } do
            local law = maw{ modulus = modulus, radius = 0.01, friction = 0.4, rings = 400 }
            local frozen, hit = pc.collide(upright, law, motion), pc.collide(upright, law, motion, moving)
            local off = math.abs(hit.velocity.t - frozen.velocity.t) + math.abs(hit.velocity.n - frozen.velocity.n)
            if before then near(0.4, math.log(before / off, 100), 0.03, "order") end
            before = off
        end
    end)

    local function lost_to_friction_alone(hit)
        near(hit.loss, -hit.work.friction, 1e-8 * hit.energy.before)
        near(0, hit.work.normal, 1e-8 * hit.energy.before)
        assert.is_true(hit.work.friction <= 1e-10)
        assert.is_false(hit.flags.gained_energy or false)
    end

    it("loses energy to friction alone, whatever its W couples", function()
        local law = maw{ radius = 0.05, rings = 60 }
        for _, angle in ipairs{ -0.9, -0.3, 0.2, 0.7 } do
            for _, v in ipairs{ { 0, -1 }, { 0.4, -1 }, { -3, -1 } } do
                lost_to_friction_alone(pc.collide(pc.body.rod{ length = 1, mass = 1, angle = angle }, law,
                    { v = v, omega = 0.5 }, moving))
            end
        end
        local arm = pc.body.linkage{ lengths = { 1, 0.8 }, masses = { 1, 0.5 }, angles = { 0.6, -0.3 } }
        lost_to_friction_alone(pc.collide(arm, law, { rates = { -0.3, 2.5 } }, moving))
        local pendulum = pc.body.pendulum{ mass = 1, length = 1, radius = 0.05, contact = "surface", angle = 0.5 }
        lost_to_friction_alone(pc.collide(pendulum, law, { rate = -1 }, moving))
    end)

    it("is the same alone and in a motion", function()
        local angle, law = math.pi / 5, maw{ radius = 0.05, rings = 200 }
        local body = pc.body.rod{ length = 1, mass = 1, angle = angle }
        for _, v in ipairs{ { 0.6, -1 }, { -1, -1 } } do
            local alone = pc.collide(body, law, { v = v, omega = 0 }, moving)
            local hit = pc.simulate(pc.scene{
                pc.free{ shape = "rod", length = 1, mass = 1, angle = angle, vx = v[1], vy = v[2],
                    y = 0.5 * math.cos(angle) }, pc.floor{ height = 0 }, contact = law, configuration = "moving",
                gravity = 0 }, { duration = 0.05, solver = tight(1e-10) }).impacts[1]
            -- each is within 0.75/rings^2 of the velocity 1.5 kappa mu
            near(alone.velocity.t, hit.velocity.t, 2e-5)
            near(alone.velocity.n, hit.velocity.n, 2e-5)
            near(alone.duration, hit.duration, 2e-5 * alone.duration)
            near(alone.work.friction, hit.work.friction, 2e-5)
        end
    end)

    it("traces its history", function()
        local body, law = pc.body.rod{ length = 1, mass = 1, angle = 0.4 }, maw{ radius = 0.05, rings = 60 }
        local hit = pc.collide(body, law, { v = { 0.5, -1 }, omega = 0 }, moving)
        local h = hit:trace(201)
        near(hit.velocity.t, h.v_t[201], 1e-12)
        for i = 2, 200 do
            assert.is_true(math.abs(h.F_t[i]) <= 0.3 * h.F_n[i] * (1 + 1e-12))
            -- the slope of the impulse; it bends where rings change
            near((h.p_t[i + 1] - h.p_t[i - 1]) / (h.t[i + 1] - h.t[i - 1]), h.F_t[i], 0.02 * hit.peak.n)
        end
    end)
end)

describe("a motion with rings", function()
    local deg = math.pi / 180
    local function pendulum(law)
        return pc.scene{
            pc.chain{ links = { { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676 },
                { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 } },
                angles = { -140 * deg, 90 * deg }, rates = { -1.2, 0.5 } },
            pc.floor{ depth = 0.9 }, contact = law, configuration = "moving" }
    end

    it("keeps its ledger at every instant, springs and all", function()
        local run = pc.simulate(pendulum(maw{ radius = 0.05, friction = 0.15, rings = 60 }),
            { duration = 2, solver = tight(1e-11) })
        assert.is_true(run.impact_count >= 1)
        local first, hit = run:at(0), run.impacts[1]
        local stored, friction = 0, 0
        for i = 0, 100 do
            local s = run:at(hit.time + i / 100 * hit.duration)
            near(first.energy, s.energy + s.friction + s.dissipated, 1e-9 * math.abs(first.energy))
            near(0, s.dissipated, 1e-9 * math.abs(first.energy), "taken by the springs")
            -- between the steps of rings F_t is a slope, and works are shared out by it
            assert.is_true(math.abs(s.F_t) <= 0.15 * s.F_n + 1e-6 * hit.peak.n)
            assert.is_true(s.friction >= friction - 1e-6 * stored)
            stored, friction = math.max(stored, s.stored), s.friction
        end
        assert.is_true(stored > 0 and friction > 0)
        local last = run:at(2)
        near(first.energy, last.energy + last.friction, 1e-9 * math.abs(first.energy))
    end)

    it("bounces and comes to lie in gravity, its ledger closed", function()
        -- kappa mu small, spin large: friction works until the ball rolls; Hertz's spring goes on for ever
        local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1005, rate = 20 },
            pc.floor{ height = 0 }, contact = maw{ modulus = 1e7, rings = 20, friction = 0.2 },
            configuration = "moving" }, { duration = 1.5, solver = tight(1e-9) })
        local first, last = run:at(0), run:at(1.5)
        assert.is_true(last.friction > 0.5 * first.kinetic) -- rolling keeps a third
        near(first.kinetic / 3, last.kinetic, 0.01 * first.kinetic)
        near(first.energy, last.energy + last.friction + last.dissipated, 1e-7 * first.kinetic)
    end)

    it("is the same by the stiff method, in steps not much shorter", function()
        -- a Jacobian that took slipping rings for sticking ones would need 300,000 steps
        local function bounced(solver)
            return pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.15, vx = 0.3 },
                pc.floor{ height = 0 }, contact = maw{ modulus = 1e7, rings = 40 }, configuration = "moving" },
                { duration = 0.12, contact_solver = solver })
        end
        local stiff, explicit = bounced(pc.solver.rodas5p{ rtol = 1e-7 }), bounced(pc.solver.dopri5{ rtol = 1e-9 })
        assert.is_true(stiff.statistics.jacobians > 0)
        assert.is_true(stiff.statistics.steps < 3000, stiff.statistics.steps .. " steps")
        local one, other = stiff.impacts[1], explicit.impacts[1]
        -- the ends of steps are elsewhere, and with them the rings: by less than 0.75/rings^2 of 3/2 kappa mu v_n
        local bound = 0.75 / 40^2 * 1.5 * maw().kappa * 0.3
        near(other.velocity.t, one.velocity.t, bound)
        near(other.velocity.n, one.velocity.n, 1e-6)
        near(other.work.friction, one.work.friction, bound)
    end)

    it("rests where Hertz's spring carries it, if it begins there", function()
        local law = maw{ modulus = 1e7, rings = 40 }
        local depth = (9.81 / (4 / 3 * 1e7 * math.sqrt(0.1)))^(2 / 3) -- m g = K u^1.5
        local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1 - depth },
            pc.floor{ height = 0 }, contact = law, configuration = "moving" }, { duration = 0.5 })
        near(9.81, run:at(0.5).F_n, 1e-9)
        near(0, run:at(0.5).friction, 1e-15)
        assert.equal("rest", run.events[#run.events].kind)
    end)

    it("is saved within a contact and goes on bit by bit", function()
        local function bytes_of(run)
            local name = scratch()
            assert.equal(name, run:save(name))
            local file = assert(io.open(name, "rb"))
            local text = file:read "a"
            file:close()
            return text, name
        end
        local run = struck(maw{ rings = 30 }, 0.7, { duration = 2e-3 })
        assert.equal(1, #run.contacts)
        local text, name = bytes_of(run)
        local again = pc.load_run(name)
        assert.same(run:at(0.0013), again:at(0.0013))
        assert.same(run:at(0.002), again:at(0.002))
        assert.equal(bytes_of(run:continue(6e-3)), bytes_of(again:continue(6e-3)))
        assert.is_true(run.impacts[1].stop < 0.01)
        -- a history that is damaged is found by what it says
        local broken = text:sub(1, -200) .. ("\xff"):rep(192) .. text:sub(-7)
        local file = assert(io.open(name, "wb"))
        file:write(broken)
        file:close()
        assert.error_matches(function() pc.load_run(name) end, "cut short or damaged")
    end)
end)

describe("refusals", function()
    it("say what does it instead", function()
        local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        assert.error_matches(function()
            pc.cradle{ bodies = { ball, ball, ball }, contact = maw(), velocity = { 1, 0, 0 } }
        end, "contact 1: rings with friction act at one contact, or within a motion")
        local free = pc.cradle{ bodies = { ball, ball, ball }, contact = maw{ friction = 0 }, velocity = { 1, 0, 0 } }
        near(0.03, 0.03 * (free.velocity[1] + free.velocity[2] + free.velocity[3]), 1e-12)
        assert.error_matches(function()
            pc.collide(pc.body.disc{ radius = 0.1, mass = 2 }, maw(), { v = { 1, -1 } },
                { configuration = "moving", stick = "persistent" })
        end, "rings stick each by itself")
    end)
end)

describe("Maw's solution at a frozen configuration that couples", function()
    local function law(young, mu)
        return pc.contact.maw{ young = young, poisson = 0.3, radius = 0.05, friction = mu }
    end
    local rod = pc.body.rod{ length = 0.5, mass = 1, angle = 0.4, curvature = 20 }
    local motions = { { vt = -0.8, vn = -1 }, { vt = -0.1, vn = -1 }, { vt = 0.3, vn = -1 }, { vt = 2, vn = -1 } }

    it("goes over into the one that does not", function()
        local uncoupled = pc.body.matrix{ W = { { 3, 0 }, { 0, 1 } } }
        local coupled = pc.body.matrix{ W = { { 3, 1e-9 }, { 1e-9, 1 } } }
        for _, vt in ipairs{ 0, 0.1, 0.5, 1, -3 } do
            local one = pc.collide(uncoupled, law(70e9, 0.3), { vt = vt, vn = -1 })
            local other = pc.collide(coupled, law(70e9, 0.3), { vt = vt, vn = -1 })
            assert.equal(one.regime, other.regime)
            -- each to 1e-5 of 1.5 kappa mu, the tolerance of the law; what couples is 1e-9
            near(one.velocity.t, other.velocity.t, 2e-5)
            near(one.velocity.n, other.velocity.n, 1e-8)
            near(one.duration, other.duration, 1e-8 * one.duration)
            assert.equal(#one.reversals, #other.reversals)
        end
    end)

    it("is the limit of stiff contacts of the moving one, for rods and pendulums", function()
        local pendulum = pc.body.pendulum{ mass = 1, length = 1, radius = 0.05, angle = 0.5 }
        for _, mu in ipairs{ 0, 0.1, 0.4 } do
            for _, motion in ipairs(motions) do
                local frozen = pc.collide(rod, law(70e9, mu), motion)
                local stiff = pc.collide(rod, law(70e15, mu), motion, moving)
                assert.equal(frozen.regime, stiff.regime)
                near(frozen.velocity.t, stiff.velocity.t, 2e-5)
                near(frozen.velocity.n, stiff.velocity.n, 2e-5)
                -- nothing but friction takes energy
                near(frozen.loss, -frozen.work.friction, 1e-9)
                near(frozen.energy.before - frozen.loss, frozen.energy.after, 1e-12)
            end
            local frozen = pc.collide(pendulum, law(70e9, mu), { rate = -1 })
            near(pc.collide(pendulum, law(70e15, mu), { rate = -1 }, moving).body.rate, frozen.body.rate, 2e-5)
        end
    end)

    it("slips throughout where rigid friction does, with the same impulses", function()
        -- gross slip: p_t = -mu p_n whatever the force is in time, and without loss in the normal direction E = 1
        local hit = pc.collide(rod, law(70e9, 0.1), { vt = 2, vn = -1 })
        local rigid = pc.collide(rod, pc.contact.stronge{ restitution = 1, friction = 0.1 }, { vt = 2, vn = -1 })
        assert.equal("gross slip", hit.regime)
        near(rigid.velocity.t, hit.velocity.t, 1e-9)
        near(rigid.velocity.n, hit.velocity.n, 1e-9)
        near(rigid.loss, hit.loss, 1e-9)
    end)

    it("wedges a pendulum that friction holds, and traces what it tells", function()
        local steep = pc.body.pendulum{ mass = 1, length = 1, radius = 0.05, angle = 0.2 }
        assert.equal("wedged", pc.collide(steep, law(70e9, 0.4), { rate = -1 }).outcome)
        local hit = pc.collide(rod, law(70e9, 0.4), motions[2])
        local trace = hit:trace(101)
        near(hit.velocity.t, trace.v_t[101], 1e-12)
        near(hit.impulse.n, trace.p_n[101], 1e-12)
        near(hit.peak.n, trace.F_n:max(), 1e-3 * hit.peak.n)
        assert.is_true((trace.F_t:abs() - 0.4 * trace.F_n):max() <= 1e-9 * hit.peak.n)
    end)
end)
