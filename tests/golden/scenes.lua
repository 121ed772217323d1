-- The golden scenes: chains and free bodies of every shape, all kinds of obstacles, rigid and compliant laws, frozen
-- and moving; impacts alone and together, rest, slip, accumulation, jams. A list of { name =, make =, options = }: make
-- returns the table that percuss.scene takes, options go to percuss.simulate. Names are "family/scene"; results of a
-- family share a file.
local pc = require "percuss"

local list = {}

-- A change in the last digit of an estimated error changes the next step, and with it what is left of the error: at the
-- default rtol of 1e-9 that is seen in the eleventh digit. A tight method leaves twelve to compare.
local tight = pc.solver.dop853{ rtol = 1e-12, atol = 1e-14 }

local function add(family, name, options, make)
    if type(options) == "number" then options = { duration = options, solver = tight } end
    list[#list + 1] = { name = family .. "/" .. name, family = family, options = options, make = make }
end

-- A sequence of numbers that depends on nothing but its seed (Park and Miller).
local function random(seed)
    local state = seed * 7919 + 1
    return function(low, high)
        state = state * 16807 % 2147483647
        return low + (high - low) * state / 2147483647
    end
end

local function shape(kind, options)
    local sizes = {
        disc = { radius = 0.1 }, rod = { length = 0.5 }, box = { width = 0.3, height = 0.2 },
        capsule = { length = 0.3, radius = 0.06 },
    }
    local body = { shape = kind, mass = 1 }
    for key, value in pairs(sizes[kind]) do body[key] = value end
    for key, value in pairs(options) do body[key] = value end
    return pc.free(body)
end

local function newton(e, mu) return pc.contact.newton{ restitution = e, friction = mu or 0 } end
local function poisson(e, mu) return pc.contact.poisson{ restitution = e, friction = mu or 0 } end
local function stronge(e, mu) return pc.contact.stronge{ restitution = e, friction = mu or 0 } end

local rigid = {
    newton = newton(0.6, 0.25), poisson = poisson(0.7, 0.3), stronge = stronge(0.5, 0.2),
    smith = pc.contact.smith{ restitution = 0.6, friction = 0.2 },
    whittaker = pc.contact.whittaker{ restitution = 0.5, friction = 0.2 },
    kane_levinson = pc.contact.kane_levinson{ restitution = 0.5, friction = 0.2, static_friction = 0.3 },
}
local rigid_names = { "newton", "poisson", "stronge", "smith", "whittaker", "kane_levinson" }

local compliant = {
    linear = pc.contact.linear{ stiffness = 2e5, stiffness_ratio = 1.2, friction = 0.3 },
    maw = pc.contact.maw{ modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.3, rings = 60 },
    coupled = pc.contact.coupled{ modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.3 },
    hertz_mindlin = pc.contact.hertz_mindlin{ modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.4 },
    hunt_crossley = pc.contact.hunt_crossley{ stiffness = 1e7, restitution = 0.8, friction = 0.3 },
    lankarani_nikravesh = pc.contact.lankarani_nikravesh{ stiffness = 1e7, restitution = 0.7, friction = 0.2 },
    tsuji = pc.contact.tsuji{ modulus = 1e7, radius = 0.1, restitution = 0.8, friction = 0.3 },
    kelvin_voigt = pc.contact.kelvin_voigt{ stiffness = 1e5, restitution = 0.6, friction = 0.2 },
    walton_braun = pc.contact.walton_braun{ stiffness = 1e5, restitution = 0.6, friction = 0.3 },
    thornton = pc.contact.thornton{ modulus = 1e8, radius = 0.1, yield = 1e6, friction = 0.4 },
}
local compliant_names = {}
for name in pairs(compliant) do compliant_names[#compliant_names + 1] = name end
table.sort(compliant_names)

local floor = pc.floor{ height = 0 }

-- ---- one ball ----

for _, e in ipairs{ 0, 0.3, 0.7, 0.95, 1 } do
    add("ball", "dropped e=" .. e, 2, function() return { shape("disc", { y = 1.1 }), floor, contact = newton(e) } end)
end
for _, name in ipairs(rigid_names) do
    add("ball", "thrown " .. name, 1.5, function()
        return { shape("disc", { y = 0.8, vx = 1.3, rate = -4 }), floor, contact = rigid[name] }
    end)
end
for _, name in ipairs(compliant_names) do
    add("ball", "thrown frozen " .. name, 0.8, function()
        return { shape("disc", { y = 0.8, vx = 1.3, rate = -4 }), floor, contact = compliant[name] }
    end)
end
add("ball", "between floor and ceiling", 3.5, function()
    return { shape("disc", { y = 1.1, vy = 10 }), floor, pc.plane{ y = 1.7, nx = 0, ny = -1 }, contact = newton(0.8),
        gravity = 10 }
end)
add("ball", "stopped by v_rest", 3, function()
    return { shape("disc", { y = 1.1, vx = 0.4 }), floor, contact = newton(0.7, 0.2), v_rest = 0.1 }
end)
add("ball", "rolls after slip", 1, function()
    return { shape("disc", { y = 0.1, vx = 2, rate = 5 }), floor, contact = newton(0.5, 0.25) }
end)
add("ball", "with back spin", 1.5, function()
    return { shape("disc", { y = 0.1, vx = 1, rate = 60 }), floor, contact = newton(0.5, 0.25) }
end)
add("ball", "rests", 0.5, function() return { shape("disc", { y = 0.1 }), floor, contact = poisson(0.5, 0.3) } end)
for _, mu in ipairs{ 0.05, 0.2, 1 } do
    add("ball", "down an incline mu=" .. mu, 1, function()
        return { shape("disc", { x = -0.06, y = 0.08 }), pc.plane{ nx = -3, ny = 4 }, contact = poisson(0.4, mu) }
    end)
end
add("ball", "bounces down an incline", 2, function()
    return { shape("disc", { y = 1 }), pc.plane{ nx = 1, ny = 4 }, contact = stronge(0.6, 0.1) }
end)
add("ball", "fast and small at a peg", 2e-4, function()
    return { pc.free{ shape = "disc", radius = 1e-3, mass = 1, vx = 1e4 }, pc.peg{ x = 1, y = 0 },
        contact = newton(0.5), gravity = 0 }
end)
add("ball", "on a peg", 1, function()
    return { shape("disc", { x = 0.01, y = 0.6 }), pc.peg{ x = 0, y = 0, radius = 0.2 }, contact = poisson(0.5, 0.2) }
end)
for _, side in ipairs{ "left", "right" } do
    local sign = side == "left" and 1 or -1
    add("ball", "off a step to the " .. side, 1, function()
        return { shape("disc", { x = -0.3 * sign, y = 1.1, vx = 0.9 * sign }), pc.step{ x = 0, y = 1, side = side },
            contact = newton(0.5) }
    end)
end
add("ball", "sticks to an edge", 1.5, function()
    return { shape("disc", { x = -0.3, y = 1.1, vx = 0.4, rate = -4 }), pc.step{ x = 0, y = 1, side = "left" },
        contact = newton(0.5, 2) }
end)
add("ball", "in a corner", 2, function()
    return { shape("disc", { x = 0.4, y = 0.6, vx = -2 }), floor, pc.wall{ x = 0, side = "right" },
        contact = poisson(0.7, 0.2) }
end)
add("ball", "in a box of walls, no gravity", 3, function()
    return { shape("disc", { vx = 2, vy = 1.3, rate = 3 }), pc.floor{ depth = 0.5 },
        pc.wall{ x = -0.6, side = "right" },
        pc.wall{ x = 0.7, side = "left" }, pc.plane{ y = 0.5, nx = 0, ny = -1 }, contact = poisson(0.9, 0.1),
        gravity = 0 }
end)
add("ball", "on a block", 1.5, function()
    return { shape("disc", { x = -0.1, y = 0.9, vx = 0.2 }), pc.block{ x = 0, y = 0.2, width = 0.6, height = 0.3,
        angle = 0.1 }, floor, contact = poisson(0.5, 0.3) }
end)
add("ball", "on a bar", 1.5, function()
    return { shape("disc", { x = 0.1, y = 0.9 }), pc.bar{ x = -0.4, y = 0, x2 = 0.5, y2 = 0.1, radius = 0.02 },
        contact = poisson(0.6, 0.2) }
end)
add("ball", "with two events of the user", { duration = 2, events = {
    { function(_, q) return q[2] - 0.5 end, name = "half", direction = -1 },
    { function(_, _, u) return u[2] end, name = "top", direction = -1 },
} }, function() return { shape("disc", { y = 1.1 }), floor, contact = newton(0.8) } end)

-- ---- other shapes ----

for _, kind in ipairs{ "rod", "box", "capsule" } do
    for index, name in ipairs(rigid_names) do
        add("shape", kind .. " thrown " .. name, 1, function()
            return { shape(kind, { y = 0.7, angle = 0.3 + 0.2 * index, vx = 0.8, rate = 2 }), floor,
                contact = rigid[name] }
        end)
    end
    for _, obstacle in ipairs{
        { "peg", pc.peg{ x = 0.05, y = 0, radius = 0.05 } }, { "point", pc.peg{ x = 0.05, y = 0 } },
        { "step", pc.step{ x = 0.02, y = 0, side = "left" } },
        { "block", pc.block{ x = 0, y = -0.2, width = 0.4, height = 0.4, angle = 0.2 } },
        { "bar", pc.bar{ x = -0.2, y = -0.1, x2 = 0.2, y2 = 0.05 } },
        { "plane", pc.plane{ nx = 1, ny = 3 } },
    } do
        add("shape", kind .. " on a " .. obstacle[1], 0.7, function()
            return { shape(kind, { y = 0.6, angle = 1.3, rate = 0.7 }), obstacle[2], contact = poisson(0.5, 0.3) }
        end)
    end
    add("shape", kind .. " lands flat", 1, function()
        return { shape(kind, { y = 0.5, angle = math.pi / 2, vx = 0.3 }), floor, contact = newton(0.4, 0.2) }
    end)
    add("shape", kind .. " lands flat, all at once", 1, function()
        return { shape(kind, { y = 0.5, angle = math.pi / 2, vx = 0.3 }), floor, contact = poisson(0.4, 0.2),
            together = "simultaneous" }
    end)
end
add("shape", "block slides to rest", 2, function()
    return { shape("box", { y = 0.1, vx = 1.5 }), floor, contact = poisson(0.2, 0.3) }
end)
add("shape", "block on an incline at rest", 1, function()
    local h = 0.1 / math.sqrt(26)
    return { shape("box", { x = -h, y = 5 * h, angle = math.atan(0.2) }), pc.plane{ nx = -1, ny = 5 },
        contact = poisson(0.2, 0.5) }
end)
add("shape", "block rocks", 4, function()
    local w, h, tilt = 0.2, 1, 0.1
    return { pc.free{ shape = "box", width = w, height = h, mass = 1, angle = tilt,
        y = h / 2 * math.cos(tilt) + w / 2 * math.sin(tilt) }, floor, contact = newton(0, 5) }
end)
add("shape", "block tips over the edge of a step", 1.5, function()
    return { shape("box", { x = 0.02, y = 1.1, vx = 0.3 }), pc.step{ x = 0, y = 1, side = "left" },
        contact = poisson(0.3, 0.4) }
end)

-- ---- rods and friction ----

for _, mu in ipairs{ 0.2, 0.5, 1, 1.6 } do
    add("rod", "falls from upright mu=" .. mu, 0.9, function()
        return { pc.free{ shape = "rod", length = 1, mass = 1, y = 0.5 * math.cos(0.05), angle = -0.05 }, floor,
            contact = poisson(0.3, mu) }
    end)
end
for _, mu in ipairs{ 1.3, 1.5, 2 } do
    add("rod", "thrown along the floor mu=" .. mu, 0.4, function()
        return { pc.free{ shape = "rod", length = 1, mass = 1, angle = 0.6, y = 0.5 * math.cos(0.6), vx = 2 }, floor,
            contact = poisson(0, mu) }
    end)
end
add("rod", "ladder", 1, function()
    local a = 0.5
    return { pc.free{ shape = "rod", length = 1, mass = 1, angle = -a, x = 0.5 * math.sin(a), y = 0.5 * math.cos(a) },
        floor, pc.wall{ x = 0, side = "right" }, contact = poisson(0.2, 0.1) }
end)

-- ---- chains ----

local function paper(options)
    options = options or {}
    return pc.chain{
        links = {
            { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676, damping = options.damping },
            { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
        },
        angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 }, torque = options.torque, pivot = options.pivot,
    }
end
local deep = pc.floor{ depth = 0.9 }

for _, name in ipairs(rigid_names) do
    add("chain", "double pendulum " .. name, 3, function()
        return { paper(), deep, contact = rigid[name] }
    end)
end
for _, name in ipairs(compliant_names) do
    add("chain", "double pendulum frozen " .. name, 2.2, function()
        return { paper(), deep, contact = compliant[name] }
    end)
end
add("chain", "free double pendulum", 2, function() return { paper() } end)
add("chain", "damped on a shaken pivot", 2, function()
    return { paper{ damping = 0.1, pivot = { amplitude_x = 0.01, frequency = 7 } }, deep, contact = poisson(0.8, 0.15) }
end)
add("chain", "driven by functions", 2, function()
    return { paper{ torque = function(t, q, u) return 2 * math.sin(3 * t) - 0.1 * u[1], -0.2 * q[2] end,
        pivot = function(t)
            return 0.05 * math.sin(2 * t), 0, 0.1 * math.cos(2 * t), 0, -0.2 * math.sin(2 * t), 0
        end }, deep, contact = poisson(0.8, 0.15) }
end)
for seed = 1, 16 do
    local number = random(seed)
    local n = 1 + seed % 4
    local touch = ({ "end", "joints", "links" })[1 + seed % 3]
    local law = rigid[rigid_names[1 + seed % 3]]
    local links, angles, rates, reach = {}, {}, {}, 0
    local x, y, left, low = 0, 0, 0, 0 -- how far it reaches at the start
    for i = 1, n do
        links[i] = { mass = number(0.2, 2), length = number(0.2, 0.6), damping = seed % 4 == 0 and 0.05 or nil,
            stiffness = seed % 5 == 0 and 1.5 or nil, torque = seed % 6 == 0 and 0.7 or nil,
            frequency = seed % 6 == 0 and 5 or nil }
        angles[i], rates[i], reach = number(-1.5, 1.5), number(-2, 2), reach + links[i].length
        x, y = x + links[i].length * math.sin(angles[i]), y - links[i].length * math.cos(angles[i])
        left, low = math.min(left, x), math.min(low, y)
    end
    add("chain", ("random %d, %s"):format(seed, touch), 1.5, function()
        return { pc.chain{ links = links, angles = angles, rates = rates, touch = touch },
            pc.floor{ depth = math.max(0.8 * reach, 0.02 - low) },
            pc.wall{ x = math.min(-0.4 * reach, left - 0.02), side = "right" }, contact = law,
            v_rest = seed % 2 == 0 and 1e-3 or nil }
    end)
end
add("chain", "ten links on a floor", 0.8, function()
    local links, angles = {}, {}
    for i = 1, 10 do links[i], angles[i] = { mass = 0.1, length = 0.1, damping = 1e-4 }, 1.4 end
    return { pc.chain{ links = links, angles = angles, touch = "joints" }, pc.floor{ depth = 0.5 },
        contact = poisson(0.3, 0.3) }
end)
add("chain", "rod at rest on a floor", 1, function()
    return { pc.chain{ links = { { mass = 1, length = 1 } }, angles = { 1 } }, pc.floor{ depth = math.cos(1) },
        contact = poisson(0.4, 0.2) }
end)
add("chain", "pendulum and wall", 4, function()
    return { pc.chain{ links = { { mass = 1.5, length = 0.8, center = 0.45, inertia = 0.06, radius = 0.04 } },
        angles = { 2 } }, pc.wall{ x = -0.04, side = "right" }, contact = poisson(0.8) }
end)
add("chain", "pendulum bounces to rest", 6, function()
    return { pc.chain{ links = { { mass = 1, length = 0.5, radius = 0.02 } }, angles = { 1.4 } },
        pc.floor{ depth = 0.27 }, contact = newton(0.5, 0.1) }
end)
add("chain", "link on a peg", 1, function()
    return { pc.chain{ links = { { mass = 1, length = 0.6 }, { mass = 0.5, length = 0.5 } }, angles = { 1.5, 1.2 },
        touch = "links" }, pc.peg{ x = 0.1, y = -0.4, radius = 0.03 }, contact = poisson(0.4, 0.2) }
end)
add("chain", "driven from joint to joint", 2, function()
    return { pc.chain{ links = { { mass = 1, length = 0.5, torque = 3, frequency = 4 },
        { mass = 1, length = 0.5, torque = 1, frequency = 6, phase = 1, from = "joint" } } },
        pc.wall{ x = 0.3, side = "left" }, contact = stronge(0.6, 0.2) }
end)

-- ---- several bodies ----

for _, rule in ipairs{ "tied", "sequential", "simultaneous" } do
    for raised = 1, 2 do
        add("several", ("cradle %s %d"):format(rule, raised), 0.8, function()
            local parts = { contact = poisson(1), together = rule }
            for i = 1, 5 do
                parts[i] = pc.chain{
                    links = { { mass = 1, length = 1, center = 1, inertia = 0.004, radius = 0.1 } },
                    pivot = { x = 0.2 * (i - 1) }, angles = { i <= raised and -0.4 or 0 }, name = "ball" .. i,
                }
            end
            return parts
        end)
    end
    add("several", "disc in a V " .. rule, 1, function()
        return { shape("disc", { y = 1 }), pc.plane{ nx = 1, ny = 1 }, pc.plane{ nx = -1, ny = 1 },
            contact = poisson(0.5, 0.1), together = rule }
    end)
    add("several", "break shot " .. rule, 0.5, function()
        local r, parts = 0.1, { contact = poisson(0.9, 0.05), together = rule, gravity = 0 }
        parts[1] = shape("disc", { x = -0.5, vx = 2 })
        for i = -1, 1, 2 do parts[#parts + 1] = shape("disc", { x = r * math.sqrt(3) - r, y = i * r }) end
        return parts
    end)
    add("several", "two boxes stacked " .. rule, 0.5, function()
        return { shape("box", { y = 0.1 }), shape("box", { y = 0.3, x = 0.01 }), floor, contact = poisson(0.3, 0.4),
            together = rule }
    end)
    add("several", "three laws " .. rule, 2, function()
        return {
            shape("disc", { y = 1.1, vx = 0.3 }),
            pc.free{ shape = "disc", radius = 0.2, mass = 2, x = 1, y = 0.5, vx = -1, name = "big" },
            floor, pc.wall{ x = 2, side = "left" }, pc.peg{ x = -1, y = 0.2, radius = 0.1 }, contact = newton(0.3, 0.2),
            pairs = { { a = "body", b = "big", contact = stronge(0.8, 0.1) } }, together = rule, v_rest = 1e-3,
        }
    end)
end
local kinds = { "disc", "box", "rod", "capsule" }
for seed = 1, 20 do
    local number = random(100 + seed)
    local bodies = {}
    for i = 1, 2 + seed % 3 do
        bodies[i] = { x = 0.55 * (i - 1) + number(-0.05, 0.05), y = number(0.4, 1), angle = number(0, 3),
            vx = number(-1, 1), vy = number(-1, 1), rate = number(-3, 3), mass = number(0.3, 3) }
    end
    add("several", "random " .. seed, 0.8, function()
        local parts = { contact = rigid[rigid_names[1 + seed % 6]], v_rest = seed % 4 == 0 and 1e-3 or nil,
            together = seed % 5 == 0 and seed % 6 < 3 and "simultaneous" or nil }
        for i, body in ipairs(bodies) do parts[i] = shape(kinds[1 + (seed + i) % 4], body) end
        parts[#parts + 1] = floor
        parts[#parts + 1] = pc.wall{ x = -0.5, side = "right" }
        return parts
    end)
end
add("several", "chain meets a disc", 1, function()
    return { pc.chain{ links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.5 } }, angles = { 1.2, 1.2 },
        touch = "links" }, shape("disc", { x = 0.3, y = -0.9 }), pc.floor{ depth = 1 }, contact = poisson(0.5, 0.2) }
end)

-- ---- moving: compliant contacts within the motion ----

local elements = { "linear", "maw", "hertz_mindlin", "hunt_crossley", "lankarani_nikravesh", "tsuji", "kelvin_voigt",
    "walton_braun", "thornton" }
for _, name in ipairs(elements) do
    add("moving", "ball " .. name, 0.5, function()
        return { shape("disc", { y = 0.5, vx = 0.9, rate = -3 }), floor, contact = compliant[name],
            configuration = "moving" }
    end)
    add("moving", "double pendulum " .. name, 2, function()
        return { paper(), deep, contact = compliant[name], configuration = "moving" }
    end)
end
for _, name in ipairs{ "linear", "hunt_crossley", "kelvin_voigt", "walton_braun" } do
    for _, kind in ipairs{ "rod", "box", "capsule" } do
        add("moving", kind .. " " .. name, 0.5, function()
            return { shape(kind, { y = 0.5, angle = 0.9, vx = 0.5, rate = 1 }), floor, contact = compliant[name],
                configuration = "moving" }
        end)
    end
end
for _, mode in ipairs{ "on_opening", "permanent" } do
    add("moving", "plastic ball recovers " .. mode, 0.6, function()
        return { shape("disc", { y = 0.4 }), floor, contact = compliant.walton_braun, configuration = "moving",
            recovery = mode }
    end)
end
add("moving", "ball at rest on its spring", 0.3, function()
    return { shape("disc", { y = 0.1 - 9.81 / 2e5 }), floor, contact = compliant.linear, configuration = "moving" }
end)
add("moving", "block slides on springs", 0.5, function()
    return { shape("box", { y = 0.1 - 9.81 / 4e5, vx = 0.7 }), floor, contact = compliant.linear,
        configuration = "moving" }
end)
add("moving", "two balls meet", 0.5, function()
    return { shape("disc", { vx = 1 }), shape("disc", { x = 0.5, y = 0.05, vx = -0.5, name = "other" }), gravity = 0,
        contact = compliant.hertz_mindlin, configuration = "moving" }
end)
add("moving", "row of three beads", 0.3, function()
    local parts = { contact = compliant.hunt_crossley, configuration = "moving", gravity = 0 }
    for i = 1, 3 do parts[i] = shape("disc", { x = 0.2 * i + (i > 1 and 0.05 or 0), vx = i == 1 and 1 or 0 }) end
    return parts
end)
add("moving", "overdamped pendulum sinks", 1, function()
    return { pc.chain{ links = { { mass = 1, length = 0.5, radius = 0.02 } }, angles = { 85 * pc.deg } },
        pc.floor{ depth = 0.27 }, configuration = "moving",
        contact = pc.contact.kelvin_voigt{ stiffness = 2e4, damping = 1e4, friction = 0 } }
end)
add("moving", "stiff method", { duration = 0.4, contact_solver = pc.solver.rodas5p{ rtol = 1e-8, atol = 1e-10 } },
    function()
        return { shape("disc", { y = 0.4, vx = 0.4 }), floor, contact = compliant.kelvin_voigt,
            configuration = "moving" }
    end)
add("moving", "rod against a peg", 0.6, function()
    return { shape("rod", { y = 0.4, angle = 1.5 }), pc.peg{ x = 0.1, y = 0, radius = 0.03 },
        contact = compliant.linear, configuration = "moving" }
end)
add("moving", "rigid and compliant", 0.8, function()
    return { shape("disc", { x = 0.3, y = 0.6, vx = -1 }), floor, pc.wall{ x = 0, side = "right" },
        contact = compliant.kelvin_voigt, configuration = "moving",
        pairs = { { a = "body", b = "wall", contact = poisson(0.7, 0.2) } } }
end)

return list
