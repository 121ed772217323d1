-- A jump on an elastic cord: free fall, half a swing on the cord, free fall again. The cord is slack up to its length,
-- so the period follows in closed form.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Bungee jump", source = "closed form: parabolas and a swing about the sag", arguments = { ... },
}

local mass, length, stiffness, g = 75, 20, 90, 9.81

-- Taut after sqrt(2 L/g) with sqrt(2 g L); then a swing about the sag m g/k below.
local taut, speed = math.sqrt(2*length/g), math.sqrt(2*g*length)
local sag, omega = mass*g/stiffness, math.sqrt(stiffness/mass)
local amplitude = math.sqrt(sag^2 + (speed/omega)^2)
local deepest = length + sag + amplitude
local half = (math.pi - math.atan(speed/omega, sag))/omega
-- from the sag's upper side down: the phase at which the cord becomes taut is beyond a quarter
local period = 2*(taut + half)

local function jump(damping, duration)
    local world = pc.scene{
        pc.free{ shape = "disc", radius = 0.3, mass = mass, name = "jumper" }, gravity = g,
        pc.spring{ a = "jumper", stiffness = stiffness, damping = damping, rest_length = length, slack = true },
    }
    return pc.simulate(world, { duration = duration, solver = pc.solver.dop853{ rtol = 1e-12 }, events = {
        { name = "taut", function(_, q) return -q[2] - length end, direction = 1 },
        { name = "deepest", function(_, _, u) return u[2] end, direction = 1 },
    } })
end

local motion = jump(0, period)
local seen = {}
for _, event in ipairs(motion.events) do seen[event.name or event.kind] = seen[event.name] or event.time end
study:value("time at which the cord is taut", string.format("%.6f", taut), seen.taut, "s")
study:value("deepest point", string.format("%.6f", deepest), -motion:at(seen.deepest)["jumper.y"], "m")
study:value("time there", string.format("%.6f", period/2), seen.deepest, "s")
study:value("greatest acceleration", string.format("%.6f", stiffness/mass*(deepest - length) - g),
    -(g - stiffness/mass*(-motion:at(seen.deepest)["jumper.y"] - length)), "m/s^2")
study:value("back at the top after a period: height", "0", motion:at(period)["jumper.y"], "m")

-- With the loss of a real cord it comes to rest at the sag.
local damped = jump(30, 120)
local last = damped:at(120)
study:value("at rest after two minutes with 30 N s/m", string.format("%.4f", length + sag), -last["jumper.y"], "m")
study:value("energy left over in the ledger", nil, math.abs(last.energy + last.damped - damped:at(0).energy), "J")

local figure = pc.chart.figure{ title = "Bungee jump", columns = 2, width = 1000, height = 400 }
local a, b = motion:columns(0.02), jump(30, 40):columns(0.05)
figure:panel{ title = "without loss", xlabel = "t", xunit = "s", ylabel = "y", yunit = "m" }:line{ a.t, a["jumper.y"] }
figure:panel{ title = "30 N s/m", xlabel = "t", xunit = "s", ylabel = "y", yunit = "m" }:line{ b.t, b["jumper.y"] }
study:draw(figure, "bungee")
return study:finish()
