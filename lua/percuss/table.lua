-- What tables can do: choosing, ordering and joining rows, statistics, text, files and charts.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local report = require "percuss.report"

local M = {}

local function fail(format, ...)
    refuse(string.format(format, ...))
end

local function with_unit(name, unit)
    return unit ~= "" and name .. " [" .. unit .. "]" or name
end

-- Columns of a table as the list that percuss.table takes.
local function columns_of(t)
    local list = {}
    for i, name in ipairs(t.names) do list[i] = { name, t:column(name), unit = t.units[name] } end
    return list
end

-- ---- text ----

local function cell(x)
    return x ~= x and "-" or string.format("%.6g", x)
end

local function rows_text(t, shown)
    local header, rows = {}, {}
    for c, name in ipairs(t.names) do header[c] = with_unit(name, t.units[name]) end
    rows[1] = header
    for _, i in ipairs(shown) do
        local row = {}
        for c, name in ipairs(t.names) do row[c] = i == 0 and "..." or cell(t:column(name)[i]) end
        rows[#rows + 1] = row
    end
    return report.aligned(rows, "  ")
end

-- What a sweep says of itself below its rows.
local function state_text(info)
    local words = {}
    local function add(n, format) if n and n > 0 then words[#words + 1] = string.format(format, n) end end
    add(info.computed, "%d computed")
    add(info.skipped, "%d from the store")
    add(info.failed, "%d failed")
    add(info.missing, "%d missing")
    if #words == 0 then return nil end
    local first
    for i in pairs(info.failures or {}) do first = math.min(first or i, i) end
    local why = first and ("; point %d: %s"):format(first, info.failures[first]:match "[^\n]*") or ""
    return "  " .. table.concat(words, ", ") .. why
end

-- The text of tostring: long tables show their beginning and their end.
function M.text(t)
    local shown, n = {}, #t
    local head, tail = n <= 24 and n or 12, n <= 24 and 0 or 8
    for i = 1, head do shown[#shown + 1] = i end
    if tail > 0 then shown[#shown + 1] = 0 end
    for i = n - tail + 1, n do if tail > 0 then shown[#shown + 1] = i end end
    local lines = { string.format("table of %d row%s", n, n == 1 and "" or "s") }
    if #t.names > 0 then lines[2] = rows_text(t, shown) end
    lines[#lines + 1] = state_text(t.info)
    return table.concat(lines, "\n")
end

function M.print(t)
    local all = {}
    for i = 1, #t do all[i] = i end
    print(rows_text(t, all))
end

-- ---- rows and columns ----

-- The rows of a mask of zeros and ones, or those for which a function of the row is true.
function M.filter(t, which)
    local mask = which
    if type(which) == "function" then
        mask = pc.array.zeros(#t)
        for i = 1, #t do mask[i] = which(t:row(i)) and 1 or 0 end
    elseif pc.type(which) ~= "array" or #which ~= #t then
        fail("filter takes a function of a row, or a mask with one element for each of the %d rows", #t)
    end
    local positions = #t > 0 and pc.array.range(1, #t) or pc.array{}
    return t:rows(positions:where(mask))
end

-- Ascending by a column, or by several of them: the first counts most. Rows that are equal keep their order.
function M.sort(t, by, order)
    if order ~= nil and order ~= "ascending" and order ~= "descending" then
        fail("sort: the order is \"ascending\" or \"descending\", not %s", tostring(order))
    end
    local names = type(by) == "table" and by or { by }
    for k = #names, 1, -1 do
        local column = t:column(names[k])
        t = t:rows((order == "descending" and -column or column):argsort())
    end
    return t
end

-- Some of the columns, in the order given.
function M.select(t, names)
    local list = {}
    for i, name in ipairs(names) do list[i] = { name, t:column(name), unit = t.units[name] } end
    return pc.table(list)
end

-- The table with further columns; one of a known name replaces the old one.
function M.with(t, columns)
    local list, at = columns_of(t), {}
    for i, column in ipairs(list) do at[column[1]] = i end
    for k, column in ipairs(columns) do
        if type(column) ~= "table" or type(column[1]) ~= "string" then
            fail("with: column %d must be { name, values, unit = }", k)
        end
        local i = at[column[1]] or #list + 1
        at[column[1]] = i
        list[i] = column
    end
    return pc.table(list)
end

-- ---- groups ----

local reductions = {
    count = function(a) return #a end,
    sum = function(a) return a:sum() end,
    mean = function(a) return a:mean() end,
    std = function(a) return #a > 1 and a:std() or 0 / 0 end,
    min = function(a) return a:min() end,
    max = function(a) return a:max() end,
    median = function(a) return a:median() end,
}

-- Values without those that are not numbers: points that failed.
local function known(a)
    return a:where(a:eq(a))
end

local function reduce(how, a)
    local f = type(how) == "function" and how or reductions[how]
    if not f then
        fail("there is no reduction '%s'; there are count, sum, mean, std, min, max, median, or a function of an array",
            tostring(how))
    end
    if how == "count" then return f(known(a)) end
    local values = known(a)
    return #values > 0 and f(values) or 0 / 0
end

-- Positions of rows with equal values in the columns `by`, in the order in which the values first appear.
local function groups_of(t, by)
    local order, groups, columns = {}, {}, {}
    for k, name in ipairs(by) do columns[k] = t:column(name) end
    for i = 1, #t do
        local key = {}
        for k = 1, #columns do key[k] = string.format("%a", columns[k][i]) end
        local word = table.concat(key, " ")
        if not groups[word] then
            groups[word] = {}
            order[#order + 1] = groups[word]
        end
        table.insert(groups[word], i)
    end
    return order
end

-- t:group("mu", { { "loss", "mean" }, { "loss", "max", as = "worst" } }): one row for each value of mu.
function M.group(t, by, what)
    local names = type(by) == "table" and by or { by }
    local groups, list = groups_of(t, names), {}
    local first = {}
    for g, positions in ipairs(groups) do first[g] = positions[1] end
    local heads = t:rows(first)
    for _, name in ipairs(names) do list[#list + 1] = { name, heads:column(name), unit = t.units[name] } end
    for _, entry in ipairs(what or { { names[1], "count", as = "count" } }) do
        if type(entry) ~= "table" then fail("group: what is wanted is a list of { column, how, as = }") end
        local source, values = t:column(entry[1]), pc.array.zeros(#groups)
        for g, positions in ipairs(groups) do
            local part = pc.array.zeros(#positions)
            for k, i in ipairs(positions) do part[k] = source[i] end
            values[g] = reduce(entry[2], part)
        end
        local how = type(entry[2]) == "string" and entry[2] or "value"
        list[#list + 1] = {
            entry.as or entry[1] .. "_" .. how, values, unit = how == "count" and "" or entry.unit or t.units[entry[1]],
        }
    end
    return pc.table(list)
end

-- Ascending different values of a column, and the place of each value among them.
local function levels_of(a)
    local levels, place = a:unique(), {}
    for i = 1, #levels do place[levels[i]] = i end
    return levels, place
end

-- The values of a column as a matrix over two others: rows x columns, row by row, NaN where there is no point.
local function matrix_of(t, row, column, value)
    local rows, row_place = levels_of(t:column(row))
    local columns, column_place = levels_of(t:column(column))
    local z, filled = pc.array.full(#rows * #columns, 0 / 0), {}
    local r, c, v = t:column(row), t:column(column), t:column(value)
    for i = 1, #t do
        local at = (row_place[r[i]] - 1) * #columns + column_place[c[i]]
        if filled[at] then
            fail("two rows have %s = %.10g and %s = %.10g; group them first", row, r[i], column, c[i])
        end
        filled[at] = true
        z[at] = v[i]
    end
    return rows, columns, z
end

-- One row for each value of `row`, one column for each value of `column`, called "value at x".
function M.pivot(t, row, column, value)
    local rows, columns, z = matrix_of(t, row, column, value)
    local list = { { row, rows, unit = t.units[row] } }
    for c = 1, #columns do
        local part = pc.array.zeros(#rows)
        for r = 1, #rows do part[r] = z[(r - 1) * #columns + c] end
        list[#list + 1] = { string.format("%s at %s = %.10g", value, column, columns[c]), part, unit = t.units[value] }
    end
    return pc.table(list)
end

-- Rows of both tables that agree in the columns `on`; columns of the other that this one has too get "_2" behind
-- their name. The other table has each combination once at most.
function M.join(t, other, on)
    if type(other) ~= "userdata" then fail("join: the other one must be a percuss.table") end
    local names = type(on) == "table" and on or { on }
    local at, keys = {}, {}
    for _, name in ipairs(names) do
        t:column(name) -- says so if there is none
        keys[name] = true
    end
    local function key(table_, i)
        local words = {}
        for k, name in ipairs(names) do words[k] = string.format("%a", table_:column(name)[i]) end
        return table.concat(words, " ")
    end
    for i = 1, #other do
        local word = key(other, i)
        if at[word] then fail("join: rows %d and %d of the other table have the same %s", at[word], i, names[1]) end
        at[word] = i
    end
    local mine, its = {}, {}
    for i = 1, #t do
        local j = at[key(t, i)]
        if j then
            mine[#mine + 1] = i
            its[#its + 1] = j
        end
    end
    local left, right = t:rows(mine), other:rows(its)
    local list, taken = columns_of(left), {}
    for _, column in ipairs(list) do taken[column[1]] = true end
    for _, column in ipairs(columns_of(right)) do
        if not keys[column[1]] then
            if taken[column[1]] then column[1] = column[1] .. "_2" end
            list[#list + 1] = column
        end
    end
    return pc.table(list)
end

-- Statistics of every column, one row for each: points that failed are left out.
function M.describe(t)
    local rows = { { "column", "count", "mean", "std", "min", "5 %", "median", "95 %", "max" } }
    for _, name in ipairs(t.names) do
        local a = known(t:column(name))
        local row = { with_unit(name, t.units[name]), tostring(#a) }
        if #a > 0 then
            local std = #a > 1 and a:std() or 0
            for _, x in ipairs{ a:mean(), std, a:min(), a:quantile(0.05), a:median(), a:quantile(0.95), a:max() } do
                row[#row + 1] = cell(x)
            end
        end
        while #row < #rows[1] do row[#row + 1] = "-" end
        rows[#rows + 1] = row
    end
    return report.aligned(rows, "")
end

-- The rows that failed: a list of { row, message }.
function M.failures(t)
    local list = {}
    for row, message in pairs(t.info.failures or {}) do list[#list + 1] = { row, message } end
    table.sort(list, function(a, b) return a[1] < b[1] end)
    return list
end

-- ---- files ----

function M.csv(t, path)
    return pc.csv.write(path, columns_of(t))
end

local function json_number(x)
    if x ~= x or x == math.huge or x == -math.huge then return "null" end
    return string.format("%.17g", x)
end

local function json_string(text)
    return '"' .. text:gsub('[%c"\\]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"'
end

-- One JSON object a line; what is not a number is null. A row that failed has an "error".
function M.jsonl(t, path)
    local names, columns, lines = t.names, {}, {}
    for c, name in ipairs(names) do columns[c] = t:column(name) end
    local failures = t.info.failures or {}
    for i = 1, #t do
        local cells = {}
        for c, name in ipairs(names) do cells[c] = json_string(name) .. ": " .. json_number(columns[c][i]) end
        if failures[i] then cells[#cells + 1] = '"error": ' .. json_string(failures[i]) end
        lines[i] = "{" .. table.concat(cells, ", ") .. "}\n"
    end
    return pc.file.write(path, table.concat(lines))
end

function M.npz(t, path)
    return require("percuss.sweep_core").npz(path, columns_of(t))
end

-- ---- charts ----

-- Panels' options and where the chart goes may stand in one table.
local function deliver(t, x, y, options, draw)
    options = options or {}
    for _, name in pairs{ x, y } do t:column(name) end -- a name that is none is told here
    local figure = pc.chart.figure{ title = options.title, width = options.width, height = options.height }
    local panel_options = {
        xlabel = x and with_unit(x, t.units[x]) or nil, ylabel = y and with_unit(y, t.units[y]) or nil,
        xlog = options.xlog, ylog = options.ylog, xlim = options.xlim, ylim = options.ylim, legend = true,
    }
    draw(figure:panel(panel_options), figure)
    if options.file then return figure:save(options.file) end
    figure:show()
end

local function names_of(y)
    return type(y) == "table" and y or { y }
end

-- t:line("mu", "loss", { by = "theta" }): one curve for each value of theta.
local function curves(kind)
    return function(t, x, y, options)
        local names = names_of(y)
        return deliver(t, x, names[1], options, function(panel)
            for _, name in ipairs(names) do
                if not (options and options.by) then
                    panel[kind](panel, { t:column(x), t:column(name), label = #names > 1 and name or nil })
                else
                    local by = t:column(options.by)
                    local levels = by:unique()
                    for k = 1, #levels do
                        local part = t:filter(by:eq(levels[k]))
                        local label = string.format("%s = %.6g", options.by, levels[k])
                        if #names > 1 then label = name .. ", " .. label end
                        panel[kind](panel, { part:column(x), part:column(name), label = label })
                    end
                end
            end
        end)
    end
end

M.line = curves "line"
M.scatter = curves "scatter"

-- The matrix of a column over two others; the table of a whole grid has it already.
local function field_of(t, x, y, z)
    local axes = t.info.axes
    if axes and #axes == 2 and axes[1][1] == x and axes[2][1] == y and #t == #axes[1][2] * #axes[2][2] then
        return axes[1][2], axes[2][2], t:column(z)
    end
    return matrix_of(t, x, y, z)
end

function M.heatmap(t, x, y, z, options)
    options = options or {}
    return deliver(t, x, y, options, function(panel)
        local xs, ys, values = field_of(t, x, y, z)
        panel:heatmap{
            xs, ys, values, label = with_unit(z, t.units[z]), lim = options.lim, log = options.log,
            palette = options.palette,
        }
    end)
end

function M.contour(t, x, y, z, options)
    options = options or {}
    return deliver(t, x, y, options, function(panel)
        local xs, ys, values = field_of(t, x, y, z)
        panel:contour{ xs, ys, values, levels = options.levels, label = with_unit(z, t.units[z]) }
    end)
end

function M.histogram(t, x, options)
    options = options or {}
    return deliver(t, x, nil, options, function(panel)
        panel:histogram{ t:column(x), bins = options.bins, density = options.density }
    end)
end

return M
