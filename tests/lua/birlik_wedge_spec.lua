-- The pendulum in closed form against every number of Birlik (2012), sections 4.2.1 and 4.3, in
-- tests/reference/birlik2012.json; and the same by impacts.
local json = require "dkjson"
local near = require "near"
local pc = require "percuss"

local cases = {}
do
    local file = assert(io.open "tests/reference/birlik2012.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do
        local i, o = case.inputs, case.outputs
        if type(i) == "string" then i, o = json.decode(i), json.decode(o) end
        cases[#cases + 1] = { id = case.id, i = i, o = o }
    end
    file:close()
end

local function each(pattern, n, try)
    local seen = 0
    for _, case in ipairs(cases) do
        if case.id:match(pattern) then
            seen = seen + 1
            try(case.i, case.o, case.id)
        end
    end
    assert.equal(n, seen)
end

local function strike(theta, mu, eta)
    local body = pc.body.pendulum{ mass = 0.0041, length = 0.1, angle = theta }
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
    return pc.collide(body, law, { rate = -6 })
end

describe("the pendulum of Birlik", function()
    it("has its critical angles and their maximum over friction", function()
        each("^P414%-", 4, function(i, o)
            local angle, mu = pc.greatest_critical_angle(i.k3_over_k1)
            near(angle / pc.deg, o.theta_cr_max_deg, 1e-11)
            near(mu, o.mu_at_max, 1e-11)
            for _, row in ipairs(o.theta_cr_at_mu) do
                near(pc.critical_angle(row[1], i.k3_over_k1) / pc.deg, row[2], 1e-11)
            end
        end)
    end)

    it("wedges up to the last hundredth of a degree below them, in the rigid limit up to the friction cone", function()
        each("^T4[34]%-", 9, function(i, o, id)
            local critical = pc.critical_angle(i.mu, i.k3_over_k1) / pc.deg
            near(critical, o.theta_cr_deg, 1e-11)
            near(math.atan(i.mu) / pc.deg, o.theta_cr_rigid_deg, 1e-11)
            near(pc.critical_angle(i.mu, 1e-12) / pc.deg, o.theta_cr_rigid_deg, 1e-9)
            local last = o.largest_wedging_angle_on_0p01_grid
            assert.is_true(strike(last * pc.deg, i.mu, i.k3_over_k1).wedged, id)
            assert.is_false(strike((last + 0.01) * pc.deg, i.mu, i.k3_over_k1).wedged, id)
        end)
    end)

    it("tends to the rigid one, whose print lacks a square root", function()
        each("^P413%-", 18, function(i, o)
            local theta = i.theta_deg * pc.deg
            for _, eta in ipairs{ "1.21", "0.1", "0.01", "0.001", "1e-06" } do
                near(pc.pendulum_speed_ratio(theta, i.mu, tonumber(eta)), o["compliant_eta_" .. eta], 1e-10, 1e-15)
            end
            near(pc.rigid_pendulum_speed_ratio(theta, i.mu, 1), o.energetic_with_sqrt, 1e-11)
        end)
    end)

    it("loses most at the friction of the reference, sticks throughout and wedges from others on", function()
        each("^P411%-", 5, function(i, o)
            local theta, eta = i.theta_deg * pc.deg, i.k3_over_k1
            local mu = pc.friction_of_greatest_loss(theta, eta)
            if o.max_dissipated_fraction < 1 then
                near(mu, o.mu_at_max_dissipation, 1e-7) -- the reference searched: flat to the root of rounding
                near(select(2, pc.friction_of_greatest_loss(theta, eta)), o.max_dissipated_fraction, 1e-11)
                near(math.sqrt(1 - o.max_dissipated_fraction), o.min_speed_ratio, 1e-9)
            end
            -- gross stick where the first slope of the link lies inside the cone: mu eta = cot(theta)
            near(1 / (eta * math.tan(theta)), o.mu_gross_stick, 1e-11)
            assert.equal("gross stick", strike(theta, o.mu_gross_stick * 1.0001, eta).regime)
            assert.is_true(strike(theta, o.mu_gross_stick * 0.9999, eta).regime ~= "gross stick")
            if o.mu_wedge_range then
                local lo, hi = pc.wedging_range(theta, eta)
                near(lo, o.mu_wedge_range[1], 1e-10)
                near(hi, o.mu_wedge_range[2], 1e-10)
            end
        end)
    end)

    it("does the works of the reference, phase by phase", function()
        each("^P410%-", 3, function(i, o)
            local body = pc.body.pendulum{ mass = 0.0041, length = i.L_m, radius = i.R_m, angle = i.theta_deg * pc.deg }
            local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = i.k3_over_k1, friction = i.mu }
            local hit = pc.collide(body, law, { rate = -6 })
            local unit = 0.0041 * hit.velocity_before.n ^ 2 -- his energies are over m v_n^2
            local slip, stick, back = hit.phases[1].work, hit.phases[2].work, hit.phases[3].work
            near(slip.tangential / unit, o.W11_0_to_tlt, 1e-11)
            near(stick.tangential / unit, o.W13_tlt_to_ttl, 1e-11)
            near(back.tangential / unit, o.W12_ttl_to_tf, 1e-11)
            near(slip.friction / unit, o.W1f, 1e-11)
            near(back.friction / unit, o.W2f, 1e-11)
            near(hit.work.tangential / unit, o.sum_W, 1e-11)
            near(hit.work.friction / unit, o.sum_Wf, 1e-11)
            near(hit.loss / unit, o.T0_minus_Tf_J22, 1e-11)
        end)
    end)
end)
