-- Impacts of a run as records: what the law says of each, what follows from the state, wedging, joint impulses.
local pc = require "percuss"
local near = require "within"

local function double(law)
    local rig = pc.chain{
        links = {
            { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676 },
            { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
        },
        angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 },
    }
    return pc.scene{ rig, pc.floor{ depth = 0.9 }, contact = law }
end

local laws = {
    poisson = pc.contact.poisson{ restitution = 0.9, friction = 0.15 },
    stronge = pc.contact.stronge{ restitution = 0.7, friction = 0.4 },
    newton = pc.contact.newton{ restitution = 0.6, friction = 0.1 },
    linear = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = 0.3, restitution = 0.8 },
}

describe("an impact of a run", function()
    for _, name in ipairs{ "poisson", "stronge", "newton", "linear" } do
        it("is what collide makes of its W and velocity, bit by bit: " .. name, function()
            local run = pc.simulate(double(laws[name]), { duration = 4 })
            assert.is_true(run.impact_count >= 3)
            for i, hit in ipairs(run.impacts) do
                local W, v = hit.W, hit.velocity_before
                local body = pc.body.matrix{ W = { { W.tt, W.tn }, { W.tn, W.nn } } }
                local one = pc.collide(body, laws[name], { vt = v.t, vn = v.n })
                assert.equal(i, hit.number)
                assert.equal(one.impulse.t, hit.impulse.t)
                assert.equal(one.impulse.n, hit.impulse.n)
                assert.equal(one.velocity.t, hit.velocity.t)
                assert.same(one.phases, hit.phases)
                assert.equal(#one.phases, hit.phase_count)
                assert.same(one.restitution, hit.restitution)
                assert.same(one.work, hit.work)
                assert.same(one.flags, hit.flags)
                assert.same(one.peak, hit.peak)
                assert.same(one.impulse_ratio, hit.impulse_ratio)
                assert.equal(one.duration, hit.duration)
                assert.equal(one.regime, hit.regime)
                assert.equal(one.loss_of_max, hit.loss_of_max)
                assert.equal(laws[name], hit.law)
                assert.equal(tostring(one), tostring(hit.impact))
                near(one.loss, hit.loss, 1e-13 * (50 + hit.energy.before))
            end
        end)
    end

    it("can be traced where the law has a history", function()
        local hit = pc.simulate(double(laws.linear), { duration = 2 }).impacts[1]
        local trace = hit.impact:trace(50)
        near(hit.impulse.n, trace.p_n[50], 1e-12 * hit.impulse.n)
        near(hit.velocity_before.n, trace.v_n[1], 0)
    end)

    it("has what follows from the state before and after, by the names of columns", function()
        local run = pc.simulate(double(laws.poisson), { duration = 3 })
        for _, hit in ipairs(run.impacts) do
            local b, a = run:at(hit.time, "before"), run:at(hit.time, "after")
            for key, value in pairs(hit.before) do near(b[key], value, 1e-14 * (1 + math.abs(value)), key) end
            for key, value in pairs(hit.after) do near(a[key], value, 1e-14 * (1 + math.abs(value)), key) end
            near(hit.energy.before, hit.before.energy, 1e-14 * 100)
            near(hit.energy.after, hit.after.energy, 1e-14 * 100)
            assert.same({ rate1 = hit.u_after[1], rate2 = hit.u_after[2] }, hit.body)
            assert.same({ rate1 = hit.u_before[1], rate2 = hit.u_before[2] }, hit.body_before)
            assert.is_nil(rawget(hit.before, "Rx1"))
            assert.is_nil(rawget(hit.before, "lost"))
        end
    end)

    it("names the rates of several members, and places moving pivots", function()
        local function pivot(t) return 0.1 * t, 0, 0.1, 0, 0, 0 end
        local rig = pc.chain{ links = { { mass = 1, length = 1 } }, angles = { 0.6 }, pivot = pivot, name = "arm" }
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.2, y = -0.8, vx = 1, name = "ball" }
        local run = pc.simulate(pc.scene{ rig, ball, pc.floor{ depth = 0.95 }, pc.wall{ x = 0.7, side = "left" },
            contact = laws.newton }, { duration = 1 })
        local hit = run.impacts[1]
        assert.equal(hit.u_after[3], hit.body["ball.vy"])
        assert.equal(hit.u_before[1], hit.body_before["arm.rate1"])
        near(0.1 * hit.time + math.sin(hit.q[1]), hit.after["arm.x1"], 1e-15)
    end)

    it("of several at once has no law of its own", function()
        local function disc(x, vx) return pc.free{ shape = "disc", radius = 0.5, mass = 1, x = x, vx = vx } end
        local run = pc.simulate(pc.scene{ disc(-1.1, 1), disc(0), disc(1), contact = laws.poisson, gravity = 0,
            together = "simultaneous" }, { duration = 1 })
        local hit = run.impacts[1]
        assert.equal("simultaneous", hit.rule)
        assert.is_nil(hit.impact)
        assert.is_nil(hit.phases)
        assert.is_number(hit.body["body.vx"])
    end)

    it("outlives the run it came from, and says when that was closed", function()
        local run = pc.simulate(double(laws.poisson), { duration = 2 })
        local hit = run.impacts[1]
        local other = run.impacts[1]
        run = nil -- luacheck: ignore
        collectgarbage()
        assert.equal("slip", hit.phases[1].kind)
        assert.error_matches(function() return other.no_such_field end, "no field 'no_such_field'")
    end)
end)

