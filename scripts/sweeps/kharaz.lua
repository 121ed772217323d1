-- Friction, restitution and stiffness ratio from a measurement: 5 mm aluminium oxide spheres on glass at 3.9 m/s, of
-- which tangential restitution, spin and rebound angle were measured over incidence (Kharaz, Gorham and Salman 2001).
-- The linear law is fitted to all three at once.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "The linear law fitted to oblique impacts of spheres",
    source = "Kharaz, Gorham and Salman, Powder Technology 120 (2001)", arguments = { ... },
}

-- kind 1: tangential restitution of the centre; 2: spin, rad/s; 3: rebound angle of the centre, deg
local measured = {
    { 1, 1.84, 0.79344 }, { 1, 3.703, 0.74533 }, { 1, 9.496, 0.67257 }, { 1, 20.012, 0.59691 }, { 1, 30.127, 0.68756 },
    { 1, 39.382, 0.77148 }, { 1, 49.694, 0.84761 }, { 1, 60.02, 0.90142 },
    { 2, 6.143, 136.18 }, { 2, 10.991, 265.69 }, { 2, 21.251, 577.65 }, { 2, 31.157, 612.88 }, { 2, 39.143, 595.49 },
    { 2, 50.348, 453.21 }, { 2, 60.328, 382.09 },
    { 3, 2.15, 1.733 }, { 3, 4.096, 2.962 }, { 3, 9.826, 6.518 }, { 3, 20.567, 12.208 }, { 3, 30.29, 21.67 },
    { 3, 39.535, 32.613 }, { 3, 49.747, 45.125 }, { 3, 60.208, 57.474 },
}
-- Standard deviations that make the three comparable: about the scatter of the points around a smooth curve.
local sigma = { 0.02, 15, 0.5 }

local kinds, incidence, values, sigmas = {}, {}, {}, {}
for i, row in ipairs(measured) do
    kinds[i], incidence[i], values[i], sigmas[i] = row[1], row[2] * pc.deg, row[3], sigma[row[1]]
end
local data = pc.table{
    { "kind", kinds }, { "incidence", incidence, unit = "rad" }, { "value", values }, { "sigma", sigmas },
}

local ball = pc.body.sphere{ radius = 2.5e-3, density = 3950 }

local function predict(p, row)
    local law = pc.contact.linear{ stiffness = 1e7, stiffness_ratio = p.eta, friction = p.mu, restitution = p.e }
    local vt, vn = 3.9 * math.sin(row.incidence), -3.9 * math.cos(row.incidence)
    local hit = pc.collide(ball, law, { v = { vt, vn }, omega = 0 })
    if row.kind == 1 then return hit.body.v[1] / vt end
    if row.kind == 2 then return math.abs(hit.body.omega) end
    return math.atan(hit.body.v[1], hit.body.v[2]) / pc.deg
end

local fit = pc.fit(data, predict, {
    { "mu", 0.2, lo = 0, hi = 1 }, { "e", 0.9, lo = 0.3, hi = 1 }, { "eta", 1, lo = 0.1, hi = 5 },
}, { columns = "value", sigma = "sigma" })
study:say(tostring(fit))

local printed = { mu = "0.092", e = "0.98" }
for _, name in ipairs(fit.names) do
    study:value(name, printed[name], fit.values[name])
    study:value(name .. ", standard deviation", nil, fit.errors[name])
end
study:value("sum of squares for each degree of freedom", nil, fit.chi2 / fit.degrees)
local mu_near = math.abs(fit.values.mu - 0.092) < 3 * fit.errors.mu
study:statement("friction", "0.092", string.format("%.4f with a standard deviation of %.4f", fit.values.mu,
    fit.errors.mu), mu_near)

-- The measurements with the fit and its band of two standard deviations.
local figure = pc.chart.figure{ title = "5 mm alumina spheres on glass, 3.9 m/s", columns = 3, width = 1700,
    height = 500 }
local labels = {
    { "tangential restitution" }, { "spin", "rad/s" }, { "rebound angle", "deg" },
}
for kind, label in ipairs(labels) do
    local part = data:filter(data.kind:eq(kind))
    local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = label[1], yunit = label[2] }
    local angles = pc.linspace(1, 62, 123) * pc.deg
    local band = fit:band(pc.table{ { "kind", pc.array.full(#angles, kind) }, { "incidence", angles } })
    panel:line{ angles / pc.deg, band.value, label = "fit" }
    panel:line{ angles / pc.deg, band.value + 2 * band.value_error, dash = "dotted", label = "two deviations",
        colour = "grey" }
    panel:line{ angles / pc.deg, band.value - 2 * band.value_error, dash = "dotted", colour = "grey" }
    panel:scatter{ part.incidence / pc.deg, part.value, label = "measured" }
end
study:draw(figure, "kharaz")
return study:finish()
