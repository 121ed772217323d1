-- Digitised curves of the literature: CSV files with names of columns in the first line, cells are words or numbers.
local M = {}

-- The lines of a file as tables by column name, or nil and a message.
function M.read(path)
    local file, message = io.open(path)
    if not file then return nil, message end
    local rows, names = {}, nil
    for line in file:lines() do
        local cells = {}
        for cell in (line:gsub("\r$", "") .. ","):gmatch "([^,]*)," do cells[#cells + 1] = tonumber(cell) or cell end
        if not names then names = cells else
            local row = {}
            for i, key in ipairs(names) do row[key] = cells[i] end
            rows[#rows + 1] = row
        end
    end
    file:close()
    return rows
end

-- The points of one series: abscissae and values as lists; `x`, `y` name their columns.
function M.points(rows, x, y, series, quantity)
    local xs, ys = {}, {}
    for _, row in ipairs(rows) do
        if (not series or row.series == series) and (not quantity or row.quantity:find(quantity, 1, true)) then
            xs[#xs + 1], ys[#ys + 1] = row[x], row[y]
        end
    end
    return xs, ys
end

-- Greatest distance of f(x) from the points, over their greatest magnitude.
function M.distance(xs, ys, f)
    local most, scale = 0, 0
    for i = 1, #xs do
        most = math.max(most, math.abs(f(xs[i]) - ys[i]))
        scale = math.max(scale, math.abs(ys[i]))
    end
    return most / scale
end

return M
