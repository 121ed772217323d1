-- motion:plot: components of a motion over time, or over another component.
local pc = require "percuss"

local options = { file = true, title = true, points = true, over = true, width = true, height = true }

-- What the columns of a motion are called: its names, else y1, y2, ...
local function labels_of(columns)
    local labels = {}
    for i in ipairs(columns) do labels[i] = "y" .. i end
    for name, column in pairs(columns) do
        for i, other in ipairs(columns) do
            if type(name) == "string" and rawequal(column, other) then labels[i] = name end
        end
    end
    return labels
end

-- The column that a request means: an index, a name, y<index>, or t.
local function find(columns, labels, what)
    if what == "t" then return columns.t, "t" end
    for i, label in ipairs(labels) do
        if what == i or what == label or what == "y" .. i then return columns[i], label end
    end
    local near = type(what) == "string" and pc.nearest(what, labels)
    error(string.format("plot: the motion has no component '%s'%s", tostring(what),
        near and "; did you mean '" .. near .. "'?" or "; it has: " .. table.concat(labels, ", ")), 4)
end

local function figure_of(motion, request)
    for key in pairs(request) do
        if type(key) == "string" and not options[key] then
            local words = { "file", "title", "points", "over", "width", "height" }
            local near = pc.nearest(key, words)
            error(string.format("plot has no option '%s'%s", key, near and "; did you mean '" .. near .. "'?" or
                "; it has: " .. table.concat(words, ", ")), 4)
        end
    end
    local points = request.points or 1000
    local columns = motion:columns(pc.linspace(motion.start, motion.time, points))
    local labels = labels_of(columns)
    local names = #request > 0 and request or labels
    local x, xlabel = find(columns, labels, request.over or "t")
    local figure = pc.chart.figure{ title = request.title, width = request.width, height = request.height }
    local panel = figure:panel{ xlabel = xlabel, ylabel = #names == 1 and select(2, find(columns, labels, names[1])) or
        nil, legend = #names > 1 }
    for _, name in ipairs(names) do
        local y, label = find(columns, labels, name)
        panel:line{ x, y, label = label }
    end
    return figure
end

local function plot(motion, request)
    request = request or {}
    if type(request) ~= "table" then
        error('plot takes a table, as in motion:plot{ "x", file = "x.svg" }, not ' .. type(request), 2)
    end
    local figure = figure_of(motion, request)
    if request.file then return figure:save(request.file) end
    figure:show()
end

pc.extend("percuss.motion", "plot", plot)
pc.document("motion:plot", plot, {
    kind = "method",
    summary = "Draw components of the motion over time, or over another component.",
    params = {
        { name = "what", type = "table", default = "all components",
            doc = "list of names or indices; options: over = name (instead of time), points = (1000), file =, title =, "
                .. "width =, height =" },
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local m = percuss.ode.solve{ rhs = function(t, x, v) return v, -x end, y = { 1, 0 }, t = 6, names = { "x", "v" } }
print(m:plot{ "v", over = "x", file = "circle.svg" })
--> circle.svg]],
})
