-- Sypniewska-Kaminska (2017), Fig 4: the five arrangements of the impulse semi-plane of a double pendulum that strikes
-- a rough obstacle, and their mirror images. The figure shows no numbers; here each is an impact of her pendulum.
--
-- a) slip does not stop; b), c) it stops during compression and then sticks or reverses; d), e) it stops during
-- restitution and then sticks or reverses. Velocities: s along t, c along n; impulses T along t and F along n.
local pc = require "percuss"
local plane = require "percuss.impulse_plane"
local study = require("percuss.study").new{
    title = "Arrangements of the impulse semi-plane", source = "Sypniewska-Kaminska (2017), section 3.4, Fig 4",
    arguments = { ... },
}

-- Section 4: the data of the pendulum.
local m1, m2, l1, l2, r, lc, I1, I2 = 3.2, 3.8, 0.5, 0.6, 0.05, 0.3627, 6.76e-2, 0.164

-- The pendulum at angles psi (rad): mass matrix of (4), (5) and the velocity of the contact point (32), (33), whose
-- bracket closes after psi_2.
local function pendulum(psi1, psi2)
    local coupling = m2 * l1 * lc * math.cos(psi1 - psi2)
    return pc.body.system{
        A = { { I1 + m1 * l1 * l1 / 4 + m2 * l1 * l1, coupling }, { coupling, I2 + m2 * lc * lc } },
        C = {
            { -l1 * math.cos(psi1), -(r + (l2 + r) * math.cos(psi2)) },
            { l1 * math.sin(psi1), (l2 + r) * math.sin(psi2) },
        },
    }
end

-- Which arrangement it is, from the path.
local function arrangement(hit)
    local first, second = hit.phases[1], hit.phases[2]
    if not second then return "a" end
    local in_compression = first.at_stop.v_n < 0
    if second.kind == "stick" then return in_compression and "b" or "d" end
    return in_compression and "c" or "e"
end

-- Angles in degrees, rates in rad/s, mu, k.
local cases = {
    { "a", 2, -85, -4.3, 4.0, 0.15, 0.9 },
    { "b", -61, -7, 3.2, -2.8, 0.3, 0.9 },
    { "c", 13, 27, 4.0, -3.6, 0.15, 0.6 },
    { "d", -4, 13, 1.4, -4.2, 0.6, 0.6 },
    { "e", 42, 50, -0.7, -4.0, 0.15, 0.9 },
}

local figure = pc.chart.figure{ title = "Impulse semi-plane: five arrangements and their mirror images", columns = 5,
    width = 2000, height = 900 }
local mirrored = {}
for _, case in ipairs(cases) do
    local name, psi1, psi2, w1, w2, mu, k = table.unpack(case)
    local law = pc.contact.poisson{ restitution = k, friction = mu }
    local body = pendulum(psi1 * pc.deg, psi2 * pc.deg)
    local hit = pc.collide(body, law, { rates = { w1, w2 } })
    local image = pc.collide(pendulum(-psi1 * pc.deg, -psi2 * pc.deg), law, { rates = { -w1, -w2 } })
    local path = pc.impulse.path(hit)
    study:statement("arrangement " .. name, name, arrangement(hit), arrangement(hit) == name)
    study:value(name .. ": alpha", nil, body.w_tt, "1/kg")
    study:value(name .. ": gamma", nil, body.w_nn, "1/kg")
    study:value(name .. ": epsilon", nil, body.w_tn, "1/kg")
    local phi_s = math.atan(math.abs(body.w_tn) / body.w_tt)
    study:value(name .. ": phi_s = atan(|epsilon|/alpha)", nil, phi_s / pc.deg, "deg")
    study:value(name .. ": F", nil, hit.impulse.n, "N s")
    study:value(name .. ": T", nil, hit.impulse.t, "N s")
    study:value(name .. ": s afterwards", nil, hit.velocity.t, "m/s")
    study:value(name .. ": c afterwards", nil, hit.velocity.n, "m/s")
    study:value(name .. ": energy lost", nil, hit.loss, "J")
    -- (28): the end of collision lies at (1 + k) times the abscissa of the end of compression
    for i = 1, #path.p_n do
        if path.v_n[i] == 0 then
            study:identity(name .. ": F is (1 + k) F at maximum compression", hit.impulse.n, (1 + k) * path.p_n[i],
                "N s")
        end
    end
    study:identity(name .. ": mirror image, T", image.impulse.t, -hit.impulse.t, "N s")
    plane.panel(figure, { hit }, { title = name .. ")", legend = name == "a", termination = true })
    mirrored[#mirrored + 1] = { name, image }
end
for _, m in ipairs(mirrored) do
    plane.panel(figure, { m[2] }, { title = m[1] .. "), mirror image", legend = false, termination = true })
end
study:note("The rule (1 + k) is (28), not (16); stick needs |T| <= mu F in (30); E_i of (36) is misprinted.")
study:draw(figure, "fig4")
return study:finish()
