-- Birlik (2012), Fig 3.1: the contact point's velocity by two methods, from the integrated accelerations (eqs 3.58,
-- 3.59) and from the impulses (3.60 to 3.62). Pendulum, mu = 0.5, theta = 50 deg; the caption gives no stiffness
-- ratio, 1.21 is taken as in the neighbouring figures.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Velocity from accelerations and from impulses", source = "Birlik (2012), Fig 3.1", arguments = { ... },
}

local body = birlik.pendulum(50)
local law = birlik.law(1.21, 0.5)
local hit = pc.collide(body, law, { rate = -6 })
local h = hit:trace(4001)
local v = math.abs(hit.velocity_before.n)

-- First method: accelerations dv/dt = W F, summed over time by the trapezoidal rule. Its error falls as the square
-- of the step; 4000 steps leave about 1e-7 of the velocity.
local W = body.W
local from_acceleration = h.v_t[1] + (W[1][1] * h.F_t + W[1][2] * h.F_n):cumtrapz(h.t)
-- Second method: impulses, which the law gives in closed form; the initial velocity has to be added (erratum).
local from_impulse = h.v_t[1] + W[1][1] * h.p_t + W[1][2] * h.p_n

study:value("xdot at the end, by impulses, over |zdot(0)|", nil, from_impulse[#h.t] / v)
study:value("zdot at the end, over |zdot(0)|", nil, hit.velocity.n / v)
study:value("duration, omega_0 t", nil, hit.duration * math.sqrt(law.stiffness / body.mass))
local difference = (from_acceleration - from_impulse):abs():max() / v
study:statement("both methods", "coincide", string.format("largest difference %.1e", difference), difference < 1e-6)
study:note("Erratum: (3.60) and (3.61) give the change of velocity; the initial velocities have to be added.")

local scale = hit:scaled "birlik".scale
local figure = pc.chart.figure{ title = "Pendulum, μ = 0.5, θ = 50°" }
local panel = figure:panel{ xlabel = "ω_0 t", ylabel = "v_t / |v_n(0)|", legend = true }
panel:line{ h.t / scale.time, from_acceleration / v, label = "from accelerations" }
local some = h.t:slice(1, #h.t, 200)
panel:scatter{ some / scale.time, from_impulse:slice(1, #h.t, 200) / v, label = "from impulses" }
study:draw(figure, "fig3_1")
return study:finish()
