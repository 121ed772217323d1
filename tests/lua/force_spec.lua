-- Forces of scenes: closed forms and the checked values of tests/reference/world.json, ledger, errors, rows.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local case = require "world_case"

local TIGHT = pc.solver.dop853{ rtol = 1e-12 }

local function disc(options)
    options.shape, options.radius = "disc", options.radius or 0.05
    return pc.free(options)
end

local function run(parts, options)
    options.solver = options.solver or TIGHT
    return pc.simulate(pc.scene(parts), options)
end

-- Every joule: what moves, is stored and was lost is what was there and what forces gave.
local function closes(motion, scale)
    local a, b = motion:at(motion.start or 0), motion:at(motion.time)
    local left = b.energy + b.damped + b.friction + b.lost - b.torque - b.pivot
    near((left - a.energy)/scale + 1, 1, 1e-9)
end

describe("drag", function()
    for _, id in ipairs{ "drag-linear-1", "drag-linear-2", "drag-quadratic-1", "drag-quadratic-2" } do
        it("slows bounces: " .. id, function()
            local inputs, outputs = case(id)
            local kind = id:find "linear" and "linear" or "quadratic"
            local radius = 0.05
            local motion = run({
                disc{ mass = inputs.mass, y = radius + inputs.drop_height }, pc.floor{ height = 0 },
                pc.drag{ on = "body", [kind] = inputs.drag }, gravity = inputs.g,
                contact = pc.contact.newton{ restitution = inputs.restitution, friction = 0 },
            }, { duration = outputs.times[#outputs.times]*1.001 })
            assert.equal(#outputs.times, #motion.impacts)
            for i, time in ipairs(outputs.times) do
                near(motion.impacts[i].time, time, 1e-10)
                near(-motion.impacts[i].before.vy, outputs.speeds_before[i], 1e-10)
            end
            closes(motion, inputs.mass*inputs.g*inputs.drop_height)
            local given, damped = motion:work "drag"
            near(given + 1, 1, 1e-12)
            near(damped, motion:at(motion.time).damped, 1e-12)
        end)
    end

    it("bends a throw", function()
        local inputs, outputs = case "drag-planar"
        local motion = run({
            disc{ mass = 1, x = 0, y = 1 + 0.05, vx = inputs.vx0, vy = inputs.vy0 }, pc.floor{ height = 0 },
            pc.drag{ on = "body", quadratic = inputs.drag_over_mass }, gravity = inputs.g,
            contact = pc.contact.newton{ restitution = inputs.restitution, friction = 0 },
        }, { duration = 3.2 })
        for i, time in ipairs(outputs.times) do
            near(motion.impacts[i].time, time, 1e-10)
            near(motion.impacts[i].before.x, outputs.x[i], 1e-10)
            near(motion.impacts[i].before.vx, outputs.vx[i], 1e-10)
            near(motion.impacts[i].before.vy, outputs.vy_before[i], 1e-10)
        end
    end)

    it("is carried by the wind, and turns slower", function()
        local motion = run({
            disc{ mass = 2, rate = 3, radius = 0.1 }, gravity = 0,
            pc.drag{ on = "body", linear = 4, wind_x = 5, rotational = 0.02 },
        }, { duration = 1 })
        near(motion:at(1).vx, 5*(1 - math.exp(-2)), 1e-10)
        near(motion:at(1).rate, 3*math.exp(-0.02/0.01), 1e-10) -- inertia m r^2/2
        closes(motion, 25)
    end)
end)

describe("magnus", function()
    for _, id in ipairs{ "magnus-1", "magnus-2" } do
        it("bends the way of a ball that bounces with friction: " .. id, function()
            local inputs, outputs = case(id)
            local r, m = inputs.radius, inputs.mass
            local motion = run({
                disc{
                    mass = m, radius = r, inertia = 0.4*m*r^2, x = inputs.x0, y = inputs.y0, vx = inputs.vx0,
                    vy = inputs.vy0, rate = inputs.omega0,
                },
                pc.floor{ height = 0 }, pc.magnus{ on = "body", coefficient = inputs.S }, gravity = inputs.g,
                contact = pc.contact.newton{
                    restitution = tonumber(inputs.restitution), friction = tonumber(inputs.friction),
                },
            }, { duration = outputs.times[#outputs.times]*1.001 })
            for i, time in ipairs(outputs.times) do
                local hit = motion.impacts[i]
                near(hit.time, time, 1e-10)
                near(hit.before.x, outputs.x[i], 1e-10)
                near(hit.before.vx, outputs.vx_before[i], 1e-10)
                near(hit.before.vy, outputs.vy_before[i], 1e-10)
                near(hit.after.vx, outputs.vx_after[i], 1e-10)
                near(hit.after.rate, outputs.omega_after[i], 1e-9)
            end
            closes(motion, m*36)
        end)
    end
end)

describe("springs", function()
    it("carry a level bar", function()
        local inputs, outputs = case "bar-springs-symmetric"
        local k, c, l0 = inputs.stiffness_each, inputs.damping_each, inputs.rest_length
        local bar = pc.free{
            shape = "box", width = 1, height = 0.1, mass = inputs.mass, y = 0, name = "bar",
        }
        local function leg(x)
            return pc.spring{
                a = bar, a_at = { x, 0 }, b_at = { x, -(l0 + inputs.start_stretch) }, stiffness = k, damping = c,
                rest_length = l0,
            }
        end
        local motion = run({ bar, leg(0.4), leg(-0.4), gravity = inputs.g }, { duration = 1 })
        local moved = false
        for _, row in ipairs(outputs.height_change_at) do
            local y = motion:at(tonumber(row.t))["bar.y"]
            near(y + inputs.start_stretch, row.z, 1e-9) -- z from where the springs are at rest
            moved = true
        end
        assert.is_true(moved)
        closes(motion, 10)
    end)

    it("turn", function()
        local inputs, outputs = case "rotational-spring"
        local motion = run({
            pc.free{ shape = "rod", length = 1, mass = 1, inertia = inputs.inertia, angle = inputs.angle0 },
            pc.rotational_spring{ a = "body", stiffness = inputs.stiffness, damping = inputs.damping }, gravity = 0,
        }, { duration = 2 })
        for _, row in ipairs(outputs.angle_at) do near(motion:at(tonumber(row.t)).angle, row.angle, 1e-10) end
        closes(motion, 1)
    end)

    it("of a cord are slack up to its length", function()
        local inputs, outputs = case "bungee"
        local motion = run({
            disc{ mass = inputs.mass, y = 0 }, gravity = inputs.g,
            pc.spring{
                a = "body", stiffness = inputs.stiffness, rest_length = inputs.cord_length, slack = true,
            },
        }, { duration = outputs.period, events = {
            { name = "taut", function(_, q) return -q[2] - inputs.cord_length end, direction = 1 },
            { name = "deepest", function(_, _, u) return u[2] end, direction = 1 },
        } })
        local times = {}
        for _, event in ipairs(motion.events) do times[event.name or event.kind] = event.time end
        near(times.taut, outputs.time_taut, 1e-10)
        near(times.deepest, outputs.time_deepest, 1e-9)
        near(-motion:at(times.deepest).y, outputs.deepest, 1e-10)
        near(motion:at(outputs.period).y + 1, 1, 1e-8)
        closes(motion, 75*9.81*48)
    end)

    it("between two bodies keep momentum and swing at the relative frequency", function()
        local motion = run({
            disc{ mass = 1, x = 0, name = "a" }, disc{ mass = 3, x = 2, name = "b" }, gravity = 0,
            pc.spring{ a = "a", b = "b", stiffness = 48, rest_length = 1.5, name = "link" },
            contact = pc.contact.newton{ e = 1, mu = 0 },
        }, { duration = 1 })
        -- omega^2 = k (1/m1 + 1/m2) = 64
        for _, t in ipairs{ 0.2, 0.7, 1 } do
            local s = motion:at(t)
            near(s["b.x"] - s["a.x"], 1.5 + 0.5*math.cos(8*t), 1e-10)
            near(s["a.x"] + 3*s["b.x"], 6, 1e-12)
        end
    end)

    it("are drawn between their ends, where the motion has them", function()
        local function picture(...)
            local parts = { disc{ mass = 1, x = 1, name = "ball" }, ... }
            parts.gravity = 0
            local path = scratch ".svg"
            assert(run(parts, { duration = 0.1 }):draw{ file = path })
            local file = assert(io.open(path))
            local text = file:read "a"
            file:close()
            return text
        end
        -- one that hardly pulls, within the disc: the same motion and frame, and one line more
        local without = picture()
        local with = picture(pc.spring{ a = "ball", b_at = { 1.03, 0 }, stiffness = 1e-12 })
        local function lines(text) return select(2, text:gsub("<polyline", "")) end
        assert.equal(lines(without) + 1, lines(with))
        -- other forces are not drawn; steps of another number leave the same path with other points
        assert.equal(lines(without), lines(picture(pc.drag{ on = "ball", linear = 1e-12 })))
    end)

    it("on links do as their own damping and stiffness do", function()
        local function arm(options)
            options[#options + 1] = pc.chain{
                links = {
                    { mass = 1, length = 0.5, damping = options.damping, stiffness = options.stiffness },
                    { mass = 2, length = 0.7 },
                }, angles = { 1, 0.3 },
            }
            options.damping, options.stiffness = nil, nil
            return run(options, { duration = 2 }):at(2)
        end
        local own = arm{ damping = 0.3, stiffness = 4 }
        local mine = arm{ pc.rotational_spring{ a = "chain.link1", stiffness = 4, damping = 0.3 } }
        for _, column in ipairs{ "angle1", "angle2", "rate1", "rate2", "energy", "damped" } do
            near(10 + mine[column], 10 + own[column], 1e-9)
        end
        -- a force at the end of a link, by its place on it in two ways
        local a = arm{ pc.force{ on = "chain.link2", at = 0.7, fx = 3 } }
        local b = arm{ pc.force{ on = "chain.link2", at = { 0, -0.7 }, f = function() return 3, 0 end } }
        near(10 + a.angle2, 10 + b.angle2, 1e-12)
        assert.is_true(math.abs(a.angle2 - arm{}.angle2) > 0.01)
    end)
end)

describe("a motor", function()
    it("is the torque of a link", function()
        local function arm(link, motor)
            link.mass, link.length = 1, 1
            return run({ pc.chain{ links = { link }, angles = { 0.4 } }, motor }, { duration = 3 }):at(3)
        end
        local own = arm{ torque = 2, frequency = 3, phase = 0.4 }
        local mine = arm({}, pc.motor{ on = "chain", torque = 2, frequency = 3, phase = 0.4 })
        local called = arm({}, pc.motor{ on = "chain", f = function(t) return 2*math.cos(3*t + 0.4) end })
        for _, column in ipairs{ "angle1", "rate1", "torque" } do
            near(mine[column], own[column], 1e-9)
            near(called[column], own[column], 1e-9)
        end
    end)

    it("gives a pulse at its breaks", function()
        local inputs, outputs = case "pulse-pendulum-1"
        local motor = pc.motor{ on = "chain", f = function(t)
            return t > inputs.on and t < inputs.off and tonumber(inputs.torque) or 0
        end }
        local motion = run({
            pc.chain{ links = { { mass = inputs.mass, length = inputs.length, center = inputs.length, inertia = 0 } } },
            motor, gravity = inputs.g,
        }, { duration = 10, breaks = { inputs.on, inputs.off } })
        for _, row in ipairs(outputs.states) do
            near(motion:at(row.t).angle1, row.angle, 1e-9)
            near(motion:at(row.t).rate1, row.rate, 1e-9)
        end
    end)

    it("holds a rate as well as its gain", function()
        local motion = run({
            disc{ mass = 2, radius = 0.1 }, gravity = 0,
            pc.motor{ on = "body", rate = 5, gain = 0.1, torque = 0.2 },
        }, { duration = 2 })
        -- at 0.2 N m up to 3 rad/s at 0.15 s, then towards 5 with the time constant 0.1 s
        near(motion:at(0.1).rate, 2, 1e-9)
        near(motion:at(1).rate, 5 - 2*math.exp(-(1 - 0.15)/0.1), 1e-7)
        closes(motion, 1)
    end)
end)

describe("a force", function()
    it("steps where it breaks", function()
        local inputs, outputs = case "step-oscillator"
        local motion = run({
            disc{ mass = inputs.mass, name = "m" }, gravity = 0,
            pc.spring{ a = "m", stiffness = inputs.stiffness, name = "s" },
            pc.drag{ on = "m", linear = inputs.damping },
            pc.force{ on = "m", f = function(t) return t > inputs.on and inputs.force or 0, 0 end },
        }, { duration = 6, breaks = { inputs.on } })
        for _, row in ipairs(outputs.x_at) do near(1 + motion:at(tonumber(row.t))["m.x"], 1 + row.x, 1e-10) end
        closes(motion, 1)
    end)

    it("drives an oscillator against a stop", function()
        for _, id in ipairs{ "shaw-holmes-1", "shaw-holmes-3" } do
            local inputs, outputs = case(id)
            local function number(key) return tonumber(inputs[key]) end
            local r = 0.05
            local motion = run({
                disc{ mass = number "mass", radius = r, x = number "x0", name = "m", vx = number "v0" },
                pc.wall{ x = number "stop" + r, side = "left" }, gravity = 0,
                pc.spring{ a = "m", stiffness = number "stiffness" }, pc.drag{ on = "m", linear = number "damping" },
                pc.force{ on = "m", fx = number "force", frequency = number "omega" },
                contact = pc.contact.newton{ restitution = number "restitution", friction = 0 },
            }, { duration = outputs.times[10]*1.0001 })
            for i = 1, 10 do
                near(motion.impacts[i].time, outputs.times[i], 1e-8)
                near(motion.impacts[i].before["m.vx"], outputs.speeds_before[i], 1e-7)
            end
        end
    end)

    it("acts where it is told, in space axes", function()
        local box = pc.free{
            shape = "box", width = 0.4, height = 0.2, mass = 3, inertia = 0.05, angle = 0.7, name = "b",
        }
        local seen
        local motion = run({ box, gravity = 0, pc.force{ on = box, at = { 0.2, 0.1 }, f = function(t, body)
            if t == 0 then seen = { body.x, body.y, body.angle, body.mass } end
            return 2, -1, 0.3
        end } }, { duration = 1e-3 })
        local x, y = 0.2*math.cos(0.7) - 0.1*math.sin(0.7), 0.2*math.sin(0.7) + 0.1*math.cos(0.7)
        for i, value in ipairs{ x, y, 0.7, 3 } do near(seen[i], value, 1e-14) end
        local moment = x*-1 - y*2 + 0.3
        near(motion:at(1e-3)["b.rate"], moment/0.05*1e-3, 1e-5)
    end)

    it("acts within contacts that last and that press", function()
        -- pushed along a floor: slips from where the push exceeds friction
        local box = { shape = "box", width = 0.4, height = 0.2, mass = 2, y = 0.1, name = "b" }
        for _, law in ipairs{
            pc.contact.newton{ restitution = 0, friction = 0.4 },
            pc.contact.kelvin_voigt{ stiffness = 1e6, damping = 1e3, friction = 0.4 },
        } do
            local motion = run({
                pc.free(box), pc.floor{ height = 0 }, gravity = 10, contact = law,
                configuration = law.abilities.compliant and "moving" or nil,
                pc.force{ on = "b", at = { 0, -0.05 }, f = function(t) return 10*t, 0 end },
            }, { duration = 1.2, solver = pc.solver.dop853{} })
            -- 8 N at 0.8 s; then a = 5 t - 4: v = 2.5 (t - 0.8)^2
            local bound = law.abilities.compliant and 2e-3 or 1e-7
            near(motion:at(1.2)["b.vx"], 2.5*0.4^2, bound)
            near(motion:at(1.1)["b.vx"], 2.5*0.3^2, bound)
        end
    end)
end)

describe("a field", function()
    it("accelerates all alike, or pushes each", function()
        local function after(field)
            local motion = run({
                disc{ mass = 1, name = "a" }, disc{ mass = 4, x = 1, name = "b" },
                pc.chain{ links = { { mass = 1, length = 1 } }, name = "c", pivot = { y = 3 } }, field, gravity = 0,
                contact = pc.contact.newton{ e = 1, mu = 0 },
            }, { duration = 1 })
            return motion:at(1)
        end
        local s = after(pc.field{ x = 2 })
        near(s["a.x"], 1, 1e-12)
        near(s["b.x"], 2, 1e-12)
        local f = after(pc.field{ x = 2, per = "body" })
        near(f["a.vx"], 2, 1e-12)
        near(f["b.vx"], 0.5, 1e-12)
        -- gravity as a field
        local function swing(parts)
            parts[#parts + 1] = pc.chain{
                links = { { mass = 1, length = 1 }, { mass = 3, length = 0.4 } }, angles = { 1, 2 },
            }
            return run(parts, { duration = 2 }):at(2)
        end
        local a, b = swing{ gravity = 9.81 }, swing{ gravity = 0, pc.field{ f = function() return 0, -9.81 end } }
        near(10 + a.angle1, 10 + b.angle1, 1e-9)
        near(10 + a.rate2, 10 + b.rate2, 1e-8)
    end)
end)

describe("every force", function()
    local MADE = {
        spring = { a = "b", stiffness = 30, damping = 0.5, rest_length = 0.1 },
        rotational_spring = { a = "b", stiffness = 3, damping = 0.1 },
        drag = { on = "b", linear = 0.2, quadratic = 0.1, rotational = 0.01, wind_x = 1 },
        magnus = { on = "b", coefficient = 0.05 },
        field = { x = 1, y = 2 },
        motor = { on = "b", torque = 0.02, frequency = 7 },
        force = { on = "b", fx = 1, fy = -2, moment = 0.01, frequency = 3 },
    }
    local stronge = pc.contact.stronge{ restitution = 0.7, friction = 0.3 }
    for kind, options in pairs(MADE) do
        local function scene()
            return pc.scene{
                pc.free{ shape = "disc", radius = 0.1, mass = 0.7, x = 0.3, y = 0.5, vx = 1, rate = 4, name = "b" },
                pc.floor{ height = 0 }, pc[kind](options), contact = stronge,
            }
        end
        it("closes the ledger: " .. kind, function()
            local motion = pc.simulate(scene(), { duration = 2, solver = TIGHT })
            assert.is_true(#motion.impacts > 0)
            closes(motion, 0.7*9.81*0.5)
            local given, damped = motion:work(kind)
            near(1 + given, 1 + motion:at(2).torque, 1e-9)
            near(1 + damped, 1 + motion:at(2).damped, 1e-9)
            local half = motion:work(kind, 0, 1) + motion:work(kind, 1, 2)
            near(1 + half, 1 + given, 1e-9)
        end)
        it("does not depend on where it stands in the list, and is saved: " .. kind, function()
            local a = pc.simulate(scene(), { duration = 1 })
            local b = pc.simulate(pc.scene{
                pc[kind](options), pc.floor{ height = 0 },
                pc.free{ shape = "disc", radius = 0.1, mass = 0.7, x = 0.3, y = 0.5, vx = 1, rate = 4, name = "b" },
                contact = stronge,
            }, { duration = 1 })
            assert.equal(a:at(1)["b.x"], b:at(1)["b.x"])
            local path = scratch ".run"
            assert(a:save(path))
            assert.equal(a:at(0.7)["b.y"], pc.load_run(path):at(0.7)["b.y"])
        end)
        it("is mirrored: " .. kind, function()
            local mirrored = {}
            for key, value in pairs(options) do mirrored[key] = value end
            for _, key in ipairs{ "fx", "moment", "torque", "wind_x", "x" } do
                if mirrored[key] then mirrored[key] = -mirrored[key] end
            end
            local function motion(side, force)
                return pc.simulate(pc.scene{
                    pc.free{ shape = "disc", radius = 0.1, mass = 0.7, x = side*0.3, y = 0.5, vx = side, rate = side*4,
                        name = "b" },
                    pc.floor{ height = 0 }, pc[kind](force), contact = stronge,
                }, { duration = 1 }):at(1)
            end
            local a, b = motion(1, options), motion(-1, mirrored)
            near(10 + a["b.x"], 10 - b["b.x"], 1e-12)
            near(a["b.y"], b["b.y"], 1e-12)
            near(10 + a["b.rate"], 10 - b["b.rate"], 1e-11)
        end)
    end

    it("refuses what is wrong, by its name", function()
        local function refused(f, pattern)
            local ok, why = pcall(f)
            assert.is_false(ok)
            assert.truthy(tostring(why):find(pattern, 1, true), tostring(why))
        end
        local ball = disc{ mass = 1 }
        refused(function() pc.spring{ a = "b", stifness = 3 } end, "did you mean 'stiffness'?")
        refused(function() pc.spring{ a = "b", stiffness = -3 } end, "stiffness (k) = -3 N/m is not allowed")
        refused(function() pc.spring{ stiffness = 3 } end, "spring: a is needed")
        refused(function() pc.drag{ linear = 1 } end, "drag: on is needed")
        refused(function() pc.drag{ on = 3, linear = 1 } end, "on must be a string")
        refused(function() pc.force{ on = "b", f = 3 } end, "force: f must be a function, not a number")
        refused(function() pc.magnus{ on = "b" } end, "coefficient (S) is needed")
        refused(function() pc.motor{ on = "b", rate = 3 } end, "rate and gain are given together")
        refused(function() pc.scene{ ball, pc.drag{ on = "ball" } } end, "drag acts on 'ball', which is no body of")
        refused(function() pc.scene{ ball, pc.spring{ a = "body", b = "body" } } end, "both ends of spring are on body")
        refused(function() pc.drag{ on = ball } end, "on is a part without a name")
        refused(function() pc.scene{ pc.drag{ on = "body" } } end, "acts on 'body'")
        local two = pc.chain{ links = { { mass = 1, length = 1 }, { mass = 1, length = 1 } } }
        refused(function() pc.scene{ two, pc.drag{ on = "chain" } } end, "chain.link1 to chain.link2")
        refused(function() pc.scene{ two, pc.drag{ on = "chain.link3" } } end, "acts on 'chain.link3'")
        local motion = pc.simulate(pc.scene{ ball, pc.drag{ on = "body", name = "air" } }, { duration = 1 })
        refused(function() motion:work "ari" end, "did you mean 'air'?")
        refused(function() motion:work("air", 0, 2) end, "is not within the motion")
    end)

    it("tells an error of its function once, with what was reached", function()
        local function failing(f, pattern)
            local world = pc.scene{ disc{ mass = 1 }, pc.force{ on = "body", f = f } }
            local ok, why = pcall(pc.simulate, world, { duration = 1 })
            assert.is_false(ok)
            assert.truthy(tostring(why):find(pattern), tostring(why))
            assert.equal("run", pc.type(why.partial))
        end
        failing(function(t) if t > 0.3 then error "boom" end return 0, 0 end, "force_spec.lua:%d+: boom")
        failing(function() return 0/0, 0 end, "f must return numbers %(SI%), but result 1 is not a number at t = 0 s")
        failing(function() return 1 end, "result 2 is nil")
        failing(function() coroutine.yield() end, "f must not yield")
    end)
end)

-- Pulses of 1 us in a motion of 10 s, which no step would look at: F on for T at `late` seconds.
describe("breaks of a force", function()
    local T, late = 1e-6, 7
    local function on(t) return t > late and t < late + T and 1 or 0 end
    local ball = function(more)
        local options = { mass = 2, inertia = 0.5, name = "ball" }
        for key, value in pairs(more or {}) do options[key] = value end
        return disc(options)
    end
    local KINDS = {
        { "force", function(breaks)
            return pc.force{ on = "ball", f = function(t) return 4e6*on(t), 0, 1e6*on(t) end, breaks = breaks }
        end },
        { "field", function(breaks)
            return pc.field{ f = function(_, _, t) return 2e6*on(t), 0 end, breaks = breaks }
        end },
        { "motor", function(breaks)
            return pc.motor{ on = "ball", f = function(t) return 1e6*on(t) end, breaks = breaks }
        end },
    }
    for _, row in ipairs(KINDS) do
        local word, make = table.unpack(row)
        it("are met by " .. word .. ", and its work is told", function()
            for _, breaks in ipairs{ { late, late + T }, { late + T, late } } do
                local motion = run({ ball(), make(breaks), gravity = 0 }, { duration = 10 })
                local after = motion:at(10)
                near(1 + after["ball.vx"], word == "motor" and 1 or 3, 1e-9)
                near(1 + after["ball.rate"], word == "field" and 1 or 3, 1e-9)
                local work = (word ~= "motor" and 4 or 0) + (word ~= "field" and 1 or 0)
                near(motion:work(word), work, 1e-9)
                closes(motion, work)
                -- up to the middle of the pulse it has given a quarter of that
                near(motion:work(word, 0, late + T/2), work/4, 1e-7) -- the middle is known to an ulp of 7 in 1e-6
                assert.is_true(motion.statistics.steps < 40)
            end
            local missed = run({ ball(), make(nil), gravity = 0 }, { duration = 10 })
            near(missed:at(10).energy, 0, 0, 1e-9)
        end)
    end

    it("are those of all forces and of simulate together", function()
        local function pulse(start, breaks)
            return pc.force{ on = "ball", name = ("p%d"):format(start), breaks = breaks, f = function(t)
                assert(t ~= start and t ~= start + T)
                return t > start and t < start + T and 2e6 or 0, 0
            end }
        end
        local parts = { ball(), pulse(2, { 2, 2 + T }), pulse(5, { 5 + T, 5 }), pulse(8), gravity = 0 }
        local motion = run(parts, { duration = 10, breaks = { 8, 8 + T } })
        for t, vx in pairs{ [1] = 0, [3] = 1, [6] = 2, [9] = 3 } do near(1 + motion:at(t)["ball.vx"], 1 + vx, 1e-9) end
        closes(motion, 9)
        local whole = motion:at(10)["ball.vx"]
        -- stopped and continued, and from a file in the middle of a pulse
        local part = run(parts, { duration = 5 + T/2, breaks = { 8, 8 + T } })
        local path = scratch "breaks.run"
        assert(part:save(path))
        local again = pc.load_run(path, { scene = pc.scene(parts) })
        for _, one in ipairs{ part, again } do
            one:continue(10 - (5 + T/2))
            near(one:at(10)["ball.vx"], whole, 1e-9)
        end
    end)

    it("are met while contacts last, rigid and compliant", function()
        -- pushed along the floor, by less than friction holds and then by more, and let go
        local mu, m, g = 0.5, 2, 9.81
        local push = pc.force{ on = "ball", breaks = { 1, 1.25, 1.5 }, f = function(t)
            return t < 1 and 0 or t < 1.25 and 0.9*mu*m*g or t < 1.5 and 3*mu*m*g or 0, 0
        end }
        local block = function(y)
            return pc.free{ shape = "box", width = 0.4, height = 0.1, mass = m, inertia = 1e8, y = y, name = "ball" }
        end
        local motion = run({ block(0.05), pc.floor{ height = 0 }, push, gravity = g,
            contact = pc.contact.newton{ restitution = 0, friction = mu } }, { duration = 3 })
        near(1 + motion:at(1.25)["ball.vx"], 1, 1e-12)
        near(motion:at(1.5)["ball.vx"], 2*mu*g*0.25, 1e-9)
        -- it comes to rest after as much again as 2 mu g over mu g
        near(motion:at(3)["ball.x"], (2*mu*g)*0.25^2/2 + (2*mu*g*0.25)^2/(2*mu*g), 1e-9)
        closes(motion, 1)
        local soft = run({ block(0.05 - m*g/2e5), pc.floor{ height = 0 }, push, gravity = g, configuration = "moving",
            contact = pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 0, friction = mu } }, { duration = 3 })
        near(soft:at(1.5)["ball.vx"], 2*mu*g*0.25, 1e-6)
        local a, b = soft:at(0), soft:at(3)
        near((b.energy + b.friction + b.dissipated + b.lost - b.torque)/a.energy, 1, 1e-9)
    end)

    it("are shown as they were given, and refused with what is allowed", function()
        local function none() return 0, 0 end
        assert.same({ 3, 1 }, pc.force{ on = "b", f = none, breaks = { 3, 1 } }.breaks)
        assert.is_nil(pc.field{ f = none }.breaks)
        local function refused(make, options, text)
            local ok, why = pcall(make, options)
            assert.is_false(ok)
            assert.truthy(tostring(why):find(text, 1, true), tostring(why))
        end
        refused(pc.force, { on = "b", fx = 1, breaks = { 1 } }, "force: breaks are those of f, and there is none")
        refused(pc.field, { f = none, breaks = 3 }, "breaks must be an array or a list of numbers")
        refused(pc.motor, { on = "b", f = none, breaks = { 1, "x" } }, "motor: breaks[2] must be a finite time, not x")
        refused(pc.drag, { on = "b", linear = 1, breaks = { 1 } }, "no parameter 'breaks'")
    end)
end)
