-- Birlik (2012), Fig 4.11: dissipation and final speed of a pendulum over
-- friction, k3/k1 = 1.21, theta = 30, 45, 60 deg.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Pendulum: dissipation and final speed over friction, eta = 1.21", source = "Birlik (2012), Fig 4.11",
    arguments = { ... },
}

local eta = 1.21
local friction = pc.linspace(0.005, 1.5, 300)
local figure = pc.chart.figure{ title = "Pendulum, η = 1.21", columns = 2, width = 1200, height = 500 }
local losses = figure:panel{ xlabel = "μ", ylabel = "lost fraction of the energy", legend = true }
local speeds = figure:panel{ xlabel = "μ", ylabel = "V(end) / V(0)", legend = true }

for _, theta in ipairs{ 30, 45, 60 } do
    local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = theta * pc.deg }
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = 0 }
    local map = pc.map(body, law, { rate = -6, friction = friction })
    local label = string.format("θ = %d°", theta)
    losses:line{ friction, map.loss_fraction, label = label }
    speeds:line{ friction, map.vn / -map.vn0, label = label }

    local mu, loss = pc.friction_of_greatest_loss(theta * pc.deg, eta)
    study:value(string.format("theta = %d deg: friction of greatest loss", theta), nil, mu)
    study:value(string.format("theta = %d deg: greatest loss, fraction", theta), nil, loss)
    -- the same by trying: three impacts around the stated maximum
    local function loss_at(m)
        return pc.collide(body, pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = m },
            { rate = -6 }).loss_fraction
    end
    local top = loss_at(mu)
    study:statement(string.format("theta = %d deg: a maximum", theta), nil, string.format("loss %.9g", top),
        top >= loss_at(mu * 0.99) and top >= loss_at(mu * 1.01))
end
study:note("Erratum: the conclusions call this a local minimum of the loss; it is a maximum.")
study:draw(figure, "fig4_11")
return study:finish()
