-- Chart recipes that are written in Lua, with their documentation; loaded at the first call.
local pc = require "percuss"
local checked = require("percuss.argument").checked

local parameter = require "percuss.parameter"

local param, with = parameter.row, parameter.with

local entry = {
    summary = "A phase portrait: the flow of two rates, null lines, points of rest and motions.",
    details = "Points of rest are found by Newton's iteration from every cell of the grid in which both rates change "
        .. "sign, and named by the eigenvalues of the flow around them: node, focus, saddle, centre. A null line is "
        .. "where one of the two rates vanishes.",
    rows = {
        param("rates", "function", "called with x and y, returns the rates of both"),
        param("x", "table", "{ least, greatest } of the region"),
        param("y", "table", "{ least, greatest } of the region"),
        param("starts", "table", "motions to draw: list of { x, y, label = }", { otherwise = "{}" }),
        param("duration", "number", "of the motions; they end earlier where they leave the region far behind",
            { default = 20, unit = "s" }),
        param("events", "table", "events of the motions, as ode.solve takes them: impacts, say", { otherwise = "{}" }),
        param("flow", "string", "streamlines, vectors or none", { default = "streamlines" }),
        param("null", "boolean", "draw the null lines", { default = true }),
        param("rest", "boolean", "find and draw the points of rest", { default = true }),
        param("grid", "integer", "grid lines each way", { default = 41 }),
        param("xlabel", "string", "what x is", { default = "x" }),
        param("ylabel", "string", "what y is", { default = "y" }),
        param("xunit", "string", "unit of x, in brackets after its label", { otherwise = "none" }),
        param("yunit", "string", "unit of y, in brackets after its label", { otherwise = "none" }),
        param("title", "string", "above the chart", { otherwise = "none" }),
        param("width", "number", "of the chart", { otherwise = "that of chart.figure", unit = "pixels" }),
        param("height", "number", "of the chart", { otherwise = "that of chart.figure", unit = "pixels" }),
        param("theme", "string", "colours of page and ink", { words = { "light", "dark" }, default = "light" }),
    },
    returns = "figure, and the list of points of rest { x =, y =, kind = }",
    example = [[
local figure, rest = pc.chart.portrait{
    rates = function(x, y) return y, -math.sin(x) - 0.2*y end,
    x = { -4, 4 }, y = { -3, 3 }, starts = { { -3.5, 2.5 } }, xlabel = "θ", ylabel = "dθ/dt",
}
for _, point in ipairs(rest) do print(("%.6f %s"):format(point.x, point.kind)) end
--> -3.141593 saddle
--> 0.000000 stable focus
--> 3.141593 saddle]],
}
local function portrait(request) return require("percuss.plot_portrait").draw(request) end

pc.chart.portrait = checked("chart.portrait", portrait, entry)
pc.document("chart.portrait", pc.chart.portrait, entry)

local quick = {
    summary = "Draw y over x: numbers, a function, several curves, or an object that has a plot of its own.",
    details = "plot(y) counts from 1. y may be an array, a list of numbers, a function of x, a list of several, "
        .. "or a table of such by name, which makes the legend. plot(hit, 'F_t') is hit:plot 'F_t'. What it cannot "
        .. "say is said with chart.figure.",
    params = {
        param("x", "any", "numbers, or an object"),
        param("y", { "array", "list", "table", "function", "string" }, "what is drawn over x; of an object, what its "
            .. "plot takes", { otherwise = "x, over its count" }),
        with(param("options", "table", "how it is drawn", { otherwise = "{}" }), {
            param("xlabel", "string", "what x is", { otherwise = "none" }),
            param("ylabel", "string", "what y is", { otherwise = "none" }),
            param("labels", "list", "names of the curves", { otherwise = "those of the table" }),
            param("kind", "string", "how the points are drawn", { words = { "line", "scatter", "step" },
                default = "line" }),
        }, parameter.file, parameter.title, parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local x = percuss.linspace(0, 6, 100)
print(percuss.plot(x, { sine = math.sin, cosine = math.cos }, { xlabel = "x", file = "waves.svg" }))
--> waves.svg]],
}

pc.plot = checked("plot", function(...) return require("percuss.plot").quick(...) end, quick)
pc.document("plot", pc.plot, quick)
