-- Plot recipes: how objects of percuss become charts.
local pc = require "percuss"
local refuse = require "percuss.refuse"

local plot = {}

-- How quantities are written on axes, by column.
local labels = {
    t = "t", u_t = "u_t", u_n = "u_n", F_t = "F_t", F_n = "F_n", v_t = "v_t", v_n = "v_n", s = "s", p_t = "p_t",
    p_n = "p_n", u_t2 = "u_t2", F_t2 = "F_t2", v_t2 = "v_t2", s_t2 = "s_t2", p_t2 = "p_t2", W_t = "W_t", W_n = "W_n",
    W_f = "W_f", energy = "T", contact_energy = "T_c",
}

local function with_unit(name, unit)
    return unit ~= "" and name .. " [" .. unit .. "]" or name
end

-- Groups of column names that share a unit, in the order in which they were asked for.
local function by_unit(names, units)
    local groups, at = {}, {}
    for _, name in ipairs(names) do
        local unit = units[name]
        if not at[unit] then
            groups[#groups + 1] = { unit = unit }
            at[unit] = groups[#groups]
        end
        table.insert(at[unit], name)
    end
    return groups
end

local function check_columns(request, history)
    for _, name in ipairs(request) do
        if not history.units[name] or name == "t" then
            plot.fail("plot: %s", plot.no_column(tostring(name), history.names))
        end
    end
end

-- Shade the phases behind a panel; only the first of each kind enters the legend.
local function shade(panel, phases, last, unit_of_time)
    local named = {}
    for _, phase in ipairs(phases) do
        local stop = math.min(phase.stop / unit_of_time, last)
        local start = phase.start / unit_of_time
        if start < last and phase.kind == "stick" then
            panel:span{ start, stop, label = not named.stick and "stick" or nil }
            named.stick = true
        end
    end
end

-- The figure of an impact's history; a request is what impact:plot takes.
function plot.impact_figure(hit, request)
    request = request or {}
    -- a rigid impact has no history in time; its picture is the impulse plane
    if not hit.law.abilities.compliant then return require("percuss.impulse_plane").draw(hit, request) end
    if #request == 0 then
        local filled = { "F_t", "F_n" }
        for key, value in pairs(request) do filled[key] = value end
        request = filled
    end
    local history, unit_of_time
    if request.scaled then
        history = hit:scaled(request.scaled, { points = request.points, stop = request.stop })
        unit_of_time = history.scale.time
    else
        history = hit:trace(request.points or 400, request.stop)
        unit_of_time = 1
    end
    check_columns(request, history)
    local groups = by_unit(request, history.units)
    local figure = pc.chart.figure{
        title = request.title or string.format("%s, %s", hit.regime, hit.outcome),
        width = request.width, height = request.height,
    }
    local last = history.t[#history.t]
    for i, group in ipairs(groups) do
        local names = {}
        for _, name in ipairs(group) do names[#names + 1] = labels[name] end
        local panel = figure:panel{
            xlabel = i == #groups and with_unit("t", history.units.t) or nil,
            ylabel = with_unit(table.concat(names, ", "), group.unit), legend = true,
        }
        shade(panel, hit.phases, last, unit_of_time)
        for _, name in ipairs(group) do panel:line{ history.t, history[name], label = labels[name] } end
    end
    return figure
end

-- The pair of panels that Birlik (2012) draws for an impact, in his scaled quantities: on the left F_t/mu between F_n
-- and -F_n, on the right the velocities of the contact point, of the tangential element and of slip.
function plot.cone_and_velocities(hit, title)
    local h = hit:scaled "birlik"
    local mu = hit.law.friction
    local figure = pc.chart.figure{ title = title, columns = 2, width = 1200, height = 500 }
    local forces = figure:panel{ xlabel = "ω_0 t", ylabel = "force / (k_n |v_n(0)|/ω_0)", legend = true }
    shade(forces, hit.phases, h.t[#h.t], h.scale.time)
    forces:line{ h.t, h.F_t / mu, label = "F_t/μ" }
    forces:line{ h.t, h.F_n, label = "F_n", dash = "dashed" }
    forces:line{ h.t, -h.F_n, label = "-F_n", dash = "dashed" }
    local velocities = figure:panel{ xlabel = "ω_0 t", ylabel = "velocity / |v_n(0)|", legend = true }
    shade(velocities, hit.phases, h.t[#h.t], h.scale.time)
    velocities:line{ h.t, h.v_t, label = "v_t" }
    velocities:line{ h.t, h.v_n, label = "v_n", dash = "dash_dot" }
    velocities:line{ h.t, h.v_t - h.s, label = "du_t/dt", dash = "dashed" }
    velocities:line{ h.t, h.s, label = "slip s", dash = "dotted" }
    return figure
end

function plot.fail(format, ...)
    refuse(string.format(format, ...))
end

-- What is wrong with the name of a column.
function plot.no_column(name, names)
    local near = pc.nearest(name, names)
    for _, other in ipairs(names) do -- "vx" for "ball.vx"
        if not near and other:sub(-#name - 1) == "." .. name then near = other end
    end
    return string.format("there is no column '%s'%s", name, near and "; did you mean '" .. near .. "'?"
        or "; there are: " .. table.concat(names, ", "))
end

-- Draw a figure where the request says: a file, or inline.
function plot.deliver(figure, request)
    if request and request.file then return figure:save(request.file) end
    figure:show()
end

-- What the plot methods take: a name or a list of names; options stand in that list or in a table behind.
function plot.request(what, options)
    local request = {}
    for key, value in pairs(type(what) == "string" and { what } or what or {}) do request[key] = value end
    for key, value in pairs(options or {}) do request[key] = value end
    return request
end

-- A list of numbers, or an array.
local function is_curve(x)
    return pc.type(x) == "array" or type(x) == "table" and pc.type(x) == "table" and type(rawget(x, 1)) == "number"
end

-- The curves that an argument of percuss.plot holds: itself, or what its list holds, or what stands in it by name.
local function curves_of(y)
    if is_curve(y) or type(y) == "function" then return { { y = y } } end
    local curves, names = {}, {}
    for _, one in ipairs(y) do curves[#curves + 1] = { y = one } end
    for name in next, y do if type(name) == "string" then names[#names + 1] = name end end
    table.sort(names)
    for _, name in ipairs(names) do curves[#curves + 1] = { y = y[name], label = name } end
    return curves
end

-- Values of a curve over x, which may be a function of x.
local function values_of(y, x)
    if type(y) ~= "function" then
        if not is_curve(y) then
            plot.fail("plot: y must be numbers, a function, or a list of such, not a %s", pc.type(y))
        end
        local values = pc.array(y)
        if x and #values ~= #x then plot.fail("plot: x has %d numbers and y %d", #x, #values) end
        return values
    end
    if not x then plot.fail "plot: a function needs the x at which it is drawn, as in plot(linspace(0, 1), f)" end
    local values = {}
    for i = 1, #x do
        values[i] = y(x[i])
        if type(values[i]) ~= "number" then
            plot.fail("plot: the function returned a %s, not a number, at x = %g", pc.type(values[i]), x[i])
        end
    end
    return pc.array(values)
end

-- percuss.plot(x, y, options), percuss.plot(y, options), percuss.plot(object, ...).
function plot.quick(x, y, options)
    local kind = pc.type(x)
    if type(x) == "userdata" and kind ~= "array" or type(x) == "table" and kind ~= "table" then
        local has_plot, method = pcall(function() return x.plot end)
        if not has_plot or not method then plot.fail("plot: a %s has no plot of its own", kind) end
        return method(x, y, options)
    end
    if type(y) == "table" and not options and not is_curve(y) and pc.type(y) == "table" and #y == 0
        and not plot.holds_curves(y) then
        y, options = nil, y
    end
    options = options or {}
    if y == nil then x, y = nil, x end
    if x ~= nil then
        if not is_curve(x) then plot.fail("plot: x must be numbers, not a %s", pc.type(x)) end
        x = pc.array(x)
    end
    if type(y) ~= "function" and type(y) ~= "table" and pc.type(y) ~= "array" then
        plot.fail("plot: y must be numbers, a function, or a list of such, not a %s", pc.type(y))
    end
    local figure = pc.chart.figure{ title = options.title, width = options.width, height = options.height }
    local curves = curves_of(y)
    if #curves == 0 then plot.fail "plot: y holds no curve" end
    local panel = figure:panel{ xlabel = options.xlabel, ylabel = options.ylabel, legend = #curves > 1
        or curves[1].label ~= nil or options.labels ~= nil }
    for i, one in ipairs(curves) do
        local values = values_of(one.y, x)
        local over = x or pc.linspace(1, math.max(#values, 1), #values)
        local label = options.labels and options.labels[i] or one.label
        panel[options.kind or "line"](panel, { over, values, label = label })
    end
    return plot.deliver(figure, options)
end

-- Whether a table without a list holds curves by name, and is not one of options.
function plot.holds_curves(t)
    for _, value in next, t do
        if is_curve(value) or type(value) == "function" then return true end
    end
    return false
end

-- The method impact:plot.
function plot.impact(hit, what, options)
    local request = plot.request(what, options)
    return plot.deliver(plot.impact_figure(hit, request), request)
end

return plot
