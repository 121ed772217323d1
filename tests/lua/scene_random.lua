-- Random scenes of everything that the plane has: one to four bodies of any shape, chains that hang or fly, joints with
-- stops and friction, springs and forces; a floor and up to three other obstacles, straight and curved, which shake,
-- are moved by a function, or run past as belts; rigid laws, or springs with everything in motion.
-- check(seed, duration) returns the error of the ledger, as a share of the energies, and what it was done with; or nil
-- and why there was no motion to measure: sides and a hill, which do not make a scene, or friction that jams.
local pc = require "percuss"

local function generator(seed)
    local state = seed*2654435761 % 2^31
    return function()
        state = (state*1103515245 + 12345) % 2^31
        return state/2^31
    end
end

-- One of what it is asked to make; `random`, and numbers and choices by it.
local function dice(seed)
    local d = { random = generator(seed) }
    for _ = 1, 7 do d.random() end
    function d.between(a, b) return a + (b - a)*d.random() end
    function d.pick(...) return (select(1 + math.floor(select("#", ...)*d.random()), ...)) end
    return d
end

local function motion(d, o)
    local k = d.random()
    if k < 0.3 then
        o.motion = { amplitude_x = d.pick(0, d.between(0, 0.05)), amplitude_y = d.pick(0, d.between(0, 0.05)),
            amplitude_angle = d.pick(0, 0, d.between(0, 0.1)), frequency = d.between(2, 40), phase = d.between(0, 6) }
    elseif k < 0.4 then
        local a, w = d.between(0, 0.05), d.between(2, 20)
        o.motion = function(t) return a*math.sin(w*t), a*(1 - math.cos(w*t)), 0 end
    elseif k < 0.5 then
        o.surface_speed = d.between(-2, 2)
    elseif k < 0.55 then
        local a, w = d.between(0, 1), d.between(2, 20)
        o.surface_speed = function(t) return a*math.sin(w*t) end
    end
    return o
end

local shapes = {
    disc = function(d, b) b.radius = d.between(0.05, 0.2) end,
    sphere = function(d, b) b.radius = d.between(0.05, 0.2) end,
    rod = function(d, b) b.length = d.between(0.2, 0.6) end,
    box = function(d, b) b.width, b.height = d.between(0.1, 0.4), d.between(0.1, 0.4) end,
    capsule = function(d, b) b.radius, b.length = d.between(0.03, 0.1), d.between(0.1, 0.4) end,
    corners = function(d, b)
        local n = 3 + math.floor(5*d.random())
        local radius = d.between(0.1, 0.25)
        b.shape, b.corners = nil, {}
        for k = 1, n do
            local a = 2*math.pi*(k + d.between(0, 0.4))/n
            b.corners[k] = { radius*math.cos(a), radius*math.sin(a) }
        end
    end,
    shapes = function(d, b)
        local radius = d.between(0.06, 0.12)
        b.shapes = d.pick(
            { { shape = "disc", radius = radius, x = -0.12 }, { shape = "disc", radius = radius, x = 0.12 } },
            { { shape = "box", width = 0.3, height = 0.08 },
                { shape = "box", width = 0.08, height = 0.3, x = 0.11, y = 0.19 } },
            { { shape = "box", width = 0.1, height = 0.3 }, { shape = "disc", radius = radius, y = 0.15 + radius } })
        for _, shape in ipairs(b.shapes) do shape.mass = b.mass/2 end
        b.shape, b.mass = nil, nil
    end,
}

local function chain(d, b)
    local links, angles, rates = {}, {}, {}
    for k = 1, 1 + math.floor(3*d.random()) do
        links[k] = { length = d.between(0.2, 0.5), mass = d.between(0.2, 2) }
    end
    for k = 1, #links do angles[k], rates[k] = d.between(-1.5, 1.5), d.between(-2, 2) end
    local floats = d.random() < 0.5
    return pc.chain{ links = links, angles = angles, rates = rates, name = b.name,
        pivot = floats and { floats = true, x = b.x, y = b.y + 0.6, vx = b.vx } or { x = b.x, y = b.y + 0.3 } }
end

