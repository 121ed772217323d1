-- What Tab offers. src/repl/complete.c asks with the text before the word; everything is read raw: nobody's metamethods
-- are called, and of objects only the fields that percuss itself defines are followed.
local pc = require "percuss"

local complete = {}

local globals, get_metatable = _G, debug.getmetatable

-- Chains of __index longer than this are cut: they may be circular.
local INDEX_CHAIN = 16

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
    while]]):gmatch "%a+" do
    KEYWORDS[#KEYWORDS + 1] = word
end

local GREEK = {}
do
    local names = [[alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final sigma
        tau upsilon phi chi psi omega]]
    local code = 0x3b1
    for name in names:gmatch "%a+" do
        if name ~= "final" then -- the sigma at the end of words is no symbol
            GREEK[name] = utf8.char(code)
            GREEK[name:gsub("^%a", string.upper)] = utf8.char(code - 32)
        end
        code = code + 1
    end
end

local function starts(text, prefix)
    return text:sub(1, #prefix) == prefix
end

-- The table of names of a percuss object: functions are methods, all else is a property.
local function names_of_object(value)
    local meta = type(value) == "userdata" and get_metatable(value)
    local names = type(meta) == "table" and rawget(meta, "__names")
    return type(names) == "table" and names or nil
end

-- Call f with each table in which a field of `value` may be found, until it returns something.
local function along_index(value, f)
    for _ = 1, INDEX_CHAIN do
        if type(value) == "table" then
            local found = f(value)
            if found ~= nil then return found end
        end
        local meta = get_metatable(value)
        value = type(meta) == "table" and rawget(meta, "__index") or nil
        if type(value) ~= "table" then return nil end
    end
end

local function field(value, name)
    local names = names_of_object(value)
    if not names then return along_index(value, function(t) return rawget(t, name) end) end
    local known = rawget(names, name)
    if known == nil or type(known) == "function" then return known end
    local ok, result = pcall(function() return value[name] end)
    return ok and result or nil
end

-- The value of "a.b:c" among the globals, or nil.
local function resolve(path)
    local value
    for name in path:gmatch "[^.:]+" do
        if not name:match "^[%a_][%w_]*$" then return nil end
        if value == nil then value = rawget(globals, name) else value = field(value, name) end
        if value == nil then return nil end
    end
    return value
end

local function add_keys(list, value, path, prefix, only_functions)
    local function add(name, is_function)
        if type(name) == "string" and name:match "^[%a_][%w_]*$" and starts(name, prefix)
            and (is_function or not only_functions) then
            list[#list + 1] = path .. name
        end
    end
    local names = names_of_object(value)
    if names then
        for name, what in next, names do add(name, type(what) == "function") end
        return
    end
    along_index(value, function(t)
        for name, what in next, t do add(name, type(what) == "function") end
    end)
end

-- Text before the innermost brace that is still open, and what stands in it; nil if a bracket of another kind is
-- innermost or nothing is open. Strings and comments are skipped by the rules of Lua's manual, section 3.1.
local function open_brace(text)
    local stack, at = {}, 1
    while at <= #text do
        local long = text:match("^%-?%-?%[(=*)%[", at)
        local c = text:sub(at, at)
        if long then
            local _, stop = text:find("]" .. long .. "]", at, true)
            at = (stop or #text) + 1
        elseif text:find("^%-%-", at) then
            at = (text:find("\n", at, true) or #text) + 1
        elseif c == '"' or c == "'" then
            at = at + 1
            while at <= #text and text:sub(at, at) ~= c do
                at = at + (text:sub(at, at) == "\\" and 2 or 1)
            end
            at = at + 1
        else
            if c:find "[%[({]" then stack[#stack + 1] = at end
            if c:find "[%])}]" then stack[#stack] = nil end
            at = at + 1
        end
    end
    local top = stack[#stack]
    if top and text:sub(top, top) == "{" then return text:sub(1, top - 1), text:sub(top + 1) end
end

-- Documentation of the options that the open brace takes: rows of a constructor, or named arguments.
local function options_at(before)
    local head, inside = open_brace(before)
    local path = head and head:match "([%a_][%w_.:]*)%s*%(?%s*$"
    local value = path and resolve(path)
    local entry = value ~= nil and pc.lookup(value)
    if not entry then return nil end
    return entry.rows or entry.params, inside
end

local function option_names(before, prefix)
    local options, inside = options_at(before)
    if not options or not inside:match "^%s*$" and not inside:match "[,;]%s*$" then return {} end
    local given, list = {}, {}
    for name in inside:gmatch "([%a_][%w_]*)%s*=" do given[name] = true end
    for _, option in ipairs(options) do
        local taken = given[option.name] or given[option.symbol]
        for _, name in ipairs{ option.name, option.symbol } do
            if not taken and starts(name, prefix) then list[#list + 1] = name end
        end
    end
    -- the only one is written out
    if #list == 1 then list[1] = list[1] .. " = " end
    return list
end

-- Words that the option takes whose "name =" stands before the cursor.
local function choices_at(before)
    local name = before:match "([%a_][%w_]*)%s*=%s*$"
    for _, option in ipairs(name and options_at(before) or {}) do
        if option.name == name or option.symbol == name then
            return option.choices or option.type == "boolean" and { "true", "false" }, option.type == "boolean"
        end
    end
end

local function only(list, prefix)
    local found = {}
    for _, word in ipairs(list or {}) do
        if starts(word, prefix) then found[#found + 1] = word end
    end
    return found
end

-- Inside a string: nil means that it may be the name of a file.
local function in_string(before, word)
    local head = before:sub(1, -2)
    local choices, is_boolean = choices_at(head)
    if choices and not is_boolean then return only(choices, word) end
    if head:match "%f[%w_]help%s*%(?%s*$" then
        local list = {}
        for _, entry in ipairs(pc.register()) do list[#list + 1] = entry.path end
        return only(list, word)
    end
end

local function greek(word)
    local name = word:match "^\\(%a*)$"
    if not name then return nil end
    if GREEK[name] then return { GREEK[name] } end
    local list, letter = {}, nil
    for known, symbol in pairs(GREEK) do
        if starts(known, name) then
            list[#list + 1] = "\\" .. known
            letter = symbol
        end
    end
    return #list == 1 and { letter } or list
end

-- The list of what `word` may become; `before` is the statement up to it, with earlier lines. In a string nil asks for
-- names of files.
function complete.candidates(before, word, is_string)
    local letters = greek(word)
    if letters then return letters end
    if is_string then return in_string(before, word) end

    local path, name = word:match "^(.*[.:])([%w_]*)$"
    if path then
        local list, owner = {}, resolve((path:gsub("[.:]$", "")))
        if owner ~= nil and not path:find "[.:][.:]" then add_keys(list, owner, path, name, path:sub(-1) == ":") end
        return list
    end
    local list = option_names(before, word)
    if #list > 0 then return list end
    local choices, is_boolean = choices_at(before)
    for _, choice in ipairs(choices or {}) do
        local text = is_boolean and choice or '"' .. choice .. '"'
        if starts(text, word) then list[#list + 1] = text end
    end
    if #list > 0 then return list end
    if not word:match "^[%a_]?[%w_]*$" or word:match "^%d" then return list end
    add_keys(list, globals, "", word, false)
    for _, keyword in ipairs(only(KEYWORDS, word)) do list[#list + 1] = keyword end
    return list
end

return complete
