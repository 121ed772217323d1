-- Pictures of impacts of elastic bodies: histories, the pressure over radius and time, fields in the section.
local pc = require "percuss"
local plot = require "percuss.plot"

local M = {}

local LABELS = {
    F_n = "F_n", F_t = "F_t", v_n = "v_n", v_t = "v_t", contact_radius = "contact radius",
    stick_radius = "stick radius",
}
local FIELDS = {
    stress = "equivalent stress", pressure = "mean pressure", sigma_tt = "σ_tt", sigma_nn = "σ_nn", sigma_tn = "σ_tn",
    u_t = "u_t", u_n = "u_n",
}

local function heading(hit)
    return ("Elastic %s: %s"):format(tostring(hit.object):match "^elastic%.(%w+)" or "body", hit.regime)
end

-- Columns over time, in panels by unit.
local function histories(hit, names, options)
    local history, groups, at = hit.history, {}, {}
    for _, name in ipairs(names) do
        local unit = history.units[name]
        if not unit or name == "t" then plot.fail("plot: %s", plot.no_column(tostring(name), history.names)) end
        if not at[unit] then
            groups[#groups + 1] = { unit = unit }
            at[unit] = groups[#groups]
        end
        table.insert(at[unit], name)
    end
    local figure = pc.chart.figure{
        title = options.title or heading(hit), width = options.width, height = options.height,
    }
    for i, group in ipairs(groups) do
        local words = {}
        for k, name in ipairs(group) do words[k] = LABELS[name] end
        local panel = figure:panel{ xlabel = i == #groups and "t" or nil, xunit = i == #groups and "s" or nil,
            ylabel = table.concat(words, ", "), yunit = group.unit, legend = true }
        local named
        for _, phase in ipairs(hit.phases) do
            if phase.kind == "stick" then
                panel:span{ phase.start, phase.stop, label = not named and "some rings stick" or nil }
                named = true
            end
        end
        for _, name in ipairs(group) do panel:line{ history.t, history[name], label = LABELS[name] } end
    end
    return figure
end

-- Pressure over radius and time, with the edge of contact and of stick; between the rings it is linear, as there.
local function pressures(hit, options)
    local history, each = hit.history, 6
    local stride = math.max(1, #history.t // 200)
    local times, values, radii = {}, {}, nil
    local least = 0.02 * pc.array(hit:pressure(hit.peak.n_time).pressure):max() -- beyond the edge
    for i = 1, #history.t, stride do
        if history.t[i] > 1.02 * hit.duration then break end
        local p = hit:pressure(history.t[i])
        local rings = #p.radius
        if not radii then
            radii = {}
            for k = 0, each * (rings - 1) do
                local ring, share = k // each + 1, k % each / each
                radii[k + 1] = p.radius[ring] + share * (p.radius[math.min(ring + 1, rings)] - p.radius[ring])
            end
        end
        times[#times + 1] = history.t[i]
        for k = 0, each * (rings - 1) do
            local ring, share = k // each + 1, k % each / each
            local here, after = p.pressure[ring], p.pressure[math.min(ring + 1, rings)]
            local value = here + share * (after - here)
            values[#values + 1] = value > least and value / 1e6 or 0 / 0
        end
    end
    local figure = pc.chart.figure{
        title = options.title or "Pressure", width = options.width, height = options.height,
    }
    local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "radius", yunit = "m", legend = true }
    panel:bands{ times, radii, values, levels = 14, label = "pressure", unit = "MPa" }
    if #hit.phases > 0 then
        local shown = { t = {}, stick = {} }
        for i = 1, #history.t do
            if history.t[i] > hit.duration then break end
            shown.t[i], shown.stick[i] = history.t[i], history.stick_radius[i]
        end
        panel:line{ shown.t, shown.stick, label = "edge of stick", dash = "dashed" }
    end
    return figure
end

-- hit:plot([what], [options]); options may stand in the list, as in impact:plot.
function M.plot(hit, what, options)
    if type(what) == "table" and options == nil then options = what end
    options = options or {}
    if what == "pressure" then return plot.deliver(pressures(hit, options), options) end
    local names = type(what) == "string" and { what } or what or {}
    if #names == 0 then names = { "F_t", "F_n" } end
    return plot.deliver(histories(hit, names, options), options)
end

-- The range of colours: a few singular points at the contact would leave the waves pale.
local function range(sections, quantity)
    local sizes = {}
    for _, section in ipairs(sections) do
        local values = section.values
        for i = 1, #values, 7 do
            if values[i] == values[i] then sizes[#sizes + 1] = math.abs(values[i]) end
        end
    end
    table.sort(sizes)
    local most = (sizes[math.ceil(0.995 * #sizes)] or 0) / (quantity:match "^u" and 1e-6 or 1e6)
    if most == 0 then most = 1 end
    return quantity == "stress" and { 0, most } or { -most, most }
end

-- One field as a panel; what is beyond the range has its last colour.
local function draw(figure, quantity, section, lim, title)
    local panel = figure:panel{ title = title, xlabel = "t", xunit = "m", ylabel = "n", yunit = "m", equal = true }
    local scale, least, most = quantity:match "^u" and 1e-6 or 1e6, lim[1], lim[2]
    local within = 1e-6 * (most - least)
    local values = (section.values / scale):map(function(x)
        return x ~= x and x or math.max(least + within, math.min(most - within, x))
    end)
    panel:bands{ section.x, section.z, values, levels = 16, lim = lim, label = FIELDS[quantity],
        unit = quantity:match "^u" and "μm" or "MPa", palette = quantity == "stress" and "viridis" or "diverging" }
end

-- Sections of one time side by side.
local function picture(quantity, sections, options, lim, titles)
    local width, tall = 40, 0
    for _, section in ipairs(sections) do
        local ratio = (section.x[#section.x] - section.x[1]) / (section.z[#section.z] - section.z[1])
        local high = math.max(300, math.min(900, math.floor(420 / ratio)))
        width, tall = width + math.max(250, math.floor(ratio * (high - 60)) + 160), math.max(tall, high)
    end
    local figure = pc.chart.figure{
        title = (options.title and options.title .. ", " or "") .. ("t = %.3g μs"):format(sections[1].time * 1e6),
        width = options.width or math.min(1400, width), height = options.height or tall, columns = #sections,
    }
    for i, section in ipairs(sections) do
        draw(figure, quantity, section, lim or range({ section }, quantity), titles and titles[i])
    end
    return figure
end

-- hit:field([quantity], [t], [options]): the window asked for, or the whole body and, where that is small, its contact.
function M.field(hit, quantity, t, options)
    options, quantity = options or {}, quantity or "stress"
    local function section(x, z)
        return hit:section{ quantity = quantity, times = { t or hit.compression_time }, x = x, z = z,
            points = options.points or 361 }[1]
    end
    local sections, titles = { section(options.x, options.z) }, nil
    local a = hit.hertz.contact_radius
    if not options.x and not options.z and hit.hertz.peak and a < 0.15 * hit.object.height then
        sections[2], titles = section({ -3 * a, 3 * a }, { 0, 6 * a }), { "the body", "its contact" }
    end
    return plot.deliver(picture(quantity, sections, options, options.lim, titles), options)
end

-- hit:animate{ file =, quantity =, frames =, fps =, to = }.
function M.animate(hit, options)
    if not options.file:find "%.gif$" then
        plot.fail("animate writes a GIF: give file = a name that ends in .gif")
    end
    local quantity, n = options.quantity or "sigma_nn", options.frames or 60
    local last = hit.history.t[#hit.history.t]
    local to = options.to or last
    if not (to > 0 and to <= last) then
        plot.fail("animate: to = %g s must lie within the history, which ends at %g s", to, last)
    end
    local sections = hit:section{ quantity = quantity, times = pc.linspace(0, to, n), x = options.x, z = options.z,
        points = options.points or 181 }
    local lim = options.lim or range(sections, quantity)
    local gif = pc.chart.gif(options.file, { rate = options.fps or 15 })
    for _, section in ipairs(sections) do
        local added, message, code = gif:add(picture(quantity, { section }, options, lim))
        if not added then return nil, message, code end
    end
    return gif:close()
end

-- elastic.calibrate(law, parameters, body, hits): least squares of the contact point's velocities over |v_n|.
function M.calibrate(law, parameters, body, hits)
    local index, t, n = {}, {}, {}
    for i, hit in ipairs(hits) do
        if pc.type(hit) ~= "elastic_impact" then
            local _, why = pcall(function() return hit.velocity end)
            if tostring(why):find("was closed", 1, true) then plot.fail("calibrate: entry %d: %s", i, why) end
            plot.fail("calibrate: entry %d of the hits is no impact of an elastic body", i)
        end
        local v = -hit.velocity_before.n
        index[i], t[i], n[i] = i, hit.velocity.t / v, hit.velocity.n / v
    end
    if #hits == 0 then
        plot.fail("calibrate: give impacts of elastic bodies, as percuss.elastic.collide returns them")
    end
    local data = pc.table{ { "hit", index }, { "t", t }, { "n", n } }
    local fit = pc.fit(data, function(p, row)
        local hit = hits[row.hit]
        local v = -hit.velocity_before.n
        local own = pc.collide(body, law:with(p), { v = hit.body_before.v, omega = hit.body_before.omega }).velocity
        return { t = own.t / v, n = own.n / v }
    end, parameters, { columns = { "t", "n" }, tolerance = 1e-8 })
    return law:with(fit.values), fit
end

return M
