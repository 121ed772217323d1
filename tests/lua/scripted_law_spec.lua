-- Laws whose force or impulse is a function (contact.define): beside the laws in C that say the same, in every use;
-- against the checked values of tests/reference/world.json; what they may not do; contact.check.
local pc = require "percuss"
local json = require "dkjson"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local cases = {}
do
    local file = assert(io.open "tests/reference/world.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do cases[case.id] = case end
    file:close()
end

local hunt_crossley = pc.contact.define{
    name = "spec_hunt_crossley", doc = "Power law with damping in proportion to the force.",
    parameters = {
        { "stiffness", symbol = "k", unit = "N/m^1.5", above = 0, from = 1e6, to = 1e8 },
        { "damping", symbol = "zeta", unit = "s/m", default = 0, least = 0, from = 0, to = 0.5 },
    },
    force = function(p, u, w) return p.k*u^1.5*(1 + p.damping*w) end,
}
local kelvin_voigt = pc.contact.define{
    name = "spec_kelvin_voigt",
    parameters = { { "k", unit = "N/m", above = 0 }, { "c", unit = "N s/m", least = 0 } },
    force = function(p, u, w) return p.k*u + p.c*w end,
}
local hertz = pc.contact.define{
    name = "spec_hertz", parameters = { { "stiffness", symbol = "K", unit = "N/m^1.5", above = 0 } },
    force = function(p, u) return p.K*u^1.5, 1.5*p.K*u^0.5, 0 end,
    energy = function(p, u) return 0.4*p.K*u^2.5 end,
}

-- Routh's path of a planar impact up to a normal impulse that `stop` tells, of v_n, p_n and the normal work.
local function routh(mu, W, v, restitution)
    local tt, tn, nn = W[1][1], W[1][2], W[2][2]
    local vt, vn, pt, pn, work, goal = v[1], v[2], 0, 0, 0, nil
    for _ = 1, 8 do
        local ratio
        if vt ~= 0 then
            ratio = vt > 0 and -mu or mu
        else
            ratio = -tn/tt
            if math.abs(ratio) > mu then ratio = tn > 0 and -mu or mu end
        end
        local st, sn = tn + tt*ratio, nn + tn*ratio
        local to_rest = (vt ~= 0 and st ~= 0 and -vt/st > 0) and -vt/st or math.huge
        local to_turn = vn < 0 and -vn/sn or math.huge
        local to_end = math.huge
        if vn >= 0 then
            goal = goal or restitution(pn, work)
            to_end = goal.impulse and goal.impulse - pn or goal.velocity and (goal.velocity - vn)/sn
                or ((vn^2 + 2*sn*(goal.work - work))^0.5 - vn)/sn
        end
        local step = math.min(to_rest, to_turn, to_end)
        local before = vn
        pn, pt = pn + step, pt + ratio*step
        vn, vt = step == to_turn and 0 or vn + sn*step, step == to_rest and 0 or vt + st*step
        work = work + (before + vn)/2*step
        if step == to_end then return pt, pn end
    end
end
local function rigid(name, goal)
    return pc.contact.define{
        name = name, may_gain = true, parameters = { { "restitution", symbol = "e", least = 0, most = 1 } },
        impulse = function(p, W, v)
            return routh(p.mu, W, v, function(pn, work) return goal(p.e, pn, work, v[2]) end)
        end,
    }
end
-- what it remembers is the indentation itself, so it is hunt_crossley
local remembering = pc.contact.define{
    name = "spec_remembering", parameters = { { "k", unit = "N/m^1.5" }, { "zeta", unit = "s/m" } },
    states = { "x" }, rates = function(_, _, w) return w end,
    force = function(p, _, w, x) return p.k*math.abs(x)^1.5*(1 + p.zeta*w) end,
    energy = function(p, _, x) return 0.4*p.k*math.abs(x)^2.5 end,
}
-- springs k1 and k2, each with a dashpot in series, beside a spring k0
local maxwell = pc.contact.define{
    name = "spec_maxwell",
    parameters = {
        { "k0", unit = "N/m", least = 0, default = 0 }, { "k1", unit = "N/m", least = 0 },
        { "tau1", unit = "s", above = 0 }, { "k2", unit = "N/m", least = 0, default = 0 },
        { "tau2", unit = "s", above = 0, default = 1 },
    },
    states = { "F1", "F2" },
    rates = function(p, _, w, F1, F2) return p.k1*w - F1/p.tau1, p.k2*w - F2/p.tau2 end,
    force = function(p, u, _, F1, F2) return p.k0*u + F1 + F2 end,
    energy = function(p, u, F1, F2)
        return p.k0*u^2/2 + (p.k1 > 0 and F1^2/(2*p.k1) or 0) + (p.k2 > 0 and F2^2/(2*p.k2) or 0)
    end,
}
local newton = rigid("spec_newton", function(e, _, _, vn) return { velocity = -e*vn } end)
local poisson = rigid("spec_poisson", function(e, pn) return { impulse = (1 + e)*pn } end)
local stronge = rigid("spec_stronge", function(e, _, work) return { work = work - e*e*work } end)

local PAIRS = {
    { "hunt_crossley", hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3 },
        pc.contact.hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3 } },
    { "hunt_crossley with a spring", hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3, tangential = "spring", kt = 1e5 },
        pc.contact.hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3, tangential = "spring", kt = 1e5 } },
    { "hunt_crossley with mindlin", hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3, tangential = "mindlin", eta = 1.2 },
        pc.contact.hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3, tangential = "mindlin", eta = 1.2 } },
    { "kelvin_voigt", kelvin_voigt{ k = 1e5, c = 20, mu = 0.3 },
        pc.contact.kelvin_voigt{ k = 1e5, c = 20, mu = 0.3 } },
    { "hertz", hertz{ K = 1e7, mu = 0.3 }, pc.contact.hunt_crossley{ k = 1e7, zeta = 0, mu = 0.3 } },
    { "a law that remembers", remembering{ k = 1e7, zeta = 0.2, mu = 0.3 },
        pc.contact.hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3 } },
    { "newton", newton{ e = 0.6, mu = 0.3 }, pc.contact.newton{ e = 0.6, mu = 0.3 } },
    { "poisson", poisson{ e = 0.6, mu = 0.3 }, pc.contact.poisson{ restitution = 0.6, mu = 0.3 } },
    { "stronge", stronge{ e = 0.6, mu = 0.3 }, pc.contact.stronge{ restitution = 0.6, mu = 0.3 } },
}

