-- A ball on a vibrating table: the locked bounce and how it doubles, chaos, and bounces that chatter to rest.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Bouncing ball on a vibrating table",
    source = "Tufillaro, Abbott and Reilly (1992), chapter 1, with the exact map; Holmes, J. Sound Vib. 84 (1982)",
    arguments = { ... },
}

local g, size = 9.81, 1e-3
local function world(e, A, w, y, vy)
    return pc.scene{
        pc.free{ shape = "disc", radius = size, mass = 1, y = y + size, vy = vy or 0 },
        pc.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
        gravity = g, contact = pc.contact.newton{ restitution = e, friction = 0 },
    }
end

-- ---- one bounce in each period ----

-- It exists from A w^2 = pi g (1 - e)/(1 + e) on, at the phase whose cosine is that over A w^2, and flips at
-- A w^2 = g sqrt((pi (1 - e)/(1 + e))^2 + (2 (1 + e^2)/(1 + e)^2)^2).
local e, w = 0.8, 60
local T = 2*math.pi/w
local lag = math.pi*(1 - e)/(1 + e)
local exists, flips = lag*g/w^2, g*math.sqrt(lag^2 + (2*(1 + e^2)/(1 + e)^2)^2)/w^2

-- From the locked orbit of a smaller amplitude on, which is followed: impacts of the last periods.
local function settle(A, periods, kept)
    local phase = math.acos(lag*g/(A*w^2))
    local run = pc.simulate(world(e, A, w, A*math.sin(phase) + 1e-4, g*T/2),
        { start = phase/w, duration = periods*T, record = false })
    local list = {}
    for i = #run.impacts - kept + 1, #run.impacts do list[#list + 1] = run.impacts[i] end
    return list
end

local A = 0.0021
local hit = settle(A, 200, 1)[1]
study:value("phase of the locked bounce, A = 2.1 mm", string.format("%.6f", math.acos(lag*g/(A*w^2))),
    hit.time*w % (2*math.pi), "rad")
study:value("speed after it", string.format("%.6f", g*T/2), hit.u_after[2], "m/s")

-- Trace of the linearised return: a displacement is carried over one flight and the impact at its end. It is -1 - e^2
-- where the orbit doubles.
local function trace(amplitude)
    local phase = math.acos(lag*g/(amplitude*w^2))
    local start, after = phase/w, 1e-6
    local run = pc.simulate(world(e, amplitude, w, amplitude*math.sin(phase), g*T/2),
        { start = start, duration = T + after, solver = pc.solver.dop853{ rtol = 1e-13 } })
    local sum = 0
    for _, axis in ipairs{ "q", "u" } do
        local d = { q = { 0, 0, 0 }, u = { 0, 0, 0 } }
        d[axis][2] = 1
        local image = run:carry(d, start, start + T + after)
        sum = sum + (axis == "q" and image.q[2] - after*image.u[2] or image.u[2])
    end
    return sum
end
local low, high = 1.01*exists, 0.0033
for _ = 1, 30 do
    local middle = (low + high)/2
    if trace(middle) + 1 + e^2 > 0 then low = middle else high = middle end
end
study:value("amplitude at which it doubles", string.format("%.7f", flips), low, "m")
local two = settle(0.0031, 400, 2)
study:value("then it bounces to two heights: speeds apart, A = 3.1 mm", nil,
    math.abs(two[1].u_after[2] - two[2].u_after[2]), "m/s")

-- ---- the way to chaos ----

local diagram = pc.bifurcation{
    over = { "amplitude", pc.linspace(0.0024, 0.0036, 240), unit = "m" },
    run = function(amplitude)
        local phase = math.acos(lag*g/(amplitude*w^2))
        return pc.simulate(world(e, amplitude, w, amplitude*math.sin(phase) + 1e-5, g*T/2),
            { start = phase/w, duration = 400*T, max_impacts = 400, record = false })
    end,
    sample = function(run)
        local list, hits = {}, run.impacts
        for i = math.max(#hits - 99, 1), #hits do list[#list + 1] = hits[i].time*w/(2*math.pi) % 1 end
        return list
    end,
}
study:value("impacts in the diagram", nil, #diagram)

-- At e = 0.95 irregular bounces go on without sticking (249 of 256 orbits over 20,000 impacts).
local wild = { e = 0.95, A = 0.02, w = 40 }
local long = pc.simulate(world(wild.e, wild.A, wild.w, 0.05, 1.3), { duration = 20000, record = false })
local function sticks(run)
    for _, event in ipairs(run.events) do if event.name == "contact" then return true end end
end
local phases, speeds = {}, {}
for i, impact in ipairs(long.impacts) do
    phases[i], speeds[i] = impact.time*wild.w % (2*math.pi), impact.u_after[2]
end
study:value("mean flight in chaos, e = 0.95, A = 20 mm at 40 rad/s", "0.82", long.time/#long.impacts, "s")
study:statement("orbits that stick there", "7 of 256", sticks(long) and "this one does" or "this one does not",
    "one of them")
local exponent = pc.lyapunov(world(wild.e, wild.A, wild.w, 0.05, 1.3), { duration = 400, settle = 20, interval = 4 })
study:statement("largest exponent there", "2.186 1/s, mean of long orbits",
    string.format("%.3f 1/s", exponent.exponent),
    math.abs(exponent.exponent - 2.186) < 0.3 and "agrees within its scatter" or "differs")

-- ---- chattering ----

-- A w^2 = 1.28 g: infinitely many bounces end, the table carries the ball, and throws it where its acceleration
-- reaches -g.
local chatter = pc.simulate(world(0.5, 0.0035, 60, 0.02),
    { duration = 0.34, solver = pc.solver.dop853{ rtol = 1e-12 } })
local seen = {}
for _, event in ipairs(chatter.events) do seen[event.name] = seen[event.name] or event.time end
study:value("bounces are over, e = 0.5, A = 3.5 mm", "0.2024071413", seen.accumulation, "s")
study:value("thrown", string.format("%.10f", (math.asin(g/(0.0035*60^2)) + 4*math.pi)/60), seen.lift_off, "s")
local last = chatter:at(0.34)
study:value("energy left over in the ledger", nil,
    math.abs(last.energy + last.lost - last.drive - chatter:at(0).energy), "J")

-- ---- figures ----

local figure = pc.chart.figure{ title = "Bouncing ball on a vibrating table", columns = 3, width = 1500, height = 460 }
local panel = figure:panel{ title = "phases of impacts, e = 0.8, 60 rad/s", xlabel = "amplitude", xunit = "m",
    ylabel = "phase of the impact in the period" }
panel:scatter{ diagram.amplitude, diagram.sample, width = 0.4 }
panel = figure:panel{ title = "chaos: e = 0.95, 20 mm, 40 rad/s", xlabel = "phase", xunit = "rad",
    ylabel = "speed after", yunit = "m/s" }
panel:scatter{ phases, speeds, width = 0.4 }
panel = figure:panel{ title = "chattering to rest, and thrown", xlabel = "t", xunit = "s", ylabel = "height",
    yunit = "m" }
local c = chatter:columns(pc.linspace(0, 0.34, 1200))
panel:line{ c.t, c.y - size, label = "ball" }
panel:line{ c.t, c["table.y"], label = "table" }
study:draw(figure, "ball_on_table")
return study:finish()
