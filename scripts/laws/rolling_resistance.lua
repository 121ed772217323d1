-- Resistance to rolling and twisting: a disc that bounces, slides and rolls to rest by rigid and by compliant laws, and
-- a spinning ball whose slip turns aside in an impact, since what resists its rolling works across it.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Rolling and twisting resistance",
    source = "Johnson, Contact Mechanics (1985), chapter 9, for the length; Routh (1905) for the path of an impact",
    arguments = { ... },
}
local g, R, m = 9.81, 0.05, 0.5

-- What a disc that rolls covers until it rests, by a rigid law and by a compliant one.
local delta, v = 2e-3, 1.5
local slowing = delta*g/(1.5*R)
local function rolled(contact, configuration)
    local disc = pc.free{ shape = "disc", radius = R, mass = m, y = R, vx = v, rate = -v/R }
    return pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = contact, configuration = configuration }, {
        duration = 7,
    })
end
local rigid = rolled(pc.contact.newton{ restitution = 0, friction = 0.5, rolling = delta })
local soft = rolled(pc.contact.hunt_crossley{ stiffness = 1e7, damping = 1, friction = 0.5, rolling = delta }, "moving")
local expected = string.format("%.6f", v^2/(2*slowing))
study:value("distance rolled, contact.newton", expected, rigid:at(7).x, "m")
study:value("distance rolled, contact.hunt_crossley", expected, soft:at(7).x, "m")

-- A ball that falls straight down and spins about the vertical loses as much as the normal impulse allows.
local ball = pc.body.sphere{ radius = R, mass = m, spatial = true }
local J, spin, twisting = 0.4*m*R^2, 40, 3e-4
local hit = pc.collide(ball, pc.contact.stronge{ restitution = 0.8, friction = 0.3, twisting = twisting }, {
    v = { 0, -2, 0 }, omega = { 0, spin, 0 },
})
study:value("spin about the normal afterwards", string.format("%.6f", spin - twisting*1.8*m*2/J), hit.body.omega[2],
    "rad/s")

-- The stiffer a contact is, the less it turns meanwhile: Stronge's law is the limit.
local motion = { v = { 1, -2 }, omega = 10 }
local exact = pc.collide(pc.body.disc{ radius = R, mass = m },
    pc.contact.stronge{ restitution = 1, friction = 0.3, rolling = 5e-3 }, motion)
for _, stiffness in ipairs{ 1e6, 1e8 } do
    local disc = pc.free{ shape = "disc", radius = R, mass = m, y = R, vx = 1, vy = -2, rate = 10 }
    local contact = pc.contact.hunt_crossley{ stiffness = stiffness, damping = 0, friction = 0.3, rolling = 5e-3 }
    local run = pc.simulate(pc.scene{
        disc, pc.floor{ height = 0 }, contact = contact, configuration = "moving", gravity = 0,
    }, { duration = 0.05 })
    study:value(("rate afterwards, stiffness %g N/m^1.5"):format(stiffness), string.format("%.6f", exact.body.omega),
        run:at(0.05).rate, "rad/s")
end

-- How the slip of a ball goes while the normal impulse grows.
local figure = pc.chart.figure{ title = "Resistance to rolling and twisting", columns = 2, width = 1000, height = 420 }
local left = figure:panel{ xlabel = "t", xunit = "s", ylabel = "v", yunit = "m/s", title = "A disc comes to rest" }
for _, length in ipairs{ 0, 1e-3, 3e-3 } do
    local disc = pc.free{ shape = "disc", radius = R, mass = m, y = 3*R, vx = 1.5, rate = 30 }
    local contact = pc.contact.newton{ restitution = 0.6, friction = 0.15, rolling = length }
    local run = pc.simulate(pc.scene{ disc, pc.floor{ height = 0 }, contact = contact }, { duration = 4 })
    local columns = run:columns(0.01)
    left:line{ columns.t, columns.vx, label = ("delta = %g mm"):format(1e3*length) }
end
local right = figure:panel{
    xlabel = "v_t", xunit = "m/s", ylabel = "v_t2", yunit = "m/s", title = "The slip of a ball in an impact",
}
local swerves = {}
for _, length in ipairs{ 0, 2e-3, 1e-2 } do
    local law = pc.contact.stronge{ restitution = 0.8, friction = 0.2, rolling = length, twisting = 1e-4 }
    local one = pc.collide(ball, law, { v = { 2, -2, 0 }, omega = { 30, 50, 10 } })
    local path = pc.impulse.path(one, 100)
    right:line{ path.v_t, path.v_t2, label = ("delta = %g mm"):format(1e3*length) }
    local worst, a, b = 0, one.velocity_before.t, one.velocity_before.t2
    for i = 1, #path.v_t do worst = math.max(worst, math.abs(path.v_t[i]*b - path.v_t2[i]*a)/math.sqrt(a^2 + b^2)) end
    swerves[#swerves + 1] = worst
end
study:value("without resistance the slip of a ball leaves its line by", "0", swerves[1], "m/s")
study:statement("resistance turns it aside", nil, string.format("%.3f, %.3f m/s", swerves[2], swerves[3]),
    swerves[3] > swerves[2] and swerves[2] > 1e-3)
study:draw(figure, "rolling_resistance")
return study:finish()
