-- Scaled views of an impact: the dimensionless quantities in which the sources draw their figures.

local record = require "percuss.record"
local refuse = require "percuss.refuse"
local scaled = {}

local function need(value, view, name, unit, why)
    if value then return value end
    refuse(string.format("scaled view '%s' needs %s (%s): %s", view, name, unit, why))
end

-- Each view gives the scales (what one unit of each kind is in SI), from the impact and the caller's options.
local views = {}

-- Birlik (2012), section 3.3: time 1/omega0 with omega0 = sqrt(k_n/m), velocity |v_n0|, force k_n |v_n0|/omega0.
function views.birlik(hit, options)
    local mass = need(options.mass or hit.object.mass, "birlik", "mass", "kg", "this body has no mass of its own")
    local stiffness = hit.law.stiffness
    local omega = math.sqrt(stiffness / mass)
    local v = math.abs(hit.velocity_before.n)
    return { time = 1 / omega, velocity = v, length = v / omega, force = stiffness * v / omega, impulse = mass * v,
                      energy = mass * v * v }
end

-- A parameter of the impact's law; nil where laws of its kind have none of that name or it was not given.
local function of_law(hit, name)
    local has, value = pcall(function() return hit.law[name] end)
    if has and value == value then return value end
end

-- The contact modulus E*: as given, as the law has it, or E/(1 - nu^2) of the body's material against a rigid plane,
-- which is what the other laws leave open.
local function modulus(hit, options, view)
    local given = options.modulus or of_law(hit, "modulus")
    if given then return given end
    local material = hit.object.material
    local young, poisson = material and material.young, material and material.poisson
    need(young and poisson, view, "modulus", "Pa", "neither the law nor a material of the body gives it")
    return young / (1 - poisson ^ 2)
end

-- The relative radius R of the surfaces: as given, as the law has it, or that of the body on a plane.
local function relative_radius(hit, options, view)
    if options.radius then return options.radius end
    if of_law(hit, "modulus") then
        local counter = of_law(hit, "counter_radius")
        return counter and 1 / (1 / hit.law.radius + 1 / counter) or hit.law.radius
    end
    local curvature = hit.object.curvature
    return need(curvature and curvature > 0 and 1 / curvature, view, "radius", "m",
        "neither the law nor the body's surface gives it")
end

-- Tangential over normal compliance of equal materials, (2 - nu)/(2 (1 - nu)); the law's 3/2 kappa in general.
local function compliance(hit, options, view)
    local kappa = not options.poisson and of_law(hit, "compliance_ratio")
    if kappa then return 1.5 * kappa end
    local material = hit.object.material
    local poisson = need(options.poisson or (material and material.poisson), view, "poisson", "-",
        "neither the law nor a material of the body gives it")
    return (2 - poisson) / (2 * (1 - poisson))
end

-- Lai (1999), eqs 5.40-5.45: length eta = (m^2 v^4/(E*^2 R))^(1/5), time eta/v, impulse m v; m and v are his.
function views.lai(hit, options)
    local lai = hit.object.lai
    local before = hit.velocity_before
    local v = math.sqrt(before.t ^ 2 + before.n ^ 2)
    local E, R = modulus(hit, options, "lai"), relative_radius(hit, options, "lai")
    local length = (lai.mass ^ 2 * v ^ 4 / (E ^ 2 * R)) ^ (1 / 5)
    local time = length / v
    return { time = time, velocity = v, length = length, force = lai.mass * v / time, impulse = lai.mass * v,
                      energy = lai.mass * v * v }
end

-- Maw, Barber and Fawcett (1976): time as a part of the duration, tangential force over mu F_n,max; the velocity
-- ratios become psi = v_t/(3/2 kappa mu |v_n0|), which is 2 (1 - nu)/(mu (2 - nu)) v_t/|v_n0| for equal materials (Lai
-- 1999, eq 5.63).
function views.maw(hit, options)
    if hit.wedged then refuse "scaled view 'maw' needs a duration, and this impact wedges" end
    local mu = hit.law.friction
    need(mu > 0, "maw", "friction", "-", "the scaled velocity is v_t/mu, and friction is 0")
    local v = math.abs(hit.velocity_before.n)
    local psi = 1 / (mu * compliance(hit, options, "maw"))
    return { time = hit.duration, velocity = v / psi, length = v / psi * hit.duration, force = mu * hit.peak.n,
                      impulse = mu * hit.peak.n * hit.duration, energy = mu * hit.peak.n * v / psi * hit.duration }
end

local kind_of = {
    t = "time", u_t = "length", u_n = "length", F_t = "force", F_n = "force", v_t = "velocity", v_n = "velocity",
    s = "velocity", p_t = "impulse", p_n = "impulse", W_t = "energy", W_n = "energy", W_f = "energy",
    energy = "energy", contact_energy = "energy", u_t2 = "length", F_t2 = "force", v_t2 = "velocity",
    s_t2 = "velocity", p_t2 = "impulse",
}

-- The method impact:scaled(view, options).
function scaled.impact(hit, view, options)
    options = options or {}
    local scale = views[view](hit, options)
    local history = hit:trace(options.points or 400, options.stop)
    local out = record.make("trace", { names = history.names, units = {}, scale = scale, view = view })
    for _, name in ipairs(history.names) do
        out[name] = history[name] / scale[kind_of[name]]
        out.units[name] = ""
    end
    return out
end

return scaled
