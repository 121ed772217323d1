return {
    title = "Wedging and jams",
    summary = "When friction holds a pendulum or rod so that it does not come back, and when slip presses bodies "
        .. "together.",
    words = "wedge wedging wedged jam jamming Painleve paradox lock critical angle pendulum stuck hold self-locking",
    text = [[
A pendulum that strikes a rough plane may stay where it strikes. Its contact point has one way to move, so when
friction stops its sliding it stops its rebound too. With a rigid law that happens from

    mu = tan(theta)

on, theta being the angle of the link from the normal. With elastic contact of stiffness ratio eta = k_n/k_t the
springs may push it out again: it wedges below the angle whose tangent T solves

    mu eta T^2 + (1 + 3 mu^2 eta) T - mu = 0

which does not depend on speed, mass or size. With energetic restitution E < 1 eta is replaced by eta/E^2. What is
wedged vibrates on its springs for ever: the result has `outcome = "wedged"`, and `hit.lock` tells the frequency and
the forces.

Other bodies jam. Slip in the direction s deepens the approach where

    w_nn - mu s w_tn < 0

The normal force then grows whatever the normal velocity is, until the slip has stopped; from rest this is Painleve's
paradox, and percuss makes an impact of it. The flag `jam` tells it; a motion has an event "jam".]],
    example = [[
print(("%.3f degrees"):format(percuss.critical_angle(0.5, 1.21)/percuss.deg)) --> 13.677 degrees
local law = percuss.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = 0.5 }
for _, angle in ipairs{ 13, 14 } do
    local bob = percuss.body.pendulum{ radius = 0.02, length = 0.5, mass = 0.1, angle = angle*percuss.deg,
        contact = "link" }
    print(angle .. " " .. percuss.collide(bob, law, { rate = -1 }).outcome)
end
--> 13 wedged
--> 14 rebound]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A pendulum wedges below its line", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "friction", ylabel = "angle from the normal", yunit = "deg" }
        local mu = pc.linspace(0.02, 2, 150)
        for _, eta in ipairs{ 0.1, 1.21, 3 } do
            local angle = {}
            for i = 1, #mu do angle[i] = pc.critical_angle(mu[i], eta)/pc.deg end
            panel:line{ mu, angle, label = "eta = " .. eta }
        end
        panel:line{ mu, mu:atan()/pc.deg, label = "rigid", dash = "dashed" }
        return figure
    end,
    see = { "critical_angle", "wedging_range", "greatest_critical_angle", "mobility", "phases" },
    source = "Birlik (2012), section 4.2.1, with its errata; Painleve (1895)",
}
