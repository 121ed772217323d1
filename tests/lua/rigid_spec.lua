-- Rigid laws from scripts: comparison, impulse plane, conversions, loss curves, flow; and the studies that use them
-- against the checked values in tests/reference.
local pc = require "percuss"
local json = require "dkjson"
local scratch = require "tests.lua.scratch"

local function reference(file)
    local handle = assert(io.open("tests/reference/" .. file))
    local cases = {}
    for _, case in ipairs(assert(json.decode(handle:read "a"))) do cases[case.id] = case end
    handle:close()
    return cases
end

local brach = reference "brach1993_rigid.json"
local pendulum = reference "sypniewska2017.json"

local studies = {}
local function row(script, name)
    if not studies[script] then
        studies[script] = assert(loadfile("scripts/" .. script .. ".lua"))("--quiet", "--no-figures")
    end
    return assert(studies[script].by_name[name], script .. " has no row '" .. name .. "'")
end

-- The checked values carry 12 digits.
local function near(expected, got, what, bound)
    assert.is_true(math.abs(got - expected) <= (bound or 2e-11) * math.max(1, math.abs(expected)),
        ("%s: expected %.13g, got %.13g"):format(what, expected, got))
end

local function claims(script, name, expected, bound)
    near(expected, row(script, name).computed, script .. ", " .. name, bound)
end

local rod = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg }

describe("comparison of laws", function()
    local laws = {
        pc.contact.newton{ e = 0.8, mu = 0.4 }, pc.contact.poisson{ R = 0.8, mu = 0.4 },
        pc.contact.stronge{ E = 0.8, mu = 0.4 }, pc.contact.smith{ e = 0.8, mu = 0.4 },
    }
    local c = pc.compare(rod, laws, { vt = 0.2, vn = -1 })

    it("has a row for each law, with its own coefficient", function()
        assert.equal(4, #c.rows)
        near(0.8, c.rows[1].kinematic, "e")
        near(0.8, c.rows[2].kinetic, "R")
        near(0.8, c.rows[3].energetic, "E")
        assert.equal("slip +, slip -", c.rows[1].history)
        assert.is_truthy(tostring(c):find "stronge")
    end)

    it("keeps the reason where a law has no result", function()
        local wall = pc.body.matrix{ W = { { 2, 0.9 }, { 0.9, 0.5 } } }
        local both = pc.compare(wall, { pc.contact.brach{ e = 0.5, mu = -0.6 }, laws[1] }, { vt = 0, vn = -1 })
        assert.is_nil(both.rows[1].hit)
        assert.is_truthy(both.rows[1].note:find "no impulse")
        assert.is_truthy(tostring(both):find "no result")
    end)

    it("draws the plane of all laws that have a path", function()
        assert.equal(1, c:figure().panels)
        assert.has_error(function() pc.compare(rod, {}, { vn = -1 }) end)
    end)

    it("tells a gain of energy apart from E > 1", function()
        local hot = pc.compare(rod, { pc.contact.newton{ e = 1, mu = 0.9 }, pc.contact.poisson{ R = 1, mu = 0.9 } },
            { vt = 0.2, vn = -1 })
        assert.is_true(hot.rows[1].gained)
        assert.is_false(hot.rows[2].gained)
    end)

    it("serves space and says which laws do not", function()
        local body = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg, spatial = true }
        local both = pc.compare(body, { laws[3], laws[4] }, { vt = 0.2, vt2 = 0.4, vn = -1 })
        assert.is_truthy(both.rows[1].velocity.t2)
        assert.is_truthy(both.rows[2].note:find "planar")
    end)
end)

