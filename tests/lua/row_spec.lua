-- Every row of every kind and function, tried by what it says of itself: what it does not allow is refused by name,
-- value, unit and range at the line of the script; its default given is its default left out; help tells it.
local pc = require "percuss"
local help = require "percuss.help"

package.path = "tests/tools/?.lua;" .. package.path
local annotations = require "docgen.annotations"

local SEEDS = 3

local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1 }
local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }
local figure = pc.chart.figure{}
local body, law = pc.body.sphere{ radius = 0.01, mass = 1 }, pc.contact.newton{ e = 0.5, mu = 0.1 }
local link = { mass = 1, length = 1, center = 0.5, inertia = 1 / 12 }
-- one object of each type whose functions are called or that functions take
local objects = {
    scene = world, figure = figure, panel = figure:panel{}, free = ball, body = body, law = law,
    run = pc.simulate(world, { duration = 0.1 }), table = pc.table{ { "x", { 1, 2, 3 } }, { "y", { 4, 5, 6 } } },
    impact = pc.collide(body, law, { vt = 0.1, vn = -1 }),
    chain = pc.chain{ links = { link, link }, angles = { 0.5, -0.5 } },
    elastic_body = pc.elastic.sphere{ radius = 5e-3, material = pc.material.steel },
}
-- rows in which an infinite number has a meaning
local INFINITE = { time_scale = true, max_step = true }
local KINDS = { number = 1, integer = 1, boolean = true, string = "x", table = {}, list = {}, array = { 1 },
    ["function"] = print, any = 1 }

-- A value of the type that a row names first; of the right type only.
local function some(row)
    if row.choices then return row.choices[1] end
    local first = row.type:match "^[%w_]+"
    if first == "number" or first == "integer" then
        return row.least or row.most or row.above and row.above + 1 or row.below and row.below - 1 or 1
    end
    return KINDS[first] == nil and objects[first] or KINDS[first]
end

