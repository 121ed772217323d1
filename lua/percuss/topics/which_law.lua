return {
    title = "Which contact law when",
    summary = "Rigid, compliant or the continuum: a table of laws by what is known and what is asked.",
    words = "choose law model which when steel ball glass rubber hard sphere DEM decision rigid compliant "
        .. "continuum recommend compare",
    text = [[
Begin with what you know of the impact, not with what you like to solve.

- Nothing but how well it bounces and the friction: `contact.stronge`. It is consistent in energy for every body.
  `contact.poisson` where impulses were measured; `contact.newton` for what is central or for comparison with
  textbooks: it may create energy in oblique impacts of rods.
- A steel, glass or ceramic ball, elastic, below the speed of yield: `contact.maw` is the continuum solution for
  Hertzian contact with partial slip; `contact.linear` with the stiffness ratio of the material comes near it at no
  cost (its closed form makes millions of impacts a second); `contact.hertz_mindlin` is what particle codes use.
- A metal ball that yields, as mild steel does from some centimetres a second on: `contact.thornton` (elastic, then
  plastic; its restitution falls with the speed), `contact.walton_braun` (two stiffnesses; the same at any speed).
- A ball of ice, plastic or rubber whose restitution falls slowly with the speed without a mark being left:
  `contact.viscoelastic`, from one constant of the material.
- Dust and powders below a tenth of a millimetre, which adhere: `contact.dmt`.
- Oblique impacts of spheres that were measured, as e, mu and beta0: `contact.hard_sphere`.
- Rubber, polymers, a biped's foot: `contact.hunt_crossley` or `contact.kelvin_voigt`. `contact.lankarani_nikravesh` is
  what multibody codes have: the restitution that it achieves is not the one it is given. Another of theirs is
  `contact.impact_function`.
- A discrete element code to compare with: `contact.tsuji`, `contact.hertz_mindlin`, `contact.kelvin_voigt`.
- Vehicles, with an impulse ratio from a crash: `contact.brach`. Sports: `contact.stronge`, or `contact.linear` where
  spin comes back.
- Several contacts at once: a compliant law decides by stiffness; a rigid one by its rule (see several_contacts).

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
