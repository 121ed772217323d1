-- Rigid impacts at the edges of what people try: friction just at the critical value, grazes, tiny restitutions.
local pc = require "percuss"

-- One of each family of endings, all with the same coefficients.
local function laws(restitution, friction)
    local made = {}
    for _, name in ipairs{ "newton", "poisson", "stronge" } do
        made[#made + 1] = pc.contact[name]{ restitution = restitution, friction = friction }
    end
    return made
end

describe("friction at the limit between slip and stick", function()
    it("wedges a pendulum whose coefficient is the tangent of its angle, by every law", function()
        for degrees = 1, 89 do
            local angle = degrees * pc.deg
            local body = pc.body.pendulum{ mass = 1, length = 1, angle = angle }
            for _, law in ipairs(laws(0.5, math.tan(angle))) do
                local hit = pc.collide(body, law, { rate = -1 })
                assert.is_true(hit.wedged, ("%d deg: %s"):format(degrees, hit.law))
                assert.equal(0, hit.velocity.n)
            end
        end
    end)

    it("still lets it rebound where friction is less by a part in a million", function()
        for _, degrees in ipairs{ 9, 34, 82 } do
            local angle = degrees * pc.deg
            local body = pc.body.pendulum{ mass = 1, length = 1, angle = angle }
            local hit = pc.collide(body, pc.contact.newton{ e = 0.5, mu = math.tan(angle) * (1 - 1e-6) }, { rate = -1 })
            assert.is_false(hit.wedged)
            assert.near(0.5, hit.restitution.kinematic, 1e-12)
        end
    end)

    it("follows a spherical pendulum past a direction of slip that attracts at no rate", function()
        for degrees = 1, 89 do
            local angle = degrees * pc.deg
            local body = pc.body.spherical_pendulum{ mass = 1, length = 1, angle = angle, joint = "suppressed" }
            local friction = 1 / math.tan(angle)
            for _, turn in ipairs{ 0, 1e-9, 0.3, 10 } do
                local hit = pc.collide(body, pc.contact.poisson{ R = 0.5, mu = friction }, { rate = -1, turn = turn })
                assert.is_true(hit.wedged or hit.velocity.n >= 0)
                local p = math.sqrt(hit.impulse.t ^ 2 + hit.impulse.t2 ^ 2)
                assert.is_true(p <= friction * hit.impulse.n * (1 + 1e-12))
                assert.is_true(hit.loss >= 0)
            end
        end
    end)
end)

describe("small shares of an impact keep their digits", function()
    local W = { { 3, 0.5 }, { 0.5, 2 } }

    it("the energetic coefficient of a tiny restitution", function()
        -- without friction v_n alone changes, and the three coefficients are one
        for _, law in ipairs(laws(1e-9, 0)) do
            local hit = pc.collide(pc.body.matrix{ W = W }, law, { vt = 0.3, vn = -1 })
            assert.near(1e-9, hit.restitution.energetic, 1e-18)
            assert.near(1e-9, hit.restitution.kinetic, 1e-18)
        end
    end)

    it("the loss of a graze", function()
        -- without friction the loss is (1 - e^2) v_n^2/(2 w_nn), 1e-14 of the energy here
        for _, law in ipairs(laws(0.5, 0)) do
            local hit = pc.collide(pc.body.matrix{ W = W }, law, { vt = 1, vn = -1e-7 })
            assert.near(0.75 * 1e-14 / 4, hit.loss, 1e-27)
        end
        local many = pc.map(pc.body.matrix{ W = W }, laws(0.5, 0)[2],
            { vt = 1, vn = pc.array{ -1e-7 }, columns = { "loss" } })
        assert.near(0.75 * 1e-14 / 4, many.loss[1], 1e-27)
    end)
end)
