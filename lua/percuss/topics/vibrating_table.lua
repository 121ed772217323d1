return {
    title = "A ball on a vibrating table",
    summary = "How to let a ball bounce on a table that shakes: by equations in the table's own frame.",
    words = "vibrating shaking table plate shaker bouncing ball driven oscillating floor vibrate shake period "
        .. "doubling piston conveyor",
    text = [[
Obstacles of scenes stand still; the bouncing ball on a shaker is set up with `ode.solve`. Take the height h above the
table, which moves as A sin(Omega t). In the table's frame the ball falls with

    h'' = -g + A Omega^2 sin(Omega t)

and strikes at h = 0, where its velocity is turned by e. The event is h itself, so nothing is missed and what comes to
rest on the table is told as `stalled`.

The ball may bounce once each period T. The table has to move up at

    V = g T/2 (1 - e)/(1 + e)

when it strikes, which is possible where A Omega^2 > pi g (1 - e)/(1 + e). Stronger shaking doubles the period on the
way to chaos: give `bifurcation` the motion and the phases of its events.

A pivot of a chain can move in a scene already: `pc.chain{ pivot = { amplitude_y =, frequency = } }`.]],
    example = [[
local A, w, g, e = 0.01, 60, 9.81, 0.5
local T = 2*math.pi/w
local V = g*T/2*(1 - e)/(1 + e)
local start = math.acos(V/(A*w))/w
local m = percuss.ode.solve{
    rhs = function(t, h, v) return v, -g + A*w^2*math.sin(w*t) end,
    y = { 0, g*T/2 - V }, start = start, t = start + 5.5*T,
    events = { { function(t, h) return h end, direction = -1, name = "table",
        action = function(t, h, v) return 0, -e*v end } },
}
for i = 1, 3 do print(("%.6f"):format((m.events[i].time - start)/T)) end
--> 1.000000
--> 2.000000
--> 3.000000]],
    figure = function(pc)
        local A, w, g, e = 0.01, 60, 9.81, 0.5
        local T = 2*math.pi/w
        local V = g*T/2*(1 - e)/(1 + e)
        local start = math.acos(V/(A*w))/w
        local m = pc.ode.solve{
            rhs = function(t, _, v) return v, -g + A*w^2*math.sin(w*t) end,
            y = { 0, g*T/2 - V }, start = start, t = start + 5*T,
            events = { { function(_, h) return h end, direction = -1, action = function(_, _, v) return 0, -e*v end } },
        }
        local t, height = pc.linspace(start, start + 5*T, 600), {}
        for i = 1, #t do height[i] = m:at(t[i]) + A*math.sin(w*t[i]) end
        local figure = pc.chart.figure{ title = "One bounce each period of the table", width = 520, height = 300 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "height", yunit = "m" }
        panel:line{ t, height, label = "ball" }
        panel:line{ t, (t*w):sin()*A, label = "table" }
        return figure
    end,
    see = { "ode.solve", "bifurcation", "chaos", "events" },
    source = "Holmes (1982), J. Sound Vib. 84; Tufillaro and Albano (1986)",
}
