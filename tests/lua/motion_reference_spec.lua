-- The double pendulum and the chains of Sypniewska-Kaminska (2017) and beyond, against values of a Taylor series in
-- 67-digit arithmetic (tests/reference/sypniewska2017.json). Her x is ours, her angles turn the other way.
local pc = require "percuss"
local json = require "dkjson"

local function load_cases()
    local file = assert(io.open "tests/reference/sypniewska2017.json")
    local list = assert(json.decode(file:read "a"))
    file:close()
    local cases = {}
    for _, case in ipairs(list) do cases[case.id] = case end
    return cases, list
end

local cases, list = load_cases()
local solver = pc.solver.dop853{ rtol = 1e-13, atol = 1e-14 }

local function close(expected, actual, bound, name)
    bound = bound * math.max(1, math.abs(expected))
    assert.is_true(math.abs(expected - actual) <= bound,
        ("%s: expected %.17g, got %.17g, difference %.2e, bound %.1e"):format(name, expected, actual,
            actual - expected, bound))
end

local function law(i, name)
    return pc.contact[name or i.law or "poisson"]{ restitution = i.k or 0.9, friction = i.mu or 0 }
end

-- Her double pendulum in the state (psi, om) before a floor at depth D.
local function double(i, psi1, psi2, om1, om2, depth)
    local rig = pc.chain{
        links = {
            { mass = i.m1, length = i.l1, inertia = i.I1, damping = i.c1, torque = i.M01 and -i.M01,
                frequency = i.Om1 },
            { mass = i.m2, length = i.l2, center = i.lc, inertia = i.I2, radius = i.r, reach = i.l2 + i.r,
                damping = i.c2, torque = i.M02 and -i.M02, frequency = i.Om2 },
        },
        angles = { -psi1 * pc.deg, -psi2 * pc.deg }, rates = { -om1, -om2 },
    }
    return pc.scene{ rig, pc.floor{ depth = depth or i.D }, gravity = i.g, contact = law(i) }
end

local function at_start(i)
    return double(i, i.psi1_0, i.psi2_0, i.om1_0, i.om2_0)
end

-- The joint loads that she calls R, P (on link 1 at O) and H, V (on link 1 at A), from x and y on links 1 and 2.
local function loads(x1, y1, x2, y2)
    return { R = -x1, P = y1, H = -x2, V = -y2 }
end

local function each(pattern, test)
    for _, case in ipairs(list) do
        if case.id:find(pattern) then it(case.id, function() test(case.inputs, case.outputs, case.id) end) end
    end
end

describe("the equations of motion", function()
    -- accelerations are not a field: they follow from the reactions, which contain them, and from a short motion
    each("^eom%-", function(i, o)
        local world = double(i, i.psi1, i.psi2, i.om1, i.om2, 9)
        local h = 1e-4
        local run = pc.simulate(world, { start = i.t, duration = h, solver = solver })
        local s = run:at(i.t)
        local got = loads(s.Rx1, s.Ry1, s.Rx2, s.Ry2)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], 1e-13, name) end
        close(o.energy, s.energy, 1e-14, "energy")
        -- a one-sided difference has an error of h/2 times the rate of the acceleration, some 1e3 rad/s^3
        close(o.acc1, -(run:at(i.t + h).rate1 - s.rate1) / h, 2e-2, "acc1")
        close(o.acc2, -(run:at(i.t + h).rate2 - s.rate2) / h, 2e-2, "acc2")
    end)

    it("give the static loads of the hanging pendulum", function()
        local i, o = cases["joint-static-hanging"].inputs, cases["joint-static-hanging"].outputs
        local s = pc.simulate(double(i, 0, 0, 0, 0, 9), { duration = 0 }):at(0)
        local got = loads(s.Rx1, s.Ry1, s.Rx2, s.Ry2)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], 1e-14, name) end
    end)

    it("give the static loads of the pendulum that rests on the floor", function()
        local i, o = cases["joint-static-floor"].inputs, cases["joint-static-floor"].outputs
        local world = double(i, 0, i.psi2 / pc.deg, 0, 0)
        local run = pc.simulate(world, { duration = 1 })
        local s = run:at(1)
        assert.equal(0, run.impact_count)
        local got = loads(s.Rx1, s.Ry1, s.Rx2, s.Ry2)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], 1e-10, name) end
        close(o.N, s.F_n, 1e-10, "N")
    end)
