-- Model solution of the assignment wedge.
local pc = require "percuss"
local work = ...
local d = work.data

local function critical(mu, eta)
    local a, b = mu * eta, 1 + 3 * mu ^ 2 * eta
    -- the positive root, in the form that does not cancel
    return math.atan(2 * mu / (b + math.sqrt(b ^ 2 + 4 * a * mu)))
end

local function strike(angle, mu, eta)
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
    return pc.collide(pc.body.pendulum{ mass = 0.0041, length = 0.1, angle = angle }, law, { rate = -6 })
end

function work.critical() return critical(d.friction, d.ratio) / pc.deg, "deg" end

function work.loss() return strike(d.angle * pc.deg, d.friction, d.ratio).loss_fraction, "" end

function work.wedges(angle, friction, ratio) return strike(angle, friction, ratio).wedged and 1 or 0 end

function work.boundary()
    local mu, theta = pc.linspace(0.05, 2, 100), {}
    for i = 1, #mu do theta[i] = critical(mu[i], d.ratio) / pc.deg end
    local figure = pc.chart.figure{ title = "Below the line the pendulum wedges" }
    figure:panel{ xlabel = "friction", ylabel = "critical angle", yunit = "deg" }:line{ mu, theta }
    return figure
end

function work.why()
    return [[
The springs are linear and friction is proportional to the normal force, so that all forces, impulses and works scale
with the speed alone; mass and length set the duration of the impact and the size of the forces, but not which of the
two works is larger. Only ratios are left: the friction, the ratio of the stiffnesses and the direction of the link.]]
end
