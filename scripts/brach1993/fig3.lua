-- Brach (1993), Fig 3: kinetic energy lost over the impulse ratio, v_t = 0.2 m/s; curves of e (thin), of Stronge's E
-- (heavy, over friction), and the bounds OC (mu = 0), AA' (mu = mu_T) and A'B (mu = mu_0). The part that gains energy
-- is drawn, and marked.
local pc = require "percuss"
local brach = require "percuss.brach"
local restitution = require "percuss.loss_curves"
local study = require("percuss.study").new{
    title = "Energy lost by a slender rod over the impulse ratio",
    source = "Brach (1993), Fig 3 and the text around it", arguments = { ... },
}

local rod, motion = brach.rod, brach.motion(0.2)
local curves = pc.loss_curves(rod, motion, { ratio = pc.linspace(0, 0.7, 281) }).curves

-- The text: e = 1 and f = 0.9 give mu = 0.5319 and a gain of more than 12 per cent.
local hit = pc.collide(rod, pc.contact.newton{ e = 1, mu = 0.9 }, motion)
study:value("mu for e = 1, f = 0.9", "0.5319", hit.impulse_ratio.total)
study:value("energy gained", "0.12", -hit.loss_fraction)
study:statement("it is marked as a gain", nil, tostring(hit.flags.gained_energy), hit.flags.gained_energy == true)
local bounds = pc.impulse.bounds(rod, motion, 1)
study:value("mu_T at e = 1", nil, bounds.lossless[2])
study:value("mu_0 at e = 1", nil, bounds.sticking)
study:identity("mu_T at e = 1 is mu_max, mu_0 at e = 0", bounds.lossless[2], bounds.greatest_loss)
for i, curve in ipairs(curves) do
    study:value(string.format("greatest loss, e = %g", curve.restitution), nil, curve.loss:max())
    if i == 1 then study:value("mu at which it is reached", nil, curve.ratio[curve.loss:argmax()]) end
end

local figure = pc.chart.figure{ title = "Energy lost by a slender rod, v_t = 0.2 m/s", width = 900, height = 640 }
local panel = figure:panel{ xlabel = "impulse ratio μ", ylabel = "fraction of energy lost", legend = true,
    xlim = { 0, 0.7 } }
for _, curve in ipairs(curves) do
    panel:line{ curve.ratio, curve.loss, colour = "grey", dash = "solid", label = curve.restitution == 0 and
        "e = 0, 0.5, 1" or nil }
    panel:line{ curve.ratio, curve.gains, colour = "vermillion", dash = "solid", width = 2,
        label = curve.restitution == 1 and "energy gained" or nil }
end
for i, E in ipairs{ 0, 0.5, 1 } do
    local ratio, loss = pc.array.zeros(200), pc.array.zeros(200)
    for k = 1, 200 do
        local h = pc.collide(rod, pc.contact.stronge{ E = E, mu = 1.2 * (k - 1) / 199 }, motion)
        ratio[k], loss[k] = h.impulse_ratio.total, h.loss_fraction
    end
    panel:line{ ratio, loss, colour = "blue", dash = i == 1 and "solid" or i == 2 and "dashed" or "dotted", width = 2.5,
        label = string.format("E = %g, all frictions", E) }
end
local mu_0, at_mu_0 = restitution.sticking_bound(rod, motion, 101)
panel:line{ mu_0, at_mu_0, colour = "green", dash = "dash_dot", label = "A'B: μ = μ_0" }
panel:line{ { 0, bounds.lossless[2] }, { 0, 0 }, colour = "black", dash = "solid", width = 1.5, label = "AA': no loss" }
study:draw(figure, "fig3")
return study:finish()
