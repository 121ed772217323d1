-- Following a boundary: where a column jumps between neighbouring points of a grid, the cells are bisected until they
-- are as small as asked for. One axis gives intervals, two axes squares that split in four (a quadtree).
--
-- A cell is split when the column differs by more than `jump` among the points known on its edge: its corners, and the
-- midpoints that smaller neighbours have computed. So a boundary that enters a cell between two equal corners
-- is followed as well. Each round computes all new points at once; rounds are sweeps of their own in the store.
local pc = require "percuss"
local refuse = require "percuss.refuse"

local M = {}

local function fail(format, ...)
    refuse("sweep: refine: " .. string.format(format, ...))
end

local function read_options(request, refine)
    local found = false
    for _, name in ipairs(request.columns) do found = found or name == refine.column end
    if not found then fail("column = %s is not among the columns of the sweep", tostring(refine.column)) end
    local depth = math.tointeger(refine.depth)
    local jump = refine.jump or 0
    if request.sampling ~= "grid" or #request.axes > 2 then fail("it needs a grid of one or two axes") end
    if request.shard then fail("a boundary is followed by one process, not in shards") end
    for _, axis in ipairs(request.axes) do
        if #axis.values < 2 then fail("'%s' needs two values at least", axis.name) end
    end
    return refine.column, depth, jump
end