local ball = pc.body.sphere{ radius = 0.05, mass = 0.1 }
local rod = pc.body.rod{ length = 0.4, mass = 0.2, angle = 0.9 }

describe("a law given as a function equals the law in C", function()
    for _, pair in ipairs(PAIRS) do
        local name, mine, built_in = table.unpack(pair)

        it("in collide: " .. name, function()
            for i = 0, 11 do
                local motion = { vt = 2*math.sin(3*i + 1), vn = -0.3 - 0.2*i }
                for _, body in ipairs{ ball, rod } do
                    local a, b = pc.collide(body, mine, motion), pc.collide(body, built_in, motion)
                    local speed = math.abs(motion.vt) + math.abs(motion.vn)
                    near(a.velocity.t + 10*speed, b.velocity.t + 10*speed, 1e-10)
                    near(a.velocity.n, b.velocity.n, 1e-9)
                    near(a.impulse.n, b.impulse.n, 1e-9)
                    if built_in.abilities.compliant then
                        near(1 + a.work.friction/b.energy.before, 1 + b.work.friction/b.energy.before, 1e-9)
                        near(a.duration, b.duration, 1e-9)
                        near(a.peak.n, b.peak.n, 1e-9)
                        near(a.peak.n_time, b.peak.n_time, 1e-8)
                        assert.equal(b.regime, a.regime)
                        near(a:at(0.4*b.duration).F_n, b:at(0.4*b.duration).F_n, 1e-8)
                    end
                end
            end
        end)

        it("in simulate: " .. name, function()
            local inertia = 0.4*0.1*0.05^2
            for _, configuration in ipairs{ "frozen", built_in.abilities.compliant and "moving" or nil } do
                local runs = {}
                for i, law in ipairs{ mine, built_in } do
                    local disc = pc.free{
                        shape = "disc", radius = 0.05, mass = 0.1, inertia = inertia, y = 0.06, vx = 0.7, vy = -1,
                    }
                    local world = pc.scene{ disc, pc.floor{ height = 0 }, contact = law, configuration = configuration }
                    runs[i] = pc.simulate(world, { duration = 0.3 })
                end
                assert.equal(#runs[2].impacts, #runs[1].impacts)
                local a, b = runs[1]:at(0.3), runs[2]:at(0.3)
                -- moving contacts are followed to the tolerance of the run, 1e-9
                local bound = configuration == "moving" and 1e-7 or 1e-9
                for k = 1, 3 do near(100 + a.u[k], 100 + b.u[k], bound) end
            end
        end)

        it("in map and sweep: " .. name, function()
            local grid = { vt = pc.linspace(-2, 2, 9), vn = -1 }
            local a, b = pc.map(ball, mine, grid), pc.map(ball, built_in, grid)
            for i = 1, 9 do
                near(10 + a.vt[i], 10 + b.vt[i], 1e-10)
                near(a.vn[i], b.vn[i], 1e-9)
            end
            local function swept(law)
                return pc.sweep{
                    over = { { "vt", { -1, 0.2, 3 }, unit = "m/s" } }, columns = { "vt_after" }, jobs = 2,
                    run = function(p)
                        return { vt_after = pc.collide(ball, law, { vt = p.vt, vn = -1 }).velocity.t }
                    end,
                }
            end
            local s, t = swept(mine), swept(built_in)
            for i = 1, 3 do near(10 + s.vt_after[i], 10 + t.vt_after[i], 1e-10) end
        end)
    end
end)

describe("values of a law given as a function", function()
    local function check(id, law)
        for _, row in ipairs(cases[id].outputs.rows) do
            local W = row.mobility
            local body = pc.body.matrix{ W = { { W.tt, W.tn }, { W.tn, W.nn } } }
            local hit = pc.collide(body, law:with{ friction = tonumber(row.friction) },
                { vt = tonumber(row.vt0), vn = tonumber(row.vn0) })
            near(10 + hit.velocity.t, 10 + row.vt, 1e-12)
            near(hit.velocity.n, row.vn, 1e-11)
            near(hit.impulse.t, row.impulse_t, 1e-10)
            near(hit.duration, row.duration, 1e-11)
            for i, phase in ipairs(row.phases) do
                -- one case ends with a stick of 2e-10 s, which is within the errors of the end of slip
                if phase.stop < (1 - 1e-6)*row.duration then near(hit.phases[i].stop, phase.stop, 1e-9) end
            end
        end
    end
    it("hertz", function() check("user-law-hertz", hertz{ K = 1e8, mu = 0 }) end)
    it("kelvin-voigt", function() check("user-law-kelvin-voigt", kelvin_voigt{ k = 1e6, c = 60, mu = 0 }) end)
end)

describe("a law that remembers", function()
    local m = 0.1
    local function hit_of(options, motion) return pc.collide(ball, maxwell(options), motion or { vn = -1 }) end

    it("is a spring and a dashpot in series in closed form", function()
        -- F' = k w - F/tau: F = k v/W exp(-t/(2 tau)) sin(W t), W^2 = k/m - 1/(4 tau^2); over where sin is 0 again
        for _, tau in ipairs{ 4e-4, 1e-3, 1 } do
            local k = 2e5
            local W = math.sqrt(k/m - 1/(4*tau^2))
            local hit = hit_of{ k1 = k, tau1 = tau, mu = 0 }
            near(hit.duration, math.pi/W, 1e-11)
            near(hit.restitution.kinematic, math.exp(-math.pi/(2*tau*W)), 0, 1e-12)
            local t = 0.3*hit.duration
            near(hit:at(t).F_n, k/W*math.exp(-t/(2*tau))*math.sin(W*t), 1e-10)
            -- and u = v t - the integral of F/m twice, or from F' = k u' - F/tau
            local p = m*(1 - math.exp(-t/(2*tau))*(math.cos(W*t) + math.sin(W*t)/(2*tau*W)))
            near(hit:at(t).p_n, m*(1 + hit:at(t).v_n), 1e-10)
            near(hit:at(t).u_n, (hit:at(t).F_n + hit:at(t).p_n/tau)/k, 1e-10)
            assert.is_true(p > 0)
        end
    end)

    it("with three springs and two dashpots is what a method of its own finds", function()
        local o = { k0 = 5e4, k1 = 1e5, tau1 = 2e-3, k2 = 1e5, tau2 = 2e-4, mu = 0 }
        local function rates(y)
            return { y[2], -(o.k0*y[1] + y[3] + y[4])/m, o.k1*y[2] - y[3]/o.tau1, o.k2*y[2] - y[4]/o.tau2 }
        end
        local function along(y, k, h)
            local out = {}
            for i = 1, 4 do out[i] = y[i] + h*k[i] end
            return out
        end
        local hit = hit_of(o)
        local y, n = { 0, 1, 0, 0 }, 2000
        local h = hit.duration/n
        for _ = 1, n do -- to where the contact ended, by the method of Runge and Kutta
            local a = rates(y)
            local b = rates(along(y, a, h/2))
            local c = rates(along(y, b, h/2))
            local d = rates(along(y, c, h))
            for i = 1, 4 do y[i] = y[i] + h/6*(a[i] + 2*b[i] + 2*c[i] + d[i]) end
        end
        near(hit.velocity.n, -y[2], 1e-11)
        near(0, o.k0*y[1] + y[3] + y[4], 0, 1e-8*hit.peak.n) -- h^4 over the stiffest of its times
        near(hit:at(hit.duration).u_n, y[1], 1e-10)
    end)

    it("becomes a spring and a dashpot where it forgets at once, however stiff", function()
        for _, configuration in ipairs{ "frozen", "moving" } do
            for _, tau in ipairs{ 1e-6, 1e-8 } do
                local given = { k0 = 1e5, k1 = 50/tau, tau1 = tau, mu = 0.3 }
                local disc = pc.free{ shape = "disc", radius = 0.05, mass = m, inertia = 0.4*m*0.05^2, y = 0.06,
                    vx = 0.5, vy = -1 }
                local after = {}
                for i, law in ipairs{ maxwell(given), pc.contact.kelvin_voigt{ k = 1e5, c = 50, mu = 0.3 } } do
                    local run = pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = law, gravity = 0,
                        configuration = configuration }, { duration = 0.05 })
                    after[i] = run:at(0.05)
                end
                near(after[1].vy, after[2].vy, 1e3*tau) -- times the rate of the contact
                near(after[1].vx, after[2].vx, 1e3*tau)
            end
        end
    end)

    it("keeps what laws keep, on any body and at any speed", function()
        local law = maxwell{ k0 = 5e4, k1 = 1e5, tau1 = 2e-3, k2 = 1e5, tau2 = 2e-4, mu = 0.3 }
        for _, tangential in ipairs{ "rigid", "spring" } do
            local one = law:with{ tangential = tangential, kt = tangential == "spring" and 1e5 or nil }
            local rows = pc.contact.check(one, { quiet = true, mass = m, samples = 20 })
            assert.is_nil(rows.error, rows.error and rows.error.message)
            for _, row in ipairs(rows) do assert.is_true(row.ok, ("%s: %s"):format(row.name, row.counterexample)) end
        end
    end)

    it("closes the ledger of a motion, is forgotten between contacts, and goes on from a file in the middle", function()
        local law = maxwell{ k0 = 1e4, k1 = 1e5, tau1 = 2e-3, mu = 0.3 }
        local disc = pc.free{ shape = "disc", radius = 0.05, mass = m, y = 0.06, vx = 0.7, vy = -1, rate = 3 }
        local world = pc.scene{
            disc, pc.floor{ height = 0 }, pc.wall{ x = 0.2, side = "left" }, contact = law, configuration = "moving",
        }
        local run = pc.simulate(world, { duration = 1 })
        assert.is_true(#run.impacts > 4)
        local function balance(t)
            local s = run:at(t)
            return s.energy + s.friction + s.dissipated + s.lost
        end
        for i = 1, 20 do near(balance(i/20), balance(0), 1e-8) end
        local first = run.impacts[1]
        local motion = { vt = first.velocity_before.t, vn = first.velocity_before.n }
        local alone = pc.collide(ball, law, motion)
        near(first.duration, alone.duration, 1e-2) -- weight acts in the motion
        local inside = first.time + 0.4*first.duration
        local part = pc.simulate(world, { duration = inside })
        local path = scratch "memory.run"
        assert(part:save(path))
        local again = pc.load_run(path)
        part:continue(0.3)
        again:continue(0.3)
        for k = 1, 3 do assert.equal(part:at(inside + 0.3).u[k], again:at(inside + 0.3).u[k]) end
        near(part:at(inside + 0.3).vy, run:at(inside + 0.3).vy, 1e-6)
        near(part:at(inside).F_n1, run:at(inside).F_n1, 1e-7)
    end)

    it("acts at several contacts", function()
        local law = maxwell{ k0 = 1e4, k1 = 1e5, tau1 = 2e-3, mu = 0 }
        local function row(contact)
            local balls = { contact = contact, configuration = "moving", gravity = 0 }
            for i = 1, 3 do
                balls[i] = pc.free{ shape = "disc", radius = 0.05, mass = m, x = 0.1*(i - 1) + (i > 1 and 1e-3 or 0),
                    y = 0, vx = i == 1 and 1 or 0, name = "ball" .. i }
            end
            return pc.simulate(pc.scene(balls), { duration = 0.02 })
        end
        local run = row(law)
        local sum, last = 0, run:at(0.02)
        for i = 1, 3 do sum = sum + last.u[3*i - 2] end
        near(sum, 1, 1e-12)
        assert.is_true(last.u[7] > last.u[4] and last.u[4] >= last.u[1])
        assert.is_true(last.kinetic < 0.9*run:at(0).kinetic)
    end)

    it("is refused where it does not say all, and where rates are no numbers", function()
        local function none() return 0 end
        local function refused(options, pattern)
            options.name = "spec_refused"
            local ok, why = pcall(pc.contact.define, options)
            assert.is_false(ok)
            assert.truthy(tostring(why):find(pattern, 1, true), tostring(why))
        end
        refused({ force = none, states = { "x" } }, "states and rates are given together")
        refused({ force = none, rates = none }, "states and rates are given together")
        refused({ force = none, rates = none, states = { x = 1 } }, "states is a list of names")
        refused({ force = none, rates = none, states = { "a", "b", "c", "d", "e" } }, "5 states; at most 4")
        refused({ impulse = none, rates = none, states = { "x" } }, "not for rigid laws")
        local ok, why = pcall(maxwell, { k1 = 1, tau1 = 1, mu = 0, tangential = "mindlin", eta = 1 })
        assert.is_false(ok)
        assert.truthy(tostring(why):find("a law with memory does not tell", 1, true))
        for _, case in ipairs{
            { function() return "much" end, "rates must return 1 finite number, but number 1 is string" },
            { function() return 0/0 end, "number 1 is not a number, at u" },
            { function() error "inside" end, "inside" },
        } do
            local law = pc.contact.define{
                name = "spec_wrong", states = { "x" }, rates = case[1], force = function(_, u) return 1e5*u end,
            }{ mu = 0 }
            for _, use in ipairs{
                function() pc.collide(ball, law, { vn = -1 }) end,
                function()
                    local disc = pc.free{ shape = "disc", radius = 0.05, mass = m, y = 0.06, vy = -1 }
                    pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = law, configuration = "moving" },
                        { duration = 0.1 })
                end,
            } do
                local good, text = pcall(use)
                assert.is_false(good)
                assert.truthy(tostring(text):find(case[2], 1, true), tostring(text))
            end
        end
    end)
