-- Brach (1993), Table 3: the rows of the classical solution (bold in print), f = 0.01, v_t = 0.6 m/s.
--
-- The column E^2 is e R in all tables of the paper; the ratio of works is shown beside it. Omega is printed as rad/s
-- and means deg/s.
local pc = require "percuss"
local brach = require "percuss.brach"
local study = require("percuss.study").new{
    title = "Classical solution for the tip impact of a slender rod", source = "Brach (1993), Table 3",
    arguments = { ... },
}

local rod, motion, f = brach.rod, brach.motion(0.6), 0.01

-- The first row asks for e R = 1.
local lo, hi = 0.9, 1
for _ = 1, 60 do
    local mid = 0.5 * (lo + hi)
    local r = pc.convert_restitution(rod, motion, { e = mid, mu = f })
    if r.kinematic * r.kinetic < 1 then lo = mid else hi = mid end
end
local rows = {
    { "e R = 1", lo, "0.994", "1.000", { "0.798", "0.000", "-0.596", "193.9", "0.35" } },
    { "e = 0.5", 0.5, "0.500", "0.253", { "0.599", "-0.003", "-0.303", "146.0", "22.1" } },
    { "e = 0.05", 0.05, "0.050", "0.003", { "0.418", "-0.009", "-0.036", "102.4", "29.3" } },
}
for _, row in ipairs(rows) do
    local name, e, printed_e, printed_product, printed = table.unpack(row)
    local hit = pc.collide(rod, pc.contact.newton{ e = e, mu = f }, motion)
    local r = hit.restitution
    brach.row(study, name, hit, printed)
    study:value(name .. ", e", printed_e, r.kinematic)
    study:value(name .. ", E^2 as printed (e R)", printed_product, r.kinematic * r.kinetic)
    study:value(name .. ", E^2 by works", nil, r.energetic ^ 2)
end
return study:finish()
