-- Birlik (2012), Fig 4.2: flow of the tangential velocity of a sliding spherical pendulum, theta = 60 deg, mu = 1, with
-- invariant and flow-change lines; and, beyond the thesis, rigid impacts that swerve through it.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Swerve of a spherical pendulum", source = "Birlik (2012), section 4.1.1.1, Fig 4.2", arguments = { ... },
}

local theta = 60 * pc.deg
local c, s = math.cos(theta), math.sin(theta)
local body = pc.body.matrix{ W = { { c * c, s * c, 0 }, { s * c, s * s, 0 }, { 0, 0, 1 } } }
local flow = pc.flow(body, 1)
study:value("flow change, first", "0.4474", flow.change[1], "rad")
study:value("flow change, second", "5.8357", flow.change[2], "rad")
for i, d in ipairs(flow.invariant) do study:value(string.format("invariant direction %d", i), nil, d.angle, "rad") end

-- The joint allows v_n = v_t tan(theta) alone, so compression ends where slip points across the plane of the link.
local function strike(mu, vt, vt2)
    local law = pc.contact.stronge{ E = 1, mu = mu }
    return pc.collide(body, law, { vt = vt, vn = vt * math.tan(theta), vt2 = vt2 })
end
local swerve = strike(0.5, -1, -1.5)
study:value("mu = 0.5, v = (-1, -1.5): normal impulse", nil, swerve.impulse.n, "N s")
study:value("v_t afterwards", nil, swerve.velocity.t, "m/s")
study:value("v_t2 afterwards", nil, swerve.velocity.t2, "m/s")
study:value("v_n afterwards", nil, swerve.velocity.n, "m/s")
study:value("dissipated", nil, -swerve.work.friction, "J")
study:identity("lost is what friction took", swerve.loss, -swerve.work.friction, "J")
local held = strike(2, -1, 0.3)
study:statement("mu = 2 > tan(theta), v = (-1, 0.3)", nil, held.wedged and "slip stops and the pendulum is wedged" or
    "it rebounds", held.wedged)

local figure = pc.chart.figure{
    title = "Spherical pendulum at 60°: flow of sliding", columns = 2, width = 1400, height = 700,
}
flow:panel(figure, { title = "μ = 1" })
local panel = pc.flow(body, 0.5):panel(figure, { title = "μ = 0.5, and three impacts" })
for i, v in ipairs{ { -1, -1.5 }, { -0.6, 0.8 }, { -0.9, 0.3 } } do
    local scale = 0.95 / math.max(math.abs(v[1]), math.abs(v[2]))
    local path = pc.impulse.path(strike(0.5, v[1] * scale, v[2] * scale), 300)
    panel:line{ path.v_t, path.v_t2, width = 2, dash = "solid", colour = "purple", label = i == 1 and "impact" or nil }
end
study:draw(figure, "fig4_2")
return study:finish()
