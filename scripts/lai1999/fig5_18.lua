-- Lai (1999), Figs 5.18 to 5.20: restitution and loss of a sphere against the angle of incidence for several
-- coefficients of friction, by the coupled law. "The larger the friction, the more loss" holds at equal psi1, not at
-- equal angle.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Restitution and loss of a sphere", source = "Lai (1999), Figs 5.18-5.20", arguments = { ... },
}

local nu, sphere = 0.3, lai.body(5 / 9)
local angles = pc.linspace(1, 89, 177)

local figure = pc.chart.figure{ title = "Sphere, ν = 0.3, coupled law", columns = 3, width = 1700, height = 520 }
local three = figure:panel{ title = "μ = 0.5", xlabel = "angle of incidence", xunit = "deg", ylabel = "restitution" }
local one = figure:panel{ xlabel = "angle of incidence", xunit = "deg", ylabel = "kinematic restitution" }
local loss = figure:panel{ xlabel = "angle of incidence", xunit = "deg", ylabel = "loss / (M v²/2)" }

-- The sphere's translational energy is M v^2/2 with 1/M = w_nn.
local function share(hit)
    return hit.loss * sphere.w_nn / 0.5
end

local at = {}
for _, mu in ipairs{ 0.1, 0.3, 0.5, 0.8, 1.0 } do
    local law = lai.coupled(nu, mu)
    local e, E, part = pc.array(#angles), pc.array(#angles), pc.array(#angles)
    for i = 1, #angles do
        local hit = lai.strike(sphere, law, math.tan(angles[i] * pc.deg))
        e[i], E[i], part[i] = hit.restitution.kinematic, hit.restitution.energetic, share(hit)
    end
    local label = string.format("μ = %g", mu)
    one:line{ angles, e, label = label }
    loss:line{ angles, part, label = label }
    if mu == 0.5 then
        three:line{ angles, e, label = "kinematic" }
        three:line{ angles, E, label = "energetic", dash = "dashed" }
    end
    study:value(string.format("least kinematic restitution on the grid, mu = %g", mu), nil, e:min())
    study:value(string.format("greatest loss over translational energy on the grid, mu = %g", mu), nil, part:max())
    at[#at + 1] = share(lai.strike(sphere, law, math.tan(20 * pc.deg)))
end
study:statement("larger friction, more loss at a given angle", "yes",
    string.format("at 20 deg %.4f, %.4f, %.4f, %.4f, %.4f for mu = 0.1, 0.3, 0.5, 0.8, 1", table.unpack(at)),
    "differs: true at equal psi1 alone")

local grows, before = true, 0
for _, mu in ipairs{ 0.1, 0.3, 0.5, 0.8, 1.0 } do
    local hit = lai.strike(sphere, lai.coupled(nu, mu), 2 * lai.unit(nu, mu))
    grows, before = grows and hit.loss_of_max > before, hit.loss_of_max
end
study:statement("larger friction, more loss at psi1 = 2", nil, grows and "yes" or "no", grows)
study:draw(figure, "fig5_18")
return study:finish()
