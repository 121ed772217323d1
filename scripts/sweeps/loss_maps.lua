-- How much a pendulum loses over friction and angle: the curves of Birlik (2012), Figs 4.11 and 4.12, as maps. Inside
-- the wedged region everything is lost.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Loss of a pendulum over friction and angle", source = "Birlik (2012), Figs 4.11 and 4.12",
    arguments = { ... },
}

local n_angle, n_friction = 160, 200
local figure = pc.chart.figure{ title = "Fraction of the energy lost", columns = 2, width = 1300, height = 520 }

for _, eta in ipairs{ 1.21, 0.25 } do
    local t = pc.sweep{
        over = {
            { "mu", pc.linspace(0, 2, n_friction) },
            { "theta", pc.linspace(2, 75, n_angle) * pc.deg, unit = "rad" },
        },
        columns = { "loss", "wedged" },
        run = function(p)
            local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = p.theta }
            local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = p.mu }
            local hit = pc.collide(body, law, { rate = -6 })
            return { loss = hit.loss_fraction, wedged = hit.wedged }
        end,
    }
    local panel = figure:panel{ title = "η = " .. eta, xlabel = "μ", ylabel = "θ", yunit = "deg", legend = false }
    local axes = t.info.axes
    panel:heatmap{ axes[1][2], axes[2][2] / pc.deg, t.loss, label = "ΔT/T", lim = { 0, 1 } }
    panel:contour{ axes[1][2], axes[2][2] / pc.deg, t.loss, levels = { 0.1, 0.2, 0.3, 0.4, 0.5 }, colour = "white" }

    local name = string.format("eta = %g", eta)
    study:value(name .. ": greatest loss of a rebound", nil, t.loss:where(t.wedged:eq(0)):max())
    study:identity(name .. ": loss where it wedges", t.loss:where(t.wedged:eq(1)):min(), 1)
    study:identity(name .. ": loss without friction", t.loss:where(t.mu:eq(0)):max(), 0)
    -- the figures' curves: a greatest loss at a friction below that of wedging
    for _, degrees in ipairs{ 30, 45, 60 } do
        local near = t.theta - degrees * pc.deg
        local row = t:filter(near:abs():eq(near:abs():min()))
        local peak = row.loss:argmax()
        study:value(string.format("%s, %.1f deg: mu of greatest loss", name, row.theta[1] / pc.deg), nil, row.mu[peak])
        study:value(string.format("%s, %.1f deg: loss there", name, row.theta[1] / pc.deg), nil, row.loss[peak])
    end
end

study:draw(figure, "loss_maps")
return study:finish()
