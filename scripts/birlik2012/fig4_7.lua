-- Birlik (2012), Fig 4.7: effect of friction. Pendulum, theta = 30 deg, k3/k1 = 1.21, mu = 0.1, 0.3, 0.5, 0.8, 1.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Pendulum: effect of friction", source = "Birlik (2012), Fig 4.7", arguments = { ... },
}

local body = birlik.pendulum(30)
local figure, add = birlik.forces_and_speeds("Pendulum, θ = 30°, η = 1.21")

local durations, finals = {}, {}
for i, mu in ipairs{ 0.1, 0.3, 0.5, 0.8, 1.0 } do
    local law = birlik.law(1.21, mu)
    local hit = pc.collide(body, law, { rate = -6 })
    local h = hit:scaled "birlik"
    durations[i] = hit.duration / h.scale.time
    finals[i] = hit.velocity.t / hit.velocity_before.t
    study:value(string.format("duration, mu = %g, omega_0 t", mu), nil, durations[i])
    study:value(string.format("v_t at the end over v_t(0), mu = %g", mu), nil, finals[i])
    add(hit, string.format("μ = %g", mu))
end

local longer = true
for i = 2, #durations do longer = longer and durations[i] < durations[i - 1] end
study:statement("less friction, longer contact", "yes", longer and "yes" or "no", longer)
local monotonic = true
for i = 3, #finals do monotonic = monotonic and (finals[i] - finals[i - 1]) * (finals[2] - finals[1]) > 0 end
study:statement("final speed grows or falls with friction throughout", "no", monotonic and "yes" or "no", not monotonic)
study:draw(figure, "fig4_7")
return study:finish()
