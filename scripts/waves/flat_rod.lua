-- A rod with flat ends strikes: Saint-Venant's wave runs up, comes back after 2 L/c, and the rod leaves. With nu = 0 it
-- is a bar and loses nothing; with nu = 0.3 the front disperses, and the rod leaves vibrating.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A flat rod and the wave in it", source = "Saint-Venant (1867); Pochhammer (1876)", arguments = { ... },
}

local function strike(nu, cells)
    local material = pc.material.custom{ young = 70e9, poisson = nu, density = 2700 }
    local rod = pc.elastic.rod{ radius = 0.01, length = 0.2, nose = "flat", material = material }
    return pc.elastic.collide(rod, { vn = -0.5, cells = cells })
end

local bar = { strike(0, 6), strike(0, 12), strike(0, 24) }
for i, hit in ipairs(bar) do
    study:value(("nu = 0, %d cells: duration over 2 L/c"):format(hit.method.cells), i == 3 and "1" or nil,
        hit.duration / hit.hertz.duration)
    study:value(("nu = 0, %d cells: e"):format(hit.method.cells), nil, hit.restitution.kinematic)
end
local order = math.log((1 - bar[1].restitution.kinematic) / (1 - bar[3].restitution.kinematic)) / math.log(4)
study:value("order at which 1 - e vanishes with the cells", nil, order)
local real = strike(0.3, 24)
study:value("nu = 0.3: duration over 2 L/c", nil, real.duration / real.hertz.duration)
study:value("nu = 0.3: e", nil, real.restitution.kinematic)
study:statement("a bar keeps its speed", "e = 1", ("1 - e = %.1e on the finest mesh"):format(
    1 - bar[3].restitution.kinematic), 1 - bar[3].restitution.kinematic < 5e-3)
study:statement("a rod does not", nil, ("it leaves %.1f %% of its energy in vibration"):format(
    100 * real.energy.vibration / real.energy.before), real.energy.vibration / real.energy.before > 0.03)

local figure = pc.chart.figure{ title = "Flat rods, L/R = 20", width = 800, height = 420 }
local panel = figure:panel{ xlabel = "t c/(2 L)", ylabel = "F/(ρ c A v)" }
local impedance = 2700 * math.sqrt(70e9 / 2700) * math.pi * 0.01 ^ 2 * 0.5
for _, pair in ipairs{ { "ν = 0", bar[3] }, { "ν = 0.3", real } } do
    local hit = pair[2]
    panel:line{ hit.history.t / hit.hertz.duration, hit.history.F_n / impedance, label = pair[1] }
end
study:draw(figure, "flat_rod")
return study:finish()
