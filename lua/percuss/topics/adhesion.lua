return {
    title = "Bodies that stick to each other",
    summary = "Adhesion of small grains: pull-off force, sticking speed, and which of two models holds.",
    words = "adhesion adhesive sticky stick powder dust grain gel cell surface energy JKR DMT Tabor pull-off neck "
        .. "cohesion van der Waals snap jump into contact",
    text = [[
Surfaces that touch hold together: parting them takes the work of adhesion Gamma (J/m^2; 2 gamma of two equal solids).
For spheres two models are exact at the ends of one scale, the Tabor parameter

    tau = (R Gamma^2/(E_c^2 z^3))^(1/3)

with the range z of the attraction, some 0.3 nm. Above 5 take `contact.jkr` (soft, large, sticky: polymers, gels,
cells), below 0.1 `contact.dmt` (hard and small).

- DMT: Hertz's force less a constant 2 pi Gamma R while the bodies touch. Nothing is lost, so an impact has e = 1.
- JKR: the contact circle is wider than Hertz's, and the bodies part by a neck, beyond the place where they met. It
  pulls with 3/2 pi Gamma R at most. What the neck takes is lost; slower than the sticking speed V they never part:

    e = sqrt(1 - V^2/v^2)

Of such an impact `outcome` is "adhered". In `simulate` with `configuration = "moving"` the law acts through the motion:
grains stay, swing on their contact, hang under a ceiling, and are torn off where weight or a force is above the
pull-off force. In a frozen configuration an impact is an instant, and what adheres or rests is a rigid contact that is
held together by the pull-off force P: F_n may be as low as -P, and there the contact ends.

Friction is that of the force that presses: mu F_n, and none while the neck pulls. A rigid contact that lasts knows
neither neck nor depth, and its friction is bounded by mu (F_n + P), as Derjaguin has it. Both laws take Mindlin's
tangential stiffness, JKR's by its own contact circle.]],
    example = [[
local law = percuss.contact.jkr{ modulus = 1e9, radius = 1e-4, work_of_adhesion = 0.1, friction = 0.3 }
local grain = percuss.body.sphere{ radius = 1e-4, mass = 1e-8 }
for _, v in ipairs{ 0.01, 0.02, 0.1 } do
    local hit = percuss.collide(grain, law, { vt = 0, vn = -v })
    print(string.format("%.2f m/s: %s, e = %.3f", v, hit.outcome, hit.restitution.kinematic))
end
--> 0.01 m/s: adhered, e = 0.000
--> 0.02 m/s: rebound, e = 0.803
--> 0.10 m/s: rebound, e = 0.993]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A grain of 0.1 mm at 2 cm/s", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "u", xunit = "nm", ylabel = "F_n", yunit = "μN" }
        local grain = pc.body.sphere{ radius = 1e-4, mass = 1e-8 }
        local options = { modulus = 1e9, radius = 1e-4, work_of_adhesion = 0.1, friction = 0 }
        for _, name in ipairs{ "jkr", "dmt" } do
            local history = pc.collide(grain, pc.contact[name](options), { vt = 0, vn = -0.02 }):trace(400)
            panel:line{ history.u_n*1e9, history.F_n*1e6, label = name }
        end
        return figure
    end,
    see = { "contact.jkr", "contact.dmt", "which_law", "restitutions" },
    source = "Johnson, Kendall and Roberts (1971); Derjaguin, Muller and Toporov (1975); Thornton and Ning (1998)",
}