end)

-- Ten laws, each with a range for its parameters.
local TEN = {
    { force = function(p, u) return p.a*u end, 1e4, 1e6 },
    { force = function(p, u) return p.a*u + p.a*100*u^2 end, 1e4, 1e6 },
    { force = function(p, u, w) return p.a*u^1.25*(1 + 0.1*w) end, 1e4, 1e6 },
    { force = function(p, u, w) return p.a*u*(1 + 0.3*math.atan(w)) end, 1e4, 1e6 },
    { force = function(p, u) return p.a*u/(1 + 20*u) end, 1e4, 1e6 },
    { force = function(p, u, w) return p.a*u^1.5 + 30*u^0.5*w end, 1e6, 1e8 },
    { force = function(p, u) return p.a*math.max(u - 1e-5, 0) + 1e3*u end, 1e4, 1e6 },
    { impulse = function(p, W, v) return 0, -(1 + p.a)*v[2]/W[2][2] end, 0, 1 },
    { impulse = function(p, W, v)
        return 0, -(1 + p.a/(1 + math.abs(v[2])))*v[2]/W[2][2]
    end, 0, 1 },
    { impulse = function(p, W, v)
        return routh(p.mu, W, v, function(pn) return { impulse = (1 + p.a)*pn } end)
    end, 0, 1 },
}

