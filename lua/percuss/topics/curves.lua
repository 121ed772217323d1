return {
    title = "Curved obstacles: arcs, profiles, tracks, cams",
    summary = "How to let things roll, slide and bounce along curves: circles, splines, functions, loops and cams.",
    words = "curve curved arc circle profile spline function points hill valley crest track loop roller coaster ramp "
        .. "half pipe cam follower roller cycloid parabola curvature radius wire lift off leave "
        .. "narrow dent part",
    text = [[
A curve is an obstacle like any other: it has a name, it may move (`motion`, `surface_speed`), and rods, discs, boxes
and the ends of chains touch it.

`arc` is a part of a circle or all of it. `profile` goes through `points` by a cubic spline, or follows y(x), or
`curve`, a function that returns x and y. `track` is a chain of straight pieces and arcs, each of which goes on where
and in the direction in which the one before ends, so that there are no edges; it may meet itself, as a loop does.
`cam` is a closed outline by its distance from an axis, radius(angle), and turns with motion = { rate = 20 } (rad/s).
`polygon` is a convex one with straight sides.

A spline is as smooth as its curvature, and errs by the fourth power of the distances of its points. A function is asked
while the obstacle is made, and followed by polynomials to some 1e-14 of its size; its derivatives are those of the
polynomials, directions good to 1e-11 and curvatures to 1e-9 of the greatest. What it returns besides is compared with
them. A function with a corner or a jump is refused, and so is a closed curve that does not close smoothly.

A disc of radius r that moves along a curve has its middle on the parallel curve. Where that has the radius of curvature
rho, the curve being at the angle theta to the level, the curve presses with

    F_n = m (g cos(theta) + v^2/rho)

in a hollow, where rho is the radius of the curve less r; on a hill rho is negative, its size that of the hill and r
together. Where F_n comes to 0 the disc leaves: the event `lift_off`. So it does on a hill where it is faster than

    v = sqrt(g R cos(theta))

with R that size; down a smooth circle, from rest at its top, at cos(theta) = 2/3.

A curve is a wire: it is touched from both sides, and over its ends things roll off. `side` says on which side they
move. There a disc may be wider than a hollow: it comes to lie on both sides of it, with a contact on each. For discs of
that radius the curve falls into parts, cut where none of them gets to (from the left to the right of a profile, from
one crest of a wave to the next), and contacts are named after them, "ball on profile.part1"; `pairs` takes the name of
the curve, or of a part. Where there is one such hollow in a closed curve, that is cut once more, where discs pass: the
contact with one part ends there as that with the next begins. A disc that lies in a hollow of its own radius, or gets
to no place of the curve, is refused; on the other side one that is too large for the curve may bounce but not stay.

In a valley whose sides it touches at the slopes theta, a disc without friction rests on forces of m g/(2 cos(theta)).

Bodies with sides touch a curve with their corners; where it bends towards them that is not enough, and they are
refused. A track that meets itself needs rigid laws, and discs that are not too large for it, since what touches goes on
along it there.]],
    example = [[
local ball = percuss.free{ shape = "disc", radius = 0.1, mass = 1, x = 1.1*math.sin(0.01), y = 1.1*math.cos(0.01) }
local hill = percuss.profile{ y = function(x) return math.sqrt(1 - x^2) end, from = -0.95, to = 0.95 }
local smooth = percuss.contact.newton{ restitution = 0, friction = 0 }
local run = percuss.simulate(percuss.scene{ ball, hill, contact = smooth }, { duration = 2 })
for _, event in ipairs(run.events) do
    if event.name == "lift_off" then print(("cos(theta) = %.4f"):format(run:at(event.time).y/1.1)) end
end
--> cos(theta) = 0.6666]],
    figure = function(pc)
        local R, r = 0.5, 0.05
        local track = pc.track{ x = -1.512, y = 1.286, angle = -0.9, pieces = {
            { length = 1.4 }, { radius = 0.5, turn = 0.9 }, { length = 0.25 }, { radius = R, turn = 2*math.pi },
            { length = 0.8 },
        } }
        local figure = pc.chart.figure{ title = "A disc on a track, released at rest", width = 520, height = 380 }
        local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m", equal = true }
        local xs, ys = {}, {}
        for i, place in ipairs(track.shape.corners) do xs[i], ys[i] = place[1], place[2] end
        panel:line{ xs, ys, colour = "black", dash = "solid", width = 2, label = "track" }
        local c, s = math.cos(0.9), math.sin(0.9)
        for _, way in ipairs{ 0.5, 0.02 } do
            local run = pc.simulate(pc.scene{
                pc.free{ shape = "disc", radius = r, mass = 1, x = -1.512 + way*c + r*s,
                    y = 1.286 - way*s + r*c }, track,
                contact = pc.contact.newton{ restitution = 0.3, friction = 0.6 },
            }, { duration = 1.9 })
            local columns = run:columns(0.002)
            panel:line{ columns.x, columns.y, label = ("%.2f m down"):format(way) }
        end
        return figure
    end,
    see = { "shapes", "vibrating_table", "events", "rolling" },
    source = "Huygens (1673), Horologium oscillatorium; de Boor (2001), A practical guide to splines, chapter 4",
}