-- Everything that takes named values: { path, rows, call(options), written in Lua }.
local takers = {}
for _, entry in ipairs(pc.register()) do
    local owner, name = entry.path:match "^(%w+):([%w_]+)$"
    local self = owner and objects[owner]
    local group, last = entry.path:match "^(%w+)%.([%w_]+)$"
    local f = self and self[name]
    if not owner then f = rawget(group and rawget(pc, group) or pc, last or entry.path) end
    local function add(rows, before)
        takers[#takers + 1] = { path = entry.path, rows = rows, call = function(options)
            local arguments = { table.unpack(before) }
            arguments[#arguments + 1] = options
            return f(table.unpack(arguments))
        end }
    end
    if f and entry.kind ~= "type" then
        local before = { self }
        if entry.rows then add(entry.rows, before) end
        for _, param in ipairs(entry.params or {}) do
            if param.options and param.type:find "table" then add(param.options, { table.unpack(before) }) end
            before[#before + 1] = some(param)
        end
    end
end

-- The same numbers for a name whenever it is tested.
local function seed_of(name, round)
    local h = round
    for i = 1, #name do h = (h * 31 + name:byte(i)) % 2147483647 end
    return h
end

-- What is said of one row. The reader in C reads what is given before it looks for what is needed; the one in Lua reads
-- in the order of the rows, so that those needed before have values of the right types.
local function refusal(taker, row, value)
    local options = {}
    for _, other in ipairs(taker.rows) do
        if other.required and other.kinds and other.name ~= row.name then options[other.name] = some(other) end
    end
    options[row.name] = value
    local ok, message = pcall(function() taker.call(options) end)
    return not ok and tostring(message)
end

local function outside(row)
    local list, scale = {}, row.type == "integer" and math.random(1, 100) or 10 ^ math.random(-6, 2)
    local low, high = row.least or row.above, row.most or row.below
    if low then list[#list + 1] = low - math.max(scale, 1e-9 * math.abs(low)) end
    if high then list[#list + 1] = high + math.max(scale, 1e-9 * math.abs(high)) end
    if row.above then list[#list + 1] = row.above end
    if row.below then list[#list + 1] = row.below end
    return list
end

local function same(a, b)
    if type(a) == "number" and type(b) == "number" then return a == b or a ~= a and b ~= b end
    if type(a) ~= "table" or type(b) ~= "table" then return type(a) == type(b) and tostring(a) == tostring(b) end
    for key, value in pairs(a) do if not same(value, b[key]) then return false end end
    return true
end

describe("every row", function()
    local tried = { range = 0, type = 0, name = 0, default = 0 }

    for _, taker in ipairs(takers) do
        it("of " .. taker.path .. " refuses what it does not allow", function()
            for _, row in ipairs(taker.rows) do
                local where = taker.path .. ", " .. row.name
                local is_number = row.type == "number" or row.type == "integer"
                for round = 1, SEEDS do
                    math.randomseed(seed_of(where, round))
                    for _, value in ipairs(is_number and outside(row) or {}) do
                        local message = refusal(taker, row, value)
                        assert.truthy(message, where .. " takes " .. value)
                        assert.truthy(message:find(row.name, 1, true), message)
                        assert.truthy(message:find(row.allowed, 1, true), message)
                        assert.truthy(message:find(("%.10g"):format(value), 1, true), message)
                        assert.truthy(message:find(row.unit or "", 1, true), message)
                        assert.matches("row_spec.lua:%d+: ", message)
                        tried.range = tried.range + 1
                    end
                end
                for _, value in ipairs(is_number and { 0 / 0, 1 / 0, -1 / 0 } or {}) do
                    if not (value == 1 / 0 and INFINITE[row.name]) then
                        local message = refusal(taker, row, value)
                        assert.truthy(message and message:find(row.name, 1, true), where .. " takes " .. value)
                        assert.matches("row_spec.lua:%d+: ", message)
                    end
                end
                if row.type ~= "any" then
                    local message = refusal(taker, row, io.stdout)
                    assert.truthy(message and message:find(row.name, 1, true), where .. ": " .. tostring(message))
                    assert.truthy(message:find("must be", 1, true), message)
                    tried.type = tried.type + 1
                end
                local ok, message = pcall(function() taker.call{ [row.name .. "_x"] = 1 } end)
                assert.is_false(ok, where)
                assert.truthy(tostring(message):find("has no parameter '" .. row.name .. "_x'", 1, true), message)
                tried.name = tried.name + 1
            end
        end)

        it("of " .. taker.path .. " is told by help", function()
            local text = help.text(taker.path)
            for _, row in ipairs(taker.rows) do
                assert.truthy(text:find(row.name, 1, true), taker.path .. ": " .. row.name)
                for word in (row.allowed or ""):gmatch "%S+" do -- a narrow column breaks the range into lines
                    assert.truthy(text:find(word, 1, true), row.name .. ": " .. word)
                end
            end
        end)

        it("of " .. taker.path .. " has the same default given as left out", function()
            local base, groups = {}, {}
            for _, row in ipairs(taker.rows) do
                if row.required then base[row.name] = some(row) end
                if row.group and not groups[row.group] then
                    base[row.name], groups[row.group] = some(row), row.name
                end
            end
            local made, plain = pcall(taker.call, base)
            for _, row in ipairs(made and type(plain) == "userdata" and taker.rows or {}) do
                if row.initial ~= nil and not row.group then
                    local options = { [row.name] = row.initial }
                    for key, value in pairs(base) do options[key] = value end
                    local object = taker.call(options)
                    for _, other in ipairs(taker.rows) do
                        local read, value = pcall(function() return plain[other.name] end)
                        if read then assert.is_true(same(value, object[other.name]), taker.path .. ": " .. row.name) end
                    end
                    tried.default = tried.default + 1
                end
            end
        end)
    end

    it("is in the annotations for editors", function()
        local text = annotations.text()
        for _, taker in ipairs(takers) do
            for _, row in ipairs(taker.rows) do
                assert.truthy(text:find("---@field " .. row.name, 1, true), taker.path .. ": " .. row.name)
            end
        end
    end)

    it("was tried", function()
        assert.is_true(#takers > 120, #takers)
        assert.is_true(tried.range > 1000 and tried.type > 500 and tried.name > 700 and tried.default > 80,
            ("%d %d %d %d"):format(tried.range, tried.type, tried.name, tried.default))
    end)
end)
