-- Random mechanisms: a mass that turns or not, linear and bent gaps with friction, held together by a spring and pushed
-- against their gaps. trial(seed) moves one and returns what is kept: the ledger, as a share of the energies, the
-- deepest gap as a share of lengths, and how many impacts there were; or nil and why there was no motion.
local pc = require "percuss"

local function generator(seed)
    local state = seed*7919 + 12345
    return function(a, b)
        state = (state*6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
        return a + (b - a)*((state >> 20)/2^43)
    end
end

local laws = {
    function(e, mu) return pc.contact.newton{ restitution = e, friction = mu } end,
    function(e, mu) return pc.contact.poisson{ restitution = e, friction = mu } end,
    function(e, mu) return pc.contact.stronge{ restitution = e, friction = mu } end,
    function(_, mu) return pc.contact.kelvin_voigt{ k = 1e5, c = 50, friction = mu } end,
}

-- The description of a trial, as pc.mechanism takes it; `rule` and so on for the scene.
local function describe(seed)
    local random = generator(seed)
    local n, n_gaps = 1 + math.floor(random(0, 4)), 1 + math.floor(random(0, 3))
    local rough = random(0, 1) < 0.7
    local coordinates, start, rates, A = {}, {}, {}, {}
    for i = 1, n do
        coordinates[i] = "q" .. i
        start[i], rates[i] = random(-0.2, 0.2), random(-1, 1)
        A[i] = {}
        for j = 1, n do A[i][j] = random(-1, 1) end
    end
    local M = {}
    for i = 1, n do
        M[i] = {}
        for j = 1, n do
            M[i][j] = i == j and 0.5 or 0
            for k = 1, n do M[i][j] = M[i][j] + A[i][k]*A[j][k] end
        end
    end
    -- a mass that turns: a part of it is that of a point whose place bends with q1
    local turns = random(0, 1) < 0.5
    local function mass(q)
        local s, own = 0.4*math.sin(2*q[1]), {}
        for i = 1, n do
            own[i] = {}
            for j = 1, n do own[i][j] = M[i][j] + (i == 1 and j == 1 and s^2 or 0) end
        end
        return own
    end
    local push, gaps, total, soft = {}, {}, {}, {}
    for i = 1, n do total[i] = 0 end
    for k = 1, n_gaps do
        local row, slip, bend, room = {}, {}, turns and random(-0.3, 0.3) or 0, random(0.02, 0.4)
        for i = 1, n do
            row[i], slip[i] = random(-1, 1), random(-1, 1)
            room = room - row[i]*start[i]
        end
        room = room - bend*start[1]^2 -- it is open at the start
        for i = 1, n do total[i] = total[i] + row[i] end
        gaps[k] = { function(_, q)
            local sum = room + bend*q[1]^2
            for i = 1, n do sum = sum + row[i]*q[i] end
            return sum
        end, tangent = rough and n > 1 and slip or nil, name = "gap" .. k, length = 1,
            }
        local which = 1 + math.floor(random(0, 4))
        gaps[k].contact = laws[which](random(0, 1), rough and n > 1 and random(0, 0.6) or 0)
        soft[k] = which == 4
        if random(0, 1) < 0.5 and bend == 0 then gaps[k].jacobian = row end
    end
    for i = 1, n do push[i] = -4*total[i] end
    return { coordinates = coordinates, start = start, rates = rates, mass = turns and mass or M, gaps = gaps,
        force = function(_, q, u)
            local f = {}
            for i = 1, n do f[i] = push[i] - 2*q[i] - 0.05*u[i] end
            return f
        end }, random(0, 1) < 0.5 and "moving" or "frozen", soft
end

return function(seed)
    local options, configuration, soft = describe(seed)
    local compliant = false
    for i = 1, #soft do compliant = compliant or soft[i] end
    local own = pc.mechanism(options)
    local ok, run = pcall(pc.simulate, pc.scene{ own, configuration = compliant and configuration or nil },
        { duration = 2, solver = pc.solver.dop853{ rtol = 1e-10 } })
    if not ok then return nil, tostring(run) end
    local a, b, deep = run:at(0), run:at(2), 0
    local left = b.energy + b.friction + b.lost + (rawget(b, "dissipated") or 0) - b.torque - a.energy
    for k = 0, 100 do
        local s = run:at(k/50)
        for i = 1, #options.gaps do
            local g = s[#options.gaps > 1 and "gap" .. i or "gap"]
            if not soft[i] then deep = math.min(deep, g) end
        end
    end
    return { ledger = left/(a.energy + math.abs(b.torque) + b.energy + 1), deep = deep, impacts = #run.impacts }
end
