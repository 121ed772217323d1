-- Kecskemethy, Lange and Grabner (1999), Fig 3: a planar bar on a rough surface; the sledge (linear law) of stiffness
-- ratio kappa = c_x/c_y against the rigid hypotheses of Newton, Poisson and Stronge in the plane of impulses.
--
-- The abstract says that the hypotheses agree with the regularised model for infinite tangential stiffness. Only
-- Stronge's with E = 1 does: the normal spring is conservative, so its work ratio is 1 at any kappa, while the other
-- two ask for something else as soon as the force ratio changes between approach and rebound.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Impact hypotheses against the regularised model of an inclined bar",
    source = "Kecskemethy, Lange and Grabner (1999), Fig 3", arguments = { ... },
}

-- Unit mass, c_y = 1, velocities in units of |v_y|; phi from the plane, (l/rho)^2 = 3 for a homogeneous bar.
local function bar(phi)
    local s, c = math.sin(phi), math.cos(phi)
    return pc.body.matrix{ W = { { 1 + 3 * s * s, -3 * s * c }, { -3 * s * c, 1 + 3 * c * c } } }
end
local function sledge(kappa, mu)
    return pc.contact.linear{ stiffness = 1, stiffness_ratio = 1 / kappa, friction = mu }
end
local function hypotheses(mu)
    return {
        Newton = pc.contact.newton{ e = 1, mu = mu }, Poisson = pc.contact.poisson{ R = 1, mu = mu },
        Stronge = pc.contact.stronge{ E = 1, mu = mu },
    }
end
local order = { "Newton", "Poisson", "Stronge" }

-- Distance of two impacts in the plane of impulses.
local function distance(a, b)
    return math.sqrt((a.impulse.t - b.impulse.t) ^ 2 + (a.impulse.n - b.impulse.n) ^ 2)
end

local cases = {
    { "phi = 45 deg, v_x = 0.6", bar(45 * pc.deg), { vt = 0.6, vn = -1 }, 0.3 },
    { "phi = 30 deg, v_x = 0.4", bar(30 * pc.deg), { vt = 0.4, vn = -1 }, 0.3 },
    { "phi = 70 deg, v_x = 0.4", bar(70 * pc.deg), { vt = 0.4, vn = -1 }, 0.3 },
}
for _, case in ipairs(cases) do
    local name, body, motion, mu = table.unpack(case)
    local rigid = {}
    for _, word in ipairs(order) do
        rigid[word] = pc.collide(body, hypotheses(mu)[word], motion)
        study:value(name .. ": " .. word .. ", P_x", nil, rigid[word].impulse.t)
        study:value(name .. ": " .. word .. ", P_y", nil, rigid[word].impulse.n)
        study:value(name .. ": " .. word .. ", energy lost", nil, rigid[word].loss)
    end
    local gaps = {}
    for k, kappa in ipairs{ 0.1, 0.824, 10, 1e2, 1e4, 1e6 } do
        local hit = pc.collide(body, sledge(kappa, mu), motion)
        gaps[k] = { kappa, distance(hit, rigid.Stronge), distance(hit, rigid.Newton), distance(hit, rigid.Poisson) }
        study:value(string.format("%s: kappa = %g, distance to Stronge", name, kappa), nil, gaps[k][2])
    end
    local last, before = gaps[#gaps], gaps[#gaps - 1]
    local order_of = math.log(before[2] / last[2]) / math.log(last[1] / before[1])
    study:value(name .. ": order of convergence in 1/kappa", nil, order_of)
    study:value(name .. ": kappa = 1e6, distance to Newton", nil, last[3])
    study:value(name .. ": kappa = 1e6, distance to Poisson", nil, last[4])
    study:statement(name .. ": limit for infinite tangential stiffness", "all hypotheses",
        "Stronge with E = 1", last[2] < 1e-2 * math.min(last[3], last[4]) and "only Stronge's" or false)
end
study:note("Unit mass and unit speed of approach; a loss below zero is a gain of energy.")
study:note("Newton's hypothesis gains energy in all three cases; the work ratio of the sledge is 1 at every kappa.")
study:note("Where slip reverses without stick the stop of the sledge takes a time of order kappa^-1/2: order 1/2.")
study:note("Where slip stops for good (phi = 70 deg) the order is 1.")
local nu = 0.3
study:value("kappa of two spheres, nu = 0.3", "0.824", 2 * (1 - nu) / (2 - nu))

-- The impulse processes of the first case.
local _, body, motion, mu = table.unpack(cases[1])
local figure = pc.chart.figure{
    title = "Impact process of an inclined bar, μ = 0.3", columns = 2, width = 1300, height = 560,
}
local panel = figure:panel{ xlabel = "P_x", ylabel = "P_y", title = "impulses" }
for _, kappa in ipairs{ 0.1, 0.824, 10, 1e2, 1e6 } do
    local hit = pc.collide(body, sledge(kappa, mu), motion)
    local h = hit:trace(600)
    panel:line{ h.p_t, h.p_n, label = string.format("κ = %g", kappa), dash = "solid" }
end
for i, word in ipairs(order) do
    local path = pc.impulse.path(pc.collide(body, hypotheses(mu)[word], motion))
    panel:line{ path.p_t, path.p_n, label = word, dash = i == 1 and "dashed" or i == 2 and "dotted" or "dash_dot",
        colour = "black" }
    panel:scatter{ { path.p_t[#path.p_t] }, { path.p_n[#path.p_n] }, colour = "black" }
end
local kappas = pc.logspace(0.1, 1e6, 71)
local convergence = figure:panel{ xlabel = "κ", ylabel = "distance to Stronge, E = 1", xlog = true, ylog = true }
for _, case in ipairs(cases) do
    local name, b, m, friction = table.unpack(case)
    local stronge = pc.collide(b, hypotheses(friction).Stronge, m)
    local gap = kappas:map(function(kappa) return distance(pc.collide(b, sledge(kappa, friction), m), stronge) end)
    convergence:line{ kappas, gap, label = name, dash = "solid" }
end
study:draw(figure, "fig3")
return study:finish()
