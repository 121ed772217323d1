-- Scenes of the library, and what they are as mechanisms written by hand: { scene, own, options, columns, rates, scale
-- of the energy }, by name.
local pc = require "percuss"
local g = 9.81
local TIGHT = pc.solver.dop853{ rtol = 1e-12 }
local sin, cos = math.sin, math.cos
local twins = {}

-- Each with the length that the scene finds for its own contacts, so that both round alike and accumulations end with
-- the same impact.
local function disc(law, more, start)
    local r, m = 0.1, 0.7
    local s = start or { x = 0, y = 0.4, angle = 0, vx = 1.1, vy = 0, rate = -25 }
    local options = { duration = 1.5, solver = TIGHT }
    local body = pc.free{ shape = "disc", radius = r, mass = m, x = s.x, y = s.y, angle = s.angle, vx = s.vx, vy = s.vy,
        rate = s.rate }
    local scene = { body, pc.floor{ height = 0 }, contact = law }
    local J = body.inertia
    local own = { pc.mechanism{ coordinates = { "x", "y", { "angle", unit = "rad" } }, start = { s.x, s.y, s.angle },
        rates = { s.vx, s.vy, s.rate }, mass = { m, m, J }, force = function() return 0, -m*g, 0 end,
        gaps = { { function(_, q) return q.y - r end, tangent = { 1, 0, r }, name = "foot", length = r } } },
        contact = law }
    for k, v in pairs(more or {}) do scene[k], own[k] = v, v end
    return { scene = scene, own = own, options = options, columns = { "x", "y", "angle" },
        rates = { "vx", "vy", "rate" }, scale = m*g*0.4 + 0.5*m + 0.5*J*625 }
end
twins["disc, newton"] = disc(pc.contact.newton{ restitution = 0.6, friction = 0.2 })
twins["disc, poisson"] = disc(pc.contact.poisson{ restitution = 0.6, friction = 0.2 })
twins["disc, stronge"] = disc(pc.contact.stronge{ restitution = 0.6, friction = 0.2 })
twins["disc, no friction"] = disc(pc.contact.newton{ restitution = 0.6, friction = 0 })
twins["disc, slides and rolls"] = disc(pc.contact.newton{ restitution = 0, friction = 0.2 }, nil,
    { x = 0, y = 0.1, angle = 0, vx = 2, vy = 0, rate = 0 })
twins["disc, kelvin-voigt"] = disc(pc.contact.kelvin_voigt{ k = 1e5, c = 20, friction = 0.3 })
twins["disc, kelvin-voigt, moving"] = disc(pc.contact.kelvin_voigt{ k = 1e5, c = 20, friction = 0.3 },
    { configuration = "moving" })
twins["disc, hunt-crossley, moving"] = disc(pc.contact.hunt_crossley{ k = 1e6, restitution = 0.7, friction = 0.3 },
    { configuration = "moving" })
twins["disc, linear, frozen"] = disc(pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, restitution = 0.8,
    friction = 0.3 })

-- The same disc on a table that shakes, and on a belt.
local function carried(obstacle, gap, tangent, law, more, start)
    local twin = disc(law, more, start)
    local body = twin.own[1]
    twin.scene[2] = obstacle
    twin.own[1] = pc.mechanism{ coordinates = { "x", "y", { "angle", unit = "rad" } }, start = body.start,
        rates = body.rates, mass = body.mass, force = body.force,
        gaps = { { gap, tangent = tangent, name = "foot", length = 0.1 } } }
    return twin
end
local shaken = pc.floor{ height = 0, motion = { amplitude_x = 0.02, amplitude_y = 0.01, frequency = 30, phase = 0.4 } }
local function shaken_gap(t, q) return q.y - 0.1 - 0.01*sin(30*t + 0.4) end
local function shaken_slip(t) return 1, 0, 0.1, -0.02*30*cos(30*t + 0.4) end
twins["disc on a shaken table"] = carried(shaken, shaken_gap, shaken_slip,
    pc.contact.newton{ restitution = 0.5, friction = 0.3 })
twins["disc on a shaken table"].chatters = true -- its last bounces end by rounding, which is not that of the floor
twins["disc on a shaken table, moving"] = carried(shaken, shaken_gap, shaken_slip,
    pc.contact.kelvin_voigt{ k = 1e5, c = 20, friction = 0.3 }, { configuration = "moving" })
twins["disc on a belt"] = carried(pc.floor{ height = 0, surface_speed = 1.5 },
    function(_, q) return q.y - 0.1 end, { 1, 0, 0.1, -1.5 }, pc.contact.poisson{ restitution = 0.3, friction = 0.3 })

