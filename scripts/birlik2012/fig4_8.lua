-- Birlik (2012), Fig 4.8: effect of the angle. Pendulum, mu = 0.5, k3/k1 = 1.21, theta = 20, 30, 50, 60, 80 deg.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Pendulum: effect of its angle", source = "Birlik (2012), Fig 4.8", arguments = { ... },
}

local law = birlik.law(1.21, 0.5)
local figure, add = birlik.forces_and_speeds("Pendulum, μ = 0.5, η = 1.21")

local durations, losses, sticks = {}, {}, {}
for i, theta in ipairs{ 20, 30, 50, 60, 80 } do
    local body = birlik.pendulum(theta)
    local hit = pc.collide(body, law, { rate = -6 })
    local h = hit:scaled "birlik"
    durations[i], losses[i], sticks[i] = hit.duration / h.scale.time, hit.loss_fraction, hit.phases[1].kind == "stick"
    study:value(string.format("duration, theta = %d deg, omega_0 t", theta), nil, durations[i])
    study:value(string.format("v_t at the end over v_t(0), theta = %d deg", theta), nil,
        hit.velocity.t / hit.velocity_before.t)
    study:value(string.format("lost fraction, theta = %d deg", theta), nil, losses[i])
    add(hit, string.format("θ = %d°", theta))
end

local longer, more = true, true
for i = 2, #durations do
    longer = longer and durations[i] < durations[i - 1]
    more = more and losses[i] <= losses[i - 1] + 1e-12
end
study:statement("smaller angle, longer contact", "yes", longer and "yes" or "no", longer)
study:statement("smaller angle, more dissipation", "yes", more and "yes" or "no", more)
study:statement("larger angles start in stick", "yes", tostring(sticks[1]) .. " to " .. tostring(sticks[5]),
    not sticks[1] and sticks[5])
study:draw(figure, "fig4_8")
return study:finish()
