-- How often a double pendulum strikes the floor within four seconds, over the angles it is let go from: a picture in
-- which regular and chaotic motion can be told apart. Each point is a run with its impacts.
--
-- --points N: N x N points (90); --jobs and --store as for every sweep: percuss --jobs 2 double_pendulum.lua
local pc = require "percuss"
local Study = require "percuss.study"

local arguments, n, store = { ... }, 90, nil
for i = #arguments - 1, 1, -1 do
    if arguments[i] == "--points" or arguments[i] == "--store" then
        if arguments[i] == "--points" then n = math.tointeger(tonumber(arguments[i + 1])) or n end
        if arguments[i] == "--store" then store = arguments[i + 1] end
        table.remove(arguments, i)
        table.remove(arguments, i)
    end
end
local study = Study.new{
    title = "Impacts of a double pendulum over its initial angles",
    source = "a double pendulum of two equal rods above a floor, Poisson's restitution 0.7, friction 0.2",
    arguments = arguments,
}

local law = pc.contact.poisson{ restitution = 0.7, friction = 0.2 }
local links = { { mass = 1, length = 0.5 }, { mass = 1, length = 0.5 } }

local t = assert(pc.sweep{
    over = {
        { "first", pc.linspace(20, 170, n) * pc.deg, unit = "rad" },
        { "second", pc.linspace(-170, 170, n) * pc.deg, unit = "rad" },
    },
    columns = { "impacts", "stopped" }, store = store,
    run = function(p)
        local rig = pc.chain{ links = links, angles = { p.first, p.second } }
        local world = pc.scene{ rig, pc.floor{ depth = 0.9 }, contact = law }
        local run = pc.simulate(world, { duration = 4, record = false, max_impacts = 500 })
        return { impacts = run.impact_count, stopped = run.stop ~= "duration" }
    end,
})

local impacts = t.impacts:where(t.impacts:eq(t.impacts))
study:value("points", nil, #t)
study:value("points that begin below the floor", nil, t.info.failed)
study:value("mean number of impacts", nil, impacts:mean())
study:value("greatest number", nil, impacts:max())
study:value("points that never strike", nil, impacts:eq(0):count())

local figure = pc.chart.figure{ width = 900, height = 750, title = "Impacts within 4 s" }
local panel = figure:panel{ xlabel = "first angle", xunit = "deg", ylabel = "second angle", yunit = "deg" }
local axes = t.info.axes
panel:heatmap{ axes[1][2] / pc.deg, axes[2][2] / pc.deg, t.impacts, label = "impacts" }
study:draw(figure, "double_pendulum")
return study:finish()
