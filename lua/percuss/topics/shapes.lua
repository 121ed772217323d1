return {
    title = "Bodies and obstacles of any shape",
    summary = "Outlines in the plane: discs, rods, boxes, capsules, polygons, bodies put together, and bowls.",
    words = "shape outline polygon corners triangle compound composite several shapes not convex hammer dumbbell bowl "
        .. "circle inside loop drum mass centre inertia overlap separate push apart",
    text = [[
A free body has one of the shapes disc, sphere, rod, box and capsule, or the outline of a body made for `collide`
(`body = percuss.body.sphere{...}`), or `corners`: a convex polygon of 3 to 16 places { x, y } in a frame of its own,
whose mass is spread evenly. What is not convex is put together: `shapes` is a list of such bodies, each where its x, y
and angle say in one common frame. Masses add up, and about the mass centre of the whole, from which the piece i lies
d_i away,

    J = J_i + m_i d_i^2

summed over the pieces. The x, y of the body are those of that mass centre. The contacts of a piece are called by it,
"hammer.part2.corner1 on floor"; a law or a force that names the body means all of it.

Corners touch sides, round ends touch everything; two outlines that meet with flat sides touch at both ends of what they
have in common. Pieces of one body do not touch each other. Where two are flush nothing stops what rolls over the seam.

Obstacles are floors, walls, planes, pegs, steps, blocks, bars, convex polygons, and `bowl`, the inside of a circle:
bodies touch it with their corners or round parts. Arcs, splines, tracks and cams are told of in "curves". All of them
may move.

A motion begins without overlaps: those of rounding, below 1e-12 of the lengths, count as touching; greater ones are
refused with their size. With `separate = true` simulate pushes them apart: of all displacements that leave no overlap
it takes the one with the least sum of m |dx|^2 + J dangle^2. With configuration = "moving" an overlap is an indentation
at the start.]],
    example = [[
local hammer = percuss.free{ name = "hammer", shapes = {
    { shape = "capsule", length = 0.4, radius = 0.02, mass = 0.2 },
    { shape = "box", width = 0.2, height = 0.1, mass = 0.8, y = 0.25 },
} }
print(("%.1f kg, %.6f kg m^2"):format(hammer.mass, hammer.inertia)) --> 1.0 kg, 0.016465 kg m^2
local world = percuss.scene{ hammer, percuss.bowl{ x = 0, y = 0, radius = 1 },
    contact = percuss.contact.newton{ restitution = 0.5, friction = 0.3 } }
print(world.contacts[1]) --> hammer.part1.end1 on bowl]],
    figure = function(pc)
        local run = pc.simulate(pc.scene{
            pc.free{ x = -0.3, rate = 3, shapes = {
                { shape = "capsule", length = 0.4, radius = 0.02, mass = 0.2 },
                { shape = "box", width = 0.2, height = 0.1, mass = 0.8, y = 0.25 },
            } },
            pc.free{ x = 0.4, y = 0.2, mass = 1, corners = { { 0, 0 }, { 0.4, 0.1 }, { 0.1, 0.5 } } },
            pc.bowl{ x = 0, y = 0, radius = 1 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0.3 },
        }, { duration = 0.5 })
        local figure = pc.chart.figure{ title = "Paths of two mass centres in a bowl", width = 520, height = 420 }
        local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m", equal = true }
        local c, a = run:columns(0.005), pc.linspace(0, 2*math.pi, 200)
        panel:line{ a:cos(), a:sin(), label = "bowl" }
        panel:line{ c["body.x"], c["body.y"], label = "hammer" }
        panel:line{ c["body2.x"], c["body2.y"], label = "triangle" }
        return figure
    end,
    see = { "free", "bowl", "curves", "several_contacts", "vibrating_table" },
    source = "Steiner's theorem; areas and moments of polygons by Green's theorem",
}