-- Lattice: on every axis the given values lie 2^depth steps apart, and steps between them are even.
local function coordinate(values, i, scale)
    local cell = math.min(i // scale, #values - 2)
    local part = (i - cell * scale) / scale
    local a, b = values[cell + 1], values[cell + 2]
    return part == 0 and a or part == 1 and b or a + (b - a) * part
end

-- State of a refinement. Points are known by key = i * rows + j; `value` holds the column there.
local Lattice = {}
Lattice.__index = Lattice

local function new_lattice(axes, depth)
    local scale = 1 << depth
    local second = axes[2] and (#axes[2].values - 1) * scale + 1 or 1
    return setmetatable({ axes = axes, scale = scale, rows = second, value = {}, wanted = {}, list = {} }, Lattice)
end

function Lattice:key(i, j) return i * self.rows + j end

function Lattice:want(i, j)
    local key = self:key(i, j)
    if self.value[key] == nil and not self.wanted[key] then
        self.wanted[key] = true
        self.list[#self.list + 1] = key
    end
end

-- Spread of the known values among the points of a list of lattice positions; a failed point is NaN and counts as a
-- jump against those that did not fail.
local function spread(lattice, positions)
    local lo, hi, failed, fine = math.huge, -math.huge, false, false
    for k = 1, #positions, 2 do
        local v = lattice.value[lattice:key(positions[k], positions[k + 1])]
        if v then
            if v ~= v then
                failed = true
            else
                fine = true
                lo, hi = math.min(lo, v), math.max(hi, v)
            end
        end
    end
    if failed and fine then return math.huge end
    return fine and hi - lo or 0
end

-- Points on the edge of a cell { i, j, size }, and what it splits into.
local function edge_of(cell, flat)
    local i, j, s = cell[1], cell[2], cell[3]
    local h = s // 2
    if flat then return { i, 0, i + s, 0, i + h, 0 } end
    return { i, j, i + s, j, i, j + s, i + s, j + s, i + h, j, i + h, j + s, i, j + h, i + s, j + h }
end

local function split(cell, lattice, flat, leaves)
    local i, j, s = cell[1], cell[2], cell[3]
    local h = s // 2
    if flat then
        lattice:want(i + h, 0)
        leaves[#leaves + 1] = { i, 0, h }
        leaves[#leaves + 1] = { i + h, 0, h }
        return
    end
    for a = 0, 2 do
        for b = 0, 2 do lattice:want(i + a * h, j + b * h) end
    end
    for a = 0, 1 do
        for b = 0, 1 do leaves[#leaves + 1] = { i + a * h, j + b * h, h } end
    end
end

-- Compute the wanted points as a zipped sweep, and remember the column there.
local function compute(lattice, request, round, column, run_request)
    local axes, keys = {}, lattice.list
    table.sort(keys)
    for d, axis in ipairs(request.axes) do
        local values = pc.array.zeros(#keys)
        for k, key in ipairs(keys) do
            local i = d == 1 and key // lattice.rows or key % lattice.rows
            values[k] = coordinate(axis.values, i, lattice.scale)
        end
        axes[d] = { name = axis.name, unit = axis.unit, values = values }
    end
    local part = setmetatable({
        axes = axes, sampling = "zip", points = #keys, size = #keys, name = request.name .. "_" .. round,
    }, { __index = request })
    local t, message, code = run_request(part)
    if not t then return nil, message, code end
    local values = t:column(column)
    for k, key in ipairs(keys) do lattice.value[key] = values[k] end
    lattice.list, lattice.wanted = {}, {}
    return t
end

-- Tables of one form below each other.
local function stack(tables)
    local first, list = tables[1], {}
    local counts = { computed = 0, skipped = 0, failed = 0, missing = 0, seconds = 0 }
    local info, at = { failures = {} }, 0
    for _, t in ipairs(tables) do
        for name in pairs(counts) do counts[name] = counts[name] + (t.info[name] or 0) end
        for row, message in pairs(t.info.failures) do info.failures[at + row] = message end
        at = at + #t
    end
    for c, name in ipairs(first.names) do
        local column = first:column(name)
        for k = 2, #tables do column = column .. tables[k]:column(name) end
        list[c] = { name, column, unit = first.units[name] }
    end
    for name, n in pairs(counts) do info[name] = n end
    for _, name in ipairs{ "name", "store", "jobs" } do info[name] = first.info[name] end
    info.points = at
    list.info = info
    return list
end

-- The smallest cells that the boundary passes: their centres and half widths.
local function boundary_of(lattice, request, leaves, jump, flat)
    local centres, halves = {}, {}
    for d in ipairs(request.axes) do centres[d], halves[d] = {}, {} end
    for _, cell in ipairs(leaves) do
        if cell[3] == 1 and spread(lattice, edge_of({ cell[1], cell[2], 1 }, flat)) > jump then
            for d, axis in ipairs(request.axes) do
                local a = coordinate(axis.values, cell[d], lattice.scale)
                local b = coordinate(axis.values, cell[d] + 1, lattice.scale)
                table.insert(centres[d], 0.5 * (a + b))
                table.insert(halves[d], 0.5 * math.abs(b - a))
            end
        end
    end
    local list = {}
    for d, axis in ipairs(request.axes) do
        list[#list + 1] = { axis.name, centres[d], unit = axis.unit }
        list[#list + 1] = { axis.name .. "_error", halves[d], unit = axis.unit }
    end
    return pc.table(list)
end

-- The table of all points: the grid, then the rounds; info.boundary is a table of the smallest cells on the boundary,
-- with their centres and half widths.
function M.run(request, refine, run_request)
    local column, depth, jump = read_options(request, refine)
    local flat = #request.axes == 1
    local lattice = new_lattice(request.axes, depth)
    local grid, message, code, partial = run_request(request)
    if not grid then return nil, message, code, partial end
    local n1, n2 = #request.axes[1].values, flat and 1 or #request.axes[2].values
    local values = grid:column(column)
    for a = 0, n1 - 1 do
        for b = 0, n2 - 1 do
            lattice.value[lattice:key(a * lattice.scale, b * lattice.scale)] = values[a * n2 + b + 1]
        end
    end
    local leaves = {}
    for a = 0, n1 - 2 do
        for b = 0, math.max(n2 - 2, 0) do
            leaves[#leaves + 1] = { a * lattice.scale, b * lattice.scale, lattice.scale }
        end
    end
    local tables, round = { grid }, 0
    while true do
        local rest, cells = {}, #leaves
        for _, cell in ipairs(leaves) do
            if cell[3] > 1 and spread(lattice, edge_of(cell, flat)) > jump then
                split(cell, lattice, flat, rest)
            else
                rest[#rest + 1] = cell
            end
        end
        leaves = rest
        if #leaves == cells then break end
        if #lattice.list > 0 then
            round = round + 1
            local t
            t, message, code = compute(lattice, request, round, column, run_request)
            if not t then return nil, message, code, pc.table(stack(tables)) end
            tables[#tables + 1] = t
        end
    end
    local list = stack(tables)
    list.info.boundary = boundary_of(lattice, request, leaves, jump, flat)
    list.info.rounds = round
    return pc.table(list)
end

return M
