-- The Hertz family from Lua: constructors, restitution, rows of bodies, tractions; the studies of Lai (1999) against
-- the checked values in tests/reference/lai1999.json; the benchmarks against published curves.
local pc = require "percuss"
local json = require "dkjson"
local curves = require "percuss.curves"
local lfs = require "lfs"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local reference = {}
do
    local file = assert(io.open "tests/reference/lai1999.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do reference[case.id] = case.outputs end
    file:close()
end

local studies = {}
local function study(path)
    studies[path] = studies[path] or assert(loadfile("scripts/" .. path .. ".lua"))("--quiet", "--no-figures")
    return studies[path]
end

local function computed(path, key)
    local row = study(path).by_name[key]
    return assert(row, path .. " has no row '" .. key .. "'").computed
end

local function agreement(path, key)
    return study(path).by_name[key].agreement
end

local function rows_of(name)
    return assert(curves.read("tests/reference/" .. name))
end

describe("laws of the Hertz family", function()
    it("take their constants from materials and bodies", function()
        local alumina = pc.material.alumina
        local ball = pc.body.sphere{ radius = 5e-3, material = alumina }
        local by_hand = pc.contact.coupled{ young = alumina.young, poisson = alumina.poisson, radius = 5e-3, mu = 0.3 }
        assert.equal(by_hand, pc.contact.coupled{ body = ball, friction = 0.3 })
        assert.equal(by_hand, pc.contact.coupled{ material = alumina, radius = 5e-3, friction = 0.3 })
        local both = pc.contact.coupled{ material = alumina, counter_material = alumina, radius = 5e-3, friction = 0.3 }
        near(both.modulus, by_hand.modulus / 2, 1e-15)
        local options = { body = ball, friction = 0.3 }
        pc.contact.coupled(options)
        assert.equal(ball, options.body) -- the caller's table stays as it was
        near(pc.contact.coupled{ body = ball, radius = 0.2, friction = 0 }.radius, 0.2, 0)
    end)

    it("refuse what contradicts", function()
        local function refused(law, options, text)
            local ok, message = pcall(pc.contact[law], options)
            assert.is_false(ok)
            assert.truthy(tostring(message):find(text, 1, true), tostring(message))
        end
        refused("coupled", { young = 1e9, radius = 1, friction = 0 }, "poisson")
        refused("coupled", { young = 1e9, modulus = 1e9, poisson = 0.3, radius = 1, friction = 0 }, "modulus")
        refused("coupled", { modulus = 1, nu = 0.3, radius = 1, counter_radius = -0.5, friction = 0 }, "does not fit")
        refused("coupled", { modulus = 1, nu = 0.3, radius = 1, friction = 0, counter_young = 1 }, "counter_poisson")
        refused("hunt_crossley", { stiffness = 1, restitution = 1.1, friction = 0 }, "restitution")
        refused("hunt_crossley", { stiffness = 1, restitution = -0.1, friction = 0 }, "restitution")
        refused("coupled", { modulus = 1, nu = 0.3, radius = 1, friction = 0, restitution = 0.5 }, "restitution")
        refused("walton_braun", { k1 = 2, k2 = 1, friction = 0 }, "must not be below")
        refused("maw", { modulus = 1, nu = 0.3, radius = 1, friction = 0, rings = 1 }, "at least 2")
    end)

    it("map over arrays of parameters as they do one by one", function()
        local ball = pc.body.lai{ mass = 1, lambda = 5 / 9, theta = 0 }
        local radii = pc.array{ 0.5, 1, 3 }
        local law = pc.contact.coupled{ modulus = 1, poisson = 0.3, radius = 1, friction = 0.5 }
        local map = pc.map(ball, law, { vt = 0.5, vn = -1, radius = radii })
        for i = 1, 3 do
            local one = pc.contact.coupled{ modulus = 1, poisson = 0.3, radius = radii[i], friction = 0.5 }
            near(map.duration[i], pc.collide(ball, one, { vt = 0.5, vn = -1 }).duration, 1e-14)
        end
    end)
end)

describe("laws with losses and no friction", function()
    local body = pc.body.matrix{ W = { { 2, 0.7 }, { 0.7, 1 } } }
    local elements = {
        { tangential = "rigid" },
        { tangential = "spring", tangential_stiffness = 1e6 },
        { tangential = "mindlin", stiffness_ratio = 1.2 },
    }
    local laws = {
        hunt_crossley = { stiffness = 1e9, damping = 0.3 },
        lankarani_nikravesh = { stiffness = 1e9, restitution = 0.6 },
        tsuji = { modulus = 1e9, radius = 0.1, damping = 0.3 },
        kelvin_voigt = { stiffness = 1e6, damping_ratio = 0.3 },
        walton_braun = { stiffness = 1e6, unloading = 2e6 },
        thornton = { modulus = 1e9, radius = 0.1, yield = 1e7 },
    }
    for name, given in pairs(laws) do
        it("slide freely whatever friction would hold: " .. name, function()
            for _, element in ipairs(elements) do
                for _, vt in ipairs{ 0, 0.5, -2 } do
                    local options = { friction = 0 }
                    for _, part in ipairs{ given, element } do
                        for key, value in pairs(part) do options[key] = value end
                    end
                    local hit = pc.collide(body, pc.contact[name](options), { vt = vt, vn = -1 })
                    -- The force is normal. From v_t = 0 the point is held until that is seen to need a force, hence
                    -- the rounding.
                    near(hit.velocity.t, vt + 0.7 * hit.impulse.n, 1e-12)
                    near(hit.impulse.t, 0, 0, 1e-12)
                    near(hit.work.tangential, 0, 0, 1e-12)
                    near(hit.work.friction, 0, 0, 1e-12)
                    near(hit.loss, -hit.work.normal, 1e-11, 1e-12)
                end
            end
        end)
    end
end)

describe("restitution and calibrate", function()
    local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }

    it("report what is achieved beside what was asked for", function()
        local law = pc.contact.lankarani_nikravesh{ stiffness = 1e9, restitution = 0.6, friction = 0 }
        local achieved, asked = pc.restitution(law, ball, 2)
        assert.equal(0.6, asked)
        assert.is_true(achieved > 0.7)
        local hit = pc.collide(ball, law, { vt = 0, vn = -2 })
        assert.equal(0.6, hit.restitution.asked)
        near(hit.restitution.kinematic, achieved, 1e-12)
        assert.truthy(tostring(hit):find("asked for 0.6", 1, true))
        local damped = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0.1, friction = 0 }
        assert.is_nil(pc.collide(ball, damped, { vt = 0, vn = -2 }).restitution.asked)
        local e, none = pc.restitution(pc.contact.coupled{ modulus = 1e9, nu = 0.3, radius = 0.01, mu = 0 }, ball, 2)
        near(e, 1, 1e-11)
        assert.is_nil(none)
    end)

    it("find parameters", function()
        local thornton = pc.contact.thornton{ modulus = 7e10, radius = 0.01, yield = 1e9, friction = 0 }
        for e = 0.4, 0.9, 0.1 do
            local law, achieved = pc.calibrate(thornton, "yield", ball, 1, e)
            near(achieved, e, 1e-10)
            near((pc.restitution(law, ball, 1)), e, 1e-10)
        end
        assert.equal(1e9, thornton.yield)
        local voigt = pc.contact.kelvin_voigt{ stiffness = 1e6, damping_ratio = 0.1, friction = 0 }
        near(pc.calibrate(voigt, "z", ball, 1, 0.5).z, 0.25527, 1e-4)
        assert.has_error(function() pc.calibrate(thornton, "yeild", ball, 1, 0.5) end)
        assert.has_error(function() pc.calibrate(thornton, "yield", ball, 1, 0.999, 1e8, 2e8) end)
    end)
