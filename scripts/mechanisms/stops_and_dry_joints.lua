-- Pendulums whose joint has a stop, or rubs: times and speeds of impacts, turning angles, where they rest.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Stops and dry friction of joints",
    source = "stop: elliptic integrals; dry friction: energy of each half swing; pin: its equation by "
        .. "hand, integrated by itself",
    arguments = { ... },
}
local TIGHT = pc.solver.dop853{ rtol = 1e-12 }
local g = 9.81

-- A point of 1 kg at the end of a rod of 1 m, let go at an angle.
local function swing(angle, duration, joint)
    joint.a, joint.at, joint.name = "rod", { 0, 0 }, "pin"
    local rod = pc.chain{ links = { { length = 1, mass = 1, center = 1, inertia = 0 } }, angles = { angle },
        name = "rod", touch = "none" }
    return pc.simulate(pc.scene{ rod, pc.pin(joint), gravity = g }, { duration = duration, solver = TIGHT })
end

-- ---- a rigid stop at -0.3 rad with restitution 0.8 ----

local rigid = swing(1.2, 14, { lower = -0.3, restitution = 0.8 })
for _, want in ipairs{ { 1, 0.636613569948981, -3.4109005810507074 }, { 4, 4.559187893865846, -1.7463810974979623 },
                       { 10, 13.949076657675976, -0.4578033264225058 } } do
    local hit = rigid.impacts[want[1]]
    study:value(("rigid stop: impact %d, at"):format(want[1]), ("%.10f"):format(want[2]), hit.time, "s")
    study:value(("rate before impact %d"):format(want[1]), ("%.10f"):format(want[3]), hit.velocity_before.n, "rad/s")
end

-- ---- a stop at 0.2 rad that gives: 500 N m/rad, 2 N m s/rad ----

local soft = swing(-1, 4, { upper = 0.2, stiffness = 500, damping = 2 })
for k, want in ipairs{ { 0.601871402924921, 0.7343987253703069 }, { 1.9437834402310632, 2.0759239534991205 },
                       { 3.2935623806982677, 3.425266185046784 } } do
    local hit = soft.impacts[k]
    study:value(("soft stop: touch %d"):format(k), ("%.12f"):format(want[1]), hit.time, "s")
    study:value(("soft stop: release %d"):format(k), ("%.12f"):format(want[2]), hit.stop, "s")
end

-- ---- a constant torque M against the rate: m g l (cos b - cos a) = M (a + b) from turn to turn ----

local M = 0.3
local dry = swing(1.2, 20, { friction_torque = M })
local a, worst = 1.2, 0
for k = 2, #dry.events do
    local event = dry.events[k]
    if event.kind == "reversal" or event.kind == "stick" then
        local low, high = 0, a
        for _ = 1, 60 do
            local b = (low + high)/2
            if g*(math.cos(b) - math.cos(a)) > M*(a + b) then low = b else high = b end
        end
        a = low
        worst = math.max(worst, math.abs(math.abs(dry:at(event.time)["rod.angle1"]) - a))
    end
end
study:value("dry joint: greatest error of a turning angle", "0", worst, "rad")
study:value("dry joint: rests at", "0.006989608130", dry:at(20)["rod.angle1"], "rad")
study:value("dry joint: rests after", "18.5954841807", dry.events[#dry.events].time, "s")

-- ---- a pin of 30 mm that rubs by 0.3 with its reaction; about the same at the start ----

local mu, r = 0.3, 0.03
local pin = swing(1.2, 20, { radius = r, friction = mu })
-- R has the part n along the rod and none across it: a point at the end of a rod is held by a force along it, but for
-- the moment of friction, which is carried to it across: |R|^2 = n^2 + (M/l)^2 and M = mu r |R|
local function rates(_, angle, rate)
    local n = g*math.cos(angle) + rate^2
    local torque = mu*r*n/math.sqrt(1 - (mu*r)^2)
    return rate, -g*math.sin(angle) - (rate > 0 and 1 or -1)*torque
end
local turn = pin.events[2].time
local angle = pc.ode.solve{ rhs = rates, t = turn, y = { 1.2, 0 }, solver = TIGHT }:at(turn)
study:value("pin: first turning angle", ("%.12f"):format(angle), pin:at(turn)["rod.angle1"], "rad")
study:value("pin: swings until it rests", nil, #pin.events - 3)
local s = pin:at(0.3)
study:value("pin: moment over mu r |R|", "1", math.abs(s["pin.friction.M"])
    /(mu*r*math.sqrt(s["pin.Rx"]^2 + s["pin.Ry"]^2)))

for i, run in ipairs{ rigid, dry, pin } do
    local first, last = run:at(0), run:at(run.time)
    study:value(({ "rigid stop", "dry joint", "pin" })[i] .. ": energy left over", "0",
        last.energy + last.friction + last.lost - first.energy, "J")
end

local figure = pc.chart.figure{ title = "Pendulums with a stop and with dry joints", width = 720, height = 420 }
local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "angle", yunit = "rad" }
for _, one in ipairs{ { rigid, "stop at -0.3 rad, e = 0.8" }, { dry, "torque 0.3 N m" },
                      { pin, "pin of 30 mm, friction 0.3" } } do
    local c = one[1]:columns(pc.linspace(0, math.min(14, one[1].time), 900))
    panel:line{ c.t, c["rod.angle1"], label = one[2] }
end
study:draw(figure, "stops_and_dry_joints")
return study:finish()