-- Momentum of each link changes by the impulses at its joints and at the contact alone, in both directions.
describe("joint impulses", function()
    for _, name in ipairs{ "poisson", "stronge", "linear" } do
        it("are the jumps of momentum of the links below: " .. name, function()
            local lengths, centers, masses = { 0.5, 0.4, 0.7 }, { 0.2, 0.25, 0.3 }, { 1, 2, 1.5 }
            local inertias, links = { 0.02, 0.03, 0.05 }, {}
            for k = 1, 3 do
                links[k] = { mass = masses[k], length = lengths[k], center = centers[k], inertia = inertias[k] }
            end
            local rig = pc.chain{ links = links, angles = { 1.2, 0.9, 1.4 }, rates = { 0, 1, -1 } }
            local world = pc.scene{ rig, pc.floor{ depth = 1.3 }, contact = laws[name] }
            local run = pc.simulate(world, { duration = 2 })
            assert.is_true(run.impact_count >= 2)
            for _, hit in ipairs(run.impacts) do
                local q, du, size = hit.q, {}, 0
                for k = 1, 3 do
                    du[k] = hit.u_after[k] - hit.u_before[k]
                    size = size + masses[k] * lengths[k] * (math.abs(hit.u_after[k]) + math.abs(hit.u_before[k]))
                end
                local x, y = 0, 0 -- jump of the velocity of the upper joint
                for k = 1, 3 do
                    local ex, ey = math.sin(q[k]), -math.cos(q[k])
                    local px = masses[k] * (x - centers[k] * du[k] * ey)
                    local py = masses[k] * (y + centers[k] * du[k] * ex)
                    local upper, lower = hit.joint_impulses[k], hit.joint_impulses[k + 1]
                    -- the floor's tangent is (1, 0), its normal (0, 1)
                    local bx, by = lower and -lower.x or hit.impulse.t, lower and -lower.y or hit.impulse.n
                    near(upper.x + bx, px, 1e-13 * size, "x of link " .. k)
                    near(upper.y + by, py, 1e-13 * size, "y of link " .. k)
                    -- and its spin, about the mass centre
                    local r, s = -centers[k], lengths[k] - centers[k]
                    local spin = r * (ex * upper.y - ey * upper.x) + s * (ex * by - ey * bx)
                    near(inertias[k] * du[k], spin, 1e-13 * size, "spin of link " .. k)
                    x, y = x - lengths[k] * du[k] * ey, y + lengths[k] * du[k] * ex
                end
            end
        end)
    end
end)

-- One link meets a floor obliquely: it wedges, by every law of Coulomb's kind, if mu >= tan(theta), theta from the
-- normal. Its end could move in one direction only, so the forces that hold it are not unique.
describe("a wedged impact", function()
    local function strike(theta, mu, torque)
        local arm = pc.chain{
            links = { { mass = 1, length = 1, center = 0.5, inertia = 1 / 12 } }, angles = { theta + 0.2 },
            rates = { -1 }, torque = torque,
        }
        return pc.simulate(pc.scene{ arm, pc.floor{ depth = math.cos(theta) },
            contact = pc.contact.poisson{ restitution = 0.5, friction = mu } }, { duration = 1 })
    end

    it("becomes persistent stick at every angle, and the events say so", function()
        for theta = 0.1, 1.4, 0.1 do
            for _, factor in ipairs{ 1.01, 1.5, 4 } do
                local run = strike(theta, factor * math.tan(theta))
                local first, second, third = table.unpack(run.events)
                assert.is_true(run.impacts[1].wedged)
                assert.same({ "impact", "wedged" }, { first.kind, first.outcome })
                assert.same({ "contact", "stick" }, { second.kind, second.mode })
                assert.equal("rest", third.kind)
                assert.equal(3, #run.events)
                local s = run:at(1)
                near(theta, s.angle1, 1e-14)
                assert.is_true(s.F_n > 0 and math.abs(s.F_t) <= factor * math.tan(theta) * s.F_n)
                -- moments about the pivot balance
                local weight = -9.81 * 0.5 * math.sin(theta)
                near(0, weight + math.sin(theta) * s.F_n + math.cos(theta) * s.F_t, 1e-12)
            end
        end
    end)

    it("rebounds below that friction", function()
        for theta = 0.1, 1.4, 0.1 do
            local run = strike(theta, 0.99 * math.tan(theta))
            assert.is_false(run.impacts[1].wedged)
            assert.equal("rebound", run.events[1].outcome)
            assert.is_true(run.impacts[1].velocity.n > 0)
        end
    end)

    it("is left when a torque lifts the link", function()
        local run = strike(0.8, 2, function(t) return t > 0.6 and 20 or 0 end)
        local lift
        for _, event in ipairs(run.events) do if event.kind == "lift_off" then lift = event end end
        near(0.6, lift.time, 1e-6)
        assert.is_true(run:at(1).angle1 > 0.81)
    end)
end)

describe("v_rest", function()
    -- E10: a ball dropped from 1 m, restitution 0.5, gravity 1: velocities sqrt(2)/2^k fall below 1e-3 with the 11th
    it("ends the bounces whose speed afterwards is below it, and books what it took", function()
        local ball = pc.free{ shape = "disc", radius = 0x1p-7, mass = 1, y = 1 + 0x1p-7 }
        local function drop(v_rest)
            local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5,
                friction = 0 }, gravity = 1, v_rest = v_rest }
            return pc.simulate(world, { duration = 5 })
        end
        local run = drop(1e-3)
        assert.equal(11, run.impact_count)
        local last = run.impacts[11]
        near(math.sqrt(2) / 2 ^ 11, last.velocity.n, 1e-12)
        assert.same({ "contact", "rest" }, { run.events[12].kind, run.events[13].kind })
        assert.equal(last.time, run.events[12].time)
        local s = run:at(5)
        near(1 + 0x1p-7, s.energy + s.lost, 1e-14)
        assert.is_true(drop(0).impact_count > 20)
    end)
end)