end)

describe("rows of bodies", function()
    local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
    local law = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }

    it("keep momentum and energy, with gaps too", function()
        local run = pc.cradle{
            bodies = { ball, pc.body.sphere{ radius = 0.02, mass = 0.2 }, ball }, contact = { law, law },
            velocity = { 1, 0, -0.5 }, gaps = { 0, 1e-3 },
        }
        local v = run.velocity
        near(0.03 * v[1] + 0.2 * v[2] + 0.03 * v[3], 0.015, 1e-12)
        near(run.energy.after, run.energy.before, 1e-11)
        assert.is_true(run.contacts[2].start > run.contacts[1].stop)
    end)

    it("far apart act one after the other as Newton's cradle", function()
        local run = pc.cradle{
            bodies = { ball, ball, ball }, contact = law, velocity = { 1, 0, 0 }, gaps = { 0, 1e-3 },
        }
        near(run.velocity[3], 1, 1e-11)
        near(run.velocity[1], 0, 0, 1e-11)
    end)

    it("meet across a gap, be it two bodies alone", function()
        local damped = pc.contact.hunt_crossley{ stiffness = 1e9, restitution = 0.7, friction = 0 }
        local near_by = pc.cradle{ bodies = { ball, ball }, contact = damped, velocity = { 1, -1 } }
        local apart = pc.cradle{ bodies = { ball, ball }, contact = damped, velocity = { 1, -1 }, gaps = { 0.02 } }
        near(apart.velocity[1], -0.7, 1e-11)
        near(apart.velocity[2], 0.7, 1e-11)
        near(apart.contacts[1].start, 0.01, 1e-14) -- 0.02 m at 2 m/s
        for _, field in ipairs{ "stop", "peak_time" } do
            near(apart.contacts[1][field], 0.01 + near_by.contacts[1][field], 1e-12)
        end
        near(apart.duration, 0.01 + near_by.duration, 1e-12)
    end)

    it("count a gap from the indentation left until it has opened as far", function()
        -- 1 strikes 2, which comes back from a heavy 3 and strikes 1 again: each time a clipped spring and dashpot with
        -- z = c/(2 sqrt(k m)), m reduced, lasts 2 acos(z)/omega, leaves exp(-2 z acos(z)/sqrt(1 - z^2)) of the speed
        -- and an indentation, which the balls have long got rid of by the second time.
        local m, big, k, c = 0.03, 30, 1e6, 30
        local heavy = pc.body.sphere{ radius = 0.1, mass = big }
        local voigt = pc.contact.kelvin_voigt{ stiffness = k, damping = c, friction = 0 }
        local hard = pc.contact.hunt_crossley{ stiffness = 1e13, damping = 0, friction = 0 }
        local run = pc.cradle{
            bodies = { ball, ball, heavy }, contact = { voigt, hard }, velocity = { 1, 0, 0 }, gaps = { 0, 0.05 },
        }
        local reduced = m / 2
        local z = c / (2 * math.sqrt(k * reduced))
        local omega = math.sqrt(k / reduced * (1 - z * z))
        local e = math.exp(-2 * z * math.acos(z) / math.sqrt(1 - z * z))
        local v1, v2 = (1 - e) / 2, (1 + e) / 2
        local back, v3 = v2 * (m - big) / (m + big), 2 * m * v2 / (m + big)
        local mean, spread = (v1 + back) / 2, e * (v1 - back) / 2
        near(run.velocity[1], mean - spread, 1e-10)
        near(run.velocity[2], mean + spread, 1e-10)
        near(run.velocity[3], v3, 1e-10)
        assert.equal(2, run.contacts[1].closings)
        assert.equal(1, run.contacts[2].closings)
        -- the centre of 1 and 2 has gone half the time when they part, by half the indentation each from touching
        local lasts = 2 * math.acos(z) / omega
        local left = 2 * z * e * math.sqrt(reduced / k)
        local x1, x2 = (lasts + left) / 2, (lasts - left) / 2
        near(x2 + v2 * (run.contacts[2].start - lasts), 0.05, 1e-9)
        -- 2 parts from 3 where it met it, as far as 3 stays: it goes 1e-8 m
        local again = run.contacts[1].stop - lasts
        near(x1 + v1 * (again - lasts), 0.05 + back * (again - run.contacts[2].stop), 0, left / 1000)
    end)

    it("refuse what cannot be", function()
        local function refused(options)
            assert.has_error(function() pc.cradle(options) end)
        end
        refused{ bodies = { ball }, contact = law, velocity = { 1 } }
        refused{ bodies = { ball, ball }, contact = law, velocity = { 0, 1 } }
        refused{ bodies = { ball, ball }, contact = law, velocity = { 1 } }
        refused{ bodies = { ball, ball }, contact = law, velocities = { 1, 0 } }
        refused{ bodies = { ball, ball }, contact = pc.contact.stronge{ restitution = 1, mu = 0 }, velocity = { 1, 0 } }
    end)
