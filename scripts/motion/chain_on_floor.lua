-- A chain of ten links falls onto a floor: thousands of impacts, contacts that last, and a ledger that closes.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A chain of ten links on a floor", source = "Balance of energy", arguments = { ... },
}

local links, angles = {}, {}
for i = 1, 10 do links[i], angles[i] = { mass = 0.1, length = 0.1, damping = 1e-4 }, 1.4 end
local world = pc.scene{
    pc.chain{ links = links, angles = angles, touch = "joints" }, pc.floor{ depth = 0.5 },
    contact = pc.contact.poisson{ restitution = 0.3, friction = 0.3 },
}
local run = pc.simulate(world, { duration = 2 })

local kinds = {}
for _, event in ipairs(run.events) do kinds[event.kind] = (kinds[event.kind] or 0) + 1 end
for _, kind in ipairs{ "impact", "accumulation", "contact", "lift_off", "stick", "slip" } do
    study:value("events: " .. kind, nil, kinds[kind] or 0)
end
local c, worst, low = run:columns(0.005), 0, math.huge
for i = 1, #c.t do
    worst = math.max(worst, math.abs(c.energy[i] + c.damped[i] + c.friction[i] + c.lost[i] - c.energy[1]))
end
for joint = 1, 10 do low = math.min(low, c["gap" .. joint]:min()) end
study:statement("ledger", "closes", string.format("within %.0e J of %.3f J", worst, run:at(2).lost), worst < 1e-7)
study:statement("joints", "stay above the floor", string.format("lowest gap %.0e m", low), low > -1e-9)
local s = run:at(2)
study:value("lost in impacts", nil, s.lost, "J")
study:value("taken by friction of sliding", nil, s.friction, "J")
study:value("taken by the joints", nil, s.damped, "J")

local figure = pc.chart.figure{ title = "Energy of a chain of ten links on a floor" }
local panel = figure:panel{ xlabel = "t [s]", ylabel = "energy [J]", legend = true }
panel:line{ c.t, c.energy, label = "kinetic and potential" }
panel:line{ c.t, c.lost, label = "lost in impacts" }
panel:line{ c.t, c.friction, label = "friction" }
panel:line{ c.t, c.damped, label = "joints" }
study:draw(figure, "chain_on_floor")
return study:finish()
