return {
    title = "Super Ball: spin that comes back",
    summary = "How a ball that grips reverses its spin and its sliding, and which law and parameter do that.",
    words = "superball super ball bouncy spin back-spin tangential restitution e_t rough sphere Garwin grip throw "
        .. "under table tennis golf rotation comes back",
    text = [[
A Super Ball thrown obliquely comes back: its contact point leaves with the tangential velocity turned round. Garwin's
ideal ball does that exactly, without a loss:

    v_t' = -v_t
    v_n' = -v_n

No rigid law with Coulomb's friction does it, for there sliding stops at best. A tangential spring does:
`contact.linear` with enough friction to stick. Both springs swing half a period during the contact, and these are
equal where

    k_n/k_t = w_tt/w_nn

which is 3.5 for a solid sphere, 2.5 for a thin shell. So `stiffness_ratio = 3.5` makes the perfect Super Ball. It
sticks from the start where |v_t/v_n| < mu k_n/k_t, and slips before the end if friction is low. Solids have ratios
near 1.2, and their balls come back with less than half of it: 0.47 at best by Maw's law for a steel ball.

Thrown under a table it bounces floor, table, floor and flies back to the hand.]],
    example = [[
local ball = percuss.body.sphere{ radius = 0.02, mass = 0.035 }
local law = percuss.contact.linear{ stiffness = 1e5, stiffness_ratio = 3.5, friction = 2 }
local hit = percuss.collide(ball, law, { vt = 1.5, vn = -2 })
print(("%.9f %.9f"):format(hit.velocity.t, hit.velocity.n)) --> -1.500000000 2.000000000]],
    figure = function(pc)
        local ball = pc.body.sphere{ radius = 0.02, mass = 0.035 }
        local figure = pc.chart.figure{ title = "How much of the sliding comes back", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "v_t/|v_n| before", ylabel = "-v_t afterwards/v_t before" }
        local ratio = pc.linspace(0.05, 6, 120)
        for _, eta in ipairs{ 1.2, 2.2, 3.5 } do
            local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = eta, friction = 1 }
            local m = pc.map(ball, law, { vt = ratio, vn = -1 })
            panel:line{ ratio, m.vt/ratio*-1, label = "k_n/k_t = " .. eta }
        end
        return figure
    end,
    see = { "contact.linear", "phases", "restitutions", "which_law" },
    source = "Garwin (1969), Am. J. Phys. 37; Maw, Barber and Fawcett (1976)",
}
