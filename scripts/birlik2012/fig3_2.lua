-- Birlik (2012), Fig 3.2: which orders of phases are possible in an oblique impact. The thesis draws a decision
-- chart; here each branch is found by trying: 4 x 20,000 random impacts of four bodies, and how often each order came.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Orders of phases in oblique impact, and how often they come", source = "Birlik (2012), Fig 3.2",
    arguments = { ... },
}

local N = 20000
local bodies = {
    { "sphere", function() return birlik.sphere() end },
    { "disc", function() return pc.body.disc{ radius = 5e-3, mass = 0.0041 } end },
    { "rod", function(a) return birlik.rod(a / pc.deg) end },
    { "pendulum", function(a) return birlik.pendulum(a / pc.deg) end },
}

-- mu uniform in 0..1.5, eta log-uniform in 0.01..10, incidence uniform in -80..80 deg, angle of the body likewise.
local function draw(make)
    local body = make((2 * math.random() - 1) * 80 * pc.deg)
    local law = pc.contact.linear{
        stiffness = 1.5e7, stiffness_ratio = 10 ^ (3 * math.random() - 2), friction = 1.5 * math.random(),
    }
    local incidence = (2 * math.random() - 1) * 80 * pc.deg
    if body.rank == 1 then
        local down = body:contact_velocity{ rate = 1 }
        return pc.collide(body, law, { rate = down.vn < 0 and 1 or -1 })
    end
    return pc.collide(body, law, { speed = 1, incidence = incidence })
end

math.randomseed(2012)
local counts, order = {}, {}
for column, row in ipairs(bodies) do
    for _ = 1, N do
        local regime = draw(row[2]).regime
        if not counts[regime] then
            counts[regime] = { 0, 0, 0, 0 }
            order[#order + 1] = regime
        end
        counts[regime][column] = counts[regime][column] + 1
    end
end
table.sort(order)
study:say(string.format("  %-28s %10s %10s %10s %10s", "share [%]", "sphere", "disc", "rod", "pendulum"))
for _, regime in ipairs(order) do
    local c = counts[regime]
    study:say(string.format("  %-28s %10.3f %10.3f %10.3f %10.3f", regime, 100 * c[1] / N, 100 * c[2] / N,
        100 * c[3] / N, 100 * c[4] / N))
end
return study:finish()
