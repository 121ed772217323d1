-- Birlik (2012), Fig 4.17: wedging range in friction at one angle. theta = 26 deg, k3/k1 = 0.01.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Between which frictions does the pendulum wedge?", source = "Birlik (2012), Fig 4.17", arguments = { ... },
}

local eta, theta = 0.01, 26 * pc.deg
local low, high = pc.wedging_range(theta, eta)
study:value("wedges from mu =", nil, low)
study:value("wedges up to mu =", nil, high)
study:statement("rebounds up to mu = 0.4, wedges above", "for any mu above", "rebounds again above 67.7",
    "right over the plotted range only")

local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = theta }
local figure = pc.chart.figure{ title = "Pendulum, θ = 26°, η = 0.01", columns = 2, width = 1200, height = 500 }
local forces = figure:panel{ xlabel = "ω_0 t", ylabel = "F_n / (k_n |v_n(0)|/ω_0)", legend = true }
local speeds = figure:panel{ xlabel = "ω_0 t", ylabel = "v_t / v_t(0)", legend = true }
for _, mu in ipairs{ 0.1, 0.4, 0.49, 0.5, 1.0 } do
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
    local hit = pc.collide(body, law, { rate = -6 })
    local inside = mu > low and mu < high
    study:statement(string.format("mu = %g", mu), nil, hit.outcome, hit.wedged == inside)
    local h = hit:scaled("birlik", { points = 800 })
    forces:line{ h.t, h.F_n, label = string.format("μ = %g", mu) }
    speeds:line{ h.t, h.v_t / h.v_t[1], label = string.format("μ = %g", mu) }
end
study:draw(figure, "fig4_17")
return study:finish()
