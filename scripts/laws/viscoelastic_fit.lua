-- A law written live: a power law with a damping of one's own, checked, compared with laws in C, and fitted to
-- restitutions that were "measured" over the speed.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A law in Lua: checked, compared, fitted",
    source = "Brilliantov et al., Phys. Rev. E 53 (1996), for the law; Hunt and Crossley (1975)", arguments = { ... },
}

local make = pc.contact.define{
    name = "lesson_viscoelastic", doc = "Hertz contact with damping by the square root of the indentation.",
    source = "Brilliantov et al., Phys. Rev. E 53 (1996)",
    equations = "F_n = K (u^1.5 + 3/2 A u^0.5 w): at the indentation u and its rate w",
    parameters = {
        { "stiffness", symbol = "K", unit = "N/m^1.5", above = 0 },
        { "dissipation", symbol = "A", unit = "s", least = 0, from = 0, to = 1e-4 },
    },
    force = function(p, u, w) return p.K*(u^1.5 + 1.5*p.A*u^0.5*w) end,
}
local K = 4/3*1e9*math.sqrt(0.01)
local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }

local checked = pc.contact.check(make{ K = K, A = 2e-5, friction = 0.3 }, { quiet = true, mass = 0.03 })
study:statement("keeps what every law has to keep", nil, checked.ok and "nothing broken" or "see contact.check",
    checked.ok)

-- Against the law in C.
local worst, built_in = 0, { modulus = 1e9, radius = 0.01, dissipation = 2e-5, friction = 0.3 }
for _, motion in ipairs{ { vt = 0, vn = -1 }, { vt = 0.4, vn = -2 }, { vt = -3, vn = -0.5 } } do
    local a = pc.collide(ball, make{ K = K, A = 2e-5, friction = 0.3 }, motion)
    local b = pc.collide(ball, pc.contact.viscoelastic(built_in), motion)
    worst = math.max(worst, math.abs(a.velocity.t - b.velocity.t), math.abs(a.velocity.n - b.velocity.n))
end
study:value("greatest difference from contact.viscoelastic", "0", worst, "m/s")

-- What somebody measured, with two per mille of scatter that is the same every time.
local speed, e = {}, {}
for i = 1, 12 do
    speed[i] = 0.1*40^((i - 1)/11)
    local law = pc.contact.viscoelastic{ modulus = 1e9, radius = 0.01, dissipation = 2e-5, friction = 0 }
    e[i] = pc.restitution(law, ball, speed[i])*(1 + 0.002*math.sin(7*i))
end
local function fitted(law, start, parameter)
    return pc.fit(pc.table{ { "speed", speed, unit = "m/s" }, { "e", e } }, function(p, row)
        return (pc.restitution(law:with{ [parameter] = p[parameter] }, ball, row.speed))
    end, { { parameter, start, lo = 0 } }, { columns = "e" })
end
local own = fitted(make{ K = K, A = 1e-5, friction = 0 }, 1e-5, "dissipation")
local other = fitted(pc.contact.hunt_crossley{ k = K, zeta = 0.1, friction = 0 }, 0.1, "damping")
study:value("fitted dissipation", "2e-05", own.values.dissipation, "s")
local left, of_other = math.sqrt(own.chi2/12), math.sqrt(other.chi2/12)
study:value("mean error that is left of the law in Lua", nil, left)
study:value("and of hunt_crossley", nil, of_other)
study:statement("the data tell the two apart", nil, string.format("%.4f against %.4f", left, of_other),
    left*4 < of_other)

local figure = pc.chart.figure{ title = "Restitution over speed", width = 700, height = 450 }
local panel = figure:panel{ xlabel = "speed", xunit = "m/s", ylabel = "e", xlog = true }
panel:scatter{ speed, e, label = "measured" }
local fine = pc.logspace(0.1, 4, 40)
for _, row in ipairs{
    { "the law in Lua", make{ K = K, A = own.values.dissipation, friction = 0 } },
    { "hunt_crossley", pc.contact.hunt_crossley{ k = K, zeta = other.values.damping, friction = 0 } },
} do
    local curve = {}
    for i = 1, #fine do curve[i] = (pc.restitution(row[2], ball, fine[i])) end
    panel:line{ fine, curve, label = row[1] }
end
study:draw(figure, "viscoelastic_fit")
return study:finish()
