-- Lai (1999), Figs 5.4 to 5.11: one impact of a sphere at psi1 = 1.2 in all its quantities, by the coupled law.
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Sphere at psi1 = 1.2", source = "Lai (1999), Figs 5.4-5.11", arguments = { ... },
}

local nu, mu = 0.3, 0.5
local unit = lai.unit(nu, mu)
local hit = lai.strike(lai.body(5 / 9), lai.coupled(nu, mu), 1.2 * unit)
study:statement("order of phases", nil, hit.regime, hit.regime == "slip-stick-slip")
study:value("duration", nil, hit.duration)
study:value("stick starts, t/T", nil, hit.phases[2].start / hit.duration)
study:value("stick ends, t/T", nil, hit.phases[2].stop / hit.duration)
study:value("greatest normal force", nil, hit.peak.n)
study:value("greatest indentation", nil, hit:at(hit.compression_time).u_n)
study:value("normal impulse", nil, hit.impulse.n)
study:value("tangential impulse", nil, hit.impulse.t)
study:value("w_t", nil, hit.velocity.t)
study:value("w_n", nil, hit.velocity.n)
study:value("psi2", nil, lai.reflection(hit, unit))
study:value("lost fraction of the energy", nil, hit.loss_of_max)
study:value("energy returned neither by springs nor taken by friction, fraction", nil,
    (hit.work.normal + hit.work.tangential - hit.work.friction) / hit.energy.contact_before)

local t = "t"
study:draw(lai.histories("Sphere, Ψ_1 = 1.2 (Figs 5.4 to 5.11)", hit, {
    { t, "F_t", "t", "F_t (5.4)" }, { t, "u_t", "t", "u_t (5.5)" }, { t, "u_n", "t", "u_n (5.5)" },
    { "u_n", "F_n", "u_n", "F_n (5.6)" }, { "u_t", "F_t", "u_t", "F_t (5.7)" }, { t, "p_n", "t", "p_n (5.8)" },
    { t, "p_t", "t", "p_t (5.8)" }, { t, "v_t", "t", "v_t (5.9)" }, { "F_n", "F_t", "F_n", "F_t (5.10)" },
    { "p_n", "v_n", "p_n", "v_n (5.11)" },
}), "fig5_4")
return study:finish()