-- A double pendulum of uniform rods before a wall, whose end rubs on it.
local function double(law, more, angles)
    local m1, m2, l1, l2 = 1, 0.6, 0.5, 0.4
    local wall = 0.25
    local links = { { mass = m1, length = l1 }, { mass = m2, length = l2 } }
    local start = angles or { -1.2, -0.7 }
    local scene = { pc.chain{ links = links, angles = start }, pc.wall{ x = wall, side = "left" }, contact = law }
    local J1, J2 = scene[1].links[1].inertia, scene[1].links[2].inertia
    local c1, c2 = scene[1].links[1].center, scene[1].links[2].center
    local own = { pc.mechanism{
        coordinates = { { "a", unit = "rad" }, { "b", unit = "rad" } }, start = start,
        mass = function(q)
            local mixed = m2*l1*c2*cos(q.a - q.b)
            return { { J1 + m1*c1^2 + m2*l1^2, mixed }, { mixed, J2 + m2*c2^2 } }
        end,
        potential = function(q) return -m1*g*c1*cos(q.a) - m2*g*(l1*cos(q.a) + c2*cos(q.b)) end,
        gaps = { { function(_, q) return wall - l1*sin(q.a) - l2*sin(q.b) end,
            -- up along the wall: t = (n_y, -n_x) of the normal (-1, 0)
            tangent = function(_, q) return { l1*sin(q.a), l2*sin(q.b) } end, name = "tip", length = l1 + l2 + wall } },
        }, contact = law }
    for k, v in pairs(more or {}) do scene[k], own[k] = v, v end
    return { scene = scene, own = own, options = { duration = 1.2, solver = TIGHT }, columns = { "angle1", "angle2" },
        rates = { "rate1", "rate2" }, scale = 10 }
end
twins["double pendulum, newton"] = double(pc.contact.newton{ restitution = 0.5, friction = 0.3 })
twins["double pendulum, stronge"] = double(pc.contact.stronge{ restitution = 0.5, friction = 0.1 })
twins["double pendulum, poisson, comes to rest"] = double(pc.contact.poisson{ restitution = 0.2, friction = 0.05 })
twins["double pendulum, kelvin-voigt"] = double(pc.contact.kelvin_voigt{ k = 1e5, c = 30, friction = 0.1 })
twins["double pendulum, kelvin-voigt, moving"] = double(pc.contact.kelvin_voigt{ k = 1e4, c = 10, friction = 0.1 },
    { configuration = "moving" })

-- A thin rod that falls on a floor: its ends are two gaps.
local function rod(law, more, start)
    local m, l = 0.8, 0.6
    local s = start or { x = 0, y = 0.5, angle = 1.1, vx = 0.4, vy = 0, rate = 1 }
    local body = pc.free{ shape = "rod", mass = m, length = l, x = s.x, y = s.y, angle = s.angle, vx = s.vx, vy = s.vy,
        rate = s.rate }
    local scene = { body, pc.floor{ height = 0 }, contact = law }
    local J = body.inertia
    local function foot(side, name) -- at side l/2 along (sin, -cos)
        local d = side*l/2
        return { function(_, q) return q.y - d*cos(q.phi) end, name = name, length = l/2,
            tangent = function(_, q) return 1, 0, d*cos(q.phi) end,
            jacobian = function(_, q) return { 0, 1, d*sin(q.phi) } end }
    end
    local own = { pc.mechanism{ coordinates = { "x", "y", { "phi", unit = "rad" } }, start = { s.x, s.y, s.angle },
        rates = { s.vx, s.vy, s.rate }, mass = { { m, 0, 0 }, { 0, m, 0 }, { 0, 0, J } },
        force = function() return { 0, -m*g, 0 } end, gaps = { foot(1, "end1"), foot(-1, "end2") } }, contact = law }
    for k, v in pairs(more or {}) do scene[k], own[k] = v, v end
    return { scene = scene, own = own, options = { duration = 1.5, solver = TIGHT }, columns = { "x", "y", "angle" },
        rates = { "vx", "vy", "rate" }, scale = m*g*0.5 }
end
twins["rod, newton"] = rod(pc.contact.newton{ restitution = 0.5, friction = 0.2 })
twins["rod, poisson, all at once"] = rod(pc.contact.poisson{ restitution = 0.5, friction = 0.4 },
    { together = "simultaneous" })
twins["rod, lands flat"] = rod(pc.contact.newton{ restitution = 0.4, friction = 0.3 }, nil,
    { x = 0, y = 0.3, angle = math.pi/2, vx = 0.5, vy = 0, rate = 0 })
twins["rod, slides and falls over"] = rod(pc.contact.newton{ restitution = 0, friction = 0.3 }, nil,
    { x = 0, y = 0.3*cos(0.3), angle = 0.3, vx = 0, vy = 0, rate = 0 })
return twins
