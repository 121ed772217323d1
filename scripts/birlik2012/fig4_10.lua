-- Birlik (2012), Fig 4.10: works when slip comes first (eqs 4.63 to 4.68). Parameters of Fig 4.6.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Works by phase, and where the energy goes", source = "Birlik (2012), Fig 4.10, eqs 4.63 to 4.68",
    arguments = { ... },
}

local mu, eta, theta = 0.5, 1.21, 30 * pc.deg
local body = birlik.pendulum(theta / pc.deg)
local law = birlik.law(eta, mu)
local hit = pc.collide(body, law, { rate = -6 })
local h = hit:scaled "birlik"
local unit = h.scale.energy
local first, stick, second = table.unpack(hit.phases)

study:value("W11, slip before stick", nil, first.work.tangential / unit)
study:value("W13, stick", nil, stick.work.tangential / unit)
study:value("W12, slip after stick", nil, second.work.tangential / unit)
study:value("W1f, friction before stick", nil, first.work.friction / unit)
study:value("W2f, friction after stick", nil, second.work.friction / unit)
local loss = (hit.energy.before - hit.energy.after) / unit
study:value("T0 - Tf", nil, loss)
study:identity("-(W11 + W13 + W12)",
    -(first.work.tangential + stick.work.tangential + second.work.tangential) / unit, loss)
study:identity("-(W1f + W2f)", -(first.work.friction + second.work.friction) / unit, loss)
-- Closed forms of the two losses, as fractions of T0.
local T = math.tan(theta)
local D1 = mu * (1 - mu * eta * T) / (mu + T)
study:identity("D1, closed form", D1, -first.work.friction / hit.energy.before)
study:identity("D2, closed form", D1 * (1 - mu * eta * T) / (1 + mu * eta * T),
    -second.work.friction / hit.energy.before)
study:note("Errata: the upper limit of (4.63) is t_lt (as printed the work of stick is counted twice).")
study:note(string.format(
    "(4.68) needs minus signs, and its kinetic energy is J22 thetadot^2/2: m V^2/2 would give %.7f.",
    0.5 * ((hit.velocity_before.t ^ 2 + hit.velocity_before.n ^ 2) - (hit.velocity.t ^ 2 + hit.velocity.n ^ 2))
    * body.mass / unit))

local figure = pc.chart.figure{
    title = "Pendulum, θ = 30°, μ = 0.5, η = 1.21", columns = 2, width = 1200, height = 500,
}
local works = figure:panel{ xlabel = "ω_0 t", ylabel = "work / (m v_n(0)^2)", legend = true }
works:line{ h.t, h.W_t, label = "W_t" }
works:line{ h.t, h.W_n, label = "W_n", dash = "dashed" }
works:line{ h.t, h.W_f, label = "W_f", dash = "dotted" }
local energies = figure:panel{ xlabel = "ω_0 t", ylabel = "energy / (m v_n(0)^2)", legend = true }
energies:line{ h.t, h.energy, label = "kinetic" }
energies:line{ h.t, -h.W_f, label = "dissipated", dash = "dashed" }
energies:line{ h.t, h.energy[1] - h.energy + h.W_f, label = "in the springs", dash = "dotted" }
study:draw(figure, "fig4_10")
return study:finish()
