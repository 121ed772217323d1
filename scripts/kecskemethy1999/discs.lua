-- Kecskemethy, Lange and Grabner (1999), extensions (3) and (4) without friction: a thin disc that falls flat or tilted
-- on a plane or partly overlapping on a fixed disc. The abstract prints no numbers.
--
-- Springs spread along the rim or under the face take the place of its transition function. A disc that falls all but
-- flat comes back as if it had fallen flat. Beyond a certain tilt the edge that touched first leaves before the other
-- one arrives: that ends this contact, with the disc tumbling and its centre still on the way down.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Discs that fall flat and tilted", source = "Kecskemethy, Lange and Grabner (1999), extensions (3) and (4)",
    arguments = { ... },
}

local disc = { radius = 1, mass = 1, stiffness = 1e4, speed = 1 }
local function fall(options)
    local all = {}
    for key, value in pairs(disc) do all[key] = value end
    for key, value in pairs(options) do all[key] = value end
    return pc.flat_impact(all)
end

local worst = 0
local function report(name, r)
    study:value(name .. ", velocity after", nil, r.velocity, "m/s")
    study:value(name .. ", rate after", nil, r.rate, "rad/s")
    study:value(name .. ", duration", nil, r.duration, "s")
    worst = math.max(worst, math.abs(r.energy_after / r.energy_before - 1))
end
for _, model in ipairs{ "rim", "area" } do
    for _, tilt in ipairs{ 1e-6, 1e-3, 0.5 } do
        report(string.format("%s, tilt %g", model, tilt), fall{ model = model, tilt = tilt })
    end
end
for _, other in ipairs{ 1, 0.3 } do
    report(string.format("overlap with a disc of radius %g, offset 0.5", other),
        fall{ model = "overlap", other_radius = other, offset = 0.5 })
end
-- Inclined axes: the lower side lies off the line of the axes, and the disc leaves turning out of its plane.
for _, azimuth in ipairs{ 45, 90, 135 } do
    local r = fall{ model = "overlap", other_radius = 0.7, offset = 0.6, tilt = 0.05, azimuth = azimuth * pc.deg }
    local name = string.format("overlap, tilt 0.05 at %g deg from the line of the axes", azimuth)
    report(name, r)
    study:value(name .. ", rate across", nil, r.rate_x, "rad/s")
end
study:value("greatest relative change of energy", nil, worst)

-- From the flat fall to the fall on the edge; the jump is where the first edge leaves before the other arrives.
local tilts = pc.linspace(0, 0.2, 201)
local curves = {}
for _, model in ipairs{ "rim", "area" } do
    curves[model] = {}
    for i = 1, #tilts do curves[model][i] = fall{ model = model, tilt = tilts[i] }.velocity end
end
local figure = pc.chart.figure{ title = "A disc that falls at 1 m/s" }
local panel = figure:panel{ xlabel = "tilt [rad]", ylabel = "velocity after [m/s]", legend = true }
for _, model in ipairs{ "rim", "area" } do panel:line{ tilts, pc.array(curves[model]), label = model } end
study:draw(figure, "discs")
return study:finish()
