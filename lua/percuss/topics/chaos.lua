return {
    title = "Chaos, and what digits mean",
    summary = "Why two runs part after a while, how fast, and what can be compared then.",
    words = "chaos chaotic sensitive Lyapunov exponent butterfly reproducible digits diverge bifurcation Poincare "
        .. "statistics double pendulum",
    text = [[
In a chaotic motion a small difference grows like exp(lambda t). With 16 digits at the start nothing of them is left
after about

    t = 37/lambda

for ln(10^16) is 37. A double pendulum that strikes a wall has lambda of some 1/s to 5/s: its impacts after ten or
twenty seconds are those of some motion, but no longer those of yours. Grazing impacts make differences grow without
bound at once.

percuss gives the same bits on the same machine with the same input, whatever the number of workers. That makes a run
repeatable, not true. Compare what does not depend on single digits: laws, energies, sections, spectra, averages; or
short times.

`pc.lyapunov` gives the exponent through impacts, `run:section` a Poincare section, `pc.bifurcation` the long-time
motion over a parameter, `run:carry` how a displacement at the start grows.]],
    example = [[
local top = percuss.chain{ links = { { mass = 1, length = 1, center = 1, inertia = 0 } }, angles = { math.pi } }
local l = percuss.lyapunov(percuss.scene{ top }, { duration = 5, interval = 2 })
print(("%.2f"):format(l.exponent)) --> 3.13]],
    figure = function(pc)
        local function run(angle)
            local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } },
                angles = { angle, -1.6 } }
            local world = pc.scene{ rig, pc.floor{ height = -0.75 },
                contact = pc.contact.newton{ restitution = 1, friction = 0 } }
            return pc.simulate(world, { duration = 12 }):columns(0.01)
        end
        local a, b = run(2.4), run(2.4 + 1e-9)
        local figure = pc.chart.figure{ title = "Two starts 1e-9 rad apart", width = 520, height = 300 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "angle", yunit = "rad" }
        panel:line{ a.t, a.angle2, label = "one" }
        panel:line{ b.t, b.angle2, label = "the other" }
        return figure
    end,
    see = { "lyapunov", "bifurcation", "run", "accuracy" },
    source = "Benettin, Galgani and Strelcyn (1976); Mueller (1995)",
}
