-- Model solution of the assignment double_pendulum.
local pc = require "percuss"
local work = ...
local d = work.data

local function simulate()
    local rig = pc.chain{
        links = { { mass = 1, length = d.length }, { mass = 1, length = d.length } },
        angles = { d.first * pc.deg, d.second * pc.deg },
    }
    local law = pc.contact.poisson{ restitution = d.restitution, friction = d.friction }
    return pc.simulate(pc.scene{ rig, pc.floor{ depth = 1.8 * d.length }, contact = law }, { duration = 2 })
end

function work.first_time() return simulate().impacts[1].time, "s" end

function work.first_loss() return simulate().impacts[1].loss, "J" end

function work.energy()
    local run, t = simulate(), pc.linspace(0, 2, 400)
    local figure = pc.chart.figure{ title = "Kinetic energy of the double pendulum" }
    figure:panel{ xlabel = "time", xunit = "s", ylabel = "kinetic energy", yunit = "J" }
        :line{ t, run:columns(t).kinetic }
    return figure
end

function work.chaos()
    return [[
The first impact hardly changes: its time and loss move by about as much as the angle did. Each impact and each swing
multiplies the difference, so that after some impacts the order of events and their number are other ones.]]
end
