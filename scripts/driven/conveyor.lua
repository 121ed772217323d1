-- A vibrating conveyor: a plate that shakes along a slope throws, holds and lets slip what lies on it, and so moves it.
-- Values of arcs of stick, slip and flight that were put together in closed form.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Vibrating conveyor", source = "arcs of stick, slip and flight in closed form, checked values",
    arguments = { ... },
}

local g = 9.81

-- A block on a track of a slope, which moves by A sin(w t) along a line at the angle beta to it; the block does not
-- turn (its inertia keeps it) and lands without restitution.
local function shake(A, w, beta, slope, friction, cycles)
    local s, c = math.sin(slope), math.cos(slope)
    local run = pc.simulate(pc.scene{
        pc.free{ shape = "disc", radius = 0.01, inertia = 1e9, mass = 1, x = -0.01*s, y = 0.01*c,
            vx = A*w*math.cos(beta + slope), vy = A*w*math.sin(beta + slope), name = "block" },
        pc.plane{ nx = -s, ny = c, name = "track", motion = { frequency = w, amplitude_x = A*math.cos(beta + slope),
            amplitude_y = A*math.sin(beta + slope) } },
        gravity = g, contact = pc.contact.newton{ restitution = 0, friction = friction },
    }, { duration = cycles*2*math.pi/w + 1e-9, solver = pc.solver.dop853{ rtol = 1e-11 } })
    return run, function(t)
        local at = run:at(t)
        return (at["block.x"] + 0.01*s)*c + (at["block.y"] - 0.01*c)*s
    end
end

local cases = {
    { name = "level, along itself", A = 0.005, w = 60, beta = 0, slope = 0, friction = 0.4, speed = 0,
        printed = "0.0000000000", after = "0.0216084613" },
    { name = "uphill without flight", A = 0.0008, w = 150, beta = 0.5, slope = 0.05, friction = 0.4,
        printed = "0.0280991907", after = "0.0371059899" },
    { name = "level with hops", A = 0.0025, w = 100, beta = 0.7, slope = 0, friction = 0.3,
        printed = "0.1063968566", after = "0.2065754731" },
}
for _, case in ipairs(cases) do
    local T = 2*math.pi/case.w
    local run, along = shake(case.A, case.w, case.beta, case.slope, case.friction, 60)
    study:value(case.name .. ": way in 30 periods", case.after, along(30*T), "m")
    study:value(case.name .. ": mean speed in the end", case.printed, (along(60*T) - along(50*T))/(10*T), "m/s")
    local last = run:at(run.time)
    study:value(case.name .. ": energy left over in the ledger", nil,
        math.abs(last.energy + last.friction + last.lost - last.drive - run:at(0).energy), "J")
end

-- What the throw does: the mean speed over the acceleration across the track, in g, for directions of the shaking.
local directions, throws, speeds = { 0.3, 0.5, 0.8 }, pc.linspace(0.3, 3.2, 40), {}
local w = 100
for k, beta in ipairs(directions) do
    speeds[k] = {}
    for i = 1, #throws do
        local A = throws[i]*g/(w^2*math.sin(beta))
        local T = 2*math.pi/w
        local _, along = shake(A, w, beta, 0, 0.3, 40)
        speeds[k][i] = (along(40*T) - along(20*T))/(20*T)
    end
end

local figure = pc.chart.figure{ title = "Vibrating conveyor, friction 0.3, 100 rad/s", columns = 2, width = 1100,
    height = 440 }
local panel = figure:panel{ title = "mean speed", xlabel = "acceleration across the track, in g", ylabel = "speed",
    yunit = "m/s" }
for k, beta in ipairs(directions) do panel:line{ throws, speeds[k], label = ("direction %g rad"):format(beta) } end
local run = shake(0.0025, 100, 0.7, 0, 0.3, 6)
local c = run:columns(pc.linspace(0, 6*2*math.pi/100, 1500))
panel = figure:panel{ title = "hops", xlabel = "x", xunit = "m", ylabel = "y", yunit = "m" }
panel:line{ c["block.x"], c["block.y"] - 0.01, label = "block" }
panel:line{ c["track.x"], c["track.y"], label = "a point of the track" }
study:draw(figure, "conveyor")
return study:finish()
