-- What is closed, or asked again, by a script that percuss calls meanwhile. Prints a line that begins with "wrong: "
-- for each answer that is none.
local pc = require "percuss"

local function close(x)
    local _ <close> = x
end

local function must_refuse(what, expected, f, ...)
    local ok, message = pcall(f, ...)
    message = tostring(message)
    if ok or not message:find(expected, 1, true) then print(("wrong: %s answers %s"):format(what, message)) end
end

-- ---- runs and scenes, from the functions that a run calls ----

local now = {} -- what the functions below do
local function act() return now.act and now.act() end

local function make()
    now.act = nil
    local rig = pc.chain{ links = { { mass = 1, length = 1 } }, angles = { 1 },
                          torque = function() act() return 0 end, pivot = function()
                              act()
                              return 0, 0, 0, 0, 0, 0
                          end }
    local world = pc.scene{ rig, pc.floor{ depth = 0.9 },
                            contact = pc.contact.newton{ restitution = 0.5, friction = 0.1 } }
    return world, pc.simulate(world, { duration = 1, events = {
        { function(_, q) act() return q[1] - 10 end, name = "never" },
    } })
end

local uses = {
    at = function(run) return run:at(0.5) end,
    columns = function(run) return run:columns(0.1) end,
    continue = function(run) return run:continue(0.1) end,
    carry = function(run) return run:carry{ q = { 0.1 }, u = { 0 } } end,
    before = function(run) return run.impacts[1].before end,
}

for name, use in pairs(uses) do
    for other, inner in pairs(uses) do
        local _, run = make()
        now.act = function() inner(run) end
        must_refuse(other .. " within " .. name, "the run is being worked out", use, run)
    end
    local world, run = make()
    now.act = function() close(run) end
    must_refuse("closing the run within " .. name, "the run is in use and cannot be closed now", use, run)
    now.act = function() close(world) end
    must_refuse("closing the scene within " .. name, "the scene is in use and cannot be closed now", use, run)
    now.act = nil
    use(run) -- nothing is left in use
    close(run)
    close(world)
    must_refuse("a closed run", "the run was closed", use, run)
end

do -- progress, and what it may do: read fields, simulate the same scene
    local world = pc.scene{ pc.chain{ links = { { mass = 1, length = 1 } }, angles = { 1 } } }
    local run = pc.simulate(world, { duration = 1 })
    local steps = 0
    local function progress()
        steps = steps + 1
        assert(run.time >= 1 and #run.impacts >= 0)
        must_refuse("at within progress", "the run is being worked out", run.at, run, 0.5)
        must_refuse("close within progress", "the run is in use", close, run)
        assert(pc.simulate(world, { duration = 0.1 }).time == 0.1)
    end
    run:continue(1e3, progress) -- more than 4096 steps
    if steps == 0 then print "wrong: progress was not called" end
    assert(run:at(0.5).t == 0.5)
end

-- ---- options and lists whose metatables call back ----

-- A table that closes `x` when it is asked for what it has not.
local function trap(x, has)
    return setmetatable(has or {}, { __index = function()
        close(x)
        collectgarbage()
        return nil
    end, __len = function()
        close(x)
        return 1 << 61
    end })
end

for _, method in ipairs{ "panel", "text", "show" } do
    local c = pc.chart.figure{}
    c:panel{}:line{ { 0, 1 }, { 0, 1 } }
    must_refuse("figure:" .. method, "was closed", c[method], c, trap(c))
end
for _, method in ipairs{ "save", "bytes" } do
    local c = pc.chart.figure{}
    c:panel{}:line{ { 0, 1 }, { 0, 1 } }
    must_refuse("figure:" .. method, "was closed", c[method], c, method == "save" and "never.svg" or "svg", trap(c))
end
local series = {
    line = { { 0, 1 }, { 0, 1 } }, step = { { 0, 1 }, { 0, 1 } }, scatter = { { 0, 1 }, { 0, 1 } },
    bars = { { 0, 1 }, { 0, 1 } }, histogram = { { 0, 1, 2 } }, errorbars = { { 0, 1 }, { 0, 1 }, yerr = 1 },
    heatmap = { { 0, 1 }, { 0, 1 }, { 0, 1, 2, 3 } }, bands = { { 0, 1 }, { 0, 1 }, { 0, 1, 2, 3 } },
    contour = { { 0, 1 }, { 0, 1 }, { 0, 1, 2, 3 } },
    vectors = { { 0, 1 }, { 0, 1 }, { 0, 1, 2, 3 }, { 0, 1, 2, 3 } },
    streamlines = { { 0, 1 }, { 0, 1 }, { 0, 1, 2, 3 }, { 0, 1, 2, 3 } },
    hline = { 1 }, vline = { 1 }, span = { 0, 1 }, text = { 0, 1, "text" },
}
for _, entry in ipairs(pc.register()) do
    local method = entry.path:match "^panel:(.*)$"
    if method then
        local c = pc.chart.figure{}
        local panel = c:panel{}
        must_refuse("panel:" .. method, "was closed", panel[method], panel, trap(c, assert(series[method], method)))
        -- a list that says it is longer than it is
        local d = pc.chart.figure{}
        panel = d:panel{}
        local first = trap(d, { 1, 2 })
        pcall(panel[method], panel, { first, first, first, first })
    end
end

-- A text that nothing else holds is kept as long as it is needed.
do
    local c = pc.chart.figure{}
    local panel = c:panel(setmetatable({}, { __index = function(_, key)
        collectgarbage()
        if key == "title" or key:find "label$" then return ("%s of many words"):format(key):rep(20) end
    end }))
    assert(c:text():find "words" and tostring(panel):find("title of many words", 1, true))
end

do
    local m = pc.ode.solve{ rhs = function() return 1 end, y = 0, t = 1 }
    pcall(m.columns, m, trap(m, { 0, 0.5 }))
    local _, run = make()
    pcall(run.columns, run, trap(run, { 0, 0.5 }))
    _, run = make()
    pcall(run.carry, run, trap(run, { q = { 0 } }))
    _, run = make()
    pcall(run.carry, run, { q = trap(run, {}), u = { 0 } })
    local world = make()
    must_refuse("simulate", "was closed", pc.simulate, world, trap(world, { duration = 1 }))
    local box = pc.sandbox.open{}
    pcall(box.post, box, trap(box), 1)
    close(box)
end

print "done"
