-- Arguments of the functions that are written in Lua, checked against the types that their documentation names: a wrong
-- one is told with function, argument and what it must be, at the line of the caller.
local pc = require "percuss"
local refuse = require "percuss.refuse"

local function is_list(x) return type(x) == "table" or pc.type(x) == "array" end

local tests = {
    any = function() return true end,
    string = function(x) return type(x) == "string" end,
    number = function(x) return type(x) == "number" end,
    integer = function(x) return type(x) == "number" and math.tointeger(x) ~= nil end,
    boolean = function(x) return type(x) == "boolean" end,
    table = function(x) return type(x) == "table" or pc.type(x) == "table" end, -- a plain one or percuss.table
    list = is_list,
    array = is_list,
    ["function"] = function(x)
        local meta = type(x) == "table" and getmetatable(x)
        return type(x) == "function" or type(meta) == "table" and meta.__call ~= nil
    end,
}

-- Whether x is of one of the types, or one of the words, of a parameter's type: "array or number", "left | right".
local function fits(x, types)
    local has_words = types:find(" | ", 1, true)
    for word in types:gsub(" or ", " | "):gmatch "[^ |]+" do
        local test = tests[word]
        if test and test(x) or not test and (has_words and x == word or pc.type(x) == word) then return true end
    end
    return false
end

local function with_article(word)
    return (word:match "^[aeiou]" and "an " or "a ") .. word
end

local function what(x)
    if x == nil then return "nothing" end
    return with_article(pc.type(x) or type(x))
end

-- What a parameter must be, in a sentence.
local function wanted(types)
    if not types:find(" | ", 1, true) then return with_article(types) end
    local words = {}
    for word in types:gmatch "[^ |]+" do
        words[#words + 1] = tests[word] and with_article(word) or '"' .. word .. '"'
    end
    return table.concat(words, ", ", 1, #words - 1) .. " or " .. words[#words]
end

-- What came instead: its type, or where words are wanted the word, with the one that it may have meant.
local function got(x, types)
    if type(x) ~= "string" or not types:find(" | ", 1, true) then return what(x) end
    local words = {}
    for word in types:gmatch "[^ |]+" do words[#words + 1] = word end
    local near = pc.nearest(x, words)
    return '"' .. x .. '"' .. (near and "; did you mean '" .. near .. "'?" or "")
end

-- Names go to C, which would cut them at a zero byte: another file would be written than the one that was meant.
local function is_cut(x)
    return type(x) == "string" and x:find("\0", 1, true) ~= nil
end

-- A list with a hole is read by some loops up to the hole and by others beyond it. Lists in the list are looked at too.
local function check_holes(path, name, x, inner)
    if type(x) ~= "table" then return end
    for i = 1, rawlen(x) do
        local element = rawget(x, i)
        if element == nil then refuse(("%s: %s has nothing at [%d]"):format(path, name, i)) end
        if not inner then check_holes(path, ("%s[%d]"):format(name, i), element, true) end
    end
end

-- Types of the fields of a table. `missing`: those that are not there and have no default are told too.
local function check_fields(path, params, given, missing)
    for _, param in ipairs(params) do
        local x = given[param.name]
        if not fits(x, param.type) and (x ~= nil or missing and not param.default) then
            refuse(("%s: %s must be %s, not %s"):format(path, param.name, wanted(param.type), got(x, param.type)))
        end
        if is_cut(x) then refuse(("%s: %s must not have a zero byte"):format(path, param.name)) end
        check_holes(path, param.name, x)
    end
end

-- The options in a table: known names with values of their types. Elements of its list are what the parameter is about.
local function check_options(path, param, given)
    local known, words, unknown = {}, {}, {}
    for i, option in ipairs(param.options) do known[option.name], words[i] = option, option.name end
    for key in next, given do
        if not known[key] and not (math.type(key) == "integer" and param.type:find "list") then
            unknown[#unknown + 1] = tostring(key)
        end
    end
    table.sort(unknown)
    if unknown[1] then
        local near = pc.nearest(unknown[1], words)
        refuse(("%s has no option '%s'%s"):format(path, unknown[1], near and "; did you mean '" .. near .. "'?"
            or "; it has: " .. table.concat(words, ", ")))
    end
    check_fields(path, param.options, given, true)
end

-- Whether x is of a percuss type; a plain table is none, though percuss has a type of that name.
local function is_of(x, owner)
    return pc.type(x) == owner and (type(x) == "userdata" or owner ~= "table")
end

-- `f` behind a check of its arguments. A method's self must be of the type `owner`. Where entry.named is set, the
-- parameters are fields of one table, whose names the function checks itself; where entry.variadic is set, more values
-- may follow.
local function checked(path, f, entry, owner)
    local params = entry.named and { { name = "options", type = "table" } } or entry.params or {}
    local first = owner and 1 or 0
    return function(...)
        if owner and not is_of((...), owner) then
            refuse(("%s: call it with a colon, as a method of %s, not of %s"):format(path, with_article(owner),
                what((...))))
        end
        for i, param in ipairs(params) do
            local x = (select(first + i, ...))
            if not fits(x, param.type) and not (x == nil and param.default) then
                refuse(("%s: argument %d, %s, must be %s, not %s"):format(path, i, param.name, wanted(param.type),
                    got(x, param.type)))
            end
            if is_cut(x) then
                refuse(("%s: argument %d, %s, must not have a zero byte"):format(path, i, param.name))
            end
            check_holes(path, param.name, x)
            if param.options and type(x) == "table" then check_options(path, param, x) end
            if entry.named then check_fields(path, entry.params, x) end
        end
        local given = select("#", ...) - first
        if not entry.variadic and given > #params and select(first + #params + 1, ...) ~= nil then
            refuse(("%s takes %d argument%s, not %d"):format(path, #params, #params == 1 and "" or "s", given))
        end
        return f(...)
    end
end

return checked
