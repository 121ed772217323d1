return {
    title = "Several contacts at once",
    summary = "What happens where two or more contacts close at one instant: cradles, boxes that land flat, break "
        .. "shots.",
    words = "several multiple simultaneous contacts together tied sequential cradle Newton's cradle balls "
        .. "billiard break box lands flat corner two-ball drop basketball tennis order dependent",
    text = [[
Rigid mechanics does not decide what happens where several contacts close at once: it depends on what happens within
the instant. Choose by what you know.

- Compliant laws decide by stiffness: each contact keeps its law, and all press at once (`pc.cradle` for a row, scenes
  with `configuration = "moving"` for all else). This is the only answer that follows from a model of the material.
- `together = "sequential"`: one contact after the other, the fastest first, until none approaches. The textbook answer
  for Newton's cradle, where balls hardly touch. The order may matter; `flags.order_dependent` says so.
- `together = "tied"`, what scenes do unless told: contacts that approach equally fast are struck as one problem, then
  those that approach next. Symmetric bodies stay symmetric: a box that lands flat does not turn.
- `together = "simultaneous"`: all that touch as one problem.

As one problem the contacts compress until none approaches, with Coulomb's friction, and then each restitutes by its
own law. `run.impacts[i].rule` tells which way decided.

In a two-ball drop the lower ball strikes the floor first, then the upper one, and a light upper ball leaves with up to
three times the speed:

    v' = (3 M - m)/(M + m) v]],
    example = [[
local ball = percuss.free{ shape = "disc", radius = 0.02, mass = 0.1 }
local function row(together)
    local law = percuss.contact.newton{ restitution = 1, friction = 0 }
    local parts = { gravity = 0, together = together, contact = law }
    for i = 1, 3 do
        parts[i] = percuss.free{ shape = "disc", radius = 0.02, mass = 0.1, x = 0.04*i - (i == 1 and 0.01 or 0),
            vx = i == 1 and 1 or 0 }
    end
    local run = percuss.simulate(percuss.scene(parts), { duration = 0.1 })
    return run:at(0.1).u[7]
end
print(("%.6f"):format(row "sequential")) --> 1.000000]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "Newton's cradle of steel balls that touch", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "ball", ylabel = "velocity afterwards", yunit = "m/s" }
        local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        local law = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }
        local bodies, velocity = {}, {}
        for i = 1, 5 do bodies[i], velocity[i] = ball, i == 1 and 1 or 0 end
        panel:scatter{ pc.linspace(1, 5, 5), pc.cradle{ bodies = bodies, contact = law, velocity = velocity }.velocity,
            label = "all at once" }
        panel:scatter{ pc.linspace(1, 5, 5), { 0, 0, 0, 0, 1 }, label = "one after the other" }
        return figure
    end,
    see = { "scene", "cradle", "run", "which_law" },
    source = "Herrmann and Schmalzle (1981); Brogliato (2016), chapter 5",
}
