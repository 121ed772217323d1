-- Restitution of elastic spheres over the speed: what waves take. Hertz's force begins as t^1.5, so that the share
-- taken goes as the first power of v/c; a law would say that nothing is lost. In faster impacts, which last for two or
-- three periods of the sphere's lowest mode only, it matters whether the end of contact leaves that mode ringing.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "What waves take from a sphere", source = "Rayleigh, Phil. Mag. 11 (1906), for the argument",
    arguments = { ... },
}

local material = pc.material.custom{ young = 70e9, poisson = 0.3, density = 2700 }
local ball = pc.elastic.sphere{ radius = 0.05, material = material }
local speeds = { 5, 15, 50, 70, 100, 110, 130, 150 }
local ratio, lost, duration, peak, steep, contact = {}, {}, {}, {}, {}, {}
for i, v in ipairs(speeds) do
    local hit = pc.elastic.collide(ball, { vn = -v, cells = 14 })
    ratio[i], lost[i] = v / ball.bar_speed, 1 - hit.restitution.kinematic
    steep[i], contact[i] = hit.method.steepness, hit.duration
    duration[i], peak[i] = hit.duration / hit.hertz.duration, hit.peak.n / hit.hertz.peak
    study:value(("v/c = %.2e: (1 - e) c/v"):format(ratio[i]), nil, lost[i] / ratio[i])
end

-- slope of the logarithms, of the three slowest
local slope = math.log(lost[3] / lost[1]) / math.log(ratio[3] / ratio[1])
study:value("exponent of 1 - e over v/c, up to 1e-2", nil, slope)
study:statement("1 - e goes as the first power of v/c", "Rayleigh's argument",
    ("up to v/c = 0.01, 1 - e = %.2f to %.2f v/c"):format(lost[1] / ratio[1], lost[3] / ratio[3]),
    math.abs(slope - 1) < 0.1)
local least, where = math.huge, 1
for i = 4, #speeds do
    if lost[i] / ratio[i] < least then least, where = lost[i] / ratio[i], i end
end
-- the lowest spheroidal mode of a sphere, nu = 0.3: omega R = 2.64 sqrt(G/rho)
local period = 2 * math.pi * 0.05 / (2.64 * ball.bar_speed / math.sqrt(2.6))
study:statement("and not beyond", nil, ("1 - e = %.2f v/c at v/c = %.3f, where the contact lasts %.2f periods of the "
    .. "lowest mode"):format(least, ratio[where], contact[where] / period), least < 0.06)
for i = 1, #speeds do
    study:value(("a/R = %.3f: duration over Hertz's"):format(steep[i]), nil, duration[i])
end
study:note("Linear elasticity; metals yield long before. Durations follow a/R: a sphere is stiffer than a half-space.")

local figure = pc.chart.figure{ title = "Elastic sphere on a rigid plane", columns = 2, width = 1100, height = 440 }
local left = figure:panel{ xlabel = "v/c", ylabel = "1 - e", xlog = true, ylog = true }
left:scatter{ ratio, lost, label = "waves" }
local line = pc.logspace(ratio[1] / 2, ratio[#ratio] * 2, 20)
left:line{ line, line * 0.14, label = "0.14 v/c" }
local right = figure:panel{ xlabel = "a/R", ylabel = "over Hertz's" }
right:line{ steep, duration, label = "duration" }
right:line{ steep, peak, label = "peak force" }
study:draw(figure, "spheres")
return study:finish()
