-- A block that rocks on a rough floor: loss of rate at each change of corner, period, and its end.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "The rocking block", source = "Housner, Bull. Seismol. Soc. Am. 53 (1963)", arguments = { ... },
}

local w, h, g, tilt = 0.2, 1, 9.81, 0.1
local block = pc.free{
    shape = "box", width = w, height = h, mass = 1, angle = tilt, y = h / 2 * math.cos(tilt) + w / 2 * math.sin(tilt),
}
local law = pc.contact.newton{ restitution = 0, friction = 5 }
local world = pc.scene{ block, pc.floor{ height = 0 }, contact = law, gravity = g }
local run = pc.simulate(world, { duration = 12, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 } })

-- Angular momentum about the new corner is kept: the rate falls by 1 - (3/2) sin^2 alpha with tan alpha = w/h.
local alpha = math.atan(w / h)
local factor = 1 - 1.5 * math.sin(alpha)^2
for k = 1, 3 do
    local hit = run.impacts[k]
    study:identity("factor of the rate at change " .. k, hit.u_after[3] / hit.u_before[3], factor)
end

-- Housner's first quarter of a period for small angles: acosh(1/(1 - tilt/alpha))/p, p^2 = 3 g/(4 R).
local R = math.sqrt(w^2 + h^2) / 2
local x = 1 / (1 - tilt / alpha)
local quarter = math.log(x + math.sqrt(x * x - 1)) / math.sqrt(3 * g / (4 * R))
study:value("first change of corner", nil, run.impacts[1].time, "s")
study:value("the same for small angles, Housner (4)", nil, quarter, "s")
study:value("changes of corner in 12 s", nil, run.impact_count)
for _, event in ipairs(run.events) do
    if event.kind == "accumulation" then
        study:value("the rocking ends", nil, event.time, "s")
        study:value("ratio of the last intervals", nil, event.ratio)
    end
end
study:value("energy lost in 12 s, of what the tilt had given", nil,
    run:at(12).lost / (9.81 * (block.y - h / 2)))

local c = run:columns(0.01)
local figure = pc.chart.figure{ title = "Rocking block, 0.2 m by 1 m, released at 0.1 rad" }
figure:panel{ ylabel = "angle [rad]" }:line{ c.t, c.angle }
figure:panel{ xlabel = "t [s]", ylabel = "rate [rad/s]" }:line{ c.t, c.rate }
study:draw(figure, "rocking_block")
return study:finish()