describe("impacts by rigid laws", function()
    it("take no time, have no trace and say so", function()
        local hit = pc.collide(rod, pc.contact.poisson{ R = 0.5, mu = 0.3 }, { vt = 0.2, vn = -1 })
        assert.equal(0, hit.duration)
        assert.has_error(function() hit:trace() end)
        assert.equal("slip-slip", hit.regime)
        local name = scratch ".svg"
        assert.equal(name, hit:plot{ file = name }) -- the impulse plane
        assert.is_truthy(tostring(hit):find "from p_n")
    end)

    it("may start from no approach where friction jams, and only there", function()
        local law = pc.contact.poisson{ R = 0.5, mu = 2 }
        near(0.5625, pc.collide(rod, law, { vt = -1, vn = 0 }).impulse.n, "p_n")
        assert.has_error(function() pc.collide(rod, pc.contact.poisson{ R = 0.5, mu = 1.6 }, { vt = -1, vn = 0 }) end)
        assert.has_error(function() pc.collide(rod, law, { vt = -1, vn = 0.1 }) end)
    end)

    it("part below the friction that holds in space, stick above it, and have no answer at it", function()
        local body = pc.body.spherical_pendulum{ joint = "suppressed", mass = 1, length = 1, radius = 0, angle = 0.7 }
        local critical = pc.flow(body, 0.5).critical_friction
        local function hit(friction)
            return pc.collide(body, pc.contact.newton{ restitution = 0.6, friction = friction },
                { rate = -0.3, turn = 1 })
        end
        for _, off in ipairs{ 1e-2, 1e-4, 1e-6 } do
            local below = hit(critical * (1 - off))
            near(-0.6 * below.velocity_before.n, below.velocity.n, "restitution")
        end
        for _, off in ipairs{ 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 } do
            assert.equal("wedged", hit(critical * (1 + off)).outcome) -- after impulses of up to 2e11 N s
        end
        assert.error_matches(function() hit(critical) end, "friction is just at the limit between slip and stick")
        assert.error_matches(function() hit(critical * (1 - 1e-14)) end, "just at the limit")
    end)

    it("refuse parameters out of range, and options that they do not have", function()
        assert.has_error(function() pc.contact.newton{ restitution = 1.1, friction = 0 } end)
        assert.has_error(function() pc.contact.newton{ restitution = -0.1, friction = 0 } end)
        assert.has_error(function() pc.contact.stronge{ restitution = 0.5, friction = -1 } end)
        assert.has_error(function() pc.contact.poisson{ R = 0.5, mu = 0.4, mu_s = 0.3 } end)
        assert.has_error(function() pc.contact.brach{ e = 0.5, friction = 0.1 } end)
    end)

    it("have corners and further points on their path", function()
        local hit = pc.collide(rod, pc.contact.stronge{ E = 1, mu = 0.01 }, { vt = 0.6, vn = -1 })
        local path = pc.impulse.path(hit)
        assert.equal(4, #path.p_n)
        assert.equal(0, path.v_t[2])
        assert.equal(0, path.v_n[3])
        assert.equal(14, #pc.impulse.path(hit, 10).p_n)
        local spring = pc.contact.linear{ kn = 1, eta = 1, mu = 0.1 }
        assert.has_error(function() pc.impulse.path(pc.collide(rod, spring, { vt = 0.6, vn = -1 })) end)
    end)
end)

describe("a single link", function()
    -- Birlik's (4.69) as printed is Poisson's law, with the root it is Stronge's; it wedges for mu >= tan(theta).
    it("returns what the closed forms say", function()
        local cases, n = reference "birlik2012.json", 0
        for id, case in pairs(cases) do
            if id:find "^PC%d" then
                local i, o = case.inputs, case.outputs
                if type(i) == "string" then i, o = json.decode(i), json.decode(o) end
                local c, s = math.cos(i.theta_deg * pc.deg), math.sin(i.theta_deg * pc.deg)
                local link = pc.body.matrix{ W = { { c * c, c * s }, { c * s, s * s } } }
                local motion = { vt = -c, vn = -s }
                local function after(law) return pc.collide(link, law, motion).restitution.kinematic end
                near(o.eq469_printed, after(pc.contact.poisson{ R = i.e_star, mu = i.mu }), id, 1e-13)
                near(o.energetic_with_sqrt, after(pc.contact.stronge{ E = i.e_star, mu = i.mu }), id, 1e-13)
                near(i.e_star, after(pc.contact.newton{ e = i.e_star, mu = i.mu }), id, 1e-13)
                local held = pc.collide(link, pc.contact.newton{ e = i.e_star, mu = 1.01 * s / c }, motion)
                assert.is_true(held.wedged)
                n = n + 1
            end
        end
        assert.equal(5, n)
    end)
end)

describe("conversion of restitution", function()
    it("returns where it started", function()
        for _, vt in ipairs{ -1, 0, 0.2, 0.6 } do
            local motion = { vt = vt, vn = -1 }
            local r = pc.convert_restitution(rod, motion, { e = 0.6, mu = 0.3 })
            near(0.6, pc.convert_restitution(rod, motion, { R = r.kinetic, mu = 0.3 }).kinematic, "by R", 1e-13)
            near(0.6, pc.convert_restitution(rod, motion, { E = r.energetic, mu = 0.3 }).kinematic, "by E", 1e-13)
        end
    end)

    it("wants one coefficient and knows its options", function()
        local motion = { vt = 1, vn = -1 }
        assert.has_error(function() pc.convert_restitution(rod, motion, { mu = 0.3 }) end)
        assert.has_error(function() pc.convert_restitution(rod, motion, { e = 1, R = 1, mu = 0.3 }) end)
        assert.has_error(function() pc.convert_restitution(rod, motion, { e = 1, fricton = 0.3 }) end)
    end)
end)

describe("bounds and loss curves", function()
    it("are the checked ones at every angle", function()
        local n = 0
        for id, case in pairs(brach) do
            if id:find "^brach%.bounds" then
                local i, o = case.inputs, case.outputs
                local body = pc.body.rod{ mass = 1, length = 1, angle = -i.theta_deg * pc.deg }
                local b = pc.impulse.bounds(body, { vt = i.vt, vn = i.vn }, i.e)
                near(o.mu_0, b.sticking, id)
                near(o.mu_max, b.greatest_loss, id)
                for k = 1, 2 do near(o.mu_T_roots[k], b.lossless[k], id) end
                n = n + 1
            end
        end
        assert.equal(23, n)
    end)

    it("follow the thin curves of Brach's figure 3, gains included", function()
        for _, e in ipairs{ 0, 1 } do
            local case = brach["brach.F3.thin.e" .. e]
            local curve = pc.loss_curves(rod, { vt = 0.2, vn = -1 },
                { restitution = { e }, ratio = pc.array(case.inputs.mu) }).curves[1]
            for i, loss in ipairs(case.outputs.TL) do
                near(loss, curve.loss[i], case.id)
                assert.equal(math.min(curve.loss[i], 0), curve.gains[i])
                assert.equal(loss < 0, curve.gains[i] < 0)
            end
        end
    end)

    it("draw", function()
        assert.equal(1, pc.loss_curves(rod, { vt = 0.2, vn = -1 }):figure().panels)
    end)

    it("follow the heavy curves by Stronge's law", function()
        for _, E in ipairs{ "0", "0.5" } do
            local case = brach["brach.F3.heavy.E" .. E]
            for i, f in ipairs(case.inputs.f) do
                local hit = pc.collide(rod, pc.contact.stronge{ E = tonumber(E), mu = f }, { vt = 0.2, vn = -1 })
                near(case.outputs.TL[i], hit.loss_fraction, case.id)
                near(case.outputs.mu[i], hit.impulse_ratio.total, case.id)
            end
        end
    end)
end)

describe("flow of sliding", function()
    local W = { { 0.25, 0.25 * 3 ^ 0.5, 0 }, { 0.25 * 3 ^ 0.5, 0.75, 0 }, { 0, 0, 1 } }

    it("takes a body or a matrix, and wants a second tangent", function()
        assert.equal(4, #pc.flow(W, 1).invariant)
        assert.equal(4, #pc.flow(pc.body.matrix{ W = W }, 1).invariant)
        assert.has_error(function() pc.flow(rod, 1) end)
        assert.has_error(function() pc.flow(W, -1) end)
    end)

    it("says what follows a stop", function()
        local f = pc.flow(W, 1)
        assert.is_false(f.after_stop.sticks)
        near(0, f.after_stop.angle, "angle")
        assert.is_true(pc.flow(W, 1.74).after_stop.sticks)
        assert.is_truthy(tostring(f):find "starts again")
        assert.is_truthy(pc.flow({ { 3.5, 0, 0 }, { 0, 1, 0 }, { 0, 0, 3.5 } }, 0.3):pattern():find "no swerve")
    end)

    it("draws", function()
        local f = pc.flow(W, 1):figure{ trajectories = 6 }
        assert.is_true(f.series > 10)
    end)
end)

describe("studies of Brach (1993)", function()
    it("table 2, by e R = 1 and by works", function()
        local o, w = brach["brach.T2.eR"].outputs, brach["brach.T2.work"].outputs
        claims("brach1993/table2", "1. v_Cn where slip stops", o.vCn_SR)
        claims("brach1993/table2", "2. v_Ct at the end of approach", o.vCt_bar)
        claims("brach1993/table2", "3. mu_A times 1000", 1000 * o.muA)
        claims("brach1993/table2", "5. mu times 10^4", 1e4 * o.mu, 1e-8)
        claims("brach1993/table2", "e with e R = 1", o.e)
        claims("brach1993/table2", "e with a work ratio of 1", w.e)
        assert.is_truthy(row("brach1993/table2", "5. mu times 10^4").agreement:find "differs")
        assert.equal("agrees", row("brach1993/table2", "mu times 10^4 with e rounded to 0.9941").agreement)
    end)

    it("tables 3, 5 and 7, classical columns", function()
        local columns = { P_n = "Pn", mu = "mu", V_Ct = "VCt", Omega = "Omega_deg_s", T_L = "TL" }
        local n = 0
        for id, case in pairs(brach) do
            local table_number, vt = id:match "^brach%.T(%d)%.classical%.(.*)r%d+$"
            if table_number then
                local i, name = case.inputs
                if table_number == "3" then
                    name = ({ r2 = "e R = 1", r3 = "e = 0.5", r4 = "e = 0.05" })[id:match "r%d$"]
                else
                    name = ("v_t = %g, e = %g, mu = %s"):format(i.vt, i.e, i.mu_rule)
                    assert.is_truthy(vt)
                end
                for column, key in pairs(columns) do
                    local scale = column == "T_L" and 100 or 1
                    claims("brach1993/table" .. table_number, name .. ", " .. column, scale * case.outputs[key], 1e-10)
                end
                n = n + 1
            end
        end
        assert.equal(41, n)
    end)

    it("figure 3: the gain is found and marked", function()
        claims("brach1993/fig3", "energy gained", brach["brach.text.gain12"].outputs.gain)
        assert.equal("agrees", row("brach1993/fig3", "it is marked as a gain").agreement)
    end)
end)

describe("study of Kecskemethy, Lange and Grabner (1999), figure 3", function()
    it("has the checked hypotheses, distances and orders", function()
        local names = {
            ["keck.hypotheses.2"] = "phi = 45 deg, v_x = 0.6", ["keck.hypotheses.8"] = "phi = 30 deg, v_x = 0.4",
            ["keck.hypotheses.9"] = "phi = 70 deg, v_x = 0.4",
        }
        for id, name in pairs(names) do
            local o = brach[id].outputs
            for _, law in ipairs{ "Newton", "Poisson", "Stronge" } do
                claims("kecskemethy1999/fig3", name .. ": " .. law .. ", P_x", o[law].Px)
                claims("kecskemethy1999/fig3", name .. ": " .. law .. ", P_y", o[law].Py)
                claims("kecskemethy1999/fig3", name .. ": " .. law .. ", energy lost", o[law].dT)
            end
            for kappa, key in pairs{ ["100"] = "100", ["10000"] = "10000", ["1e+06"] = "1e+06" } do
                claims("kecskemethy1999/fig3", ("%s: kappa = %s, distance to Stronge"):format(name, kappa),
                    o.distance_to_Stronge_at_kappa[key], 1e-10)
            end
            claims("kecskemethy1999/fig3", name .. ": order of convergence in 1/kappa", o.order_1e6_to_1e8, 5e-3)
        end
    end)
end)

describe("study of Sypniewska-Kaminska (2017), figure 4", function()
    it("finds each arrangement with the checked impulses", function()
        for _, a in ipairs{ "c", "d" } do
            local o = pendulum["impact-" .. a .. "-poisson"].outputs
            claims("sypniewska2017/fig4", a .. ": F", o.F)
            claims("sypniewska2017/fig4", a .. ": T", o.T)
        end
        for _, a in ipairs{ "a", "e" } do -- checked as mirror images
            local o = pendulum["impact-" .. a .. "-mirror-poisson"].outputs
            claims("sypniewska2017/fig4", a .. ": F", o.F)
            claims("sypniewska2017/fig4", a .. ": T", -o.T)
        end
        for _, a in ipairs{ "a", "b", "c", "d", "e" } do
            assert.equal("agrees", row("sypniewska2017/fig4", "arrangement " .. a).agreement)
        end
    end)
end)

describe("studies of Birlik (2012) with rigid laws", function()
    local cases = reference "birlik2012.json"
    local function outputs(id)
        local o = cases[id].outputs
        return type(o) == "string" and json.decode(o) or o
    end

    it("table 4.2 has the checked directions and eigenvalues", function()
        for i, d in ipairs(outputs("F3-60").invariant) do
            claims("birlik2012/table4_2", "phi_" .. i, d.phi, 1e-13)
            claims("birlik2012/table4_2", "phi_" .. i .. ", eigenvalue along", d.eig_s, 1e-13)
            claims("birlik2012/table4_2", "phi_" .. i .. ", eigenvalue across", d.eig_phi, 1e-13)
        end
        claims("birlik2012/table4_2", "flow change, first", outputs("F3-60").flow_change[1], 1e-13)
    end)

    it("figure 4.2 has the checked swerve", function()
        local o = outputs "SW2"
        claims("birlik2012/fig4_2", "mu = 0.5, v = (-1, -1.5): normal impulse", o.Pf)
        claims("birlik2012/fig4_2", "v_t afterwards", o.Vf[1])
        claims("birlik2012/fig4_2", "v_t2 afterwards", o.Vf[2])
        claims("birlik2012/fig4_2", "dissipated", o.dissipated)
    end)
end)

describe("study of Lai (1999), chapter 2", function()
    it("finds which laws gain energy", function()
        for _, law in ipairs{ "whittaker", "kane_levinson", "newton", "smith", "poisson", "stronge" } do
            assert.equal("agrees", row("lai1999/chapter2_laws", law).agreement)
        end
    end)
end)
