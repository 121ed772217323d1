-- Kecskemethy, Lange and Grabner (1999), extension (3): discs that roll, with the sledge below them. The abstract
-- prints no numbers.
--
-- The stretch of the sledge is the time integral of the velocity that the disc has where it touches, so that pure
-- rolling leaves it unstretched. Three motions with closed forms for a rigid disc show that: an upright disc set down
-- sliding, which comes to roll with m a^2/(m a^2 + C) = 2/3 of its speed; a disc that rolls as a cone does about its
-- apex, where the contact does not turn and nothing is lost; and a disc that slides and spins at once, both of which
-- end at the same time. What is left of a difference falls with the stiffness.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Discs that slide, spin and roll", source = "Kecskemethy, Lange and Grabner (1999), extension (3)",
    arguments = { ... },
}

local g, disc = 9.81, { radius = 1, mass = 1, friction = 0.3, duration = 1 }
local function run(options)
    for key, value in pairs(disc) do
        if options[key] == nil then options[key] = value end
    end
    return pc.disc_on_plane(options)
end
local function last(column) return column[#column] end

-- The order in which differences fall with a parameter, from its first value to its last.
local function order(values, gaps) return -math.log(gaps[#gaps] / gaps[1]) / math.log(values[#values] / values[1]) end

-- Upright: friction takes a third of the energy.
local stiffness, gaps, rolling = { 1e4, 1e5, 1e6 }, {}, nil
for i, k in ipairs(stiffness) do
    rolling = run{ model = "rim", stiffness = k, tilt = math.pi / 2, velocity = { 0, 1, 0 } }
    local lost = last(rolling.lost_friction) / rolling.kinetic[1]
    gaps[i] = math.abs(lost - 1 / 3)
    study:value(string.format("upright, k = %g N/m: part of the energy lost", k), nil, lost)
end
study:value("upright: order in which it tends to 1/3", nil, order(stiffness, gaps))

-- As a cone: Omega^2 = m g a cos/[(C + m a^2) sin^3/cos + A sin cos], from the moments about the centre.
local tilt = 0.5
local sine, cosine = math.sin(tilt), math.cos(tilt)
local turn = math.sqrt(g * cosine / (1.5 * sine ^ 3 / cosine + 0.25 * sine * cosine))
local spin = -turn * sine ^ 2 / cosine
local off, cone = {}, nil
for i, k in ipairs(stiffness) do
    cone = run{ model = "rim", stiffness = k, friction = 0.9, tilt = tilt, precession = turn, spin = spin,
        velocity = { 0, -spin, 0 } }
    off[i] = (cone.tilt - tilt):abs():max()
    study:value(string.format("as a cone, k = %g N/m: tilt is off by", k), nil, off[i], "rad")
    study:value(string.format("as a cone, k = %g N/m: mean rate", k), nil,
        last(cone.azimuth) % (2 * math.pi) / disc.duration, "rad/s")
end
study:value("as a cone: rate of the rigid disc", nil, turn, "rad/s")
study:value("as a cone: order in which the tilt settles", nil, order(stiffness, off))

-- Stiffer across the plane at the same stiffness: the creep that rolling needs goes with 1/kappa.
local kappas, creeps = { 0.824, 8.24, 82.4 }, {}
for i, kappa in ipairs(kappas) do
    local r = run{ model = "rim", stiffness = 1e5, stiffness_ratio = 1 / kappa, tilt = math.pi / 2,
        velocity = { 0, 1, 0 } }
    creeps[i] = 0
    for k = #r.t - 200, #r.t do creeps[i] = math.max(creeps[i], r.creep[k]) end
    study:value(string.format("upright, kappa = %g: creep left in rolling", kappa), nil, creeps[i], "m/s")
end
study:value("upright: order of that in 1/kappa", nil, order(kappas, creeps))

-- Sliding and spinning share the friction. The face's radius of gyration is a/sqrt(2), with which C = m r^2.
local both = run{ stiffness = 1e4, velocity = { 1.5, 0, 0 }, spin = 3 }
local ratio = both.spin[600] / both.vx[600]
study:identity("sliding and spinning: spin over speed", ratio, 2, "rad/m")
study:value("sliding and spinning: the end, sqrt(v^2 + r^2 omega^2)/(mu g)", nil,
    math.sqrt(1.5 ^ 2 + 3 ^ 2 / 2) / (0.3 * g), "s")
for _, phase in ipairs(both.phases) do
    if phase.kind == "slip" and phase.stop - phase.start > 0.1 then
        study:value("sliding and spinning: slip ends", nil, phase.stop, "s")
    end
end

local worst = math.max(rolling.drift, cone.drift, both.drift)
study:value("greatest drift of the energy", nil, worst, "J")

local figure = pc.chart.figure{ title = "An upright disc set down sliding at 1 m/s, μ = 0.3" }
local panel = figure:panel{ ylabel = "[m/s]", legend = true }
panel:line{ rolling.t, rolling.vy, label = "speed" }
panel:line{ rolling.t, -rolling.spin, label = "a times spin", dash = "dashed" }
figure:panel{ xlabel = "t [s]", ylabel = "lost by friction [J]" }:line{ rolling.t, rolling.lost_friction }
study:draw(figure, "rolling")
study:note("Sliding and spinning end together; the stretch of the sledge (its time is sqrt(m/kt)) shifts it a little.")
return study:finish()
