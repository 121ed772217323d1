return {
    title = "Which contact law when",
    summary = "Rigid, compliant or the continuum: a table of laws by what is known and what is asked.",
    words = "choose law model which when steel ball glass rubber hard sphere DEM decision rigid compliant "
        .. "continuum recommend compare",
    text = [[
Begin with what you know of the impact, not with what you like to solve.

| what strikes, or what is known | law | why |
|---|---|---|
| only how well it bounces, and friction | `contact.stronge` | consistent in energy for every body |
| impulses were measured | `contact.poisson` | its R is a ratio of impulses |
| a central impact, or a textbook to compare with | `contact.newton` | simple; oblique rods may gain energy |
| a steel, glass or ceramic ball, elastic, below yield | `contact.maw` | the continuum, with partial slip |
| the same, millions of times | `contact.linear` | closed form; the material's stiffness ratio comes near |
| the same, as particle codes do it | `contact.hertz_mindlin` | Hertz's force, a tangential spring |
| a metal ball that yields, mild steel from some cm/s on | `contact.thornton` | restitution falls with the speed |
| the same restitution at any speed, with a residual indentation | `contact.walton_braun` | two stiffnesses |
| ice, plastic, rubber: restitution falls slowly | `contact.viscoelastic` | one constant of the material |
| soft grains and dust that adhere, such as gels and cells | `contact.jkr` | a neck, a sticking speed; see adhesion |
| hard dust below a tenth of a millimetre | `contact.dmt` | adhesion without loss |
| oblique impacts of spheres, measured as e, mu, beta_0 | `contact.hard_sphere` | takes these three |
| rubber, polymers, a biped's foot | `contact.hunt_crossley`, `contact.kelvin_voigt` | a damper in parallel |
| what a multibody code has | `contact.lankarani_nikravesh`, `contact.impact_function` | e is not what comes out |
| what a discrete element code has | `contact.tsuji`, `contact.hertz_mindlin` | its formulas |
| vehicles, an impulse ratio from a crash | `contact.brach` | takes that ratio |
| sports, spin that comes back | `contact.linear` | a tangential spring; see super_ball |
| several contacts at once | compliant by stiffness, rigid by a rule | see several_contacts |

With a rigid law two numbers decide, restitution and friction; sliding goes on to the end where

    |v_t| > mu (1 + e) |v_n| w_tt/w_nn

for a body with w_tn = 0, such as a ball. With a compliant law the ratio of the stiffnesses is the third number,

    k_n/k_t = (2 - nu)/(2 (1 - nu))

for elastic bodies of Poisson's ratio nu: 1.17 to 1.5.

Rigid laws know no time: an impact is an instant. Compliant ones have forces, durations and a history. Both see one
contact point with Coulomb's friction. Waves in the body are in none of them, which matters for long rods and for times
of contact near that of sound through the body.

`pc.compare` puts laws side by side for one impact; `pc.calibrate` finds parameters for a wanted restitution.]],
    example = [[
local ball = percuss.body.sphere{ radius = 5e-3, material = percuss.material.steel }
local laws = { percuss.contact.stronge{ E = 1, mu = 0.3 },
    percuss.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.2, friction = 0.3 } }
local c = percuss.compare(ball, laws, { vt = 0.5, vn = -1 })
print(#c.rows) --> 2]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "Restitution of a steel ball of 10 mm", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "speed", xunit = "m/s", ylabel = "e", xlog = true }
        local steel, speed = pc.material.steel, pc.logspace(1e-2, 10, 40)
        local ball = pc.body.sphere{ radius = 0.01, material = steel }
        local laws = {
            { "thornton", pc.contact.thornton{ material = steel, radius = 0.01, yield = 1.5e9, friction = 0 } },
            { "hunt_crossley", pc.contact.hunt_crossley{ stiffness = 1e10, damping = 0.1, friction = 0 } },
            { "walton_braun", pc.contact.walton_braun{ stiffness = 1e7, restitution = 0.7, friction = 0 } },
        }
        for _, row in ipairs(laws) do
            local e = {}
            for i = 1, #speed do e[i] = (pc.restitution(row[2], ball, speed[i])) end
            panel:line{ speed, e, label = row[1] }
        end
        return figure
    end,
    see = { "contact", "compare", "calibrate", "restitution", "several_contacts", "super_ball" },
    source = "Lai (1999); Birlik (2012); Stronge (2000)",
}
