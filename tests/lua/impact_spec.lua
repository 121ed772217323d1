-- percuss.collide and its impact, percuss.map, errors of constructors, help: what a script sees.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local ball = pc.body.sphere { radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear { stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })

-- The message of an error without the position in the script.
local function message_of(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return (tostring(message):gsub("^[^:]*:%d+: ", ""))
end

describe("constructors", function()
    it("refuse unknown parameters with the nearest name", function()
        assert.equal("contact.linear has no parameter 'frction'; did you mean 'friction'?",
            message_of(pc.contact.linear, { stiffness = 1, frction = 0.5 }))
        assert.equal("contact has no field 'linaer'; did you mean 'linear'?",
            message_of(function() return pc.contact.linaer end))
        assert.equal("percuss has no field 'colide'; did you mean 'collide'?",
            message_of(function() return pc.colide end))
    end)

    it("name the parameter, its value, its unit and what is allowed", function()
        assert.equal("contact.linear: stiffness (kn) = -3 N/m is not allowed; it must be > 0 N/m",
            message_of(pc.contact.linear, { kn = -3, eta = 1, mu = 0.5 }))
        assert.truthy(message_of(pc.contact.linear, { kn = 1, eta = 1, mu = -0.1 }):find("must be >= 0", 1, true))
        assert.truthy(message_of(pc.contact.linear, { kn = 1, eta = 1, mu = 0 / 0 }):find("is not allowed", 1, true))
        assert.truthy(message_of(pc.contact.linear, { kn = 1, eta = 1, mu = 0.1, restitution = 1.1 })
            :find("restitution", 1, true))
    end)

    it("want one of two alternatives and not both", function()
        assert.equal("contact.linear: one of 'tangential' or 'stiffness_ratio' is needed",
            message_of(pc.contact.linear, { kn = 1, mu = 0.5 }))
        assert.equal("contact.linear: 'tangential' or 'stiffness_ratio' say the same thing; give one of them",
            message_of(pc.contact.linear, { kn = 1, kt = 1, eta = 1, mu = 0.5 }))
    end)

    it("refuse a wrong type, a list and no table at all", function()
        assert.equal("contact.linear: friction (μ) must be a number, not a string",
            message_of(pc.contact.linear, { kn = 1, eta = 1, mu = "0.5" }))
        assert.truthy(message_of(pc.contact.linear, { 1, 2 }):find("named parameters only", 1, true))
        assert.truthy(message_of(pc.contact.linear):find("takes a table of parameters", 1, true))
        assert.truthy(message_of(pc.contact.linear, 3):find("not a number", 1, true))
    end)

    it("do not change the table they are given", function()
        local options = { kn = 1, eta = 2, mu = 0.5 }
        pc.contact.linear(options)
        assert.same({ kn = 1, eta = 2, mu = 0.5 }, options)
    end)

    it("derive the alternative that was not given", function()
        assert.equal(0.5, pc.contact.linear { kn = 1, eta = 2, mu = 0 }.tangential)
        assert.equal(2, pc.contact.linear { kn = 1, kt = 0.5, mu = 0 }.eta)
    end)
end)

describe("a law", function()
    it("shows its parameters by word and symbol, and refuses others", function()
        assert.equal(0.5, spring.friction)
        assert.equal(spring.mu, spring.friction)
        assert.equal("linear", spring.name)
        assert.truthy(spring.abilities.closed_form)
        assert.truthy(message_of(function() return spring.fricton end):find("did you mean 'friction'", 1, true))
    end)

    it("cannot be changed", function()
        assert.truthy(message_of(function() spring.friction = 1 end):find("cannot be changed", 1, true))
    end)

    it("equals another with the same parameters", function()
        assert.equal(spring, pc.contact.linear { kn = 1.5e7, eta = 1.21, mu = 0.5 })
        assert.not_equal(spring, pc.contact.linear { kn = 1.5e7, eta = 1.21, mu = 0.6 })
    end)
end)

describe("an impact", function()
    it("has all the fields of the record", function()
        assert.equal("rebound", hit.outcome)
        assert.is_false(hit.wedged)
        assert.equal("slip-stick-slip", hit.regime)
        assert.equal(3, #hit.phases)
        assert.equal("slip", hit.phases[1].kind)
        assert.equal(1, hit.phases[1].sign)
        assert.equal(0, hit.phases[1].start)
        assert.equal(hit.duration, hit.phases[3].stop)
        assert.is_true(hit.flags.reverse_slip)
        assert.is_nil(hit.flags.jam)
        assert.equal(ball, hit.object)
        assert.equal(spring, hit.law)
    end)

    it("closes its energy ledger to rounding", function()
        -- works and energies are sums of a few products of order energy.before: 1e-14 is some tens of roundings
        local scale = hit.energy.before
        assert.near(hit.energy.after - hit.energy.before, hit.work.normal + hit.work.tangential, 1e-14 * scale)
        assert.near(hit.loss, hit.energy.before - hit.energy.after, 1e-14 * scale)
        assert.near(hit.loss, -hit.work.friction, 1e-14 * scale)
        assert.near(hit.loss_fraction, hit.loss / hit.energy.before, 1e-15)
        assert.near(hit.loss_of_max, hit.loss / hit.energy.contact_before, 1e-15)
        local friction = 0
        for _, phase in ipairs(hit.phases) do friction = friction + phase.work.friction end
        assert.near(hit.work.friction, friction, 1e-14 * scale)
    end)

    it("moves contact point and body by its impulse", function()
        assert.near(hit.velocity.t, 1 + ball.w_tt * hit.impulse.t, 1e-13)
        assert.near(hit.velocity.n, -1 + ball.w_nn * hit.impulse.n, 1e-13)
        local v = ball:contact_velocity(hit.body)
        assert.near(hit.velocity.t, v.vt, 1e-13)
        assert.near(hit.velocity.n, v.vn, 1e-13)
    end)

    it("gives restitution 1 in all three senses without loss in the normal direction", function()
        assert.near(1, hit.restitution.kinematic, 1e-14)
        assert.near(1, hit.restitution.kinetic, 1e-14)
        assert.near(1, hit.restitution.energetic, 1e-14)
    end)

    it("takes polar velocities and the body's own as well", function()
        local polar = pc.collide(ball, spring, { speed = math.sqrt(2), incidence = 45 * pc.deg })
        assert.near(hit.velocity.t, polar.velocity.t, 1e-14)
        local own = pc.collide(ball, spring, { v = { 1, -1 }, omega = 0 })
        assert.equal(hit.velocity.t, own.velocity.t)
        local spinning = pc.collide(ball, spring, { v = { 0, -1 }, omega = 200 })
        assert.equal(1, spinning.velocity_before.t)
    end)

    it("is refused when the bodies do not approach", function()
        assert.truthy(message_of(pc.collide, ball, spring, { vt = 1, vn = 1 }):find("do not approach", 1, true))
        assert.truthy(message_of(pc.collide, ball, spring, { vt = 1, vn = 0 }):find("vn = 0 m/s", 1, true))
    end)

    it("is refused out of the plane for a planar law", function()
        local top = pc.body.rigid {
            mass = 1, inertia_tensor = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 2 } }, arm = { 0.1, -1 }, arm_t2 = 0.2,
        }
        assert.truthy(message_of(pc.collide, top, spring, { vt = 1, vn = -1, vt2 = 0 }):find("planar law", 1, true))
    end)

    it("names a field that does not exist", function()
        assert.equal("percuss.impact has no field 'velocitiy'; did you mean 'velocity'?",
            message_of(function() return hit.velocitiy end))
        assert.equal("percuss.impact has named fields only, not [1]", message_of(function() return hit[1] end))
        assert.truthy(message_of(function() hit.loss = 0 end):find("cannot be changed", 1, true))
    end)

    it("prints phases, impulses, velocities, restitution and energy", function()
        local text = tostring(hit)
        for _, word in ipairs { "rebound", "slip-stick-slip", "phase", "restitution", "energy", "omega" } do
            assert.truthy(text:find(word, 1, true), word)
        end
    end)

    it("survives being closed: later use is an error", function()
        local closed
        do
            local gone <close> = pc.collide(ball, spring, { vt = 1, vn = -1 })
            closed = gone
        end
        local message = message_of(function() return closed.loss end)
        assert.equal("the impact was closed", message)
        assert.is_false(pcall(hit.trace, closed))
    end)
end)

