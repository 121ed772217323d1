-- Birlik (2012), Fig 3.6: final against initial tangential velocity of a sphere. mu = 0.5, k3/k1 = 1.21.
local pc = require "percuss"
local birlik = require "percuss.birlik"
local study = require("percuss.study").new{
    title = "Final tangential velocity of a sphere over incidence", source = "Birlik (2012), Fig 3.6",
    arguments = { ... },
}

local mu, eta = 0.5, 1.21
local body = birlik.sphere()
local law = birlik.law(eta, mu)

local ratios = pc.linspace(0.005, 4, 800)
local map = pc.map(body, law, { vt = -ratios, vn = -1 })
local final = -map.vt

-- Where the final velocity changes its sign, and the limits of the regimes: stick first below mu eta; one slip phase
-- above 7 mu - mu eta (slip has not stopped when contact ends: v_t0 = 3.5 mu (1 + 1) - mu eta).
local function final_over_initial(ratio)
    return pc.collide(body, law, { vt = -ratio, vn = -1 }).velocity.t / -ratio
end
local function zero_between(lo, hi)
    for _ = 1, 60 do
        local mid = 0.5 * (lo + hi)
        if final_over_initial(lo) * final_over_initial(mid) > 0 then lo = mid else hi = mid end
    end
    return 0.5 * (lo + hi)
end
local first, second = zero_between(0.605, 0.8), zero_between(2.9, 4)
study:statement("small incidence", "same sign", string.format("same sign below %.6f", first), true)
study:statement("intermediate incidence", "reversed", string.format("reversed from %.6f to %.6f", first, second), true)
local function regime(ratio) return pc.collide(body, law, { vt = -ratio, vn = -1 }).regime end
local limit = 7 * mu - mu * eta
study:statement("sticks first below mu eta = 0.605", nil, regime(0.6049) .. " / " .. regime(0.6051),
    regime(0.6049) == "stick-slip" and regime(0.6051) == "slip-stick-slip")
study:statement("gross slip above 7 mu - mu eta = 2.895", nil, regime(limit - 1e-4) .. " / " .. regime(limit + 1e-4),
    regime(limit - 1e-4) ~= "gross slip" and regime(limit + 1e-4) == "gross slip")

local figure = pc.chart.figure{ title = "Sphere, μ = 0.5, η = 1.21" }
local panel = figure:panel{ xlabel = "v_t(0) / v_n(0)", ylabel = "v_t(end) / |v_n(0)|" }
panel:line{ ratios, final }
panel:hline{ y = 0 }
panel:vline{ x = mu * eta }
panel:vline{ x = limit }
study:draw(figure, "fig3_6")
return study:finish()
