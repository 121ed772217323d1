-- Lai (1999), Table 5.2 and Figs 5.22 to 5.37: four impacts of a rod with hemispherical ends, L/R = 5, by the coupled
-- law. The printed lambda are above all that eqs 5.76 to 5.79 can give; both are run.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Rod with hemispherical ends", source = "Lai (1999), Table 5.2, Figs 5.22-5.37", arguments = { ... },
}

local nu = 0.28
local cases = {
    { "a", 0.5, 0.63922, 0.27018, 1.549, "0.63922" }, { "b", 1.0, 0.63252, 0.38956, 9.53159, "0.63252" },
    { "c", 0.5, 0.61240, -0.62204, 1.07757, "0.61240" }, { "d", 1.0, 0.61573, -0.59062, 1.35013, "0.61573" },
}

-- eqs 5.76 to 5.79 with R = 1
local function lambda_of(theta, L)
    local phi = theta + math.asin(math.sin(theta) / (L / 2))
    local b2 = L * L / 4 + L * math.cos(phi) + 1
    local k2 = (8 / 15 + 3 / 4 * L + L ^ 2 / 3 + L ^ 3 / 12) / (4 / 3 + L)
    return 1 / (1 + 2 * k2 / b2)
end

local figure = pc.chart.figure{ title = "Rods a to d (Figs 5.22 to 5.37)", columns = 4, width = 1900, height = 1150 }
local rows = { {}, {}, {} }
for _, case in ipairs(cases) do
    local name, mu, printed, theta, slope, text = table.unpack(case)
    local own = lambda_of(theta, 5)
    study:value(name .. ": lambda from eqs 5.76-5.79", text, own)
    local hit = lai.strike(lai.body(printed, theta), lai.coupled(nu, mu), slope)
    local again = lai.strike(lai.body(own, theta), lai.coupled(nu, mu), slope)
    study:statement(name .. ": order of phases", nil, hit.regime, hit.regime == again.regime)
    study:value(name .. ": normal impulse", nil, hit.impulse.n)
    study:value(name .. ": tangential impulse", nil, hit.impulse.t)
    study:value(name .. ": w_t", nil, hit.velocity.t)
    study:value(name .. ": w_n", nil, hit.velocity.n)
    study:value(name .. ": e", nil, hit.restitution.kinematic)
    study:value(name .. ": e, with lambda from the geometry", nil, again.restitution.kinematic)
    local h = hit:trace(600)
    -- how far v_n(p_n) is from its chord, as a part of its range
    local chord = h.v_n[1] + (h.v_n[#h.v_n] - h.v_n[1]) * (h.p_n / hit.impulse.n)
    study:value(name .. ": greatest distance of v_n(p_n) from its chord, of the range", nil,
        (h.v_n - chord):abs():max() / (h.v_n:max() - h.v_n:min()))
    rows[1][#rows[1] + 1] = { h.p_n, h.p_t, "p_n", "p_t", name }
    rows[2][#rows[2] + 1] = { h.p_n, h.v_n, "p_n", "v_n", name }
    rows[3][#rows[3] + 1] = { h.u_t, h.u_n, "u_t", "u_n", name }
end
for _, row in ipairs(rows) do
    for _, p in ipairs(row) do
        figure:panel{ title = "case " .. p[5], xlabel = p[3], ylabel = p[4] }:line{ p[1], p[2] }
    end
end
study:note("The text calls v_n against p_n quite linear: it is in d, hardly in a and c, and not in b.")
study:draw(figure, "fig5_22")
return study:finish()
