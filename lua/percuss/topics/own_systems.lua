return {
    title = "A system of one's own",
    summary = "Coordinates, mass, forces and gaps as functions: impacts, stick, slip and rest as of any other body.",
    words = "own system mechanism generalized generalised coordinates lagrange equations of motion unilateral "
        .. "constraint gap function jacobian woodpecker rimless wheel walker bell clapper toy custom user-defined "
        .. "dynamics mass matrix coriolis nonsmooth complementarity glocker moreau",
    text = [[
What is no chain and no rigid body in the plane (a toy with play in its bearing, a wheel of spokes, a gear with
backlash) is written as `mechanism{ ... }`: coordinates q with their rates u, a mass matrix, forces, and gaps that must
not become negative. It is a part of a scene like a chain. Laws, rules for impacts at once, lasting contacts, events,
ledger, files, `run:carry` and charts do what they do for bodies.

    d(M u)/dt - d(u^T M u/2)/dq = Q - dV/dq + n^T N + t^T F
    v_n = n u + dg/dt
    v_t = t u + drift
    n = dg/dq

- `mass` is M: rows, or its diagonal, a function of q or constant. What it does by changing with q (centrifugal,
  Coriolis) follows from it. Whoever has the equations as M u' = h, with all of that in h, says
  `coriolis = "in_force"`.
- `force` is Q, whose power is Q u. Of a torque on an angle that is the torque; a force on a point counts by how far
  that point moves for each unit of a coordinate. Gravity is one of them: that of the scene acts on bodies alone.
- `potential` is V, whose slopes act besides and whose energy is in the ledger; what `force` does counts as work, in
  the column `torque`.
- A gap is a function of (t, q). Its `tangent` is the row t of the slip, in the direction of a positive friction;
  a last number is the velocity that the contact has at rest, as on a belt. A gap without tangent has no friction.

Rows may be functions, lists where they are constant, or left out: then they are central differences of six points, to
some 1e-13 of themselves, and what the velocities bend of a gap to 1e-12. The steps follow from a scale of each
coordinate, which is found at the start: the largest of 1, 0.3, 0.1, ... on which all functions are smooth. Give
`scale` where that is not so elsewhere. A jacobian that is given is compared with differences, once.

A mass that is not symmetric and positive definite, a function that fails or returns no number, and a slope that is
none are errors at the line of the script, with the coordinates where it happened. Functions depend on their arguments
alone; before the motion they are asked with not-a-number for one of them, to learn on which they depend.

Differences cost: a contact that lasts with all rows as functions of q asks some forty times in each evaluation. Rows
as lists cost nothing, and rows as functions a sixth of differences.

`picture = function(q, t)` returns the lines that `run:draw`, `run:animate` and `run:view` show.]],
    example = [[
-- a bead on a hoop that turns about its vertical diameter; a stop in the way
local R, m, w, g = 0.3, 0.1, 8, 9.81
local bead = percuss.mechanism{
    coordinates = { { "phi", unit = "rad" } }, start = { 0.1 },
    mass = { m*R^2 },
    force = function(t, q) return m*R^2*w^2*math.sin(q.phi)*math.cos(q.phi) - m*g*R*math.sin(q.phi) end,
    gaps = { { function(t, q) return R*(1.2 - q.phi) end, name = "stop",
        contact = percuss.contact.newton{ restitution = 0.6, friction = 0 } } },
}
local run = percuss.simulate(percuss.scene{ bead }, { duration = 3 })
print(run.impacts[1].contact) --> stop
local s = run:at(3)
print(("%.1e"):format(math.abs(s.energy + s.lost - s.torque)) < "1e-10") --> true]],
    figure = function(pc)
        local n, l, m, g, slope = 6, 0.5, 1, 9.81, 0.15
        local alpha, gaps = 2*math.pi/n, {}
        for k = 1, n do
            gaps[k] = { function(_, q) return q.z - l*math.cos(q.theta + (k - 1)*alpha) end,
                tangent = function(_, q) return 1, 0, -l*math.cos(q.theta + (k - 1)*alpha) end }
        end
        local theta, rate = -alpha/2, 2.6
        local wheel = pc.mechanism{ coordinates = { "s", "z", { "theta", unit = "rad" } },
            start = { l*math.sin(theta), l*math.cos(theta), theta },
            rates = { l*math.cos(theta)*rate, -l*math.sin(theta)*rate, rate }, mass = { m, m, 0.1*m*l^2 },
            force = function() return m*g*math.sin(slope), -m*g*math.cos(slope), 0 end, gaps = gaps }
        local run = pc.simulate(pc.scene{ wheel, together = "simultaneous",
            contact = pc.contact.newton{ restitution = 0, friction = 2 } }, { duration = 2.2 })
        local figure = pc.chart.figure{ title = "A wheel of spokes rolls down a slope", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "along", xunit = "m", ylabel = "above", yunit = "m", equal = true,
            legend = false }
        panel:line{ { -0.6, 2.6 }, { 0, 0 }, colour = "black", dash = "solid", width = 2 }
        for i = 0, 4 do
            local q = run:at(2.2*i/4).q
            for k = 1, n do
                local a = q[3] + (k - 1)*alpha
                panel:line{ { q[1], q[1] - l*math.sin(a) }, { q[2], q[2] - l*math.cos(a) }, colour = "blue",
                    dash = "solid", width = 1 }
            end
        end
        local c = run:columns(pc.linspace(0, 2.2, 300))
        panel:line{ c.s, c.z, colour = "orange", dash = "solid", width = 1.5 }
        return figure
    end,
    see = { "mechanism", "own_laws", "several_contacts", "energy" },
    source = "Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts (1996)",
}
