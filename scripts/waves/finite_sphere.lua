-- What a sphere is that a half-space is not: Hertz and Maw are its limit as the contact gets small; before that it is
-- stiffer along the normal and softer along the plane, by compliances that a solution in spherical harmonics has too.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "A sphere and the half-space", arguments = { ... },
    source = "Maw, Barber and Fawcett (1976); Lur'e, Three-dimensional problems of the theory of elasticity (1964)",
}

local nu, R, mu = 0.3, 0.05, 0.1
local material = pc.material.custom{ young = 70e9, poisson = nu, density = 2700 }
local ball = pc.elastic.sphere{ radius = R, material = material }
local body = pc.body.sphere{ radius = R, material = material }
local half_space = pc.contact.maw{ material = material, radius = R, friction = mu }
local finite = half_space:with{ body_compliance = "sphere" }

local function strike(object, v, psi1, more)
    local unit = mu * (2 - nu) / (2 * (1 - nu)) * v
    local options = { vt = psi1 * unit, vn = -v }
    for key, value in pairs(more or {}) do options[key] = value end
    if object == ball then options.friction = mu end
    local hit = object == ball and pc.elastic.collide(ball, options) or pc.collide(body, object, options)
    return hit.velocity.t / unit, hit
end

-- c_n by statics: a sphere of radius 1 and shear modulus 1, pressed by Hertz's pressure along its axis and held by
-- its inertia. Of each degree n, Lur'e's displacements and tractions:
--   u_r = (n + 1)(n - 2 + 4 nu) A + n B,  u_th = (n + 5 - 4 nu) A + B,
--   t_r/2G = (n + 1)(n^2 - n - 2 - 2 nu) A + n (n - 1) B,  t_th/2G = (n^2 + 2 n - 1 + 2 nu) A + (n - 1) B.
-- The pole comes nearer to the mass centre than on a half-space by c_n F/(E* R).
local function series(a)
    local degrees, slices = math.floor(30 / a), 400
    local lame, modulus = 2 * nu / (1 - 2 * nu), 2 / (1 - nu)
    local function legendre(x, f)
        local before, p = 0, 1
        local sine = math.sqrt(1 - x * x)
        for n = 0, degrees do
            f(n, p, n == 0 and 0 or -n * (before - x * p) / sine)
            before, p = p, ((2 * n + 1) * x * p - n * before) / (n + 1)
        end
    end
    local along, across, total = {}, {}, 0
    for n = 0, degrees do along[n], across[n] = 0, 0 end
    for k = 1, slices do
        local s = (k - 0.5) / slices * math.pi / 2
        local r = a * math.sin(s)
        local force = math.cos(s) * 2 * math.pi * r * a * math.cos(s) * math.pi / 2 / slices
        total = total + force
        local x = math.sqrt(1 - r * r)
        legendre(x, function(n, p, dp)
            along[n] = along[n] - (2 * n + 1) / (4 * math.pi) * force * x * p
            if n > 0 then across[n] = across[n] + (2 * n + 1) / (4 * math.pi * n * (n + 1)) * force * r * dp end
        end)
    end
    -- inertia: u_z = c z^2 carries its stress, and has these tractions
    local c = -total / (4 / 3 * math.pi) / (2 * (lame + 2))
    along[1], along[3] = along[1] - 2 * c * (lame + 6 / 5), along[3] - 8 / 5 * c
    across[1], across[3] = across[1] - 4 / 5 * c, across[3] - 8 / 15 * c
    local A, B = {}, {}
    for n = 0, degrees do
        local m11, m12 = 2 * (n + 1) * (n * n - n - 2 - 2 * nu), 2 * n * (n - 1)
        local m21, m22 = 2 * (n * n + 2 * n - 1 + 2 * nu), 2 * (n - 1)
        local det = m11 * m22 - m12 * m21
        if n < 2 then
            A[n], B[n] = along[n] / m11, 0
        else
            A[n], B[n] = (along[n] * m22 - m12 * across[n]) / det, (m11 * across[n] - m21 * along[n]) / det
        end
    end
    B[1] = -2 * A[1] - c / 5 -- the mass centre stays
    -- in the middle of the contact's radius, where the sum has converged
    local r = a / 2
    local x = math.sqrt(1 - r * r)
    local u = c * x * x
    legendre(x, function(n, p, dp)
        u = u + (A[n] * (n + 1) * (n - 2 + 4 * nu) + B[n] * n) * p * x -
            (A[n] * (n + 5 - 4 * nu) + B[n]) * dp * r
    end)
    return (-u - math.pi / (4 * modulus * a) * (2 * a * a - r * r)) * modulus / total