describe("a law in Lua", function()
    for i, law in ipairs(TEN) do
        it("keeps what laws keep: " .. i, function()
            local make = pc.contact.define{
                name = "spec_ten_" .. i, force = law.force, impulse = law.impulse,
                parameters = { { "a", from = law[1], to = law[2] } },
            }
            for _, seed in ipairs{ 3, 17 } do
                local x = seed/20
                local rows = pc.contact.check(make{ a = law[1] + x*(law[2] - law[1]), mu = 0.3 }, {
                    samples = 12, seed = seed, quiet = true, mass = 0.1, speeds = { 0.1, 3 },
                })
                assert.is_nil(rows.error, rows.error and rows.error.message)
                for _, row in ipairs(rows) do
                    -- these functions hold numbers with units that nobody told; of an impulse alone the works are
                    -- those of a straight way to it
                    local excused = row.name == "units" or law.impulse and row.name == "friction"
                    assert.is_true(row.ok or excused, ("%s: %s"):format(row.name, row.counterexample))
                end
            end
        end)
    end

    it("is asked once for each right-hand side of a motion, and for slopes at the ends of steps alone", function()
        local calls = 0
        local law = pc.contact.define{
            name = "spec_counted", parameters = { { "k", unit = "N/m^1.5" }, { "zeta", unit = "s/m" } },
            force = function(p, u, w)
                calls = calls + 1
                return p.k*u^1.5*(1 + p.zeta*w)
            end,
        }{ k = 1e7, zeta = 0.2, mu = 0.3 }
        local disc = pc.free{ shape = "disc", radius = 0.05, mass = 0.1, y = 0.06, vx = 0.7, vy = -1 }
        local run = pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = law, configuration = "moving" },
            { duration = 0.5 })
        -- nodes between the ends of steps ask thrice, and so do guards: 2.9 in all; slopes everywhere would make it 8
        assert.is_true(calls < 4*run.statistics.rhs_calls, calls/run.statistics.rhs_calls)
    end)

    it("is known to help, completion and ranges", function()
        local text = require("percuss.help").text("contact.spec_hunt_crossley")
        assert.truthy(text:find("Power law with damping", 1, true))
        assert.truthy(text:find("N/m^1.5", 1, true))
        local ok, why = pcall(pc.contact.spec_hunt_crossley, { k = -1, mu = 0 })
        assert.is_false(ok)
        assert.truthy(why:find("k%) = %-1 N/m%^1.5"), why)
    end)

    it("says its equations, with or without words", function()
        pc.contact.define{ name = "spec_equations", equations = "F_n = k u: in both directions\nk = 2 q",
            parameters = { { "k" } }, force = function(p, u) return p.k*u end }
        local text = require("percuss.help").text("contact.spec_equations")
        assert.truthy(text:find("\n  F_n = k u  in both directions\n  k = 2 q\n", 1, true), text)
        assert.truthy(text:find("\n  u    m  indentation\n", 1, true), text)
    end)

    it("may be defined again, and laws made before stay as they were", function()
        local function defined(k)
            return pc.contact.define{ name = "spec_again", force = function(_, u) return k*u end }{ mu = 0 }
        end
        local first = defined(1e4)
        local before = pc.collide(ball, first, { vn = -1 }).duration
        local second = defined(4e4)
        near(pc.collide(ball, second, { vn = -1 }).duration, before/2, 1e-10)
        assert.equal(before, pc.collide(ball, first, { vn = -1 }).duration)
        local n = 0
        for _, entry in ipairs(pc.register()) do if entry.path == "contact.spec_again" then n = n + 1 end end
        assert.equal(1, n)
        assert.not_equal(first.identity, second.identity)
    end)

    it("takes a spring of its own where the definition wants one", function()
        local law = pc.contact.define{
            name = "spec_spring", tangential = "spring", parameters = { { "k" } },
            force = function(p, u) return p.k*u end,
        }
        local given = { k = 1e5, mu = 0.3, tangential = "spring", kt = 14/17*1e5 }
        local motion = { vt = 0.6, vn = -1 }
        local a, b = pc.collide(ball, law{ k = 1e5, mu = 0.3 }, motion), pc.collide(ball, law(given), motion)
        near(a.velocity.t, b.velocity.t, 1e-12)
    end)

    it("pulls where it is told so", function()
        local function sticky(tension)
            return pc.contact.define{
                name = "spec_sticky", tension = tension, force = function(_, u) return 1e5*u - 20 end,
            }{ mu = 0 }
        end
        local hit = pc.collide(ball, sticky(true), { vn = -1 })
        near(hit.restitution.kinematic, 1, 1e-11)
        assert.is_true(hit:at(1e-3*hit.duration).F_n < -19)
        local ok, why = pcall(pc.collide, ball, sticky(false), { vn = -1 })
        assert.is_false(ok)
        assert.truthy(tostring(why):find("pulls", 1, true))
    end)

    -- Newton's restitution, and along the surface what a sphere's contact point needs to stop, or friction's bound
    local function in_space(p, W, v)
        local det = W[1][1]*W[3][3] - W[1][3]^2
        local pn = -(1 + p.e)*v[2]/W[2][2]
        local pt, pt2 = -(v[1]*W[3][3] - v[3]*W[1][3])/det, -(v[3]*W[1][1] - v[1]*W[1][3])/det
        local share = math.min(1, p.mu*pn/math.sqrt(pt^2 + pt2^2))
        return pt*share, pn, pt2*share
    end
    it("strikes in space as newton does: a sphere, and any body without friction", function()
        local make = pc.contact.define{
            name = "spec_space", parameters = { { "restitution", symbol = "e", least = 0, most = 1 } },
            impulse = in_space,
        }
        local sphere = pc.body.sphere{ radius = 0.02, mass = 0.1, spatial = true }
        local cylinder = pc.body.cylinder{ radius = 0.02, height = 0.06, mass = 0.2, angle = 0.4, spatial = true }
        for i = 1, 12 do
            local motion = { vt = math.sin(5*i), vt2 = math.cos(3*i), vn = -0.2*i }
            for body, mu in pairs{ [sphere] = 0.1*i, [cylinder] = 0 } do
                local given = { restitution = 0.6, friction = mu }
                local a, b = pc.collide(body, make(given), motion), pc.collide(body, pc.contact.newton(given), motion)
                for _, axis in ipairs{ "t", "n", "t2" } do
                    near(a.velocity[axis], b.velocity[axis], 0, 1e-14)
                    near(a.impulse[axis], b.impulse[axis], 0, 1e-15)
                end
                near(a.loss, b.loss, 1e-12, 1e-15)
                near(a.work.friction, b.work.friction, 1e-12, 1e-15)
            end
        end
    end)
    it("strikes any body in space by v' = v + W p, and in the plane with two components", function()
        local cylinder = pc.body.cylinder{ radius = 0.02, height = 0.06, mass = 0.2, angle = 0.4, spatial = true }
        local seen
        local law = pc.contact.define{
            name = "spec_any_body", friction = false,
            impulse = function(_, W, v)
                seen = { #W, #W[1], #v }
                local pn = -1.2*v[2]/W[2][2]
                return -0.01*v[1], pn, v[3] and -0.01*v[3]
            end,
        }{}
        local hit = pc.collide(cylinder, law, { vt = 0.3, vt2 = 0.5, vn = -1 })
        assert.same({ 3, 3, 3 }, seen)
        local W, p, v = cylinder, hit.impulse, { 0.3, -1, 0.5 }
        near(p.t2, -0.005, 1e-15)
        near(hit.velocity.t, v[1] + W.w_tt*p.t + W.w_tn*p.n + W.w_tt2*p.t2, 1e-14)
        near(hit.velocity.n, v[2] + W.w_tn*p.t + W.w_nn*p.n + W.w_t2n*p.t2, 1e-14)
        near(hit.velocity.t2, v[3] + W.w_tt2*p.t + W.w_t2n*p.n + W.w_t2t2*p.t2, 1e-14)
        -- works of the impulse: p.(v + v')/2, axis by axis
        near(hit.work.friction, p.t*(v[1] + hit.velocity.t)/2 + p.t2*(v[3] + hit.velocity.t2)/2, 1e-12)
        near(hit.work.normal, p.n*(v[2] + hit.velocity.n)/2, 1e-12)
        pc.collide(ball, law, { vt = 0.3, vn = -1 })
        assert.same({ 2, 2, 2 }, seen)
    end)
    it("of an impulse that leaves the plane wants all of it, within the cone", function()
        local sphere = pc.body.sphere{ radius = 0.02, mass = 0.1, spatial = true }
        local function fails(impulse, pattern)
            local law = pc.contact.define{ name = "spec_space_wrong", impulse = impulse }{ mu = 0.3 }
            local ok, why = pcall(pc.collide, sphere, law, { vt = 0.3, vt2 = 0.1, vn = -1 })
            assert.is_false(ok)
            assert.truthy(tostring(why):find(pattern, 1, true), tostring(why))
        end
        fails(function() return 0, 0.1 end, "leaves the plane, but the third is nil; v = { 0.3, -1, 0.1 } m/s")
        fails(function() return 0.03, 0.15, 0.04 end, "p_t2 = 0.04 N s for v = { 0.3, -1, 0.1 } m/s: |p_t| is beyond")
        fails(function() return 0, 1, 0 end, "the energy grows")
    end)

    it("survives a file with its functions, and not with others", function()
        local function law(e)
            return pc.contact.define{
                name = "spec_saved", parameters = { { "k" } }, force = function(p, u, w) return p.k*u*(1 + e*w) end,
            }
        end
        local disc = pc.free{ shape = "disc", radius = 0.05, mass = 0.1, y = 0.06, vx = 0.7, vy = -1 }
        local world = pc.scene{ disc, pc.floor{ height = 0 }, contact = law(0.1){ k = 1e5, mu = 0.3 } }
        local path = scratch "law.run"
        assert(pc.simulate(world, { duration = 0.2 }):save(path))
        assert.equal("spec_saved", pc.load_run(path).impacts[1].law.name)
        law(0.2)
        local ok, why = pcall(pc.load_run, path)
        assert.is_false(ok)
        assert.truthy(tostring(why):find("other functions", 1, true), tostring(why))
    end)

    it("may collect and throw in its function", function()
        local made = 0
        local law = pc.contact.define{
            name = "spec_collects", force = function(_, u)
                made = made + 1
                if made % 50 == 0 then collectgarbage() end
                return 1e5*u
            end,
        }{ mu = 0.2 }
        near(pc.collide(ball, law, { vt = 1, vn = -1 }).restitution.kinematic, 1, 1e-10)
    end)
end)

-- Impacts of functions that are c u^p + d u^q w follow by power series, like those of the laws in C, once the function
-- has said at each step that it is one.
describe("a law in Lua that is a power law", function()
    local calls
    local serial = 0
    local function law(force, options)
        serial = serial + 1
        options = options or {}
        local make = pc.contact.define{
            name = "spec_power_" .. serial, tension = options.tension,
            force = function(p, u, w)
                calls = calls + 1
                return force(u, w, p)
            end,
        }
        options.tension = nil
        options.mu = options.mu or 0.3
        return make(options)
    end
    local function count(f)
        calls = 0
        local result = f()
        return calls, result
    end
    local turned = pc.body.rod{ length = 0.4, mass = 0.2, angle = 0.9 }
    local MOTIONS = { { vt = 0, vn = -1 }, { vt = 0.4, vn = -1 }, { vt = -3, vn = -0.2 }, { vt = 2e-6, vn = -1e-6 } }

    -- stiffness of Hertz's law, and the viscoelastic one's dissipation, whose force is k u^1.5 + 1.5 k A u^0.5 w
    local k, A, radius = 1e7, 2e-4, 0.05
    local modulus = k/(4/3*radius^0.5)
    local function alike(word, force, built_in, options)
        return { word, law(force, options), built_in }
    end
    local PAIRS_OF_POWERS = {
        alike("of Tsuji", function(u, w) return k*u^1.5 + 0.4*(0.1*k)^0.5*u^0.25*w end,
            pc.contact.tsuji{ modulus = modulus, radius = radius, alpha = 0.4, mu = 0.3 }),
        alike("that is viscoelastic", function(u, w) return k*u^1.5 + 1.5*k*A*u^0.5*w end,
            pc.contact.viscoelastic{ modulus = modulus, radius = radius, dissipation = A, mu = 0.3 }),
        alike("of another power", function(u, w) return 1e6*u^(4/3)*(1 + 0.3*w) end,
            pc.contact.hunt_crossley{ stiffness = 1e6, exponent = 4/3, damping = 0.3, mu = 0.3 }),
        alike("that cuts its tension off", function(u, w) return math.max(0, 1e5*u + 20*w) end,
            pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 20, mu = 0.3 }),
        alike("that pulls", function(u, w) return 1e5*u + 20*w end,
            pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 20, tension = true, mu = 0.3 }, { tension = true }),
        alike("with a spring", function(u, w) return k*u^1.5*(1 + 0.2*w) end,
            pc.contact.hunt_crossley{ k = k, zeta = 0.2, mu = 0.1, tangential = "spring", kt = 1e5 },
            { mu = 0.1, tangential = "spring", kt = 1e5 }),
        alike("with Mindlin's spring", function(u) return k*u^1.5 end,
            pc.contact.hunt_crossley{ k = k, zeta = 0, mu = 0.1, tangential = "mindlin", eta = 1.2 },
            { mu = 0.1, tangential = "mindlin", eta = 1.2 }),
        alike("damped hardly at all", function(u, w) return 1e5*u + 1e-6*w end,
            pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 1e-6, mu = 0.3 }),
        alike("damped nearly all the way", function(u, w) return 1e5*u + 190*w end,
            pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 190, mu = 0.3 }),
    }
    for _, pair in ipairs(PAIRS_OF_POWERS) do
        it("is the one in C by series: " .. pair[1], function()
            -- Tsuji's damper is told for the mass of the ball
            for _, body in ipairs{ pair[1] == "of Tsuji" and ball or turned, ball } do
                for _, motion in ipairs(MOTIONS) do
                    local asked, a = count(function() return pc.collide(body, pair[2], motion) end)
                    local b = pc.collide(body, pair[3], motion)
                    assert.is_true(asked < 200, ("%d calls"):format(asked))
                    local speed = math.abs(motion.vt) + math.abs(motion.vn)
                    near(a.velocity.t/speed + 10, b.velocity.t/speed + 10, 1e-11)
                    near(a.velocity.n/speed + 10, b.velocity.n/speed + 10, 1e-11)
                    near(a.duration, b.duration, 1e-9)
                    near(a.peak.n, b.peak.n, 1e-10)
                    near(1 + a.work.friction/b.energy.before, 1 + b.work.friction/b.energy.before, 1e-10)
                    assert.equal(b.regime, a.regime)
                    near(a:at(0.4*b.duration).F_n, b:at(0.4*b.duration).F_n, 1e-9)
                end
            end
        end)
    end

    -- What integration by another hand finds: m u'' = -F until F or u is 0.
    local function by_ode(force, mass, speed)
        local motion = pc.ode.solve{
            rhs = function(_, u, w) return w, -force(math.abs(u), w)*(u < 0 and -1 or 1)/mass end, y = { 0, speed },
            t = 1, solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-16, max_step = 1e-4 }, record = false,
            events = { { function(_, u) return u end, terminal = true, direction = -1 } },
        }
        return -motion.y[2]/speed
    end

    it("is integrated from where it is none any more", function()
        -- each has the values of a power law wherever that is looked for, and another force elsewhere
        local depth = 1e-3
        local forces = {
            { "stiffer when deep", function(u) return 1e6*u^1.5 + 1e8*math.max(0, u - 0.8*depth)^2 end },
            { "stiffer by little", function(u) return 1e6*u^1.5*(1 + 1e-6*math.max(0, u/depth - 0.5)^2) end },
            { "damped otherwise on the way out", function(u, w)
                return 1e6*u^1.5*(1 + 0.1*w - (w < -0.6 and 0.05*(w + 0.6)^2 or 0))
            end },
        }
        for _, case in ipairs(forces) do
            local mine = law(case[2], { mu = 0 })
            local asked, hit = count(function() return pc.collide(ball, mine, { vn = -1 }) end)
            assert.is_true(asked > 300, ("%s: %d calls"):format(case[1], asked))
            near(hit.restitution.kinematic, by_ode(case[2], 0.1, 1), 1e-8)
        end
    end)

    it("does not take one that is a power law to ten digits for one", function()
        local function force(u, w) return 1e7*u^1.5*(1 + 0.2*w)*(1 + 1e-10*math.sin(1e5*u)) end
        local asked, hit = count(function() return pc.collide(ball, law(force), { vt = 0.4, vn = -1 }) end)
        assert.is_true(asked > 300, ("%d calls"):format(asked))
        near(hit.velocity.n, pc.collide(ball, pc.contact.hunt_crossley{ k = 1e7, zeta = 0.2, mu = 0.3 },
            { vt = 0.4, vn = -1 }).velocity.n, 1e-9)
    end)

    it("gives the same bits whatever was asked before, and where its values cannot be asked", function()
        local one = law(function(u, w, p) return 1e7*u^1.5*(1 + 0.2*w) + 0*p.mu end)
        local first = pc.collide(ball, one, { vt = 0.4, vn = -1 }).velocity.n
        for _, speed in ipairs{ 1e-3, 30 } do pc.collide(ball, one, { vn = -speed }) end
        pc.collide(ball, one:with{ mu = 0.1 }, { vn = -1 })
        assert.equal(first, pc.collide(ball, one, { vt = 0.4, vn = -1 }).velocity.n)
        -- neither a third of the greatest depth nor a rate that the impact has there may be asked
        local shy = law(function(u, w)
            if math.abs(u - 1.0e-4) < 1e-6 and w < 0 and w > -0.97 then error "not here" end
            return 1e7*u^1.5*(1 + 0.2*w)
        end)
        near(pc.collide(ball, shy, { vt = 0.4, vn = -1 }).velocity.n, first, 1e-9)
    end)

    it("tells what its function throws at any place of an impact", function()
        for _, depth in ipairs{ 1e-6, 1e-5, 1e-4 } do
            local wrong = law(function(u) if u > depth then error "too deep" end return 1e5*u end)
            local ok, why = pcall(pc.collide, ball, wrong, { vn = -1 })
            assert.is_false(ok)
            assert.truthy(tostring(why):find("too deep", 1, true), tostring(why))
        end
    end)
