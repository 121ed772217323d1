-- Birlik (2012), Fig 4.15: forces just above and just below the critical angle. mu = 1, k3/k1 = 0.1.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Just above and just below the critical angle", source = "Birlik (2012), Fig 4.15", arguments = { ... },
}

local law = birlik.law(0.1, 1)
local function strike(degrees)
    local body = birlik.pendulum(degrees)
    return pc.collide(body, law, { rate = -6 })
end
local above, below = strike(36.08), strike(36.07)
study:statement("theta = 36.08 deg", "rebounds", above.outcome, above.outcome == "rebound")
study:statement("theta = 36.07 deg", "persists", below.outcome, below.outcome == "wedged")
study:value("critical angle", "36.07", pc.critical_angle(1, 0.1) / pc.deg, "deg")
local unit = above:scaled "birlik".scale.time
study:value("36.08 deg: duration, omega_0 t", nil, above.duration / unit)
study:value("36.08 deg: final over initial speed", nil, above.velocity.n / -above.velocity_before.n)
local last = below.phases[#below.phases]
study:value("36.07 deg: last slip stops, omega_0 t", nil, last.start / below:scaled "birlik".scale.time)
study:value("36.07 deg: friction's share of the energy up to there", nil, -below.work.friction / below.energy.before)
study:statement("forces of the wedged contact", "go to infinity", "stay bounded: it vibrates in stick for ever",
    "they grow only if slip is continued past its stop")

local figure = pc.chart.figure{ title = "Pendulum, μ = 1, η = 0.1", columns = 2, width = 1200, height = 500 }
for _, case in ipairs{ { above, "θ = 36.08°" }, { below, "θ = 36.07°" } } do
    local h = case[1]:scaled("birlik", { stop = case[1].wedged and 1.5 * last.start or nil, points = 800 })
    local panel = figure:panel{
        title = case[2], xlabel = "ω_0 t", ylabel = "force / (k_n |v_n(0)|/ω_0)", legend = true,
    }
    panel:line{ h.t, h.F_n, label = "F_n" }
    panel:line{ h.t, h.F_t, label = "F_t", dash = "dashed" }
end
study:draw(figure, "fig4_15")
return study:finish()
