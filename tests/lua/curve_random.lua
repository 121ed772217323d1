-- Random curves that stand still or move, with what rolls, slides, bounces and is pressed on them. check(seed) returns
-- the error of the ledger, as a share of the energies, the deepest overlap (m) of a disc with a curve at rest (0: it
-- was not looked for), whether laws are compliant, and what the scene was; nil: a disc was too large for the curve, and
-- was refused, or what slips jams as no law of friction allows, which the error says. narrow: the curves have hollows
-- that are narrower than the discs. nudge: by what share velocities along x are greater.
local pc = require "percuss"

local function generator(seed)
    local state = seed*2654435761 % 2^31
    local function random()
        state = (state*1103515245 + 12345) % 2^31
        return state/2^31
    end
    for _ = 1, 5 do random() end
    return random, function(a, b) return a + (b - a)*random() end
end

-- A sum of waves, by amplitude, number and phase.
local function waves(between, n, amplitude, slowest, fastest)
    local list = {}
    for k = 1, n do list[k] = { between(0, amplitude)/n, between(slowest, fastest), between(0, 2*math.pi) } end
    return function(x)
        local sum = 0
        for _, w in ipairs(list) do sum = sum + w[1]*math.sin(w[2]*x + w[3]) end
        return sum
    end
end

local MAKE = {
    function(between, drive) -- hollow, open or closed
        drive.x, drive.y, drive.radius = between(-0.2, 0.2), between(0, 0.3), between(0.7, 1.5)
        if between(0, 1) < 0.6 then drive.from, drive.to = between(-3.1, -2), between(-1, 0) end
        return pc.arc(drive), true
    end,
    function(between, drive) -- a hill
        drive.x, drive.y, drive.radius, drive.side = 0, between(-0.5, 0), between(0.5, 1.5), "outside"
        drive.from, drive.to, drive.thickness = between(-0.5, 0.5), between(2.5, 3.5), between(-0.1, 0.1)
        drive.thickness = math.max(0, drive.thickness)
        return pc.arc(drive), false
    end,
    function(between, drive)
        local f, valley = waves(between, 3, 0.4, 0.5, 6), between(-0.3, 0.3)
        drive.y, drive.from, drive.to = function(x) return f(x) + valley*x*x end, -2, 2
        return pc.profile(drive), false
    end,
    function(between, drive)
        local f, points = waves(between, 3, 0.4, 0.5, 5), {}
        local n = math.floor(between(10, 40))
        for k = 0, n do
            local x = -2 + 4*k/n
            points[k + 1] = { x, f(x) }
        end
        drive.points = points
        return pc.profile(drive), false
    end,
    function(between, drive) -- a closed one from inside
        local n, points = math.floor(between(24, 60)), {}
        local f = waves(between, 2, 0.15, 2, 2)
        for k = 1, n do
            local a = 2*math.pi*k/n
            local r = 1 + f(a)
            points[k] = { r*math.cos(a), r*math.sin(a) }
        end
        drive.points, drive.closed = points, true
        return pc.profile(drive), false
    end,
    function(between, drive)
        local pieces = { { length = between(0.3, 0.8) } }
        for _ = 1, 3 do
            pieces[#pieces + 1] = { radius = between(0.4, 1.5), turn = between(0.1, 0.7) }
            pieces[#pieces + 1] = { radius = between(0.4, 1.5), turn = -between(0.1, 0.7) }
            if between(0, 1) < 0.5 then pieces[#pieces + 1] = { length = between(0.1, 0.5) } end
        end
        drive.x, drive.angle, drive.pieces = -1.5, between(-0.5, 0), pieces
        return pc.track(drive), false
    end,
    function(between, drive)
        local k, a, b = math.floor(between(1, 4)), between(0, 0.1), between(0, 2*math.pi)
        drive.x, drive.y, drive.radius = 0, 0, function(angle) return 0.6 + a*math.sin(k*angle + b) end
        return pc.cam(drive), false
    end,
}

-- Curves with hollows that are narrower than the discs of these trials.
local NARROW = {
    function(between, drive) -- valleys side by side
        local f = waves(between, 3, 0.5, 3, 14)
        drive.y, drive.from, drive.to = function(x) return f(x) + 0.3*x*x end, -2, 2
        return pc.profile(drive)
    end,
    function(between, drive) -- one valley, or two with a crest between them
        local steep, deep = between(1, 6), between(-0.5, 2)
        drive.y, drive.from, drive.to = function(x) return steep*(x*x - deep*0.2)^2 + 0.5*x*x end, -1.2, 1.2
        return pc.profile(drive)
    end,
    function(between, drive) -- dents in a closed outline, from outside
        local k, deep = math.floor(between(1, 5)), between(0.05, 0.25)
        local at, sharp = between(0, 6), between(3, 12)
        drive.x, drive.y, drive.radius = 0, 0, function(angle)
            return 0.7 - deep*math.exp(-sharp*(1 - math.cos(k*(angle - at))))
        end
        return pc.cam(drive)
    end,
    function(between, drive) -- an egg, or what has two ends, from inside
        local points, n = {}, math.floor(between(30, 60))
        local width, point, turn = between(0.5, 0.7), between(0, 0.6), between(0, 6)
        for k = 1, n do
            local a = 2*math.pi*k/n
            local x, y = width*math.cos(a)*(1 + point*math.sin(a)), math.sin(a)
            points[k] = { x*math.cos(turn) - y*math.sin(turn), x*math.sin(turn) + y*math.cos(turn) }
        end
        drive.points, drive.closed = points, true
        return pc.profile(drive)
    end,
    function(between, drive) -- ends that are nearer to each other than the disc is wide
        drive.x, drive.y, drive.radius = 0, 0, between(0.2, 1)
        drive.from, drive.to, drive.thickness = math.pi/2 + between(0.1, 1.2), 2.5*math.pi - between(0.1, 1.2),
            between(0, 0.05)
        drive.side = between(0, 1) < 0.5 and "inside" or "outside"
        return pc.arc(drive)
    end,
    function(between, drive) -- straight pieces and tight arcs
        local pieces = { { length = between(0.3, 0.8) } }
        for _ = 1, 2 do
            pieces[#pieces + 1] = { radius = between(0.05, 0.3), turn = between(0.3, 1.4) }
            pieces[#pieces + 1] = { length = between(0.1, 0.5) }
            pieces[#pieces + 1] = { radius = between(0.05, 0.3), turn = -between(0.3, 1.4) }
        end
        drive.x, drive.angle, drive.pieces = -1, between(-0.9, 0), pieces
        return pc.track(drive)
    end,
}

local MOTIONS = {
    function() return {} end,
    function() return {} end,
    function(between)
        return { motion = { amplitude_x = between(0, 0.05), amplitude_y = between(0, 0.05), frequency = between(2, 20),
            phase = between(0, 6) } }
    end,
    function(between) return { motion = { amplitude_angle = between(0, 0.3), frequency = between(2, 12) } } end,
    function(between) return { motion = { rate = between(-4, 4) } } end,
    function(between) return { surface_speed = between(-3, 3) } end,
}

local function law(between)
    local kind, e, mu = between(0, 4), between(0, 0.9), between(0, 0.8)
    if kind < 1.5 then return pc.contact.newton{ restitution = e, friction = mu } end
    if kind < 2.5 then return pc.contact.poisson{ restitution = e, friction = mu } end
    if kind < 3.5 then
        return pc.contact.kelvin_voigt{ stiffness = 10^between(4, 5), damping = between(1, 30), friction = mu },
            "moving"
    end
    return pc.contact.hunt_crossley{ stiffness = 10^between(5, 6), restitution = 0.1 + 0.8*e, friction = mu }, "moving"
end

-- A place beside the curve, on the side on which things move, `away` from it.
local function beside(between, shape, right, away)
    local c = shape.corners
    local i = 2 + math.floor(between(0, #c - 2))
    local a, b = c[i - 1], c[i]
    local length = math.sqrt((b[1] - a[1])^2 + (b[2] - a[2])^2)
    local sign = right and -1 or 1
    return a[1] - sign*away*(b[2] - a[2])/length, a[2] + sign*away*(b[1] - a[1])/length
end

-- How far a point is from a curve: from its corners, or, where it is y = f(x), between the two beside the nearest.
local function distance(shape, f, x, y)
    local least, best = math.huge, 1
    for i = 2, #shape.corners do
        local a, b = shape.corners[i - 1], shape.corners[i]
        local ux, uy = b[1] - a[1], b[2] - a[2]
        local s = math.max(0, math.min(1, ((x - a[1])*ux + (y - a[2])*uy)/(ux^2 + uy^2)))
        local away = math.sqrt((x - a[1] - s*ux)^2 + (y - a[2] - s*uy)^2)
        if away < least then least, best = away, i end
    end
    if not f then return least - shape.radius end
    local near, step = (shape.corners[best - 1][1] + shape.corners[best][1])/2, 0.1
    least = math.sqrt((x - near)^2 + (y - f(near))^2)
    while step > 1e-6 do
        for _, s in ipairs{ near - step, near + step } do
            local away = math.sqrt((x - s)^2 + (y - f(s))^2)
            if math.abs(s) <= shape.corners[#shape.corners][1] and away < least then least, near = away, s end
        end
        step = 0.7*step
    end
    return least - shape.radius
end

local function check(seed, narrow, nudge)
    local random, between = generator(seed)
    local drive = MOTIONS[1 + math.floor(#MOTIONS*random())](between)
    local still = not drive.motion
    local kinds = narrow and NARROW or MAKE
    local curve, hollow = kinds[1 + math.floor(#kinds*random())](between, drive)
    local shape, contact, configuration = curve.shape, law(between)
    local right = curve.kind == "cam" or curve.kind == "arc" and curve.side == "outside"
    local parts, discs = { curve }, {}
    for k = 1, random() < 0.3 and 2 or 1 do
        local rod = hollow and random() < 0.4
        local size = narrow and between(0.08, 0.35) or between(0.03, 0.12)
        local x, y = beside(between, shape, right, size + shape.radius + between(0.02, 0.2))
        parts[#parts + 1] = pc.free{ shape = rod and "rod" or random() < 0.5 and "disc" or "sphere", name = "b" .. k,
            radius = not rod and size or nil, length = rod and 2*size or nil, mass = 10^between(-1, 1), x = x, y = y,
            vx = between(-2, 2)*(1 + (nudge or 0)), vy = between(-2, 2),
            rate = between(-10, 10) }
        if not rod then discs["b" .. k] = size end
    end
    local options = { duration = 1.5, separate = true, max_impacts = 5000, solver = pc.solver.dop853{ rtol = 1e-11,
        atol = 1e-12 } }
    parts.contact, parts.configuration, parts.gravity = contact, configuration, 9.81
    local ok, world = pcall(pc.scene, parts)
    if not ok then
        assert(tostring(world):find "is too large for", world)
        return nil
    end
    local good, run = pcall(pc.simulate, world, options)
    if not good then
        local text = tostring(run)
        local known = text:find "no motion with this contact was found"
        if narrow then -- a disc begins between two walls, or comes to stay on the other side; two slips jam together
            known = known or text:find "there is no room nearby" or text:find "too large for the other side"
                or text:find "the solution is singular there"
        end
        assert(known, text)
        return nil
    end
    local function total(at)
        local function column(name) return rawget(at, name) or 0 end
        return at.energy + column "dissipated" + column "friction" + column "lost" - column "drive"
    end
    local a, b = run:at(0), run:at(run.time)
    local scale = math.abs(a.energy) + math.abs(b.energy) + math.abs(rawget(b, "drive") or 0) + 1
    local deepest, f = 0, narrow and type(drive.y) == "function" and drive.y
    if still and not configuration then
        for i = 0, 30 do
            local at = run:at(run.time*i/30)
            for name, radius in pairs(discs) do
                local prefix = rawget(at, "x") and "" or name .. "."
                local away = distance(shape, f, at[prefix .. "x"], at[prefix .. "y"])
                deepest = math.max(deepest, radius - away)
            end
        end
    end
    return math.abs(total(b) - total(a))/scale, deepest, configuration ~= nil, ("%s, %d impacts"):format(curve,
        #run.impacts)
end

return check
