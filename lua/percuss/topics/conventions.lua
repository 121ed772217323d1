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
        local figure = pc.chart.figure{ width = 420, height = 320 }
        local panel = figure:panel{ xlabel = "t", ylabel = "n", equal = true,
            xlim = { -1.2, 1.2 }, ylim = { -0.3, 1.4 }, legend = false }
        local turn, tip = pc.linspace(0, 2*math.pi, 100), 0.06
        local function arrow(x, y, dx, dy, colour)
            local size = math.sqrt(dx^2 + dy^2)
            local a, b = dx/size*tip, dy/size*tip
            panel:line{ { x, x + dx, x + dx - a - b/2, x + dx - a + b/2, x + dx },
                { y, y + dy, y + dy - b + a/2, y + dy - b - a/2, y + dy }, colour = colour, dash = "solid" }
        end
        panel:line{ { -1.2, 1.2 }, { 0, 0 }, width = 2, colour = "black", dash = "solid" }
        panel:line{ turn:cos()*0.4, turn:sin()*0.4 + 0.4, colour = "grey", dash = "solid" }
        arrow(0, 0, 0, 0.9, "blue")
        arrow(0, 0, 0.9, 0, "blue")
        arrow(-0.9, 1.2, 0.8, -1.1, "vermillion")
        panel:text{ 0.06, 0.95, "n" }
        panel:text{ 0.95, 0.06, "t" }
        panel:text{ -0.75, 1.2, "v_t > 0, v_n < 0" }
        return figure
    end,
    see = { "collide", "mobility", "units" },
}
