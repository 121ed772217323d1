-- Birlik (2012), Fig 3.5: sphere that slips first. mu = 0.5, xdot(0)/zdot(0) = 1, k3/k1 = 1.21; and eq 3.67.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Sphere, initial slip, stick, slip the other way", source = "Birlik (2012), Fig 3.5, eq 3.67",
    arguments = { ... },
}

local mu, eta, ratio = 0.5, 1.21, 1
local body = birlik.sphere()
local law = birlik.law(eta, mu)
local hit = pc.collide(body, law, { vt = -ratio, vn = -1 })
local h = hit:scaled "birlik"

study:statement("order of phases", "slide, stick, slide again in the positive direction", hit.regime,
    hit.regime == "slip-stick-slip" and hit.phases[3].sign == 1)
local t_lt = hit.phases[1].stop / h.scale.time
study:value("slip ends, omega_0 t", nil, t_lt)

-- (3.67) for a sphere (a11 = 3.5, a13 = 0, a33 = 1, s = -1): corrected and as printed.
local s = -1
local A = -3.5 * mu * s
study:identity("slip ends, corrected (3.67)", math.acos((A - ratio) / (A + mu * s * eta)), t_lt)
study:note(string.format("Erratum: (3.67) as printed has +mu s eta in the denominator and would give %.6f.",
    math.acos((ratio - A) / (mu * s * eta - A))))
study:value("force reverses, omega_0 t", nil, hit.reversals[1] / h.scale.time)
study:value("stick ends, omega_0 t", nil, hit.phases[2].stop / h.scale.time)
study:value("xdot at the end, over |zdot(0)|", nil, hit.velocity.t)
study:value("lost, of the greatest possible loss", nil, hit.loss_of_max)

local plot = require "percuss.plot"
study:draw(plot.cone_and_velocities(hit, "Sphere, μ = 0.5, v_t/v_n = 1, η = 1.21"), "fig3_5")
return study:finish()
