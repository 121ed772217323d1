-- What a function is, as text that stays the same as long as the function would compute the same: its code without
-- names of files and numbers of lines, the values it has caught, and the globals that it names, each followed in turn.
--
-- Known limits: a global reached only through a name made at run time is not seen; of objects of C only what they show
-- in their text and documented parameters counts.
local pc = require "percuss"

local identity = {}

-- Reads the binary form of functions of Lua 5.4 (ldump.c of its sources): sizes in groups of seven bits, the last one
-- marked; a function is its source, two line numbers, three bytes, then code, constants, upvalues and inner functions.
local Reader = {}
Reader.__index = Reader

function Reader:take(n)
    local text = self.text:sub(self.at, self.at + n - 1)
    self.at = self.at + n
    return text
end

function Reader:size()
    local n = 0
    while true do
        local byte = self.text:byte(self.at)
        self.at = self.at + 1
        n = n << 7 | byte & 0x7f
        if byte & 0x80 ~= 0 then return n end
    end
end

-- A string, or nil where there is none.
function Reader:string()
    local n = self:size()
    return n > 0 and self:take(n - 1) or nil
end

local NUMBER = { [0x03] = true, [0x13] = true }
local STRING = { [0x04] = true, [0x14] = true }

-- Appends what matters of a function to `out` and the strings among its constants to `strings`.
function Reader:body(out, strings)
    self:string()
    self:size()
    self:size()
    out[#out + 1] = self:take(3)
    local n = self:size()
    out[#out + 1] = self:take(4 * n)
    for _ = 1, self:size() do
        local kind = self.text:byte(self.at)
        self.at = self.at + 1
        out[#out + 1] = string.char(kind)
        if NUMBER[kind] then
            out[#out + 1] = self:take(8)
        elseif STRING[kind] then
            local text = self:string()
            strings[#strings + 1] = text
            out[#out + 1] = #text .. ":" .. text
        end
    end
    n = self:size()
    out[#out + 1] = self:take(3 * n)
    for _ = 1, self:size() do self:body(out, strings) end
    -- stripped: four empty lists of what debuggers want
    for _ = 1, 4 do self:size() end
end

local HEADER = 4 + 1 + 1 + 6 + 3 + 8 + 8 + 1

local function code(f)
    local reader = setmetatable({ text = string.dump(f, true), at = HEADER + 1 }, Reader)
    local out, strings = {}, {}
    reader:body(out, strings)
    return table.concat(out), strings
end

-- Tables of the standard library and percuss itself: their version is part of a sweep's identity already.
local function known_tables()
    local known = { [_G] = "_G", [pc] = "percuss" }
    for _, name in ipairs{ "string", "table", "math", "io", "os", "coroutine", "utf8", "debug", "package" } do
        if type(_G[name]) == "table" then known[_G[name]] = name end
    end
    for name, module in pairs(package.loaded) do
        if type(name) == "string" and name:match "^percuss" and type(module) == "table" then known[module] = name end
    end
    return known
end

local function sorted_keys(t)
    local keys = {}
    for key in next, t do keys[#keys + 1] = key end
    table.sort(keys, function(a, b)
        if type(a) ~= type(b) then return type(a) < type(b) end
        if type(a) == "number" or type(a) == "string" then return a < b end
        return tostring(a) < tostring(b)
    end)
    return keys
end

local object_text

-- Parameters of an object that a constructor of percuss made, exactly.
function object_text(value)
    local text = tostring(value):gsub("0x%x+", "")
    local path = text:match "^([%a_][%w_.]*){"
    local parts = { text }
    local ok, functions = pcall(function() return value.identity end) -- of a law or a restitution in Lua
    if ok and type(functions) == "string" then parts[2] = functions end
    for _, entry in ipairs(path and pc.register() or {}) do
        if entry.path == path and entry.rows then
            for _, row in ipairs(entry.rows) do
                local known, x = pcall(function() return value[row.name] end)
                if known and type(x) == "number" then
                    parts[#parts + 1] = string.format("%s=%a", row.name, x)
                elseif known and pc.type(x) == "array" then
                    for i = 1, #x do parts[#parts + 1] = string.format("%s=%a", row.name, x[i]) end
                elseif known and type(x) == "userdata" then
                    parts[#parts + 1] = object_text(x)
                end
            end
        end
    end
    return table.concat(parts, ";")
end

local describe

local function describe_function(f, state)
    if debug.getinfo(f, "S").what == "C" then
        -- C functions have no content to compare; the value a script reaches them by is a name of a library
        state.out[#state.out + 1] = "C function"
        return
    end
    local text, strings = code(f)
    state.out[#state.out + 1] = text
    for i = 1, math.huge do
        local name, value = debug.getupvalue(f, i)
        if not name then break end
        state.out[#state.out + 1] = "up " .. i
        if name == "_ENV" and type(value) == "table" then
            -- the names of the prompt stand in front of the globals
            local meta = getmetatable(value)
            local globals = type(meta) == "table" and meta.globals or value
            table.sort(strings)
            for _, word in ipairs(strings) do
                local global = rawget(globals, word)
                if global ~= nil then
                    state.out[#state.out + 1] = "global " .. word
                    describe(global, state)
                end
            end
        else
            describe(value, state)
        end
    end
end

-- Appends what `value` is. Each table and function is described once, and then called by its number: cycles end.
function describe(value, state)
    local out, kind = state.out, type(value)
    if kind == "number" then
        out[#out + 1] = math.type(value) == "integer" and ("%d"):format(value) or ("%a"):format(value)
    elseif kind == "string" then
        out[#out + 1] = #value .. ":" .. value
    elseif kind == "userdata" then
        if pc.type(value) == "array" then
            out[#out + 1] = value
        else
            out[#out + 1] = object_text(value)
        end
    elseif kind ~= "table" and kind ~= "function" then
        out[#out + 1] = kind == "thread" and kind or tostring(value)
    elseif state.known[value] then
        out[#out + 1] = "library " .. state.known[value]
    elseif state.seen[value] then
        out[#out + 1] = "again " .. state.seen[value]
    else
        state.count = state.count + 1
        state.seen[value] = state.count
        out[#out + 1] = kind
        if kind == "function" then
            describe_function(value, state)
        else
            for _, key in ipairs(sorted_keys(value)) do
                describe(key, state)
                describe(rawget(value, key), state)
            end
            describe(getmetatable(value) or false, state)
            out[#out + 1] = "end"
        end
    end
end

-- The parts that a digest is made of: strings and arrays.
function identity.parts(value)
    local state = { out = {}, known = known_tables(), seen = {}, count = 0 }
    describe(value, state)
    return state.out
end

-- Sixteen hexadecimal digits that change when the function does.
function identity.digest(value)
    return require("percuss.sweep_core").digest(identity.parts(value))
end

return identity
