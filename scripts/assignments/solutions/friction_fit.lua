-- Model solution of the assignment friction_fit.
local pc = require "percuss"
local work = ...
local d = work.data

local function tangential(angle, mu)
    return math.max(1 - mu * (1 + d.restitution) / math.tan(angle * pc.deg), 5 / 7)
end

local function fitted()
    local data = pc.table{ { "angle", d.angles, unit = "deg" }, { "value", d.values } }
    local function model(p, row) return tangential(row.angle, p.mu) end
    local fit = pc.fit(data, model, { { "mu", 0.1, lo = 0.02, hi = 0.5 } },
        { columns = "value" })
    return fit.values.mu
end

function work.friction() return fitted(), "" end

function work.limit() return math.atan(3.5 * (1 + d.restitution) * fitted()) / pc.deg, "deg" end

function work.fit()
    local mu, curve = fitted(), {}
    local angles = pc.linspace(5, 85, 161)
    for i = 1, #angles do curve[i] = tangential(angles[i], mu) end
    local figure = pc.chart.figure{ title = "Tangential restitution of a sphere" }
    local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "v_t after / v_t before" }
    panel:line{ angles, curve, label = "fit" }
    panel:scatter{ d.angles, d.values, label = "measured" }
    return figure
end

function work.doubt()
    return [[
Only the balls that slide through the whole impact feel the coefficient, and those just beyond the limit feel it most,
since there 1/tan is largest. More measurements at incidences a little above the limit would help best.]]
end