end)

describe("one impact of the double pendulum", function()
    -- a run of no duration that starts in contact and approaching is the impact alone
    each("^impact%-", function(i, o, id)
        local world = double(i, i.psi1, i.psi2, i.om1_minus, i.om2_minus, i.D_of_this_contact)
        local run = pc.simulate(world, { duration = 0 })
        local hit = run.impacts[1]
        local bound = id:find "jam" and 1e-10 or 2e-12
        close(o.alpha, hit.W.tt, bound, "alpha")
        close(o.gamma, hit.W.nn, bound, "gamma")
        close(o.epsilon, hit.W.tn, bound, "epsilon")
        close(o.s0, hit.velocity_before.t, bound, "s0")
        close(o.c0, hit.velocity_before.n, bound, "c0")
        close(o.F, hit.impulse.n, bound, "F")
        close(o.T, hit.impulse.t, bound, "T")
        close(o.s_f, hit.velocity.t, bound, "s_f")
        close(o.c_f, hit.velocity.n, bound, "c_f")
        close(o.om1_plus, -hit.u_after[1], bound, "om1")
        close(o.om2_plus, -hit.u_after[2], bound, "om2")
        close(o.E_loss, hit.loss, 5e-12, "E_loss")
        local j = hit.joint_impulses
        local got = loads(j[1].x, j[1].y, j[2].x, j[2].y)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], bound, name) end
    end)
end)

