-- A pendulum that comes to rest on a damped floor: impacts grow small and become one contact that lasts, by the
-- forces of the law alone. An overdamped floor is stiff, with rates of 22,500 and 2 per s: neither collocation, which
-- linear laws are integrated with, nor the method for stiff systems minds, an explicit one does.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A pendulum coming to rest on a damped floor",
    source = "Kelvin-Voigt contact within the motion; closed forms of the static and the creeping state",
    arguments = { ... },
}

-- A rod of mass m and length L about a pivot at the height h of its end disc's lowest point at the angle a0.
local m, L, r, g = 1, 0.5, 0.02, 9.81
local a0 = 60 * pc.deg
local h = L * math.cos(a0) + r
local J = m * L^2 / 3

local function swing(k, c, duration, options)
    local world = pc.scene{
        pc.chain{ links = { { mass = m, length = L, radius = r } }, angles = { 85 * pc.deg }, name = "rod" },
        pc.floor{ depth = h }, gravity = g, configuration = "moving",
        contact = pc.contact.kelvin_voigt{ stiffness = k, damping = c, friction = 0 },
    }
    options = options or {}
    options.duration = duration
    options.solver = pc.solver.dop853{ rtol = 1e-10, atol = 1e-12 }
    return pc.simulate(world, options)
end

-- The floor pushes up at the centre of the disc, L sin a from the pivot: N L sin a = m g (L/2) sin a, whatever a.
local load = m * g / 2

-- 1. Lightly damped: it bounces, and then vibrates on the floor until that has died out.
local k = 2e4
local bouncing = swing(k, 20, 6)
local last = bouncing:at(6)
study:identity("force of the floor in the end", last.F_n, load, "N")
study:identity("indentation in the end", -last.gap, load / k, "m")
study:value("impacts before it stays", nil, bouncing.impact_count - 1)
study:statement("the last contact", "stays", bouncing.impacts[bouncing.impact_count].outcome,
    bouncing.impacts[bouncing.impact_count].outcome == "contact")
local start = bouncing:at(0)
study:identity("energy: what was lost, and what the floor dissipated", start.energy - last.energy, last.dissipated, "J")

-- 2. Overdamped: it does not bounce at all. It sinks to its place as exp(-k t/c), from where the damper has stopped it.
local c = 2 * k / 4
local sinking = swing(k, c, 3)
study:value("overdamped: impacts", "1", sinking.impact_count)
local w = L^2 * math.sin(a0)^2 / J -- 1/(effective mass)
study:value("fast rate", nil, w * c, "1/s")
study:value("slow rate", nil, k / c, "1/s")
local t1, t2 = 1, 2
local away = function(t) return sinking:at(t).F_n - load, -sinking:at(t).gap - load / k end
local _, u1 = away(t1)
local _, u2 = away(t2)
-- the slow root of m_e x^2 + c x + k = 0 at the place where it rests; the rod turns on the way, by little
local half = c * w / 2
local slow = half - math.sqrt(half^2 - k * w)
study:identity("slow rate, measured over a second", math.log(u1 / u2) / (t2 - t1), slow, "1/s")
study:value("steps for 3 s", nil, sinking.statistics.steps)

-- 3. Other methods give the same motion; the explicit one is held back by the damping.
local explicit = swing(k, c, 1, { contact_solver = pc.solver.dop853{ rtol = 1e-10, atol = 1e-12 } })
local stiff = swing(k, c, 1, { contact_solver = pc.solver.rodas5p{ rtol = 1e-10, atol = 1e-12 } })
study:identity("angle after 1 s by either method", explicit:at(1)["rod.angle1"], stiff:at(1)["rod.angle1"], "rad")
study:identity("and by collocation", sinking:at(1)["rod.angle1"], stiff:at(1)["rod.angle1"], "rad")
study:value("steps of the explicit one", nil, explicit.statistics.steps)
study:value("steps of the stiff one", nil, stiff.statistics.steps)

local figure = pc.chart.figure{ title = "A pendulum on a damped floor" }
local columns = bouncing:columns(pc.linspace(0, 1.6, 800))
figure:panel{ ylabel = "gap [m]" }:line{ columns.t, columns.gap }
local energies = figure:panel{ xlabel = "t [s]", ylabel = "energy [J]" }
energies:line{ columns.t, columns.energy, label = "mechanical, springs included" }
energies:line{ columns.t, columns.dissipated, label = "dissipated by the floor" }
study:draw(figure, "damped_floor")
study:note("A rigid law would need infinitely many impacts to come to rest; here a contact that no longer opens is the")
study:note("same forces as the impacts before it.")
return study:finish()
