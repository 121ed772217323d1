-- percuss.sweep: a function at many points, on all cores, resumable. The work is done by sweep_core (C); here is what a
-- call means: where the points lie, which of them are ours, where they are kept.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local core = require "percuss.sweep_core"

local sweep = {}

-- Errors point at the line that called pc.sweep: the level counts the functions in between.
local function fail(format, ...)
    refuse("sweep: " .. string.format(format, ...))
end

local function contains(list, word)
    for _, known in ipairs(list) do
        if known == word then return true end
    end
    return false
end

local function one_of(list, word, what)
    if contains(list, word) then return word end
    local near = type(word) == "string" and pc.nearest(word, list)
    fail("%s must be one of %s, not '%s'%s", what, table.concat(list, ", "), tostring(word),
        near and " (did you mean '" .. near .. "'?)" or "")
end

local function whole(value, what, least, most)
    local n = math.tointeger(value)
    if not n or n < least or n > (most or math.maxinteger) then
        fail("%s must be a whole number from %d%s, not %s", what, least, most and " to " .. most or "", tostring(value))
    end
    return n
end

-- ---- reading a request ----

-- A store is case-insensitive in names and has columns of its own.
local function check_columns(names)
    local seen = { index = "a name", seconds = "a name", error = "a name" }
    for _, name in ipairs(names) do
        if type(name) ~= "string" or name == "" then fail("a column must have a name, not %s", tostring(name)) end
        local folded = name:lower()
        if seen[folded] == "a name" then fail("no column can be called '%s': stores have one of their own", name) end
        if seen[folded] then fail("the columns '%s' and '%s' differ in case at most", seen[folded], name) end
        seen[folded] = name
    end
end

local function values_of(entry, name)
    local values = entry[2]
    if type(values) == "number" then return pc.array{ values } end
    if pc.type(values) == "array" then return values end
    if type(values) == "table" then return pc.array(values) end
    fail("the values of '%s' must be an array or a list of numbers, not a %s", name, type(values))
end

-- Axes { name, values, unit } of `over`.
local function read_axes(over)
    if type(over) ~= "table" or #over == 0 then
        fail("over must be a list such as { { \"theta\", pc.linspace(0, 1, 11), unit = \"rad\" } }")
    end
    local axes = {}
    for i, entry in ipairs(over) do
        if type(entry) ~= "table" then fail("entry %d of over must be { name, values, unit = }", i) end
        local name = entry[1]
        if type(name) ~= "string" then fail("entry %d of over must begin with a name", i) end
        local values = values_of(entry, name)
        if #values == 0 then fail("'%s' has no values", name) end
        axes[i] = { name = name, values = values, unit = entry.unit or "" }
    end
    return axes
end

