-- Birlik (2012), Table 4.3: critical angle of a pendulum with changing tangential stiffness, mu = 1.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Critical angle over tangential stiffness, mu = 1", source = "Birlik (2012), Table 4.3",
    arguments = { ... },
}

-- The verdict by trying: bisection on whether the impact of the raw law wedges.
local function by_trial(mu, eta)
    local law = birlik.law(eta, mu)
    local lo, hi = 1 * pc.deg, 60 * pc.deg
    for _ = 1, 50 do
        local mid = 0.5 * (lo + hi)
        local body = birlik.pendulum(mid / pc.deg)
        if pc.collide(body, law, { rate = -6 }).wedged then lo = mid else hi = mid end
    end
    return 0.5 * (lo + hi)
end

for _, row in ipairs{ { 1.21, "11.69" }, { 0.1, "36.07" }, { 0.01, "43.90" }, { 0.001, "44.89" } } do
    local eta, printed = row[1], row[2]
    local exact = pc.critical_angle(1, eta)
    study:value(string.format("k3/k1 = %g", eta), printed, exact / pc.deg, "deg")
    study:identity(string.format("k3/k1 = %g, by trial impacts", eta), by_trial(1, eta) / pc.deg, exact / pc.deg, "deg")
end
study:value("rigid, atan(mu)", "45", math.atan(1) / pc.deg, "deg")
study:note("11.69 and 43.90 are misprints or slips: no friction law of the model gives them (11.69 looks like 11.59).")
return study:finish()
