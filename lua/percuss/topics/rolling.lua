return {
    title = "Rolling and twisting, and what resists them",
    summary = "Resistance to rolling and twisting as lengths: how a ball comes to rest, when it stays on a slope, what "
        .. "an impact takes of spin.",
    words = "rolling twisting spinning resistance friction wheel ball billiard marble slope incline couple lever arm "
        .. "rest stops delta spin normal",
    text = [[
Coulomb's friction lets a ball roll for ever: what sticks does no work. Real contacts take some energy as they roll,
since the material ahead is pressed in and gives less back behind. The pressure then acts ahead of the middle, by a
length delta, and makes a couple against the rate of one body against the other:

    |M| <= delta F_n

contact.newton, contact.poisson and contact.stronge have that length as `rolling` (or `delta`), in metres; 0, which it
is if not given, is no resistance. Values are small: some 1e-5 m for steel on steel, 1e-3 m for a tyre, several 1e-3 m
for a ball on grass.

A round contact that lasts, of a disc, a capsule or the round end of a link, then has two modes: it rolls with |M| =
delta F_n against the rate, or it is held, by whatever couple that takes, as long as the bound allows it. Sliding and
rolling are apart: each has its own modes. A disc of radius R rolls on the level with a deceleration of

    a = delta g/(R (1 + j))

where j R^2 m is its moment of inertia, and stays at rest on a slope up to the angle

    theta = atan(delta/R)

What the couple takes is in the ledger under friction, and when nothing moves any more the event `rest` says so. Sharp
corners do not roll.

Impacts have the couple as well, by its impulse: while the normal impulse grows it takes of the rate what it may, until
nothing rolls any more, and friction, which it works with or against, sticks or slips meanwhile. Of a smooth ball of
inertia J an impact with the normal impulse p_n leaves

    w' = w - delta p_n/J

of a rate w > 0, or 0 if that were negative; hit.couple is what it took. In space rolling is about both tangents, and a
second length, `twisting` (`delta_n`), bounds the couple about the normal, which takes spin w_n from a ball that falls
straight down:

    w_n' = w_n - delta_n p_n/J

percuss.collide has both for free bodies, pendulums and linkages whose surface is round where they touch; what is known
by its W alone, and percuss.map, does not tell how it turns. Contacts that are struck as one have a couple each.

Most compliant laws, and those that a script defines, have the length `rolling` as well, frozen and moving: the normal
force acts ahead by it as long as the contact rolls, or a couple holds it. Without an element along the surface and
without damping an impact by such a law is that of contact.stronge with restitution 1. Pendulums, which cannot move
without turning, are refused; contact.linear, contact.coupled and contact.maw have no such length.]],
    example = [[
local law = percuss.contact.newton{ restitution = 0, friction = 0.5, rolling = 4e-3 }
local wheel = percuss.free{ shape = "disc", radius = 0.1, mass = 2, y = 0.1, vx = 3, rate = -30 }
local run = percuss.simulate(percuss.scene{ wheel, percuss.floor{ height = 0 }, contact = law }, { duration = 12 })
local rest = run.events[#run.events]
print(("%s at %.4f s, %.4f m"):format(rest.kind, rest.time, run:at(12).x))
--> rest at 11.4679 s, 17.2018 m]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A ball that slides, rolls and rests", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "v", yunit = "m/s" }
        local ball = pc.free{ shape = "disc", radius = 0.05, mass = 0.5, inertia = 5e-4, y = 0.05, vx = 1.5 }
        for _, delta in ipairs{ 0, 1e-3, 2e-3, 4e-3 } do
            local law = pc.contact.newton{ restitution = 0, friction = 0.4, rolling = delta }
            local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 5 })
            local t, v = pc.linspace(0, 5, 251), {}
            for i = 1, #t do v[i] = run:at(t[i]).vx end
            panel:line{ t, v, label = ("delta = %g mm"):format(1e3*delta) }
        end
        return figure
    end,
    see = { "contact.newton", "contact.poisson", "contact.stronge", "collide", "free", "phases", "energy" },
    source = "Johnson, Contact Mechanics (1985), chapter 9; Coulomb (1785)",
}
