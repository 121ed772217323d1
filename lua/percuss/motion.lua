-- motion:plot: components of a motion over time, or over another component.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"
local plot = require "percuss.plot"

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
    refuse(string.format("plot: the motion has no component '%s'%s", tostring(what),
        near and "; did you mean '" .. near .. "'?" or "; it has: " .. table.concat(labels, ", ")))
end

local function figure_of(motion, request)
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

local function draw(motion, what, options)
    local request = plot.request(what, options)
    return plot.deliver(figure_of(motion, request), request)
end

local curves = {
    parameter.row("over", { "string", "integer" }, "the component along x", { otherwise = "time" }),
    parameter.row("points", "integer", "of each curve", { default = 1000 }),
}

local entry = {
    kind = "method",
    summary = "Draw components of the motion over time, or over another component.",
    params = {
        parameter.with(parameter.row("what", { "string", "list" }, "names or indices of components; a list may hold "
            .. "the options", { otherwise = "all components" }), curves, parameter.file,
            parameter.title, parameter.size),
        parameter.with(parameter.row("options", "table", "how they are drawn", { otherwise = "{}" }), curves,
            parameter.file,
            parameter.title, parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local m = percuss.ode.solve{ rhs = function(t, x, v) return v, -x end, y = { 1, 0 }, t = 6, names = { "x", "v" } }
print(m:plot{ "v", over = "x", file = "circle.svg" })
--> circle.svg]],
}
local method = checked("motion:plot", draw, entry, "motion")

pc.extend("percuss.motion", "plot", method)
pc.document("motion:plot", method, entry)
