-- The library as editors see it: annotations for the Lua language server (https://luals.github.io/wiki/annotations),
-- and the names that a script written for the prompt uses, for luacheck.
local pc = require "percuss"

local annotations = {}

local LUA_TYPES = {}
for word in ("any nil boolean string number integer function table thread userdata"):gmatch "%a+" do
    LUA_TYPES[word] = true
end

local OPERATORS = {
    __add = "add", __sub = "sub", __mul = "mul", __div = "div", __mod = "mod", __pow = "pow", __unm = "unm",
    __concat = "concat", __len = "len",
}

local function types_by_name()
    local types = {}
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "type" then types[entry.path] = true end
    end
    return types
end

-- The words of a type's description as a type of the language server: "array or number" becomes
-- "percuss.array|number"; a description that is no type is any.
local function type_text(text, types)
    local words = {}
    if text and text:match "^percuss table%f[%A]" then return "percuss.table" end
    -- what follows a semicolon tells when there is something else
    for word in (text or "any"):gsub(";.*$", ""):gsub(" or ", "|"):gmatch "[^|]+" do
        word = word:gsub("^%s+", ""):gsub("[%s,(;:].*$", "")
        if word == "list" then word = "table" end
        if types[word] and word ~= "table" then -- most tables are plain ones
            words[#words + 1] = "percuss." .. word
        elseif LUA_TYPES[word] then
            words[#words + 1] = word
        else
            return "any"
        end
    end
    return #words > 0 and table.concat(words, "|") or "any"
end

local function one_line(text)
    return ((text or ""):gsub("%s+", " "))
end

local function with_unit(doc, unit)
    return one_line(doc) .. (unit and unit ~= "" and " [" .. unit .. "]" or "")
end

local function row_type(row, types)
    if row.choices then
        local words = {}
        for i, choice in ipairs(row.choices) do words[i] = '"' .. choice .. '"' end
        if row.type:find "number" then words[#words + 1] = "number" end
        return table.concat(words, "|")
    end
    if row.type == "list" or row.type == "matrix" then return "table|percuss.array" end
    return type_text(row.type, types)
end

-- A class for the table at a parameter, by its rows.
local function options_class(out, class, rows, types)
    out[#out + 1] = "---@class " .. class
    for _, row in ipairs(rows) do
        -- of a word and its symbol one is given
        local optional = row.required and not row.symbol and "" or "?"
        for _, name in ipairs{ row.name, row.symbol } do
            out[#out + 1] = string.format("---@field %s%s %s %s", name, name == row.name and optional or "?",
                row_type(row, types), with_unit(row.doc, row.unit))
        end
    end
    out[#out + 1] = ""
end

-- Parameters in order; what is no name in Lua ("...", "end") cannot be annotated as one.
local RESERVED = { ["end"] = "stop", ["function"] = "f", ["repeat"] = "again" }

local function function_lines(out, entry, types)
    local classes, params = {}, entry.params or {}
    if entry.rows then
        params = { { name = "options", type = "table", options = entry.rows, doc = "of these", required = true } }
    end
    for i, p in ipairs(params) do
        if p.options then
            classes[i] = "percuss." .. entry.path:gsub(":", ".") .. "." .. p.name
            options_class(out, classes[i], p.options, types)
        end
    end
    out[#out + 1] = "--- " .. one_line(entry.summary)
    if entry.source then out[#out + 1] = "---@see " .. one_line(entry.source) end
    local names = {}
    for i, p in ipairs(params) do
        local name = RESERVED[p.name] or p.name:match "^[%a_][%w_]*$" or "..."
        if name ~= "..." or names[#names] ~= "..." then
            names[#names + 1] = name
            local optional = not p.required and name ~= "..." and "?" or ""
            out[#out + 1] = string.format("---@param %s%s %s %s", name, optional,
                classes[i] and p.type:gsub("table", classes[i]):gsub("list", classes[i]):gsub(" or ", "|")
                    or row_type(p, types), with_unit(p.doc, p.unit))
        end
        if name == "..." then break end
    end
    if entry.returns then
        out[#out + 1] = string.format("---@return %s # %s", type_text(entry.returns, types), one_line(entry.returns))
    end
    out[#out + 1] = string.format("function percuss.%s(%s) end", entry.path, table.concat(names, ", "))
    out[#out + 1] = ""
end

-- A constructor makes the object of its module, if that is a type: body.sphere a body, contact.linear a law.
local function made_by(entry, types)
    local owner = entry.path:match "^[^.]*"
    if owner == "contact" then return "percuss.law" end
    if owner == "solver" or types[owner] then return "percuss." .. owner end
    return "any"
end

local function constructor_lines(out, entry, types)
    local class = "percuss." .. entry.path .. ".options"
    options_class(out, class, entry.rows, types)
    out[#out + 1] = "--- " .. one_line(entry.summary)
    out[#out + 1] = "---@param options " .. class
    out[#out + 1] = "---@return " .. made_by(entry, types)
    out[#out + 1] = "function percuss." .. entry.path .. "(options) end"
    out[#out + 1] = ""
end

local function type_lines(out, entry)
    out[#out + 1] = "---@class percuss." .. entry.path .. " # " .. one_line(entry.summary)
    for _, field in ipairs(entry.fields or {}) do
        out[#out + 1] = string.format("---@field %s any %s", field.name, with_unit(field.doc, field.unit))
    end
    -- luaL_newmetatable keeps the metatable under the type's name
    local meta = debug.getregistry()["percuss." .. entry.path]
    local operators = {}
    for event, name in pairs(OPERATORS) do
        if type(meta) == "table" and rawget(meta, event) then operators[#operators + 1] = name end
    end
    table.sort(operators)
    for _, name in ipairs(operators) do
        local operand = (name == "unm" or name == "len") and "" or "(any)"
        out[#out + 1] = "---@operator " .. name .. operand .. ": "
            .. (name == "len" and "integer" or "percuss." .. entry.path)
    end
    out[#out + 1] = "local " .. entry.path .. " = {}"
    out[#out + 1] = ""
end

-- Tables of the library that are no callable entry themselves.
local function modules()
    local names = {}
    for name, value in next, pc do
        if type(name) == "string" and type(value) == "table" then names[#names + 1] = name end
    end
    table.sort(names)
    return names
end

-- The file for the language server: valid Lua that is never run.
function annotations.text()
    local types = types_by_name()
    local out = {
        "---@meta percuss", "", "---@class percuss", "---@field version string the version", "local percuss = {}",
    }
    for _, name in ipairs(modules()) do out[#out + 1] = "percuss." .. name .. " = {}" end
    out[#out + 1] = ""
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "constructor" then constructor_lines(out, entry, types) end
        if entry.kind == "function" then function_lines(out, entry, types) end
        if entry.kind == "constant" then
            out[#out + 1] = string.format("---@type number %s\npercuss.%s = %.17g\n",
                with_unit(entry.summary, entry.unit), entry.path, entry.value)
        end
    end
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "type" then
            out[#out + 1] = "do"
            type_lines(out, entry)
            for _, method in ipairs(pc.register()) do
                if method.kind == "method" and method.path:match "^[^:]*" == entry.path then
                    local lines = {}
                    function_lines(lines, method, types)
                    out[#out + 1] = (table.concat(lines, "\n"):gsub("function percuss%.", "function "))
                end
            end
            out[#out + 1] = "end"
        end
    end
    out[#out + 1] = "return percuss"
    return table.concat(out, "\n") .. "\n"
end

-- A luacheck configuration for scripts that use the names of the prompt as globals.
function annotations.luacheck()
    local names = { "pc", "percuss", "_" }
    for name in next, pc do
        if type(name) == "string" and name:match "^[%a_][%w_]*$" and _G[name] == nil then names[#names + 1] = name end
    end
    for name in next, pc.prompt do names[#names + 1] = name end
    table.sort(names)
    local out = {}
    for _, name in ipairs(names) do out[#out + 1] = string.format("        %q,", name) end
    return "-- Names that are global at the prompt of percuss; in .luacheckrc: std = \"lua54+percuss\".\n"
        .. "stds.percuss = {\n    read_globals = {\n" .. table.concat(out, "\n") .. "\n    },\n}\n"
end

return annotations
