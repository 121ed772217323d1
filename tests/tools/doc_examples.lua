-- The register describes everything public, and every example in it and in the topics does what it says. Run by
-- percuss; the last line is "N passed, N failed".
--
-- An example is a chunk that sees percuss (also as pc) and its names as globals, as at the prompt. What it prints must
-- equal the lines, or ends of lines, after "-->"; without such a line it only has to run.

local percuss = require "percuss"
local passed, failed = 0, 0

local function claim(ok, path, message)
    if ok then
        passed = passed + 1
    else
        failed = failed + 1
        print(("%s: %s"):format(path, message))
    end
end

local function expected_output(example)
    local lines = {}
    for line in example:gmatch "[^\n]+" do
        local text = line:match "%-%->%s?(.*)$"
        if text then lines[#lines + 1] = text end
    end
    return lines[1] and table.concat(lines, "\n")
end

local function run(example)
    local out = {}
    local env = { percuss = percuss, pc = percuss }
    function env.print(...)
        local words = table.pack(...)
        for i = 1, words.n do words[i] = tostring(words[i]) end
        out[#out + 1] = table.concat(words, "\t")
    end
    setmetatable(env, { __index = function(_, name)
        local value = _G[name] -- as at the prompt: what Lua has is not hidden
        if value == nil then value = rawget(percuss, name) end
        return value
    end })
    local chunk, message = load(example, "=example", "t", env)
    if not chunk then return nil, message end
    local ok, problem = xpcall(chunk, debug.traceback)
    if not ok then return nil, tostring(problem) end
    return table.concat(out, "\n")
end

-- An example that changes percuss (document, extend) must not change what is checked: take the list first.
local entries = percuss.register()

-- Numbers of these modules and types are in units of the caller's own, or in none.
local UNITLESS = {
    array = true, linspace = true, logspace = true, ode = true, motion = true,
    figure = true, panel = true, chart = true,
}

for _, entry in ipairs(entries) do
    local owner = entry.path:match "^[^.:]*"
    claim(entry.kind == "type" or entry.kind == "constant" or entry.example, entry.path, "has no example")
    for _, param in ipairs(entry.params or {}) do
        for _, item in ipairs{ param, table.unpack(param.options or {}) } do
            claim(item.type and item.type ~= "", entry.path, ("%s has no type"):format(item.name))
            claim(item.type ~= "number" or item.unit or UNITLESS[owner], entry.path,
                ("%s has no unit"):format(item.name))
            claim(item.doc and item.doc ~= "", entry.path, ("%s has no sentence"):format(item.name))
        end
    end
    for _, row in ipairs(entry.rows or {}) do
        claim((row.unit or row.type ~= "number") and (row.allowed or row.choices or row.type), entry.path,
            ("%s has no unit or range"):format(row.name))
    end
    claim(entry.summary and entry.summary ~= "", entry.path, "has no summary")
    for _, part in ipairs { "rows", "fields" } do
        for _, item in ipairs(entry[part] or {}) do
            claim(item.doc and item.doc ~= "", entry.path, ("%s has no sentence"):format(item.name))
        end
    end
end

-- Whatever can be called as percuss.name or percuss.group.name is in the register.
local function covered(prefix, group, depth)
    for name, value in pairs(group) do
        local path = prefix .. tostring(name)
        if type(value) == "function" then
            claim(percuss.lookup(value), path, "is not in the register")
        elseif type(value) == "table" and depth > 0 then
            covered(path .. ".", value, depth - 1)
        end
    end
end
covered("", percuss, 1)

local function check(name, example)
    local output, message = run(example)
    local expected = expected_output(example)
    if not output then
        claim(false, name, "example fails: " .. message)
    else
        claim(not expected or output == expected, name,
            ("example prints\n%s\nand promises\n%s"):format(output, expected))
    end
end

for _, entry in ipairs(entries) do
    if entry.example then check(entry.path, entry.example) end
end
for _, topic in ipairs(require("percuss.topics").all()) do check("topic " .. topic.name, topic.example) end

print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
