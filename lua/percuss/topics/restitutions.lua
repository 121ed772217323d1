return {
    title = "The three coefficients of restitution",
    summary = "e by velocities, R by impulses, E by work: when they are the same and when they are not.",
    words = "coefficient of restitution e R E COR kinematic kinetic energetic Newton Poisson Stronge bounciness "
        .. "elastic plastic rebound height speed dependent velocity e(v) table function",
    text = [[
Three numbers say how much of a normal impact comes back. Every result has all of them, whatever its law was given.

    e = -v_n'/v_n
    R = p_r/p_c
    E = sqrt(W_r/|W_c|)

e compares velocities (Newton), R the normal impulses of restitution and of compression (Poisson), E the normal works
of the two (Stronge). Compression is the time while v_n < 0, restitution while v_n > 0.

They are equal where the impact is central, where w_tn = 0, or where F_t/F_n is the same in both. A rod that strikes
obliquely with friction has three different ones, for friction changes v_n. With one constant ratio in each of the two
parts E^2 = e R.

Which of them is a property of the material? E never creates energy. R does not either, but may give E > 1, which the
flag `e_above_one` tells. e may create energy where sliding stops or turns round (Kane's paradox): the result says so
by `flags.gained_energy`. e is undefined where v_n was 0.

A ball that is dropped and comes back to the height h' has e = sqrt(h'/h). Real restitution falls with the speed of
approach v: viscous laws and contact.thornton find how, and `restitution(law, body, speed)` gives the number. A rigid
law is told: in place of a number `restitution` takes

- `restitution.power{ at = 1, value = 0.8, exponent = 0.25 }`: 0.8 at 1 m/s, and falling with a power of the speed, as
  metals do that yield,
- `restitution.viscoelastic{ at = 1, value = 0.8 }`: as of a viscoelastic sphere, without its force,
- `restitution.table{ speeds = { 0.1, 1, 5 }, values = { 0.95, 0.8, 0.6 } }`: as measured, with a smooth curve between,
- any function of a script, `function(v) return 1/(1 + v/4) end`, whose result has to be from 0 to 1.

v is the normal speed with which the contact point approaches, of several contacts each its own; a jam, which begins
with v_n = 0, has that of an approach which the same impulse of compression would stop. `law.restitution(v)` gives the
coefficient, and `hit.restitution.asked` the one of an impact.

How bouncing ends is a matter of e at vanishing speed. Where e stays below 1 there, impacts accumulate as with a
number, and the event `accumulation` says when they are over. Where e tends to 1 as 1 - c v^p, they are still over in
finite time for p < 1 (the viscoelastic sphere has p = 1/5), and the end is found from the law itself; for p >= 1, as of
1/(1 + v/4), they go on for ever, ever lower, and the ball rests where they can no longer be told from rounding. Where
e is 1 below some speed, as of a power that `greatest` does not cap, bounces of that speed lose nothing and never end:
a run stops at max_impacts.

A coefficient, of restitution as of friction, belongs to a pair and not to a material. Where only one of each of two
bodies is known, `combine(a, b, rule)` makes one of the pair, by a rule that is named; for restitution "work" has a
reason, that of two bodies that are compressed by the same force and give back E^2 each. The elastic constants of both
need no rule: laws of spheres take `material` and `counter_material`.]],
    example = [[
local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }
local hit = percuss.collide(rod, percuss.contact.stronge{ E = 0.8, mu = 0.2 }, { vt = 0.2, vn = -1 })
local r = hit.restitution
print(("%.4f"):format(r.energetic))                        --> 0.8000
print(r.kinematic ~= r.kinetic)                            --> true]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A rod at -45 degrees, E = 0.8", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "friction", ylabel = "coefficient" }
        local rod = pc.body.rod{ mass = 1, length = 1, angle = -45*pc.deg }
        local mu, e, R, E = pc.linspace(0, 1, 101), {}, {}, {}
        for i = 1, #mu do
            local hit = pc.collide(rod, pc.contact.stronge{ E = 0.8, mu = mu[i] }, { vt = 0.2, vn = -1 })
            e[i], R[i], E[i] = hit.restitution.kinematic, hit.restitution.kinetic, hit.restitution.energetic
        end
        panel:line{ mu, e, label = "e" }
        panel:line{ mu, R, label = "R" }
        panel:line{ mu, E, label = "E" }
        return figure
    end,
    see = { "impact", "convert_restitution", "combine", "restitution", "calibrate", "contact.newton", "contact.poisson",
        "contact.stronge", "restitution.power", "restitution.viscoelastic", "restitution.table" },
    source = "Stronge (1990); Brach (1993)",
}
