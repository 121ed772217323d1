-- Birlik (2012), Fig 4.8: effect of the angle. Pendulum, mu = 0.5, k3/k1 = 1.21, theta = 20, 30, 50, 60, 80 deg.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Pendulum: effect of its angle", source = "Birlik (2012), Fig 4.8", arguments = { ... },
}

local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local figure = pc.chart.figure{ title = "Pendulum, μ = 0.5, η = 1.21", columns = 2, width = 1200, height = 500 }
local forces = figure:panel{ xlabel = "ω_0 t", ylabel = "F_n / (k_n |v_n(0)|/ω_0)", legend = true }
local speeds = figure:panel{ xlabel = "ω_0 t", ylabel = "v_t / v_t(0)", legend = true }

local durations, losses, sticks = {}, {}, {}
for i, theta in ipairs{ 20, 30, 50, 60, 80 } do
    local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = theta * pc.deg }
    local hit = pc.collide(body, law, { rate = -6 })
    local h = hit:scaled "birlik"
    durations[i], losses[i], sticks[i] = hit.duration / h.scale.time, hit.loss_fraction, hit.phases[1].kind == "stick"
    study:value(string.format("duration, theta = %d deg, omega_0 t", theta), nil, durations[i])
    study:value(string.format("v_t at the end over v_t(0), theta = %d deg", theta), nil,
        hit.velocity.t / hit.velocity_before.t)
    study:value(string.format("lost fraction, theta = %d deg", theta), nil, losses[i])
    forces:line{ h.t, h.F_n, label = string.format("θ = %d°", theta) }
    speeds:line{ h.t, h.v_t / h.v_t[1], label = string.format("θ = %d°", theta) }
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
