-- Lai (1999), Figs 5.14 to 5.17: angle of reflection against angle of incidence for sphere, disc, shell and hoop, by
-- the coupled law and by the continuum solution; beside them Hertz-Mindlin, linear springs and the rigid law, and the
-- greatest distance of each from the continuum. Linear springs come closer to it than the coupled law does.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Rebound of four bodies by every law",
    source = "Lai (1999), Figs 5.14-5.17; Maw, Barber and Fawcett (1976)", arguments = { ... },
}

local nu, mu = 0.3, 0.5
local unit = lai.unit(nu, mu)
local psi1 = pc.linspace(0.05, 8, 160)
local laws = {
    { "coupled", lai.coupled(nu, mu) }, { "Hertz-Mindlin, incremental", lai.mindlin(nu, mu, "incremental") },
    { "Hertz-Mindlin, secant", lai.mindlin(nu, mu, "secant") }, { "linear springs", lai.linear(nu, mu) },
    { "rigid", lai.rigid(mu) },
}
local maw = lai.maw(nu, mu, 200)

local figure = pc.chart.figure{
    title = "ν = 0.3, μ = 0.5 (Figs 5.14 to 5.17)", columns = 2, width = 1300, height = 1000,
}
for _, shape in ipairs(lai.shapes) do
    local body = lai.body(lai.lambda(shape.shape))
    local chi = lai.chi(lai.lambda(shape.shape), nu)
    local panel = figure:panel{ title = shape.name, xlabel = "Ψ_1", ylabel = "Ψ_2" }
    local reference = lai.curve(body, maw, unit, psi1)
    panel:line{ psi1, reference, label = "continuum (Maw)", width = 2 }
    local distance = {}
    for _, law in ipairs(laws) do
        local curve = lai.curve(body, law[2], unit, psi1)
        panel:line{ psi1, curve, label = law[1] }
        local worst = (curve - reference):abs():max()
        distance[law[1]] = worst
        study:value(shape.name .. ": greatest distance from the continuum, " .. law[1], nil, worst)
    end
    study:value(shape.name .. ": gross slip from psi1, continuum", nil, 4 * chi - 1)
    study:statement(shape.name .. ": linear springs come closer than the coupled law", nil,
        string.format("%.3f against %.3f", distance["linear springs"], distance.coupled),
        distance["linear springs"] < distance.coupled)
end

-- Single values of the coupled law and of the continuum.
local sphere = lai.body(5 / 9)
for _, psi in ipairs{ 0.5, 1, 2, 3, 4, 6 } do
    study:value(string.format("sphere, psi1 = %g: psi2, coupled", psi), nil,
        lai.reflection(lai.strike(sphere, laws[1][2], psi * unit), unit))
    study:value(string.format("sphere, psi1 = %g: psi2, continuum", psi), nil,
        lai.reflection(lai.strike(sphere, lai.maw(nu, mu, 800), psi * unit), unit))
    study:value(string.format("sphere, psi1 = %g: psi2, linear springs", psi), nil,
        lai.reflection(lai.strike(sphere, laws[4][2], psi * unit), unit))
end
study:draw(figure, "fig5_14")
return study:finish()
