-- Stops and dry friction of joints: checked values of tests/reference/world.json, closed forms, one kind of joint
-- against another one, ledger, order, mirror images, what is saved, errors.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "scratch"

local case = require "world_case"

local TIGHT = pc.solver.dop853{ rtol = 1e-12 }
local function simulate(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

-- What is of the size of 1, to `within`.
local function close(actual, expected, within) near(actual, expected, 0, within) end

-- Energies of the works and losses up to now: as a share of `size` they have to cancel.
local function closes(motion, size, share)
    local a, b = motion:at(motion.start), motion:at(motion.time)
    local left = b.energy + b.damped + b.friction + b.lost + (rawget(b, "dissipated") or 0) - b.torque - b.pivot
    near((left - a.energy)/size, 0, 0, share or 1e-9)
end

local function sinh(x) return (math.exp(x) - math.exp(-x))/2 end

local function kinds(motion, kind)
    local found = {}
    for _, event in ipairs(motion.events) do
        if event.kind == kind then found[#found + 1] = event end
    end
    return found
end

-- A point of mass m at the end of a rod: as a chain of one link, and as a free body on a pin of its own.
local function pendulum(which, mass, length, angle, joint)
    joint.a, joint.at, joint.name = "p", { 0, 0 }, "pin"
    if which == "chain" then
        return pc.chain{ links = { { length = length, mass = mass, inertia = 0, center = length } }, touch = "none",
            angles = { angle }, name = "p" }, pc.pin(joint), "p.angle1", "p.rate1"
    end
    -- a body needs an inertia: its centre is so much nearer that it swings as the point does
    local c = length*0.8
    return pc.free{ shape = "rod", mass = mass*length/c, length = 2*c, inertia = mass*length^2 - mass*length*c,
        x = c*math.sin(angle), y = -c*math.cos(angle), angle = angle, name = "p", touch = "none" }, pc.pin(joint),
        "p.angle", "p.rate"
end

describe("stops of joints", function()
    for _, id in ipairs{ "pendulum-stop-1", "pendulum-stop-2" } do
        for _, which in ipairs{ "chain", "free" } do
            it(("turn a pendulum back: %s, %s"):format(id, which), function()
                local inputs, outputs = case(id)
                local body, pin, angle, rate = pendulum(which, 1, inputs.length, inputs.angle0,
                    { lower = inputs.stop, restitution = inputs.restitution })
                local motion = simulate({ body, pin, gravity = inputs.g },
                    { duration = outputs.times[10] + 0.01, events = { { function(_, _, u) return u[#u] end,
                        direction = -1, name = "turn" } } })
                assert.equal(10, #motion.impacts)
                local turns = kinds(motion, "user")
                for i, hit in ipairs(motion.impacts) do
                    assert.equal("pin.lower", hit.contact)
                    close(hit.time, outputs.times[i], 1e-11) -- 277 steps of 1e-12 each, and the time of ten swings
                    close(hit.before[rate], outputs.rates_before[i], 1e-10)
                    close(hit.velocity_before.n, outputs.rates_before[i], 1e-10)
                    close(hit.after[rate], -inputs.restitution*outputs.rates_before[i], 1e-10)
                    if turns[i + 1] then
                        close(motion:at(turns[i + 1].time)[angle], outputs.amplitudes_before[i + 1] or 0, 1e-10)
                    end
                end
                close(motion.impacts[1].law.e, inputs.restitution, 0)
                closes(motion, 10)
            end)
        end
    end

    it("give, and do not pull: pendulum-elastic-stop", function()
        local inputs, outputs = case "pendulum-elastic-stop"
        for _, which in ipairs{ "chain", "free" } do
            local body, pin, angle, rate = pendulum(which, inputs.mass, inputs.length, inputs.angle0,
                { upper = inputs.stop, stiffness = inputs.stop_stiffness, damping = inputs.stop_damping })
            local motion = simulate({ body, pin, gravity = inputs.g }, { duration = outputs.turn[3][1] + 0.1,
                events = { { function(_, _, u) return u[#u] end, direction = 1, name = "turn" } } })
            local touch, release, turn = kinds(motion, "contact"), kinds(motion, "lift_off"), kinds(motion, "user")
            if #turn > 3 then table.remove(turn, 1) end -- the start
            for k = 1, 3 do
                close(touch[k].time, outputs.touch[k][1], 1e-11)
                close(motion:at(touch[k].time)[rate], outputs.touch[k][2], 1e-10)
                close(release[k].time, outputs.release[k][1], 1e-11)
                close(motion:at(release[k].time)[rate], outputs.release[k][2], 1e-10)
                close(turn[k].time, outputs.turn[k][1], 1e-11)
                close(motion:at(turn[k].time)[angle], outputs.turn[k][2], 1e-10)
            end
            assert.equal("pin.upper", motion.impacts[1].contact)
            closes(motion, 10)
        end
    end)

    it("are struck again and again by e^n, and kept, as in closed form", function()
        -- a constant moment M presses a wheel against its stop: t_n = t_1 (1 + 2 e + 2 e^2 ...)
        local e, M, J, start = 0.6, 0.5, 0.2, 0.8
        local wheel = pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = J, angle = start, name = "wheel",
            touch = "none" }
        local motion = simulate({ wheel, gravity = 0, pc.motor{ on = "wheel", torque = -M },
            pc.pin{ a = "wheel", at = { 0, 0 }, lower = 0, restitution = e } }, { duration = 6 })
        local t1 = math.sqrt(2*start*J/M)
        for n, hit in ipairs(motion.impacts) do
            if n > 8 then break end
            close(hit.velocity_before.n, -M/J*t1*e^(n - 1), 1e-11)
        end
        local kept = kinds(motion, "accumulation")[1]
        close(kept.time, t1*(1 + e)/(1 - e), 1e-9)
        assert.equal("pin.lower", kept.contact)
        local last = motion:at(6)
        close(last["wheel.angle"], 0, 1e-12)
        close(last["pin.lower.gap"], 0, 1e-12)
        close(last["pin.lower.M"], M, 1e-12)
        close(last.lost, M*start, 1e-9)
        closes(motion, M*start)
    end)

    it("are left when what presses turns round", function()
        -- M cos(w t) presses while it is positive: it lifts off at a quarter of the period
        local w, M, J = 2, 0.5, 0.2
        local motion = simulate({ pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = J, name = "wheel",
            touch = "none" }, gravity = 0, pc.force{ on = "wheel", f = function(t) return 0, 0, M*math.cos(w*t) end },
            pc.pin{ a = "wheel", at = { 0, 0 }, upper = 0, restitution = 0.5 } }, { duration = 2 })
        local left = kinds(motion, "lift_off")[1]
        close(left.time, math.pi/(2*w), 1e-9)
        local s = motion:at(2)
        -- J w' = M cos(w t) from there on
        close(s["wheel.rate"], M/(J*w)*(math.sin(w*2) - 1), 1e-9)
        close(motion:at(0.3)["pin.upper.M"], M*math.cos(w*0.3), 1e-10)
        closes(motion, 1)
    end)

    it("end a slider's way as walls end that of a block", function()
        local function run(parts)
            parts.gravity = 9.81
            return simulate(parts, { duration = 3 })
        end
        local c, s = math.cos(0.4), math.sin(0.4)
        local function block(more)
            local options = { shape = "disc", radius = 0.05, mass = 0.7, vx = 3*c, vy = 3*s, name = "block",
                touch = "none" }
            for key, value in pairs(more or {}) do options[key] = value end
            return pc.free(options)
        end
        for _, e in ipairs{ 0, 0.7, 1 } do
            local slid = run{ block(), pc.slider{ a = "block", angle = 0.4, lower = -0.5, upper = 0.3, restitution = e,
                name = "rail" } }
            local walled = run{ block{ touch = "outline" }, pc.slider{ a = "block", angle = 0.4, name = "rail" },
                pc.plane{ x = 0.35*c, y = 0.35*s, nx = -c, ny = -s },
                pc.plane{ x = -0.55*c, y = -0.55*s, nx = c, ny = s },
                contact = pc.contact.newton{ restitution = e, friction = 0 } }
            assert.equal(#walled.impacts, #slid.impacts)
            assert.is_true(#slid.impacts >= (e == 0 and 2 or 3))
            for i = 1, math.min(#slid.impacts, 6) do
                close(slid.impacts[i].time, walled.impacts[i].time, 1e-9)
                close(slid.impacts[i].impulse.n, walled.impacts[i].impulse.n, 1e-9)
            end
            close(slid:at(3)["block.x"], walled:at(3)["block.x"], 1e-8)
            closes(slid, 10)
        end
    end)

    it("of a slider that turns with a body keep its way there", function()
        -- a bead on a bar that turns steadily runs to its end: there the stop holds m w^2 l
        local w, m, l = 3, 0.4, 0.5
        local arm = pc.free{ shape = "rod", mass = 1, length = 1, angle = math.pi/2, rate = w, name = "arm",
            touch = "none" }
        local bead = pc.free{ shape = "disc", radius = 0.01, mass = m, x = 0.2, vy = w*0.2, rate = w, name = "bead" }
        local motion = simulate({ arm, bead, gravity = 0, pc.pin{ a = "arm", at = { 0, 0 }, rate = w, name = "motor" },
            pc.slider{ a = "bead", b = "arm", b_at = { 0, 0 }, a_at = { 0, 0 }, upper = l, restitution = 0.3,
                name = "rail" } }, { duration = 4 })
        local first = motion.impacts[1]
        close(first.time, math.log(l/0.2 + math.sqrt((l/0.2)^2 - 1))/w, 1e-10) -- r = r0 cosh(w t)
        close(first.velocity_before.n, -w*0.2*sinh(w*first.time), 1e-10)
        close(first.velocity.n, 0.3*w*0.2*sinh(w*first.time), 1e-10)
        local s = motion:at(4)
        close(s["rail.upper.F"], m*w^2*l, 1e-9)
        close(math.sqrt(s["bead.x"]^2 + s["bead.y"]^2), l, 1e-10)
        closes(motion, 1)
    end)

    it("act between two bodies, which share the impulse", function()
        -- two wheels on one axis: the stop between them conserves their angular momentum
        local function wheel(name, J, rate, angle)
            return pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = J, rate = rate, angle = angle,
                name = name,
                touch = "none" }
        end
        local motion = simulate({ wheel("A", 0.2, 1, 0), wheel("B", 0.3, -1, 0.5), gravity = 0,
            pc.pin{ a = "A", at = { 0, 0 } }, pc.pin{ a = "B", at = { 0, 0 } },
            pc.pin{ a = "A", b = "B", at = { 0, 0 }, name = "between", lower = -2, upper = 0, restitution = 0.4 } },
            { duration = 1 })
        local hit = motion.impacts[1]
        close(hit.time, 0.25, 1e-12)
        local s = motion:at(0.3)
        close(s["A.rate"] - s["B.rate"], -0.4*2, 1e-12)
        close(0.2*s["A.rate"] + 0.3*s["B.rate"], 0.2 - 0.3, 1e-12)
        close(hit.impulse.n, 1.4*2/(1/0.2 + 1/0.3), 1e-12)
        closes(motion, 1)
    end)

    it("of links are those of a pin where the chain has its own joint", function()
        -- a knee that does not bend back, as two rods, and as a chain
        local angles, joint = { 0.9, 0.2 }, { lower = -1.1, upper = 0, restitution = 0.5, radius = 0.02,
            friction = 0.3 }
        local function with(more)
            local options = {}
            for key, value in pairs(joint) do options[key] = value end
            for key, value in pairs(more) do options[key] = value end
            return pc.pin(options)
        end
        local x, y = math.sin(angles[1]), -math.cos(angles[1])
        local function rod(name, mass, x0, y0, length, angle)
            return pc.free{ shape = "rod", mass = mass, length = length, x = x0 + length/2*math.sin(angle),
                y = y0 - length/2*math.cos(angle), angle = angle, name = name, touch = "none" }
        end
        local rods = simulate({ rod("A", 1, 0, 0, 1, angles[1]), rod("B", 2, x, y, 0.7, angles[2]),
            pc.pin{ a = "A", at = { 0, 0 } }, with{ a = "B", b = "A", at = { x, y }, name = "knee" } }, {
                duration = 2 })
        local chain = simulate({ pc.chain{ links = { { mass = 1, length = 1 }, { mass = 2, length = 0.7 } },
            angles = angles, touch = "none", name = "leg" },
            with{ a = "leg.link2", b = "leg.link1", at = { x, y }, name = "knee" } }, { duration = 2 })
        assert.is_true(#chain.impacts >= 4)
        assert.equal(#rods.impacts, #chain.impacts)
        for i, hit in ipairs(chain.impacts) do
            close(rods.impacts[i].time, hit.time, 1e-9)
            assert.equal(hit.contact, rods.impacts[i].contact)
            close(rods.impacts[i].impulse.n, hit.impulse.n, 1e-8)
            close(rods.impacts[i].joint_impulses.knee.x, hit.joint_impulses.knee.x, 1e-8)
        end
        local a, b = rods:at(2), chain:at(2)
        close(a["A.angle"], b["leg.angle1"], 1e-8)
        close(a["B.rate"], b["leg.rate2"], 1e-8)
        close(a["knee.Rx"], b["knee.Rx"], 1e-7)
        close(a["knee.Ry"], b["knee.Ry"], 1e-7)
        closes(chain, 20)
        closes(rods, 20)
    end)
end)

describe("dry friction of joints", function()
    it("takes M times the angle of each swing: pendulum-dry-joint", function()
        local inputs, outputs = case "pendulum-dry-joint"
        for _, which in ipairs{ "chain", "free" } do
            local body, pin, angle = pendulum(which, inputs.mass, inputs.length, inputs.angle0,
                { friction_torque = inputs.friction_torque })
            local motion = simulate({ body, pin, gravity = inputs.g }, { duration = 19 })
            local swung = 0
            for k, want in ipairs(outputs.turning_angles) do
                local event = motion.events[k]
                assert.equal(k == 1 and "contact" or k < #outputs.turning_angles and "reversal" or "stick", event.kind)
                assert.equal("pin.friction", event.contact)
                close(event.time, outputs.turning_times[k], 1e-10)
                close(motion:at(event.time)[angle], want, 1e-11)
                if k > 1 then swung = swung + math.abs(want - outputs.turning_angles[k - 1]) end
            end
            local last = motion:at(19)
            close(last[angle], outputs.rest_angle, 1e-11)
            close(last.friction, inputs.friction_torque*swung, 1e-10)
            -- it holds what the weight asks for, less than it can
            close(last["pin.friction.M"], inputs.mass*inputs.g*inputs.length*math.sin(outputs.rest_angle), 1e-9)
            close(motion:at(1)["pin.friction.M"], inputs.friction_torque, 1e-12)
            closes(motion, 10)
        end
    end)

    it("makes amplitudes fall by 2 M/k: torsion-dry", function()
        local inputs, outputs = case "torsion-dry"
        local motion = simulate({ pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = inputs.inertia,
            angle = inputs.angle0, name = "wheel", touch = "none" }, gravity = 0,
            pc.rotational_spring{ a = "wheel", stiffness = inputs.stiffness },
            pc.pin{ a = "wheel", at = { 0, 0 }, friction_torque = inputs.friction_torque } }, { duration = 7 })
        for k, want in ipairs(outputs.turning_angles) do
            close(motion.events[k].time, (k - 1)*outputs.half_period, 1e-11)
            close(motion:at(motion.events[k].time)["wheel.angle"], want, 1e-11)
        end
        assert.equal("stick", motion.events[#outputs.turning_angles].kind)
        close(motion:at(7)["wheel.angle"], outputs.rest_angle, 1e-11)
        closes(motion, 1)
    end)

    it("breaks once, where the load reaches it", function()
        -- k t = mu m g, and from there on m x'' = k (t - t1)
        local mu, m, g, k = 0.3, 0.7, 10, 4
        for _, dry in ipairs{ { friction = mu }, { friction_force = mu*m*g } } do
            dry.a, dry.name = "block", "rail"
            local motion = simulate({ pc.free{ shape = "box", width = 0.1, height = 0.1, mass = m, name = "block",
                touch = "none" }, gravity = g, pc.slider(dry),
                pc.force{ on = "block", f = function(t) return k*t, 0 end } }, { duration = 1 })
            local names = {}
            for i, event in ipairs(motion.events) do names[i] = event.name end
            assert.equal("contact rest slip", table.concat(names, " "))
            close(motion.events[3].time, mu*m*g/k, 1e-11)
            close(motion:at(1)["block.x"], k*(1 - mu*m*g/k)^3/(6*m), 1e-11)
        end
    end)

    it("of a force, or of the normal force, takes the same of a level slider: slider-dry", function()
        local inputs, outputs = case "slider-dry"
        for _, dry in ipairs{ { friction = inputs.friction },
                              { friction_force = inputs.friction*inputs.mass*inputs.g } } do
            dry.a, dry.name = "block", "rail"
            local motion = simulate({ pc.free{ shape = "box", width = 0.1, height = 0.1, mass = inputs.mass,
                x = inputs.x0, name = "block", touch = "none" }, gravity = inputs.g, pc.slider(dry),
                pc.spring{ a = "block", b_at = { -1, 0 }, stiffness = inputs.stiffness, rest_length = 1 } },
                { duration = 3 })
            for k, want in ipairs(outputs.turning_points) do
                close(motion:at(motion.events[k].time)["block.x"], want, 1e-11)
            end
            close(motion.events[#outputs.turning_points].time, outputs.time_of_rest, 1e-10)
            close(motion:at(3)["block.x"], outputs.rest_x, 1e-11)
            close(motion:at(3).friction, outputs.heat, 1e-10)
            close(math.abs(motion:at(1)["rail.friction.F"]), inputs.friction*inputs.mass*inputs.g, 1e-12)
            closes(motion, 4)
        end
    end)

    it("slides down an incline only where that is steeper than its angle", function()
        local mu = 0.3
        for _, slope in ipairs{ math.atan(mu) - 1e-6, math.atan(mu) + 1e-3, 0.6 } do
            local motion = simulate({ pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1.5, name = "block",
                touch = "none" }, pc.slider{ a = "block", angle = -slope, friction = mu } }, { duration = 1 })
            local a = math.max(9.81*(math.sin(slope) - mu*math.cos(slope)), 0)
            close(motion:at(1)["block.x"]/math.cos(slope), a/2, 1e-9)
            closes(motion, 1)
        end
    end)

    it("of a pin follows from its reaction, which it changes", function()
        -- J angle'' = -m g c sin(angle) - s mu r |R|, with R of the centre's acceleration: a quadratic equation
        local m, c, J0, mu, r, g = 2, 0.5, 2/12, 0.4, 0.06, 9.81
        local J = J0 + m*c^2
        local function rates(_, angle, rate)
            local s = rate > 0 and 1 or -1
            -- R along the rod, to the pivot, and across it
            local n = m*g*math.cos(angle) + m*c*rate^2
            local a = -m*g*c*math.sin(angle)/J
            for _ = 1, 60 do
                a = (-m*g*c*math.sin(angle) - s*mu*r*math.sqrt(n^2 + (m*c*a + m*g*math.sin(angle))^2))/J
            end
            return rate, a
        end
        local angle, rate = pc.ode.solve{ rhs = rates, t = 0.8, y = { 1.2, 0 }, solver = TIGHT }:at(0.8)
        local motion = simulate({ pc.free{ shape = "rod", mass = m, length = 1, x = c*math.sin(1.2),
            y = -c*math.cos(1.2), angle = 1.2, name = "p", touch = "none" },
            pc.pin{ a = "p", at = { 0, 0 }, radius = r, friction = mu } }, { duration = 10 })
        close(motion:at(0.8)["p.angle"], angle, 1e-10)
        close(motion:at(0.8)["p.rate"], rate, 1e-10)
        local s = motion:at(0.5)
        close(math.abs(s["pin.friction.M"]), mu*r*math.sqrt(s["pin.Rx"]^2 + s["pin.Ry"]^2), 1e-12)
        closes(motion, 10)
        -- at rest it holds what the weight asks for, within its bound
        local rest = motion:at(10)
        close(rest["pin.friction.M"], m*g*c*math.sin(rest["p.angle"]), 1e-9)
        assert.is_true(math.abs(rest["pin.friction.M"]) <= mu*r*m*g)
    end)

    it("breaks away where the load passes its bound", function()
        -- a moment that grows as k t: slip begins at t = M/k, and the wheel then turns by k (t - t0)^3/(6 J)
        local M, k, J = 0.3, 0.2, 0.1
        local motion = simulate({ pc.free{ shape = "disc", radius = 0.1, mass = 1, inertia = J, name = "wheel",
            touch = "none" }, gravity = 0, pc.force{ on = "wheel", f = function(t) return 0, 0, k*t end },
            pc.pin{ a = "wheel", at = { 0, 0 }, friction_torque = M } }, { duration = 3 })
        local slip = kinds(motion, "slip")[1]
        close(slip.time, M/k, 1e-10)
        close(motion:at(3)["wheel.angle"], k*(3 - M/k)^3/(6*J), 1e-9)
        close(motion:at(1)["wheel.angle"], 0, 1e-13)
        close(motion:at(1)["pin.friction.M"], -k, 1e-12)
        closes(motion, 1)
    end)

    it("creeps onto a stop that gives, ever more slowly, in no more steps than its damper needs", function()
        local length, mass, g = 0.3, 0.2, 9.81
        for _, stop in ipairs{ { 67, 4 }, { 100, 5 } } do
            local stiffness, damping = stop[1], stop[2]
            local motion = simulate({
                pc.free{ shape = "rod", name = "rod", length = length, mass = mass, x = length/2, y = 1,
                    angle = math.pi/2, touch = "none" },
                pc.pin{ a = "rod", b = "ground", at = { 0, 1 }, lower = math.pi/2 - 0.2, stiffness = stiffness,
                    damping = damping, friction_torque = 0.02 },
            }, { duration = 3, solver = pc.solver.dop853{ rtol = 1e-11 } })
            assert.is_true(motion.statistics.steps < 1000)
            local a, b = motion:at(0.5), motion:at(0.6)
            local inertia = mass*length^2/3
            local k = stiffness + mass*g*length/2*math.cos(a["rod.angle"])
            local rate = (damping - math.sqrt(damping^2 - 4*inertia*k))/(2*inertia)
            close(math.log(b["rod.rate"]/a["rod.rate"])/0.1, -rate, 2e-5*rate)
        end
    end)

    it("rubs with the impulse of its reaction, which a constant moment does not", function()
        local m, c, J0, e = 2, 0.5, 2/12, 0.8
        local J = J0 + m*c^2
        local function run(dry)
            dry.a, dry.at, dry.lower, dry.restitution, dry.name = "p", { 0, 0 }, -0.3, e, "pin"
            return simulate({ pc.free{ shape = "rod", mass = m, length = 1, x = c*math.sin(1), y = -c*math.cos(1),
                angle = 1, name = "p", touch = "none" }, pc.pin(dry) }, { duration = 1 })
        end
        local motion = run{ radius = 0.05, friction = 0.4 }
        local hit, rub = motion.impacts[1], motion.impacts[2]
        assert.equal("pin.friction", rub.contact)
        assert.equal(hit.time, rub.time)
        -- the reaction of both is m c (w+ - w-) across the rod, of which friction is mu r of that in all
        local before, between, after = hit.before["p.rate"], hit.after["p.rate"], rub.after["p.rate"]
        close(between, -e*before, 1e-12)
        close(after, (J*between + 0.4*0.05*m*c*before)/(J + 0.4*0.05*m*c), 1e-12)
        close(rub.impulse.t, J*(after - between), 1e-12)
        close(-rub.impulse.t, 0.4*rub.impulse.n, 1e-12)
        close(rub.loss, J*(between^2 - after^2)/2, 1e-12)
        closes(motion, 10)
        local constant = run{ friction_torque = 0.4 }
        assert.equal(1, #constant.impacts)
        close(constant.impacts[1].after["p.rate"], -e*constant.impacts[1].before["p.rate"], 1e-12)
    end)

    it("of a pin in a driven crank is work that the drive gives", function()
        local w, M = 5, 0.2
        local wheel = pc.free{ shape = "disc", radius = 0.1, mass = 2, rate = w, name = "wheel", touch = "none" }
        local motion = simulate({ wheel, gravity = 0, pc.pin{ a = "wheel", at = { 0, 0 }, rate = w,
            friction_torque = M } }, { duration = 2 })
        local s = motion:at(2)
        close(s["pin.M"], M, 1e-12)
        close(s.torque, M*w*2, 1e-11)
        close(s.friction, M*w*2, 1e-11)
    end)
end)

describe("stops and dry friction", function()
    -- A crane of two rods and a trolley: all kinds at once.
    local function crane(mirror, order)
        local x = mirror and -1 or 1
        local function bound(low, high) if mirror then return -high, -low end return low, high end
        local low, high = bound(-0.7, 0.6)
        local start, stop = bound(-0.4, 0.3)
        local parts = {
            pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 2, vx = 1.5*x, name = "trolley", touch = "none" },
            pc.free{ shape = "rod", length = 1, mass = 1, y = -0.5, vx = 1.5*x, name = "arm", touch = "none" },
            pc.free{ shape = "rod", length = 0.6, mass = 0.5, y = -1.3, vx = 1.5*x, name = "hook", touch = "none" },
            pc.slider{ a = "trolley", lower = start, upper = stop, restitution = 0.5, friction = 0.05, name = "rail" },
            pc.pin{ a = "arm", b = "trolley", at = { 0, 0 }, radius = 0.03, friction = 0.2, name = "top", lower = low,
                upper = high, stiffness = 300, damping = 1 },
            pc.pin{ a = "hook", b = "arm", at = { 0, -1 }, friction_torque = 0.02, name = "knee", lower = low,
                upper = high, restitution = 0.3 },
        }
        local list = { gravity = 9.81 }
        for i = 1, #parts do list[i] = parts[order and order[i] or i] end
        return pc.scene(list)
    end
    local options = { duration = 3, solver = TIGHT }
    local motion = pc.simulate(crane(), options)

    it("act together, and lose what the ledger says", function()
        local seen = {}
        for _, event in ipairs(motion.events) do if event.contact then seen[event.contact] = true end end
        for _, name in ipairs{ "rail.upper", "rail.friction", "top.friction", "knee.friction", "knee.upper" } do
            assert.is_true(seen[name], name)
        end
        closes(motion, 10)
    end)

    it("do not depend on the order of the list", function()
        local other = pc.simulate(crane(false, { 5, 3, 6, 1, 4, 2 }), options)
        assert.equal(#motion.events, #other.events)
        close(other:at(3)["hook.x"], motion:at(3)["hook.x"], 1e-8)
        close(other:at(3)["arm.rate"], motion:at(3)["arm.rate"], 1e-8)
    end)

    it("are the same in a mirror", function()
        local other = pc.simulate(crane(true), options)
        assert.equal(#motion.events, #other.events)
        close(other:at(3)["hook.x"], -motion:at(3)["hook.x"], 1e-8)
        close(other:at(3)["arm.rate"], -motion:at(3)["arm.rate"], 1e-8)
    end)

    it("go on from a file bit by bit", function()
        local world, path = crane(), scratch ".run"
        local half = pc.simulate(world, { duration = 1.5, solver = TIGHT })
        half:save(path)
        local loaded = pc.load_run(path)
        half:continue(1.5)
        loaded:continue(1.5)
        for name, value in pairs(half:at(3)) do
            if type(value) == "number" then assert.equal(value, loaded:at(3)[name], name) end
        end
    end)

    it("are refused by name where they make no sense", function()
        for _, one in ipairs{
            { pc.pin, { lower = 1, upper = 0, restitution = 0 }, "pin: lower = 1 must be below upper = 0" },
            { pc.pin, { lower = 0 }, "its stops need restitution, or stiffness and damping" },
            { pc.pin, { lower = 0, restitution = 0.5, stiffness = 10 }, "one of the two" },
            { pc.slider, { upper = 0, restitution = 1.5 }, "restitution = 1.5" },
            { pc.slider, { restitution = 0.5 }, "restitution is of its stops: give lower or upper as well" },
            { pc.slider, { damping = 1, upper = 1, restitution = 0 }, "damping is of stops that give" },
            { pc.pin, { rate = 2, upper = 1, restitution = 0 }, "a drive holds rate = 2 rad/s exactly" },
            { pc.pin, { friction = 0.3 }, "needs both radius and friction" },
            { pc.pin, { friction = 0.3, radius = 0.1, friction_torque = 1 }, "give one" },
            { pc.slider, { friction = 0.3, friction_force = 1 }, "friction_force does not depend on it" },
            { pc.slider, { friction_force = -1 }, "friction_force = -1 N" },
        } do
            one[2].a, one[2].at = "rod", { 0, 0 }
            local good, message = pcall(one[1], one[2])
            assert.is_false(good)
            assert.is_truthy(tostring(message):find(one[3], 1, true), tostring(message))
        end
        -- beyond a stop at the start
        local rod = pc.free{ shape = "rod", mass = 3, length = 1, y = -0.5, name = "rod" }
        assert.has_error(function()
            pc.simulate(pc.scene{ rod, pc.pin{ a = "rod", at = { 0, 0 }, lower = 0.5, restitution = 0.5 } },
                { duration = 1 })
        end)
    end)
end)

-- A block that slides on a level guide with a rod on it. With F the friction along x, N what the guide bears, and
-- I = J + m l^2, the motion gives x'' = (F + ...)/D and N = N0 + c F, where
--     D = M + m - (m l cos a)^2/I,    c = -(m l)^2 sin a cos a/(I D).
-- Slip to the right asks for F = -mu |N|: where mu c < -1 and N0 > 0 there is no such N. The more friction, the more
-- load: whatever the delay with which one follows the other, slip stops in no time, by the impulse -D v along x and
-- -c D v of the guide, which turns the rod by m l cos a v/I and takes D v^2/2.
describe("friction of a joint that jams", function()
    local M, m, l, J, mu, g, a, v = 0.05, 1, 0.5, 0.01, 0.8, 9.81, 0.3, 1.3
    local I = J + m*l^2
    local D = M + m - (m*l*math.cos(a))^2/I
    local c = -(m*l)^2*math.sin(a)*math.cos(a)/(I*D)
    local function scene(way, more)
        local rail = { a = "block", friction = mu, name = "rail" }
        for key, value in pairs(more or {}) do rail[key] = value end
        return { gravity = g, pc.slider(rail), pc.pin{ a = "bob", b = "block", at = { 0, 0 } },
            pc.free{ shape = "box", width = 0.1, height = 0.1, mass = M, vx = way*v, name = "block", touch = "none" },
            pc.free{ shape = "rod", length = 2*l, mass = m, inertia = J, x = way*l*math.sin(a), y = -l*math.cos(a),
                angle = way*a, vx = way*v, name = "bob", touch = "none" } }
    end

    it("stops a slider at once, by what the momentum says, and holds it", function()
        for _, way in ipairs{ 1, -1 } do
            local motion = simulate(scene(way), { duration = 0.4 })
            assert.equal("jam", motion.events[1].name)
            assert.equal("rail.friction", motion.events[1].contact)
            assert.equal(1, #motion.impacts)
            local hit = motion.impacts[1]
            close(hit.impulse.t, -way*D*v, 1e-12)
            close(hit.impulse.n, -c*D*v, 1e-12)
            close(hit.velocity_before.t, way*v, 1e-12)
            close(hit.velocity.t, 0, 1e-12)
            close(hit.loss, D*v^2/2, 1e-12)
            close(hit.after["bob.rate"], way*m*l*math.cos(a)*v/I, 1e-11)
            -- from there on the rod swings about a place that stays, while the angle is such that it locks itself
            local s = motion:at(0.1)
            close(s["block.x"], 0, 1e-12)
            close(I*s["bob.rate"]^2/2 - m*g*l*math.cos(s["bob.angle"]),
                (m*l*math.cos(a)*v)^2/I/2 - m*g*l*math.cos(a), 1e-10)
            local last = motion:at(0.4)
            close(last.energy + last.friction + last.lost, (M + m)*v^2/2 - m*g*l*math.cos(a), 1e-9)
        end
    end)

    it("is the limit of a guide that gives", function()
        -- the block may move by y against k y, and rubs by mu of that: stopped after a time that goes with 1/sqrt(k)
        local function stopped(k)
            local function rhs(_, _, y, p, vx, vy, w)
                local sin, cos = math.sin(p), math.cos(p)
                local N = -k*y
                local F = -mu*math.abs(N)
                local fx, fy, fp = F + m*l*sin*w*w, N - (M + m)*g - m*l*cos*w*w, -m*g*l*sin
                local ax, ay, free = m*l*cos/(M + m), m*l*sin/(M + m), M + m
                local wp = (fp - ax*fx - ay*fy)/(I - (m*l)^2/free)
                return vx, vy, w, (fx - m*l*cos*wp)/free, (fy - m*l*sin*wp)/free, wp
            end
            local N0 = ((M + m)*g - (m*l*math.sin(a))*m*g*l*math.sin(a)/I)
            local run = pc.ode.solve{ rhs = rhs, y = { 0, -N0/k, a, v, 0, 0 }, t = 1,
                solver = pc.solver.dop853{ rtol = 1e-10, atol = 1e-14 },
                events = { { function(_, _, _, _, vx) return vx end, direction = -1, terminal = true } } }
            local _, _, p, vx, vy, w = run:at(run.time)
            -- nothing turns the rod about the block, which the guide brings to rest along y as well
            return run.time, w + m*l*(math.cos(p)*vx + math.sin(p)*vy)/I
        end
        local last
        for _, k in ipairs{ 1e8, 1e10 } do
            local time, turning = stopped(k)
            close(turning, m*l*math.cos(a)*v/I, 30*time)
            assert.is_true(time < 100/math.sqrt(k), time)
            assert.is_true(not last or time < last/5)
            last = time
        end
    end)

    it("is not where friction takes less than it adds", function()
        local motion = simulate(scene(1, { friction = 0.9/math.abs(c) }), { duration = 0.05 })
        for _, event in ipairs(motion.events) do assert.is_true(event.name ~= "jam") end
    end)

    it("begins where the load changes its sign, on a way that has been free", function()
        -- with the rod behind, mu c > 1 leaves N = N0/(1 + mu c) while N0 > 0; what lifts the block takes that to zero
        local parts = scene(1)
        parts[4] = pc.free{ shape = "rod", length = 2*l, mass = m, inertia = J, x = -l*math.sin(a), y = -l*math.cos(a),
            angle = -a, vx = v, name = "bob", touch = "none" }
        parts[5] = pc.force{ on = "block", f = function(t) return 0, 200*t end, name = "lift" }
        local motion = simulate(parts, { duration = 0.1 })
        local jam
        for _, event in ipairs(motion.events) do jam = jam or event.name == "jam" and event end
        assert.is_true(jam ~= nil and jam.time > 0.01)
        local before, hit = motion:at(jam.time - 1e-9), motion.impacts[1]
        close(before["rail.Ry"], 0, 1e-4)
        local cos, sin = math.cos(before["bob.angle"]), math.sin(before["bob.angle"])
        local now = M + m - (m*l*cos)^2/I
        close(hit.impulse.t, -now*before["block.vx"], 1e-6)
        close(hit.impulse.n, math.abs((m*l)^2*sin*cos/I*before["block.vx"]), 1e-6)
        close(hit.velocity.t, 0, 1e-12)
        local last = motion:at(0.1)
        close(last.energy + last.friction + last.lost - last.torque, (M + m)*v^2/2 - m*g*l*math.cos(a), 1e-8)
    end)
end)
