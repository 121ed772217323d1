-- Birlik (2012), Fig 4.14: the wedging map. Critical angle of a pendulum over friction for several stiffness ratios.
--
-- A pendulum struck at an angle below the critical one does not rebound. Exactly, with T = tan(theta):
--   mu eta T^2 + (1 + 3 mu^2 eta) T - mu = 0.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "When does a pendulum wedge?", source = "Birlik (2012), Fig 4.14", arguments = { ... },
}

local ratios = { 1.21, 0.1, 0.01, 0.001 }
local friction = pc.linspace(0.001, 1, 400)
local figure = pc.chart.figure{
    title = "Pendulum: wedged below the line", columns = 2, width = 1200, height = 500,
}
local lines = figure:panel{ title = "critical angle", xlabel = "μ", ylabel = "θ_cr [deg]", legend = true }
for _, eta in ipairs(ratios) do
    lines:line{ friction, friction:map(function(mu) return pc.critical_angle(mu, eta) / pc.deg end),
        label = string.format("η = %g", eta) }
end
lines:line{ friction, friction:map(function(mu) return math.atan(mu) / pc.deg end), label = "rigid", dash = "dashed" }

-- The same as a map: one impact at each point of a grid, against the exact line.
local n_mu, n_theta = 60, 45
local grid_mu, grid_theta = pc.array(n_mu * n_theta, 0), pc.array(n_mu * n_theta, 0)
for i = 1, n_mu do
    for k = 1, n_theta do
        grid_mu[(i - 1) * n_theta + k] = 1.2 * i / n_mu
        grid_theta[(i - 1) * n_theta + k] = 18 * k / n_theta * pc.deg
    end
end
local any_body = birlik.pendulum(15)
local any_law = birlik.law(1.21, 0)
local map = pc.map(any_body, any_law, { angle = grid_theta, friction = grid_mu, rate = -6, columns = { "outcome" } })
local wedged = map.outcome:eq(1)
local trials = figure:panel{ title = "impacts, η = 1.21", xlabel = "μ", ylabel = "θ [deg]", legend = true }
trials:scatter{ grid_mu[wedged], grid_theta[wedged] / pc.deg, label = "wedged" }
local wide = pc.linspace(0.001, 1.2, 400)
trials:line{ wide, wide:map(function(mu) return pc.critical_angle(mu, 1.21) / pc.deg end), label = "exact" }

-- The line against trial impacts: the verdict just below and just above it.
local checked, agreed = 0, 0
for _, eta in ipairs(ratios) do
    for mu = 0.1, 1.001, 0.1 do
        for _, side in ipairs{ -1, 1 } do
            local theta = pc.critical_angle(mu, eta) * (1 + side * 1e-6)
            local body = birlik.pendulum(theta / pc.deg)
            local law = birlik.law(eta, mu)
            checked = checked + 1
            if pc.collide(body, law, { rate = -6 }).wedged == (side < 0) then agreed = agreed + 1 end
        end
    end
end
study:statement("impacts 1e-6 below and above the line", nil,
    string.format("%d of %d on the right side", agreed, checked),
    agreed == checked)

local theta, mu = pc.greatest_critical_angle(1.21)
study:value("eta = 1.21: greatest critical angle", nil, theta / pc.deg, "deg")
study:value("eta = 1.21: friction there", nil, mu)
study:identity("the same, tan = tan(15 deg)/sqrt(eta)", math.tan(theta), math.tan(15 * pc.deg) / math.sqrt(1.21))
study:identity("the same, mu = 1/sqrt(3 eta)", mu, 1 / math.sqrt(3 * 1.21))
study:statement("curves rise and fall for high k3/k1, rise for low", "yes",
    "every curve has its maximum at 1/sqrt(3 eta)",
    "right over the plotted range only")
study:draw(figure, "fig4_14")
return study:finish()
