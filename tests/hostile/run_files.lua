-- Run files that are no accidents: bytes of saved runs are changed and the checksum is made right, since that is no
-- secret. Whatever is read back must be refused with a message, or be a run that answers and goes on.
-- Usage: run_files.lua FIRST LAST SEED
local pc = require "percuss"

local first, last, seed = tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3])

local springs = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 }
local maw = pc.contact.maw{ modulus = 1e7, radius = 0.1, kappa = 0.8, friction = 0.3, rings = 20 }

local function ball(o)
    o.shape, o.radius, o.mass = "disc", o.radius or 0.1, o.mass or 1
    return pc.free(o)
end

local function pendulum(contact, configuration)
    return pc.scene{
        pc.chain{ angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 }, links = {
            { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676, damping = 0.1 },
            { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 } } },
        pc.floor{ depth = 0.9 }, contact = contact, configuration = configuration,
    }
end

-- Each ends where much is going on: contacts closed, springs pressed, histories under way.
local runs = {
    { "chain", 2, pendulum(pc.contact.poisson{ R = 0.4, mu = 0.15 }) },
    { "free bodies", 1.2, pc.scene{
        ball{ y = 1.1, vx = 0.3 }, ball{ radius = 0.2, mass = 2, x = 1, y = 0.5, vx = -1, name = "big" },
        pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 1, x = -2, y = 0.05, vx = 2 },
        pc.floor{ height = 0 }, pc.wall{ x = 2, side = "left" }, pc.peg{ x = -1, y = 0.2, radius = 0.1 },
        contact = pc.contact.newton{ restitution = 0.3, friction = 0.2 }, together = "simultaneous" } },
    { "not recorded", 1, pendulum(pc.contact.newton{ restitution = 0.3, friction = 0.2 }), record = false },
    { "springs", 0.31, pc.scene{
        ball{ y = 0.1, vx = 1, vy = -1 }, ball{ x = 1, y = 0.1 }, pc.floor{ height = 0 }, contact = springs,
        configuration = "moving" }, pressed = true },
    { "springs of a chain", 0.6, pendulum(springs, "moving"), pressed = true },
    { "rings", 0.05, pc.scene{
        ball{ y = 0.1, vx = 0.5, vy = -1 }, ball{ x = 0.3, y = 0.0999 }, pc.floor{ height = 0 }, contact = maw,
        configuration = "moving" }, pressed = true },
}

local function read(name)
    local file <close> = assert(io.open(name, "rb"))
    return file:read "a"
end

local function write(name, bytes)
    local file <close> = assert(io.open(name, "wb"))
    assert(file:write(bytes))
end

