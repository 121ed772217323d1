-- Every example of the documentation with one to three of its numbers replaced by extreme ones. What is computed may be
-- refused; it ends, or gives way to an interrupt, and leaves the program alive.
-- Usage: extremes.lua FIRST LAST SEED
local pc = require "percuss"

local first, last, seed = tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3])

local extremes = {
    "5e-324", "1e-320", "1e-308", "1e-300", "1e-160", "1e-100", "1e-30", "1e30", "1e100", "1e160", "1e300", "1e308",
    "(1/0)", "(0/0)", "0", "(-0.0)", "9007199254740993", "math.maxinteger", "math.mininteger", "1.7976931348623157e308",
}

-- Impacts and motions come first: they are what integrates, seeks roots and doubles intervals.
local solvers = {}
local examples = {}
for _, entry in ipairs(pc.register()) do
    local text = entry.example
    if text and text:find "%d" and entry.path ~= "sweep" and not text:find("os.", 1, true) then
        examples[#examples + 1] = { path = entry.path, text = text }
        if text:find "collide" or text:find "impact" or text:find "simulate" or text:find "motion" or
            text:find "impulse" or text:find "restitution" or text:find "ode" or text:find "cradle" then
            solvers[#solvers + 1] = examples[#examples]
        end
    end
end

-- What examples do not have: other ways through the same solvers.
for _, text in ipairs{
    'percuss.flat_impact{ model = "rim", radius = 1, mass = 1, stiffness = 1e4, speed = 1, tilt = 0.5, damping = 10 }',
    'percuss.flat_impact{ model = "area", radius = 1, mass = 1, stiffness = 1e4, speed = 1, tilt = 0.5, rate = 0.1 }',
    'percuss.flat_impact{ model = "overlap", radius = 1, mass = 1, stiffness = 1e4, speed = 1, tilt = 0.1, '
        .. 'other_radius = 0.8, offset = 0.7, azimuth = 0.3, restitution = 0.8 }',
    'percuss.collide(percuss.body.rod{ length = 1, mass = 1, angle = 0.4 }, percuss.contact.linear{ stiffness = 1e5, '
        .. 'stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 }, { v = { 0.5, -1 } }, '
        .. '{ configuration = "moving" })',
    'percuss.collide(percuss.body.rod{ length = 1, mass = 1, angle = 0.4 }, percuss.contact.maw{ modulus = 1e7, '
        .. 'radius = 0.1, kappa = 0.8, friction = 0.3, rings = 20 }, { v = { 0.5, -1 } })',
    'percuss.collide(percuss.body.rod{ length = 1, mass = 1, angle = 0.4 }, percuss.contact.hertz_mindlin{ '
        .. 'modulus = 1e8, radius = 0.1, poisson = 0.3, friction = 0.3 }, { v = { 0.5, -1 } })',
    'percuss.collide(percuss.body.disc{ radius = 0.1, mass = 2 }, percuss.contact.hunt_crossley{ stiffness = 1e7, '
        .. 'friction = 0.2, restitution = 0.7 }, { v = { 0.5, -1 } })',
    'percuss.simulate(percuss.scene{ percuss.free{ shape = "box", width = 0.3, height = 0.1, mass = 1, y = 0.5, '
        .. 'vx = 2, angle = 0.3 }, percuss.floor{ height = 0 }, gravity = 9.8, contact = percuss.contact.poisson{ '
        .. 'restitution = 0.5, friction = 0.3 } }, { duration = 1.5 }):at(0.7)',
    'percuss.simulate(percuss.scene{ percuss.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.2, vx = 1 }, '
        .. 'percuss.floor{ height = 0 }, gravity = 9.8, configuration = "moving", contact = percuss.contact.linear{ '
        .. 'stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 } }, { duration = 0.3 }):at(0.2)',
} do
    -- as often as those of one kind among the examples
    for _ = 1, 4 do solvers[#solvers + 1] = { path = "", text = "local _ = " .. text } end
end

-- Where numbers stand: not in names, nor in strings, nor in comments.
local function places(text)
    local found = {}
    local plain = text:gsub("%-%-[^\n]*", function(s) return (" "):rep(#s) end)
    plain = plain:gsub('"[^"\n]*"', function(s) return (" "):rep(#s) end)
    for from, number, to in plain:gmatch "()%f[%w_.](%d+%.?%d*[eE]?[-+]?%d*)()" do
        if tonumber(number) and not plain:sub(to, to):find "[%w_]" then found[#found + 1] = { from, to - 1 } end
    end
    return found
end

local function mutate(text)
    local spots = places(text)
    if #spots == 0 then return text end
    local chosen = {}
    for _ = 1, math.random(3) do chosen[math.random(#spots)] = true end
    for i = #spots, 1, -1 do -- from the end, so that places before stay where they are
        if chosen[i] then
            local value = extremes[math.random(#extremes)]
            if math.random(4) == 1 and value:find "^%d" then value = "(-" .. value .. ")" end
            text = text:sub(1, spots[i][1] - 1) .. value .. text:sub(spots[i][2] + 1)
        end
    end
    return text
end

local ran, failed = 0, 0
for case = first, last do
    print("case " .. case)
    io.stdout:flush()
    math.randomseed(seed, case)
    local list = case % 3 == 0 and examples or solvers
    local example = list[math.random(#list)]
    local text = mutate(example.text)
    if os.getenv "SHOW" then io.stderr:write(example.path, ":\n", text, "\n") end
    local scope = setmetatable({ percuss = pc, print = function() end }, { __index = _G })
    local f = load(text, "=example", "t", scope)
    local ok, message
    if f then ok, message = pcall(f) end
    if ok then ran = ran + 1 else failed = failed + 1 end
    if f and not ok and not tostring(message):find "%S" then print("FAILED an empty message from " .. example.path) end
    if case % 20 == 0 then collectgarbage() end
end
print(("done %d ran, %d were refused"):format(ran, failed))
