-- Lai (1999), Fig 5.3: scaled tangential force during the impact of a sphere, for several angles of incidence, by the
-- coupled law; beside it the continuum solution.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Tangential force during the impact of a sphere", source = "Lai (1999), Fig 5.3", arguments = { ... },
}

local nu, mu = 0.3, 0.5
local unit, sphere = lai.unit(nu, mu), lai.body(5 / 9)
local figure = pc.chart.figure{ title = "Sphere, ν = 0.3, μ = 0.5", columns = 2, width = 1300, height = 560 }
for _, law in ipairs{ { "coupled law", lai.coupled(nu, mu) }, { "continuum (Maw)", lai.maw(nu, mu, 400) } } do
    local panel = figure:panel{ title = law[1], xlabel = "t / T", ylabel = "Φ_t = F_t / (μ F_n,max)" }
    for _, psi in ipairs{ 0.2, 0.5, 1, 1.2, 2, 3, 4, 6 } do
        local hit = lai.strike(sphere, law[2], psi * unit)
        local h = hit:trace(500)
        panel:line{ h.t / hit.duration, -h.F_t / (mu * hit.peak.n), label = string.format("Ψ_1 = %g", psi) }
        if law[1] == "coupled law" then
            local name = string.format("psi1 = %g: ", psi)
            study:value(name .. "duration", nil, hit.duration)
            study:value(name .. "psi2", nil, lai.reflection(hit, unit))
            study:value(name .. "reversals of the force", nil, #hit.reversals)
        end
    end
end
study:draw(figure, "fig5_3")
return study:finish()