-- What joins a body with another one or the ground.
local function join(d, i, bodies)
    local a, b = bodies[1 + math.floor(#bodies*d.random())], bodies[1 + math.floor(#bodies*d.random())]
    local k, name = d.random(), "j" .. i
    if a.shape == "chain" or (b ~= a and b.shape == "chain") then return nil end
    local other = b ~= a and b.name or nil
    if k < 0.3 then
        return pc.pin{ a = a.name, b = other, at = { a.x + d.between(-0.1, 0.1), a.y + d.between(-0.1, 0.1) },
            name = name, friction_torque = d.pick(0, d.between(0, 0.2)), touch = d.pick(true, false) }
    elseif k < 0.4 then
        return pc.slider{ a = a.name, b = other, angle = d.between(-1.5, 1.5), name = name,
            friction = d.pick(0, d.between(0, 0.3)), lower = -d.between(0.1, 0.5), upper = d.between(0.1, 0.5),
            restitution = d.between(0, 1) }
    elseif k < 0.7 then
        return pc.spring{ a = a.name, b = other, b_at = not other and { 0, 2 } or nil,
            stiffness = 10^d.between(0, 2.5), damping = d.between(0, 2), rest_length = 0.3, name = name }
    elseif k < 0.9 then
        local w = d.between(1, 10)
        return pc.force{ on = a.name, f = function(t) return 5*math.sin(w*t), 0 end, name = name }
    end
    return pc.force{ on = a.name, fy = 3, name = name }
end

local obstacles = {
    wall = function(d)
        local side = d.pick("left", "right")
        return { x = side == "left" and 1.6 or -1.6, side = side }
    end,
    plane = function(d)
        local a = d.between(-0.5, 0.5)
        return { x = 0, y = -1, nx = math.sin(a), ny = math.cos(a) }
    end,
    peg = function(d, x, y) return { x = x, y = y, radius = d.pick(0, d.between(0.05, 0.3)) } end,
    block = function(d, x, y)
        return { x = x, y = y, width = d.between(0.1, 0.6), height = d.between(0.1, 0.4), angle = d.between(-1, 1) }
    end,
    bar = function(d, x, y)
        return { x = x, y = y, x2 = x + d.between(0.2, 0.6), y2 = y + d.between(-0.3, 0.3), radius = d.pick(0, 0.03) }
    end,
    step = function(d, x) return { x = x, y = -0.7, side = d.pick("left", "right") } end,
    arc = function(d, x, y)
        return { x = x, y = y + 0.1, radius = d.between(0.5, 0.9), from = math.pi + 0.3, to = 2*math.pi - 0.3 }
    end,
    bowl = function() return { x = 0, y = 1, radius = 8 } end,
    profile = function(d)
        local points = {}
        for k = -3, 3 do points[#points + 1] = { 0.7*k, -0.7 + d.between(0, 0.25) } end
        return { points = points }
    end,
    cam = function(_, x, y) return { x = x, y = y, radius = function(a) return 0.25*(1 + 0.15*math.cos(a)) end } end,
    track = function()
        return { x = -1.5, y = -0.4, pieces = { { length = 1 }, { radius = 1.2, turn = 0.6 }, { length = 0.5 } } }
    end,
}

local function build(seed)
    local d, parts, bodies = dice(seed), {}, {}
    local rigid = d.random() < 0.7
    for i = 1, 1 + math.floor(4*d.random()) do
        local kind = d.pick("disc", "rod", "box", "capsule", "sphere", "corners", "shapes", "chain")
        local b = { shape = kind, name = "b" .. i, mass = 10^d.between(-1, 1), x = d.between(-0.9, 0.9),
            y = 0.3 + 0.9*i, angle = d.between(-3, 3), vx = d.between(-1, 1), vy = d.between(-1, 1),
            rate = d.between(-5, 5) }
        if kind ~= "chain" then shapes[kind](d, b) end
        parts[i], bodies[i] = kind == "chain" and chain(d, b) or pc.free(b), b
    end
    for i = 1, math.floor(3*d.random()) do parts[#parts + 1] = join(d, i, bodies) end
    parts[#parts + 1] = pc.wall{ x = -1.8, side = "right", name = "left" }
    parts[#parts + 1] = pc.wall{ x = 1.8, side = "left", name = "right" }
    parts[#parts + 1] = pc.floor(motion(d, { height = -1 }))
    for i = 1, math.floor(4*d.random()) do
        local kind = d.pick("wall", "plane", "peg", "block", "bar", "step", "arc", "bowl", "profile", "cam", "track")
        local x, y = d.between(-1, 1), d.between(-0.8, -0.2)
        local o = motion(d, obstacles[kind](d, x, y))
        o.name = "o" .. i
        parts[#parts + 1] = pc[kind](o)
    end
    local mu = d.pick(0, d.between(0, 0.3), d.between(0, 1))
    if rigid then
        parts.contact = pc.contact[d.pick("newton", "poisson", "stronge")]{
            restitution = d.pick(0, d.between(0, 1), 1), friction = mu }
    else
        local k = 10^d.between(3, 5)
        parts.contact = pc.contact.linear{ stiffness = k, tangential = k*d.between(0.5, 1),
            restitution = d.pick(1, d.between(0.2, 1)), friction = mu }
        parts.configuration = "moving"
    end
    return parts
end

local reasons = { "bends towards them", "friction jams near", "Painleve" }

local signs = { energy = 1, damped = 1, friction = 1, lost = 1, dissipated = 1, torque = -1, pivot = -1, drive = -1 }

local function account(columns, i)
    local sum = 0
    for name, sign in pairs(signs) do
        local column = rawget(columns, name)
        if column then sum = sum + sign*column[i] end
    end
    return sum
end

local function check(seed, duration)
    local good, run = pcall(function()
        return pc.simulate(pc.scene(build(seed)), { duration = duration, assemble = true, max_impacts = 20000,
            solver = pc.solver.dop853{ rtol = 1e-10 } })
    end)
    if not good then
        for _, reason in ipairs(reasons) do
            if tostring(run):find(reason, 1, true) then return nil, reason end
        end
        error(("scene %d: %s"):format(seed, run), 0)
    end
    local c = run:columns()
    local last = #c.t
    local size = 1 + c.kinetic[1] + c.kinetic[last] + math.abs(c.energy[last] - c.energy[1])
    return math.abs(account(c, last) - account(c, 1))/size, run
end

return check
