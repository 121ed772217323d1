-- Sypniewska-Kaminska (2017): how the impact times depend on the tolerance of the integrator, and on the fixed-step
-- method that the paper describes: the classical Runge-Kutta method, a change of sign of f, linear interpolation.
local pc = require "percuss"
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Sensitivity to the method", source = syp.source .. ", sections 3.1, 3.2", arguments = { ... },
}

local exact = syp.run(0.15, 6)
local function worst(run)
    local w = 0
    for i, hit in ipairs(run.impacts) do
        local known = exact.impacts[i]
        if known then w = math.max(w, math.abs(hit.time - known.time)) end
    end
    return w
end

for _, digits in ipairs{ 4, 6, 8, 10 } do
    local run = pc.simulate(syp.scene(0.15), { duration = 6, solver = pc.solver.dop853{ rtol = 10^-digits,
        atol = 10^-digits } })
    study:value(string.format("dop853, rtol 1e-%d: greatest error of 10 times", digits), nil, worst(run), "s")
end
for _, h in ipairs{ 1e-2, 1e-3, 1e-4 } do
    local run = pc.simulate(syp.scene(0.15), { duration = 6, solver = pc.solver.rk4{ step = h } })
    study:value(string.format("rk4, h = %g s, impacts located on its polynomials", h), nil, worst(run), "s")
end

-- The paper's own: step with RK4; where f changes its sign take time, angles and rates between the two points by linear
-- interpolation, strike, go on from there. `guard`: only crossings from above count. Without it the rules of the impact
-- are applied to a disk that moves away; being homogeneous, they then give the negative of the impact of -u.
local function paper(h, duration, guard)
    local d = syp.data
    local rig = syp.scene(0.15).parts[1]
    local free, solver = pc.scene{ rig, gravity = d.g }, pc.solver.rk4{ step = h }
    local law = pc.contact.poisson{ restitution = d.k, friction = 0.15 }
    local function gap(q) return d.D - d.r - d.l1 * math.cos(q[1]) - (d.l2 + d.r) * math.cos(q[2]) end
    local function strike(q, u, sign)
        local floor = pc.floor{ depth = d.D - gap(q) } -- at the interpolated state
        local from = { sign * u[1], sign * u[2] }
        local run = pc.simulate(pc.scene{ rig, floor, contact = law, gravity = d.g }, { duration = 0, q = q, u = from })
        local hit = run.impacts[1]
        return hit and { sign * hit.u_after[1], sign * hit.u_after[2] }, hit
    end
    local q, u = { -d.psi1 * pc.deg, -d.psi2 * pc.deg }, { -d.om1, -d.om2 }
    local t, times, energy = 0, {}, {}
    while t < duration do
        local run = pc.simulate(free, { start = t, duration = h, q = q, u = u, solver = solver, record = false })
        local s = run:at(run.time)
        local f0, f1 = gap(q), gap(s.q)
        if f0 * f1 < 0 and (f0 > 0 or not guard) then
            local x = f0 / (f0 - f1)
            for i = 1, 2 do
                q[i] = q[i] + x * (s.q[i] - q[i])
                u[i] = u[i] + x * (s.u[i] - u[i])
            end
            t = t + x * h
            times[#times + 1] = t
            local after, hit = strike(q, u, 1)
            if not after then after, hit = strike(q, u, -1) end
            u, energy[#energy + 1] = after, hit.energy.before
        else
            q, u, t = s.q, s.u, run.time
        end
    end
    return times, energy, gap(q)
end

local times, energy = paper(1e-3, 6, true)
study:value("the paper's method with a guard, h = 1e-3 s: impacts", "10", #times)
local off = 0
for i, hit in ipairs(exact.impacts) do off = math.max(off, math.abs((times[i] or math.huge) - hit.time)) end
study:value("its greatest error of 10 times", nil, off, "s")
study:value("its energy before the first impact, error", nil, energy[1] - exact.impacts[1].energy.before, "J")

local raw, _, depth = paper(1e-3, 2.2, false)
study:value("without the guard, h = 1e-3 s: changes of sign up to 2.2 s", nil, #raw)
study:value("where the disk is then, above the floor", nil, depth, "m")
study:note("Interpolation leaves f < 0, so the next step changes its sign again while the disk moves away; without")
study:note("a guard the second change turns the rebound round and the disk drops through the floor.")
return study:finish()
