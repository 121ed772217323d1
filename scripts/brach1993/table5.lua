-- Brach (1993), Table 5: columns of the impact theory, v_t = 0 and 0.2 m/s.
--
-- Each row is given by the kinematic coefficient e and a rule for the impulse ratio: no friction, the ratio mu_0 at
-- which sliding ends, or mu_T beyond which energy would be gained. Rows that the table repeats (several frictions that
-- all stick) are given once.
require "percuss"
local brach = require "percuss.brach"
local study = require("percuss.study").new{
    title = "Classical solution for the tip impact of a slender rod", source = "Brach (1993), Table 5",
    arguments = { ... },
}

-- v_t (m/s), e, rule, printed: P_n, mu, V_Ct, Omega (deg/s), loss (%)
local rows = {
    { 0, 1, "0", { "0.800", "0.0", "-1.2", "194.5", "0.0" } },
    { 0, 1, "mu_0", { "1.250", "0.6", "0.0", "121.5", "0.0" } },
    { 0, 0.5, "0", { "0.600", "0.0", "-0.90", "145.9", "30.0" } },
    { 0, 0.5, "mu_0", { "0.938", "0.6", "0.0", "91.2", "46.9" } },
    { 0, 0.05, "0", { "0.420", "0.0", "-0.63", "102.1", "39.9" } },
    { 0, 0.05, "mu_0", { "0.656", "0.6", "0.0", "63.8", "62.3" } },
    { 0.2, 1, "0", { "0.800", "0.0", "-1.0", "194.5", "0.0" } },
    { 0.2, 1, "mu_T", { "1.101", "0.456", "-0.2", "145.6", "0.0" } },
    { 0.2, 0.5, "0", { "0.600", "0.0", "-0.7", "145.9", "28.8" } },
    { 0.2, 0.5, "mu_0", { "0.862", "0.507", "0.0", "103.7", "33.3" } },
    { 0.2, 0.05, "0", { "0.420", "0.0", "-0.43", "102.1", "38.4" } },
    { 0.2, 0.05, "mu_0", { "0.580", "0.46", "0.0", "76.0", "47.9" } },
}
for _, row in ipairs(rows) do
    local vt, e, rule, printed = table.unpack(row)
    local name = string.format("v_t = %g, e = %g, mu = %s", vt, e, rule)
    brach.row(study, name, brach.by_rule(vt, e, rule), printed)
end
study:note("v_t = 0.2, e = 1: mu_T is 5/11; 0.456 and what follows from it are misprints.")
study:note("v_t = 0.2, e = 0.5: Omega and loss slipped.")
return study:finish()
