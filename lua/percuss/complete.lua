-- What Tab offers. src/repl/complete.c asks with the text before the word; everything is read raw: nobody's metamethods
-- are called, and of objects only the fields that percuss itself defines are followed.
local pc = require "percuss"
local place_of = require "percuss.complete_place"
local strict = require "percuss.strict"

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

-- The table of names of a percuss object or record: functions are methods, all else is a property.
local function names_of_object(value)
    local meta = (type(value) == "userdata" or type(value) == "table") and get_metatable(value)
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
    if type(known) == "function" then return known end
    if type(value) == "table" then return rawget(value, name) end
    if known == nil then return nil end
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

complete.resolve = resolve

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
        -- a record may have columns of its own
        for name, what in next, type(value) == "table" and value or {} do
            if names[name] == nil then add(name, type(what) == "function") end
        end
        return
    end
    along_index(value, function(t)
        for name, what in next, t do add(name, type(what) == "function") end
    end)
end

-- ---- options and words ----

-- Documentation of what `path` calls. A method of what no name leads to, as in f():panel{ or local_name:plot{, may be
-- that of several types.
local function entries_of(path)
    local value = resolve(path)
    local entry = value ~= nil and (pc.lookup(value) or pc.lookup(strict.namesake(value)))
    if entry then return { entry } end
    local method, list = value == nil and path:match ":([%a_][%w_]*)$", {}
    for _, other in ipairs(method and pc.register() or {}) do
        if other.kind == "method" and other.path:match ":(.*)$" == method then list[#list + 1] = other end
    end
    return list
end

-- What the table at an argument of an entry takes by name: its rows, or the options of the argument.
local function add_options(list, entry, argument)
    local param = (entry.params or {})[argument]
    local rows = argument == 1 and entry.rows or param and param.options or {}
    table.move(rows, 1, #rows, #list + 1, list)
end

-- The options that the open brace before the cursor takes, and the text inside it; or nil.
local function options_at(before)
    local place = place_of(before)
    if not place or not place.inside then return nil end
    local list = {}
    for _, entry in ipairs(entries_of(place.path)) do add_options(list, entry, place.argument) end
    return list, place.inside
end

local function option_names(before, prefix)
    local options, inside = options_at(before)
    if not options or not inside:match "^%s*$" and not inside:match "[,;]%s*$" then return {} end
    local given, list, seen = {}, {}, {}
    for name in inside:gmatch "([%a_][%w_]*)%s*=" do given[name] = true end
    for _, option in ipairs(options) do
        local taken = given[option.name] or given[option.symbol]
        for _, name in ipairs{ option.name, option.symbol } do
            if not taken and not seen[name] and starts(name, prefix) then
                list[#list + 1] = name
                seen[name] = true
            end
        end
    end
    -- the only one is written out
    if #list == 1 then list[1] = list[1] .. " = " end
    return list
end

-- ---- objects and columns ----

-- Where constructors of a type and its ready values live, by type.
local HOMES = { material = "material", law = "contact", body = "body", solver = "solver" }

-- What may stand for an object of one of percuss's types: names that hold one, ready ones, and constructors.
local function objects_of(kind, prefix)
    local list = {}
    for name, value in next, globals do
        if type(name) == "string" and name:match "^[%a_][%w_]*$" and name ~= "_" and pc.type(value) == kind then
            list[#list + 1] = name
        end
    end
    local home = HOMES[kind]
    local members = home and resolve(home)
    if members ~= nil and members == rawget(pc, home) then
        along_index(members, function(t)
            for name, value in next, t do
                local entry = pc.lookup(value)
                if type(name) == "string" and (pc.type(value) == kind or entry and entry.kind == "constructor") then
                    list[#list + 1] = home .. "." .. name
                end
            end
        end)
    end
    local found = {}
    for _, word in ipairs(list) do if starts(word, prefix) then found[#found + 1] = word end end
    return found
end

-- The type of percuss that the value at the end of `before` has to be of; nil where that is not known.
local function object_at(before)
    local name = before:match "([%a_][%w_]*)%s*=%s*$"
    local rows = {}
    if name then
        rows = options_at(before) or {}
    else
        local place = place_of(before)
        for _, entry in ipairs(place and not place.inside and entries_of(place.path) or {}) do
            rows[#rows + 1] = (entry.params or {})[place.argument]
        end
    end
    for _, row in ipairs(rows) do
        if (not name or row.name == name or row.symbol == name) and type(row.type) == "string" then
            for kind in row.type:gmatch "[%a_]+" do
                if HOMES[kind] or kind == "scene" or kind == "impact" then return kind end
            end
        end
    end
end

-- Words that stand for several columns in run:plot.
local GROUPS = { "total", "ledger", "angles", "rates", "gaps", "forces", "reactions" }

local function is_column_row(row)
    return row and (row.doc or ""):find "column" and not row.choices and (row.type or ""):find "string"
end

-- Columns that a method may be asked for, as in hit:plot{ "F_; nil where the place takes none.
local function columns_at(before)
    local place = place_of(before)
    local owner = place and place.path:match "^([%a_][%w_.]*):[%a_][%w_]*$"
    local object = owner and resolve(owner)
    if object == nil then return nil end
    local wanted = false
    for _, entry in ipairs(entries_of(place.path)) do
        local row = (entry.params or {})[place.argument]
        wanted = wanted or is_column_row(row) and (not place.inside or not place.inside:match "[%w_]%s*=%s*$")
    end
    if not wanted then return nil end
    local ok, names = pcall(function()
        local kind = pc.type(object)
        if kind == "impact" then return object:trace(2).names end
        if kind == "run" then
            local list = object:columns({ object.time }).names
            return place.path:find ":plot$" and table.move(GROUPS, 1, #GROUPS, #list + 1, list) or list
        end
        return object.names
    end)
    return ok and type(names) == "table" and names or nil
end

-- Words that may stand at the end of `before`: those of the option whose "name =" it ends with, or of the argument. The
-- second result tells that they are no strings.
local function choices_at(before)
    local name = before:match "([%a_][%w_]*)%s*=%s*$"
    local list, seen = {}, {}
    local function add(words)
        for _, word in ipairs(words or {}) do
            if not seen[word] then list[#list + 1] = word end
            seen[word] = true
        end
    end
    if name then
        for _, option in ipairs(options_at(before) or {}) do
            if option.name == name or option.symbol == name then
                if option.type == "boolean" then return { "true", "false" }, true end
                add(option.choices)
            end
        end
        return list
    end
    local place = place_of(before)
    if not place or place.inside then return list end
    for _, entry in ipairs(entries_of(place.path)) do
        local param = (entry.params or {})[place.argument]
        if param then add(param.choices) end
    end
    return list
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
    if #choices > 0 and not is_boolean then return only(choices, word) end
    local columns = columns_at(head)
    if columns then return only(columns, word) end
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
    local kind = path and object_at(before)
    if kind and path == (HOMES[kind] or "") .. "." then
        local list = objects_of(kind, word)
        if #list > 0 then return list end
    end
    if path then
        local list, owner = {}, resolve((path:gsub("[.:]$", "")))
        if owner ~= nil and not path:find "[.:][.:]" then add_keys(list, owner, path, name, path:sub(-1) == ":") end
        return list
    end
    local list = option_names(before, word)
    if #list > 0 then return list end
    local choices, is_boolean = choices_at(before)
    for _, choice in ipairs(choices) do
        local text = is_boolean and choice or '"' .. choice .. '"'
        if starts(text, word) then list[#list + 1] = text end
    end
    if #list > 0 then return list end
    kind = object_at(before)
    list = kind and objects_of(kind, word) or {}
    if #list > 0 then return list end
    if not word:match "^[%a_]?[%w_]*$" or word:match "^%d" then return list end
    add_keys(list, globals, "", word, false)
    for _, keyword in ipairs(only(KEYWORDS, word)) do list[#list + 1] = keyword end
    return list
end

return complete
