-- Scaled views of an impact: the dimensionless quantities in which the sources draw their figures.

local scaled = {}

local function need(value, view, name, unit, why)
    if value then return value end
    error(string.format("scaled view '%s' needs %s (%s): %s", view, name, unit, why), 4)
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

-- The modulus E* = E/(1 - nu^2) against a rigid counterface, unless given.
local function modulus(hit, options, view)
    if options.modulus then return options.modulus end
    local material = hit.object.material
    local young, poisson = material and material.young, material and material.poisson
    need(young and poisson, view, "modulus", "Pa", "the body has no material with young and poisson")
    return young / (1 - poisson ^ 2)
end

-- Lai (1999), eqs 5.40-5.45: length eta = (m^2 v^4/(E*^2 R))^(1/5), time eta/v, impulse m v; m and v are his.
function views.lai(hit, options)
    local lai = hit.object.lai
    local curvature = hit.object.curvature
    local radius = options.radius or (curvature and curvature > 0 and 1 / curvature)
    need(radius, "lai", "radius", "m", "the body's surface is flat or unknown at the contact")
    local before = hit.velocity_before
    local v = math.sqrt(before.t ^ 2 + before.n ^ 2)
    local length = (lai.mass ^ 2 * v ^ 4 / (modulus(hit, options, "lai") ^ 2 * radius)) ^ (1 / 5)
    local time = length / v
    return { time = time, velocity = v, length = length, force = lai.mass * v / time, impulse = lai.mass * v,
                      energy = lai.mass * v * v }
end

-- Maw, Barber and Fawcett (1976): time as a part of the duration, tangential force over mu F_n,max; the velocity
-- ratios become psi = 2 (1 - nu)/(mu (2 - nu)) v_t/|v_n0| (Lai 1999, eq 5.63).
function views.maw(hit, options)
    if hit.wedged then error("scaled view 'maw' needs a duration, and this impact wedges", 3) end
    local mu = hit.law.friction
    need(mu > 0, "maw", "friction", "-", "the scaled velocity is v_t/mu, and friction is 0")
    local material = hit.object.material
    local poisson = need(options.poisson or (material and material.poisson), "maw", "poisson", "-",
        "the body has no material with poisson")
    local v = math.abs(hit.velocity_before.n)
    local psi = 2 * (1 - poisson) / (mu * (2 - poisson))
    return { time = hit.duration, velocity = v / psi, length = v / psi * hit.duration, force = mu * hit.peak.n,
                      impulse = mu * hit.peak.n * hit.duration, energy = mu * hit.peak.n * v / psi * hit.duration }
end

local kind_of = {
    t = "time", u_t = "length", u_n = "length", F_t = "force", F_n = "force", v_t = "velocity", v_n = "velocity",
    s = "velocity", p_t = "impulse", p_n = "impulse", W_t = "energy", W_n = "energy", W_f = "energy",
    kinetic = "energy", u_t2 = "length", F_t2 = "force", v_t2 = "velocity", s_t2 = "velocity", p_t2 = "impulse",
}

-- The method impact:scaled(view, options).
function scaled.impact(hit, view, options)
    options = options or {}
    local scale = views[view](hit, options)
    local history = hit:trace(options.points or 400, options.stop)
    local out = { names = history.names, units = {}, scale = scale, view = view }
    for _, name in ipairs(history.names) do
        out[name] = history[name] / scale[kind_of[name]]
        out.units[name] = ""
    end
    return out
end

return scaled
