-- What the studies of Sypniewska-Kaminska, Starosta and Awrejcewicz (2017) share: the pendulum of section 4, its
-- motions and figures.
--
-- Her angles psi turn the other way than percuss's: psi = -angle. Her x is ours. Joint loads on link 1: (-R, P) at O,
-- (H, V) at A.
local pc = require "percuss"

local M = {}

M.source = "Sypniewska-Kaminska, Starosta, Awrejcewicz, Acta Mech. 228 (2017)"

-- Section 4. lc, I1 and I2 are printed as rounded.
M.data = { m1 = 3.2, m2 = 3.8, l1 = 0.5, l2 = 0.6, r = 0.05, lc = 0.3627, I1 = 6.76e-2, I2 = 0.164, D = 0.9, k = 0.9,
    psi1 = 140, psi2 = -90, om1 = 1.2, om2 = -0.5, g = 9.81 }

-- The scene for a coefficient of friction; `changes` of the data, and the name of another law.
function M.scene(mu, changes, law)
    local d = setmetatable(changes or {}, { __index = M.data })
    local rig = pc.chain{
        links = {
            { mass = d.m1, length = d.l1, inertia = d.I1 },
            { mass = d.m2, length = d.l2, center = d.lc, inertia = d.I2, radius = d.r, reach = d.l2 + d.r },
        },
        angles = { -d.psi1 * pc.deg, -d.psi2 * pc.deg }, rates = { -d.om1, -d.om2 },
    }
    return pc.scene{
        rig, pc.floor{ depth = d.D }, contact = pc.contact[law or "poisson"]{ restitution = d.k, friction = mu },
        gravity = d.g,
    }
end

-- Her six seconds, or more.
function M.run(mu, duration, changes, law)
    return pc.simulate(M.scene(mu, changes, law),
        { duration = duration or 6, solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 } })
end

-- Both motions in her symbols, as a figure: black without friction, red with it, a panel for each symbol.
local symbols = {
    omega1 = { "ω_1 [rad/s]", "rate1", -1 }, omega2 = { "ω_2 [rad/s]", "rate2", -1 }, P = { "P [N]", "Ry1", 1 },
    R = { "R [N]", "Rx1", -1 }, V = { "V [N]", "Ry2", -1 }, H = { "H [N]", "Rx2", -1 }, energy = { "E [J]", "energy",
        1 },
}

function M.figure(title, names)
    local figure = pc.chart.figure{ title = title }
    for _, name in ipairs(names) do
        local label, column, sign = table.unpack(symbols[name])
        local panel = figure:panel{ xlabel = "t [s]", ylabel = label, legend = true }
        for _, case in ipairs{ { 0, "black", "solid", "smooth" }, { 0.15, "#d00000", "dashed", "μ = 0.15" } } do
            local c = M.run(case[1]):columns(0.005)
            panel:line{ c.t, sign * c[column], colour = case[2], dash = case[3], label = case[4] }
        end
    end
    return figure
end

-- The study of one figure: the symbols that it draws over six seconds, with and without friction. `arguments`: of the
-- script.
function M.study(number, title, names, arguments)
    local study = require("percuss.study").new{
        title = title, source = M.source .. ", Fig " .. number, arguments = arguments,
    }
    for _, case in ipairs{ { "smooth", 0, "6" }, { "mu = 0.15", 0.15, "10" } } do
        local run = M.run(case[2])
        local last = run:at(6)
        study:value("jumps, " .. case[1], case[3], run.impact_count)
        for _, name in ipairs(names) do
            local label, column, sign = table.unpack(symbols[name])
            local symbol, unit = label:match "^(.-) %[(.-)%]$"
            study:value(symbol .. ", " .. case[1], nil, sign * last[column], unit)
        end
    end
    study:note("The source prints no numbers for this figure; the values above are at 6 s.")
    study:draw(M.figure(title, names), "fig" .. number)
    return study:finish()
end

-- Number of impacts up to a time.
function M.count(run, t)
    local n = 0
    for _, hit in ipairs(run.impacts) do if hit.time <= t then n = n + 1 end end
    return n
end

return M
