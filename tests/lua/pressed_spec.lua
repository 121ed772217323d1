-- Compliant impacts of a run as whole records: phases, what belongs to compression and restitution, joint impulses.
local pc = require "percuss"
local near = require "within"

local tight = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 }
local hertz = { modulus = 1e7, radius = 0.05, poisson = 0.3, friction = 0.3 }
local laws = {
    linear = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3 },
    lossy = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 0.8, friction = 0.6, restitution = 0.7 },
    hunt_crossley = pc.contact.hunt_crossley{ stiffness = 1e6, damping = 0.4, friction = 0.2 },
    kelvin_voigt = pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 50, friction = 0.3, tangential = "spring",
        tangential_stiffness = 8e4 },
    coupled = pc.contact.coupled(hertz),
    clinging = pc.contact.coupled{ modulus = 1e7, radius = 0.05, poisson = 0.3, friction = 1.5 }, -- never slips
    hertz_mindlin = pc.contact.hertz_mindlin(hertz),
}
local names = {}
for name in pairs(laws) do names[#names + 1] = name end
table.sort(names)

local function fall(body, world, options)
    options = options or {}
    body.shape, body.length, body.mass = "rod", 1, 1
    world[1], world[2], world.configuration, world.gravity = pc.free(body), pc.floor{ height = 0 }, "moving", 0
    return pc.simulate(pc.scene(world), { duration = options.duration or 0.3, solver = tight, record = options.record })
end

-- A rod that strikes alone, as percuss.collide follows it by other equations and another integration.
describe("a compliant impact of a run", function()
    local angle = 0.7
    local function struck(law, vt, options)
        return fall({ angle = angle, y = 0.5 * math.cos(angle), vx = vt, vy = -1 }, { contact = law }, options)
    end

    it("has the phases and coefficients of percuss.collide", function()
        for _, name in ipairs(names) do
            for _, vt in ipairs{ 0.3, -0.4, 2 } do
                local hit = struck(laws[name], vt).impacts[1]
                local body = pc.body.rod{ length = 1, mass = 1, angle = angle }
                local one = pc.collide(body, laws[name], { v = { vt, -1 } }, { configuration = "moving" })
                local case = ("%s, v_t = %g: "):format(name, vt)
                assert.equal(one.regime, hit.regime, case)
                near(one.velocity.n, hit.velocity.n, 1e-8, case .. "v_n")
                near(one.compression_time, hit.compression_time, 1e-8 * one.duration, case .. "compression")
                for _, key in ipairs{ "kinematic", "kinetic", "energetic" } do
                    near(one.restitution[key], hit.restitution[key], 1e-7, case .. key)
                end
                for _, key in ipairs{ "total", "compression", "restitution" } do
                    near(one.impulse_ratio[key], hit.impulse_ratio[key], 1e-7, case .. key)
                end
                for _, key in ipairs{ "normal", "friction", "normal_compression", "normal_restitution" } do
                    near(one.work[key], hit.work[key], 1e-8, case .. key)
                end
                near(one.loss_of_max, hit.loss_of_max, 1e-7, case .. "loss")
                for word in pairs(one.flags) do assert.is_true(hit.flags[word], case .. word) end
                for word in pairs(hit.flags) do assert.is_true(one.flags[word], case .. word) end
                assert.equal(#one.phases, #hit.phases, case)
                for i, phase in ipairs(one.phases) do
                    local other = hit.phases[i]
                    assert.same({ phase.kind, phase.sign }, { other.kind, other.sign }, case)
                    -- slip ends where a force has a flat extreme: its time is known to the root of the error
                    near(phase.start, other.start, 1e-6 * one.duration, case .. "start")
                    near(phase.stop, other.stop, 1e-6 * one.duration, case .. "stop")
                    near(phase.work.friction, other.work.friction, 1e-7, case .. "work")
                    for _, key in ipairs{ "u_t", "u_n", "p_t", "p_n", "v_t", "v_n" } do
                        near(phase.at_stop[key], other.at_stop[key], 1e-6, case .. key)
                    end
                end
            end
        end
    end)

    it("is made of its phases, one after the other", function()
        for _, name in ipairs(names) do
            local hit = struck(laws[name], 0.3).impacts[1]
            local phases, friction = hit.phases, 0
            for i, phase in ipairs(phases) do
                near(i == 1 and 0 or phases[i - 1].stop, phase.start, 0)
                friction = friction + phase.work.friction
            end
            near(hit.duration, phases[#phases].stop, 1e-15)
            near(hit.work.friction, friction, 1e-12) -- the tolerance: at it a spring that lets go jumps
            near(hit.impulse.n, phases[#phases].at_stop.p_n, 1e-15)
            near(hit.work.normal, hit.work.normal_compression + hit.work.normal_restitution, 1e-15)
        end
    end)

    it("keeps works and kinds of phases where the motion is not recorded", function()
        -- of the second law, whose tangential spring is the stiffer one by far, eleven
        local many = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 0.002, friction = 0.6 }
        for law, vt in pairs{ [many] = 0.05, [laws.linear] = 0.3 } do
            local hit, whole = struck(law, vt, { record = false }).impacts[1], struck(law, vt).impacts[1]
            assert.equal(#whole.phases, #hit.phases)
            assert.equal(#hit.phases, hit.phase_count)
            assert.is_true(law ~= many or #hit.phases > 8)
            for i, phase in ipairs(hit.phases) do
                assert.same({ whole.phases[i].kind, whole.phases[i].sign }, { phase.kind, phase.sign })
                assert.is_nil(phase.start)
            end
        end
        local hit, whole = struck(laws.linear, 0.3, { record = false }).impacts[1], struck(laws.linear, 0.3).impacts[1]
        near(whole.work.friction, hit.work.friction, 1e-15)
        assert.is_nil(hit.joint_impulses)
        assert.is_nil(hit.compression_time)
    end)

    it("can be read while it lasts", function()
        local whole = struck(laws.linear, 0.3).impacts[1]
        local hit = struck(laws.linear, 0.3, { duration = 0.9 * whole.duration }).impacts[1]
        assert.equal("contact", hit.outcome)
        assert.is_nil(hit.duration)
        near(whole.compression_time, hit.compression_time, 1e-9)
        near(0.9 * whole.duration, hit.phases[#hit.phases].stop, 1e-12)
        assert.is_nil(hit.restitution.kinetic)
    end)
end)

-- The momentum of each link changes by the impulses at its joints, of the contact and of weight.
describe("joint impulses of a compliant impact", function()
    for _, name in ipairs(names) do
        it("balance the momentum of every link: " .. name, function()
            local lengths, centers, masses, g = { 0.5, 0.4, 0.7 }, { 0.2, 0.25, 0.3 }, { 1, 2, 1.5 }, 9.81
            local links = {}
            for k = 1, 3 do
                links[k] = { mass = masses[k], length = lengths[k], center = centers[k], inertia = 0.03 }
            end
            local rig = pc.chain{ links = links, angles = { 1.2, 0.9, 1.4 }, rates = { 0, 1, -1 } }
            local run = pc.simulate(pc.scene{ rig, pc.floor{ depth = 1.3 }, contact = laws[name],
                configuration = "moving" }, { duration = 2, solver = tight })
            assert.is_true(run.impact_count >= 1)
            local function momenta(q, u)
                local x, y, out = 0, 0, {}
                for k = 1, 3 do
                    local ex, ey = math.sin(q[k]), -math.cos(q[k])
                    out[k] = { masses[k] * (x - centers[k] * u[k] * ey), masses[k] * (y + centers[k] * u[k] * ex) }
                    x, y = x - lengths[k] * u[k] * ey, y + lengths[k] * u[k] * ex
                end
                return out
            end
            for _, hit in ipairs(run.impacts) do
                if not hit.stop then break end
                local after = {}
                for k = 1, 3 do after[k] = hit.after["angle" .. k] end
                local before, now = momenta(hit.q, hit.u_before), momenta(after, hit.u_after)
                local size = math.abs(hit.impulse.n)
                for k = 1, 3 do
                    local upper, lower = hit.joint_impulses[k], hit.joint_impulses[k + 1]
                    local bx, by = lower and -lower.x or hit.impulse.t, lower and -lower.y or hit.impulse.n
                    near(now[k][1] - before[k][1], upper.x + bx, 1e-9 * size, "x of link " .. k)
                    near(now[k][2] - before[k][2], upper.y + by - masses[k] * g * hit.duration, 1e-9 * size,
                        "y of link " .. k)
                end
            end
        end)
    end

    it("tend to those of the frozen impact as the contact stiffens", function()
        local function first(stiffness, configuration)
            local rig = pc.chain{ links = { { length = 1, mass = 1 }, { length = 0.8, mass = 0.5 } },
                angles = { 0.9, -0.3 }, rates = { -2, 1 } }
            local law = pc.contact.linear{ stiffness = stiffness, stiffness_ratio = 1.2, friction = 0.2 }
            local run = pc.simulate(pc.scene{ rig, pc.floor{ depth = 1.45 }, contact = law,
                configuration = configuration }, { duration = 0.2, solver = tight })
            return run.impacts[1].joint_impulses
        end
        local frozen, distance = first(1e8), {}
        for i = 1, 3 do
            local joints = first(1e6 * 100 ^ i, "moving")
            distance[i] = math.abs(joints[1].x - frozen[1].x) + math.abs(joints[2].y - frozen[2].y)
        end
        -- the duration falls with the root of the stiffness
        near(10, distance[1] / distance[2], 0.5)
        near(10, distance[2] / distance[3], 0.5)
    end)
end)
