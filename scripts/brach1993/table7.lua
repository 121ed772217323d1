-- Brach (1993), Table 7: columns of the impact theory, v_t = 0.6 and -1 m/s.
--
-- Each row is given by the kinematic coefficient e and a rule for the impulse ratio: no friction, the ratio mu_0 at
-- which sliding ends, or mu_T beyond which energy would be gained. Rows that the table repeats (several frictions that
-- all stick) are given once.
require "percuss"
local brach = require "percuss.brach"
local study = require("percuss.study").new{
    title = "Classical solution for the tip impact of a slender rod", source = "Brach (1993), Table 7",
    arguments = { ... },
}

-- v_t (m/s), e, rule, printed: P_n, mu, V_Ct, Omega (deg/s), loss (%)
local rows = {
    { 0.6, 1, "0", { "0.800", "0.0", "-0.6", "194.5", "0.0" } },
    { 0.6, 1, "mu_T", { "0.800", "0.0", "0.0", "194.5", "0.0" } },
    { 0.6, 0.5, "0", { "0.600", "0.0", "-0.30", "145.9", "22.1" } },
    { 0.6, 0.5, "mu_0", { "0.732", "0.263", "0.0", "127.6", "17.9" } },
    { 0.6, 0.05, "0", { "0.433", "0.0", "-0.03", "102.1", "29.3" } },
    { 0.6, 0.05, "mu_0", { "0.569", "0.043", "0.0", "100.3", "29.3" } },
    { -1, 1, "0", { "0.800", "0.0", "-2.20", "194.5", "0.0" } },
    { -1, 1, "mu_0", { "1.633", "0.846", "0.0", "60.7", "68.6" } },
    { -1, 0.5, "0", { "0.600", "0.0", "-1.9", "145.9", "15.0" } },
    { -1, 0.5, "mu_0", { "1.395", "0.905", "0.0", "30.4", "92.1" } },
    { -1, 0.05, "0", { "0.420", "0.0", "-0.43", "102.1", "38.4" } },
    { -1, 0.05, "mu_0", { "1.031", "0.987", "0.0", "0.0", "99.6" } },
}
for _, row in ipairs(rows) do
    local vt, e, rule, printed = table.unpack(row)
    local name = string.format("v_t = %g, e = %g, mu = %s", vt, e, rule)
    brach.row(study, name, brach.by_rule(vt, e, rule), printed)
end
study:note("v_t = 0.6, e = 1: the ratio marked mu_0 is mu_T = 0, and V_Ct is then -0.6; mu_0 would gain energy.")
study:note("v_t = 0.6: the impulses .732 and .433 are misprints, and .569 is |V_n| = 1 - P_n.")
study:note("v_t = -1: the impulses 1.633 and 1.395 are misprints; the rod that sticks at e = 0.05 still turns.")
study:note("v_t = -1, e = 0.05 without friction: V_Ct and loss are copied from the block v_t = 0.2 of Table 5.")
return study:finish()
