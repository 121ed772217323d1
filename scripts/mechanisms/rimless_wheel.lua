-- The rimless wheel: spokes without a rim roll down a slope, and find a steady pace, or come to a stop.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Rimless wheel", source = "McGeer, Int. J. Robotics Research 9 (1990); Coleman (1998): closed form",
    arguments = { ... },
}

local n, l, m, g = 8, 1, 1, 9.81
local alpha = 2*math.pi/n

-- An impact is about the new foot: the old one leaves. Between two of them the wheel is a pendulum upside down.
local function closed_form(J, slope)
    local about = J + m*l^2
    local ratio = (J + m*l^2*math.cos(alpha))/about
    local gain = 4*m*g*l*math.sin(slope)*math.sin(alpha/2)/about
    return { ratio = ratio, steady = math.sqrt(gain/(1 - ratio^2)), gain = gain,
        -- rate after an impact with which it just comes over its foot
        barrier = math.sqrt(2*m*g*l*(1 - math.cos(alpha/2 - slope))/about) }
end

-- The case without inertia about the hub, whose values are in the literature in closed form.
local light = closed_form(0, 0.08)
study:value("without inertia about the hub: ratio of rates in an impact", "0.70710678118655", light.ratio)
study:value("rate before an impact, at the steady pace", "1.5492184049055", light.steady, "rad/s")
study:value("rate that takes it over its foot", "0.9754168743931", light.barrier, "rad/s")

-- ---- the wheel as a body on unilateral spokes: nothing is said of which one stands ----

local function wheel(J, slope, rate, friction)
    local gaps = {}
    for k = 1, n do
        local function angle(q) return q.theta + (k - 1)*alpha end
        gaps[k] = { function(_, q) return q.z - l*math.cos(angle(q)) end, name = "spoke" .. k,
            tangent = function(_, q) return 1, 0, -l*math.cos(angle(q)) end }
    end
    local theta = -alpha/2 -- in axes along the slope: the first spoke stands, as after an impact
    return pc.scene{ pc.mechanism{ coordinates = { "s", "z", { "theta", unit = "rad" } },
        start = { l*math.sin(theta), l*math.cos(theta), theta },
        rates = { l*math.cos(theta)*rate, -l*math.sin(theta)*rate, rate }, mass = { m, m, J },
        force = function() return m*g*math.sin(slope), -m*g*math.cos(slope), 0 end, gaps = gaps,
        picture = function(q)
            local lines = { { { -1, 12 }, { 0, 0 } } }
            for k = 1, n do
                local a = q[3] + (k - 1)*alpha
                lines[k + 1] = { { q[1], q[1] - l*math.sin(a) }, { q[2], q[2] - l*math.cos(a) } }
            end
            return lines
        end },
        contact = pc.contact.newton{ restitution = 0, friction = friction or 2 }, together = "simultaneous" }
end

local J, slope = 0.2, 0.08
local known = closed_form(J, slope)
local tight = pc.solver.dop853{ rtol = 1e-12 }
local function rates_of(run)
    local rates, times = {}, {}
    for i, impact in ipairs(run.impacts) do rates[i], times[i] = impact.u_before[3], impact.time end
    return rates, times
end

local fast = pc.simulate(wheel(J, slope, 2.5), { duration = 40, solver = tight })
local slow = pc.simulate(wheel(J, slope, known.barrier*1.02), { duration = 40, solver = tight })
local rates, times = rates_of(fast)
local worst, worst_ratio = 0, 0
for i = 1, #rates - 1 do
    worst = math.max(worst, math.abs(math.sqrt(known.ratio^2*rates[i]^2 + known.gain) - rates[i + 1]))
    worst_ratio = math.max(worst_ratio, math.abs(fast.impacts[i].u_after[3]/rates[i] - known.ratio))
end
study:value("with J = 0.2 m l^2: impacts in 40 s", nil, #rates)
study:value("ratio of rates in an impact: greatest error", "0", worst_ratio)
study:value("rate before the next impact: greatest error", "0", worst, "rad/s")
study:value("steady rate before an impact", string.format("%.6f", known.steady), rates[#rates], "rad/s")
local slow_rates = rates_of(slow)
study:value("the same from a slow start", string.format("%.6f", known.steady), slow_rates[#slow_rates], "rad/s")
study:value("share of a disturbance left after a step", string.format("%.4f", known.ratio^2),
    (rates[16] - known.steady)/(rates[15] - known.steady))

-- The time of a step, as an integral of 1/rate over the angle.
local function step_time()
    local after, sum, parts = known.ratio*known.steady, 0, 400
    local about = J + m*l^2
    local from = slope - alpha/2 -- of the foot from the vertical
    local function rate(x)
        return math.sqrt(after^2 + 2*m*g*l*(math.cos(from) - math.cos(x))/about)
    end
    for i = 1, parts do -- two points by Gauss in each
        local h = alpha/parts
        for _, e in ipairs{ -1/math.sqrt(3), 1/math.sqrt(3) } do
            sum = sum + h/2/rate(from + (i - 0.5)*h + e*h/2)
        end
    end
    return sum
end
study:value("time of a step", string.format("%.6f", step_time()), times[#times] - times[#times - 1], "s")
study:value("mean speed down the slope", nil, 2*l*math.sin(alpha/2)/step_time(), "m/s")

-- Too slow to come over its foot it rocks back, from spoke to spoke, and rests on two of them.
local stopped = pc.simulate(wheel(J, slope, known.barrier*0.98), { duration = 40, solver = tight })
local s = stopped:at(40)
study:value("below the barrier: rate in the end", "0", s.theta_rate, "rad/s")
study:value("it stands on so many spokes", "2", #stopped.contacts)
local last = fast:at(40)
study:value("energy left over in the ledger", nil,
    last.energy + last.lost + last.friction - last.torque - fast:at(0).energy, "J")

-- ---- pictures ----

local figure = pc.chart.figure{ title = "Rimless wheel with eight spokes", columns = 2, width = 1100, height = 440 }
local panel = figure:panel{ title = "from step to step", xlabel = "rate before an impact", xunit = "rad/s",
    ylabel = "before the next one", yunit = "rad/s" }
local grid, image = pc.linspace(known.barrier/known.ratio, 2.75, 100), {}
for i = 1, #grid do image[i] = math.sqrt(known.ratio^2*grid[i]^2 + known.gain) end
panel:line{ grid, image, label = "closed form" }
panel:line{ grid, grid, label = "no change", dash = "dotted" }
local x, y = {}, {}
for _, list in ipairs{ rates, slow_rates } do
    for i = 1, #list - 1 do x[#x + 1], y[#y + 1] = list[i], list[i + 1] end
end
panel:scatter{ x, y, label = "impacts" }
panel = figure:panel{ title = "rate over time", xlabel = "t", xunit = "s", ylabel = "rate", yunit = "rad/s" }
for _, row in ipairs{ { fast, "fast" }, { slow, "slow" }, { stopped, "too slow" } } do
    local c = row[1]:columns(pc.linspace(0, 12, 3000))
    panel:line{ c.t, c.theta_rate, label = row[2] }
end
study:draw(figure, "rimless_wheel")
return study:finish()
