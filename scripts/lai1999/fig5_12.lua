-- Lai (1999), Figs 5.12 and 5.13: the influence of chi, the ratio of compliance to inertia, at psi1 = 1.2. The number
-- of reversals of the tangential force grows with chi; the angle of reflection against chi by both laws.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Influence of the radius of gyration", source = "Lai (1999), Figs 5.12-5.13", arguments = { ... },
}

local nu, mu, psi1 = 0.3, 0.5, 1.2
local unit = lai.unit(nu, mu)
local coupled, maw = lai.coupled(nu, mu), lai.maw(nu, mu, 400)

local function body_of(chi)
    local r = chi * (2 - nu) / (1 - nu)
    return lai.body((r - 1) / (r + 1))
end

local figure = pc.chart.figure{ title = "Ψ_1 = 1.2, ν = 0.3, μ = 0.5", columns = 2, width = 1300, height = 560 }
local panel = figure:panel{ xlabel = "t / T", ylabel = "Φ_t" }
local reversals, grows = {}, true
for i, chi in ipairs{ 1.441176470588, 3, 4, 10 } do
    local hit = lai.strike(body_of(chi), coupled, psi1 * unit)
    local h = hit:trace(600)
    panel:line{ h.t / hit.duration, -h.F_t / (mu * hit.peak.n), label = string.format("χ = %.3g", chi) }
    reversals[i] = #hit.reversals
    grows = grows and (i == 1 or reversals[i] >= reversals[i - 1])
    study:value(string.format("psi2, chi = %.3g", chi), nil, lai.reflection(hit, unit))
end
study:statement("more reversals of the tangential force with greater chi", "yes", table.concat(reversals, ", "), grows)

local chis = pc.linspace(0.6, 10, 95)
local one, other = pc.array(#chis), pc.array(#chis)
for i = 1, #chis do
    local body = body_of(chis[i])
    one[i] = lai.reflection(lai.strike(body, coupled, psi1 * unit), unit)
    other[i] = lai.reflection(lai.strike(body, maw, psi1 * unit), unit)
end
panel = figure:panel{ xlabel = "χ", ylabel = "Ψ_2" }
panel:line{ chis, one, label = "coupled law" }
panel:line{ chis, other, label = "continuum (Maw)" }
for _, chi in ipairs{ 2, 3, 6 } do
    study:value(string.format("continuum, chi = %d: psi2", chi), nil,
        lai.reflection(lai.strike(body_of(chi), lai.maw(nu, mu, 1600), psi1 * unit), unit))
end
study:draw(figure, "fig5_12")
return study:finish()