-- Errors of the integration grow by the factors that the reference gives (1e3 in rates); times by 30.
describe("the motion of section 4", function()
    local runs = {}
    local function run_of(mu)
        runs[mu] = runs[mu] or pc.simulate(at_start{
            m1 = 3.2, m2 = 3.8, l1 = 0.5, l2 = 0.6, r = 0.05, lc = 0.3627, I1 = 0.0676, I2 = 0.164, g = 9.81, D = 0.9,
            mu = mu, k = 0.9, psi1_0 = 140, psi2_0 = -90, om1_0 = 1.2, om2_0 = -0.5,
        }, { duration = 14, solver = solver })
        return runs[mu]
    end

    each("^sec4%-mu%d+%-impact%-", function(i, o)
        local hit = run_of(i.mu).impacts[i.impact_index]
        close(o.t, hit.time, 1e-10, "t")
        close(o.om1_plus, -hit.u_after[1], 1e-8, "om1")
        close(o.om2_plus, -hit.u_after[2], 1e-8, "om2")
        close(o.F, hit.impulse.n, 1e-8, "F")
        close(o.T, hit.impulse.t, 1e-8, "T")
        close(o.E_after, hit.energy.after, 1e-8, "energy")
        local j = hit.joint_impulses
        local got = loads(j[1].x, j[1].y, j[2].x, j[2].y)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], 1e-8, name) end
    end)

    each("^sec4%-mu%d+%-state", function(i, o)
        local s = run_of(i.mu):at(i.t)
        close(o.psi1, -s.angle1, 1e-9, "psi1")
        close(o.psi2, -s.angle2, 1e-9, "psi2")
        close(o.om1, -s.rate1, 1e-9, "om1")
        close(o.om2, -s.rate2, 1e-9, "om2")
        close(o.energy, s.energy, 1e-9, "energy")
        local got = loads(s.Rx1, s.Ry1, s.Rx2, s.Ry2)
        for _, name in ipairs{ "P", "R", "V", "H" } do close(o[name], got[name], 1e-8, name) end
    end)

    it("has the printed numbers of impacts, six and ten", function()
        local function count(mu, t)
            local n = 0
            for _, hit in ipairs(run_of(mu).impacts) do n = n + (hit.time <= t and 1 or 0) end
            return n
        end
        local o = cases["sec4-counts-vs-time"].outputs
        for k, t in ipairs(o.T) do assert.equal(o.count_mu0[k], count(0, t)) end
        for k, t in ipairs(o.mu015_T) do assert.equal(o.count_mu015[k], count(0.15, t)) end
    end)

    it("accumulates, without friction and with it, where the reference does", function()
        for mu, id in pairs{ [0] = "sec4-mu0-zeno", [0.15] = "sec4-mu015-zeno-rest" } do
            local o, found = cases[id].outputs
            for _, e in ipairs(run_of(mu).events) do if e.kind == "accumulation" then found = found or e end end
            -- the rest of the sequence is extrapolated: see run.c
            close(o.t_zeno, found.time, 1e-8, "accumulation")
            close(o.contraction or o.contraction_measured, found.ratio, 1e-4, "ratio")
        end
    end)

    it("comes to rest with friction", function()
        local o = cases["sec4-mu015-zeno-rest"].outputs
        local run = run_of(0.15)
        local s = run:at(14)
        close(o.psi1, -s.angle1, 1e-9, "psi1")
        close(o.psi2, -s.angle2, 1e-9, "psi2")
        close(o.N_rest, s.F_n, 1e-7, "N")
        close(o.T_rest, s.F_t, 1e-7, "T")
        close(o.E_rest, s.energy, 1e-9, "energy")
        assert.equal("rest", run.events[#run.events].kind)
        assert.equal("stick", run.contacts[1].mode)
    end)
end)

describe("other laws and data", function()
    for _, name in ipairs{ "newton", "stronge" } do
        it("section 4 with the law of " .. name, function()
            local case = cases["sec4-mu015-" .. name]
            local run = pc.simulate(at_start(case.inputs), { duration = 6.6, solver = solver })
            for k, t in ipairs(case.outputs.t) do
                close(t, run.impacts[k].time, 1e-9, "t")
                close(case.outputs.E_after[k], run.impacts[k].energy.after, 1e-8, "energy")
            end
        end)
    end

    each("^distance", function(i, o)
        local run = pc.simulate(at_start(i), { duration = i.T, solver = solver })
        assert.equal(o.n_impacts_by_4s, run.impact_count)
        for k, t in ipairs(o.impact_times) do
            close(t, run.impacts[k].time, 1e-9, "t")
            close(o.energy_after[k], run.impacts[k].energy.after, 1e-8, "energy")
            close(o.F[k], run.impacts[k].impulse.n, 1e-8, "F")
            close(o.T[k], run.impacts[k].impulse.t, 1e-8, "T")
        end
    end)

    each("^forced%-", function(i, o)
        local run = pc.simulate(at_start(i), { duration = i.T, solver = solver })
        assert.equal(o.n_impacts, run.impact_count)
        for k, t in ipairs(o.impact_times) do close(t, run.impacts[k].time, 1e-8, "t") end
        for _, t in ipairs{ 1, 2, 4, 6 } do
            local want, s = o[("state_t%.1f"):format(t)], run:at(t)
            for k, name in ipairs{ "angle1", "angle2", "rate1", "rate2", "energy" } do
                close(k == 5 and want[5] or -want[k], s[name], 1e-8, name)
            end
        end
    end)

    it("the elastic pendulum is reproduced as far as double precision reaches", function()
        local case = cases["long-elastic-chaos"]
        local run = pc.simulate(at_start(case.inputs), { duration = 13, solver = solver })
        -- amplification grows to 1e12 by the tenth impact
        for k = 1, 7 do close(case.outputs.t_first20[k], run.impacts[k].time, 1e-6, "t") end
    end)
end)

describe("contacts that last", function()
    local kinds = { contact_begin = "contact", slip_reversal = "reversal", stick = "stick", slipstart = "slip",
        rest = "rest" }

    -- Events after the accumulation: it stands for the beginning of contact.
    local function compare_events(o, run, bound)
        local got = {}
        for _, e in ipairs(run.events) do
            if e.kind == "accumulation" then got[#got + 1] = { kind = "contact", time = e.time } end
            if e.kind ~= "impact" and e.kind ~= "accumulation" and e.kind ~= "contact" then got[#got + 1] = e end
        end
        for k, want in ipairs(o.events) do
            assert.equal(kinds[want[1]], got[k] and got[k].kind)
            close(want[2], got[k].time, bound, want[1])
        end
    end

    each("^contact%-", function(i, o)
        local run = pc.simulate(at_start(i), { duration = 3, solver = solver })
        for k, t in ipairs(o.t) do close(t, run.impacts[k].time, 1e-10, "t") end
        compare_events(o, run, 2e-8)
        for _, t in ipairs{ 1, 2, 3 } do
            local want = o[("state_t%.1f"):format(t)]
            if want then
                local s = run:at(t)
                for k = 1, 2 do
                    close(want.psi[k], -s["angle" .. k], 1e-8, "psi")
                    close(want.om[k], -s["rate" .. k], 1e-8, "om")
                end
                close(want.N, s.F_n, 1e-7, "N")
                close(want.T, s.F_t, 1e-7, "T")
                close(want.energy, s.energy, 1e-8, "energy")
            end
        end
    end)
end)

describe("chains of three and four links", function()
    local function chain(i)
        local links, angles, rates = {}, {}, {}
        for k = 1, #i.m do
            local M = i.torque_amp and i.torque_amp[k] or 0
            links[k] = {
                mass = i.m[k], length = i.l[k], center = i.lc[k], inertia = i.I[k],
                damping = i.damping and i.damping[k], torque = M ~= 0 and -M or nil,
                frequency = M ~= 0 and i.torque_freq[k] or nil,
            }
            angles[k], rates[k] = -i.psi0[k] * pc.deg, -i.om0[k]
        end
        links[#links].radius = i.r
        return pc.scene{ pc.chain{ links = links, angles = angles, rates = rates }, pc.floor{ depth = i.D },
            gravity = i.g, contact = law(i) }
    end

    local function compare_state(want, s, n, bound)
        for k = 1, n do
            close(want.psi[k], -s["angle" .. k], bound, "psi")
            close(want.om[k], -s["rate" .. k], bound, "om")
        end
        close(want.energy, s.energy, bound, "energy")
    end

    each("^nlink%-[34]%-%a+$", function(i, o, id)
        if id == "nlink-3-stickslip" then return end
        local n = #i.m
        local run = pc.simulate(chain(i), { duration = i.T, solver = solver })
        -- dt/dpsi1 says how errors of the state grow into times: up to 2e3
        for k, t in ipairs(o.impact_times) do close(t, run.impacts[k].time, 1e-9, "t") end
        if o.n_impacts_total < 100 then assert.equal(o.n_impacts_total, run.impact_count) end
        local hit, want = run.impacts[1], o.first_impact
        for k = 1, n do
            close(want.psi[k], -hit.q[k], 1e-10, "psi")
            close(want.om_minus[k], -hit.u_before[k], 1e-9, "om-")
            close(want.om_plus[k], -hit.u_after[k], 1e-9, "om+")
            close(want.joints_xz[k][1], hit.joint_impulses[k].x, 1e-9, "joint x")
            close(want.joints_xz[k][2], hit.joint_impulses[k].y, 1e-9, "joint z")
        end
        close(o.E0, run:at(0).energy, 1e-14, "E0")
        for _, t in ipairs{ 0.5, 1, 2, 3 } do
            local state = o[("state_t%.1f"):format(t)]
            if state then compare_state(state, run:at(t), n, 1e-7) end
        end
    end)

    it("nlink-3-stickslip: accumulation, sliding, reversal, stick and slip again", function()
        local i, o = cases["nlink-3-stickslip"].inputs, cases["nlink-3-stickslip"].outputs
        local run = pc.simulate(chain(i), { duration = 3, solver = solver })
        for k, t in ipairs(o.impact_times) do close(t, run.impacts[k].time, 1e-10, "t") end
        local names = { slip_reversal = "reversal", stick = "stick", slipstart = "slip",
            contact_begin = "accumulation" }
        local got = {}
        for _, e in ipairs(run.events) do if e.kind ~= "impact" and e.kind ~= "contact" then got[#got + 1] = e end end
        for k, want in ipairs(o.events) do
            assert.equal(names[want[1]], got[k].kind)
            close(want[2], got[k].time, 2e-8, want[1])
        end
        for _, want in ipairs(o.states) do
            local s = run:at(want[1])
            for k = 1, 3 do
                close(want[2 + k], -s["angle" .. k], 1e-7, "psi")
                close(want[5 + k], -s["rate" .. k], 1e-7, "om")
            end
            close(want[9], s.F_n, 1e-6, "N")
            close(want[10], s.F_t, 1e-6, "T")
        end
    end)
end)
