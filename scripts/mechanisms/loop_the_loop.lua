-- Loop the loop: from which height a disc, a sphere and a sliding body get round; where slower ones slip and leave; and
-- two older problems of curved tracks, Huygens's cycloid and the hill that a body leaves.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Loop the loop, the cycloid and the hill",
    source = "energy and normal force in closed form; Huygens (1673) for the cycloid",
    arguments = { ... },
}

local g, R, r = 9.81, 0.5, 0.05
local fine = pc.solver.dop853{ rtol = 1e-12, atol = 1e-12 }

-- ---- a track: a slope, a bend, a straight piece, the loop, and out ----

local slope, steep, bend = 2, 40*pc.deg, 0.6
local lead = 0.3
local top = { -lead - bend*math.sin(steep) - slope*math.cos(steep),
    slope*math.sin(steep) + bend*(1 - math.cos(steep)) }
local track = pc.track{ x = top[1], y = top[2], angle = -steep, name = "track", pieces = {
    { length = slope }, { radius = bend, turn = steep }, { length = lead }, { radius = R, turn = 2*math.pi },
    { length = 1 },
} }

-- From rest on the slope, its centre h above its lowest place.
local function release(shape, h, friction, duration)
    local way = (top[2] + r*math.cos(steep) - r - h)/math.sin(steep) -- down the slope from its beginning
    return pc.simulate(pc.scene{
        pc.free{ shape = shape, radius = r, mass = 1, x = top[1] + way*math.cos(steep) + r*math.sin(steep),
            y = top[2] - way*math.sin(steep) + r*math.cos(steep) },
        track, gravity = g, contact = pc.contact.newton{ restitution = 0, friction = friction } },
        { duration = duration or 3, solver = fine,
          events = { { name = "out", function(_, q) return q[1] - 0.6 end, direction = 1, terminal = true } } })
end

local function first(run, name)
    for _, event in ipairs(run.events) do if event.name == name then return event end end
end

-- The least height, in (R - r), from which nothing leaves the track. What rolls is held by
-- a friction of 1e4: no finite one keeps it rolling until nothing presses it, but the rest is below 1e-5 rad.
local function least(shape, friction)
    local low, high = 2.2, 3
    for _ = 1, 36 do
        local middle = (low + high)/2
        local leaves = first(release(shape, middle*(R - r), friction), "lift_off")
        if leaves then low = middle else high = middle end
    end
    return high
end
study:value("least height of a sliding body, over R - r", "2.5", least("disc", 0))
study:value("of a rolling sphere", "2.7", least("sphere", 1e4))
study:value("of a rolling disc", "2.75", least("disc", 1e4))

local fast = release("disc", 3*(R - r), 1e4)
local out, start = fast:at(fast.time), fast:at(0)
study:value("from 3 (R - r) a disc comes out with the speed", ("%.10f"):format(math.sqrt(4/3*g*3*(R - r))), out.vx,
    "m/s")
study:value("energy left over in the ledger", "0", out.energy + out.lost + out.friction - start.energy, "J")

-- ---- too slow: it leaves, with real friction after it has begun to slip ----

local function enter(speed, friction, duration)
    return pc.simulate(pc.scene{
        pc.free{ shape = "disc", radius = r, mass = 1, y = r, vx = speed, rate = -speed/r },
        pc.arc{ x = 0, y = R, radius = R, from = -math.pi/2, name = "loop" }, gravity = g,
        contact = pc.contact.newton{ restitution = 0, friction = friction } },
        { duration = duration, solver = fine })
end
local ideal = enter(math.sqrt(4/3*g*0.81), 1e4, 0.6)
local left = ideal:at(first(ideal, "lift_off").time, "before")
study:value("rolling from h = 1.8 (R - r) it leaves, from the top", "1.0960", math.pi - math.atan(left.x, R - left.y),
    "rad")
study:value("with the speed", "1.4206", math.sqrt(left.vx^2 + left.vy^2), "m/s")
local real = enter(math.sqrt(4/3*g*0.9), 0.4, 0.6)
study:value("from 2 (R - r), friction 0.4: slips at", "0.275613074374", first(real, "slip").time, "s")
study:value("and leaves at", "0.357088948229", first(real, "lift_off").time, "s")

-- ---- the cycloid: as long from everywhere ----

-- The middle of a disc on the parallel curve of a cycloid moves on the cycloid.
local a = 0.3
local function cycloid(s) return a*(s - math.sin(s)), a*(1 + math.cos(s)) end
local groove = pc.profile{ from = 0.3, to = 6, curve = function(s)
    local x, y = cycloid(s)
    return x - r*math.cos(s/2), y - r*math.sin(s/2)
end }
for _, begin in ipairs{ 0.5, 1.5, 2.8 } do
    local x, y = cycloid(begin)
    local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = r, mass = 1, x = x, y = y }, groove,
        gravity = g, contact = pc.contact.newton{ restitution = 0, friction = 0 } },
        { duration = 1, solver = fine,
          events = { { name = "lowest", function(_, q) return q[1] - math.pi*a end, terminal = true } } })
    study:value(("cycloid: time to the bottom from th = %g"):format(begin), ("%.12f"):format(math.pi*math.sqrt(a/g)),
        run.time, "s")
end

-- ---- a hill: the sliding body leaves a circle at cos = 2/3, and a wave where its path would bend too little ----

local hill = pc.simulate(pc.scene{
    pc.free{ shape = "disc", radius = r, mass = 1, x = (R + r)*math.sin(1e-3), y = (R + r)*math.cos(1e-3) },
    pc.arc{ x = 0, y = 0, radius = R, from = 0, to = math.pi, side = "outside" }, gravity = g,
    contact = pc.contact.newton{ restitution = 0, friction = 0 } }, { duration = 3, solver = fine })
local leaving = hill:at(first(hill, "lift_off").time, "before")
study:value("hill: cosine of the angle at which a body leaves", ("%.10f"):format(2/3*math.cos(1e-3)), leaving.y/(R + r))

-- ---- figure ----

local figure = pc.chart.figure{ title = "Loop the loop, disc released at rest, friction 0.9", columns = 2, width = 1150,
    height = 460 }
local map = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m", equal = true }
local force = figure:panel{ xlabel = "t", xunit = "s", ylabel = "normal force over weight" }
local xs, ys = {}, {}
for i, corner in ipairs(track.shape.corners) do xs[i], ys[i] = corner[1], corner[2] end
map:line{ xs, ys, colour = "black", dash = "solid", width = 2, label = "track" }
for _, h in ipairs{ 2, 2.6, 3 } do
    local run = release("disc", h*(R - r), 0.9, 2.4)
    local c = run:columns(pc.linspace(0, run.time, 800))
    map:line{ c.x, c.y, label = ("from %g (R - r)"):format(h) }
    force:line{ c.t, c.F_n/g, label = ("from %g (R - r)"):format(h) }
end
study:draw(figure, "loop_the_loop")
return study:finish()
