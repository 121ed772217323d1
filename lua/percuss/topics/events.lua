return {
    title = "Events and accumulation",
    summary = "How the times of impacts, stops of slip and your own events are found, and what infinitely many "
        .. "impacts do.",
    words = "event detection zero crossing root accumulation Zeno chatter chattering rest bouncing ball stops "
        .. "tunnel fall through terminal guard",
    text = [[
A run is smooth arcs between events. Gaps, normal forces, slip velocities and margins of friction are followed on the
polynomial that the integrator leaves for each step. All zeros of it are isolated, so that a graze or two crossings
within one step are not lost, and bodies do not fall through floors.

`run.events` lists them: impact, contact (it closes for good), stick, slip, reversal, lift_off, jam, accumulation,
rest, and those of your own, `simulate(world, { events = { { function(t, q, u) return q[2] - 1 end, name = "high" } }
})`.

A ball with e < 1 strikes infinitely often in a finite time. After the first impact with the speed v it comes to rest
after

    t = 2 v/g e/(1 - e)

percuss recognises the geometric sequence, computes its sum when the next bounce is too low to be told from rounding,
and goes on with the contact closed. The event "accumulation" has the time and the ratio. With friction the ratio of
bounces is an eigenvalue, not e.

For equations of your own `ode.solve` finds events in the same way; an action may change the state, and what it leaves
at its own zero ends the motion as `stalled`.]],
    example = [[
local ball = percuss.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local world = percuss.scene{ ball, percuss.floor{ height = 0 },
    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }
local run = percuss.simulate(world, { duration = 3 })
local v = math.sqrt(2*9.81*1)
for _, event in ipairs(run.events) do
    if event.kind == "accumulation" then
        print(math.abs(event.time - (v/9.81 + 2*v/9.81*0.5/(1 - 0.5))) < 1e-9) --> true
    end
end]],
    figure = function(pc)
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
        local world = pc.scene{ ball, pc.floor{ height = 0 },
            contact = pc.contact.newton{ restitution = 0.7, friction = 0 } }
        local run = pc.simulate(world, { duration = 3 })
        local c = run:columns(0.005)
        local figure = pc.chart.figure{ title = "Infinitely many bounces in a finite time", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "height", yunit = "m" }
        panel:line{ c.t, c.y - 0.1 }
        for _, event in ipairs(run.events) do
            if event.kind == "accumulation" then panel:vline{ event.time, label = "accumulation" } end
        end
        return figure
    end,
    see = { "simulate", "run", "ode.solve", "accuracy" },
    source = "Hairer, Norsett and Wanner (1993), II.6; Brogliato (2016)",
}
