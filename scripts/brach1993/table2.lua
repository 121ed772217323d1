-- Brach (1993), Tables 1 and 2: the tip impact of a slender rod by a sequence of evaluations of his equation 15.
--
-- Equation 15 gives the impulse ratio over an interval from the velocities at its ends. The sequence follows slip
-- to its stop and reversal, to the end of approach, and to separation. Table 2 wants E^2 = 1; the paper takes e R for
-- E^2, which is the ratio of works only for a constant force ratio, so that its e belongs to e R = 1.
local pc = require "percuss"
local brach = require "percuss.brach"
local restitution = require "percuss.restitution"
local study = require("percuss.study").new{
    title = "Slip, stop and reversal of a slender rod, f = 0.01", source = "Brach (1993), Tables 1 and 2, equation 15",
    arguments = { ... },
}

local rod, motion, f = brach.rod, brach.motion(0.6), 0.01

-- Table 1: what the parameters give for the contact point, det and coupling of (15) in units of 1/m.
study:value("1 + x^2/k^2", "2.5", rod.w_tt)
study:value("1 + y^2/k^2", "2.5", rod.w_nn)
study:value("-x y/k^2", "-1.5", rod.w_tn)

-- e with e R = 1, by bisection on Newton's law; and the impact with a work ratio of 1.
local function product(e)
    local r = pc.convert_restitution(rod, motion, { e = e, mu = f })
    return r.kinematic * r.kinetic
end
local lo, hi = 0.9, 1
for _ = 1, 60 do
    local mid = 0.5 * (lo + hi)
    if product(mid) < 1 then lo = mid else hi = mid end
end
local by_product = pc.collide(rod, pc.contact.newton{ e = lo, mu = f }, motion)
local by_work = pc.collide(rod, pc.contact.stronge{ E = 1, mu = f }, motion)

local function follow(hit)
    local rows, found = restitution.sequence(hit), {}
    for _, row in ipairs(rows) do found[row.from .. " to " .. row.to] = row end
    return found
end
local steps = follow(by_product)
study:value("1. start to stop, ratio", "-0.010", steps["start to slip stops"].ratio)
study:value("1. v_Cn where slip stops", "-0.010", steps["start to slip stops"].stop.v_n, "m/s")
study:value("2. stop to end of approach, ratio", "0.010", steps["slip stops to end of approach"].ratio)
study:value("2. v_Ct at the end of approach", "-0.006", steps["slip stops to end of approach"].stop.v_t, "m/s")
study:value("3. mu_A times 1000", "-9.788", 1000 * steps["start to end of approach"].ratio)
study:value("4. end of approach to separation, ratio", "0.010", steps["end of approach to end"].ratio)
study:value("4. V_Ct", "-0.596", by_product.velocity.t, "m/s")
study:value("5. mu times 10^4", "1.3564", 1e4 * steps["start to end"].ratio)
study:value("e with e R = 1", "0.9941", by_product.restitution.kinematic)
study:value("e with a work ratio of 1", nil, by_work.restitution.kinematic)
study:value("mu times 10^4 with a work ratio of 1", nil, 1e4 * by_work.impulse_ratio.total)
local rounded = pc.collide(rod, pc.contact.newton{ e = 0.9941, mu = f }, motion)
study:value("mu times 10^4 with e rounded to 0.9941", "1.3564", 1e4 * rounded.impulse_ratio.total)
study:value("V_Ct without friction, v_t - 3 (1 + e)/5 at e = 1", "-0.6",
    pc.collide(rod, pc.contact.newton{ e = 1, mu = 0 }, motion).velocity.t, "m/s")
study:note("mu was computed with e rounded to four digits; the row above reproduces it.")
study:note("Below Table 1 read v_t = 0.6 for 0.06.")

local figure = pc.impulse_plane({ by_work, by_product },
    { title = "Slender rod, f = 0.01, v_t = 0.6 m/s", names = { "E = 1 by work", "e R = 1" } })
study:draw(figure, "table2")
return study:finish()
