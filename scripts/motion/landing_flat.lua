-- What lands flat: a box and a rod on a floor, a disc in a V, by the three rules for impacts at one instant.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Landing flat", source = "symmetry; Pfeiffer and Glocker (1996), chapter 8", arguments = { ... },
}

local e = 0.8
local law = pc.contact.newton{ restitution = e, friction = 0 }
local height = 0.5

local function land(body, together, ...)
    local parts = { body, ... }
    parts.contact, parts.together = law, together
    return pc.simulate(pc.scene(parts), { duration = 0.75 })
end

local things = {
    { "box", pc.free{ shape = "box", width = 0.3, height = 0.15, mass = 1, y = height + 0.075 },
        pc.floor{ height = 0 } },
    { "rod", pc.free{ shape = "rod", length = 0.5, mass = 1, y = height, angle = math.pi / 2 },
        pc.floor{ height = 0 } },
    { "disc in a V", pc.free{ shape = "disc", radius = 0.1, mass = 1, y = height },
        pc.plane{ nx = 1, ny = 2 }, pc.plane{ nx = -1, ny = 2 } },
}

local figure = pc.chart.figure{ title = "Landing flat, e = 0.8, no friction: who is struck first?" }
local rows = {}
for number, thing in ipairs(things) do
    local panel = figure:panel{ xlabel = number == 3 and "t [s]" or nil,
        ylabel = thing[1] .. (number == 3 and ": x [m]" or ": angle [rad]") }
    for _, rule in ipairs{ "tied", "sequential" } do
        local run = land(thing[2], rule, table.unpack(thing, 3))
        local hit = run.impacts[1]
        local last = hit
        for _, other in ipairs(run.impacts) do if other.time == hit.time then last = other end end
        local name = thing[1] .. ", " .. rule
        rows[name] = last.u_after
        if number == 3 then
            study:value(name .. ": leaves sideways at", nil, last.u_after[1], "m/s")
        else
            study:value(name .. ": spins at", nil, last.u_after[3], "rad/s")
        end
        study:statement(name .. ": the order decides", nil, tostring(hit.flags.order_dependent or false),
            (hit.flags.order_dependent or false) == (rule == "sequential"))
        local c = run:columns(0.005)
        local line = number == 3 and c.x or c.angle - thing[2].angle
        panel:line{ c.t, line, label = rule }
    end
end

local v = math.sqrt(2 * 9.81 * height)
study:identity("box: leaves at e times its speed", rows["box, tied"][2], e * v)
study:identity("box: without spin", rows["box, tied"][3], 0)
study:identity("rod: without spin", rows["rod, tied"][3], 0)
study:identity("disc: straight up", rows["disc in a V, tied"][1], 0)

-- Corner after corner, the faster first, the left one of two alike: at each an impulse (1 + e) v_n/(1/m + b^2/I).
local b, I, speed, rate = 0.15, (0.3^2 + 0.15^2) / 12, -v, 0
repeat
    local left, right = speed - b * rate, speed + b * rate
    local corner = left <= right and -b or b
    local approach = -math.min(left, right)
    if approach > 0 then
        local impulse = (1 + e) * approach / (1 + b^2 / I)
        speed, rate = speed + impulse, rate + corner * impulse / I
    end
until approach <= 1e-12
study:identity("box in sequence: spins as corner after corner makes it", rows["box, sequential"][3], rate)
study:note("A tie is one problem by default: symmetric bodies keep their symmetry. In sequence the corner on the left")
study:note("is struck first, and what follows answers to that choice; the impacts say so (flags.order_dependent).")
study:draw(figure, "landing_flat")
return study:finish()
