-- Birlik (2012), Fig 4.5: pendulum in gross stick. theta = 70 deg, mu = 0.5, k3/k1 = 1.21, R = 5 mm, L = 0.1 m.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local plot = require "percuss.plot"
local study = require("percuss.study").new{
    title = "Pendulum in gross stick", source = "Birlik (2012), Fig 4.5", arguments = { ... },
}

local mu, eta, theta = 0.5, 1.21, 70 * pc.deg
local body = birlik.pendulum(theta / pc.deg)
local law = birlik.law(eta, mu)
local hit = pc.collide(body, law, { rate = -6 })
local before = hit.velocity_before

study:statement("phases", "stick, no loss", hit.regime, hit.regime == "gross stick")
study:value("lost fraction", "0", hit.loss_fraction)
study:value("V1(0)/V3(0) of a pendulum at 70 deg", "2.75", before.t / before.n)
study:value("tan(70 deg)", "2.75", math.tan(theta))
study:note("Erratum: the caption's ratio 2.75 is V3/V1 = tan(theta). A pendulum has V1/V3 = cot(theta) = 0.364.")

-- What the printed ratio would mean: the same W struck at V1/V3 = 2.75, which no pendulum can do.
local free = pc.body.matrix{ W = body.W }
local literal = pc.collide(free, law, { vt = -2.75, vn = -1 })
study:note("Taken literally, 2.75 is beyond mu k3/k1 = 0.605 and gives " .. literal.regime .. ", not stick.")

-- Gross stick: one frequency, duration pi/omega_s, omega_s^2 = c (k1 cos^2 + k3 sin^2).
local c = 0.1 ^ 2 / (body.mass * (0.1 ^ 2 + 0.4 * 5e-3 ^ 2))
local omega = math.sqrt(c * (law.tangential * math.cos(theta) ^ 2 + law.stiffness * math.sin(theta) ^ 2))
study:identity("duration against pi/omega_s", hit.duration, math.pi / omega, "s")

study:draw(plot.cone_and_velocities(hit, "Pendulum, θ = 70°, μ = 0.5, η = 1.21: gross stick"), "fig4_5")
return study:finish()