end

local by_series = {}
for _, a in ipairs{ 0.1, 0.05, 0.025 } do
    by_series[a] = series(a)
    study:value(("a/R = %g: c_n of a sphere at rest, by Lur'e's series"):format(a), nil, by_series[a])
end
local near_limit, waves = strike(ball, 0.5, 1, { tolerance = 1e-3 })
local duration = waves.duration / waves.hertz.duration
local function by_law(c_n)
    local law = half_space:with{ body_compliance = "given", normal_compliance = c_n, tangential_compliance = 0 }
    local _, hit = strike(law, 0.5, 1)
    return hit.duration / waves.hertz.duration
end
study:value("v = 0.5 m/s: duration over Hertz's, by waves", nil, duration)
study:statement("a sphere is stiffer along the normal than a half-space", "u_n = delta + c_n F/(E* R), c_n = 0.43",
    ("c_n = %.2f by the series, and the duration is %.4f of Hertz's by waves, %.4f with c_n = -0.41, %.4f with +0.43")
    :format(by_series[0.05], duration, by_law(-0.41), by_law(0.43)),
    by_series[0.05] < 0 and duration < 1 and
    "explained: a sign is misprinted; delta = delta_H - 0.43 F/(E* R) stands beside it")

-- psi2 at psi1 = 1 as the contact gets small
local speeds, sizes, off, law_off = { 5e-4, 5e-3, 5e-2, 0.5, 5 }, {}, {}, {}
local limit = strike(half_space, 1, 1)
for i, v in ipairs(speeds) do
    local psi2, hit = near_limit, waves -- the speed above
    if v ~= 0.5 then psi2, hit = strike(ball, v, 1, { tolerance = 2e-3 }) end
    sizes[i], off[i] = hit.hertz.contact_radius / R, psi2 - limit
    law_off[i] = strike(finite, v, 1) - limit
    study:value(("a/R = %.4f: psi2 at psi1 = 1"):format(sizes[i]), nil, psi2)
    if v == 0.5 then
        study:statement("psi2 at psi1 = 1, v = 0.5 m/s", "-0.1417(13)",
            ("%.4f(%.0f)"):format(psi2, math.ceil(1e4 * hit.uncertainty.velocity * psi2 / hit.velocity.t)),
            "explained: the given value was extrapolated from meshes placed differently, by the wrong order")
    end
end
-- off = rest + (a/R) (A + B ln(R/a)) through the three smallest
local function line(i) return -sizes[i] * math.log(sizes[i]) end
local dx, dy, d = sizes[2] - sizes[1], line(2) - line(1), off[2] - off[1]
local ex, ey, e = sizes[3] - sizes[1], line(3) - line(1), off[3] - off[1]
local B = (e * dx - d * ex) / (ey * dx - dy * ex)
local A = (d - B * dy) / dx
local rest = off[1] - A * sizes[1] - B * line(1)
study:value("what is left of psi2 - Maw's as a/R goes to 0", nil, rest)
study:statement("Maw's solution is the limit", "as v/c goes to 0", ("to %.0e in psi2"):format(math.abs(rest)),
    math.abs(rest) < 1e-3)
local worst = 0
for i = 1, 4 do worst = math.max(worst, math.abs(off[i] - law_off[i])) end
study:statement("two compliances make up for the sphere", "Maw + c_n, c_t within 0.003 at a/R = 0.032",
    ("within %.4f in psi2 up to there"):format(worst), worst < 3e-3)
study:note("The given -0.1417(13) was extrapolated from meshes of 10, 14 and 20 cells whose contact edges lie at 0.41, "
    .. "0.37 and 0.81 of a cell: -0.14321, -0.14316, -0.14241. The same mesh, masses and rings give -0.14327, -0.14316 "
    .. "and -0.14241 here too. But beneath a ring such a mesh is stiffer along the plane than along the normal by 0.02 "
    .. "of the ring's compliance, which errs by 0.05/n in psi2, and lumps have a moment of inertia that is off by "
    .. "0.16/n^2 in psi2. With both mended, means of two placements are -0.1462, -0.1461, -0.1460 and -0.1460 with 10, "
    .. "14, 20 and 28 cells.")

local figure = pc.chart.figure{ title = "Ψ_2 at Ψ_1 = 1, less Maw's", width = 720, height = 440 }
local panel = figure:panel{ xlabel = "a/R", ylabel = "Ψ_2 less Maw's", xlog = true, legend = true }
panel:scatter{ sizes, off, label = "waves" }
panel:line{ sizes, law_off, label = "Maw with the compliances of a sphere" }
study:draw(figure, "finite_sphere")
return study:finish()
