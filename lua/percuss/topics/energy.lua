return {
    title = "The energy ledger",
    summary = "Where energy goes in an impact and in a run, and why an impact may seem to gain some.",
    words = "energy ledger balance loss lost gain gained work dissipation heat kinetic potential impact gains "
        .. "energy why",
    text = [[
An impact changes the kinetic energy by the work of its impulse, exactly:

    Delta_T = p_t (v_t + v_t')/2 + p_n (v_n + v_n')/2

`hit.energy` has it before and after, `hit.loss` the difference, `hit.work` the parts: of the normal force in
compression and restitution, of the tangential one, and of it what friction took. They add up to rounding. The most
that an impact can take is all that an impulse at the contact reaches; `hit.loss_of_max` is the share of that.

Energy after that is greater than before comes from the law, not from an error:

- Newton's e, Whittaker's and Kane and Levinson's laws and Brach's with a great impulse ratio may create energy where
  sliding stops or turns round. `flags.gained_energy` says so. Stronge's and Poisson's never do.
- The incremental stiffness of Hertz and Mindlin gives back more than it took, and so may a spring beside a dashpot as
  particle codes cut them (`tangential = "spring_dashpot"`): `flags.tangential_gain`.

The columns of a run are kinetic, potential, energy (their sum), damped, torque and pivot (their work), friction (what
it took) and lost (in impacts). At any time energy + damped + friction + lost less the work of torques and pivots is
what there was at the start, to the tolerance of the run: motors and driven pivots change the energy, not this sum.]],
    example = [[
local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }
local hit = percuss.collide(rod, percuss.contact.newton{ e = 1, mu = 0.9 }, { vt = 0.2, vn = -1 })
print(hit.flags.gained_energy and hit.loss < 0) --> true
local v0, v1, p = hit.velocity_before, hit.velocity, hit.impulse
local work = p.t*(v0.t + v1.t)/2 + p.n*(v0.n + v1.n)/2
print(math.abs(work + hit.loss) < 1e-12) --> true]],
    figure = function(pc)
        local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } },
            angles = { 2.4, -1.6 } }
        local world = pc.scene{ rig, pc.floor{ height = -0.75 },
            contact = pc.contact.poisson{ restitution = 0.8, friction = 0.15 } }
        local c = pc.simulate(world, { duration = 4 }):columns(0.005)
        local figure = pc.chart.figure{ title = "A double pendulum strikes a floor", width = 520, height = 320 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "energy", yunit = "J" }
        panel:line{ c.t, c.kinetic, label = "kinetic" }
        panel:line{ c.t, c.potential, label = "potential" }
        panel:line{ c.t, c.lost, label = "lost in impacts" }
        panel:line{ c.t, c.energy + c.lost, label = "sum", dash = "dashed" }
        return figure
    end,
    see = { "impact", "run", "restitutions", "compare" },
    source = "Brach (1993); Stronge (1990)",
}
