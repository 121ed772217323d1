-- Birlik (2012), Fig 4.13: the compliant pendulum against the classical (rigid) one, theta = 10, 30, 60 deg.
--
-- The thesis finds that the final speed stays above the classical one however small k3/k1 is, and blames the missing
-- stick phase. The cause is a misprint or slip in (4.69): energetic restitution gives
--   thetadot_f = -E thetadot_0 sqrt((x - mu z)/(x + mu z)),  x = L sin(theta), z = L cos(theta),
-- and the root is missing in print. With it the compliant speed tends to the classical one as eta -> 0.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Compliant against classical rebound of a pendulum", source = "Birlik (2012), Fig 4.13, eq 4.69",
    arguments = { ... },
}

-- Final over initial speed: classical with the root (right), as printed (4.69), and compliant.
local function energetic(theta, mu)
    local T = math.tan(theta)
    return T > mu and math.sqrt((T - mu) / (T + mu)) or 0
end
local function printed(theta, mu)
    local T = math.tan(theta)
    return T > mu and (T - mu) / (T + mu) or 0
end
local function compliant(theta, mu, eta)
    local body = birlik.pendulum(theta / pc.deg)
    local law = birlik.law(eta, mu)
    local hit = pc.collide(body, law, { rate = -6 })
    return hit.velocity.n / -hit.velocity_before.n
end

for _, degrees in ipairs{ 10, 30, 60 } do
    for _, mu in ipairs{ 0.05, 0.1, 0.15, 0.3, 0.5, 1 } do
        local theta = degrees * pc.deg
        local name = string.format("theta = %d deg, mu = %g: ", degrees, mu)
        study:value(name .. "classical, with the root", nil, energetic(theta, mu))
        study:value(name .. "classical, (4.69) as printed", nil, printed(theta, mu))
        study:value(name .. "compliant, eta = 0.001", nil, compliant(theta, mu, 1e-3))
    end
end

-- The gap to either formula as eta falls, at theta = 30 deg, mu = 0.3: one closes in proportion to eta, one stays.
local theta, mu = 30 * pc.deg, 0.3
local gaps = {}
for i, eta in ipairs{ 1e-2, 1e-3, 1e-4, 1e-5 } do
    gaps[i] = compliant(theta, mu, eta) - energetic(theta, mu)
    study:value(string.format("gap to the right formula, eta = %g", eta), nil, gaps[i])
    study:value(string.format("gap to (4.69) as printed, eta = %g", eta), nil,
        compliant(theta, mu, eta) - printed(theta, mu))
end
local order = math.log(gaps[3] / gaps[4]) / math.log(10)
study:value("order at which the gap closes", nil, order)
study:statement("compliant speed stays above the classical one", "yes, however small k3/k1",
    "above it for every eta > 0, but the gap closes with eta", "the persistent gap is the missing root of (4.69)")

-- The rigid laws themselves, followed through impulse space. For one link W has rank 1: Newton's law returns the speed
-- whatever the friction, up to where the pendulum wedges; Poisson's is (4.69) as printed; Stronge's has the root.
for _, degrees in ipairs{ 10, 30, 60 } do
    local body = birlik.pendulum(degrees)
    for _, m in ipairs{ 0.05, 0.1, 0.3, 0.5 } do
        local function after(law)
            local hit = pc.collide(body, law, { rate = -6 })
            return hit.velocity.n / -hit.velocity_before.n
        end
        local name = string.format("theta = %d deg, mu = %g: ", degrees, m)
        study:value(name .. "Newton, e = 1", nil, after(pc.contact.newton{ e = 1, mu = m }))
        study:identity(name .. "Poisson, R = 1, is (4.69) as printed", after(pc.contact.poisson{ R = 1, mu = m }),
            printed(degrees * pc.deg, m))
        study:identity(name .. "Stronge, E = 1, has the root", after(pc.contact.stronge{ E = 1, mu = m }),
            energetic(degrees * pc.deg, m))
    end
end

local friction = pc.linspace(0.002, 1.2, 300)
local figure = pc.chart.figure{
    title = "Pendulum: compliant and classical rebound", columns = 3, width = 1500, height = 500,
}
for _, degrees in ipairs{ 10, 30, 60 } do
    local angle = degrees * pc.deg
    local panel = figure:panel{ title = string.format("θ = %d°", degrees), xlabel = "μ", ylabel = "V(end) / V(0)",
        legend = true }
    local body = birlik.pendulum(angle / pc.deg)
    for _, eta in ipairs{ 1.21, 0.1, 0.01 } do
        local law = birlik.law(eta, 0)
        local map = pc.map(body, law, { rate = -6, friction = friction })
        panel:line{ friction, map.vn / -map.vn0, label = string.format("η = %g", eta) }
    end
    local right = friction:map(function(m) return energetic(angle, m) end)
    local wrong = friction:map(function(m) return printed(angle, m) end)
    local newton = friction:map(function(m) return m < math.tan(angle) and 1 or 0 end)
    panel:line{ friction, right, label = "classical (Stronge)", dash = "dashed" }
    panel:line{ friction, wrong, label = "(4.69) as printed (Poisson)", dash = "dotted" }
    panel:line{ friction, newton, label = "Newton", dash = "dash_dot" }
end
study:draw(figure, "fig4_13")
return study:finish()
