-- When a pendulum wedges: a map over angle and friction for several stiffness ratios, a million impacts each, beside
-- the exact boundary; and the same boundary found by refinement.
--
-- A single pendulum on the linear law does not rebound below the critical angle theta, with T = tan(theta):
-- mu eta T^2 + (1 + 3 mu^2 eta) T - mu = 0 (Birlik 2012, section 4.2, in closed form).
--
-- --points N: N x N points a map (1000).
local pc = require "percuss"
local Study = require "percuss.study"

local arguments, n = { ... }, 1000
for i = #arguments - 1, 1, -1 do
    if arguments[i] == "--points" then
        n = math.tointeger(tonumber(arguments[i + 1])) or n
        table.remove(arguments, i)
        table.remove(arguments, i)
    end
end
local study = Study.new{
    title = "Wedging of a pendulum over angle and friction", source = "Birlik (2012), section 4.2",
    arguments = arguments,
}

local rod = pc.body.pendulum{ mass = 0.0041, length = 0.1, angle = 0.5 }

local function law(eta, mu)
    return pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
end

local function critical_angle(mu, eta)
    local a, b = mu * eta, 1 + 3 * mu * mu * eta
    return math.atan(2 * mu / (b + math.sqrt(b * b + 4 * a * mu)))
end

-- The grid, angle by angle.
local angles, frictions = pc.linspace(0.02, 60, n) * pc.deg, pc.linspace(0.002, 2, n)
local theta, mu = pc.array.zeros(n * n), pc.array.zeros(n * n)
for i = 1, n do
    for j = 1, n do
        theta[(i - 1) * n + j] = angles[i]
        mu[(i - 1) * n + j] = frictions[j]
    end
end

local figure = pc.chart.figure{
    title = "Where a pendulum wedges (grey), a million impacts a map", columns = 2, width = 1200, height = 1000,
}

local sample = math.max(1, n // 250)

for _, eta in ipairs{ 0.25, 0.5, 1.21, 4 } do
    local result = pc.map(rod, law(eta, 0.5), { angle = theta, friction = mu, rate = -6, columns = { "outcome" } })
    local wedged = result.outcome:eq(1)
    -- points nearer to the boundary than rounding are not counted against the map
    local wrong = 0
    for i = 1, n do
        for j = 1, n do
            local exact = critical_angle(frictions[j], eta)
            local here = angles[i]
            local is = wedged[(i - 1) * n + j] == 1
            if is ~= (here < exact) and math.abs(here - exact) > 1e-9 then wrong = wrong + 1 end
        end
    end
    study:statement(string.format("eta = %g: %d points", eta, n * n), "none on the wrong side of the exact boundary",
        wrong .. " on the wrong side", wrong == 0)

    local panel = figure:panel{ title = "η = " .. eta, xlabel = "μ", ylabel = "θ", yunit = "deg", legend = true }
    local xs, ys, z = {}, {}, {}
    for j = 1, n, sample do xs[#xs + 1] = frictions[j] end
    for i = 1, n, sample do ys[#ys + 1] = angles[i] / pc.deg end
    for j = 1, n, sample do
        for i = 1, n, sample do z[#z + 1] = 1 - wedged[(i - 1) * n + j] end
    end
    panel:heatmap{ xs, ys, z, palette = "grey", lim = { -1, 1 } }
    local line = pc.array.zeros(n)
    for j = 1, n do line[j] = critical_angle(frictions[j], eta) / pc.deg end
    panel:line{ frictions, line, label = "exact", colour = "orange" }
end

-- The greatest critical angle lies where mu^2 eta = 1/3: refined from a coarse grid along one axis.
local refined = pc.sweep{
    over = { { "theta", pc.linspace(0.02, 60, 9) * pc.deg, unit = "rad" } }, columns = { "wedged" },
    run = function(p)
        local body = pc.body.pendulum{ mass = 0.0041, length = 0.1, angle = p.theta }
        return { wedged = pc.collide(body, law(1.21, 1), { rate = -6 }).wedged }
    end,
    refine = { column = "wedged", depth = 30 },
}
local boundary = refined.info.boundary
study:value("theta_cr, mu = 1, eta = 1.21", "11.69", boundary.theta[1] / pc.deg, "deg")
study:identity("the same, by refinement and exactly", boundary.theta[1], critical_angle(1, 1.21), "rad")
study:note("The printed 11.69 is a misprint: no friction law of the model gives it.")
study:note(string.format("Refinement took %d impacts for %.1e rad.", #refined, boundary.theta_error[1]))

study:draw(figure, "wedging")
return study:finish()
