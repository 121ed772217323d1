-- A sphere falls straight on a rough rigid plane: its surface spreads as it is pressed, and rubs. No law of contact has
-- this loss; it is greatest where friction is too weak to hold and too strong to be harmless.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Micro-slip in a normal impact", source = "elastodynamics alone; compare Spence, J. Elasticity 5 (1975)",
    arguments = { ... },
}

local material = pc.material.custom{ young = 70e9, poisson = 0.3, density = 2700 }
local ball = pc.elastic.sphere{ radius = 0.05, material = material }
local friction = { 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5 }
local lost = {}
for i, mu in ipairs(friction) do
    local hit = pc.elastic.collide(ball, { vn = -5, friction = mu, radial_friction = true, cells = 10 })
    lost[i] = hit.energy.friction / hit.energy.before
    study:value(("mu = %g: share of the energy that micro-slip takes"):format(mu), nil, lost[i])
end
local most = 1
for i = 2, #lost do if lost[i] > lost[most] then most = i end end
study:statement("where it is greatest", nil, ("%.2f %% at mu = %g"):format(100 * lost[most], friction[most]),
    lost[most] > lost[1] and lost[most] > lost[#lost])
study:statement("with friction of a half the surface sticks", nil, ("%.0e of the energy"):format(lost[#lost]),
    lost[#lost] < 1e-5)
local slow = pc.elastic.collide(ball, { vn = -0.5, friction = 0.1, radial_friction = true, cells = 10 })
study:identity("mu = 0.1: the share at v = 0.5 m/s, and at 5 m/s", slow.energy.friction / slow.energy.before, lost[3])

local figure = pc.chart.figure{ title = "Normal impact on a rough plane, ν = 0.3", width = 700, height = 420 }
figure:panel{ xlabel = "μ", ylabel = "share of the energy" }:line{ friction, lost, label = "micro-slip" }
study:draw(figure, "micro_slip")
return study:finish()
