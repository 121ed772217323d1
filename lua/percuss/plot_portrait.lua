-- Phase portraits: the flow of two rates over the plane, with null lines, points of rest and motions.
local pc = require "percuss"
local refuse = require "percuss.refuse"

local M = {}

local known = {
    "rates", "x", "y", "starts", "duration", "events", "grid", "flow", "null", "rest", "title", "xlabel", "ylabel",
    "xunit", "yunit", "width", "height", "theme",
}

local function fail(...)
    refuse("chart.portrait: " .. string.format(...))
end

local function check(request)
    if type(request) ~= "table" then fail("takes a table, not %s", type(request)) end
    local is_known = {}
    for _, name in ipairs(known) do is_known[name] = true end
    for key in pairs(request) do
        if not is_known[key] then
            local near = type(key) == "string" and pc.nearest(key, known)
            fail("there is no option '%s'%s", tostring(key), near and "; did you mean '" .. near .. "'?" or "")
        end
    end
    if type(request.rates) ~= "function" then fail("rates must be a function of x and y that returns both rates") end
    for _, name in ipairs{ "x", "y" } do
        local range = request[name]
        local good = type(range) == "table" and type(range[1]) == "number" and type(range[2]) == "number" and
            range[1] < range[2]
        if not good then
            fail("%s must be { least, greatest }, two numbers that ascend", name)
        end
    end
    if request.starts ~= nil and type(request.starts) ~= "table" then fail("starts must be a list of { x, y }") end
    for i, start in ipairs(request.starts or {}) do
        if type(start) ~= "table" or type(start[1]) ~= "number" or type(start[2]) ~= "number" then
            fail("start %d must be { x, y }, two numbers", i)
        end
    end
    local grid = request.grid or 41
    if math.type(grid) ~= "integer" or grid < 5 or grid > 1001 then
        fail("grid = %s is not allowed: a whole number from 5 to 1001", tostring(grid))
    end
    if request.flow and request.flow ~= "streamlines" and request.flow ~= "vectors" and request.flow ~= "none" then
        fail("flow = '%s' is not known; it is streamlines, vectors or none", tostring(request.flow))
    end
end

-- The rates on a grid, as panel:streamlines takes them.
local function sample(rates, xs, ys)
    local u, v = {}, {}
    local ny = #ys
    for i = 1, #xs do
        for j = 1, ny do
            local du, dv = rates(xs[i], ys[j])
            if type(du) ~= "number" or type(dv) ~= "number" then
                fail("rates(%g, %g) must return two numbers, not %s and %s", xs[i], ys[j], type(du), type(dv))
            end
            local k = (i - 1) * ny + j
            u[k], v[k] = du, dv
        end
    end
    return pc.array(u), pc.array(v)
end

-- Derivatives of both rates at a point, by central differences over a small part of the ranges.
local function jacobian(rates, x, y, hx, hy)
    local u1, v1 = rates(x + hx, y)
    local u0, v0 = rates(x - hx, y)
    local u3, v3 = rates(x, y + hy)
    local u2, v2 = rates(x, y - hy)
    return (u1 - u0) / (2 * hx), (u3 - u2) / (2 * hy), (v1 - v0) / (2 * hx), (v3 - v2) / (2 * hy)
end

-- What kind of point of rest the linear flow around it makes it.
local function kind_of(a, b, c, d)
    local trace, determinant = a + d, a * d - b * c
    local size = math.abs(a) + math.abs(b) + math.abs(c) + math.abs(d)
    -- central differences leave about the two thirds power of rounding in a derivative
    local small = 1e-9 * size
    if math.abs(determinant) <= small * size then return "degenerate" end
    if determinant < 0 then return "saddle" end
    if math.abs(trace) <= small then return "centre" end
    local word = trace * trace < 4 * determinant and "focus" or "node"
    return (trace < 0 and "stable " or "unstable ") .. word
end

-- Newton's iteration from a point; nil where it does not settle near the region.
local function settle(rates, x, y, request)
    local wide, high = request.x[2] - request.x[1], request.y[2] - request.y[1]
    local hx, hy = 6e-6 * wide, 6e-6 * high -- the cube root of the relative rounding, of the ranges
    for _ = 1, 40 do
        local u, v = rates(x, y)
        local a, b, c, d = jacobian(rates, x, y, hx, hy)
        local determinant = a * d - b * c
        if determinant == 0 or determinant ~= determinant then return nil end
        local dx, dy = (d * u - b * v) / determinant, (a * v - c * u) / determinant
        x, y = x - dx, y - dy
        local outside = x < request.x[1] or x > request.x[2] or y < request.y[1] or y > request.y[2]
        if math.abs(dx) <= 1e-12 * wide and math.abs(dy) <= 1e-12 * high then
            if outside then return nil end
            -- what the iteration cannot tell from zero is zero
            if math.abs(x) <= 1e-12 * wide then x = 0 end
            if math.abs(y) <= 1e-12 * high then y = 0 end
            return { x = x, y = y, kind = kind_of(jacobian(rates, x, y, hx, hy)) }
        end
        if x ~= x or y ~= y or math.abs(x) > 1e3 * (math.abs(request.x[1]) + wide) then return nil end
    end
    return nil
