-- Model solution of the assignment contact_law.
local pc = require "percuss"
local work = ...
local d = work.data

function work.force(u, w)
    if u <= 0 then return 0 end
    return math.max(0, d.stiffness * u ^ 1.5 * (1 + d.damping * w))
end

function work.loop()
    local overlaps, forces = {}, {}
    local u, w, h = 0, 1, 2e-8
    while u >= 0 and #overlaps < 20000 do
        overlaps[#overlaps + 1], forces[#forces + 1] = u, work.force(u, w)
        local middle = w - h / 2 * work.force(u, w) / d.mass
        u = u + h * middle
        w = w - h * work.force(u, middle) / d.mass
        h = 1e-6
    end
    local figure = pc.chart.figure{ title = "Force of an impact" }
    figure:panel{ xlabel = "overlap", xunit = "m", ylabel = "force", yunit = "N" }:line{ overlaps, forces }
    return figure
end

function work.why()
    return [[
A dashpot alone would start with a jump of the force at first touch and would pull the bodies together before they part.
Multiplied by u^(3/2) the damping vanishes at zero overlap, and force and overlap begin and end together.]]
end
