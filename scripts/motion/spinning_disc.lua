-- A heavy disc set spinning on its edge settles: the slower it has to be, the faster it turns.
--
-- With its centre at rest a disc that rolls round has Omega^2 sin(tilt) = 4 g/a (from the moments about the centre, A =
-- m a^2/4), so its contact point runs round ever faster as the tilt falls. Friction takes energy where the disc turns
-- against the plane, damping where the springs behind the contact push less than those before it. Moffatt (Nature 404,
-- 2000) had air take it and a singularity at the end; here the springs give by a length at last, and the motion
-- ends in the vibration of a flat disc.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A spinning disc settles",
    source = "Moffatt, Nature 404 (2000); Le Saux, Leine and Glocker, J. Nonlinear Sci. 15 (2005)", arguments = { ... },
}

local a, m, g, tilt = 0.0375, 0.4, 9.81, 0.3
local options = {
    model = "rim", radius = a, mass = m, stiffness = 1e5, friction = 0.3, damping = 2, tilt = tilt,
    precession = math.sqrt(4 * g / (a * math.sin(tilt))), duration = 2, rows = 2001,
}
local run = pc.disc_on_plane(options)

-- Steady rolling with some spin: A Omega^2 sin = m g l + (C + m l^2) Omega spin tan, l the lever of the pressure.
local function balance(i)
    local l, turn, lean = run.lever[i], run.precession[i], run.tilt[i]
    return m * a ^ 2 / 4 * turn ^ 2 * math.sin(lean) /
        (m * g * l + (m * a ^ 2 / 2 + m * l ^ 2) * turn * run.spin[i] * math.tan(lean))
end
local worst, flat = 0, nil
for i = 1, #run.t do
    if run.tilt[i] > 1e-3 then worst = math.max(worst, math.abs(balance(i) - 1)) end
    if not flat and run.tilt[i] < 1e-4 then flat = run.t[i] end
end
for _, t in ipairs{ 0, 0.5, 1, 1.2 } do
    local now = run:at(t)
    study:value(string.format("tilt at %g s", t), nil, now.tilt, "rad")
    study:value(string.format("rate of the contact point at %g s", t), nil, now.precession, "rad/s")
end
study:value("flat to 1e-4 rad at", nil, flat, "s")
study:value("moments of steady rolling: greatest relative error until 1e-3 rad", nil, worst)
local n = #run.t
study:value("lost by friction", nil, run.lost_friction[n], "J")
study:value("lost by damping", nil, run.lost_damping[n], "J")
local weight = m * g * (run.height[1] - run.height[n])
study:identity("energy lost, and what there was", run.lost_friction[n] + run.lost_damping[n] + run.kinetic[n] +
    run.stored[n] - run.stored[1], run.kinetic[1] + weight, "J")
study:value("drift of the energy", nil, run.drift, "J")

-- Without damping friction alone takes energy, and only while the contact turns against the plane.
options.damping = nil
local bare = pc.disc_on_plane(options)
study:value("without damping, tilt after 2 s", nil, bare.tilt[n], "rad")

local figure = pc.chart.figure{ title = "A disc of 75 mm and 0.4 kg settles" }
local panel = figure:panel{ ylabel = "tilt [rad]", legend = true }
panel:line{ run.t, run.tilt, label = "damped" }
panel:line{ bare.t, bare.tilt, label = "friction alone", dash = "dashed" }
figure:panel{ ylabel = "rate of the contact point [rad/s]" }:line{ run.t, run.precession }
panel = figure:panel{ xlabel = "t [s]", ylabel = "[J]", legend = true }
panel:line{ run.t, run.lost_damping, label = "lost by damping" }
panel:line{ run.t, run.lost_friction, label = "lost by friction" }
study:draw(figure, "spinning_disc")
return study:finish()
