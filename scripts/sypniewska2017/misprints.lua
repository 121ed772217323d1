-- Sypniewska-Kaminska (2017): misprints, and what they would change.
local pc = require "percuss"
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Misprints and roundings", source = syp.source .. ", equations (29)-(36), section 4", arguments = { ... },
}

-- (36): the first line of E_i has (l2 + r)(1 + cos psi2) where it must have l2 + r(1 + cos psi2); the printed value is
-- too large by 2 l1^2 l2 lc m2 sin(2 psi1) cos(psi2).
local d = syp.data
local function mobility(psi1, psi2)
    local depth = d.l1 * math.cos(psi1) + (d.l2 + d.r) * math.cos(psi2) + d.r
    local changes = { psi1 = psi1 / pc.deg, psi2 = psi2 / pc.deg, om1 = 1, om2 = 0, D = depth }
    local run = pc.simulate(syp.scene(0, changes), { duration = 0 })
    if run.impact_count == 0 then
        changes.om1 = -1
        run = pc.simulate(syp.scene(0, changes), { duration = 0 })
    end
    return run.impacts[1].W.tn
end

local function printed_excess(psi1, psi2)
    local a11, a22 = d.I1 + d.l1^2 * (d.m1 / 4 + d.m2), d.I2 + d.lc^2 * d.m2
    local a12 = d.l1 * d.lc * d.m2 * math.cos(psi1 - psi2)
    local excess = 2 * d.l1^2 * d.l2 * d.lc * d.m2 * math.sin(2 * psi1) * math.cos(psi2)
    return excess / (4 * (a11 * a22 - a12^2))
end

for _, degrees in ipairs{ { 20, 60 }, { -35, 50 } } do
    local psi1, psi2 = degrees[1] * pc.deg, degrees[2] * pc.deg
    local right = mobility(psi1, psi2)
    local name = string.format("epsilon at psi = %d, %d deg", degrees[1], degrees[2])
    study:value(name, nil, right, "1/kg")
    study:value(name .. ", as (36) prints it", nil, right + printed_excess(psi1, psi2), "1/kg")
end
-- The motion with the printed E_i: flights end where the gap closes, and the impact is one of a body with that W.
local function printed_run(duration)
    local free = pc.scene{ syp.scene(0).parts[1], gravity = d.g }
    local law = pc.contact.poisson{ restitution = d.k, friction = 0.15 }
    local function gap(_, q) return d.D - d.r - d.l1 * math.cos(q[1]) - (d.l2 + d.r) * math.cos(q[2]) end
    local q, u, t, energies = { -d.psi1 * pc.deg, -d.psi2 * pc.deg }, { -d.om1, -d.om2 }, 0, {}
    while true do
        local run = pc.simulate(free, {
            start = t, duration = duration - t, q = q, u = u, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 },
            events = { { gap, direction = -1, terminal = true } },
        })
        if run.stop ~= "event" then return energies end
        local s = run:at(run.time)
        q, t = s.q, run.time
        -- rows of the contact's velocity (32), (33) and the mass matrix (4), in angles that turn as ours do
        local t1, t2 = d.l1 * math.cos(q[1]), d.r + (d.l2 + d.r) * math.cos(q[2])
        local n1, n2 = d.l1 * math.sin(q[1]), (d.l2 + d.r) * math.sin(q[2])
        local a11, a22 = d.I1 + d.l1^2 * (d.m1 / 4 + d.m2), d.I2 + d.lc^2 * d.m2
        local a12 = d.l1 * d.lc * d.m2 * math.cos(q[1] - q[2])
        local det = a11 * a22 - a12^2
        local function response(x, y) return (a22 * x - a12 * y) / det, (a11 * y - a12 * x) / det end
        local rt1, rt2 = response(t1, t2)
        local rn1, rn2 = response(n1, n2)
        local wrong = t1 * rn1 + t2 * rn2 + printed_excess(-q[1], -q[2])
        local W = { { t1 * rt1 + t2 * rt2, wrong }, { wrong, n1 * rn1 + n2 * rn2 } }
        local v = { vt = t1 * s.u[1] + t2 * s.u[2], vn = n1 * s.u[1] + n2 * s.u[2] }
        local p = pc.collide(pc.body.matrix{ W = W }, law, v).impulse
        u = { s.u[1] + rt1 * p.t + rn1 * p.n, s.u[2] + rt2 * p.t + rn2 * p.n }
        energies[#energies + 1] = pc.simulate(free, { duration = 0, q = q, u = u }):at(0).energy
    end
end
local wrong = printed_run(6)
study:value("impacts in 6 s with the printed E_i, mu = 0.15", "10", #wrong)
study:value("energy after its first impact", nil, wrong[1], "J")

-- Other laws do not give both printed counts at one time.
for _, law in ipairs{ "newton", "poisson", "stronge" } do
    local smooth, rough = syp.run(0, 7, nil, law), syp.run(0.15, 7, nil, law)
    local from = math.max(smooth.impacts[6].time, rough.impacts[10] and rough.impacts[10].time or math.huge)
    local to = math.min(smooth.impacts[7] and smooth.impacts[7].time or 7,
        rough.impacts[11] and rough.impacts[11].time or 7)
    study:statement("6 and 10 impacts with the law of " .. law, law == "poisson" and "yes" or nil,
        from < to and string.format("from %.4f to %.4f s", from, to) or "at no time",
        law ~= "poisson" and "not printed" or from < to)
end

-- The rounding of lc, I1 and I2: all eight corners of the box keep the counts at 6 s.
local kept = 0
for _, lc in ipairs{ 0.36265, 0.36275 } do
    for _, I1 in ipairs{ 0.06755, 0.06765 } do
        for _, I2 in ipairs{ 0.1635, 0.1645 } do
            local changes = function() return { lc = lc, I1 = I1, I2 = I2 } end
            local six = syp.run(0, 6, changes()).impact_count == 6
            if six and syp.run(0.15, 6, changes()).impact_count == 10 then kept = kept + 1 end
        end
    end
end
study:value("corners of the rounding box with 6 and 10 impacts", nil, kept)
study:note("The printed count of ten needs the right E_i: the slip is one of typesetting, not of the authors' program.")
study:note("(30): sticking needs |T| <= mu F. (32): a bracket closes after psi_2. Section 3.4: the rule of (1 + k) is")
study:note("(28). Section 3.1: the constraints that become inactive are (2). After (19): v2z(0) stands for v2x(0).")
return study:finish()
