return {
    title = "A contact law of one's own",
    summary = "Write a law as a function of indentation and rate, or of W and v, check it, and use it everywhere.",
    words = "custom user-defined memory history internal variable relaxation Maxwell write define "
        .. "script function callback extend new model adhesion tension",
    text = [[
`contact.define` makes a contact law of a function. A **compliant** law says what the normal force is, in N, at the
indentation u >= 0 (m) and its rate w (m/s), as in

    F_n = k u^1.5 (1 + c w)

It ends where the force has fallen to 0 on the way out, or at u = 0. With `tension = true` it may pull, and ends at
u = 0 alone. A **rigid** law gets W and v and says what impulse comes of them:

    v' = v + W p

The impulse has to be positive along the normal, within the cone of friction, and leave nothing that approaches. Of an
impact that leaves the plane W has three rows and v three components, t, n and t2, and so has what it returns. In both
`p` holds the parameters under their names and symbols, friction among them.

What you have then is a law like those in C: `contact.<name>` makes it, `help` and completion know its rows, ranges
are checked, and `collide`, `simulate`, `map`, `sweep`, `compare`, `fit` and charts take it. A saved run knows it by
its name and by what its functions are: with other functions of that name it is refused.

- A function depends on its arguments alone. It is asked at states that the motion may never reach, out of order, some
  thousand times an impact. What it remembers from call to call makes the result a matter of chance; `contact.check`
  finds that ("again").
- A force that is c u^p + d u^q w, found to be so from its values, costs some 1.4 times the law in C, since its impacts
  follow by power series; others cost some 15 times as much. Each step by series counts only where the function itself
  has these forces, to 1e-13; where it has others it is integrated.
- Return dF/du and dF/dw as second and third value where you know them; else they are found by differences.
- A force that jumps or has a kink costs accuracy at the kink; one that cancels digits, as exp(x) - 1 does for small x,
  costs steps: use forms without cancellation.
- `energy = function(p, u)` says what the force has stored, for the ledger of a motion; without it the normal work
  counts as lost when the contact is over.
- A law with **memory** says `states = { "x" }, rates = function(p, u, w, x)`: the states are 0 where a contact begins,
  follow the motion by their rates, and stand behind u and w among the arguments of `force` and, behind u, of `energy`.
  So a force that relaxes, a damper in series with a spring or a temperature is written.
- A law that gives energy is an error unless it says `may_gain = true`.

`contact.check(law)` tries what every law has to keep on random impacts and shows the first that breaks each property:
balance, energy, the cone, no pull, mirror symmetry, units, slow approach, leaps. It checks laws in C as well.]],
    example = [[
local law = percuss.contact.define{
    name = "topic_power_law", parameters = {
        { "stiffness", symbol = "k", unit = "N/m^1.5", above = 0 },
        { "damping", symbol = "c", unit = "s/m", default = 0, least = 0 },
    },
    force = function(p, u, w) return p.k*u^1.5*(1 + p.c*w) end,
}
local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }
local mine = percuss.collide(ball, law{ k = 1e9, c = 0.3, mu = 0.2 }, { vt = 1, vn = -1 })
local built_in = percuss.contact.hunt_crossley{ k = 1e9, zeta = 0.3, mu = 0.2 }
print(math.abs(mine.velocity.n - percuss.collide(ball, built_in, { vt = 1, vn = -1 }).velocity.n) < 1e-11) --> true
print(percuss.contact.check(law{ k = 1e9, c = 0.1, mu = 0.2 }, { quiet = true }).ok) --> true]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "Three laws in Lua", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "u", xunit = "mm", ylabel = "F_n", yunit = "N" }
        local ball = pc.body.sphere{ radius = 0.05, mass = 0.1 }
        local laws = {
            { "power law with damping", function(_, u, w) return 1e7*u^1.5*(1 + 0.3*w) end },
            { "spring and dashpot", function(_, u, w) return 2e5*u + 60*w end },
            { "hardening", function(_, u) return 1e5*u + 1e8*u^2 end },
        }
        for i, row in ipairs(laws) do
            local name = "topic_curve_" .. i
            local law = pc.contact.define{ name = name, force = row[2] }
            local history = pc.collide(ball, law{ mu = 0 }, { vn = -1 }):trace(200)
            panel:line{ history.u_n*1e3, history.F_n, label = row[1] }
            -- who looks at a picture wants no laws of it
            pc.contact[name] = nil
            require("percuss.law_core").forget("contact." .. name)
        end
        return figure
    end,
    see = { "contact.define", "contact.check", "which_law", "energy", "forces" },
    source = "Hunt and Crossley (1975); Stronge, Impact Mechanics (2000)",
}
