-- Kecskemethy, Lange and Grabner (1999), extension (2): the sledge in space against the rigid spatial law. The abstract
-- prints no numbers.
--
-- Stronge's coefficient with E = 1 is the limit for infinite tangential stiffness, as in the plane: the stretch on the
-- cone, and with it the lag of the slip direction, falls as 1/kappa.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "The sledge in space and rigid impact", source = "Kecskemethy, Lange and Grabner (1999), extension (2)",
    arguments = { ... },
}

-- A homogeneous bar of unit mass and half length 1 at 45 degrees, which slides across its own plane as well.
local bar = pc.body.rod{ mass = 1, length = 2, angle = -45 * pc.deg, spatial = true }
local motion, mu = { vt = 0.4, vt2 = 0.6, vn = -1 }, 0.3
local rigid = pc.collide(bar, pc.contact.stronge{ E = 1, mu = mu }, motion)

local function sledge(kappa)
    return pc.contact.sledge3d{ stiffness = 1, stiffness_ratio = 1 / kappa, friction = mu }
end
local function distance(hit)
    local p, q = hit.impulse, rigid.impulse
    return math.sqrt((p.t - q.t) ^ 2 + (p.n - q.n) ^ 2 + (p.t2 - q.t2) ^ 2)
end

local kappas, gaps = { 0.824, 10, 100, 1000, 10000 }, {}
for i, kappa in ipairs(kappas) do
    local hit = pc.collide(bar, sledge(kappa), motion)
    local name = string.format("kappa = %g", kappa)
    study:value(name .. ", P_t", nil, hit.impulse.t)
    study:value(name .. ", P_t2", nil, hit.impulse.t2)
    study:value(name .. ", P_n", nil, hit.impulse.n)
    study:value(name .. ", energy lost", nil, hit.loss)
    gaps[i] = distance(hit)
    study:value(name .. ", distance to rigid", nil, gaps[i])
end
local order = math.log(gaps[4] / gaps[5]) / math.log(kappas[5] / kappas[4])
study:value("order of convergence in 1/kappa", nil, order)

-- In the plane it is the linear law, which is solved in closed form.
local flat, plane = pc.body.rod{ mass = 1, length = 2, angle = -45 * pc.deg }, { vt = 0.4, vn = -1 }
local closed = pc.collide(flat, pc.contact.linear{ stiffness = 1, stiffness_ratio = 0.1, friction = mu }, plane)
local solved = pc.collide(flat, sledge(10), plane)
study:identity("in the plane, P_t", solved.impulse.t, closed.impulse.t)
study:identity("in the plane, P_n", solved.impulse.n, closed.impulse.n)
study:note("A bar of 1 kg and half length 1 m that comes with 1 m/s; the abstract prints no numbers.")
return study:finish()
