-- Lai (1999), Fig 4.9 and eq 4.98: tangential displacement under a constant normal force, without and with slip at the
-- edge. The row of springs behind Maw's solution gives the second curve; the simpler laws have one straight line.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A tangential force on a circular contact", source = "Lai (1999), Fig 4.9, eqs 4.97-4.98",
    arguments = { ... },
}

-- Scaled: contact radius 1, force over mu P, displacement over that at which the whole contact slides.
-- Springs at x carry (1 - x^2) of the normal force and stretch at most as far.
local function springs(displacement, n)
    local sum, all = 0, 0
    for i = 1, n do
        local x = (i - 0.5) / n
        local bound = 1 - x * x
        sum = sum + math.min(displacement, bound)
        all = all + bound
    end
    return sum / all
end

local u = pc.linspace(0, 1, 201)
local exact, row, stick = pc.array(#u), pc.array(#u), pc.array(#u)
local off = 0
for i = 1, #u do
    -- eq 4.98: u = 1 - (1 - Q/(mu P))^(2/3)
    exact[i] = 1 - (1 - u[i]) ^ 1.5
    row[i] = springs(u[i], 400)
    stick[i] = 1.5 * u[i] -- no slip: Q = 8 G* a u, in these units 3/2
    off = math.max(off, math.abs(row[i] - exact[i]))
end
study:value("greatest difference of 400 springs from eq 4.98", nil, off)
study:statement("both curves start with the same slope", "yes",
    string.format("slopes 3/2 and %.6f", exact[2] / u[2]), math.abs(exact[2] / u[2] - 1.5) < 0.01)
study:value("displacement at which no slip would need the whole friction", nil, 2 / 3)

local figure = pc.chart.figure{ title = "Circular contact under a constant normal force", width = 800, height = 560 }
local panel = figure:panel{ xlabel = "δ_x / δ_slide", ylabel = "Q_x / μP", ylim = { 0, 1.1 } }
panel:line{ u, stick, label = "A: no slip", dash = "dashed" }
panel:line{ u, exact, label = "B: slip at the edge, eq 4.98" }
local marks, values = {}, {}
for i = 1, #u, 20 do marks[#marks + 1], values[#values + 1] = u[i], row[i] end
panel:scatter{ marks, values, label = "400 springs" }
study:draw(figure, "fig4_9")
return study:finish()
