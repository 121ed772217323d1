-- Birlik (2012), Table 4.2: invariant directions and eigenvalues of the sliding spherical pendulum, theta = 60 deg,
-- mu = 1, unit mass. His eigenvalues are per mu p_n, those of percuss per p_n; here mu = 1.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Invariant directions of a sliding spherical pendulum",
    source = "Birlik (2012), section 4.1.1.1, Table 4.2", arguments = { ... },
}

local theta, mu = 60 * pc.deg, 1
local c, s = math.cos(theta), math.sin(theta)
-- (4.32) with a_33 = sin^2 theta, where sin theta is printed
local flow = pc.flow({ { c * c, s * c, 0 }, { s * c, s * s, 0 }, { 0, 0, 1 } }, mu)

-- phi and the eigenvalues as printed; the table lists the eigenvalues in no fixed order
local printed = {
    { "0", { along = "0.18", across = "-1.18" }, "saddle" },
    { "2.1862", { along = "-1", across = "0.5" }, "saddle" },
    { "3.14159265", { along = "-0.68", across = "-0.32" }, "node" },
    { "4.0967", { along = "-1", across = "0.5" }, "saddle" },
}
for i, d in ipairs(flow.invariant) do
    local row, name = printed[i], string.format("phi_%d", i)
    study:value(name, row[1], d.angle, "rad")
    study:value(name .. ", eigenvalue along", row[2].along, d.growth / mu)
    study:value(name .. ", eigenvalue across", row[2].across, d.turning / mu)
    study:statement(name .. ", kind", row[3], d.kind .. (d.attracting and ", attracting line" or ", repelling line"),
        d.kind:find(row[3], 1, true) ~= nil)
end
study:value("flow change, first", "0.4474", flow.change[1], "rad")
study:value("flow change, second", "5.8357", flow.change[2], "rad")
study:value("friction that holds it from rest, tan(theta)", nil, flow.critical_friction)
study:value("slip after a stop starts at phi", nil, flow.after_stop.angle, "rad")

-- When there are four invariant directions, and when flow changes.
for _, case in ipairs{ { 30, 1 }, { 60, 0.5 }, { 45, 1.2 }, { 60, 2 } } do
    local degrees, friction = table.unpack(case)
    local C, S = math.cos(degrees * pc.deg), math.sin(degrees * pc.deg)
    local f = pc.flow({ { C * C, S * C, 0 }, { S * C, S * S, 0 }, { 0, 0, 1 } }, friction)
    study:statement(string.format("theta = %d deg, mu = %g", degrees, friction), nil, f:pattern(), true)
end
study:note("phi_2, phi_4 exist for mu >= cot(theta) alone, flow-change lines for mu <= tan(theta) alone.")
study:note("phi = 0 and pi are the attracting lines, phi_2 and phi_4 the repelling ones.")
study:note("Flow change follows from the corrected (4.36); as printed it has no root.")
return study:finish()