-- Number of points of the whole sweep.
local function count_points(axes, sampling, points)
    if sampling == "grid" then
        local n = 1
        for _, axis in ipairs(axes) do
            if n > math.maxinteger // #axis.values then fail("the grid has too many points") end
            n = n * #axis.values
        end
        return n
    elseif sampling == "zip" then
        for _, axis in ipairs(axes) do
            if #axis.values ~= #axes[1].values then
                fail("zipped axes have one length, but '%s' has %d values and '%s' has %d", axes[1].name,
                    #axes[1].values, axis.name, #axis.values)
            end
        end
        return #axes[1].values
    end
    for _, axis in ipairs(axes) do
        if #axis.values ~= 2 then
            fail("with sampling = \"%s\" the values of '%s' are its bounds { lo, hi }, not %d numbers", sampling,
                axis.name, #axis.values)
        end
    end
    if not points then fail("with sampling = \"%s\" points are needed: how many", sampling) end
    return math.tointeger(points)
end

-- The coordinates of the points first, first + stride, ..., one array for each axis.
local function coordinates(request)
    local axes, out, inner = request.axes, {}, request.points
    local first, stride, n = request.first, request.stride, request.size
    for d, axis in ipairs(axes) do
        local values = axis.values
        if stride == 1 and n == #values and (request.sampling == "grid" or request.sampling == "zip") then
            out[d] = values -- the axis is the column: large ones are not copied
        elseif request.sampling == "grid" then
            inner = inner // #values
            out[d] = core.grid(values, inner, first, stride, n)
        elseif request.sampling == "zip" then
            out[d] = core.grid(values, 1, first, stride, n)
        else
            out[d] = core.sample(request.sampling, request.seed, d - 1, request.points, values[1], values[2], first,
                stride, n)
        end
    end
    return out
end

-- "wedge.db" of shard 2 of 8 is "wedge.2of8.db".
local function shard_file(store, index, count)
    if count == 1 then return store end
    local stem, ending = store:match "^(.*[^/])(%.[^./]+)$"
    return string.format("%s.%dof%d%s", stem or store, index, count, ending or "")
end

local function environment(name)
    local value = os.getenv(name)
    return value ~= "" and value or nil
end

local function read_shard(text)
    local ok, index, count, launcher = pcall(core.shard, text)
    if not ok then fail("%s", index) end
    return index, count, launcher
end

local function read_request(spec)
    if #spec.columns == 0 then
        fail("columns must be a list of what the function returns, such as { \"loss\", \"wedged\" }")
    end
    local request = { axes = read_axes(spec.over), run = spec.run, columns = spec.columns, units = spec.units or {} }
    local names = {}
    for _, axis in ipairs(request.axes) do names[#names + 1] = axis.name end
    table.move(spec.columns, 1, #spec.columns, #names + 1, names)
    check_columns(names)
    for name in pairs(request.units) do
        if not contains(spec.columns, name) then fail("units names '%s', which is no column", tostring(name)) end
    end
    request.sampling = spec.sampling or "grid"
    request.points = count_points(request.axes, request.sampling, spec.points)
    request.seed = math.tointeger(spec.seed or 0)
    local jobs = environment "PERCUSS_JOBS"
    request.jobs = whole(spec.jobs or (jobs and (tonumber(jobs) or jobs)) or core.cores(), "jobs", 1, 256)
    request.progress = spec.progress or environment "PERCUSS_PROGRESS"
    if request.progress then one_of({ "line", "json", "none" }, request.progress, "PERCUSS_PROGRESS") end
    request.name = spec.name or "points"
    if request.name == "sweep" or request.name == "column" or request.name:match "^sqlite_" then
        fail("no sweep can be called '%s': a store has such a table itself", request.name)
    end
    request.changed = spec.changed
    request.retry = spec.retry ~= nil
    local index, count, launcher = read_shard(spec.shard or environment "PERCUSS_SHARD")
    request.first, request.stride = index - 1, count
    request.size = request.points < index and 0 or (request.points - index) // count + 1
    request.shard = count > 1 and string.format("%d/%d", index, count) or nil
    request.launcher = launcher
    request.store = spec.store and shard_file(spec.store, index, count)
    return request
end

-- ---- identity ----

local function parameters_digest(request)
    local parts = { request.sampling, tostring(request.points) }
    if request.sampling ~= "grid" and request.sampling ~= "zip" then parts[#parts + 1] = tostring(request.seed) end
    for _, axis in ipairs(request.axes) do
        parts[#parts + 1] = axis.name
        parts[#parts + 1] = axis.unit
        parts[#parts + 1] = axis.values
    end
    for _, name in ipairs(request.columns) do parts[#parts + 1] = name end
    return core.digest(parts)
end

local function function_digest(request)
    -- the seed is what math.random begins with at each point
    return core.digest{ require("percuss.identity").digest(request.run), tostring(request.seed) }
end

local function open_store(request, columns)
    local list = {}
    for _, column in ipairs(columns) do list[#list + 1] = { column[1], column.unit, column.is_input } end
    local program, processor = core.versions()
    return core.store_open(request.store, {
        name = request.name, points = request.points, parameters = parameters_digest(request),
        ["function"] = function_digest(request), program = program, processor = processor, columns = list,
        changed = request.changed,
    })
end

-- ---- running ----

-- The table of a request, with everything that is known of it before it runs.
local function new_table(request)
    local columns = {}
    local at = coordinates(request)
    for d, axis in ipairs(request.axes) do
        columns[d] = { axis.name, at[d], unit = axis.unit, is_input = true }
    end
    for _, name in ipairs(request.columns) do
        columns[#columns + 1] = { name, pc.array.zeros(request.size), unit = request.units[name] or "" }
    end
    columns.info = {
        name = request.name, sampling = request.sampling, points = request.points, shard = request.shard,
        store = request.store, jobs = request.jobs, failures = {}, failed = 0,
    }
    if request.sampling == "grid" and not request.shard then
        columns.info.axes = {}
        for d, axis in ipairs(request.axes) do columns.info.axes[d] = { axis.name, axis.values } end
    end
    return pc.table(columns), columns
end

local function run_request(request)
    if core.confined() then
        return nil, "sweep: there are no worker processes and no stores here: use percuss.map, or a loop", "system"
    end
    local result, columns = new_table(request)
    local inputs = {}
    for d, axis in ipairs(request.axes) do inputs[d] = axis.name end
    local store, message, code
    if request.store then
        store, message, code = open_store(request, columns)
        if not store then return nil, "sweep: " .. message, code end
    end
    -- closed by C, which an interruption cannot stop on the way
    local _ <close> = store
    message, code = select(2, core.run{
        table = result, run = request.run, inputs = inputs, outputs = request.columns, jobs = request.jobs,
        seed = request.seed, first = request.first, stride = request.stride, store = store, retry = request.retry,
        progress = request.progress, name = request.name, randomseed = math.randomseed,
    })
    if message then return nil, "sweep: " .. message, code, result end
    return result
end

function sweep.sweep(spec)
    local request = read_request(spec)
    local results
    if spec.refine ~= nil then
        results = table.pack(require("percuss.refine").run(request, spec.refine, run_request))
    else
        results = table.pack(run_request(request))
    end
    return table.unpack(results, 1, results.n)
end

-- ---- stores afterwards ----

-- A sweep of a store as a table; rows that were not computed are not there.
function sweep.read(path, name)
    local columns, failures, what = core.store_read(path, name)
    if not columns then return nil, failures, what end
    local failed = 0
    for _ in pairs(failures) do failed = failed + 1 end
    columns.info = {
        name = what.name, points = what.points, failures = failures, failed = failed, store = path,
        program = what.program, processor = what.processor,
    }
    columns.info.missing = what.points - #columns[1][2]
    return pc.table(columns)
end

-- Join the stores `parts` into the store `path`. Returns the list of its sweeps, each with points, rows, failed,
-- missing and gaps of missing indices { first, last, step } (the first twenty).
function sweep.merge(path, parts)
    local taken, sweeps, code = core.store_merge(path, parts)
    if not taken then return nil, sweeps, code end
    return sweeps, taken
end

-- percuss --merge all.db part1.db ...: says what it did; returns whether every sweep is complete.
function sweep.merge_command(path, parts)
    local sweeps, taken, code = sweep.merge(path, parts)
    if not sweeps then
        io.stderr:write("percuss: ", taken, "\n")
        return false, code
    end
    for i, part in ipairs(parts) do print(string.format("%s: %d points taken", part, taken[i])) end
    local complete = true
    for _, s in ipairs(sweeps) do
        print(string.format("%s: sweep '%s' has %d of %d points, %d failed, %d missing", path, s.name, s.rows, s.points,
            s.failed, s.missing))
        for _, gap in ipairs(s.gaps) do
            local first, last, step = table.unpack(gap)
            local text = first == last and "%d" or step == 1 and "%d to %d" or "%d to %d, every %d"
            print("  missing " .. string.format(text, first, last, step))
        end
        if s.missing > 0 then
            complete = false
            print("  run the shards again, each with its own store: they go on where they stopped")
        end
    end
    return complete
end

return sweep