end

-- Points of rest: Newton from every cell in which both rates change their signs.
local function find_rest(rates, request, xs, ys, u, v)
    local found, ny = {}, #ys
    local function changes(f, k)
        local least = math.min(f[k], f[k + 1], f[k + ny], f[k + ny + 1])
        local most = math.max(f[k], f[k + 1], f[k + ny], f[k + ny + 1])
        return least <= 0 and most >= 0
    end
    local near_x, near_y = 1e-6 * (request.x[2] - request.x[1]), 1e-6 * (request.y[2] - request.y[1])
    for i = 1, #xs - 1 do
        for j = 1, ny - 1 do
            local k = (i - 1) * ny + j
            local point = changes(u, k) and changes(v, k) and
                settle(rates, 0.5 * (xs[i] + xs[i + 1]), 0.5 * (ys[j] + ys[j + 1]), request)
            for _, other in ipairs(found) do
                if point and math.abs(point.x - other.x) < near_x and math.abs(point.y - other.y) < near_y then
                    point = nil
                end
            end
            if point then found[#found + 1] = point end
        end
    end
    return found
end

-- A motion from a start, ended where it leaves the region by its own size.
local function follow(request, start)
    local wide, high = request.x[2] - request.x[1], request.y[2] - request.y[1]
    local events = { table.unpack(request.events or {}) }
    local function away(_, x, y)
        local far_x = math.abs(x - 0.5 * (request.x[1] + request.x[2])) / wide
        local far_y = math.abs(y - 0.5 * (request.y[1] + request.y[2])) / high
        return 1.5 - math.max(far_x, far_y)
    end
    events[#events + 1] = { away, direction = -1, terminal = true, name = "away" }
    local duration = request.duration or 20
    local motion = pc.ode.solve{
        rhs = function(_, x, y) return request.rates(x, y) end,
        y = { start[1], start[2] }, t = duration, events = events, names = { "x", "y" },
    }
    return motion:columns(motion.time / 2000)
end

local function draw_motions(panel, request)
    for i, start in ipairs(request.starts or {}) do
        local path = follow(request, start)
        panel:line{ path.x, path.y, label = start.label, dash = #request.starts > 1 and "auto" or "solid" }
        panel:scatter{ { start[1] }, { start[2] }, colour = "black", label = i == 1 and "start" or nil }
    end
end

-- Markers for the points of rest, a kind at a time.
local function draw_rest(panel, rest)
    local kinds, order = {}, {}
    for _, point in ipairs(rest) do
        if not kinds[point.kind] then
            kinds[point.kind] = { x = {}, y = {} }
            order[#order + 1] = point.kind
        end
        table.insert(kinds[point.kind].x, point.x)
        table.insert(kinds[point.kind].y, point.y)
    end
    for _, kind in ipairs(order) do panel:scatter{ kinds[kind].x, kinds[kind].y, label = kind, width = 1.6 } end
end

-- chart.portrait: the figure and the list of points of rest, { x =, y =, kind = }.
function M.draw(request)
    check(request)
    local n = request.grid or 41
    local xs, ys = pc.linspace(request.x[1], request.x[2], n), pc.linspace(request.y[1], request.y[2], n)
    local u, v = sample(request.rates, xs, ys)
    local figure = pc.chart.figure{
        title = request.title, width = request.width, height = request.height, theme = request.theme,
    }
    local panel = figure:panel{
        xlabel = request.xlabel or "x", ylabel = request.ylabel or "y", xunit = request.xunit, yunit = request.yunit,
        xlim = request.x, ylim = request.y,
    }
    if request.flow ~= "none" then
        panel[request.flow or "streamlines"](panel, { xs, ys, u, v, colour = "grey" })
    end
    if request.null ~= false then
        local names = { request.xlabel or "x", request.ylabel or "y" }
        panel:contour{ xs, ys, u, levels = { 0 }, labels = false, dash = "dashed", label = names[1] .. " rests",
            colour = "green" }
        panel:contour{ xs, ys, v, levels = { 0 }, labels = false, dash = "dotted", label = names[2] .. " rests",
            colour = "purple" }
    end
    local rest = request.rest ~= false and find_rest(request.rates, request, xs, ys, u, v) or {}
    draw_motions(panel, request)
    draw_rest(panel, rest)
    return figure, rest
end

return M
