return {
    title = "Phases of an impact: slip, stick, reversal",
    summary = "What the sliding velocity does during an impact, and what regime, phases and flags mean.",
    words = "phases regime slip stick slide reverse gross stick Coulomb cone micro-slip history reversal recompression",
    text = [[
Coulomb's friction has two modes. The contact slips with |F_t| = mu F_n against the sliding, or it sticks with

    |F_t| <= mu F_n

`hit.phases` lists them in order with the state at the start and at the end of each, and `hit.regime` says them in a
word: "gross slip", "slip-stick", "slip-stick-slip".

With a rigid law the impact goes along the normal impulse. Slip changes the sliding velocity at the rate

    d_t = w_tn - mu s w_tt

for each unit of p_n, with s = 1 or -1 the direction of slip. If it comes to 0 the contact sticks as long as |w_tn| <=
mu w_tt; if not, slip starts again the other way.

A compliant law has a tangential spring between the body and the particle that touches. Then the body's velocity and
the particle's slip are two things: F_t may turn its sign while everything sticks, the spring gives back what it has
stored, and a ball with back spin comes back. Whether it begins in stick depends on the angle alone; for the linear law
with eta = k_n/k_t

    |v_t/v_n| < mu eta

`flags.jam` is set where slip presses the bodies together (see wedging), `flags.recompression` where v_n came to 0 more
than once.]],
    example = [[
local ball = percuss.body.sphere{ radius = 5e-3, material = percuss.material.alumina }
local law = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
for _, angle in ipairs{ 10, 45, 80 } do
    local hit = percuss.collide(ball, law, { speed = 1, incidence = angle*percuss.deg })
    print(angle .. " " .. hit.regime)
end
--> 10 stick-slip
--> 45 slip-stick-slip
--> 80 gross slip]],
    figure = function(pc)
        local ball = pc.body.sphere{ radius = 5e-3, material = pc.material.alumina }
        local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
        local figure = pc.chart.figure{ columns = 3, width = 800, height = 260 }
        for _, angle in ipairs{ 10, 45, 80 } do
            local hit = pc.collide(ball, law, { speed = 1, incidence = angle*pc.deg })
            local h = hit:trace(200)
            local panel = figure:panel{ title = angle .. " deg: " .. hit.regime, xlabel = "t/T", legend = angle == 10 }
            panel:line{ h.t/hit.duration, h.F_t/hit.peak.n, label = "F_t" }
            panel:line{ h.t/hit.duration, h.F_n*0.5/hit.peak.n, label = "mu F_n", dash = "dashed" }
            panel:line{ h.t/hit.duration, h.F_n*-0.5/hit.peak.n, label = "-mu F_n", dash = "dashed" }
        end
        return figure
    end,
    see = { "impact", "impulse.path", "wedging", "conventions" },
    source = "Birlik (2012), chapters 3 and 4; Stronge (2000)",
}
