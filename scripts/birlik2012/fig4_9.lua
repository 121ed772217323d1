-- Birlik (2012), Fig 4.9: works in gross stick. Pendulum, theta = 70 deg, mu = 0.5, k3/k1 = 1.21 (eqs 4.61, 4.62).
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Works in gross stick: all of it comes back", source = "Birlik (2012), Fig 4.9, eqs 4.61, 4.62",
    arguments = { ... },
}

local body = birlik.pendulum(70)
local law = birlik.law(1.21, 0.5)
local hit = pc.collide(body, law, { rate = -6 })
local h = hit:scaled "birlik"
local energy = h.scale.energy

-- Compression ends where the pendulum turns; what comes after is restitution.
local turn = hit:at(hit.compression_time)
study:value("W1c / (m zdot0^2)", nil, turn.W_t / energy)
study:value("W1r / (m zdot0^2)", nil, (hit.work.tangential - turn.W_t) / energy)
study:value("W3c / (m zdot0^2)", nil, turn.W_n / energy)
study:value("W3r / (m zdot0^2)", nil, (hit.work.normal - turn.W_n) / energy)
study:value("W1c + W1r", "0", hit.work.tangential / energy)
study:value("W3c + W3r", "0", hit.work.normal / energy)

local figure = pc.chart.figure{ title = "Pendulum, θ = 70°, μ = 0.5, η = 1.21" }
local panel = figure:panel{ xlabel = "ω_0 t", ylabel = "work / (m v_n(0)^2)", legend = true }
panel:line{ h.t, h.W_t, label = "W_t" }
panel:line{ h.t, h.W_n, label = "W_n", dash = "dashed" }
study:draw(figure, "fig4_9")
return study:finish()
