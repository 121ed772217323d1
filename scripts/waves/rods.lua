-- Restitution of rods with round ends over their length, beside Sears's theory of 1908: Hertz's contact at the end of a
-- bar, in which waves run up and down and act back on the contact. The bar is as long as one of equal mass. A flatter
-- nose is a stiffer contact: the impact is shorter, and more waves stay in the rod.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "What waves take from a rod", source = "Sears, Proc. Camb. Phil. Soc. 14 (1908)", arguments = { ... },
}

local material = pc.material.custom{ young = 70e9, poisson = 0.28, density = 2700 }
local R, v = 0.05, 5
local c = math.sqrt(material.young / material.density)

-- Sears: depth' = v - u', rho c A u' = F(t) + 2 F(t - T) + 2 F(t - 2 T) + ..., T = 2 L/c, F = K depth^1.5
local function sears(rod)
    local area = math.pi * R ^ 2
    local length = rod.mass / (material.density * area)
    local K = 4 / 3 * material.young / (1 - material.poisson ^ 2) * math.sqrt(rod.nose == "round" and R or rod.nose)
    local impedance, period = material.density * c * area, 2 * length / c
    local scale = 2.94 * (1.25 * rod.mass * v ^ 2 / K) ^ 0.4 / v
    local dt = math.min(period / 400, scale / 8000)
    local lag = math.floor(period / dt + 0.5)
    dt = period / lag
    local force, impulse, depth = { 0 }, 0, 0
    -- rate of the depth at step k, by the force then and those of all returns
    local function rate(k, F)
        local push, j = F, k - lag
        while j >= 1 do
            push = push + 2 * force[j]
            j = j - lag
        end
        return v - push / impedance
    end
    for k = 2, 1000000 do -- Heun's method
        local before = rate(k - 1, force[k - 1])
        local guess = math.max(depth + dt * before, 0)
        depth = depth + dt / 2 * (before + rate(k, K * guess ^ 1.5))
        force[k] = K * math.max(depth, 0) ^ 1.5
        impulse = impulse + dt / 2 * (force[k - 1] + force[k])
        if depth <= 0 then return { e = impulse / (rod.mass * v) - 1, duration = (k - 1) * dt } end
    end
end

local ratios = { 1, 2, 5, 10, 20 }
local ours, his, times, his_times = {}, {}, {}, {}
for i, ratio in ipairs(ratios) do
    local rod = pc.elastic.rod{ radius = R, length = ratio * R, material = material }
    local hit = pc.elastic.collide(rod, { vn = -v, cells = 8 })
    local theory = sears(rod)
    ours[i], his[i] = 1 - hit.restitution.kinematic, 1 - theory.e
    times[i], his_times[i] = hit.duration / hit.hertz.duration, theory.duration / hit.hertz.duration
    study:value(("L/R = %g: 1 - e by waves"):format(ratio), nil, ours[i])
    study:value(("L/R = %g: 1 - e by Sears"):format(ratio), nil, his[i])
    study:value(("L/R = %g: duration over Hertz's"):format(ratio), nil, times[i])
    study:value(("L/R = %g: duration over Hertz's, by Sears"):format(ratio), nil, his_times[i])
    study:value(("L/R = %g: share of the energy left in vibration"):format(ratio), nil,
        hit.energy.vibration / hit.energy.before)
end
local worst = 0
for i = 3, #ratios do worst = math.max(worst, math.abs(math.log(his[i] / ours[i]))) end
study:statement("Sears's theory gives the loss of long rods", "rods of 10 diameters and more",
    ("right to a factor of %.2f for L/R >= 5"):format(math.exp(worst)), math.exp(worst) < 2)

-- noses
local noses = { 1, 1.5, 2, 3, 4 }
local blunt, his_blunt = {}, {}
worst = 0
for i, nose in ipairs(noses) do
    local rod = pc.elastic.rod{ radius = R, length = 10 * R, nose = nose * R, material = material }
    blunt[i] = 1 - pc.elastic.collide(rod, { vn = -v, cells = 8 }).restitution.kinematic
    his_blunt[i] = 1 - sears(rod).e
    worst = math.max(worst, math.abs(math.log(his_blunt[i] / blunt[i])))
    study:value(("L/R = 10, nose of %g R: 1 - e by waves"):format(nose), nil, blunt[i])
    study:value(("L/R = 10, nose of %g R: 1 - e by Sears"):format(nose), nil, his_blunt[i])
end
study:statement("A flatter nose leaves more energy in the rod", "as in Sears's theory, L/R = 10",
    ("1 - e grows from %.2g to %.2g, as in the theory to a factor of %.2f"):format(blunt[1], blunt[#noses],
        math.exp(worst)), blunt[#noses] > 2 * blunt[1] and math.exp(worst) < 2)

local figure = pc.chart.figure{ title = "Rods with round ends, v/c = 1e-3", columns = 3, width = 1500, height = 440 }
local left = figure:panel{ xlabel = "L/R", ylabel = "1 - e", xlog = true, ylog = true }
left:line{ ratios, ours, label = "waves" }
left:line{ ratios, his, label = "Sears" }
local right = figure:panel{ xlabel = "L/R", ylabel = "duration over Hertz's", xlog = true }
right:line{ ratios, times, label = "waves" }
right:line{ ratios, his_times, label = "Sears" }
local noses_panel = figure:panel{ xlabel = "nose/R, L/R = 10", ylabel = "1 - e" }
noses_panel:line{ noses, blunt, label = "waves" }
noses_panel:line{ noses, his_blunt, label = "Sears" }
study:draw(figure, "rods")
return study:finish()
