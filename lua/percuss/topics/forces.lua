return {
    title = "Forces in a scene",
    summary = "Springs, cords, drag, spin in air, fields, motors and functions: what they act on, and their work.",
    words = "force spring damper cord rope bungee air drag resistance wind magnus spin lift field gravity motor drive "
        .. "torque actuator external applied load pulse harmonic forcing own force function user-defined",
    text = [[
A force is a part of a scene like a body or an obstacle: it stands in the list. It names what it acts on: a free body
by its name ("body", if it was given none), a link of a chain as "chain.link2", the ground. Points on bodies are { x,
y } in the frame that turns with the body and is that of space at angle 0, from the mass centre of a free body and
from the upper joint of a link, whose end is at { 0, -length }; there a number alone says how far along the link.

    T = k (l - l_0) + c l'
    F = -(c1 + c2 |v|) v
    F_y = S omega v_x

- `spring`: in line between two points, with a damper; `slack = true` makes it a cord that never pushes.
- `rotational_spring`: on the angle between two bodies.
- `drag`: linear and quadratic, against the velocity through air that may move.
- `magnus`: on what spins as it flies; it does no work.
- `field`: on every body at its mass centre, per mass or per body, constant or a function of place and time.
- `motor`: a torque between two bodies; constant, harmonic, a function, or a drive that holds a rate by a gain.
- `force`: anything else: constant, harmonic, or f(t, body), which returns fx, fy and a moment in space axes.

What a force stores is in `potential` and `energy`, what it damps in `damped`, what it gives in `torque`;
`run:work(name)` tells it of one force. The ledger closes: energy + damped + friction + lost - torque - pivot stays
what it was.

A function that jumps in time says where, as in `breaks = { 1, 1.5 }`, or a pulse may be stepped over; then no step
crosses a break, and nothing is asked at it. A function of the place alone that is a gradient could be a spring: then
its energy is known.

Joints of a chain have damping, stiffness and torque of their own, which say the same more briefly.]],
    example = [[
local ball = percuss.free{ shape = "disc", radius = 0.02, mass = 0.0027, y = 1, vx = 8, rate = -300, name = "ball" }
local world = percuss.scene{ ball, percuss.floor{ height = 0 },
    percuss.drag{ on = "ball", quadratic = 3.0e-4 }, percuss.magnus{ on = "ball", coefficient = 1.2e-5 },
    contact = percuss.contact.newton{ restitution = 0.9, friction = 0.2 } }
local run = percuss.simulate(world, { duration = 1 })
local given, damped = run:work "drag"
print(("%.4f m, %.4f J damped"):format(run.impacts[1].before["ball.x"], damped)) --> 2.1893 m, 0.0737 J damped]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A table tennis ball with top spin", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m" }
        local function flight(label, ...)
            local parts = { pc.free{ shape = "disc", radius = 0.02, mass = 0.0027, y = 1, vx = 8, vy = 1, rate = -300,
                name = "ball" }, pc.floor{ height = 0 }, ... }
            parts.contact = pc.contact.newton{ restitution = 0.9, friction = 0.2 }
            local c = pc.simulate(pc.scene(parts), { duration = 0.8 }):columns(0.005)
            panel:line{ c["ball.x"], c["ball.y"], label = label }
        end
        local drag = pc.drag{ on = "ball", quadratic = 3.0e-4 }
        flight "in vacuum"
        flight("with drag", drag)
        flight("with drag and spin", drag, pc.magnus{ on = "ball", coefficient = 1.2e-5 })
        return figure
    end,
    see = { "spring", "drag", "magnus", "field", "motor", "force", "energy", "own_laws" },
    source = "Rubinow and Keller, J. Fluid Mech. 11 (1961), for the force on a spinning sphere",
}
