return {
    title = "Joints and mechanisms",
    summary = "Pins, sliders and welds between bodies: closed loops, drives, stops, dry friction, reactions, and how "
        .. "they are put together.",
    words = "joint pin hinge revolute slider prismatic rail guide weld fixed linkage mechanism crank rocker four-bar "
        .. "slider-crank piston loop closed constraint reaction drive motor exact rate assemble cart pendulum "
        .. "multibody lagrange multiplier redundant overconstrained floating floats chain free base stop limit end "
        .. "bumper dry friction bearing journal stiction breakaway door knee",
    text = [[
A joint is a part of a scene like a force: it names two bodies, a and b, of which b is the ground if it is not given.
`at` is a point in space where both are at their own start; the joint keeps to it on both from then on. Where that is
not known, as under a pivot that a function moves, `a_at` and `b_at` say it in the frames of the bodies.

    G(q) u = r(t)
    M du/dt = Q + G^T lambda
    G M^-1 G^T lambda = dr/dt - G M^-1 Q - G' u

- `pin`: a point of a stays on a point of b. With `rate` a drive holds the rate of a against b exactly.
- `slider`: a point of a stays on a line of b, and the angle between the bodies stays.
- `weld`: a stays with b as they were.

Reactions on a are columns: "pin.Rx", "pin.Ry" (N) and, where there is one, "pin.M" (N m), in space axes, at the
joint. Impacts have their impulses: `hit.joint_impulses.pin.x`. A drive's work is in `torque`; joints that are not
driven do none.

The angle of a against b, or the way along the line of a slider, may have stops: `lower`, `upper`, or both. With
`restitution` they are rigid, with `stiffness` and `damping` they give. Bounces, their end in finite time, rest on a
stop and lift-off are those of any contact, called after the joint: `hit.contact == "pin.lower"`, and columns
"pin.lower.gap" (rad) and "pin.lower.M" (N m), or "slider.upper.gap" (m) and "slider.upper.F" (N). What is told in m,
m/s, N and N s of contacts is in rad, rad/s, N m and N m s there.

Dry friction in a joint holds it, and takes energy where it turns or slides. `friction_torque` of a pin and
`friction_force` of a slider do not depend on the load. `friction` with the `radius` of a pin does, by its reaction R,
and so does the `friction` of a slider by the force N normal to its line:

    |M| <= mu r |R|
    |F| <= mu |N|

R depends on friction itself, and is found with it. In an impact the second kind rubs with the impulse of the reaction,
once the laws of what struck have acted: an impact of its own in the list, `hit.contact == "pin.friction"`. A constant
torque has no impulse.

Friction that makes its own reaction grow by more than itself locks the joint: no force is enough, and an impulse stops
the slip at once. The event is called "jam", and the impact in the list has what it took. Where several joints would
have to share such an impulse, the run ends with an error that names the place.

The joints of a `chain` have stops and dry friction by a pin at the same place, between two links that follow each
other or the first one and the ground. It holds nothing twice.

Loops may be closed. Conditions that follow from others (a bar on three parallel cranks) are recognised from the
geometry alone, whatever the masses: motion is unique then, and of reactions those of least squares are given. A place
in which a loop could change its branch is passed on the branch that it is on, unless it stops there.

What is joined touches only if `touch = true` says so, and bars of a linkage that are drawn over one another have
`touch = "none"` of their own. After each step joints are put back together to rounding.

A `chain` hangs from a pivot, which may move; with `pivot = { floats = true, x =, y =, vx =, vy = }` nothing holds it,
and x0, y0 of its upper end are coordinates behind the angles of its links. Links and joints are then those of pinned
rods, but exactly: no condition drifts.

At the start a joint that is open is an error that tells the gap: in metres, radians, or their rates. With `assemble =
true` in `simulate` it is closed: places move as little as the masses allow, and then velocities change as an impact
of the joints would change them. To give a linkage its motion, give the rates of all its bodies, or a drive.]],
    example = [[
local crank = percuss.free{ shape = "rod", mass = 1, length = 0.2, y = 0.1, angle = 0, name = "crank",
    touch = "none" }
local block = percuss.free{ shape = "box", mass = 2, width = 0.1, height = 0.1, y = 0.7, name = "block" }
local rod = percuss.free{ shape = "rod", mass = 0.5, length = 0.5, y = 0.45, name = "rod", touch = "none" }
local world = percuss.scene{ crank, rod, block, percuss.slider{ a = "block", angle = math.pi/2, name = "guide" },
    percuss.pin{ a = "crank", at = { 0, 0 }, rate = 10, name = "motor" },
    percuss.pin{ a = "rod", b = "crank", at = { 0, 0.2 }, name = "crankpin" },
    percuss.pin{ a = "block", b = "rod", at = { 0, 0.7 }, name = "wrist" } }
local s = percuss.simulate(world, { duration = 0.1, assemble = true }):at(0.1)
print(("%.4f m, torque %.3f N m, side thrust %.3f N"):format(s["block.y"], s["motor.M"], s["guide.Rx"]))
--> 0.5789 m, torque -2.111 N m, side thrust -0.289 N]],
    figure = function(pc)
        local l, r, w = 0.35, 0.1, 40
        local wheel = pc.free{ shape = "disc", radius = 0.12, mass = 2, rate = w, name = "wheel", touch = "none" }
        local rod = pc.free{ shape = "rod", mass = 0.6, length = l, x = r + l/2, angle = math.pi/2, rate = -w*r/l,
            vy = w*r/2, name = "rod", touch = "none" }
        local block = pc.free{ shape = "box", width = 0.1, height = 0.06, mass = 0.9, x = r + l, name = "block",
            touch = "none" }
        local run = pc.simulate(pc.scene{ wheel, rod, block,
            pc.pin{ a = "wheel", at = { 0, 0 }, rate = w, name = "motor" },
            pc.pin{ a = "rod", b = "wheel", at = { r, 0 }, name = "crank" },
            pc.pin{ a = "block", b = "rod", at = { r + l, 0 }, name = "wrist" },
            pc.slider{ a = "block", name = "guide" } }, { duration = 2*math.pi/w })
        local c = run:columns(pc.linspace(0, run.time, 200))
        local figure = pc.chart.figure{ title = "A crank that turns at 40 rad/s drives a block", width = 480,
            height = 320 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "force on the block", yunit = "N" }
        panel:line{ c.t, c["wrist.Rx"], label = "along, at the wrist pin" }
        panel:line{ c.t, c["guide.Ry"], label = "of its guide" }
        return figure
    end,
    see = { "pin", "slider", "weld", "chain", "motor", "forces", "energy", "simulate" },
    source = "Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 3 and 8, for the equations",
}
