-- What the studies of Birlik (2012) share: his bodies and law in SI units, and the studies that come in pairs.
-- Only ratios enter the figures; mass and stiffness are those of a 5 mm sphere of 4.1 g and k_n = 15 MN/m.
local pc = require "percuss"
local plot = require "percuss.plot"
local Study = require "percuss.study"

local birlik = {}

-- The physical pendulum of section 4.2: R = 5 mm, L = 0.1 m; angle in degrees.
function birlik.pendulum(degrees)
    return pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = degrees * pc.deg }
end

-- The slender rod of section 3.3.1.2.2; angle in degrees.
function birlik.rod(degrees)
    return pc.body.rod{ length = 0.1, mass = 0.0041, angle = degrees * pc.deg }
end

function birlik.sphere()
    return pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
end

-- The compliant elements with k3 = 15 MN/m.
function birlik.law(eta, mu)
    return pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
end

-- The pendulum struck at -6 rad/s.
function birlik.swing(degrees, eta, mu)
    return pc.collide(birlik.pendulum(degrees), birlik.law(eta, mu), { rate = -6 })
end

-- A figure with two panels over omega_0 t: normal forces, and tangential velocities over their initial value.
function birlik.forces_and_speeds(title)
    local figure = pc.chart.figure{ title = title, columns = 2, width = 1200, height = 500 }
    local forces = figure:panel{ xlabel = "ω_0 t", ylabel = "F_n / (k_n |v_n(0)|/ω_0)", legend = true }
    local speeds = figure:panel{ xlabel = "ω_0 t", ylabel = "v_t / v_t(0)", legend = true }
    return figure, function(hit, label)
        local h = hit:scaled("birlik", { points = 800 })
        forces:line{ h.t, h.F_n, label = label }
        speeds:line{ h.t, h.v_t / h.v_t[1], label = label }
    end
end

-- Figs 3.8 and 3.9: the slender rod at 45 deg, mu = 0.6, eta = 1.21, xdot(0)/zdot(0) = -ratio. `order` is what the
-- text says of the phases, `regime` the word for it.
function birlik.rod_study(arguments, number, ratio, order, regime)
    local study = Study.new{
        title = "Slender rod, " .. regime, source = "Birlik (2012), Fig " .. number .. ", eq 3.102",
        arguments = arguments,
    }
    local function strike(degrees)
        return pc.collide(birlik.rod(degrees), birlik.law(1.21, 0.6), { vt = ratio, vn = -1 })
    end
    -- the figure needs a13 = -3 sin cos/m, the contact point behind the mass centre: a rod at -45 deg
    local hit = strike(-45)
    local time = hit:scaled "birlik".scale.time
    study:statement("order of phases", order, hit.regime, hit.regime == regime)
    study:value("|F1| greatest, omega_0 t", number == "3.8" and "0.7" or nil, hit.peak.t_time / time)
    study:value("force reverses, omega_0 t", nil, hit.reversals[1] / time)
    for i = 1, #hit.phases - 1 do
        study:value(hit.phases[i].kind .. " ends, omega_0 t", nil, hit.phases[i].stop / time)
    end
    study:value("xdot at the end, over |zdot(0)|", nil, hit.velocity.t)
    study:value("zdot at the end, over |zdot(0)|", nil, hit.velocity.n)
    local other = strike(45)
    study:note(string.format(
        "Erratum: with the sign of a13 printed in (3.102) the rod shows %s with %d force reversals, unlike the figure.",
        other.regime, #other.reversals))
    study:draw(plot.cone_and_velocities(hit, string.format("Rod, θ = 45°, μ = 0.6, v_t/v_n = -%g", ratio)),
        "fig" .. number:gsub("%.", "_"))
    return study:finish()
end

-- Figs 4.11 and 4.12: loss and final speed of the pendulum over friction at one stiffness ratio.
function birlik.loss_study(arguments, number, eta, angles, note)
    local study = Study.new{
        title = string.format("Pendulum: dissipation and final speed over friction, eta = %g", eta),
        source = "Birlik (2012), Fig " .. number, arguments = arguments,
    }
    local friction = pc.linspace(0.005, 1.5, 300)
    local figure = pc.chart.figure{
        title = string.format("Pendulum, η = %g", eta), columns = 2, width = 1200, height = 500,
    }
    local losses = figure:panel{ xlabel = "μ", ylabel = "lost fraction of the energy", legend = true }
    local speeds = figure:panel{ xlabel = "μ", ylabel = "V(end) / V(0)", legend = true }
    for _, theta in ipairs(angles) do
        local map = pc.map(birlik.pendulum(theta), birlik.law(eta, 0), { rate = -6, friction = friction })
        local label = string.format("θ = %d°", theta)
        losses:line{ friction, map.loss_fraction, label = label }
        speeds:line{ friction, map.vn / -map.vn0, label = label }

        local mu, loss = pc.friction_of_greatest_loss(theta * pc.deg, eta)
        local name = string.format("theta = %d deg: ", theta)
        study:value(name .. "friction of greatest loss", nil, mu)
        study:value(name .. "greatest loss, fraction", nil, loss)
        -- the same by trying: impacts at and beside the stated maximum
        local function loss_at(friction_there) return birlik.swing(theta, eta, friction_there).loss_fraction end
        local top = loss_at(mu)
        study:statement(name .. "a maximum", nil, string.format("loss %.9g", top),
            top >= loss_at(mu * 0.99) and top >= loss_at(mu * 1.01))
    end
    study:note(note)
    study:draw(figure, "fig" .. number:gsub("%.", "_"))
    return study:finish()
end

-- Figs 4.16 and 4.17: the wedging range in friction at one angle, with an impact at each of some frictions. `compare`
-- enters the range into the study beside what the source prints.
function birlik.range_study(arguments, number, theta, eta, frictions, compare)
    local study = Study.new{
        title = "Between which frictions does the pendulum wedge?", source = "Birlik (2012), Fig " .. number,
        arguments = arguments,
    }
    local low, high = pc.wedging_range(theta * pc.deg, eta)
    compare(study, low, high)
    local figure, add = birlik.forces_and_speeds(string.format("Pendulum, θ = %g°, η = %g", theta, eta))
    for _, mu in ipairs(frictions) do
        local hit = birlik.swing(theta, eta, mu)
        local name = string.format("mu = %g", mu)
        study:statement(name, nil, hit.outcome, hit.wedged == (mu > low and mu < high))
        add(hit, "μ" .. name:sub(3))
    end
    study:draw(figure, "fig" .. number:gsub("%.", "_"))
    return study:finish()
end

return birlik
