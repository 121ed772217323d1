-- Work and precision: how many right-hand sides each method needs for an error, on four problems.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Work and precision of the methods on four problems",
    source = "problems: pendulum; Kepler; Van der Pol; Robertson (1966)", arguments = { ... },
}

local problems = {
    {
        name = "pendulum", rhs = function(_, q, v) return v, -math.sin(q) end, y = { 2, 0 }, t = 20, positions = 1,
    },
    {
        name = "Kepler, eccentricity 0.6", y = { 0.4, 0, 0, 2 }, t = 6 * math.pi, positions = 2,
        rhs = function(_, x, y, u, v)
            local r2 = x * x + y * y
            local r3 = r2 * math.sqrt(r2)
            return u, v, -x / r3, -y / r3
        end,
        exact = { 0.4, 0, 0, 2 }, -- three whole periods
    },
    {
        name = "Van der Pol, mu = 5", y = { 2, 0 }, t = 20,
        rhs = function(_, x, v) return v, 5 * (1 - x * x) * v - x end,
    },
    {
        name = "Robertson to t = 40", y = { 1, 0, 0 }, t = 40, scale = { 1, 1e-5, 1 }, stiff = true,
        rhs = function(_, a, b, c)
            local p, q = 1e4 * b * c, 3e7 * b * b
            return -0.04 * a + p, 0.04 * a - p - q, q
        end,
        exact = { 0.71582706871945, 9.1855347645587e-06, 0.28416374574578 },
    },
}

local function solve(problem, solver)
    return pc.ode.solve{ rhs = problem.rhs, y = problem.y, t = problem.t, positions = problem.positions or 0,
        autonomous = true, solver = solver, record = false }
end

-- Root of the sum of squares of the errors, each over the scale of its component.
local function error_of(problem, y)
    local sum = 0
    for i, exact in ipairs(problem.exact) do
        sum = sum + ((y[i] - exact) / (problem.scale and problem.scale[i] or 1)) ^ 2
    end
    return math.sqrt(sum)
end

-- The ladder of settings of a method: tolerances, or numbers of steps.
local function adaptive(name, floor)
    local ladder = {}
    for k = 4, 26 do
        local rtol = 10 ^ (-k / 2)
        if rtol >= floor then
            ladder[#ladder + 1] = function(problem)
                local atol = rtol * (problem.stiff and 1e-6 or 1)
                return pc.solver[name]{ rtol = rtol, atol = atol, max_steps = 300000 }
            end
        end
    end
    return ladder
end

local function fixed(name)
    local ladder = {}
    for k = 6, 17 do
        ladder[#ladder + 1] = function(problem) return pc.solver[name]{ step = problem.t / 2 ^ k } end
    end
    return ladder
end

local methods = {
    { "dop853", adaptive("dop853", 1e-13), "#0072b2" }, { "dopri5", adaptive("dopri5", 1e-12), "#d55e00" },
    { "bs32", adaptive("bs32", 1e-9), "#009e73" }, { "rk4", fixed "rk4", "#cc79a7" },
    { "symplectic", fixed "symplectic", "#e69f00" }, { "rodas5p", adaptive("rodas5p", 1e-11), "#56b4e9" },
}

-- Calls for an error, on the line between two points of the ladder in logarithms.
local function calls_at(points, target)
    for i = 2, #points do
        local a, b = points[i - 1], points[i]
        if a.error >= target and b.error <= target then
            local u = b.error == a.error and 0 or math.log(a.error / target) / math.log(a.error / b.error)
            return a.calls * (b.calls / a.calls) ^ u
        end
    end
end

local figure = pc.chart.figure{ title = "Work and precision", columns = 2, width = 1200, height = 900 }
for _, problem in ipairs(problems) do
    if not problem.exact then
        problem.exact = solve(problem, pc.solver.dop853{ rtol = 1e-15, atol = 1e-15 }).y
    end
    local panel = figure:panel{ title = problem.name, xlabel = "error", ylabel = "right-hand sides", xlog = true,
        ylog = true, legend = true }
    local best, winner
    for _, method in ipairs(methods) do
        local points, errors, calls = {}, {}, {}
        for _, make in ipairs(method[2]) do
            if method[1] == "symplectic" and not problem.positions then break end
            local ok, motion = pcall(solve, problem, make(problem))
            local e = ok and error_of(problem, motion.y)
            -- below 1e-12 the reference itself is in doubt; above 1 nothing was solved
            if e and e < 1 and e > 1e-12 then
                points[#points + 1] = { error = e, calls = motion.statistics.rhs_calls }
                errors[#errors + 1], calls[#calls + 1] = e, motion.statistics.rhs_calls
            end
        end
        if #points > 1 then
            panel:line{ errors, calls, label = method[1], colour = method[3], dash = "solid" }
            local needed = calls_at(points, 1e-6)
            if needed then
                study:value(string.format("%s: calls of %s for an error of 1e-6", problem.name, method[1]), nil,
                    math.floor(needed + 0.5))
                if not best or needed < best then best, winner = needed, method[1] end
            end
        end
    end
    problem.winner = winner
end
for _, problem in ipairs(problems) do
    study:statement("fewest right-hand sides at 1e-6, " .. problem.name, nil, problem.winner,
        problem.stiff and "a stiff problem" or "not stiff")
end
study:draw(figure, "work_precision")
return study:finish()
