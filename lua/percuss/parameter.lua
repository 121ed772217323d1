-- Rows of what functions written in Lua take, with the fields that rows in C have in the register: name, type, kinds,
-- choices, unit, least, above, most, below, allowed, default, initial, required, doc, options. The reader
-- (percuss.argument) checks calls against them; help, completion, the manual and annotations tell them.
local parameter = {}

local TYPES = { any = true, boolean = true, string = true, number = true, integer = true, ["function"] = true,
    table = true, list = true, array = true }

-- "0.5" of 0.5 and "2" of 2.0, '"light"' of a string.
local function literal(value)
    if type(value) == "string" then return '"' .. value .. '"' end
    return type(value) == "number" and ("%.14g"):format(value) or tostring(value)
end

-- One argument, or one option of a table. `kinds`: what it may be, one of TYPES or of percuss's own types, or a list of
-- such. `more`: words (which a string may be), unit, least or above, most or below, default (a value) or otherwise (in
-- words, what holds without one). With neither of these two it is needed.
function parameter.row(name, kinds, doc, more)
    more = more or {}
    kinds = type(kinds) == "table" and kinds or { kinds }
    local has_numbers = false
    for _, kind in ipairs(kinds) do has_numbers = has_numbers or kind == "number" end
    local default = more.otherwise
    if more.default ~= nil then default = literal(more.default) end
    local row = {
        name = name, type = table.concat(kinds, " or "), kinds = kinds, choices = more.words, doc = doc,
        unit = more.unit or has_numbers and "" or nil, default = default, initial = more.default,
        required = default == nil or nil, least = more.least, above = more.above, most = more.most, below = more.below,
    }
    if row.least or row.above or row.most or row.below then row.allowed = parameter.allowed(row) end
    return row
end

-- "from 1 to 256", "> 0 s".
function parameter.allowed(row)
    return require("percuss.row_core").allowed(row)
end

-- The parameter with the options that its table takes: rows; those of several lists may be given.
function parameter.with(row, ...)
    row.options = {}
    for _, list in ipairs{ ... } do table.move(list, 1, #list, #row.options + 1, row.options) end
    return row
end

function parameter.is_type(kind) return TYPES[kind] or false end

local row = parameter.row

-- Where a picture goes, and how large it is.
parameter.file = { row("file", "string", "name of a file, whose ending says the format",
    { otherwise = "drawn inline" }) }
parameter.title = { row("title", "string", "above the picture", { otherwise = "none" }) }
parameter.size = {
    row("width", "number", "of the picture", { otherwise = "from the panels", unit = "pixels" }),
    row("height", "number", "of the picture", { otherwise = "from the panels", unit = "pixels" }),
}

return parameter
