-- Birlik (2012), Table 4.4: critical angle of a pendulum with changing friction, k3/k1 = 0.001.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Critical angle over friction, k3/k1 = 0.001", source = "Birlik (2012), Table 4.4", arguments = { ... },
}

local eta = 0.001
for _, row in ipairs{
    { 0.1, "5.71", "5.71" }, { 0.25, "14.03", "14.04" }, { 0.5, "26.57", "26.56" }, { 0.75, "36.82", "36.87" },
    { 1, "44.89", "45.00" },
} do
    local mu, printed = row[1], row[2]
    study:value(string.format("mu = %g", mu), printed, pc.critical_angle(mu, eta) / pc.deg, "deg")
    study:value(string.format("mu = %g, rigid", mu), row[3], math.atan(mu) / pc.deg, "deg")
end
study:note("mu = 0.5: 26.57 is impossible, since the critical angle stays below atan(mu) = 26.565 deg.")
return study:finish()
