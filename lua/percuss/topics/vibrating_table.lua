return {
    title = "A ball on a vibrating table",
    summary = "How to let a ball bounce on a table that shakes, and what obstacles that move and belts do.",
    words = "vibrating shaking table plate shaker bouncing ball driven oscillating floor moving obstacle vibrate shake "
        .. "period doubling piston conveyor belt drum stick-slip surface_speed motion",
    text = [[
Every obstacle may move. A table that shakes is a floor with a motion,
`pc.floor{ height = 0, name = "table", motion = { amplitude_y = 0.01, frequency = 60 } }`, which is displaced by
amplitude_y sin(frequency t + phase); frequency is in rad/s. amplitude_x moves it along x, amplitude_angle (rad) turns
it about its middle, and rate (rad/s) does so all the time. A function does anything else: motion = function(t) returns
x, y and angle, then, if it likes, their rates, then the rates of these. What it leaves out is found by differences, to
some 1e-10 where the motion is smooth; simulate's `time_scale` says how quick the function is. Where speed counts, it
should return all nine. Rates that are not those of the places are refused at the start.

`breaks = { 2 }` of simulate tells that the motion has a corner at t = 2: a table that starts or stops at once strikes
what touches it there. A corner that nobody told, or a jump of the place, is an error with its time.

`surface_speed` lets the surface run past, as that of a belt or a drum: to the right on a floor, clockwise round a peg.

Impacts, stick, slip, rest and lift-off are relative to the obstacle: `velocity` of an impact is that against the table.
What drives it does work, the column `drive`; `run:work "table"` is that of one obstacle, and with it the ledger closes:

    energy + damped + friction + lost = torque + pivot + drive + energy at the start

An impact has `driven`, the work that the obstacle gave in it, and `loss`, what was lost: with a fast table a ball gains
energy while some is lost. The columns table.y, table.vy and so on say where the obstacle is.

The ball may bounce once each period T. The table has to move up at

    V = g T/2 (1 - e)/(1 + e)

when it strikes, which is possible where A Omega^2 > pi g (1 - e)/(1 + e). Stronger shaking doubles the period on the
way to chaos: `bifurcation` draws that from the phases of impacts, run:section{ at = T } looks once a period, and
`lyapunov` goes through the impacts. Below A Omega^2 = g what has come to rest on the table stays there; above, it is
thrown once in each period.]],
    example = [[
local A, w, g, e = 0.01, 60, 9.81, 0.5
local T = 2*math.pi/w
local V = g*T/2*(1 - e)/(1 + e)
local start = math.acos(V/(A*w))/w
local ball = percuss.free{ shape = "disc", radius = 0.01, mass = 0.1, y = A*math.sin(w*start) + 0.01, vy = g*T/2 }
local run = percuss.simulate(percuss.scene{
    ball, percuss.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
    contact = percuss.contact.newton{ restitution = e, friction = 0 },
}, { start = start, duration = 3.5*T })
for i = 1, 3 do print(("%.6f"):format((run.impacts[i].time - start)/T)) end
--> 1.000000
--> 2.000000
--> 3.000000]],
    figure = function(pc)
        local A, w, g, e = 0.01, 60, 9.81, 0.5
        local T = 2*math.pi/w
        local V = g*T/2*(1 - e)/(1 + e)
        local start = math.acos(V/(A*w))/w
        local ball = pc.free{ shape = "disc", radius = 1e-3, mass = 0.1, y = A*math.sin(w*start) + 1e-3, vy = g*T/2 }
        local run = pc.simulate(pc.scene{
            ball, pc.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
            contact = pc.contact.newton{ restitution = e, friction = 0 },
        }, { start = start, duration = 5*T })
        local c = run:columns(pc.linspace(start, start + 5*T, 600))
        local figure = pc.chart.figure{ title = "One bounce each period of the table", width = 520, height = 300 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "height", yunit = "m" }
        panel:line{ c.t, c.y - 1e-3, label = "ball" }
        panel:line{ c.t, c["table.y"], label = "table" }
        return figure
    end,
    see = { "floor", "bifurcation", "chaos", "events" },
    source = "Holmes (1982), J. Sound Vib. 84; Tufillaro, Abbott and Reilly (1992), chapter 1",
}
