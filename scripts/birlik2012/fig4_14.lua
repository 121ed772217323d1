-- Birlik (2012), Fig 4.14: the wedging map. Critical angle of a pendulum over friction for several stiffness ratios.
--
-- A pendulum struck at an angle below the critical one does not rebound. Exactly, with T = tan(theta):
--   mu eta T^2 + (1 + 3 mu^2 eta) T - mu = 0.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "When does a pendulum wedge?", source = "Birlik (2012), Fig 4.14", arguments = { ... },
}

local ratios = { 1.21, 0.1, 0.01, 0.001 }
local friction = pc.linspace(0.001, 1, 400)
local figure = pc.chart.figure{ title = "Critical angle of a pendulum: wedged below the line" }
local panel = figure:panel{ xlabel = "μ", ylabel = "critical angle θ_cr [deg]", legend = true }

for _, eta in ipairs(ratios) do
    panel:line{ friction, friction:map(function(mu) return pc.critical_angle(mu, eta) / pc.deg end),
        label = string.format("η = %g", eta) }
end
panel:line{ friction, friction:map(function(mu) return math.atan(mu) / pc.deg end), label = "rigid", dash = "dashed" }

-- The line against trial impacts: the verdict just below and just above it.
local checked, agreed = 0, 0
for _, eta in ipairs(ratios) do
    for mu = 0.1, 1.001, 0.1 do
        for _, side in ipairs{ -1, 1 } do
            local theta = pc.critical_angle(mu, eta) * (1 + side * 1e-6)
            local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = theta }
            local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
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
