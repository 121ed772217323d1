return {
    title = "Axes, signs and angles",
    summary = "Which way t and n point, what a positive velocity, force and angle are.",
    words = "conventions axes coordinates sign direction tangent normal angle incidence clockwise obstacle "
        .. "contact point",
    text = [[
Two bodies touch at one point. n is the normal there, from the obstacle into the body that strikes; t is the tangent, t
= (n_y, -n_x), so that over a floor t points to the right and n up. In space t2 completes them.

The contact point of the body has the velocity v = (v_t, v_n) relative to the obstacle. It approaches when v_n < 0. The
obstacle pushes the body with the force F and by the end with the impulse p; a normal force that presses is positive.

Motions are told in one of these ways: `vt` and `vn` of the contact point, `speed` and `incidence`, or the body's own
velocities. The angle of incidence is measured from the normal, positive towards +t:

    v_t = v sin(theta)
    v_n = -v cos(theta)

Angles of bodies, links and pendulums are measured from the normal that points down, positive towards +t, that is
anticlockwise; a link at the angle phi points along (sin phi, -cos phi). A pendulum over a floor hangs at 0.

Radians everywhere; `30*pc.deg` is 30 degrees. A source with other conventions is converted by its study, not here.]],
    example = [[
local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }
local hit = percuss.collide(ball, percuss.contact.newton{ e = 1, mu = 0 }, { speed = 2, incidence = 30*percuss.deg })
print(("%.6f %.6f"):format(hit.velocity_before.t, hit.velocity_before.n)) --> 1.000000 -1.732051
print(("%.6f %.6f"):format(hit.velocity.t, hit.velocity.n))               --> 1.000000 1.732051]],
    figure = function(pc)
        local figure = pc.chart.figure{ columns = 2, width = 760, height = 360 }
        local tip = 0.07
        local function arrow(panel, x, y, dx, dy, colour, text, right, up)
            local size = math.sqrt(dx^2 + dy^2)
            local a, b = dx/size*tip, dy/size*tip
            panel:line{ { x, x + dx, x + dx - a - b/2, x + dx - a + b/2, x + dx },
                { y, y + dy, y + dy - b + a/2, y + dy - b - a/2, y + dy }, colour = colour, dash = "solid", width = 2 }
            panel:text{ x + dx + (right or 0.05), y + dy + (up or 0), text }
        end
        -- an arc about (x, y) from the angle `from` to `to`, both from the axis that points down, positive to the right
        local function arc(panel, x, y, radius, from, to, text)
            local angle = pc.linspace(from, to, 40)
            panel:line{ angle:sin()*radius + x, y - angle:cos()*radius, colour = "grey", dash = "solid" }
            local middle = (from + to)/2
            panel:text{ x + math.sin(middle)*radius*1.15, y - math.cos(middle)*radius*1.25, text }
        end
        local turn = pc.linspace(0, 2*math.pi, 100)

        -- a ball on an obstacle: n, t, the velocity of the contact point, what the obstacle does to it
        local ball = figure:panel{ title = "contact", equal = true, xlim = { -1.3, 1.3 }, ylim = { -0.5, 1.5 },
            legend = false }
        ball:line{ { -1.3, 1.3 }, { 0, 0 }, width = 3, colour = "black", dash = "solid" }
        ball:line{ turn:cos()*0.5, turn:sin()*0.5 + 0.5, colour = "grey", dash = "solid" }
        arrow(ball, 0, 0, 0, 1.25, "blue", "n", 0.06, 0.05)
        arrow(ball, 0, 0, 1.1, 0, "blue", "t", 0.06, 0.06)
        arrow(ball, -0.9, 1.3, 0.8, -1.15, "vermillion", "", 0, 0)
        ball:text{ -1.25, 1.42, "v_t > 0, v_n < 0" }
        ball:line{ { -0.9, -0.9 }, { 1.3, 0.6 }, colour = "grey", dash = "dashed" }
        arc(ball, -0.9, 1.3, 0.5, 0, math.atan(0.8/1.15), "θ > 0")
        arrow(ball, 0.25, -0.4, 0, 0.34, "green", "F_n > 0", 0.06, -0.2)
        arrow(ball, 0, -0.12, -0.45, 0, "green", "F_t < 0", -0.25, -0.16)

        -- a pendulum: angles from the normal that points down
        local rig = figure:panel{ title = "bodies and links", equal = true, xlim = { -1.3, 1.3 }, ylim = { -1.4, 0.6 },
            legend = false }
        rig:line{ { -1.3, 1.3 }, { -1.25, -1.25 }, width = 3, colour = "black", dash = "solid" }
        rig:line{ { 0, 0 }, { 0, -1 }, colour = "grey", dash = "dashed" }
        local x, y = math.sin(0.7), -math.cos(0.7)
        rig:line{ { 0, x }, { 0, y }, width = 3, colour = "blue", dash = "solid" }
        rig:line{ turn:cos()*0.12 + x, turn:sin()*0.12 + y, colour = "blue", dash = "solid" }
        arc(rig, 0, 0, 0.55, 0, 0.7, "φ > 0")
        rig:scatter{ { 0 }, { 0 }, colour = "black" }
        arrow(rig, -0.9, -1.1, 0, 0.5, "blue", "n", 0.05, 0.05)
        arrow(rig, -0.9, -1.1, 0.5, 0, "blue", "t", 0.05, 0.05)
        return figure
    end,
    see = { "collide", "mobility", "units" },
    source = "percuss's own; Sypniewska-Kaminska (2017) and Lai (1999) have others, which their studies convert",
}
