-- Names in the results of an impact: motions that can be struck again, energies of the body and of the contact.
local pc = require "percuss"

describe("an impact", function()
    it("has motions that can be struck again", function()
        local deg = pc.deg
        local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.3 }
        local stronge = pc.contact.stronge{ restitution = 0.7, friction = 0.3 }
        local inertia = { { 0.02, 0.001, 0 }, { 0.001, 0.03, 0 }, { 0, 0, 0.04 } }
        local cases = {
            { pc.body.sphere{ radius = 5e-3, mass = 0.0041 }, spring, { speed = 1, incidence = 45 * deg } },
            { pc.body.rod{ mass = 1, length = 1, angle = -30 * deg }, stronge, { v = { 0.3, -1 }, omega = 0.4 } },
            { pc.body.sphere{ radius = 5e-3, mass = 0.0041, spatial = true }, stronge,
                { vt = 0.4, vn = -1, vt2 = 0.3 } },
            { pc.body.rigid{ mass = 1, inertia_tensor = inertia, arm = { 0.1, -0.2 }, arm_t2 = 0.05 }, stronge,
                { v = { 0.4, -1, 0.2 }, omega = { 1, 2, 3 } } },
            { pc.body.pendulum{ mass = 1, radius = 0.01, length = 0.1, angle = 20 * deg }, stronge, { rate = -6 } },
            { pc.body.linkage{ masses = { 1, 2 }, lengths = { 0.5, 0.4 }, angles = { 0.3, -0.6 } }, stronge,
                { vt = 0.2, vn = -1 } },
            { pc.body.matrix{ W = { { 3, 0.5 }, { 0.5, 1 } } }, stronge, { vt = 0.4, vn = -1 } },
        }
        for _, case in ipairs(cases) do
            local body, law, motion = table.unpack(case)
            local name = body.kind
            local hit = pc.collide(body, law, motion)
            -- the velocities of the contact point follow from the motion: v = J u, to the rounding of a few products
            for words, v in pairs{ body = hit.velocity, body_before = hit.velocity_before } do
                local of_motion = body:contact_velocity(hit[words])
                for component, key in pairs{ t = "vt", n = "vn", t2 = "vt2" } do
                    assert.near(v[component] or 0, of_motion[key] or 0, 1e-13, name .. ": " .. words .. "." .. key)
                end
            end
            assert.near(hit.energy.after, body:energy(hit.body), 1e-14 * hit.energy.before, name)
            -- the same impact once more, bit for bit where the body's velocities are the same bits
            local again = pc.collide(body, law, hit.body_before)
            assert.near(hit.impulse.n, again.impulse.n, 1e-12 * hit.impulse.n, name)
            assert.near(hit.impulse.t, again.impulse.t, 1e-12 * hit.impulse.n, name)
            -- it leaves the obstacle: as it stands it does not strike
            assert.has_error(function() pc.collide(body, law, hit.body) end, nil, name)
        end
        -- the next bounce of a ball that gravity turns back: its height, tangential velocity and spin are those it left
        -- with, so that the second speed is e of the first
        local ball, law, motion = cases[1][1], stronge, cases[1][3]
        for bounce = 1, 3 do
            local hit = pc.collide(ball, law, motion)
            assert.near(0.7 ^ (bounce - 1) * math.cos(45 * deg), -hit.velocity_before.n, 1e-14)
            motion = { v = { hit.body.v[1], -hit.body.v[2] }, omega = hit.body.omega }
        end
        local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })
        local ok, message = pcall(function() return hit.body.vt end)
        assert.is_false(ok)
        assert.matches("there is no field 'vt' here; did you mean 'v'%?", tostring(message))
    end)

    it("has the body's energy and the contact's share of it under names of their own", function()
        local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.3 }
        for _, body in ipairs{
            pc.body.sphere{ radius = 5e-3, mass = 0.0041 },
            pc.body.rod{ mass = 0.01, length = 0.1, angle = 0.4 },
        } do
            local motion = { v = { 0.5, -1 }, omega = 13 }
            local hit = pc.collide(body, spring, motion)
            local h = hit:trace(5)
            assert.same({ "J", "J" }, { h.units.energy, h.units.contact_energy })
            local scale = hit.energy.before
            -- sums of works and products of velocities with W, each rounded
            assert.near(hit.energy.before, h.energy[1], 1e-15 * scale)
            assert.near(hit.energy.after, h.energy[5], 1e-12 * scale)
            assert.near(hit.energy.contact_before, h.contact_energy[1], 1e-15 * scale)
            assert.near(hit.energy.contact_after, h.contact_energy[5], 1e-12 * scale)
            -- what the impulse cannot reach is the same all the time
            for i = 1, 5 do
                assert.near(scale - hit.energy.contact_before, h.energy[i] - h.contact_energy[i], 1e-12 * scale)
            end
            assert.is_true(scale - hit.energy.contact_before > 0.01 * scale)
            local view = hit:scaled("birlik", { points = 5, mass = body.mass })
            assert.near(h.contact_energy[3] / view.scale.energy, view.contact_energy[3], 1e-15 * scale)
            -- as the body turns on, no part of its energy stays the contact's
            local moving = pc.collide(body, spring, motion, { configuration = "moving" })
            assert.near(moving.energy.after, moving:trace(5).energy[5], 1e-9 * scale)
            assert.is_nil(moving:trace(5).contact_energy)
            assert.is_nil(moving.energy.contact_after)
        end
    end)
end)