-- FNV-1a of 64 bits.
local function checksum(bytes)
    local sum = 0xcbf29ce484222325
    for from = 1, #bytes, 4096 do
        for _, byte in ipairs{ bytes:byte(from, math.min(from + 4095, #bytes)) } do
            sum = (sum ~ byte) * 0x100000001b3
        end
    end
    return string.pack("<i8", sum)
end

local HEAD = 24 -- the mark and the version

local files = {}
for i, r in ipairs(runs) do
    local run = pc.simulate(r[3], { duration = r[2], record = r.record })
    for _ = 1, r.pressed and 2000 or 0 do
        if #run.contacts > 0 then break end
        run:continue(1e-3)
    end
    assert(not r.pressed or #run.contacts > 0, "nothing is pressed in '" .. r[1] .. "'")
    assert(run:save "run")
    local bytes = read "run"
    local scene = string.unpack("<i8", bytes, HEAD + 1)
    local settings = string.unpack("<i8", bytes, HEAD + 9 + scene)
    local at = HEAD + 16 + scene + settings -- where the run begins
    local counts = {} -- words that may be numbers of things, indices or kinds
    for word = at, #bytes - 16, 8 do
        local value = string.unpack("<i8", bytes, word + 1)
        if value >= -1 and value < 1 << 20 and value ~= 0 then counts[#counts + 1] = word end
    end
    files[i] = { name = r[1], bytes = bytes, run = at, counts = counts }
end

local integers = {
    0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 255, 256, 4095, -1, -2, -128, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
    0x100000001, 715827883, 715827882, 357913942, 0x5555555555555556, 1 << 61, math.maxinteger, math.mininteger,
    0x0fffffffffffffff,
}
local reals = {
    0.0, -0.0, 5e-324, -5e-324, 1e-308, 1e-160, 1e-30, 1e-9, 0.5, 1.0, -1.0, 3.0, 1e9, 1e30, 1e160, 1e308, -1e308,
    1 / 0, -1 / 0, 0 / 0, -(0 / 0),
}

local function replace(bytes, at, part)
    return bytes:sub(1, at) .. part .. bytes:sub(at + #part + 1)
end

local random = math.random

-- Where something changes: in the notes, in the first members of the run, among what counts, or anywhere in it.
local function place(file)
    local kind = random(10)
    if kind <= 2 then return HEAD + random(0, file.run - HEAD - 8) end
    if kind <= 4 then return file.run + 8 * random(0, 150) end
    if kind <= 7 then return file.counts[random(#file.counts)] end
    return file.run + 8 * random(0, (#file.bytes - 8 - file.run) // 8 - 1)
end

local changes = {
    function(bytes, at) return replace(bytes, at, string.char(random(0, 255))) end,
    function(bytes, at) return replace(bytes, at, string.char(bytes:byte(at + 1) ~ 1 << random(0, 7))) end,
    function(bytes, at) return replace(bytes, at, string.pack("<i8", integers[random(#integers)])) end,
    function(bytes, at) return replace(bytes, at, string.pack("<d", reals[random(#reals)])) end,
    function(bytes, at)
        return replace(bytes, at, string.pack("<i8", string.unpack("<i8", bytes, at + 1) + random(-2, 2)))
    end,
    function(bytes, at, file) -- something else of the same file
        local from = place(file)
        return replace(bytes, at, bytes:sub(from + 1, from + 8 * random(1, 4)))
    end,
    function(bytes, at) return bytes:sub(1, at) .. bytes:sub(at + 1 + random(1, 64)) end,
    function(bytes, at) return bytes:sub(1, at) .. bytes:sub(at + 1, at + 8 * random(1, 8)) .. bytes:sub(at + 1) end,
}

-- The common ones come often, those that shift the rest of the file seldom.
local weights = { 2, 2, 6, 6, 3, 3, 1, 1 }
local urn = {}
for i, weight in ipairs(weights) do
    for _ = 1, weight do urn[#urn + 1] = changes[i] end
end

local function mutate(file)
    local bytes = file.bytes:sub(1, -9)
    for _ = 1, random(3) do
        local at = place(file)
        if at + 40 < #bytes then bytes = urn[random(#urn)](bytes, at, file) end
    end
    return bytes .. checksum(bytes)
end

-- Whether a message can be shown to a user: it is one, it says what it is about, and names nothing of the library.
local function is_message(text)
    text = tostring(text) -- an interrupted call raises an object with its partial result
    return text ~= "" and not text:find "^table: " and
        not text:find "percuss%.[%w_]+:%d+:" and not text:find "attempt to" and not text:find "bad argument"
end

-- What a run answers; errors are allowed, anything worse is not.
local function ask(run)
    local function try(f, ...)
        local ok, message = pcall(f, ...)
        if not ok and not is_message(message) then error("odd message: " .. tostring(message), 0) end
        return ok and message
    end
    try(function() return tostring(run) end)
    local t0, t1 = try(function() return run.t0 end) or 0, try(function() return run.t end) or 1
    for k = 0, 4 do try(function() return run:at(t0 + (t1 - t0) * k / 4) end) end
    for _, key in ipairs{ "impacts", "events", "contacts", "statistics", "stop", "energy", "ledger" } do
        try(function()
            local list = run[key]
            if type(list) == "table" then
                for i = 1, math.min(#list, 50) do
                    local _ = tostring(list[i])
                end
            end
        end)
    end
    try(function()
        for i, hit in ipairs(run.impacts) do
            if i > 20 then break end
            local _ = { hit.phases, hit.body, hit.peak, hit.work, hit.outcome, hit.pair, hit.energy }
        end
    end)
    try(function() return run:columns((t1 - t0) / 20) end)
    try(function() return run:save "again" end)
    try(function() return run:continue(0.02) end)
    try(function() return run:at(run.t) end)
end

local refused, read_back = 0, 0
for case = first, last do
    print("case " .. case)
    io.stdout:flush()
    math.randomseed(seed, case)
    local file = files[case % #files + 1]
    write("run", mutate(file))
    local ok, run, message = pcall(pc.load_run, "run")
    if ok and run then
        read_back = read_back + 1
        local fine, why = pcall(ask, run)
        if not fine then print("FAILED " .. file.name .. ": " .. tostring(why):gsub("\n", " ")) end
    else
        refused = refused + 1
        message = ok and message or run
        if not is_message(message) or not tostring(message):find("'run'", 1, true) then
            print("FAILED " .. file.name .. ": refused with " .. tostring(message))
        end
    end
    if case % 50 == 0 then collectgarbage() end
end
print(string.format("done %d refused, %d read back", refused, read_back))
