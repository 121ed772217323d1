return {
    title = "Rolling, and what resists it",
    summary = "Resistance to rolling as a length: how a ball comes to rest, when it stays on a slope, what it costs.",
    words = "rolling resistance friction wheel ball billiard marble slope incline couple lever arm rest stops delta",
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
corners do not roll. Impacts are without it: they are over before anything rolls. Compliant laws have no such length,
and `run:carry` does not follow runs with one.]],
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
    see = { "contact.newton", "contact.poisson", "contact.stronge", "free", "phases", "energy" },
    source = "Johnson, Contact Mechanics (1985), chapter 9; Coulomb (1785)",
}
