-- Three links that float turn by what they do with their joints, though their angular momentum stays zero.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A planar skater turns without angular momentum",
    source = "Frohlich, American Journal of Physics 47 (1979) 583; the integral of zero angular momentum",
    arguments = { ... },
}

-- Equal rods of length l and mass m. With the joints turned by a and b against the middle one, the angular momentum
-- about the mass centre is the sum of K[i][j] cos(q_i - q_j) q_j', q = (p + a, p, p + b): each rod has m l^2/12, and of
-- the mass centres those parts that are not common to all.
local l, m = 0.5, 2
local K = {}
do
    local arms = { { 1/2, 1, 1 }, { 0, 1/2, 1 }, { 0, 0, 1/2 } } -- of rod j in the mass centre of rod i: arms[j][i]
    for i = 1, 3 do
        K[i] = {}
        for j = 1, 3 do
            local sum, mean_i, mean_j = 0, 0, 0
            for k = 1, 3 do
                sum = sum + arms[i][k]*arms[j][k]
                mean_i, mean_j = mean_i + arms[i][k]/3, mean_j + arms[j][k]/3
            end
            K[i][j] = m*l^2*(sum - 3*mean_i*mean_j + (i == j and 1/12 or 0))
        end
    end
end

-- The rate of the middle rod while a and b have the rates da and db.
local function turning(a, b, da, db)
    local q, known, by = { a, 0, b }, { da, 0, db }, { 0, 0 }
    for i = 1, 3 do
        for j = 1, 3 do
            local c = K[i][j]*math.cos(q[i] - q[j])
            by[1], by[2] = by[1] + c*known[j], by[2] + c
        end
    end
    return -by[1]/by[2]
end

-- The turn on a straight way from (a, b), by Simpson's rule.
local function turn_of(a, b, da, db)
    local n, sum = 400, 0
    for k = 0, n do
        local weight = (k == 0 or k == n) and 1 or k % 2 == 1 and 4 or 2
        sum = sum + weight*turning(a + da*k/n, b + db*k/n, da, db)
    end
    return sum/(3*n)
end

-- A turn of the joints at constant rates, driven, for a second.
local function move(angles, place, da, db)
    local links = {}
    for i = 1, 3 do links[i] = { mass = m, length = l } end
    local x1, y1 = place[1] + l*math.sin(angles[1]), place[2] - l*math.cos(angles[1])
    local x2, y2 = x1 + l*math.sin(angles[2]), y1 - l*math.cos(angles[2])
    local p = turning(angles[1] - angles[2], angles[3] - angles[2], da, db)
    local rates = { p + da, p, p + db }
    -- the mass centre stays: the upper end moves against what the arms make of the rates
    local vx, vy = 0, 0
    for i, share in ipairs{ 5/6, 1/2, 1/6 } do
        vx = vx - share*l*rates[i]*math.cos(angles[i])
        vy = vy - share*l*rates[i]*math.sin(angles[i])
    end
    local skater = pc.chain{ name = "skater", links = links, angles = angles, rates = rates, touch = "none",
        pivot = { floats = true, x = place[1], y = place[2], vx = vx, vy = vy } }
    return pc.simulate(pc.scene{ skater, gravity = 0,
        pc.pin{ a = "skater.link1", b = "skater.link2", at = { x1, y1 }, rate = da, name = "hip" },
        pc.pin{ a = "skater.link3", b = "skater.link2", at = { x2, y2 }, rate = db, name = "knee" } },
        { duration = 1, solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-12 } })
end

-- The mass centre of all, from the upper end.
local function centre(angles, place)
    local x, y = place[1], place[2]
    for i, share in ipairs{ 5/6, 1/2, 1/6 } do
        x, y = x + share*l*math.sin(angles[i]), y - share*l*math.cos(angles[i])
    end
    return x, y
end

local figure = pc.chart.figure{ title = "A square of the joints' angles turns the skater", width = 640, height = 360 }
local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "angle of the middle link", yunit = "rad" }
local drift = 0
for _, size in ipairs{ 0.5, 1, 2 } do
    local angles, place, a, b, expected, t = { 0, 0, 0 }, { 0, 0 }, 0, 0, 0, 0
    local x, y = centre(angles, place)
    local ts, ps = {}, {}
    for _, way in ipairs{ { size, 0 }, { 0, -size }, { -size, 0 }, { 0, size } } do
        expected = expected + turn_of(a, b, way[1], way[2])
        a, b = a + way[1], b + way[2]
        local run = move(angles, place, way[1], way[2])
        local s = run:at(1)
        angles = { s["skater.angle1"], s["skater.angle2"], s["skater.angle3"] }
        place = { s["skater.x0"], s["skater.y0"] }
        for k = 0, 20 do ts[#ts + 1], ps[#ps + 1] = t + k/20, run:at(k/20)["skater.angle2"] end
        t = t + 1
    end
    local cx, cy = centre(angles, place)
    drift = math.max(drift, math.abs(cx - x), math.abs(cy - y))
    study:value(("turn by a square of %g rad"):format(size), ("%.12f"):format(expected), angles[2], "rad")
    panel:line{ ts, ps, label = ("%g rad"):format(size) }
end
study:value("drift of the mass centre in all of them", "0", drift, "m")
study:draw(figure, "planar_skater")
return study:finish()
