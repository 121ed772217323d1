-- Restitution is no property of a material alone: the coupled law's over incidence and friction, and the energy lost
-- (Lai 1999, Figs 5.18 to 5.20, a solid sphere with Poisson's ratio 0.3).
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Restitution and loss over incidence and friction", source = "Lai (1999), Figs 5.18 to 5.20",
    arguments = { ... },
}

local body = pc.body.lai{ mass = 1, lambda = 5 / 9 }

local t = pc.sweep{
    over = {
        { "mu", { 0.1, 0.2, 0.3, 0.5, 0.8, 1 } }, { "incidence", pc.linspace(0, 85, 120) * pc.deg, unit = "rad" },
    },
    columns = { "restitution", "loss" },
    run = function(p)
        local law = pc.contact.coupled{ modulus = 1, poisson = 0.3, radius = 1, friction = p.mu }
        local hit = pc.collide(body, law, { speed = 1, incidence = p.incidence })
        return { restitution = hit.restitution.kinematic, loss = hit.loss_fraction }
    end,
}

local figure = pc.chart.figure{ title = "Solid sphere, coupled law, ν = 0.3", columns = 2, width = 1300, height = 520 }
local panels = {
    figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "e", legend = true },
    figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "ΔT/T", legend = true },
}
local ranges = {}
for i, mu in ipairs(t.info.axes[1][2]:totable()) do
    local part = t:filter(t.mu:eq(mu))
    panels[1]:line{ part.incidence / pc.deg, part.restitution, label = "μ = " .. mu }
    panels[2]:line{ part.incidence / pc.deg, part.loss, label = "μ = " .. mu }
    ranges[i] = part.restitution:max() - part.restitution:min()
    study:value(string.format("mu = %g: range of e", mu), nil, ranges[i])
    study:value(string.format("mu = %g: greatest loss", mu), nil, part.loss:max())
end

local grows = true
for i = 2, #ranges do grows = grows and ranges[i] > ranges[i - 1] end
study:statement("friction and restitution", "the larger the friction, the more the restitution changes",
    grows and "the range of e grows with each mu" or "the range of e does not grow with each mu", grows)
study:identity("central impact: e", t:filter(t.incidence:eq(0)).restitution:min(), 1)
study:draw(figure, "restitution")
return study:finish()
