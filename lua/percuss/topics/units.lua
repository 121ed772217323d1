return {
    title = "Units",
    summary = "SI units and radians; every parameter says its unit, and results are shown with theirs.",
    words = "units SI metre kilogram newton second radian degree convert dimension scaled millimetre",
    text = [[
Everything that goes in or comes out is in SI units: m, kg, s, N, J, rad. There is one factor, `pc.deg`, the size of a
degree in radians. Powers of ten do the rest: a radius of 5 mm is 5e-3.

Each parameter of a law or body has its unit in `help`, and an error tells it with the value that is not allowed. A
stiffness of a power law has the unit that makes a force of it. In

    F = k u^1.5 (1 + zeta w)

F is in N, u in m and w in m/s, so k is in N/m^1.5 and zeta in s/m.

No result depends on the units of the whole: a scene in millimetres and grams has the same impacts, for what counts as
small is taken from the bodies and their speeds. `hit:scaled` shows the history of an impact in the scaled quantities
of a source. Tables carry units with their columns, and so do CSV files, as in "v_n [m/s]".]],
    example = [[
print(("%.9f"):format(180*percuss.deg)) --> 3.141592654
local law = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
print(law.stiffness) --> 15000000.0]],
    figure = function(pc)
        -- one impact in SI units and in those of its scale
        local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
        local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
        local hit = pc.collide(ball, law, { vt = 1, vn = -1 })
        local h = hit:trace(200)
        local figure = pc.chart.figure{ columns = 2, width = 640, height = 260 }
        figure:panel{ xlabel = "t", xunit = "s", ylabel = "F_n", yunit = "N" }:line{ h.t, h.F_n }
        figure:panel{ xlabel = "t/T", ylabel = "F_n/F_{max}" }:line{ h.t/hit.duration, h.F_n/hit.peak.n }
        return figure
    end,
    see = { "deg", "impact:scaled", "conventions" },
    source = "BIPM, The International System of Units, 9th edition (2019)",
}
