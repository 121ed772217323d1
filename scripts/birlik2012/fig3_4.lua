-- Birlik (2012), Fig 3.4: sphere that sticks first. mu = 0.5, xdot(0)/zdot(0) = 0.2, k3/k1 = 1.21.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Sphere, initial stick, force reversal, slip", source = "Birlik (2012), Fig 3.4, eqs 3.83, 3.93",
    arguments = { ... },
}

local mu, eta, ratio = 0.5, 1.21, 0.2
local body = birlik.sphere()
local law = birlik.law(eta, mu)
local hit = pc.collide(body, law, { vt = -ratio, vn = -1 })
local h = hit:scaled "birlik"
local scale = h.scale
local last = hit.phases[#hit.phases]

study:statement("order of phases", "stick, reversal, slip with s > 0", hit.regime,
    hit.regime == "stick-slip" and last.sign == 1)
study:value("slip starts, omega_0 t", nil, hit.phases[1].stop / scale.time)
study:value("force reverses, omega_0 t", nil, hit.reversals[1] / scale.time)
study:value("xdot at the end, over |zdot(0)|", nil, hit.velocity.t)

-- Two printed formulas against the exact impact. omega: tangential frequency, 3.5 k1/m.
local omega = math.sqrt(3.5 * law.tangential / body.mass)
local t = hit.phases[1].stop
local p_exact = hit.phases[1].at_stop.p_t / (body.mass * 1)
local p_printed = law.tangential / law.stiffness * -ratio * (math.cos(omega * t) - 1)
local p_correct = -ratio * (math.cos(omega * t) - 1) / 3.5
study:identity("P1 at the end of stick, corrected (3.83)", p_correct, p_exact)
study:note(string.format("Erratum: (3.83) as printed lacks 1/omega^2 and would give %.6f in the thesis' units.",
    p_printed))
local at = hit.phases[1].at_stop
local dP3 = (hit.impulse.n - at.p_n) / body.mass
study:identity("xdot at the end, corrected (3.93)", at.v_t - mu * 3.5 * dP3, hit.velocity.t)
study:note(string.format("Erratum: (3.93) as printed divides by a11 and would give %.6f.", at.v_t - mu / 3.5 * dP3))

local plot = require "percuss.plot"
study:draw(plot.cone_and_velocities(hit, "Sphere, μ = 0.5, v_t/v_n = 0.2, η = 1.21"), "fig3_4")
return study:finish()
