-- A rod on a rough floor: it falls from rest, slips or sticks; and thrown along the floor it jams (Painleve).
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "The falling and the sliding rod", source = "Painleve (1895); Genot and Brogliato (1999)", arguments = {
        ... },
}

-- Falling from a lean of 0.05 rad: the foot sticks, slips back or forth, or leaves the floor, by mu.
local function fall(mu)
    local rod = pc.free{ shape = "rod", length = 1, mass = 1, angle = -0.05, y = 0.5 * math.cos(0.05) }
    local law = pc.contact.poisson{ restitution = 0, friction = mu }
    return pc.simulate(pc.scene{ rod, pc.floor{ height = 0 }, contact = law },
        { duration = 2, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 } })
end
local figure = pc.chart.figure{ title = "Foot of a falling rod" }
local panel = figure:panel{ xlabel = "t [s]", ylabel = "x of the foot [m]", legend = true }
for _, mu in ipairs{ 0.1, 0.3, 0.5, 1 } do
    local run, words = fall(mu), {}
    for _, event in ipairs(run.events) do
        if event.contact == "body.end1 on floor" and event.kind ~= "impact" and #words < 4 then
            words[#words + 1] = string.format("%s%s at %.4f s", event.kind, event.mode and " " .. event.mode or "",
                event.time)
        end
    end
    study:statement("foot, mu = " .. mu, nil, table.concat(words, ", "), "not printed")
    local c = run:columns(pc.linspace(0, 1.2, 400))
    panel:line{ c.t, c.x + 0.5 * c.angle:sin(), label = "μ = " .. mu }
end

-- Until the foot slips the rod turns about it: the angle from the vertical follows the pendulum's integral.
local stuck = fall(1)
local s = stuck:at(0.5)
local lean, rate = -s.angle, -s.rate
study:identity("energy of the rod about its foot at 0.5 s, mu = 1", 1 / 6 * rate^2,
    0.5 * 9.81 * (math.cos(0.05) - math.cos(lean)), "J")

-- Sliding: slip whose friction w_nn < mu |w_tn| presses harder than the normal force relieves has no consistent force.
local angle = 0.6
local sin, cos = math.sin(angle), math.cos(angle)
local bound = (1 + 3 * sin^2) / (3 * sin * cos)
study:value("friction above which the rod jams at 0.6 rad", nil, bound)
study:value("least such friction of a uniform rod", nil, 4 / 3)
for _, mu in ipairs{ 1.3, 1.5, 2 } do
    local rod = pc.free{ shape = "rod", length = 1, mass = 1, angle = angle, y = 0.5 * cos, vx = 2 }
    local law = pc.contact.poisson{ restitution = 0, friction = mu }
    local run = pc.simulate(pc.scene{ rod, pc.floor{ height = 0 }, contact = law }, { duration = 0.1 })
    local first = run.events[1]
    study:statement("thrown along the floor, mu = " .. mu, mu > bound and "jams" or "slides",
        first.kind == "jam" and string.format("jams: an impact from v_n = 0 with %.4f N s stops the foot",
            run.impacts[1].impulse.n) or "slides", (first.kind == "jam") == (mu > bound))
end
study:draw(figure, "falling_rod")
return study:finish()
