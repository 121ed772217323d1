-- run:plot of a disc on a plane: columns over time, one panel for each unit.
local pc = require "percuss"
local plot = require "percuss.plot"

local words = { "file", "title", "width", "height" }
local options = {}
for _, word in ipairs(words) do options[word] = true end

local function figure_of(run, request)
    for key in pairs(request) do
        if type(key) == "string" and not options[key] then
            local near = pc.nearest(key, words)
            error(string.format("plot has no option '%s'%s", key, near and "; did you mean '" .. near .. "'?" or
                "; it has: " .. table.concat(words, ", ")), 4)
        end
    end
    local names = #request > 0 and request or { "height", "tilt", "kinetic", "potential", "lost_friction",
        "lost_damping" }
    local figure = pc.chart.figure{ title = request.title, width = request.width, height = request.height }
    local units, groups = {}, {}
    for _, name in ipairs(names) do
        local unit = run[name] and run.units[name]
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

local function draw(run, request)
    request = request or {}
    if type(request) ~= "table" then
        error('plot takes a table, as in run:plot{ "tilt", file = "tilt.svg" }, not ' .. type(request), 2)
    end
    return plot.deliver(figure_of(run, request), request)
end

pc.extend("percuss.disc_run", "plot", draw)
pc.document("disc_run:plot", draw, {
    kind = "method",
    summary = "Draw columns of the motion of a disc over time, one panel for each unit.",
    params = {
        { name = "what", type = "table", default = "height, tilt and energies",
            doc = "list of columns; options: file =, title =, width =, height =" },
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local run = percuss.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, spin = 10, duration = 1 }
print(run:plot{ "spin", "couple", file = "spin.svg" })
--> spin.svg]],
})
