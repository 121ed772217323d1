-- The reader of what functions written in Lua are given, by the rows of percuss.parameter. What a value must be is
-- asked of the reader in C (percuss.row_core), so that both say the same: a wrong one is told with function, argument,
-- value, unit and what is allowed, at the line of the caller.
local pc = require "percuss"
local core = require "percuss.row_core"
local refuse = require "percuss.refuse"

local function with_article(word)
    return (word:match "^[aeiou]" and "an " or "a ") .. word
end

local function what(x)
    if x == nil then return "nothing" end
    return with_article(pc.type(x) or type(x))
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

local reader = {}

-- The named values in a table by their rows: known names with values that are allowed, and what is needed. `list`:
-- elements of its list belong to somebody else.
function reader.check(path, rows, given, list)
    local known, words, unknown = {}, {}, {}
    for i, row in ipairs(rows) do known[row.name], words[i] = true, row.name end
    for key in next, given do
        if not known[key] and not (list and math.type(key) == "integer") then unknown[#unknown + 1] = tostring(key) end
    end
    table.sort(unknown)
    if unknown[1] then refuse(core.unknown(path, unknown[1], words)) end
    for _, row in ipairs(rows) do
        local x = given[row.name]
        if x ~= nil or row.required then
            local wrong = core.wrong(path, row.name, row, x)
            if wrong then refuse(wrong) end
            if is_cut(x) then refuse(("%s: %s must not have a zero byte"):format(path, row.name)) end
            check_holes(path, row.name, x)
            if row.options and type(x) == "table" then reader.check(path .. ": " .. row.name, row.options, x) end
        end
    end
end

-- Whether x is of a percuss type; a plain table is none, though percuss has a type of that name.
local function is_of(x, owner)
    return pc.type(x) == owner and (type(x) == "userdata" or owner ~= "table")
end

local function takes_list(row)
    for _, kind in ipairs(row.kinds) do if kind == "list" then return true end end
    return false
end

-- The arguments by their rows, and the options in them.
local function check_arguments(path, rows, first, ...)
    for i, row in ipairs(rows) do
        local x = (select(first + i, ...))
        if x ~= nil or row.required then
            local name = ("argument %d, %s"):format(i, row.name)
            local wrong = core.wrong(path, name, row, x)
            if wrong then refuse((wrong:gsub("^(%S+: argument %d+, [%w_]+) must", "%1, must"))) end
            if is_cut(x) then refuse(("%s: %s, must not have a zero byte"):format(path, name)) end
            check_holes(path, row.name, x)
            if row.options and type(x) == "table" then reader.check(path, row.options, x, takes_list(row)) end
        end
    end
end

-- `f` behind a check of its arguments. A method's self must be of the type `owner`. Where there are entry.rows, it
-- takes one table of these; else entry.params are its arguments, and where entry.variadic is set, more values may
-- follow.
function reader.checked(path, f, entry, owner)
    local params = entry.params or {}
    local first = owner and 1 or 0
    local most = entry.rows and 1 or #params
    return function(...)
        if owner and not is_of((...), owner) then
            refuse(("%s: call it with a colon, as a method of %s, not of %s"):format(path, with_article(owner),
                what((...))))
        end
        if entry.rows then
            local x = (select(first + 1, ...))
            if type(x) ~= "table" then
                refuse(("%s: argument 1, options, must be a table, not %s"):format(path, what(x)))
            end
            reader.check(path, entry.rows, x, entry.list)
        else
            check_arguments(path, params, first, ...)
        end
        local given = select("#", ...) - first
        if not entry.variadic and given > most and select(first + most + 1, ...) ~= nil then
            refuse(("%s takes %d argument%s, not %d"):format(path, most, most == 1 and "" or "s", given))
        end
        return f(...)
    end
end

return reader
