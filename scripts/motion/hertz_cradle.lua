-- Newton's cradle with Hertz contacts that all act within the motion: what the balls do follows from their stiffness,
-- not from a rule for simultaneous impacts. The first blow is compared with the frozen row of percuss.cradle.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Newton's cradle with Hertz contacts in motion",
    source = "Herrmann and Schmalzle, Am. J. Phys. 49 (1981); Hertz (1881)", arguments = { ... },
}

local n, length, radius, mass, release = 5, 1, 0.02, 0.26, 0.2
local steel = pc.contact.hunt_crossley{ stiffness = 1.1e10, damping = 0, friction = 0 }

-- Each ball hangs from a massless arm: J = 0 about its own centre keeps the pendulum a point mass.
local function cradle(configuration, together, duration)
    local parts = { contact = steel, configuration = configuration, together = together }
    for i = 1, n do
        parts[i] = pc.chain{
            links = { { mass = mass, length = length, center = length, inertia = 1e-12, radius = radius } },
            pivot = { x = 2 * radius * (i - 1) }, angles = { i == 1 and -release or 0 }, name = "ball" .. i,
        }
    end
    return pc.simulate(pc.scene(parts), { duration = duration,
        solver = pc.solver.dop853{ rtol = 1e-13, atol = 1e-14 } })
end

-- Rates over that of the first ball before the blow.
local function shares(run, t, speed)
    local s, out = run:at(t), {}
    for i = 1, n do out[i] = s["ball" .. i .. ".rate1"] * length / speed end
    return out
end

local function text(values)
    local words = {}
    for i, v in ipairs(values) do words[i] = string.format("%+.4f", v) end
    return table.concat(words, " ")
end

local moving = cradle("moving", nil, 0.62)
local first = moving.impacts[1]
local speed = -first.velocity_before.n
local over = 0
for _, hit in ipairs(moving.impacts) do if hit.time < 0.55 then over = math.max(over, hit.stop) end end
local after = shares(moving, over, speed)

-- The same row, straight and frozen: no gravity, no arms.
local ball = pc.body.sphere{ radius = radius, mass = mass }
local row = pc.cradle{ bodies = { ball, ball, ball, ball, ball }, contact = steel, velocity = { speed, 0, 0, 0, 0 } }
local frozen = {}
for i = 1, n do frozen[i] = row.velocity[i] / speed end

study:value("speed of the first ball", nil, speed, "m/s")
study:value("the blow lasts", nil, (over - first.time) * 1e6, "us")
study:statement("velocities after it over that of the first ball, in motion", nil, text(after), "computed")
study:statement("the same in a frozen row", nil, text(frozen), "computed")
local furthest = 0
for i = 1, n do furthest = math.max(furthest, math.abs(after[i] - frozen[i])) end
study:value("greatest difference of the two, relative to the speed", nil, furthest)
study:value("greatest force between the first two", nil, first.peak.n, "N")
study:identity("momentum after the blow over before", (function()
    local sum = 0
    for i = 1, n do sum = sum + after[i] end
    return sum
end)(), 1)

-- A rigid law one pair after the other hands everything to the last ball.
local rigid = {}
for i = 1, n do rigid[i] = i == n and 1 or 0 end
study:statement("rigid impacts, one after the other", "0 0 0 0 1", text(rigid), "the textbook")
study:statement("the first ball", "comes to rest", after[1] < -0.05 and "recoils" or "comes to rest",
    "with Hertz contacts it recoils")

-- Energy through the blow and a swing.
local s0, s1 = moving:at(0), moving:at(0.62)
study:identity("energy after 0.62 s, heights from the pivots", s1.energy, s0.energy, "J")

local figure = pc.chart.figure{ title = "The blow in a cradle of five steel balls" }
local times = pc.linspace(first.time - 5e-6, over + 5e-6, 600)
local columns = moving:columns(times)
local forces = figure:panel{ ylabel = "F_n [N]" }
local microseconds = (times - first.time) * 1e6
local scene_pairs = moving.scene.contacts
for i = 1, #scene_pairs do
    local force = columns["F_n" .. i]
    if force:max() > 0 then forces:line{ microseconds, force, label = scene_pairs[i] } end
end
local rates = figure:panel{ xlabel = "t [us]", ylabel = "velocity [m/s]" }
for i = 1, n do rates:line{ microseconds, columns["ball" .. i .. ".rate1"] * length, label = "ball " .. i } end
study:draw(figure, "hertz_cradle")
return study:finish()
