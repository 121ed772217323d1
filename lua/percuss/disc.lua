-- run:plot of a disc on a plane: columns over time, one panel for each unit.
local pc = require "percuss"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"
local plot = require "percuss.plot"

local function figure_of(run, request)
    local names = #request > 0 and request or { "height", "tilt", "kinetic", "potential", "lost_friction",
        "lost_damping" }
    local figure = pc.chart.figure{ title = request.title, width = request.width, height = request.height }
    local units, groups = {}, {}
    for _, name in ipairs(names) do
        local unit = run.units[name]
        if not unit then plot.fail("plot: %s", plot.no_column(tostring(name), run.names)) end
        if not groups[unit] then
            groups[unit] = {}
            units[#units + 1] = unit
        end
        table.insert(groups[unit], name)
    end
    for i, unit in ipairs(units) do
        local group = groups[unit]
        local panel = figure:panel{ xlabel = i == #units and "t [s]" or nil, legend = #group > 1,
            ylabel = (#group == 1 and group[1] .. " " or "") .. (unit ~= "" and "[" .. unit .. "]" or "") }
        for _, name in ipairs(group) do panel:line{ run.t, run[name], label = name } end
    end
    return figure
end

local function draw(run, what, options)
    local request = plot.request(what, options)
    return plot.deliver(figure_of(run, request), request)
end

local entry = {
    kind = "method",
    summary = "Draw columns of the motion of a disc over time, one panel for each unit.",
    params = {
        parameter.with(parameter.row("what", { "string", "list" }, "names of columns; a list may hold the options",
            { otherwise = "height, tilt and energies" }), parameter.file, parameter.title, parameter.size),
        parameter.with(parameter.row("options", "table", "how they are drawn", { otherwise = "{}" }),
            parameter.file, parameter.title,
            parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local run = percuss.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, spin = 10, duration = 1 }
print(run:plot{ "spin", "couple", file = "spin.svg" })
--> spin.svg]],
}
local method = checked("disc_run:plot", draw, entry, "disc_run")

pc.extend("percuss.disc_run", "plot", method)
pc.document("disc_run:plot", method, entry)
