-- Rows that document what functions written in Lua take; percuss.argument checks calls against them.
local parameter = {}

-- One parameter, or one option of a table. `kind`: types joined by " or ", or the words that a string may be joined by
-- " | ". Without `default` it is needed.
function parameter.row(name, kind, doc, default, unit)
    return { name = name, type = kind, doc = doc, default = default, unit = unit }
end

-- The parameter with the options that its table takes: rows; those of several lists may be given.
function parameter.with(row, ...)
    row.options = {}
    for _, list in ipairs{ ... } do table.move(list, 1, #list, #row.options + 1, row.options) end
    return row
end

local row = parameter.row

-- Where a picture goes, and how large it is.
parameter.file = { row("file", "string", "name of a file, whose ending says the format", "drawn inline") }
parameter.title = { row("title", "string", "above the picture", "none") }
parameter.size = {
    row("width", "number", "of the picture", "from the panels", "pixels"),
    row("height", "number", "of the picture", "from the panels", "pixels"),
}

return parameter
