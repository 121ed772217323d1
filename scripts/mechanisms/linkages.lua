-- Two linkages whose motion and reactions are known: a slider-crank that is driven, and a four-bar that swings.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Slider-crank and four-bar linkage",
    source = "slider-crank: closed form by Newton and Euler; four-bar: energy of its one coordinate",
    arguments = { ... },
}

-- ---- slider-crank: crank r at the rate w, rod l of mass m, block of mass M ----

local r, l, w, m, M, g = 0.1, 0.35, 40, 0.6, 0.9, 9.81
local wheel = pc.free{ shape = "disc", radius = 0.12, mass = 2, rate = w, name = "wheel", touch = "none" }
local rod = pc.free{ shape = "rod", mass = m, length = l, x = r + l/2, angle = math.pi/2, rate = -w*r/l, vy = w*r/2,
    name = "rod", touch = "none" }
local block = pc.free{ shape = "box", width = 0.1, height = 0.06, mass = M, x = r + l, name = "block" }
local driven = pc.simulate(pc.scene{ wheel, rod, block,
    pc.pin{ a = "wheel", at = { 0, 0 }, rate = w, name = "motor" },
    pc.pin{ a = "rod", b = "wheel", at = { r, 0 }, name = "crank" },
    pc.pin{ a = "block", b = "rod", at = { r + l, 0 }, name = "wrist" },
    pc.slider{ a = "block", name = "guide" } }, { duration = 2*math.pi/w, solver = pc.solver.dop853{ rtol = 1e-12 } })

-- Place and acceleration of the block at the crank's angle phi, and the force at its pin, by hand.
local function by_hand(phi)
    local root = math.sqrt(l^2 - (r*math.sin(phi))^2)
    local x = r*math.cos(phi) + root
    -- derivatives of root by phi
    local d1 = -r^2*math.sin(phi)*math.cos(phi)/root
    local d2 = (-r^2*math.cos(2*phi) - d1^2)/root
    local a = w^2*(-r*math.cos(phi) + d2)
    return x, a, M*a
end

local worst = { x = 0, F = 0 }
for k = 0, 40 do
    local phi = 2*math.pi*k/40
    local s = driven:at(math.min(phi/w, driven.time))
    local x, _, F = by_hand(phi)
    worst.x = math.max(worst.x, math.abs(s["block.x"] - x))
    worst.F = math.max(worst.F, math.abs(s["wrist.Rx"] - F))
end
study:value("slider-crank: greatest error of the block's place", "0", worst.x, "m")
study:value("slider-crank: greatest error of its pin's force along", "0", worst.F, "N")
local turn = driven:at(driven.time)
study:value("work of the drive in a turn", "0", turn.torque, "J")

-- ---- four-bar: bars of 0.2, 0.5, 0.4 m, axes 0.55 m apart ----

local function bar(name, mass, length, x, y, phi)
    return pc.free{ shape = "rod", mass = mass, length = length, name = name, angle = phi - math.pi/2, touch = "none",
        x = x + length/2*math.cos(phi), y = y + length/2*math.sin(phi) }, x + length*math.cos(phi),
        y + length*math.sin(phi)
end
local crank, x1, y1 = bar("crank", 0.4, 0.2, 0, 0, 1.2)
local span = math.sqrt((0.55 - x1)^2 + y1^2)
local direction = math.atan(-y1, 0.55 - x1) + math.acos((0.5^2 + span^2 - 0.4^2)/(2*0.5*span))
local coupler, x2, y2 = bar("coupler", 1, 0.5, x1, y1, direction)
local rocker = bar("rocker", 0.8, 0.4, 0.55, 0, math.atan(y2, x2 - 0.55))
local swing = pc.simulate(pc.scene{ crank, coupler, rocker,
    pc.pin{ a = "crank", at = { 0, 0 }, name = "axis" }, pc.pin{ a = "coupler", b = "crank", at = { x1, y1 } },
    pc.pin{ a = "rocker", b = "coupler", at = { x2, y2 } }, pc.pin{ a = "rocker", at = { 0.55, 0 }, name = "far" } },
    { duration = 0.4, solver = pc.solver.dop853{ rtol = 1e-12 } })
for _, row in ipairs{ { 0.1, 1.1462103458597825, 3.364108709137453 }, { 0.25, 0.7176717691557816, -3.7986404592911707 },
                      { 0.4, -0.3979818909962134, -7.494551456969082 } } do
    local s = swing:at(row[1])
    study:value(("four-bar: crank's angle at %g s"):format(row[1]), ("%.12f"):format(row[2]),
        s["crank.angle"] + math.pi/2, "rad")
    study:value(("four-bar: force of its axis along x at %g s"):format(row[1]), ("%.9f"):format(row[3]), s["axis.Rx"],
        "N")
end
local first, last = swing:at(0), swing:at(0.4)
study:value("four-bar: energy that is left over", "0", last.energy - first.energy, "J")
study:value("four-bar: work of gravity", nil, g*(0.4*(first["crank.y"] - last["crank.y"])
    + first["coupler.y"] - last["coupler.y"] + 0.8*(first["rocker.y"] - last["rocker.y"])), "J")

local c = driven:columns(pc.linspace(0, driven.time, 300))
local figure = pc.chart.figure{ title = "Slider-crank at 40 rad/s", width = 700, height = 400 }
local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "force", yunit = "N" }
panel:line{ c.t, c["wrist.Rx"], label = "wrist pin, along" }
panel:line{ c.t, c["guide.Ry"], label = "guide" }
study:draw(figure, "linkages")
return study:finish()
