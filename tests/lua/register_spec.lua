-- Every entry of the register as somebody reads it who sees only that one: it refers to no entry before it, says what
-- it takes and gives, and in which unit.
local pc = require "percuss"
local help = require "percuss.help"

local entries = pc.register()

local KINDS = { ["function"] = true, method = true, constructor = true, type = true, constant = true }
local LUA_TYPES = {}
for word in ("any nil boolean string number integer function table list array matrix object"):gmatch "%a+" do
    LUA_TYPES[word] = true
end
local types = {}
for _, entry in ipairs(entries) do
    if entry.kind == "type" then types[entry.path] = true end
end

-- Everything that an entry says of its parts: rows, arguments, options, fields.
local function parts(entry)
    local list = {}
    local function add(rows, what)
        for _, row in ipairs(rows or {}) do
            list[#list + 1] = { row = row, what = what, path = entry.path .. ": " .. row.name }
            add(row.options, "option")
        end
    end
    add(entry.rows, "row")
    add(entry.params, "argument")
    add(entry.fields, "field")
    return list
end

local function fault_of_text(text)
    local start = text:lower()
    for _, words in ipairs{ "the same", "as above", "as before", "likewise", "ditto", "its unit", "see above" } do
        if start:sub(1, #words) == words then return "begins with '" .. words .. "'" end
    end
    if start:find("todo", 1, true) then return "is not finished" end
    if text:find "%s%s" and not text:find "\n" then return "has two blanks" end
end

-- What is wrong with an entry, as a list of sentences; the test of the test plants faults in copies.
local function faults(entry)
    local list = {}
    local function fault(path, ...) list[#list + 1] = path .. " " .. table.concat({ ... }, " ") end
    if not KINDS[entry.kind] then fault(entry.path, "is of no kind") end
    for _, text in ipairs{ entry.summary, entry.details, entry.returns } do
        local wrong = fault_of_text(text)
        if wrong then fault(entry.path, wrong) end
    end
    if not entry.summary or #entry.summary < 6 then fault(entry.path, "has no summary") end
    for _, part in ipairs(parts(entry)) do
        local row = part.row
        if not row.doc or row.doc == "" then fault(part.path, "has no description") end
        local wrong = fault_of_text(row.doc or "")
        if wrong then fault(part.path, wrong) end
        -- "" says that a number has no unit
        if row.type == "number" and not row.unit then fault(part.path, "has no unit") end
        if part.what ~= "field" and (not row.type or row.type == "") then fault(part.path, "has no type") end
        for word in (row.choices and "" or (row.type or "")):gmatch "%a[%w_]*" do
            if word ~= "or" and not LUA_TYPES[word] and not types[word] then fault(part.path, "has no known type") end
        end
    end
    local returns = entry.returns
    if returns then
        -- a result without a type of its own names its fields
        local first = returns:match "^[%w_]+"
        if first == "object" or first == "results" then fault(entry.path, "returns something without a type") end
        if first == "table" and not returns:find "^table: %S" and not returns:find "^table, list" then
            fault(entry.path, "returns a table whose fields it does not name")
        end
    end
    return list
end

describe("the register", function()
    it("can be read an entry at a time", function()
        local found = {}
        for _, entry in ipairs(entries) do
            for _, fault in ipairs(faults(entry)) do found[#found + 1] = fault end
        end
        assert.equal("", table.concat(found, "\n"))
        assert.is_true(#entries > 300)
    end)

    it("is judged by rules that find what they look for", function()
        local function planted(change)
            local entry = {
                kind = "function", path = "f", summary = "What it does.", returns = "number (m)",
                params = { { name = "x", type = "number", unit = "m", doc = "a place" } },
            }
            change(entry)
            return #faults(entry)
        end
        assert.equal(0, planted(function() end))
        assert.equal(1, planted(function(e) e.summary = "The same for y." end))
        assert.equal(1, planted(function(e) e.details = "As above." end))
        assert.equal(1, planted(function(e) e.params[1].unit = nil end))
        assert.equal(1, planted(function(e) e.params[1].doc = "" end))
        assert.equal(1, planted(function(e) e.params[1].doc = "the same for x" end))
        assert.equal(1, planted(function(e) e.params[1].type = "lenght" end))
        assert.equal(1, planted(function(e) e.params[1].options = { { name = "y", type = "number", doc = "b" } } end))
        assert.equal(1, planted(function(e) e.fields = { { name = "y" } } end))
        assert.equal(1, planted(function(e) e.returns = "table" end))
        assert.equal(1, planted(function(e) e.returns = "object: a, b" end))
    end)

    it("describes types by fields, and objects have the fields described", function()
        for _, entry in ipairs(entries) do
            if entry.kind == "type" and entry.path ~= "sandbox" then
                local n = #entry.fields
                for _, other in ipairs(entries) do
                    if other.kind == "method" and other.path:match "^(.-):" == entry.path then n = n + 1 end
                end
                assert.is_true(n > 0, entry.path)
            end
        end
    end)

    it("names in help what tools need after what people need", function()
        local text = help.text()
        local tools = text:find("For extensions and tools", 1, true)
        for name in ("nearest make_directory is_terminal register lookup document extend"):gmatch "%S+" do
            local at = text:find("%f[%w_]" .. name .. "%f[^%w_]")
            assert.is_true(at and at > tools, name)
            -- each is explained all the same
            assert.matches("^" .. name .. "%(", help.text(pc[name]))
        end
        assert.is_true(text:find("%f[%w]collide%f[%W]", (text:find "\npercuss\n")) < tools)
    end)

    it("tells what collide takes and an impact holds in space", function()
        assert.truthy(help.text(pc.collide):find("vt2", 1, true))
        assert.truthy(help.text(pc.collide):find("azimuth", 1, true))
        assert.truthy(help.text "impact":find("in space .t2", 1, true))
    end)

    it("tells of a number that is not finite what it must be", function()
        local cases = {
            { pc.body.rigid, { mass = 1, inertia = math.huge, arm = { 0, -1 } }, "finite and >= 0 kg m^2" },
            { pc.body.sphere, { mass = math.huge, radius = 1 }, "finite and > 0 kg" },
            { pc.contact.newton, { e = 1, mu = math.huge }, "finite and >= 0" },
            { pc.free, { shape = "disc", radius = 1, mass = 1, inertia = 0 / 0 }, "finite and > 0 kg m^2" },
            { pc.body.rigid, { mass = 1, inertia = -1, arm = { 0, -1 } }, "it must be >= 0 kg m^2" },
            { pc.body.rigid, { mass = 1, inertia = 1, arm = { 0, math.huge } }, "it must be any finite number of m" },
        }
        for _, case in ipairs(cases) do
            local ok, message = pcall(case[1], case[2])
            assert.is_false(ok)
            assert.truthy(tostring(message):find(case[3], 1, true), message)
        end
    end)
end)
