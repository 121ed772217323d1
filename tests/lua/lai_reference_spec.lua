-- Values of Lai (1999) that follow from several impacts or from W alone, against tests/reference/lai1999.json, in which
-- two independent solvers agree. Single impacts of his law are in tests/c/test_coupled.c.
local json = require "dkjson"
local near = require "near"
local pc = require "percuss"

local cases = {}
do
    local file = assert(io.open "tests/reference/lai1999.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do cases[case.id] = case end
    file:close()
end

local NU, MU = 0.3, 0.5
local FACTOR = 2 * (1 - NU) / (MU * (2 - NU)) -- Psi = FACTOR tan(angle)

local laws = {
    coupled = pc.contact.coupled{ modulus = 1, poisson = NU, radius = 1, friction = MU },
    maw = pc.contact.maw{ modulus = 1, poisson = NU, radius = 1, friction = MU },
    linear = pc.contact.linear{ stiffness = 1, eta = (2 - NU) / (2 * (1 - NU)), friction = MU },
}

local function strike(lambda, law, psi1)
    return pc.collide(pc.body.lai{ mass = 1, lambda = lambda }, laws[law], { vt = psi1 / FACTOR, vn = -1 })
end

local function psi2(lambda, law, psi1)
    local v = strike(lambda, law, psi1).velocity
    return FACTOR * v.t / v.n
end

local function bisect(f, lo, hi)
    local at_lo = f(lo)
    for _ = 1, 60 do
        local middle = (lo + hi) / 2
        if (f(middle) > 0) == (at_lo > 0) then lo = middle else hi = middle end
    end
    return (lo + hi) / 2
end

-- Least value of a function with one minimum, by golden sections; where it lies is flat to the root of the error.
local function least(f, lo, hi)
    local ratio = (math.sqrt(5) - 1) / 2
    for _ = 1, 50 do
        local a, b = hi - ratio * (hi - lo), lo + ratio * (hi - lo)
        if f(a) < f(b) then hi = b else lo = a end
    end
    return f((lo + hi) / 2), (lo + hi) / 2
end

describe("the reference of Lai", function()
    local shapes = { disc = 1 / 2, shell = 3 / 7, hoop = 1 / 3 }

    for shape, lambda in pairs(shapes) do
        it("has the curve of the " .. shape .. " with its minimum and its zeros", function()
            local o = cases["curve-" .. shape].outputs
            local function curve(x) return psi2(lambda, "coupled", x) end
            local lowest, at = least(curve, 1, o.gross_slip_Psi1)
            near(lowest, o.Psi2_min, 1e-10)
            near(at, o.Psi1_at_min_6digits, 1e-5)
            -- the hoop turns back from the smallest angle on
            if shape ~= "hoop" then near(bisect(curve, 0.05, at), o.Psi1_first_zero, 1e-9) end
            near(bisect(curve, at, 6), o.Psi1_last_zero, 1e-10)
            -- where slip lasts throughout, and where the impact begins with stick
            near(bisect(function(x) return #strike(lambda, "coupled", x).phases - 1.5 end, at, 6),
                o.gross_slip_Psi1, 1e-8)
            near(bisect(function(x) return strike(lambda, "coupled", x).phases[1].kind == "stick" and 1 or -1 end,
                0.01, at), o.initial_stick_Psi1, 1e-10)
            near(least(function(x) return psi2(lambda, "linear", x) end, 1, o.gross_slip_Psi1), o.linear_min, 1e-8)
        end)
    end

    it("has the linear sphere with its switches", function()
        local n = 0
        for id, case in pairs(cases) do
            if id:match "^linear%-sphere" then
                local o = case.outputs
                local hit = strike(5 / 9, "linear", case.inputs.Psi1)
                near(FACTOR * hit.velocity.t / hit.velocity.n, o.Psi2, 1e-11)
                assert.equal(#o.phases, #hit.phases, id)
                for k, switch in ipairs(o.switch_over_T) do
                    near(hit.phases[k].stop / hit.duration, switch, 1e-11)
                end
                n = n + 1
            end
        end
        assert.is_true(n >= 5, n)
    end)

    it("has the mobilities, the effective mass and lambda of bodies", function()
        for k = 1, 3 do
            local i, o = cases["inertia-" .. k].inputs, cases["inertia-" .. k].outputs
            local body = pc.body.matrix{ mobility = { { o.N_tt_per_kg, o.N_tn_per_kg },
                { o.N_tn_per_kg, o.N_nn_per_kg } } }
            near(body.lai.mass, o.m_kg, 1e-11)
            near(body.lai.lambda, o.lambda, 1e-11)
            near(body.lai.theta, o.theta_recovered_rad, 1e-11, 1e-12)
            -- the same from mass, centre and radius of gyration: the arm b, turned by theta
            local rigid = pc.body.rigid{ mass = i.m_B_kg, inertia = i.m_B_kg * i.k3_m ^ 2,
                arm = { -i.b_m * math.sin(i.theta_rad), -i.b_m * math.cos(i.theta_rad) } }
            near(rigid.w_tt, o.N_tt_per_kg, 1e-11)
            near(math.abs(rigid.w_tn), math.abs(o.N_tn_per_kg), 1e-11, 1e-13)
            near(rigid.w_nn, o.N_nn_per_kg, 1e-11)
            local det = rigid.w_tt * rigid.w_nn - rigid.w_tn ^ 2
            near(rigid.w_nn / det, o.M_tt_kg, 1e-11)
            near(rigid.w_tt / det, o.M_nn_kg, 1e-11)
        end
        for shape, lambda in pairs{ sphere = 5 / 9, disc = 1 / 2, shell = 3 / 7, hoop = 1 / 3 } do
            local body = pc.body.lai{ mass = 1, lambda = lambda }
            near(body.w_tt / body.w_nn, cases["T5.1-" .. shape].outputs.Ntt_over_Nnn, 1e-12)
        end
    end)

    it("has the greatest loss that friction could make", function()
        local i, o = cases["dKmax-5.73"].inputs, cases["dKmax-5.73"].outputs
        local body = pc.body.lai{ mass = 1, lambda = i.lambda, theta = i.theta_rad }
        near(body:loss_max{ vt = math.sin(i.alpha_rad), vn = -math.cos(i.alpha_rad) }, o.dKmax_matrix, 1e-11)
    end)

    it("has the spheres of his finite elements in SI units", function()
        local n = 0
        for id, case in pairs(cases) do
            if id:match "^dyna%-model" then
                local i, o = case.inputs, case.outputs
                local ball = pc.body.sphere{ radius = i.diameter_m / 2, density = i.rho_kg_m3 }
                local law = pc.contact.coupled{ young = i.E_Pa, poisson = i.nu, radius = i.diameter_m / 2,
                    friction = i.mu }
                local hit = pc.collide(ball, law, { vt = i.v_t_m_s, vn = i.v_n_m_s })
                near(hit.duration, o.T_s, 1e-10)
                near(hit.peak.n, o.F_n_max_N, 1e-10)
                near(hit.impulse.n, o.g_n_Ns, 1e-10)
                near(hit.impulse.t, o.g_t_Ns, 0, 1e-10 * o.g_n_Ns)
                near(hit.velocity.t, o.w_t_m_s, 0, 1e-10 * o.w_n_m_s)
                near(hit.velocity.n, o.w_n_m_s, 1e-10)
                near(hit.restitution.energetic, o.e, 1e-10)
                near(hit.loss, o.energy_loss_J, 0, 1e-11 * hit.energy.before)
                assert.equal(#o.phases, #hit.phases, id)
                n = n + 1
            end
        end
        assert.is_true(n >= 6, n)
    end)
end)