end)

describe("studies of Lai (1999)", function()
    it("Table 5.1", function()
        for _, name in ipairs{ "solid sphere", "solid disc", "shell", "hoop" } do
            assert.equal("agrees", agreement("lai1999/table5_1", name))
        end
        near(computed("lai1999/table5_1", "solid sphere"), reference["T5.1-sphere"].lambda, 1e-12)
        near(computed("lai1999/table5_1", "hoop, chi at nu = 0.3"), reference["T5.1-hoop"].chi, 1e-12)
    end)

    it("Fig 4.9: springs in a row are the contact with slip at its edge", function()
        assert.is_true(computed("lai1999/fig4_9", "greatest difference of 400 springs from eq 4.98") < 1e-5)
    end)

    it("Figs 5.3 and 5.14: sphere", function()
        for _, psi in ipairs{ 0.2, 0.5, 1, 2, 3, 6 } do
            local o = reference[("sphere-Psi%.1f"):format(psi)]
            near(computed("lai1999/fig5_3", ("psi1 = %g: duration"):format(psi)), o.duration, 1e-10)
            near(computed("lai1999/fig5_3", ("psi1 = %g: psi2"):format(psi)), o.Psi2, 1e-10)
        end
        for _, psi in ipairs{ 1, 2, 3, 4 } do
            -- 800 rings: second order leaves some 1e-5
            near(computed("lai1999/fig5_14", ("sphere, psi1 = %g: psi2, continuum"):format(psi)),
                reference[("mbf-sphere-Psi%.1f"):format(psi)].Psi2, 0, 1e-5)
        end
        for _, psi in ipairs{ 0.5, 1, 3, 4 } do
            near(computed("lai1999/fig5_14", ("sphere, psi1 = %g: psi2, linear springs"):format(psi)),
                reference[("linear-sphere-Psi%.1f"):format(psi)].Psi2, 1e-11)
        end
    end)

    it("Figs 5.14 to 5.17: linear springs come closer to the continuum than the coupled law", function()
        for _, name in ipairs{ "solid sphere", "solid disc", "shell", "hoop" } do
            assert.equal("agrees", agreement("lai1999/fig5_14", name ..
                ": linear springs come closer than the coupled law"))
        end
        -- known to three digits, on a grid of its own
        near(computed("lai1999/fig5_14", "solid sphere: greatest distance from the continuum, linear springs"), 0.176,
            0, 2e-3)
        local lai = require "percuss.lai"
        local sphere, unit = lai.body(5 / 9), lai.unit(0.3, 0.5)
        local coupled = lai.reflection(lai.strike(sphere, lai.coupled(0.3, 0.5), 0.7 * unit), unit)
        local exact = lai.reflection(lai.strike(sphere, lai.maw(0.3, 0.5, 800), 0.7 * unit), unit)
        near(coupled - exact, 0.574, 0, 5e-4)
        assert.is_true(computed("lai1999/fig5_14",
            "solid sphere: greatest distance from the continuum, coupled") > 0.574)
    end)

    it("Figs 5.12 and 5.13: chi", function()
        near(computed("lai1999/fig5_12", "psi2, chi = 3"), reference["chi3.0"].Psi2, 1e-9)
        near(computed("lai1999/fig5_12", "psi2, chi = 10"), reference["chi10.0"].Psi2, 1e-9)
        for _, chi in ipairs{ 2, 3, 6 } do
            near(computed("lai1999/fig5_12", ("continuum, chi = %d: psi2"):format(chi)),
                reference[("mbf-chi%d.0"):format(chi)].Psi2, 0, 2e-5)
        end
    end)

    it("Figs 5.4 to 5.11 and 5.18 to 5.20", function()
        assert.is_true(math.abs(computed("lai1999/fig5_4",
            "energy returned neither by springs nor taken by friction, fraction")) < 1e-11)
        for _, mu in ipairs{ "0.1", "0.3", "0.5", "1" } do
            local o = reference["rest-min-mu" .. (mu == "1" and "1.0" or mu)]
            -- the reference searches its extremes; the grid of half a degree comes near
            near(computed("lai1999/fig5_18", "least kinematic restitution on the grid, mu = " .. mu), o.e_min, 0, 1e-4)
            -- with mu = 1 there are two maxima, and the reference holds the lesser one
            if mu ~= "1" then
                near(computed("lai1999/fig5_18", "greatest loss over translational energy on the grid, mu = " .. mu),
                    o.max_loss_over_translational_KE, 0, 2e-4)
            end
        end
        local o, lai = reference["rest-min-mu1.0"], require "percuss.lai"
        local sphere = lai.body(5 / 9)
        local hit = lai.strike(sphere, lai.coupled(0.3, 1), math.tan(o.alpha_deg_at_max_loss_4digits * pc.deg))
        near(hit.loss * sphere.w_nn / 0.5, o.max_loss_over_translational_KE, 1e-9)
    end)

    it("Table 5.2 and the rods", function()
        for _, name in ipairs{ "a", "b", "c", "d" } do
            near(computed("lai1999/fig5_22", name .. ": lambda from eqs 5.76-5.79"),
                reference["rod-" .. name .. "-geometry"].lambda, 1e-11)
            local o = reference["rod-" .. name .. "-printed"]
            near(computed("lai1999/fig5_22", name .. ": normal impulse"), o.gamma_n, 1e-10)
            near(computed("lai1999/fig5_22", name .. ": w_t"), o.w_t, 1e-10)
            near(computed("lai1999/fig5_22", name .. ": e"), o.e, 1e-10)
        end
    end)

    it("Table 6.1 and chapter 6 in SI units", function()
        local o = reference["dyna-hertz-identical-half-space"]
        near(computed("lai1999/table6_1", "half-space, head-on: duration"), o.T_s, 1e-10)
        near(computed("lai1999/table6_1", "half-space, head-on: greatest force"), o.F_max_N, 1e-10)
        near(computed("lai1999/table6_1", "half-space, head-on: greatest indentation"), o.delta_max_m, 1e-10)
        for _, psi in ipairs{ 0.5, 1, 2, 3, 5, 6, 7 } do
            local name, want = ("psi1 = %g: "):format(psi), reference[("dyna-model-Psi%g"):format(psi)]
            near(computed("lai1999/table6_1", name .. "v_t"), reference[("T6.1-Psi%g"):format(psi)].v_t_m_s, 1e-12)
            near(computed("lai1999/table6_1", name .. "duration"), want.T_s, 1e-10)
            near(computed("lai1999/table6_1", name .. "greatest normal force"), want.F_n_max_N, 1e-10)
            near(computed("lai1999/table6_1", name .. "w_t"), want.w_t_m_s, 1e-10)
            near(computed("lai1999/table6_1", name .. "energy lost"), want.energy_loss_J, 0, 1e-10 * 0.1767)
        end
        assert.truthy(agreement("lai1999/table6_1", "psi1 = 2: v_t"):find "^differs")
        assert.equal("agrees", agreement("lai1999/table6_1",
            "linear springs come closer to the continuum than the coupled law"))
    end)
end)

