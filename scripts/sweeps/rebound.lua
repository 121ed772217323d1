-- Where a ball goes: rebound over incidence of four bodies by four laws, in the quantities of Maw, Barber and Fawcett
-- (Lai 1999, Figs 5.14 to 5.17), and how far each law is from the continuum.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Rebound of sphere, disc, shell and hoop by four laws", source = "Lai (1999), Figs 5.14 to 5.17",
    arguments = { ... },
}

local nu, mu = 0.3, 0.5
local kappa = (2 - nu) / (3 * (1 - nu))
local scale = 1.5 * kappa * mu -- v_t/|v_n| = scale psi

local bodies = { { "sphere", 5 / 9 }, { "disc", 1 / 2 }, { "shell", 3 / 7 }, { "hoop", 1 / 3 } }
local hertz = { modulus = 1, poisson = nu, radius = 1, friction = mu }
local laws = {
    -- springs of the same stiffness ratio as the no-slip Hertz contact
    { "linear", pc.contact.linear{ stiffness = 1, stiffness_ratio = 1.5 * kappa, friction = mu } },
    { "coupled", pc.contact.coupled(hertz) },
    { "rigid", pc.contact.stronge{ restitution = 1, friction = mu } },
    { "continuum", pc.contact.maw{ modulus = 1, poisson = nu, radius = 1, friction = mu, tolerance = 1e-4 } },
}

local t = pc.sweep{
    over = {
        { "body", { 1, 2, 3, 4 } }, { "law", { 1, 2, 3, 4 } }, { "psi1", pc.linspace(0.1, 8, 80) },
    },
    columns = { "psi2" },
    run = function(p)
        local body = pc.body.lai{ mass = 1, lambda = bodies[p.body // 1][2] }
        local hit = pc.collide(body, laws[p.law // 1][2], { vt = scale * p.psi1, vn = -1 })
        return { psi2 = hit.velocity.t / scale }
    end,
}

local figure = pc.chart.figure{ title = "ψ_2 over ψ_1, ν = 0.3, μ = 0.5", columns = 2, width = 1200, height = 900 }

local farther = true
for b, body in ipairs(bodies) do
    local panel = figure:panel{ title = body[1], xlabel = "ψ_1", ylabel = "ψ_2", legend = true }
    local of_body = t:filter(t.body:eq(b))
    local distance = {}
    local reference = of_body:filter(of_body.law:eq(4)).psi2
    for l, law in ipairs(laws) do
        local part = of_body:filter(of_body.law:eq(l))
        panel:line{ part.psi1, part.psi2, label = law[1] }
        if l < 4 then
            distance[law[1]] = (part.psi2 - reference):abs():max()
            study:value(string.format("%s: %s, greatest distance from the continuum", body[1], law[1]), nil,
                distance[law[1]])
        end
    end
    farther = farther and distance.linear < distance.coupled
end
study:statement("linear springs and the coupled law", nil,
    farther and "the springs come closer to the continuum, for all four bodies" or
    "the coupled law comes closer for some body", farther)
study:draw(figure, "rebound")
return study:finish()
