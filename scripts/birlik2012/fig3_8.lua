-- Birlik (2012), Fig 3.8: slender rod, stick first. theta = 45 deg, mu = 0.6, k3/k1 = 1.21, xdot(0)/zdot(0) = -0.6.
-- The figure needs a13 = -3 sin cos/m (contact point behind the mass centre), which is a rod at -45 deg here;
-- eq 3.102 is printed with the other sign.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Slender rod, stick first", source = "Birlik (2012), Fig 3.8, eq 3.102", arguments = { ... },
}

local mu, eta, ratio = 0.6, 1.21, 0.6
local function strike(angle)
    local body = pc.body.rod{ length = 0.1, mass = 0.0041, angle = angle }
    local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = eta, friction = mu }
    return pc.collide(body, law, { vt = ratio, vn = -1 })
end
local hit = strike(-45 * pc.deg)
local h = hit:scaled "birlik"

study:statement("order of phases", "stick, |F1| greatest near omega_0 t = 0.7, reversal in stick, slip", hit.regime,
    hit.regime == "stick-slip")
study:value("|F1| greatest, omega_0 t", "0.7", hit.peak.t_time / h.scale.time)
study:value("force reverses, omega_0 t", nil, hit:reversals()[1] / h.scale.time)
for i, phase in ipairs(hit.phases) do
    if i < #hit.phases then
        study:value(string.format("%s ends, omega_0 t", phase.kind == "stick" and "stick" or "slip"), nil,
            phase.stop / h.scale.time)
    end
end
study:value("xdot at the end, over |zdot(0)|", nil, hit.velocity.t)
study:value("zdot at the end, over |zdot(0)|", nil, hit.velocity.n)

local other = strike(45 * pc.deg)
study:note("Erratum: with the sign of a13 printed in (3.102) the rod shows " .. other.regime .. string.format(
    " with %d force reversals, not what the figure shows.", other.n_reversals))

local plot = require "percuss.plot"
study:draw(plot.cone_and_velocities(hit, "Rod, θ = 45°, μ = 0.6, v_t/v_n = -0.6"), "fig3_8")
return study:finish()
