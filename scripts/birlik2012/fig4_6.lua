-- Birlik (2012), Fig 4.6: pendulum that slips first. theta = 30 deg, mu = 0.5, k3/k1 = 1.21, R = 5 mm, L = 0.1 m.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local plot = require "percuss.plot"
local study = require("percuss.study").new{
    title = "Pendulum: slip, stick from the turning point, slip back", source = "Birlik (2012), Fig 4.6",
    arguments = { ... },
}

local mu, eta, theta = 0.5, 1.21, 30 * pc.deg
local body = birlik.pendulum(theta / pc.deg)
local law = birlik.law(eta, mu)
local hit = pc.collide(body, law, { rate = -6 })
local scale = hit:scaled "birlik".scale
local T = math.tan(theta)

study:statement("phases", "slide, stick, slide", hit.regime, hit.regime == "slip-stick-slip")
study:value("V1(0)/V3(0)", "1.73", hit.velocity_before.t / hit.velocity_before.n)
study:statement("stick starts when the pendulum stops", "yes",
    string.format("slip ends at %.9g, compression at %.9g", hit.phases[1].stop / scale.time,
        hit.compression_time / scale.time),
    math.abs(hit.phases[1].stop / hit.compression_time - 1) < 1e-12)
study:value("slip ends, omega_0 t", nil, hit.phases[1].stop / scale.time)
study:value("force reverses, omega_0 t", nil, hit.reversals[1] / scale.time)
study:value("stick ends, omega_0 t", nil, hit.phases[2].stop / scale.time)
study:value("duration, omega_0 t", nil, hit.duration / scale.time)
local speed = -hit.velocity.n / hit.velocity_before.n
study:value("final over initial speed", nil, speed)
-- Closed form beyond the thesis: (Vf/V0)^2 = (T - mu)/(T + mu) + 4 mu^2 eta T/((T + mu)(1 + mu eta T)).
study:identity("final over initial speed, closed form",
    math.sqrt((T - mu) / (T + mu) + 4 * mu ^ 2 * eta * T / ((T + mu) * (1 + mu * eta * T))), speed)
study:value("lost fraction of the energy", nil, hit.loss_fraction)

study:draw(plot.cone_and_velocities(hit, "Pendulum, θ = 30°, μ = 0.5, η = 1.21"), "fig4_6")
return study:finish()
