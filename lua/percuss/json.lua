-- JSON (RFC 8259), as far as the protocol of notebooks needs it: texts of others are read without trust, and what is
-- written can stand in a page of HTML as well.
local json = {}

-- Values within values: more is no message but an attack.
local DEPTH = 64

-- ---- writing ----

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- Bytes that are no UTF-8 become the sign of replacement.
local function valid(text)
    if utf8.len(text) then return text end
    local out, at = {}, 1
    while at <= #text do
        local length, bad = utf8.len(text, at)
        local stop = length and #text or bad - 1
        out[#out + 1] = text:sub(at, stop)
        if length then break end
        out[#out + 1] = "\u{fffd}"
        at = bad + 1
    end
    return table.concat(out)
end

function json.string(text)
    return '"' .. valid(text):gsub('[%c"\\<>&\127]', function(c)
        return ESCAPES[c] or ("\\u%04x"):format(c:byte())
    end) .. '"'
end

-- Marks a table as a list, which an empty one does not tell.
local LIST = {}
function json.list(t) return setmetatable(t, LIST) end

-- The text of nil (null), booleans, numbers, strings, lists and tables with names, which are sorted. A number that JSON
-- does not have is null.
function json.encode(value)
    local kind = math.type(value) or type(value)
    if kind == "integer" then return ("%d"):format(value) end
    if kind == "float" then
        return value == value and value ~= math.huge and value ~= -math.huge and ("%.17g"):format(value) or "null"
    end
    if kind == "string" then return json.string(value) end
    if kind == "boolean" then return tostring(value) end
    if kind ~= "table" then return "null" end
    local out = {}
    if getmetatable(value) == LIST or #value > 0 then
        for i = 1, #value do out[i] = json.encode(value[i]) end
        return "[" .. table.concat(out, ",") .. "]"
    end
    local names = {}
    for name in pairs(value) do names[#names + 1] = name end
    table.sort(names)
    for i, name in ipairs(names) do out[i] = json.string(name) .. ":" .. json.encode(value[name]) end
    return "{" .. table.concat(out, ",") .. "}"
end

-- ---- reading ----

local NAMED = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }

local read

local function fail(at, what) error({ json = ("%s at byte %d"):format(what, at) }, 0) end

local function skip(text, at) return text:find("[^ \t\r\n]", at) or #text + 1 end

-- The character of "XXXX" behind \u at `at`, with its other half; and where it ends.
local function read_escape(text, at)
    local hex = text:match("^%x%x%x%x", at)
    if not hex then fail(at, "no character") end
    local code = tonumber(hex, 16)
    local low = code >= 0xd800 and code < 0xdc00 and text:match("^\\u([dD][c-fC-F]%x%x)", at + 4)
    if low then return utf8.char(0x10000 + (code - 0xd800) * 0x400 + tonumber(low, 16) - 0xdc00), at + 10 end
    if code >= 0xd800 and code < 0xe000 then code = 0xfffd end
    return utf8.char(code), at + 4
end

local function read_string(text, at)
    local out = {}
    at = at + 1
    while true do
        local stop = text:find('["\\%c]', at)
        if not stop then fail(at, "a string without end") end
        out[#out + 1] = text:sub(at, stop - 1)
        local c = text:sub(stop, stop)
        if c == '"' then return table.concat(out), stop + 1 end
        if c ~= "\\" and c ~= "\127" then fail(stop, "a control character in a string") end
        local letter = text:sub(stop + 1, stop + 1)
        if c == "\127" then
            out[#out + 1], at = c, stop + 1
        elseif letter == "u" then
            out[#out + 1], at = read_escape(text, stop + 2)
        else
            out[#out + 1], at = NAMED[letter] or fail(stop, "no escape"), stop + 2
        end
    end
end

local function read_list(text, at, depth)
    local list = json.list{}
    at = skip(text, at + 1)
    if text:sub(at, at) == "]" then return list, at + 1 end
    while true do
        local value
        value, at = read(text, at, depth)
        list[#list + 1] = value == nil and json.null or value
        at = skip(text, at)
        local c = text:sub(at, at)
        if c == "]" then return list, at + 1 end
        if c ~= "," then fail(at, "no comma") end
        at = at + 1
    end
end

local function read_object(text, at, depth)
    local object = {}
    at = skip(text, at + 1)
    if text:sub(at, at) == "}" then return object, at + 1 end
    while true do
        at = skip(text, at)
        if text:sub(at, at) ~= '"' then fail(at, "no name") end
        local name, value
        name, at = read_string(text, at)
        at = skip(text, at)
        if text:sub(at, at) ~= ":" then fail(at, "no colon") end
        value, at = read(text, at + 1, depth)
        object[name] = value
        at = skip(text, at)
        local c = text:sub(at, at)
        if c == "}" then return object, at + 1 end
        if c ~= "," then fail(at, "no comma") end
        at = at + 1
    end
end

local function is_number(text)
    local whole, rest = text:match "^%-?(%d+)(.*)$"
    if not whole or #whole > 1 and whole:sub(1, 1) == "0" then return false end
    rest = rest:gsub("^%.%d+", "", 1)
    return rest == "" or rest:match "^[eE][+-]?%d+$" ~= nil
end

-- The value that begins at `at`, and where it ends.
function read(text, at, depth)
    if depth > DEPTH then fail(at, "too deep") end
    at = skip(text, at)
    local c = text:sub(at, at)
    if c == '"' then return read_string(text, at) end
    if c == "{" then return read_object(text, at, depth + 1) end
    if c == "[" then return read_list(text, at, depth + 1) end
    local word = text:match("^[%w+.-]+", at) or fail(at, "no value")
    if word == "true" or word == "false" then return word == "true", at + #word end
    if word == "null" then return nil, at + 4 end
    if is_number(word) then return tonumber(word), at + #word end
    fail(at, "no value")
end

-- Stands for null in lists; named values that are null are absent.
json.null = setmetatable({}, { __tostring = function() return "null" end })

-- The value of a text; or nil and what is wrong with it.
function json.decode(text)
    local ok, value, at = pcall(read, text, 1, 0)
    if not ok then
        if type(value) == "table" and value.json then return nil, value.json end
        error(value, 0)
    end
    if skip(text, at) <= #text then return nil, ("more than a value at byte %d"):format(at) end
    return value
end

return json
