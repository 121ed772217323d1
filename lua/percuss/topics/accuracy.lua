return {
    title = "Accuracy and tolerances",
    summary = "What rtol means, how exact impacts and runs are, and how to see it.",
    words = "accuracy precision tolerance rtol atol error step size convergence digits stiff solver check verify",
    text = [[
Rigid laws, the linear law and critical angles are closed forms: exact to rounding. Impacts by other compliant laws are
power series or integrations to 1e-12; energies of laws without loss close to 1e-11.

Motions are integrated by `solver.dop853{}` unless told otherwise. `rtol` and `atol` bound the error of one step,
in the root mean square over the components, by

    |error| <= atol + rtol |y|

and over a run without chaos errors add up slowly. Times of impacts are located to rounding on the
polynomial of the step, so they are as exact as the motion is. `run:carry` and a second run with a tenth of rtol show
what that comes to.

Nothing else decides: no smallest gap, no smallest velocity. `v_rest` in a scene is off unless it is given.

Stiff damping or very stiff springs in a moving configuration take a stiff method or collocation by themselves, as
measured stiffness asks. Functions of time in Lua are the one thing that no solver can look into: a pulse shorter than
1/256 of the duration needs `breaks` or `time_scale`.

Free bodies on which nothing but their weight acts fly along parabolas and turn at a constant rate. A solver that
chooses its steps is not asked for these: the arc to the next impact is the formula. Where all they may meet are planes
that rest or swing, bowls, discs and round pegs, and no event of the user is watched, a gap is known in closed form,

    h(s) = c_0 + c_1 s + c_2 s^2 + sum(A_k sin(w_k s + phi_k))

or the length of a vector of two such functions, and never curves down by more than M = sum(A_k w_k^2) - 2 c_2. So from
h and h' at one time it stays open at least as long as h + h' s - M s^2/2 does. Going from one such time to the next
comes to the first impact and cannot pass one.]],
    example = [[
local function angle(rtol)
    local rig = percuss.chain{ links = { { length = 1, mass = 1 } }, angles = { 1 } }
    local run = percuss.simulate(percuss.scene{ rig }, { duration = 10, solver = percuss.solver.dop853{ rtol = rtol } })
    return run:at(10).q[1]
end
local exact = angle(1e-13)
print(math.abs(angle(1e-6) - exact) > math.abs(angle(1e-9) - exact)) --> true]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A pendulum after 10 s", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "rtol", ylabel = "error of the angle", yunit = "rad", xlog = true,
            ylog = true }
        local function angle(rtol)
            local rig = pc.chain{ links = { { length = 1, mass = 1 } }, angles = { 1 } }
            return pc.simulate(pc.scene{ rig }, { duration = 10, solver = pc.solver.dop853{ rtol = rtol } }):at(10).q[1]
        end
        local rtol, exact, error = pc.logspace(1e-11, 1e-4, 15), angle(1e-13), {}
        for i = 1, #rtol do error[i] = math.abs(angle(rtol[i]) - exact) end
        panel:scatter{ rtol, error }
        return figure
    end,
    see = { "solver.dop853", "simulate", "events", "chaos" },
    source = "Hairer, Norsett and Wanner (1993)",
}
