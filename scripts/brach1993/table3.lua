-- Brach (1993), Table 3, f = 0.01, v_t = 0.6 m/s: the classical solution (bold in print) and his simulation, in which
-- the rod turns while the contact lasts.
--
-- The column E^2 is e R in all tables of the paper; the ratio of works is shown beside it. Omega is printed as rad/s
-- and means deg/s.
local pc = require "percuss"
local brach = require "percuss.brach"
local study = require("percuss.study").new{
    title = "Classical and simulated solution for the tip impact of a slender rod", source = "Brach (1993), Table 3",
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

-- v_t, f, zeta; printed: duration, final angle, P_n, mu, e, R, E^2, V_Ct, Omega, T_L.
local simulated = {
    { 0.6, 0.01, 0, { "0.061", "50.8", "0.774", "0.000", "1.079", false, "1.054", "-0.464", "192.9", "0.32" } },
    { 0.6, 0.01, 0.04, { "0.061", "50.8", "0.764", "0.000", "1.052", false, "1.000", "-0.450", "190.4", "1.81" } },
    { 0.6, 0.01, 1.69, { "0.064", "51.1", "0.559", "-0.004", "0.500", false, "0.213", "-0.162", "138.6", "23.6" } },
    { 0.6, 0.01, 20, { "0.023", "46.7", "0.409", "-0.009", "0.050", false, "0.002", "-0.007", "100.8", "29.3" } },
}
for _, row in ipairs(simulated) do brach.simulated_row(study, table.unpack(row)) end
study:note("With zeta = 0.04 the printed loss of 1.81 % reads 1.83 %.")
study:note("The simulated E^2 above 1 is e R; the ratio of works is 1.")
return study:finish()