end)

describe("an error of a law in Lua", function()
    local function law(force)
        return pc.contact.define{ name = "spec_wrong", force = force }{ mu = 0.1 }
    end
    local disc = pc.free{ shape = "disc", radius = 0.05, mass = 0.1, y = 0.06, vx = 0.7, vy = -1 }
    local function everywhere(force, pattern)
        local wrong = law(force)
        local uses = {
            function() pc.collide(ball, wrong, { vn = -1 }) end,
            function() pc.collide(rod, wrong, { vn = -1 }, { configuration = "moving" }) end,
            function() pc.map(ball, wrong, { vt = pc.linspace(0, 1, 2), vn = -1 }) end,
            function() pc.restitution(wrong, ball, 1) end,
            function() pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = wrong }, { duration = 0.1 }) end,
            function()
                pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = wrong, configuration = "moving" },
                    { duration = 0.1 })
            end,
        }
        for i, use in ipairs(uses) do
            local ok, why = pcall(use)
            assert.is_false(ok, "use " .. i)
            assert.truthy(tostring(why):find(pattern), i .. ": " .. tostring(why))
            if i >= 5 then assert.equal("run", pc.type(why.partial), i .. ": " .. tostring(why)) end
        end
        -- once
        assert.equal("gross stick", pc.collide(ball, hertz{ K = 1e7, mu = 0.1 }, { vn = -1 }).regime)
    end
    it("that it throws comes out once, at its line", function()
        everywhere(function(_, u) if u > 1e-5 then error "boom" end return 1e5*u end, "scripted_law_spec.lua:%d+: boom")
    end)
    it("of a value that is no number names law and state", function()
        everywhere(function(_, u) return u > 1e-5 and 0/0 or 1e5*u end,
            "contact.spec_wrong: force returned not a number at u = [%d.e-]+ m, w = [%d.e-]+ m/s")
        everywhere(function() return "much" end, "contact.spec_wrong: force must return a number")
    end)
    it("of a yield is told", function()
        everywhere(function() coroutine.yield() end, "force must not yield")
    end)
    it("keeps what a table carries", function()
        local wrong = law(function() error{ code = 7 } end)
        local ok, why = pcall(pc.collide, ball, wrong, { vn = -1 })
        assert.is_false(ok)
        assert.equal(7, why.code)
    end)
    it("of a gain shows the state", function()
        local ok, why = pcall(pc.collide, ball, law(function(_, u, w) return 1e5*u*(1 - 0.1*w) end), { vn = -1 })
        assert.is_false(ok)
        assert.truthy(tostring(why):find "gave [%d.e-]+ J to an impact of", tostring(why))
    end)

    local function refused(options, pattern)
        options.name = options.name or "spec_refused"
        local ok, why = pcall(pc.contact.define, options)
        assert.is_false(ok)
        assert.truthy(tostring(why):find(pattern, 1, true), tostring(why))
    end
    local function none() return 0 end
    it("in its definition says what is allowed", function()
        refused({ name = "newton", force = none }, "contact.newton exists already")
        refused({ name = "two words", force = none }, "name must be a word")
        refused({}, "give either force")
        refused({ force = none, impulse = none }, "give either force")
        refused({ forze = none }, "did you mean 'force'?")
        refused({ force = none, tangential = "sprung" }, 'did you mean "spring"?')
        refused({ impulse = none, tension = true }, "tension is not for rigid laws")
        refused({ force = none, parameters = { { "k", abov = 0 } } }, "did you mean 'above'?")
        refused({ force = none, parameters = { { "k" }, { "m", symbol = "k" } } }, "two parameters are called 'k'")
        refused({ force = none, parameters = { { "k", unit = "N/mm" } } }, "'N/mm' is no unit of parameter k")
        refused({ force = none, parameters = { { "k", above = 2, below = 1 } } }, "nothing lies between")
        refused({ force = none, parameters = { { "k", above = 2, default = 1 } } }, "the default 1 is not allowed")
        refused({ force = none, equations = "F_n = = u: so" }, "equation 'F_n = = u' cannot be read")
        refused({ force = none, parameters = { { "mu" } } }, "friction or mu is a parameter that compliant laws")
        refused({ impulse = none, parameters = { { "friction" } } }, "friction or mu is a parameter that rigid laws")
    end)
    it("of an impulse shows what came", function()
        local function rigid_error(impulse, pattern)
            local wrong = pc.contact.define{ name = "spec_wrong", impulse = impulse }{ mu = 0.3 }
            local ok, why = pcall(pc.collide, ball, wrong, { vt = 0.3, vn = -1 })
            assert.is_false(ok)
            assert.truthy(tostring(why):find(pattern, 1, true), tostring(why))
        end
        rigid_error(function() return 0, -1 end, "the obstacle cannot pull")
        rigid_error(function() return 0, 0.05 end, "still approach afterwards")
        rigid_error(function() return 1, 0.2 end, "beyond friction times p_n")
        rigid_error(function() return 0, 10 end, "the energy grows")
        rigid_error(function() return 0 end, "the second is nil")
        rigid_error(function() return 0/0, 1 end, "the first is not a number")
        rigid_error(function() error "inside" end, "inside")
    end)
