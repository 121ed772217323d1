return {
    title = "W, the inverse effective mass at the contact",
    summary = "All that a law has to know of the body: how an impulse at the contact point changes its velocity.",
    words = "mobility inverse inertia effective mass matrix W w_tt w_nn w_tn coupling Delassus rank pendulum "
        .. "lambda Lai",
    text = [[
While a contact lasts the configuration is taken as frozen, for it turns by next to nothing meanwhile. The velocity of
the contact point is then linear in the impulse:

    v = v_0 + W p

W is symmetric, in 1/kg. A body supplies W, and a contact law turns (W, v_0) into p; nothing else passes between them,
so every law serves every body. For a free body in the plane, with mass m, inertia J about its mass centre and the
contact at (x, z) from there along t and n:

    w_tt = 1/m + z^2/J
    w_nn = 1/m + x^2/J
    w_tn = -x z/J

w_tn is what makes oblique impacts of rods and pendulums difficult: a normal impulse changes the sliding velocity, and
friction the normal one. It is 0 for what is round. Of a body on joints W = C A^-1 C', with its mass matrix A and the
Jacobian C of the contact point. A pendulum has one way to move, so its W has rank 1, and friction can hold it against
any rebound: see wedging.

A configuration that moves during the impact is asked for by `configuration = "moving"` in collide and in scenes.]],
    example = [[
local rod = percuss.body.rod{ mass = 1, length = 1, angle = 30*percuss.deg }
print(("%.6f %.6f %.6f"):format(rod.w_tt, rod.w_tn, rod.w_nn))   --> 3.250000 1.299038 1.750000
local pendulum = percuss.body.pendulum{ radius = 0.02, length = 0.5, mass = 0.1, angle = 30*percuss.deg }
print(rod.rank .. " " .. pendulum.rank)                          --> 2 1]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A slender rod at an angle", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "angle from the normal", xunit = "deg", ylabel = "m W" }
        local angle, tt, tn, nn = pc.linspace(-90, 90, 181), {}, {}, {}
        for i = 1, #angle do
            local rod = pc.body.rod{ mass = 1, length = 1, angle = angle[i]*pc.deg }
            tt[i], tn[i], nn[i] = rod.w_tt, rod.w_tn, rod.w_nn
        end
        panel:line{ angle, tt, label = "w_tt" }
        panel:line{ angle, tn, label = "w_tn" }
        panel:line{ angle, nn, label = "w_nn" }
        return figure
    end,
    see = { "body", "body.matrix", "body.system", "body.lai", "wedging" },
    source = "Birlik (2012), chapter 2; Lai (1999), chapter 2",
}
