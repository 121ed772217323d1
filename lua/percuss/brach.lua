-- What the studies of Brach (1993) share: the tip impact of a slender rod.
--
-- His frame is that of percuss, his impulse ratio mu = P_t/P_n as well; his rotation Omega is positive clockwise in the
-- plane (t, n), that of percuss anticlockwise. His rod of 45 degrees leans backwards: its tip lies behind the mass
-- centre, angle = -45 degrees.
local pc = require "percuss"

local M = {}

-- Table 1: m = 1 kg, L = 1 m, k^2 = L^2/12, theta = 45 degrees, v_n = -1 m/s, omega = 0.
M.rod = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg }

function M.motion(vt)
    return { vt = vt, vn = -1 }
end

-- The columns of Tables 3, 5 and 7 of an impact, in his units.
function M.columns(hit)
    return {
        P_n = hit.impulse.n, mu = hit.impulse_ratio.total, V_Ct = hit.velocity.t, Omega = -hit.body.omega / pc.deg,
        T_L = 100 * hit.loss_fraction,
    }
end

local units = { P_n = "N s", mu = "", V_Ct = "m/s", Omega = "deg/s", T_L = "%" }
local order = { "P_n", "mu", "V_Ct", "Omega", "T_L" }

-- One row of a table: `printed` has the texts of the columns in order, false where the table has none.
function M.row(study, name, hit, printed)
    local computed = M.columns(hit)
    for i, column in ipairs(order) do
        study:value(name .. ", " .. column, printed[i] or nil, computed[column], units[column])
    end
end

-- The impact of Tables 5 and 7: restitution e and the ratio named by the rule "0", "mu_0" or "mu_T".
function M.by_rule(vt, e, rule)
    local bounds = pc.impulse.bounds(M.rod, M.motion(vt), e)
    -- mu_T: the lossless ratio on the side of sticking
    local mu_T = bounds.sticking > 0 and bounds.lossless[2] or bounds.lossless[1]
    local ratio = rule == "mu_0" and bounds.sticking or rule == "mu_T" and mu_T or 0
    return pc.collide(M.rod, pc.contact.brach{ restitution = e, impulse_ratio = ratio }, M.motion(vt))
end

-- His simulation (section 3): the rod turns while a Hunt-Crossley surface of 1000 N/m acts on its tip. He asks once,
-- where the tip comes to rest, whether friction can hold it there.
function M.simulation(vt, f, zeta)
    local surface = pc.contact.hunt_crossley{ stiffness = 1000, exponent = 1, damping = zeta, friction = f }
    return pc.collide(M.rod, surface, M.motion(vt), { configuration = "moving", stick = "persistent" })
end

-- One row of Tables 3, 4 and 6. The printed texts in the order below; false where the table has none.
local simulated = {
    { "duration", "s", function(hit) return hit.duration end },
    { "final angle", "deg", function(hit) return 45 - hit.rotation / pc.deg end },
    { "P_n", "N s", function(hit) return hit.impulse.n end },
    { "mu", "", function(hit) return hit.impulse_ratio.total end },
    { "e", "", function(hit) return hit.restitution.kinematic end },
    { "R", "", function(hit) return hit.restitution.kinetic end },
    { "E^2 as printed (e R)", "", function(hit) return hit.restitution.kinematic * hit.restitution.kinetic end },
    { "V_Ct", "m/s", function(hit) return hit.velocity.t end },
    { "Omega", "deg/s", function(hit) return -hit.body.omega / pc.deg end },
    { "T_L", "%", function(hit) return 100 * hit.loss_fraction end },
}

function M.simulated_row(study, vt, f, zeta, printed)
    local hit, name = M.simulation(vt, f, zeta), string.format("v_t = %g, f = %g, zeta = %g", vt, f, zeta)
    for i, column in ipairs(simulated) do
        study:value(name .. ", " .. column[1], printed[i] or nil, column[3](hit), column[2])
    end
    return hit
end

return M