end)

describe("contact.check", function()
    local function broken(law)
        local out = {}
        for _, row in ipairs(pc.contact.check(law, { quiet = true, samples = 60, mass = 0.1 })) do
            if not row.ok then out[#out + 1] = row.name end
        end
        return table.concat(out, " ")
    end
    it("finds nothing in laws that keep everything", function()
        assert.equal("", broken(pc.contact.stronge{ restitution = 0.7, mu = 0.4 }))
        assert.equal("", broken(pc.contact.poisson{ restitution = 0.7, mu = 0.4 }))
        assert.equal("", broken(pc.contact.linear{ kn = 1e6, eta = 1.2, mu = 0.4 }))
        assert.equal("", broken(pc.contact.viscoelastic{ modulus = 1e7, radius = 0.05, dissipation = 1e-4, mu = 0.4 }))
    end)
    it("finds what is wrong", function()
        assert.truthy(broken(pc.contact.newton{ e = 0.9, mu = 0.5 }):find "energy")
        local calls = 0
        local forgetful = pc.contact.define{
            name = "spec_forgetful", impulse = function(_, W, v)
                calls = calls + 1
                return 0, -(1 + 0.5*(calls % 2))*v[2]/W[2][2]
            end,
        }{ mu = 0.1 }
        assert.truthy(broken(forgetful):find "again")
        local lopsided = pc.contact.define{
            name = "spec_lopsided", impulse = function(_, W, v) return 0, -(v[1] > 0 and 1.5 or 1.2)*v[2]/W[2][2] end,
        }{ mu = 0.1 }
        assert.truthy(broken(lopsided):find "mirror")
        assert.truthy(broken(lopsided):find "smooth")
        local hidden = pc.contact.define{
            name = "spec_hidden", impulse = function(_, W, v) return 0, -(1 + 1/(1 - v[2]))*v[2]/W[2][2] end,
        }{ mu = 0.1 }
        assert.equal("units", broken(hidden))
    end)
end)

describe("with", function()
    it("changes what it names, with its alternatives", function()
        local law = pc.contact.kelvin_voigt{ k = 1e6, restitution = 0.5, mu = 0.1 }
        assert.equal(pc.contact.kelvin_voigt{ k = 1e6, restitution = 0.5, mu = 0.2 }, law:with{ friction = 0.2 })
        assert.equal(pc.contact.kelvin_voigt{ k = 1e6, damping = 3, mu = 0.1 }, law:with{ damping = 3 })
        near(law:with{ k = 5 }.restitution, 0.5, 0)
        assert.is_false((pcall(law.with, law, { damping = 1, z = 0.2 })))
        local steel, alumina = pc.material.steel, pc.material.alumina
        assert.equal(pc.contact.coupled{ material = alumina, radius = 0.01, mu = 0.1 },
            pc.contact.coupled{ material = steel, radius = 0.01, mu = 0.1 }:with{ material = alumina })
        local small = pc.body.sphere{ radius = 5e-3, material = steel }
        near(small:with{ radius = 0.01 }.mass, 8*small.mass, 1e-15)
        assert.equal(0.005, small:with{ mass = 1 }.radius)
        assert.is_false((pcall(small.with, small, { radius = -1 })))
        assert.is_false((pcall(function() return pc.pair(small, small):with{ mass = 1 } end)))
    end)
end)