describe("a trace", function()
    local history = hit:trace(301)

    it("has columns with units, from contact to its end", function()
        assert.equal(301, #history.t)
        assert.equal(0, history.t[1])
        assert.equal(hit.duration, history.t[301])
        assert.equal("N", history.units.F_n)
        assert.equal("t", history.names[1])
        for _, name in ipairs(history.names) do assert.equal(301, #history[name]) end
    end)

    it("respects the friction cone and ends without force", function()
        local over = (history.F_t:abs() - history.F_n * 0.5):max()
        assert.is_true(over <= 1e-12 * hit.peak.n, "cone exceeded by " .. over)
        assert.is_true(history.F_n:min() >= 0)
        assert.near(0, history.F_n[301], 1e-12 * hit.peak.n)
    end)

    it("agrees with the integrals of its own forces", function()
        -- trapezoidal rule with 300 steps: relative error about (pi/300)^2/12 = 1e-5
        assert.near(hit.impulse.n, history.F_n:trapz(history.t), 2e-5 * hit.impulse.n)
        assert.near(hit.work.tangential, (history.F_t * history.v_t):trapz(history.t), 1e-4 * hit.energy.before)
        assert.near(hit.work.friction, (history.F_t * history.s):trapz(history.t), 1e-2 * hit.energy.before)
    end)

    it("answers at one instant, and refuses others", function()
        local top = hit:at(hit.compression_time)
        assert.near(0, top.v_n, 1e-13)
        assert.near(hit.peak.n, top.F_n, 1e-12 * hit.peak.n)
        assert.truthy(message_of(hit.at, hit, -1):find("outside the contact", 1, true))
        assert.truthy(message_of(hit.at, hit, 1):find("outside the contact", 1, true))
        assert.truthy(message_of(hit.trace, hit, 1):find("n = 1, must be from 2 to 1e7", 1, true))
    end)
end)

describe("scaled views", function()
    it("birlik: duration pi, peak force 1", function()
        local view = hit:scaled "birlik"
        assert.near(math.pi, view.t:max(), 1e-12)
        assert.near(1, view.F_n:max(), 1e-4)
        assert.equal("", view.units.t)
    end)

    it("maw: time over duration, psi from the incidence", function()
        local alumina = pc.body.sphere { radius = 5e-3, material = pc.material.alumina }
        local view = pc.collide(alumina, spring, { vt = 1, vn = -1 }):scaled "maw"
        assert.near(1, view.t:max(), 1e-15)
        local nu = 0.23
        assert.near(2 * (1 - nu) / (0.5 * (2 - nu)), view.v_t[1], 1e-14)
    end)

    it("lai: the length eta of the dimensionless equations", function()
        local alumina = pc.body.sphere { radius = 5e-3, material = pc.material.alumina }
        local view = pc.collide(alumina, spring, { vt = 0, vn = -1 }):scaled "lai"
        local modulus = 380e9 / (1 - 0.23 ^ 2)
        -- Lai's mass of a solid sphere: 2/(3.5 + 1) of its own
        local m = alumina.mass * 2 / 4.5
        assert.near(1, (m ^ 2 / (modulus ^ 2 * 5e-3)) ^ 0.2 / view.scale.length, 1e-14)
    end)

    -- A soft or curved obstacle is the law's to know: in lai's units every head-on Hertz impact of a body lasts
    -- as long, in maw's a rebound is psi2(psi1, chi) whatever the materials are.
    it("take modulus, radius and compliance from the law that has them", function()
        local steel = pc.body.sphere{ radius = 5e-3, material = pc.material.steel }
        local pairs_of = {
            { modulus = 2e11, poisson = 0.3, radius = 5e-3 },
            { young = 2e11, poisson = 0.3, counter_young = 1e7, counter_poisson = 0.45, radius = 5e-3 },
            { young = 2e11, poisson = 0.3, radius = 5e-3, counter_radius = -6e-3 },
            { young = 2e11, poisson = 0.3, counter_young = 7e10, counter_poisson = 0.2, radius = 5e-3,
                counter_radius = 2e-3 },
        }
        -- Johnson (1985), eq 11.24: 4/5 B(2/5, 1/2) of the greatest indentation, (15/16)^(2/5) eta, over the speed
        local lasting = 2.9432751843247 * (15 / 16) ^ 0.4
        for _, own in ipairs(pairs_of) do
            own.friction = 0
            local head_on = pc.collide(steel, pc.contact.coupled(own), { vt = 0, vn = -0.7 })
            -- the solid sphere's own mass is at work head-on, Lai's is 2/4.5 of it: (m^2)^(1/5) between the two
            near(head_on:scaled("lai").t:max(), lasting * 2.25 ^ 0.4, 1e-12)
            own.friction, own.tolerance = 0.2, 1e-5
            local law = pc.contact.maw(own)
            local kappa = law.compliance_ratio
            local stroke = pc.collide(steel, law, { vt = 1.5 * kappa * 0.2 * 2, vn = -1 })
            local view = stroke:scaled "maw"
            near(view.v_t[1], 2, 1e-14)
            -- and a body without a material
            near(pc.collide(pc.body.lai{ mass = 1, lambda = 5 / 9, theta = 0 }, law,
                { vt = 1.5 * kappa * 0.2 * 2, vn = -1 }):scaled("maw").v_t[1], 2, 1e-14)
        end
        -- what is given counts more
        local other = pc.contact.maw{ modulus = 1e9, poisson = 0.4, radius = 1e-2, friction = 0.3, rings = 40 }
        near(pc.collide(steel, other, { vt = 1, vn = -1 }):scaled("maw", { poisson = 0.25 }).v_t[1],
            2 * (1 - 0.25) / (0.3 * (2 - 0.25)), 1e-14)
    end)

    it("say what is missing", function()
        assert.truthy(message_of(hit.scaled, hit, "lai"):find("needs modulus (Pa)", 1, true))
        assert.truthy(message_of(hit.scaled, hit, "birlk"):find('did you mean "birlik"?', 1, true))
    end)
end)

describe("plots of an impact", function()
    it("write the file they are asked for", function()
        local name = scratch ".svg"
        assert.equal(name, hit:plot { "F_t", "F_n", "v_t", file = name })
        local file = assert(io.open(name))
        local text = file:read "a"
        file:close()
        text = text:gsub("&#x(%x+);", function(code) return utf8.char(tonumber(code, 16)) end):gsub("<[^>]*>", "")
        assert.truthy(text:find("slip-stick-slip", 1, true))
    end)

    it("refuse unknown columns and options by the nearest name", function()
        assert.truthy(message_of(hit.plot, hit, { "F_nn" }):find("did you mean 'F_n'?", 1, true))
        assert.truthy(message_of(hit.plot, hit, { "F_n", fiel = "x" }):find("did you mean 'file'?", 1, true))
        assert.truthy(message_of(hit.plot, hit, "F_nn"):find("did you mean 'F_n'?", 1, true))
        assert.truthy(message_of(hit.plot, hit, "F_n", { fiel = "x" }):find("did you mean 'file'?", 1, true))
        assert.truthy(message_of(hit.plot, hit, "F_t", "F_n"):find("argument 2, options, must be a table", 1, true))
        assert.truthy(message_of(hit.plot, hit, "F_t", {}, 1):find("takes 2 arguments, not 3", 1, true))
    end)
end)

describe("a history in space", function()
    local body = pc.body.matrix{ W = { { 3, 0.2, 0.2 }, { 0.2, 1, 0.1 }, { 0.2, 0.1, 2 } } }
    local law = pc.contact.sledge3d{ stiffness = 2e5, stiffness_ratio = 1.2, friction = 0.5 }
    local swerve = pc.collide(body, law, { vt = 1, vn = -1, vt2 = 0.5 })

    it("has both tangents, whose forces make impulses and works", function()
        local t = swerve:trace(4001)
        local last, step = #t.t, t.t[2]
        assert.is_true(math.abs(t.v_t2[last] - swerve.velocity.t2) < 1e-12)
        assert.is_true(math.abs(t.p_t2[last] - swerve.impulse.t2) < 1e-12)
        for k = 200, last - 200, 100 do
            local power = t.F_t[k] * t.v_t[k] + t.F_t2[k] * t.v_t2[k]
            -- central differences over 1/4000 of the contact, of forces that turn within a tenth of it
            assert.is_true(math.abs((t.W_t[k + 1] - t.W_t[k - 1]) / (2 * step) - power) < 1e-4 * swerve.peak.n)
            assert.is_true(math.abs((t.p_t2[k + 1] - t.p_t2[k - 1]) / (2 * step) - t.F_t2[k]) < 1e-4 * swerve.peak.n)
            -- friction holds the force within its cone
            assert.is_true(math.sqrt(t.F_t[k] ^ 2 + t.F_t2[k] ^ 2) <= 0.5 * t.F_n[k] * (1 + 1e-9))
        end
        assert.is_nil(rawget(pc.collide(ball, spring, { vt = 1, vn = -1 }):trace(3), "v_t2"))
    end)

    it("is told at a time, by phases and in scaled quantities", function()
        local state, t = swerve:at(1e-3), swerve:trace(3)
        assert.is_true(math.abs(state.F_t2 / state.F_t - state.s_t2 / state.s) < 1e-9) -- against the slip
        assert.equal(0.5, swerve.phases[1].at_start.v_t2)
        assert.equal(swerve.velocity.t2, swerve.phases[#swerve.phases].at_stop.v_t2)
        assert.equal(t.v_t2[2], swerve:scaled("birlik", { mass = 1, points = 3 }).v_t2[2])
    end)

    it("may have more rows than an impact has phases at most", function()
        assert.equal(25001, #swerve:trace(25001).t)
    end)
end)

describe("map", function()
    it("of a body known by its W alone has its energies from W", function()
        local vt = pc.linspace(-3, 3, 7)
        for _, body in ipairs{
            pc.body.lai{ mass = 1, lambda = 5 / 9, theta = 0.2 }, pc.body.matrix{ W = { { 3, 0.5 }, { 0.5, 1 } } },
        } do
            for _, law in ipairs{ spring, pc.contact.stronge{ restitution = 0.5, friction = 0.3 } } do
                local m = pc.map(body, law, { vt = vt, vn = -1 })
                for i = 1, #vt do
                    local one = pc.collide(body, law, { vt = vt[i], vn = -1 })
                    assert.equal(one.velocity.t, m.vt[i])
                    -- collide subtracts energies that map takes from W
                    assert.is_true(math.abs(one.loss_fraction - m.loss_fraction[i]) < 1e-14)
                end
            end
        end
    end)

    it("equals collide point by point, bit for bit", function()
        local vt = pc.linspace(-3, 3, 61)
        local m = pc.map(ball, spring, { vt = vt, vn = -1 })
        for i = 1, #vt do
            local one = pc.collide(ball, spring, { vt = vt[i], vn = -1 })
            assert.equal(one.velocity.t, m.vt[i])
            assert.equal(one.velocity.n, m.vn[i])
            assert.equal(one.duration, m.duration[i])
            assert.equal(#one.phases, m.phases[i])
            assert.near(one.loss_fraction, m.loss_fraction[i], 1e-15)
        end
    end)

    it("varies parameters of the law with their alternatives", function()
        local eta = pc.linspace(0.1, 2, 20)
        local m = pc.map(ball, spring, { stiffness_ratio = eta, vt = 1, vn = -1 })
        local n = pc.map(ball, spring, { tangential = 1.5e7 / eta, vt = 1, vn = -1 })
        for i = 1, #eta do
            local law = pc.contact.linear { kn = 1.5e7, eta = eta[i], mu = 0.5 }
            assert.equal(pc.collide(ball, law, { vt = 1, vn = -1 }).velocity.t, m.vt[i])
            assert.near(m.vt[i], n.vt[i], 1e-12)
        end
    end)

    it("varies parameters of the body", function()
        local angle = pc.linspace(0.05, 1.3, 26)
        local first = pc.body.pendulum { mass = 0.0041, radius = 5e-3, length = 0.1, angle = 0.5 }
        local m = pc.map(first, spring, { angle = angle, rate = -6 })
        for i = 1, #angle do
            local body = pc.body.pendulum { mass = 0.0041, radius = 5e-3, length = 0.1, angle = angle[i] }
            local one = pc.collide(body, spring, { rate = -6 })
            assert.equal(one.velocity.n, m.vn[i])
            assert.equal(one.wedged and 1 or 0, m.outcome[i])
            assert.near(one.loss_fraction, m.loss_fraction[i], 1e-14)
        end
    end)

    it("lets what follows from a varied parameter follow it", function()
        local mu = pc.array { 0.05, 0.3, 0.6 }
        for _, name in ipairs { "newton", "poisson", "stronge", "kane_levinson" } do
            local law = pc.contact[name] { restitution = 0.9, friction = 0.1 }
            local m = pc.map(ball, law, { friction = mu, vt = 3, vn = -1 })
            for i = 1, #mu do
                local there = pc.contact[name] { restitution = 0.9, friction = mu[i] }
                local one = pc.collide(ball, there, { vt = 3, vn = -1 })
                assert.equal(one.velocity.t, m.vt[i])
            end
        end
    end)

    it("derives alternatives anew at each point, whichever of them the law was made with", function()
        local hertz = { modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.2 }
        local mindlin = { modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.2, restitution = 0.8,
            tangential = "mindlin" }
        local spring_and_dashpot = { stiffness = 1e6, restitution = 0.7, friction = 0.2 }
        local damped = { stiffness = 1e9, restitution = 0.7, friction = 0.2 }
        local ringed = { modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.2, rings = 50 }
        -- law, parameters it is made with, what takes the place of which
        local cases = {
            { "maw", hertz, "rings", 40, nil }, { "maw", ringed, "tolerance", 1e-4, "rings" },
            { "maw", hertz, "poisson", 0.45, nil }, { "tsuji", mindlin, "poisson", 0.45, nil },
            { "tsuji", mindlin, "restitution", 0.6, nil }, { "kelvin_voigt", spring_and_dashpot, "damping", 20,
                "restitution" }, { "kelvin_voigt", spring_and_dashpot, "damping_ratio", 0.2, "restitution" },
            { "hunt_crossley", damped, "damping", 0.3, "restitution" },
            { "hunt_crossley", damped, "restitution", 0.5, nil },
        }
        for _, case in ipairs(cases) do
            local name, given, word, value, instead = table.unpack(case)
            local there = { [word] = value }
            for key, x in pairs(given) do if key ~= word and key ~= instead then there[key] = x end end
            local one = pc.collide(ball, pc.contact[name](there), { vt = 0.6, vn = -1 })
            local old = pc.collide(ball, pc.contact[name](given), { vt = 0.6, vn = -1 })
            local friction = pc.array { 0.5, 0.2 }
            local m = pc.map(ball, pc.contact[name](given), { friction = friction, [word] = value, vt = 0.6, vn = -1 })
            assert.equal(one.velocity.t, m.vt[2], name .. ": " .. word)
            assert.equal(one.velocity.n, m.vn[2], name .. ": " .. word)
            assert.is_true(old.velocity.t ~= one.velocity.t or old.velocity.n ~= one.velocity.n, name .. ": " .. word)
        end
        for _, name in ipairs { "tsuji", "thornton" } do
            local poisson = pc.array { 0.1, 0.45 }
            local function law(nu)
                return pc.contact[name] { modulus = 1e9, poisson = nu, radius = 0.01, friction = 0.2,
                    tangential = "mindlin", restitution = name == "tsuji" and 0.8 or nil,
                    yield = name == "thornton" and 1e8 or nil }
            end
            local m = pc.map(ball, law(0.3), { poisson = poisson, vt = 0.6, vn = -1 })
            for i = 1, 2 do
                assert.equal(pc.collide(ball, law(poisson[i]), { vt = 0.6, vn = -1 }).velocity.t, m.vt[i], name)
            end
        end
    end)

    it("gives only the columns asked for, with units", function()
        local m = pc.map(ball, spring, { vt = pc.linspace(0, 1, 5), vn = -1, columns = { "loss", "vn0" } })
        assert.same({ "loss", "vn0" }, m.names)
        assert.equal("J", m.units.loss)
        assert.equal(-1, m.vn0[3])
        assert.is_nil(rawget(m, "vt"))
    end)

    it("leaves bodies that do not approach alone", function()
        local m = pc.map(ball, spring, { vt = pc.array { 1, 1 }, vn = pc.array { 1, -1 } })
        assert.same({ 2, 0 }, m.outcome:totable())
        assert.equal(1, m.vn[1])
        assert.equal(0, m.pn[1])
    end)

    it("refuses unknown names, unequal lengths, values out of range", function()
        local x = pc.linspace(0, 1, 5)
        assert.truthy(message_of(pc.map, ball, spring, { vt = x, vn = -1, fricton = 1 })
            :find("did you mean 'friction'?", 1, true))
        assert.truthy(message_of(pc.map, ball, spring, { vt = x, vn = pc.linspace(-1, -2, 4) })
            :find("all must have the same length", 1, true))
        assert.truthy(message_of(pc.map, ball, spring, { vt = 1, vn = -1, mu = x - 0.5 })
            :find("friction (μ) = -0.5 is not allowed", 1, true))
        assert.truthy(message_of(pc.map, ball, spring, { vt = 1, vn = -1 }):find("must be an array", 1, true))
        assert.truthy(message_of(pc.map, ball, spring, { vt = x, vn = -1, columns = { "los" } })
            :find("did you mean 'loss'?", 1, true))
    end)

    it("refuses a parameter that is given twice, whichever comes first, and names the point of a bad value", function()
        local x = pc.linspace(1, 2, 3)
        local function refuses(options, text)
            options.vt, options.vn = x, -1
            local message = message_of(pc.map, ball, spring, options)
            assert.truthy(message:find(text, 1, true), message)
        end
        refuses({ friction = 0.1, mu = x }, "'friction' and 'mu' are the same parameter")
        refuses({ kt = x * 1e7, eta = 1.2 }, "'tangential' or 'stiffness_ratio' say the same thing")
        refuses({ eta = x, tangential = 1e7 }, "'tangential' or 'stiffness_ratio' say the same thing")
        refuses({ friction = 1.5 - x }, "point 3: contact.linear: friction (μ) = -0.5 is not allowed")
    end)

    it("takes vt as 0 where only vn is given, as collide does, and names velocities that are not finite", function()
        local m = pc.map(ball, spring, { vn = -pc.linspace(1, 3, 3), columns = { "vt", "vn" } })
        assert.same({ 0, 0, 0 }, m.vt:totable())
        assert.near(3, m.vn[3], 1e-12)
        local message = message_of(pc.map, ball, spring, { vt = pc.array{ 1, 0 / 0 }, vn = -1, columns = { "vt" } })
        assert.truthy(message:find("the velocity of point 2 is not finite", 1, true), message)
    end)
end)

describe("a ball whose springs have one frequency", function()
    it("turns its sliding round on the threshold between stick and slip, by every law of springs", function()
        local sphere = pc.body.sphere{ radius = 0.02, mass = 0.035 }
        for _, kind in ipairs{ "linear", "sledge3d" } do
            for k = -4, 4 do
                local eta = sphere.w_tt/sphere.w_nn*(1 + k*2^-53)
                local law = pc.contact[kind]{ stiffness = 1e5, stiffness_ratio = eta, friction = 1 }
                local after = pc.collide(sphere, law, { vt = law.eta, vn = -1 })
                assert.near(-3.5, after.velocity.t, 1e-11)
                assert.near(1, after.velocity.n, 1e-11)
                if kind == "linear" then
                    local m = pc.map(sphere, law, { vt = pc.array{ law.eta, 1 }, vn = -1 })
                    assert.near(-3.5, m.vt[1], 1e-13)
                end
            end
        end
    end)
end)

describe("help", function()
    local text = require("percuss.help").text

    it("explains functions, constructors, objects, words and modules", function()
        assert.truthy(text(pc.collide):find("collide(body, law, motion, [options])", 1, true))
        assert.truthy(text(pc.contact.linear):find("friction (μ)", 1, true))
        assert.truthy(text(pc.contact.linear):find("N/m", 1, true))
        assert.truthy(text "collide":find("One impact", 1, true))
        assert.truthy(text(hit):find("Fields", 1, true))
        assert.truthy(text(pc.body):find("body.sphere", 1, true))
        assert.truthy(text():find("percuss.contact", 1, true))
    end)

    it("suggests the nearest name, and searches", function()
        assert.truthy(text "colide":find("did you mean 'collide'?", 1, true))
        assert.truthy(text "wedges":find("critical_angle", 1, true))
        assert.truthy(text(nil):find("no help on this nil", 1, true))
    end)
end)
