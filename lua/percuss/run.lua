-- What runs can do besides being asked: charts, pictures and animations of what moves.
local pc = require "percuss"
local plot = require "percuss.plot"

local fail = plot.fail
local M = {}

-- ---- charts ----

-- Columns by a word: those whose names match.
local groups = {
    total = { "energy" },
    energy = { "kinetic", "potential", "stored", "energy" },
    ledger = { "energy", "damped", "friction", "lost", "dissipated", "torque", "pivot" },
    angles = "angle", rates = "rate", gaps = "gap", forces = "F_", reactions = "R",
}

-- The last part of a column's name without its number: "ball.rate1" is a "rate".
local function stem(name)
    return (name:match "([^.]+)$"):gsub("%d+$", "")
end

local function expand(word, columns)
    local group = groups[word]
    if type(group) == "table" then -- what the run has of it: springs belong to compliant contacts
        local present, own = {}, {}
        for _, name in ipairs(columns.names) do present[name] = true end
        for _, name in ipairs(group) do if present[name] then own[#own + 1] = name end end
        return own
    end
    if not group then return { word } end
    local list = {}
    for _, name in ipairs(columns.names) do
        local s = stem(name)
        if s == group or (group == "F_" and s:find "^F_") or (group == "R" and s:find "^R[xy]$") then
            list[#list + 1] = name
        end
    end
    if #list == 0 then fail("plot: the run has no %s", word) end
    return list
end

local function with_unit(text, unit)
    return unit ~= "" and text .. " [" .. unit .. "]" or text
end

-- Columns of a curve of so many points. Contacts within the motion that are short beside the steps get points of their
-- own, without which the forces in them would be missed.
local function curve(run, points)
    local span = run.time - run.start
    if span <= 0 then return run:columns() end
    local step, within = span / points, {}
    if run.rule == "compliant" then
        for _, impact in ipairs(run.impacts) do
            local stop = impact.rule == "compliant" and (impact.stop or run.time)
            if stop and stop - impact.time < 20 * step and #within < 20000 then
                for i = 0, 40 do within[#within + 1] = impact.time + (stop - impact.time) * i / 40 end
            end
        end
    end
    local columns = run:columns(step)
    if #within == 0 then return columns end
    for _, t in ipairs(columns.t:totable()) do within[#within + 1] = t end
    table.sort(within)
    return run:columns(within)
end

-- The figure of run:plot: columns of one unit share a panel, each once.
function M.figure(run, request)
    request = request or {}
    local columns = curve(run, request.points or 600)
    local panels, at, drawn = {}, {}, {}
    for _, word in ipairs(#request > 0 and request or { "energy" }) do
        for _, name in ipairs(expand(word, columns)) do
            local unit = columns.units[name]
            if not unit then
                fail("plot: %s", plot.no_column(name, columns.names))
            end
            if not at[unit] then
                at[unit] = { unit = unit, names = {} }
                panels[#panels + 1] = at[unit]
            end
            if not drawn[name] then table.insert(at[unit].names, name) end
            drawn[name] = true
        end
    end
    local figure = pc.chart.figure{ title = request.title, width = request.width, height = request.height }
    local quantities = { J = "energy", N = "force" }
    for i, p in ipairs(panels) do
        local one, common = #p.names == 1 and p.names[1], stem(p.names[1])
        for _, name in ipairs(p.names) do if stem(name) ~= common then common = quantities[p.unit] or "" end end
        local panel = figure:panel{
            xlabel = i == #panels and "t [s]" or nil, ylabel = with_unit(one or common, p.unit), legend = not one,
        }
        for _, name in ipairs(p.names) do
            panel:line{ columns.t, columns[name], label = not one and name or nil }
        end
    end
    return figure
end

-- run:plot(what [, options]): draw, inline or into a file.
function M.plot(run, what, options)
    local request = plot.request(what, options)
    return plot.deliver(M.figure(run, request), request)
end

-- run:phase(x, y [, options]): one column over another. Jumps are not joined.
function M.phase(run, x, y, options)
    options = options or {}
    local c = run:columns((run.time - run.start) / (options.points or 2000))
    for _, name in ipairs{ x, y } do
        if not c.units[name] then fail("phase: %s", plot.no_column(name, c.names)) end
    end
    local xs, ys = {}, {}
    for i = 1, #c.t do
        if c.t[i] >= (options.from or run.start) then
            if i > 1 and c.t[i] == c.t[i - 1] then xs[#xs + 1], ys[#ys + 1] = 0 / 0, 0 / 0 end
            xs[#xs + 1], ys[#ys + 1] = c[x][i], c[y][i]
        end
    end
    local figure = pc.chart.figure{ title = options.title }
    figure:panel{ xlabel = with_unit(x, c.units[x]), ylabel = with_unit(y, c.units[y]) }:line{ xs, ys }
    return plot.deliver(figure, options)
end

-- ---- pictures ----

local turn = 2 * math.pi

local function circle(x, y, radius)
    local xs, ys = {}, {}
    for i = 0, 48 do
        xs[i + 1], ys[i + 1] = x + radius * math.cos(turn * i / 48), y + radius * math.sin(turn * i / 48)
    end
    return xs, ys
end

-- The outline of corners that go round anticlockwise, closed, with a radius round them.
local function rounded(corners, radius, put)
    local n = #corners
    local function normal(i)
        local a, b = corners[(i - 1) % n + 1], corners[i % n + 1]
        return math.atan(a[1] - b[1], b[2] - a[2])
    end
    local arcs = radius > 0 and 12 or 0
    for i, corner in ipairs(corners) do
        local before, after = normal(i - 1), normal(i)
        local bend = (after - before) % (2 * math.pi)
        for k = 0, arcs do
            local angle = before + bend * k / math.max(arcs, 1)
            put(corner[1] + radius * math.cos(angle), corner[2] + radius * math.sin(angle))
        end
    end
    local first = normal(n)
    put(corners[1][1] + radius * math.cos(first), corners[1][2] + radius * math.sin(first))
end

-- The capsule of a link of some thickness from (x, y) along (ex, ey).
local function capsule(x, y, ex, ey, length, radius)
    local xs, ys = {}, {}
    local function put(px, py) xs[#xs + 1], ys[#ys + 1] = px, py end
    rounded({ { x, y }, { x + length * ex, y + length * ey } }, radius, put)
    return xs, ys
end

-- A spring from one point to another: ten turns between two straight ends; a cord is a line.
local function coil(x0, y0, x1, y1, cord)
    local dx, dy = x1 - x0, y1 - y0
    local length = math.sqrt(dx^2 + dy^2)
    if cord or length == 0 then return { x0, x1 }, { y0, y1 } end
    local xs, ys, width = { x0 }, { y0 }, 0.03*length
    for i = 0, 20 do
        local along = 0.15 + 0.7*i/20
        local across = (i == 0 or i == 20) and 0 or width*(i % 2 == 0 and 1 or -1)
        xs[#xs + 1] = x0 + along*dx - across*dy/length
        ys[#ys + 1] = y0 + along*dy + across*dx/length
    end
    xs[#xs + 1], ys[#ys + 1] = x1, y1
    return xs, ys
end

-- A point of a body: `poses` has { x, y, angle } of free bodies and links by their names.
local function point(poses, name, at)
    local pose = poses[name]
    if not pose then return at[1], at[2] end -- the ground
    local c, s = math.cos(pose[3]), math.sin(pose[3])
    return pose[1] + c*at[1] - s*at[2], pose[2] + s*at[1] + c*at[2]
end

-- Springs between bodies, and pins as small circles. Behind all other lines.
local function add_springs(lines, scene, poses)
    local joints, n = scene.joints, 0
    for index, part in ipairs(scene.parts) do
        local kind = pc.type(part) == "scene_force" and part.kind
        if kind == "spring" then
            local x0, y0 = point(poses, part.a, part.a_at)
            local x1, y1 = point(poses, part.b, part.b_at)
            local xs, ys = coil(x0, y0, x1, y1, part.slack)
            lines[#lines + 1] = { xs, ys, of = index, spring = true }
        elseif kind == "pin" or kind == "slider" or kind == "weld" then
            n = n + 1
            local joint = joints[n]
            local x, y = point(poses, joint.a, joint.a_at)
            local arm = 0
            for _, at in ipairs{ joint.a_at, joint.b ~= "ground" and joint.b_at or { 0, 0 } } do
                arm = math.max(arm, math.sqrt(at[1]^2 + at[2]^2))
            end
            if kind == "pin" and arm > 0 then
                local xs, ys = circle(x, y, 0.05*arm)
                lines[#lines + 1] = { xs, ys, of = index, spring = true }
            end
        end
    end
end

-- What a mechanism draws of itself, where its coordinates begin in q after `at`.
local function drawn(part, q, at, t)
    if not part.picture then
        fail("a mechanism is drawn by its picture, a function of (q, t) that returns lines { xs, ys }; %s has none",
            part.name)
    end
    local own = {}
    for i, name in ipairs(part.coordinates) do own[i], own[name] = q[at + i], q[at + i] end
    local lines = part.picture(own, t)
    if type(lines) ~= "table" then fail("picture of %s must return a list of lines { xs, ys }", part.name) end
    for i, line in ipairs(lines) do
        if type(line) ~= "table" or not line[1] or not line[2] or #line[1] ~= #line[2] then
            fail("picture of %s: line %d must be { xs, ys }, two lists of one length", part.name, i)
        end
    end
    return lines
end

-- Lines of all parts of a scene in a state { q } at t: a list of { xs, ys, of = index of the part }.
local function outlines(scene, q, pivots, t)
    local parts = scene.parts
    local lines, at, poses, counts = {}, 0, {}, {}
    local function add(part, xs, ys) lines[#lines + 1] = { xs, ys, of = part } end
    -- what the scene calls a part: a name that was given, or that of its kind with a number from the second on
    local function name_of(part)
        if part.name ~= "chain" and part.name ~= "body" then return part.name end
        counts[part.name] = (counts[part.name] or 0) + 1
        return part.name .. (counts[part.name] > 1 and counts[part.name] or "")
    end
    for index, part in ipairs(parts) do
        local kind = pc.type(part)
        if kind == "chain" then
            local x, y = pivots[index].x, pivots[index].y
            local xs, ys, name = { x }, { y }, name_of(part)
            for i, link in ipairs(part.links) do
                poses[name .. ".link" .. i] = { x, y, q[at + i] }
                if #part.links == 1 then poses[name] = poses[name .. ".link1"] end
                local ex, ey = math.sin(q[at + i]), -math.cos(q[at + i])
                if link.radius > 0 then add(index, circle(x + link.reach * ex, y + link.reach * ey, link.radius)) end
                if link.thickness > 0 then
                    add(index, capsule(x, y, ex, ey, link.length, link.thickness / 2))
                end
                x, y = x + link.length * ex, y + link.length * ey
                xs[i + 1], ys[i + 1] = x, y
            end
            add(index, xs, ys)
            at = at + #part.links + (part.pivot.floats and 2 or 0)
        elseif kind == "free" then
            local ex, ey = math.sin(q[at + 3]), -math.cos(q[at + 3])
            poses[name_of(part)] = { q[at + 1], q[at + 2], q[at + 3] }
            for _, outline in ipairs(part.pieces) do
                local corners, xs, ys = {}, {}, {}
                for i, p in ipairs(outline) do
                    corners[i] = { q[at + 1] + p[1] * ex - p[2] * ey, q[at + 2] + p[1] * ey + p[2] * ex }
                end
                if #outline == 1 then -- a radius shows how a disc turns
                    local x, y = corners[1][1], corners[1][2]
                    add(index, circle(x, y, outline.round))
                    xs, ys = { x, x + outline.round * ex }, { y, y + outline.round * ey }
                else
                    rounded(corners, outline.round, function(x, y) xs[#xs + 1], ys[#ys + 1] = x, y end)
                end
                add(index, xs, ys)
            end
            at = at + 3
        elseif kind == "mechanism" then
            for _, line in ipairs(drawn(part, q, at, t)) do add(index, line[1], line[2]) end
            at = at + #part.coordinates
        end
    end
    add_springs(lines, scene, poses)
    return lines
end

-- The shape of an obstacle that is displaced by x, y and turned by an angle about its middle: { x, y, angle }.
local function displaced(shape, place)
    if not place then return shape end
    local mx, my, n = 0, 0, #shape.corners
    for _, corner in ipairs(shape.corners) do mx, my = mx + corner[1]/n, my + corner[2]/n end
    if shape.middle then mx, my = shape.middle[1], shape.middle[2] end
    local c, s = math.cos(place[3]), math.sin(place[3])
    local function turned(v) return v and { c*v[1] - s*v[2], s*v[1] + c*v[2] } end
    local corners = {}
    for i, corner in ipairs(shape.corners) do
        local arm = turned{ corner[1] - mx, corner[2] - my }
        corners[i] = { mx + place[1] + arm[1], my + place[2] + arm[2] }
    end
    return { corners = corners, radius = shape.radius, closed = shape.closed, from = turned(shape.from),
        to = turned(shape.to), curve = shape.curve }
end

-- Where the obstacles of a scene that move are displaced to at a state of a run, by the numbers of their parts.
local function places_at(scene, state)
    local places, names, n = {}, scene.obstacles, 0
    for index, part in ipairs(scene.parts) do
        if pc.type(part) == "obstacle" then
            n = n + 1
            local x = rawget(state, names[n] .. ".x")
            if x then places[index] = { x, state[names[n] .. ".y"], state[names[n] .. ".angle"] } end
        end
    end
    return places
end

-- The part of the plane that holds all given lines, with a margin.
local function frame_of(pictures, parts)
    local x0, x1, y0, y1 = math.huge, -math.huge, math.huge, -math.huge
    local function see(x, y) x0, x1, y0, y1 = math.min(x0, x), math.max(x1, x), math.min(y0, y), math.max(y1, y) end
    for _, lines in ipairs(pictures) do
        for _, line in ipairs(lines) do
            for i, x in ipairs(line[1]) do see(x, line[2][i]) end
        end
    end
    for index, part in ipairs(parts) do
        local moves = pc.type(part) == "obstacle" and pictures[1].places and pictures[1].places[index]
        for i = 1, pc.type(part) == "obstacle" and (moves and #pictures or 1) or 0 do
            local s = displaced(part.shape, moves and pictures[i].places[index])
            local x, y, from, to = s.corners[1][1], s.corners[1][2], s.from, s.to
            if from and from[1] == -to[1] and from[2] == -to[2] then -- planes are seen where they pass the rest
                if to[2] == 0 then see(x0, y) elseif to[1] == 0 then see(x, y0) end
            else
                for _, corner in ipairs(s.corners) do
                    local radius = math.abs(s.radius)
                    see(corner[1] - radius, corner[2] - radius)
                    see(corner[1] + radius, corner[2] + radius)
                end
            end
        end
    end
    local margin = 0.06 * math.max(x1 - x0, y1 - y0, 1e-9)
    return { x0 - margin, x1 + margin }, { y0 - margin, y1 + margin }
end

-- A curve: the line itself, or, where it is thick, both of its sides with round ends.
local function wire(shape, put)
    local corners, r, n = shape.corners, shape.radius, #shape.corners
    if r == 0 then
        for _, corner in ipairs(corners) do put(corner[1], corner[2]) end
        return
    end
    local function direction(i)
        local a, b = corners[math.max(1, i - 1)], corners[math.min(n, i + 1)]
        return math.atan(b[2] - a[2], b[1] - a[1])
    end
    for i = 1, n do
        local angle = direction(i) + math.pi / 2
        put(corners[i][1] + r*math.cos(angle), corners[i][2] + r*math.sin(angle))
    end
    for k = 1, shape.closed and 0 or 11 do
        local angle = direction(n) + math.pi / 2 - math.pi * k / 12
        put(corners[n][1] + r*math.cos(angle), corners[n][2] + r*math.sin(angle))
    end
    for i = n, 1, -1 do
        local angle = direction(i) - math.pi / 2
        put(corners[i][1] + r*math.cos(angle), corners[i][2] + r*math.sin(angle))
    end
    for k = 1, shape.closed and 0 or 12 do
        local angle = direction(1) - math.pi / 2 - math.pi * k / 12
        put(corners[1][1] + r*math.cos(angle), corners[1][2] + r*math.sin(angle))
    end
end

-- The outline of an obstacle: its corners rounded by its radius (a point is shown as a small circle), its ends without
-- end as far as the picture goes.
local function obstacle_outline(shape, xlim, ylim)
    local corners, n = shape.corners, #shape.corners
    local width = xlim[2] - xlim[1]
    if n == 1 and not shape.from then
        return circle(corners[1][1], corners[1][2], math.max(math.abs(shape.radius), 1e-3 * width))
    end
    local xs, ys = {}, {}
    local function put(x, y) xs[#xs + 1], ys[#ys + 1] = x, y end
    if shape.curve then
        wire(shape, put)
        return xs, ys
    end
    if shape.from then
        local x, y = corners[1][1], corners[1][2]
        local reach = width + (ylim[2] - ylim[1]) + math.abs(x) + math.abs(y)
        put(x + reach * shape.from[1], y + reach * shape.from[2])
        for _, corner in ipairs(corners) do put(corner[1], corner[2]) end
        x, y = corners[n][1], corners[n][2]
        put(x + reach * shape.to[1], y + reach * shape.to[2])
        return xs, ys
    end
    rounded(corners, shape.radius, put)
    return xs, ys
end

local function draw_obstacles(panel, parts, places, xlim, ylim)
    for index, part in ipairs(parts) do
        if pc.type(part) == "obstacle" then
            local xs, ys = obstacle_outline(displaced(part.shape, places and places[index]), xlim, ylim)
            panel:line{ xs, ys, colour = "black", dash = "solid", width = 2 }
        end
    end
end

local colours = { "blue", "orange", "green", "purple", "sky", "yellow" }

local function colour_of(part)
    return colours[(part - 1) % #colours + 1]
end

local function picture(parts, lines, trails, xlim, ylim, options)
    local figure = pc.chart.figure{ title = options.title, width = options.width or 640, height = options.height
        or 560 }
    local panel = figure:panel{ xlabel = "x [m]", ylabel = "y [m]", xlim = xlim, ylim = ylim, equal = true,
        legend = false }
    draw_obstacles(panel, parts, lines.places, xlim, ylim)
    for _, trail in ipairs(trails) do
        panel:line{ trail[1], trail[2], colour = colour_of(trail.of), dash = "dotted", width = 0.7 }
    end
    for _, line in ipairs(lines) do
        panel:line{ line[1], line[2], colour = colour_of(line.of), dash = "solid", width = 2 }
    end
    return figure
end

-- Pivots of all chains at a state of the run: a reaction's chain begins where its first joint is.
local function pivots_at(scene, state)
    local members, at, prefixes = 0, {}, scene.prefixes
    for index, part in ipairs(scene.parts) do
        local kind = pc.type(part)
        if kind == "chain" or kind == "free" or kind == "mechanism" then members = members + 1 end
        if kind == "chain" then
            local prefix = prefixes[members]
            local angle, length = state[prefix .. "angle1"], part.links[1].length
            at[index] = {
                x = state[prefix .. "x1"] - length * math.sin(angle), y = state[prefix
                    .. "y1"] + length * math.cos(angle),
            }
        end
    end
    return at
end

-- The scene as it stands at the start.
function M.draw_scene(scene, options)
    options = options or {}
    local parts, q, pivots = scene.parts, {}, {}
    for index, part in ipairs(parts) do
        local kind = pc.type(part)
        if kind == "chain" then
            pivots[index] = part.pivot
            for _, angle in ipairs(part.angles) do q[#q + 1] = angle end
            if part.pivot.floats then q[#q + 1], q[#q + 2] = part.pivot.x, part.pivot.y end
        elseif kind == "free" then
            for _, name in ipairs{ "x", "y", "angle" } do q[#q + 1] = part[name] end
        elseif kind == "mechanism" then
            local start = part.start
            for i = 1, #part.coordinates do q[#q + 1] = start and start[i] or 0 end
        end
    end
    local lines = outlines(scene, q, pivots, 0)
    local xlim, ylim = frame_of({ lines }, parts)
    return plot.deliver(picture(parts, lines, {}, xlim, ylim, options), options)
end

-- A chain or free body alone.
function M.draw_part(part, options)
    return M.draw_scene(pc.scene{ part }, options)
end

-- Pictures at n + 1 equidistant times: lists of lines.
local function film(run, from, to, n)
    local parts, pictures, times = run.scene.parts, {}, {}
    for i = 0, n do
        local t = from + (to - from) * i / n
        local state = run:at(math.min(t, run.time))
        times[i + 1] = t
        pictures[i + 1] = outlines(run.scene, state.q, pivots_at(run.scene, state), state.t)
        pictures[i + 1].places = places_at(run.scene, state)
    end
    return parts, pictures, times
end

-- What a page plays (percuss.view): n + 1 pictures as lines with numbers of colours, what stands still apart.
function M.film_of(run, from, to, n)
    local parts, pictures, times = film(run, from, to, n)
    local xlim, ylim = frame_of(pictures, parts)
    local result = { times = times, xlim = xlim, ylim = ylim, fixed = {}, frames = {} }
    for i, picture_lines in ipairs(pictures) do
        local lines = {}
        for index, part in ipairs(parts) do
            local place = picture_lines.places and picture_lines.places[index]
            if pc.type(part) == "obstacle" and (place or i == 1) then
                local xs, ys = obstacle_outline(displaced(part.shape, place), xlim, ylim)
                local list = place and lines or result.fixed
                list[#list + 1] = { xs, ys, colour = #colours }
            end
        end
        for _, line in ipairs(picture_lines) do
            lines[#lines + 1] = { line[1], line[2], colour = (line.of - 1) % #colours }
        end
        result.frames[i] = { lines = lines }
    end
    return result
end

-- Paths of the last point of each line up to picture number `last`, over at most `length` pictures.
local function trails(pictures, last, length)
    local list = {}
    for k, line in ipairs(pictures[last]) do
        if line.spring then break end
        local xs, ys = {}, {}
        for i = math.max(1, last - length), last do
            local other = pictures[i][k]
            xs[#xs + 1], ys[#ys + 1] = other[1][#other[1]], other[2][#other[2]]
        end
        list[k] = { xs, ys, of = line.of }
    end
    return list
end

-- run:draw{ time =, trail = }: a still, with the path of the last seconds.
function M.draw(run, options)
    options = options or {}
    local time = options.time or run.time
    if not (time >= run.start and time <= run.time) then
        fail("draw: time = %g s lies outside the motion, %g to %g s", time, run.start, run.time)
    end
    local from = math.max(run.start, time - (options.trail or 1))
    local n = 100
    if from == time then n = 1 end
    local parts, pictures = film(run, from, time, n)
    local xlim, ylim = frame_of(pictures, parts)
    local figure = picture(parts, pictures[n + 1], trails(pictures, n + 1, n), xlim, ylim, {
        title = options.title or string.format("t = %.3f s", time), width = options.width, height = options.height,
    })
    return plot.deliver(figure, options)
end

-- run:animate{ file =, fps =, from =, to =, speed =, trail = }: a GIF.
function M.animate(run, options)
    options = options or {}
    local file = options.file
    if type(file) ~= "string" or not file:find "%.gif$" then
        fail("animate writes a GIF: give file = a name that ends in .gif")
    end
    local fps, speed = options.fps or 25, options.speed or 1
    local from, to = options.from or run.start, options.to or run.time
    if fps ~= fps or fps <= 0 then fail("animate: fps = %g 1/s is not allowed; it must be > 0 1/s", fps) end
    if speed ~= speed or speed <= 0 then fail("animate: speed = %g is not allowed; it must be > 0", speed) end
    if not (to > from and from >= run.start and to <= run.time) then
        fail("animate: from = %g s and to = %g s must lie in this order within the motion, %g to %g s", from, to,
            run.start, run.time)
    end
    if fps > 50 then fail("animate: a GIF shows up to 50 pictures a second, not %g", fps) end
    local n = math.max(1, math.ceil((to - from) / speed * fps))
    if n > 10000 then fail("animate: %g frames are too many; choose from and to, or a greater speed", n) end
    -- paths are curves, however few frames there are
    local tail = (options.trail or 0.5) / speed * fps
    local between = math.max(1, math.min(math.ceil(50 / math.max(tail, 1)), 20000 // n))
    local parts, pictures, times = film(run, from, to, n * between)
    local xlim, ylim = frame_of(pictures, parts)
    local function frame(i)
        local at = (i - 1) * between + 1
        return picture(parts, pictures[at], trails(pictures, at, math.ceil(tail * between)), xlim, ylim, {
            title = (options.title and options.title .. ", " or "") .. string.format("t = %.2f s", times[at]),
            width = options.width, height = options.height,
        })
    end
    local gif = pc.chart.gif(file, { rate = fps })
    for i = 1, n + 1 do
        local added, message, code = gif:add(frame(i))
        if not added then return nil, message, code end
    end
    return gif:close()
end

return M
