-- Values as a person wants to see them: short, aligned, with units. The prompt prints by this; percuss.prompt.show and
-- percuss.prompt.text give it to scripts.
local pc = require "percuss"

local pretty = {}

-- What is printed of nested tables, of long lists, and of the width of a line.
local DEPTH, ITEMS, WIDTH = 4, 20, 100

-- Keys that have an order of their own; all others are sorted by name.
local RANK = {}
for rank, name in ipairs{ "t", "n", "t2", "x", "y", "z" } do RANK[name] = rank end

local KEYWORD = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
    while]]):gmatch "%a+" do
    KEYWORD[word] = true
end

-- Escape sequences of a terminal, or nothing.
local paint = { unit = "", string = "", off = "" }

function pretty.colour(on)
    paint = on and { unit = "\27[2m", string = "\27[32m", off = "\27[0m" } or { unit = "", string = "", off = "" }
end

-- Columns of text on the screen, without escape sequences.
local function width_of(text)
    text = text:gsub("\27%[[%d;]*m", "")
    return utf8.len(text) or #text
end

-- Six digits inside of tables, where many numbers stand side by side; alone, a number is printed as Lua does.
local function number(x)
    if math.type(x) == "integer" then return tostring(x) end
    if x ~= x then return "nan" end
    if x == 0 then return "0" end -- also for -0
    return string.format("%.6g", x)
end

local function with_unit(text, unit)
    if not unit or unit == "" then return text end
    return text .. " " .. paint.unit .. unit .. paint.off
end

local function one_line(text)
    text = text:gsub("\n.*", " ...")
    return text
end

local function quoted(text)
    local short = #text > 200 and text:sub(1, 197) .. "..." or text
    return paint.string .. string.format("%q", short):gsub("\\\n", "\\n") .. paint.off
end

-- A value that is no table, inside of one.
local function scalar(value)
    local kind = type(value)
    if kind == "number" then return number(value) end
    if kind == "string" then return quoted(value) end
    if kind == "function" then
        local entry = pc.lookup(value)
        return entry and entry.path .. "()" or "function"
    end
    local ok, text = pcall(tostring, value)
    return ok and one_line(text) or kind
end

local function is_plain(value)
    if type(value) ~= "table" then return false end
    local meta = getmetatable(value)
    if type(meta) ~= "table" then return meta == nil end
    return rawget(meta, "__record") or not rawget(meta, "__tostring") and not rawget(meta, "__name")
end

