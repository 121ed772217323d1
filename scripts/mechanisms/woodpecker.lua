-- The woodpecker toy: a sleeve with play falls down a pole, jams, and is freed by the swing of the bird on it.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Woodpecker toy",
    source = "Glocker, Dynamik von Starrkoerpersystemen mit Reibung und Stoessen (1995), pp. 162 ff: parameters. The "
        .. "printed times were computed apart from this program, every combination of modes tried at every step",
    arguments = { ... },
}

-- sleeve M on the pole, bird S on a spring of the angle; three places that may touch: the beak, and the sleeve below
-- and above; the geometry is linear in the angles
local m_M, J_M, m_S, J_S, c, g = 0.0003, 5e-9, 0.0045, 7e-7, 0.0056, 9.81
local r0, rM, hM, lM, lG, hS, lS = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
local m = m_M + m_S

-- Friction that follows from the velocities before and after, with Newton's restitution: that of the source.
local function law(e) return pc.contact.kane_levinson{ restitution = e, friction = 0.3 } end

local function picture(q)
    local y, M, S = q[1], q[2], q[3]
    local function turned(x0, y0, angle, points)
        local xs, ys = {}, {}
        for i, p in ipairs(points) do
            xs[i] = x0 + math.cos(angle)*p[1] - math.sin(angle)*p[2]
            ys[i] = y0 + math.sin(angle)*p[1] + math.cos(angle)*p[2]
        end
        return { xs, ys }
    end
    local joint_x, joint_y = lM*math.cos(M), y + lM*math.sin(M)
    return {
        { { -r0, -r0, r0, r0 }, { -0.12, 0.04, 0.04, -0.12 } },
        turned(0, y, M, { { -rM, -hM }, { rM, -hM }, { rM, hM }, { -rM, hM }, { -rM, -hM } }),
        turned(0, y, M, { { 0, 0 }, { lM, 0 } }),
        turned(joint_x, joint_y, S, { { 0, 0 }, { lG, 0.012 }, { lG - lS, hS }, { lG, 0.016 }, { lG + 0.008, -0.022 },
            { lG - 0.006, -0.012 }, { 0, 0 } }),
    }
end

local function toy(start, rates)
    return pc.scene{ pc.mechanism{
        coordinates = { "y", { "phi_M", unit = "rad" }, { "phi_S", unit = "rad" } }, start = start, rates = rates,
        mass = { { m, m_S*lM, m_S*lG }, { m_S*lM, J_M + m_S*lM^2, m_S*lM*lG }, { m_S*lG, m_S*lM*lG, J_S + m_S*lG^2 } },
        force = function(_, q)
            local spring = c*(q.phi_S - q.phi_M)
            return -m*g, spring - m_S*g*lM, -spring - m_S*g*lG
        end,
        gaps = {
            { function(_, q) return lM + lG - lS - r0 - hS*q.phi_S end, jacobian = { 0, 0, -hS },
                tangent = { 1, lM, lG - lS }, contact = law(0.5), name = "beak" },
            { function(_, q) return rM - r0 + hM*q.phi_M end, jacobian = { 0, hM, 0 }, tangent = { 1, rM, 0 },
                contact = law(0), name = "sleeve below" },
            { function(_, q) return rM - r0 - hM*q.phi_M end, jacobian = { 0, -hM, 0 }, tangent = { 1, rM, 0 },
                contact = law(0), name = "sleeve above" },
        },
        picture = picture,
    } }
end

-- ---- the first 0.3 s, event by event ----

local tight = pc.solver.dop853{ rtol = 1e-12 }
local first = { { "sticks", "stick", "sleeve below", "0.02163631405" },
    { "slips", "slip", "sleeve below", "0.06121393125" }, { "lifts off", "lift_off", "sleeve below", "0.06702339814" },
    { "strikes", "impact", "sleeve above", "0.07787799229" }, { "strikes", "impact", "beak", "0.08098880542" },
    { "strikes again", "impact", "sleeve above", "0.08157532879" },
    { "lifts off", "lift_off", "sleeve above", "0.08341638558" },
    { "strikes", "impact", "sleeve below", "0.11867511295" } }
local run = pc.simulate(toy({ 0, -(rM - r0)/hM, -0.2788 }, { -0.3411, 0, -7.4583 }),
    { duration = 20, solver = tight })
local at = 1
for _, row in ipairs(first) do
    while run.events[at].kind ~= row[2] do at = at + 1 end
    assert(run.events[at].contact == row[3], "another contact than that of the source")
    study:value(("%s %s at"):format(row[3], row[1]), row[4], run.events[at].time, "s")
    at = at + 1
