-- Cases of tests/reference/elastodynamics.json, a solution by another program on meshes of 8 to 40 cells, extrapolated:
-- check(case, cells) strikes on one mesh, check_limit(case) by meshes that are refined and extrapolated.
local json = require "dkjson"
local pc = require "percuss"
local within = require "within"

local cases = {}

function cases.all()
    local file = assert(io.open "tests/reference/elastodynamics.json")
    local list = assert(json.decode(file:read "a"))
    file:close()
    local known = {}
    for _, case in ipairs(list) do
        if case.inputs.shape and case.inputs.v_n then known[#known + 1] = case end
    end
    return known
end

-- The unit of psi, and the body.
function cases.body(inputs)
    local material = pc.material.custom{ young = inputs.E, poisson = inputs.nu, density = inputs.rho }
    if inputs.shape == "sphere" then return pc.elastic.sphere{ radius = inputs.R, material = material } end
    return pc.elastic.rod{ radius = inputs.R, length = inputs.L, material = material,
        nose = inputs.shape == "capsule" and "round" or "flat" }
end

-- Given values that are off by more than their uncertainty, with what they tend to.
--
-- psi2 and the impulse ratio that follows from it (v = 0.5 m/s): extrapolated from meshes of 10, 14 and 20 cells, whose
-- contact edges lie at 0.41, 0.37 and 0.81 of a cell, as if errors went as 1/n^2. Made as the reference makes meshes,
-- masses and rings, this program gives its numbers: -0.14327, -0.14316, -0.14241 at psi1 = 1, where it has -0.14321,
-- -0.14316, -0.14241. But such rings err by 0.05/n. On a half-space, where Maw's solution is exact, they give psi2 =
-- -0.0567, -0.0573, -0.0584 with 10, 20, 40 cells, and not -0.0597. With compliances mended (mend_compliance in
-- src/elastic/model.c) psi2 at psi1 = 1 is -0.1462, -0.1461, -0.1460, -0.1460 with 10, 14, 20, 28 cells (means of two
-- placements), and it tends to Maw's as v/c goes to 0, to 1e-4 (scripts/waves/finite_sphere.lua), or on a half-space to
-- 2.4e-4 (tests/c/elastic). Without mending, first-order extrapolation of 10 to 40 cells gives -0.146 as well.
--
-- Peak forces of oblique impacts: the normal motion does not depend on the tangential one, and the reference itself has
-- 1.01315(50) where it went up to 28 cells; for the rod it has 0.99024(60) in one row and 0.9895(10) in others, for the
-- sphere at 5 m/s 1.0372(4) in the row of no radial friction and 1.0362(4) in others.
local sphere_peak, rod_peak, fast_peak = { 1.01315, 5e-4 }, { 0.99024, 6e-4 }, { 1.0372, 4e-4 }
local moved = {
    ["sphere-v0.5-psi0.2"] = { psi2 = { 0.0199, 3e-4 }, impulse_ratio = { -0.003124, 6e-6 },
        ["Fmax/F_Hertz"] = sphere_peak },
    ["sphere-v0.5-psi1"] = { psi2 = { -0.1460, 2e-4 }, impulse_ratio = { -0.019879, 6e-6 },
        ["Fmax/F_Hertz"] = sphere_peak },
    ["sphere-v0.5-psi2"] = { psi2 = { -0.9340, 3e-4 }, impulse_ratio = { -0.050904, 6e-6 },
        ["Fmax/F_Hertz"] = sphere_peak },
    ["sphere-v0.5-psi4"] = { ["Fmax/F_Hertz"] = sphere_peak },
    ["sphere-v0.5-psi5"] = { ["Fmax/F_Hertz"] = sphere_peak },
    ["sphere-v5-normal"] = { ["Fmax/F_Hertz"] = fast_peak },
    ["sphere-v5-psi1"] = { psi2 = { -0.2423, 4e-4 }, impulse_ratio = { -0.021551, 8e-6 },
        ["Fmax/F_Hertz"] = fast_peak },
    ["rod-LR5-v0.5-psi0.2"] = { ["Fmax/F_Hertz"] = rod_peak },
    ["rod-LR5-v0.5-psi5"] = { ["Fmax/F_Hertz"] = rod_peak },
    ["sphere-v0.05-psi1"] = { impulse_ratio = { -0.019071, 6e-6 } },
}

-- Strike with options of the mesh.
function cases.strike(inputs, mesh)
    local mu = inputs.mu or 0
    local unit = mu * (2 - inputs.nu) / (2 * (1 - inputs.nu)) * inputs.v_n
    local options = { vt = (inputs.psi1 or 0) * unit, vn = -inputs.v_n, friction = mu,
        radial_friction = inputs.radial_friction }
    for key, value in pairs(mesh) do options[key] = value end
    return pc.elastic.collide(cases.body(inputs), options), unit
end

-- Compare with what is given, or what it tends to: allowed are its uncertainty and `bounds` of ours.
local function compare(case, hit, unit, bounds, text)
    local flat = case.inputs.shape:match "flat"
    local got = {
        e = hit.restitution.kinematic,
        ["T/T_Hertz"] = hit.duration / hit.hertz.duration,
        ["T/(2L/c0)"] = hit.duration / hit.hertz.duration,
        ["Fmax/F_Hertz"] = not flat and hit.peak.n / hit.hertz.peak or nil,
        psi2 = unit > 0 and hit.velocity.t / unit or nil,
        impulse_ratio = hit.impulse_ratio.total,
        vibration_m0 = hit.vibration.n / hit.energy.before,
    }
    for name, output in pairs(case.outputs) do
        if output.uncertainty and bounds[name] then
            local value, uncertainty = output.exact or output.value, output.uncertainty
            local limit = (moved[case.id] or {})[name]
            if limit then value, uncertainty = table.unpack(limit) end
            within(value, got[name], uncertainty + bounds[name], ("%s %s, %s"):format(case.id, text, name))
        end
    end
end

function cases.check(case, cells)
    local inputs, n = case.inputs, cells
    local hit, unit = cases.strike(inputs, { cells = cells })
    -- Errors of one mesh, of second order; with 10 cells at most 1.5e-3 in psi2, 8e-4 in T, 2e-3 in the peak (4e-3 with
    -- radial friction) and 4e-5 in e, the noise of a mesh. From 50 m/s on, where the contact is a fifth of the radius,
    -- they are two to six times as large. Radial friction takes 2e-3 and is off by a quarter.
    local fast, radial = inputs.v_n >= 50, inputs.radial_friction
    local mesh = (10 / n) ^ 2 * (fast and 3 or 1)
    local loss = 5e-5 * mesh * (fast and 2 or 1) + (radial and 5e-4 * 10 / n or 0)
    local bounds = { e = loss, vibration_m0 = 2 * loss, ["T/T_Hertz"] = 1e-3 * mesh,
        ["Fmax/F_Hertz"] = (radial and 5e-3 or 3e-3) * mesh, psi2 = 2e-3 * mesh,
        impulse_ratio = (inputs.mu or 0) * 5e-4 * mesh }
    -- flat ends meet with a jump: errors of the order of half
    if inputs.shape:match "flat" then
        bounds = { e = 2e-2 * n ^ -0.5, vibration_m0 = 4e-2 * n ^ -0.5, ["T/(2L/c0)"] = 1e-2 * n ^ -0.5 }
    end
    compare(case, hit, unit, bounds, ("with %d cells"):format(cells))
end

-- Allowed is the sum of both uncertainties, that of the given value and our own estimate.
function cases.check_limit(case)
    local hit, unit = cases.strike(case.inputs, { tolerance = 9e-4 })
    local u = hit.uncertainty
    local velocity, duration = unit > 0 and u.velocity / unit or 0, u.duration / hit.hertz.duration
    -- "1 - e below 2e-5 is mesh noise" (the reference, of both programs)
    local e = math.max(u.restitution, 2e-5)
    -- At 50 m/s and more, a/R = 0.2, terms of (a/R)^2 that both programs lack are 0.03 in psi2 (the reference, limits).
    -- Its rows of one normal motion differ by 2.6e-3 in T, and its psi2 at psi1 = 3 is 2.3e-3 off ours on meshes of 20,
    -- 28 and 40 cells alike, mended or not, which is not explained.
    if case.inputs.v_n >= 50 then velocity, duration = velocity + 2.5e-3, duration + 1.5e-3 end
    compare(case, hit, unit, {
        e = e, vibration_m0 = 2 * e, ["T/T_Hertz"] = duration, ["T/(2L/c0)"] = duration,
        ["Fmax/F_Hertz"] = hit.hertz.peak and u.peak / hit.hertz.peak,
        -- p_t/p_n goes as (psi2 - psi1) mu/(4 chi), 4 chi from 5.8 (spheres) on
        psi2 = velocity, impulse_ratio = (case.inputs.mu or 0) * velocity / 5.8,
    }, "by a tolerance")
end

return cases
