-- Rows of equal elastic spheres, all touching, the first one at 1 m/s: Newton's cradle with Hertz contacts. The last
-- ball does not take everything, and the outcome depends on neither stiffness nor size.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Rows of elastic spheres", source = "Herrmann and Schmalzle, Am. J. Phys. 49 (1981)", arguments = { ... },
}

local ball = pc.body.sphere{ radius = 0.01, density = 7800 }
local law = pc.contact.coupled{
    young = 2.1e11, poisson = 0.3, counter_young = 2.1e11, counter_poisson = 0.3, radius = 0.01, counter_radius = 0.01,
    friction = 0,
}

local function row(n, contact)
    local bodies, velocity = {}, {}
    for i = 1, n do bodies[i], velocity[i] = ball, i == 1 and 1 or 0 end
    return pc.cradle{ bodies = bodies, contact = contact, velocity = velocity }
end

local figure = pc.chart.figure{ title = "The first of n spheres strikes at 1 m/s", width = 800, height = 560 }
local panel = figure:panel{ xlabel = "ball, counted from the last", ylabel = "velocity afterwards", yunit = "m/s" }
for _, n in ipairs{ 2, 3, 4, 5, 10 } do
    local run = row(n, law)
    local place = {}
    for i = 1, n do
        study:value(string.format("%d balls, ball %d", n, i), nil, run.velocity[i], "m/s")
        place[i] = n - i + 1
    end
    study:value(string.format("%d balls: duration", n), nil, run.duration, "s")
    study:value(string.format("%d balls: energy after over before, less 1", n), nil,
        run.energy.after / run.energy.before - 1)
    panel:line{ place, run.velocity, label = string.format("n = %d", n) }
end

-- linear springs in place of Hertz contacts, and dissipation
local springs = row(5, pc.contact.kelvin_voigt{ stiffness = 1e8, damping = 0, friction = 0 })
study:value("5 balls on linear springs: last ball", nil, springs.velocity[5], "m/s")
local lossy = row(5, pc.contact.hunt_crossley{ stiffness = 1e10, damping = 0.1, friction = 0 })
study:value("5 balls with Hunt and Crossley's damping 0.1 s/m: last ball", nil, lossy.velocity[5], "m/s")
study:draw(figure, "chains")
return study:finish()