-- Keys outside of the list 1..n, in order.
local function other_keys(t, n, rank)
    local keys = {}
    for key in next, t do
        if not (math.type(key) == "integer" and key >= 1 and key <= n) then keys[#keys + 1] = key end
    end
    table.sort(keys, function(a, b)
        if type(a) ~= type(b) then return type(a) < type(b) end
        if type(a) == "number" then return a < b end
        if type(a) ~= "string" then return tostring(a) < tostring(b) end
        local rank_a, rank_b = rank[a] or RANK[a] or math.huge, rank[b] or RANK[b] or math.huge
        if rank_a ~= rank_b then return rank_a < rank_b end
        return a < b
    end)
    return keys
end

local function key_text(key)
    if type(key) == "string" and key:match "^[%a_][%w_]*$" and not KEYWORD[key] then return key end
    return "[" .. (type(key) == "string" and string.format("%q", key) or scalar(key)) .. "]"
end

-- Records: a list of tables with named fields. Returns the fields that are no tables, which become columns, and those
-- that are.
local function record_keys(t, n)
    if n < 2 then return nil end
    local column, nested = {}, {}
    for i = 1, math.min(n, ITEMS) do
        local item = rawget(t, i)
        if not is_plain(item) or next(item) == nil or rawget(item, 1) ~= nil then return nil end
        for key, value in next, item do
            if type(key) ~= "string" then return nil end
            local kind = is_plain(value) and nested or column
            kind[key] = true
        end
    end
    for key in pairs(nested) do column[key] = nil end
    if next(column) then return column, nested end
end

local function aligned(rows)
    local width = {}
    for _, row in ipairs(rows) do
        for c, cell in ipairs(row) do width[c] = math.max(width[c] or 0, width_of(cell)) end
    end
    local lines = {}
    for _, row in ipairs(rows) do
        local cells = {}
        for c, cell in ipairs(row) do cells[c] = string.rep(" ", width[c] - width_of(cell)) .. cell end
        lines[#lines + 1] = table.concat(cells, "  ")
    end
    return table.concat(lines, "\n")
end

local function more(n)
    return string.format("... %d more", n)
end

local function records_text(t, n, column, nested, context)
    local keys, tables = other_keys(column, 0, context.rank), other_keys(nested, 0, context.rank)
    local head = { "" }
    for _, key in ipairs(keys) do
        local unit = type(context.units) == "table" and context.units[key]
        head[#head + 1] = type(unit) == "string" and unit ~= "" and key .. " [" .. unit .. "]" or key
    end
    local rows = { head }
    for i = 1, math.min(n, ITEMS) do
        local row = { "[" .. i .. "]" }
        for _, key in ipairs(keys) do
            local value = rawget(rawget(t, i), key)
            row[#row + 1] = value == nil and "-" or type(value) == "string" and value or scalar(value)
        end
        rows[#rows + 1] = row
    end
    local text = aligned(rows)
    if width_of(text:match "^[^\n]*") > pretty.width then return nil end
    if n > ITEMS then text = text .. "\n" .. more(n - ITEMS) end
    return #tables > 0 and text .. "\neach with " .. table.concat(tables, ", ") or text
end

local describe

-- Names and texts of what a table holds, as far as it is shown; `units` by key, and for what is in a list those of it.
local function parts_of(t, context, depth, units)
    local n = rawlen(t)
    local keys = other_keys(t, n, context.rank)
    if units and rawget(t, "units") == units then
        -- a trace: what is said beside the columns need not be said again
        for i = #keys, 1, -1 do
            if keys[i] == "names" or keys[i] == "units" then table.remove(keys, i) end
        end
    end
    local parts, hidden = {}, 0
    for i = 1, n do
        if i > ITEMS then
            hidden = n - ITEMS
            break
        end
        parts[i] = { nil, describe(rawget(t, i), context, depth + 1, units) }
    end
    for i, key in ipairs(keys) do
        if i > 2 * ITEMS then
            hidden = hidden + #keys - 2 * ITEMS
            break
        end
        local value = rawget(t, key)
        parts[#parts + 1] = { key_text(key), describe(value, context, depth + 1, units and units[key]) }
    end
    if hidden > 0 then parts[#parts + 1] = { nil, more(hidden) } end
    return parts
end

local function in_one_line(parts)
    local words = {}
    for i, part in ipairs(parts) do words[i] = part[1] and part[1] .. " = " .. part[2] or part[2] end
    local text = "{ " .. table.concat(words, ", ") .. " }"
    return not text:find "\n" and width_of(text) <= pretty.width and text or nil
end

local function in_lines(parts, depth)
    local width, indent = 0, string.rep("    ", depth)
    for _, part in ipairs(parts) do width = math.max(width, part[1] and width_of(part[1]) or 0) end
    width = math.min(width, 24)
    local lines = { "{" }
    for _, part in ipairs(parts) do
        local name = part[1] and part[1] .. string.rep(" ", width - width_of(part[1])) .. " = " or ""
        lines[#lines + 1] = indent .. "    " .. name .. part[2] .. ","
    end
    lines[#lines + 1] = indent .. "}"
    return table.concat(lines, "\n")
end

-- Units that are a word belong to all the numbers of a value and stand behind it.
function describe(value, context, depth, units)
    if type(units) == "string" then
        local kind = type(value)
        local text = describe(value, context, depth)
        return (kind == "number" or kind == "table" or kind == "userdata") and with_unit(text, units) or text
    end
    if not is_plain(value) then return scalar(value) end
    if next(value) == nil then return "{}" end
    if context.above[value] then return "{ itself }" end
    if depth >= DEPTH then return "{ ... }" end
    if depth == 0 then
        local n = rawlen(value)
        local column, nested = record_keys(value, n)
        local text = column and records_text(value, n, column, nested, context)
        if text then return text end
    end
    context.above[value] = true
    local parts = parts_of(value, context, depth, units)
    context.above[value] = nil
    return in_one_line(parts) or in_lines(parts, depth)
end

-- The text of a value. `unit` belongs to all its numbers, or is a table of units by key; a table may name the units of
-- its fields itself, as a trace does. `doc` may name its fields (".before, .after") in their order.
function pretty.text(value, unit, doc)
    if type(value) == "string" then return value end
    if type(value) == "function" then
        local entry = pc.lookup(value)
        return entry and entry.path .. (entry.rows and "{ ... }: " or "(...): ") .. entry.summary or tostring(value)
    end
    if not is_plain(value) then
        local text = tostring(value)
        return with_unit(text, unit)
    end
    local context = { above = {}, rank = {} }
    local rank = 0
    for name in (doc or ""):gmatch "%.([%a_][%w_]*)" do
        rank = rank + 1
        context.rank[name] = context.rank[name] or rank
    end
    local own, meta = rawget(value, "units"), getmetatable(value)
    -- a type of records knows the units and the order of its fields
    local order = type(meta) == "table" and rawget(meta, "__order") or {}
    for i, name in ipairs(order) do context.rank[name] = context.rank[name] or rank + i end
    context.units = type(own) == "table" and own or #order > 0 and rawget(meta, "__units") or unit
    return describe(value, context, 0, context.units)
end

-- The same without escape sequences: what tostring makes of a record.
function pretty.plain(value)
    local painted = paint
    pretty.colour(false)
    local ok, text = pcall(pretty.text, value)
    paint = painted
    if not ok then error(text, 0) end
    return text
end

-- Columns that a line may take: the window's, as the prompt finds it.
pretty.width = WIDTH

return pretty