describe("benchmarks", function()
    it("Chung and Ooi: closed forms", function()
        local s = study "benchmarks/chung_ooi"
        local n = 0
        for _, row in ipairs(s.rows) do
            if row.printed and not row.is_statement and row.name:match "^[1-3]," then
                n = n + 1
                assert.equal("agrees", row.agreement, row.name)
                near(row.computed, tonumber(row.printed), 1e-5)
            elseif row.other then
                near(row.computed, row.other, 1e-6)
            elseif row.is_statement then
                assert.equal("agrees", row.agreement, row.name)
            end
        end
        assert.equal(18, n)
        assert.is_true(computed("benchmarks/chung_ooi", "3: greatest |e out - e in|, Tsuji's law") < 1e-9)
    end)

    it("Chung and Ooi: published curves of tests 1, 2, 4, 5 and 6", function()
        -- 3 % of the greatest value; below 15 degrees, where test 4 is sensitive to the start of slip, 10 %
        local n = 0
        for _, row in ipairs(study "benchmarks/chung_ooi".rows) do
            if row.name:match "greatest distance from the curve" then
                n = n + 1
                local bound = row.name:match "at all angles" and 0.1 or 0.03
                assert.is_true(row.computed <= bound, row.name .. ": " .. row.computed)
            end
        end
        assert.equal(19, n)
    end)

    it("Chung and Ooi: the distance from a curve would show a wrong parameter", function()
        local xs, ys = curves.points(assert(curves.read "tests/reference/co_t2_alalloy_force_time.csv"), "time_us",
            "force_kN")
        assert.equal(25, #xs)
        local function distance(young)
            local hit = pc.collide(pc.body.sphere{ radius = 0.1, density = 2699 },
                pc.contact.hertz_mindlin{ young = young, poisson = 0.3, radius = 0.1, friction = 0.35 },
                { vt = 0, vn = -0.2 })
            return curves.distance(xs, ys, function(t)
                return t * 1e-6 < hit.duration and hit:at(t * 1e-6).F_n / 1e3 or 0
            end)
        end
        assert.is_true(distance(70e9) < 0.005)
        assert.is_true(distance(63e9) > 0.03)
    end)

    it("Chung and Ooi: the finite elements of test 5 follow the continuum solution, not Hertz and Mindlin", function()
        local grain = pc.body.sphere{ radius = 1e-5, density = 7850 }
        local options = { young = 208e9, poisson = 0.3, radius = 1e-5, friction = 0.3 }
        -- root mean square distance from the curve
        local function distance(law)
            local n, sum = 0, 0
            for _, row in ipairs(rows_of "co_t5_oblique_const_vn.csv") do
                if row.series == "fem" and row.quantity:match "^psi2" then
                    n = n + 1
                    local psi = row["psi1=vs_in/(mu*vn_in)"]
                    local hit = pc.collide(grain, law, { v = { psi * 1.5, -5 }, omega = 0 })
                    sum = sum + (hit.velocity.t / (0.3 * hit.velocity.n) - row.value) ^ 2
                end
            end
            assert.equal(16, n)
            return math.sqrt(sum / n)
        end
        -- the mesh and the reading of a curve from -1.8 to 5.4 leave 0.07
        local continuum = distance(pc.contact.maw(options))
        assert.is_true(continuum < 0.08)
        assert.is_true(distance(pc.contact.hertz_mindlin(options)) > 4 * continuum)
    end)

    it("Kharaz: tangential compliance is needed, and the continuum comes closest", function()
        assert.equal("agrees", agreement("benchmarks/kharaz", "no rigid law falls below 5/7"))
        assert.equal("agrees", agreement("benchmarks/kharaz", "tangential compliance does"))
        local best = computed("benchmarks/kharaz", "continuum (Maw): root mean square distance from the measurement")
        for _, row in ipairs(study "benchmarks/kharaz".rows) do
            if row.name:match "root mean square" then assert.is_true(row.computed >= best, row.name) end
        end
        assert.is_true(best < 0.02)
    end)

    it("rows of spheres: checked velocities", function()
        local n = 0
        for _, row in ipairs(rows_of "hertz_chain_final_velocities.csv") do
            local key = ("%d balls, ball %d"):format(row.n_balls, row.ball)
            if row.source == "RK4" and study "benchmarks/chains".by_name[key] then
                n = n + 1
                near(computed("benchmarks/chains", key), row.v_over_v0, 0, 1e-9)
            end
        end
        assert.equal(24, n)
    end)

    it("every study draws its figure", function()
        local directory = scratch()
        for _, path in ipairs{
            "lai1999/fig4_9", "lai1999/fig5_3", "lai1999/fig5_4", "lai1999/fig5_12", "lai1999/fig5_14",
            "lai1999/fig5_18", "lai1999/fig5_22", "lai1999/table6_1", "benchmarks/chains", "benchmarks/chung_ooi",
            "benchmarks/kharaz",
        } do
            local script = assert(loadfile("scripts/" .. path .. ".lua"))
            local done = script("--quiet", "--out", directory, "--format", "svg")
            assert.equal(1, #done.files, path)
            assert.is_true(lfs.attributes(done.files[1], "size") > 1000)
        end
    end)
end)

describe("traction", function()
    local law = pc.contact.maw{ modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.5, rings = 400 }
    local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }

    it("carries the force of the impact", function()
        local hit = pc.collide(ball, law, { vt = 1, vn = -1 })
        local p = pc.traction(hit, 0.6 * hit.duration, 2000)
        local sum, step = 0, p.radius[2] - p.radius[1]
        for i = 2, #p.radius do sum = sum + 2 * math.pi * p.radius[i] * p.traction[i] * step end
        near(sum, hit:at(p.time).F_t, 0.01, 1e-3 * hit.peak.n)
        assert.is_true(p.stick_radius > 0 and p.stick_radius < p.radius[2000])
    end)

    it("is asked of the continuum solution only", function()
        local other = pc.collide(ball, pc.contact.coupled{ modulus = 1e9, nu = 0.3, radius = 0.01, mu = 0.5 },
            { vt = 1, vn = -1 })
        assert.has_error(function() pc.traction(other, 0) end)
    end)
end)

describe("where a jam has driven the bodies together and W is nearly singular,", function()
    -- a - ln(1 + a) = -e a - ln(1 - e a), by halving
    local function damping(e)
        local low, high = 1e-6, 1 / e
        for _ = 1, 200 do
            local a = (low + high) / 2
            if a - math.log(1 + a) + e * a + math.log(1 - e * a) < 0 then high = a else low = a end
        end
        return low
    end

    -- The damper acts for so long that nothing of the motion is left but 1/zeta, at which it has no force.
    it("they glide apart as fast as the damper lets them", function()
        math.randomseed(5)
        local function between(lo, hi) return lo + (hi - lo) * math.random() end
        for k = 1, 40 do
            local a, c, side = between(0.3, 4), math.sqrt(1 - 10 ^ between(-6, -4)), k % 2 == 0 and 1 or -1
            local approach, e, tn = between(0.001, 1), between(0.1, 0.5), side * c * math.sqrt(a)
            local v = { vt = side * approach * 10 ^ between(3.5, 4.5), vn = -approach }
            for name, scaled in pairs{ hunt_crossley = damping(e), lankarani_nikravesh = 0.75 * (1 - e ^ 2) } do
                local law = pc.contact[name]{ stiffness = 1e9, restitution = e, friction = 2.5 }
                local hit = pc.collide(pc.body.matrix{ W = { { a, tn }, { tn, 1 } } }, law, v)
                local parting, rounding = approach / scaled, 64 * 2.3e-16 * 2 * hit.impulse.n
                local where = name .. ", impact " .. k
                assert.is_true(math.abs(hit.velocity.n - parting) < 1e-9 * parting + rounding, where)
                assert.is_true(math.abs(hit.velocity.t) < 1e-9 * parting + math.sqrt(a) * rounding, where)
            end
        end
    end)
end)
