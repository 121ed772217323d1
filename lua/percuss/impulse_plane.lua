-- The impulse plane (Routh): the lines that decide a planar rigid impact, and the paths of laws among them.
--
-- Coordinates are the impulses p_n (across) and p_t (up). A line is given by two points inside the picture. Sticking:
-- v_t = 0. Maximum compression: v_n = 0. Friction: p_t = +-mu p_n. Termination: what the law asks of the end.
local pc = require "percuss"
local record = require "percuss.record"
local refuse = require "percuss.refuse"

local M = {}

-- The part of the line a p_t + b p_n + c = 0 inside the box; nil if it misses it.
local function clip(a, b, c, box)
    local points = {}
    local function add(p_n, p_t)
        local slack = 1e-12 * (box.n[2] - box.n[1] + box.t[2] - box.t[1])
        if p_n < box.n[1] - slack or p_n > box.n[2] + slack then return end
        if p_t < box.t[1] - slack or p_t > box.t[2] + slack then return end
        for _, q in ipairs(points) do
            if math.abs(q[1] - p_n) + math.abs(q[2] - p_t) <= 4 * slack then return end
        end
        points[#points + 1] = { p_n, p_t }
    end
    if a ~= 0 then
        for _, p_n in ipairs(box.n) do add(p_n, -(b * p_n + c) / a) end
    end
    if b ~= 0 then
        for _, p_t in ipairs(box.t) do add(-(a * p_t + c) / b, p_t) end
    end
    if #points < 2 then return nil end
    return { p_n = { points[1][1], points[2][1] }, p_t = { points[1][2], points[2][2] } }
end

-- A box that holds all paths, with the origin and some air.
local function box_of(hits)
    local n, lo, hi = 0, 0, 0
    for _, hit in ipairs(hits) do
        local path = pc.impulse.path(hit)
        n = math.max(n, path.p_n:max())
        lo, hi = math.min(lo, path.p_t:min()), math.max(hi, path.p_t:max())
    end
    local air = 0.15 * math.max(hi - lo, 0.5 * n)
    return { n = { 0, 1.15 * n }, t = { lo - air, hi + air } }
end

-- The line on which the law lets the contact end: of given v_n (Newton), of given p_n (Poisson); for Stronge the end
-- depends on the path, and the line is that of the v_n which it reached.
local function termination(hit, W, box)
    local name = hit.law.name
    if name == "poisson" then return clip(0, 1, -hit.impulse.n, box) end
    return clip(W.tn, W.nn, hit.velocity_before.n - hit.velocity.n, box)
end

local function check(hits)
    if type(hits) ~= "table" or #hits == 0 then refuse("impulse_plane: there is no impact to draw") end
    for i, hit in ipairs(hits) do
        if pc.type(hit) ~= "impact" then
            refuse(("impulse_plane: entry %d must be an impact, not a %s"):format(i, pc.type(hit)))
        end
        local before, first = hit.velocity_before, hits[1].velocity_before
        if hit.object.spatial and (before.t2 or 0) ~= 0 then
            refuse("impulse_plane: the impact leaves the plane; draw percuss.flow instead")
        end
        if hit.object ~= hits[1].object or before.t ~= first.t or before.n ~= first.n then
            refuse(string.format("impulse_plane: impact %d is not of the same body and motion as the first", i))
        end
    end
end

-- The lines of the plane as data: { sticking =, compression =, friction = { upper, lower }, termination = { ... } }.
-- Each line is { p_n = { 2 numbers }, p_t = { 2 numbers } }; absent where it lies outside the picture.
function M.lines(hits)
    check(hits)
    local first = hits[1]
    local body, v = first.object, first.velocity_before
    local W = { tt = body.w_tt, tn = body.w_tn, nn = body.w_nn }
    local box = box_of(hits)
    local lines = record.make("impulse_plane_lines", {
        box = box,
        sticking = clip(W.tt, W.tn, v.t, box),
        compression = clip(W.tn, W.nn, v.n, box),
        friction = {}, termination = {},
    })
    for i, hit in ipairs(hits) do
        local mu = hit.law.abilities.may_gain and hit.law.name == "brach" and math.abs(hit.law.impulse_ratio)
            or hit.law.friction
        if mu and mu > 0 and not lines.friction[mu] then
            lines.friction[mu] = true
            table.insert(lines.friction, { friction = mu, upper = clip(1, -mu, 0, box), lower = clip(1, mu, 0, box) })
        end
        lines.termination[i] = termination(hit, W, box)
    end
    return lines
end

-- Add the plane to a figure. Options: title, legend.
function M.panel(figure, hits, options)
    options = options or {}
    local lines = M.lines(hits)
    local box = lines.box
    local panel = figure:panel{
        title = options.title, xlabel = "p_n", xunit = "N s", ylabel = "p_t", yunit = "N s",
        xlim = box.n, ylim = box.t, legend = options.legend ~= false,
    }
    if lines.sticking then
        panel:line{ lines.sticking.p_n, lines.sticking.p_t, label = "sticking, v_t = 0", dash = "dotted",
            colour = "grey" }
    end
    if lines.compression then
        panel:line{ lines.compression.p_n, lines.compression.p_t, label = "maximum compression, v_n = 0",
            dash = "dashed", colour = "grey" }
    end
    for i, cone in ipairs(lines.friction) do
        for k, line in ipairs{ cone.upper or false, cone.lower or false } do
            if line then
                panel:line{ line.p_n, line.p_t, dash = "dash_dot", colour = "grey", width = 0.7,
                    label = i == 1 and k == 1 and "friction, p_t = ±μ p_n" or nil }
            end
        end
    end
    for i, hit in ipairs(hits) do
        local path = pc.impulse.path(hit)
        local name = options.names and options.names[i] or hit.law.name
        -- one path alone has the same colour in every picture
        panel:line{ path.p_n, path.p_t, label = name, width = 2, colour = #hits == 1 and "blue" or nil }
        panel:scatter{ { hit.impulse.n }, { hit.impulse.t }, colour = "black" }
        local stop = lines.termination[i]
        if stop and options.termination then
            panel:line{ stop.p_n, stop.p_t, dash = "long_dashed", width = 0.7, colour = "black",
                label = "end, " .. name }
        end
    end
    return panel
end

-- The impulse plane of one impact or of several of the same body and motion; the method impact:plane.
function M.draw(hits, request)
    request = request or {}
    if type(hits) == "userdata" then hits = { hits } end
    local figure = pc.chart.figure{
        title = request.title or "Impulse plane", width = request.width, height = request.height,
    }
    M.panel(figure, hits, { termination = #hits == 1 or request.termination, names = request.names })
    return figure
end

return M
