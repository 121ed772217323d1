-- 10. A study
-- From measurements to parameters: a sweep, a fit with errors, a chart.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("A study", ...)

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local function rebound(incidence, friction, eta)
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = friction }
    return pc.collide(ball, law, { speed = 1, incidence = incidence }).velocity.t
end

lesson:say [[
    Measurements: here made up from a known law (friction 0.32, stiffness ratio 1.4) and noise of 5 mm/s,
    so that it can be seen whether the fit finds the law again.]]
local sigma = 0.005
math.randomseed(7)
local function noise()
    return sigma * math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end
local incidence, measured = pc.linspace(5, 80, 26) * pc.deg, pc.array.zeros(26)
for i = 1, #incidence do measured[i] = rebound(incidence[i], 0.32, 1.4) + noise() end
local data = pc.table{ { "incidence", incidence, unit = "rad" }, { "v_t", measured, unit = "m/s" } }
print(data)

lesson:say [[
    Least squares within bounds, with the standard error of each parameter.]]
local fit = pc.fit(data, function(p, row) return rebound(row.incidence, p.friction, p.eta) end,
    { { "friction", 0.5, lo = 0.05, hi = 1 }, { "eta", 1.2, lo = 1, hi = 2 } }, { columns = "v_t", sigma = sigma })
for _, name in ipairs{ "friction", "eta" } do
    print(string.format("%-9s %.4f +- %.4f", name, fit.values[name], fit.errors[name]))
end
-- beyond four standard errors only one set of data in ten thousand lies
local function is_near(name, truth) return math.abs(fit.values[name] - truth) < 4 * fit.errors[name] end
lesson:claim("friction is found within four standard errors", is_near("friction", 0.32))
lesson:claim("so is the stiffness ratio", is_near("eta", 1.4))

lesson:say [[
    And the picture: measurements, and the law that was found.]]
lesson:draw("fit", function(file)
    local figure = pc.chart.figure{ title = "Tangential velocity after impact" }
    local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "v_t", yunit = "m/s" }
    local fine = pc.linspace(5, 80, 200) * pc.deg
    local curve = pc.array.zeros(#fine)
    for i = 1, #fine do curve[i] = rebound(fine[i], fit.values.friction, fit.values.eta) end
    panel:scatter{ incidence / pc.deg, measured, label = "measured" }
    panel:line{ fine / pc.deg, curve, label = "fitted" }
    if file then figure:save(file) else figure:show() end
end)

lesson:say [[
    percuss new study NAME writes the frame of a study of your own, with options, tables and figures.]]
lesson:exercise "Leave out the angles above 40 degrees. What happens to the error of friction, and why?"
lesson:answer [[
    It grows sevenfold, from 0.0007 to 0.005: near the normal the contact sticks for most of the time, where
    friction hardly counts. Grazing impacts slide all the time and have p_t = -friction p_n.]]
lesson:exercise "Fit the restitution as well. Is there anything in the data that determines it?"
lesson:answer [[
    Yes, though v_t alone was measured: the normal impulse bounds friction's. Its error is 0.03, and those of
    friction and stiffness ratio grow by 7 and 12 times: the three are correlated. Measure v_n as well.]]