end

-- ---- the limit cycle: from one slip of the jammed sleeve to the next ----

local slips = {}
for _, event in ipairs(run.events) do
    if event.kind == "slip" and event.contact == "sleeve below" then slips[#slips + 1] = event.time end
end
local last, before = slips[#slips], slips[#slips - 1]
local period = last - before
local a, b = run:at(before), run:at(last)
study:value("cycles in 20 s", nil, #slips)
study:value("period in the end", nil, period, "s")
study:value("frequency", nil, 1/period, "Hz")
study:value("descent in a cycle", nil, a.y - b.y, "m")
study:value("and from one cycle to the next that changes by", "0",
    (a.y - b.y) - (run:at(slips[#slips - 2]).y - a.y), "m")
study:value("rate of the bird where it frees the sleeve", nil, a.phi_S_rate, "rad/s")
study:value("the same a cycle later less that", "0", b.phi_S_rate - a.phi_S_rate, "rad/s")
-- it is reached fast: how much of a distance from it is left after a cycle
local d1 = math.abs(run:at(slips[2]).phi_S_rate - a.phi_S_rate)
local d2 = math.abs(run:at(slips[3]).phi_S_rate - a.phi_S_rate)
study:value("share of a disturbance that is left after a cycle", nil, d2/d1)

-- ---- where the energy of a cycle goes: the weight gives it, impacts and friction take it ----

local lost, beak = 0, 0
for _, impact in ipairs(run.impacts) do
    if impact.time > before and impact.time <= last then
        lost = lost + impact.loss
        if impact.contact == "beak" then beak = beak + impact.loss end
    end
end
local weight = m*g*(a.y - b.y) + m_S*g*(lM*(a.phi_M - b.phi_M) + lG*(a.phi_S - b.phi_S))
study:value("given by the weight in a cycle", nil, weight, "J")
study:value("share lost in impacts", nil, lost/weight)
study:value("of this at the beak", nil, beak/lost)
study:value("share rubbed off", nil, (b.friction - a.friction)/weight)
study:value("both, less the weight's", "0", (lost + b.friction - a.friction - weight)/weight)
local last_state = run:at(20)
study:value("energy left over in the ledger of 20 s", nil,
    last_state.energy + last_state.lost + last_state.friction - last_state.torque - run:at(0).energy, "J")

-- ---- pictures ----

local figure = pc.chart.figure{ title = "Woodpecker toy", columns = 2, width = 1100, height = 760 }
local t = pc.linspace(0, 3*period, 3000)
local s = run:columns(t)
local panel = figure:panel{ title = "it falls while the sleeve is free", xlabel = "t", xunit = "s", ylabel = "y",
    yunit = "mm" }
panel:line{ s.t, s.y*1e3 }
panel = figure:panel{ title = "sleeve and bird", xlabel = "t", xunit = "s", ylabel = "angle", yunit = "rad" }
panel:line{ s.t, s.phi_M, label = "sleeve" }
panel:line{ s.t, s.phi_S, label = "bird" }
local one = run:columns(pc.linspace(before, last, 4000))
panel = figure:panel{ title = "limit cycle of the bird", xlabel = "phi_S", xunit = "rad", ylabel = "its rate",
    yunit = "rad/s" }
local start = run:columns(pc.linspace(0, before > 0.6 and 0.6 or before, 4000))
panel:line{ start.phi_S, start.phi_S_rate, label = "from the start", dash = "dotted" }
panel:line{ one.phi_S, one.phi_S_rate, label = "in the end" }
panel = figure:panel{ title = "four places of the toy in a cycle", xlabel = "x", xunit = "mm",
    ylabel = "y less its own", yunit = "mm", equal = true, legend = false }
for k = 0, 3 do
    local state = run:at(before + k*period/4)
    for i, line in ipairs(picture{ 0, state.phi_M, state.phi_S }) do
        if i > 1 then
            local xs, ys = {}, {}
            for j, x in ipairs(line[1]) do xs[j], ys[j] = 1e3*x + 45*k, 1e3*line[2][j] end
            panel:line{ xs, ys, colour = i == 2 and "blue" or "orange", dash = "solid", width = 1.5 }
        end
    end
    for _, x in ipairs{ -r0, r0 } do
        panel:line{ { 1e3*x + 45*k, 1e3*x + 45*k }, { -30, 30 }, colour = "black", dash = "solid", width = 1 }
    end
end
study:draw(figure, "woodpecker")
return study:finish()
