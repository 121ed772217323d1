-- Arguments of the functions that are written in Lua, checked against the types that their documentation names: a wrong
-- one is told with function, argument and what it must be, at the line of the caller.
local pc = require "percuss"

local function is_list(x) return type(x) == "table" or pc.type(x) == "array" end

local tests = {
    any = function() return true end,
    string = function(x) return type(x) == "string" end,
    number = function(x) return type(x) == "number" end,
    integer = function(x) return type(x) == "number" and math.tointeger(x) ~= nil end,
    boolean = function(x) return type(x) == "boolean" end,
    table = function(x) return pc.type(x) == "table" end, -- a plain one or percuss.table
    list = is_list,
    array = is_list,
    ["function"] = function(x)
        local meta = type(x) == "table" and getmetatable(x)
        return type(x) == "function" or type(meta) == "table" and meta.__call ~= nil
    end,
}

local function fits(x, types)
    for word in types:gmatch "%a+" do
        local test = tests[word]
        if word ~= "or" and (test and test(x) or not test and pc.type(x) == word) then return true end
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

-- `f` behind a check of its arguments. A method's self must be of the type `owner`. Where entry.named is set, the
-- parameters are fields of one table, which the function checks itself.
local function checked(path, f, entry, owner)
    local params = entry.named and { { name = "options", type = "table" } } or entry.params or {}
    local first = owner and 1 or 0
    return function(...)
        if owner and (type((...)) ~= "userdata" or pc.type((...)) ~= owner) then
            error(("%s: call it with a colon, as a method of %s, not of %s"):format(path, with_article(owner),
                what((...))), 2)
        end
        for i, param in ipairs(params) do
            local x = (select(first + i, ...))
            if not fits(x, param.type) and not (x == nil and param.default) then
                error(("%s: argument %d, %s, must be %s, not %s"):format(path, i, param.name, with_article(param.type),
                    what(x)), 2)
            end
        end
        return f(...)
    end
end

return checked
