-- Breaks, time scales and events of functions that are not smooth, with every method.
local pc = require "percuss"
local near = require "tests.lua.near"

local solve = pc.ode.solve
local methods = { dop853 = {}, dopri5 = {}, bs32 = {}, rodas5p = {}, rk4 = { step = 0.37 } }

local function clock() return 1 end
local function fall(_, _, v) return v, -9.81 end

--- A pendulum of two components at rest, which is pushed for a while.
local function pushed(from, duration)
    return function(t, q, u) return u, -9.81*math.sin(q) + (t > from and t < from + duration and 10 or 0) end
end

describe("a pulse after rest", function()
    local settings = { rtol = 1e-8, atol = 1e-11 }

    it("is met exactly by breaks, however short and late it is, and within the tolerance by a time scale", function()
        for _, name in ipairs { "dop853", "dopri5", "bs32", "rodas5p" } do
            local solver = pc.solver[name](settings)
            for _, late in ipairs { 1, 30, 1000 } do
                for _, long in ipairs { 1e-3, 0.03, 1 } do
                    local at_once = solve { rhs = pushed(0, long), y = { 0, 0 }, t = long + 0.2, solver = solver,
                                            breaks = { 0, long } }
                    local problem = { rhs = pushed(late, long), y = { 0, 0 }, t = late + long + 0.2, solver = solver,
                                      breaks = { late + long, late } }
                    local m = solve(problem)
                    -- an error of step control apart, both are the same steps; times are rounded to 1e-13 of 1000
                    near(m.y[1], at_once.y[1], 1e-9)
                    if late < 1000 or long > 0.01 then
                        problem.breaks, problem.time_scale = nil, long
                        m = solve(problem)
                        near(m.y[1], at_once.y[1], 2e-6) -- found by step control: some hundred rtol
                    end
                end
            end
        end
    end)

    it("is found without a word if it lasts 1/256 of the time", function()
        for _, name in ipairs { "dop853", "dopri5", "bs32", "rodas5p" } do
            for k = 0, 4 do
                local from, long = 3 + 1.37*k, 10/256
                local m = solve { rhs = pushed(from, long), y = { 0, 0 }, t = 10, solver = pc.solver[name](settings) }
                local _, u = m:at(from + long)
                local still = solve { rhs = pushed(0, long), y = { 0, 0 }, t = long, breaks = { 0, long } }
                near(u, still.y[2], 1e-5)
            end
        end
    end)

    it("is asked for on its own side of a break, whichever side the function itself takes there", function()
        for _, asks in ipairs { function(t) return t < 1 and 0 or 1 end, function(t) return t <= 1 and 0 or 1 end } do
            local least, most = 0, 2
            local function rhs(t)
                assert(t ~= 1)
                if t < 1 then least = math.max(least, t) else most = math.min(most, t) end
                return asks(t)
            end
            near(solve { rhs = rhs, y = 0, t = 2, breaks = { 1 } }.y[1], 1, 1e-14)
            near(least, 1, 1e-15)
            near(most, 1, 1e-15)
            near(solve { rhs = rhs, y = 0, start = 2, t = 0, breaks = { 1 } }.y[1], -1, 1e-14)
        end
    end)

    it("costs nothing where rates depend on the state alone, but for one call in each 1/256", function()
        local function steps(options)
            options.rhs, options.y, options.t = fall, { 1, 0 }, 1
            local counts = solve(options).statistics
            return counts.steps, counts.rhs_calls
        end
        local told, least = steps { autonomous = true }
        local n, calls = steps {}
        assert.equal(told, n)
        assert.is_true(calls - least <= 256 + n)
    end)

    it("is refused with what is allowed", function()
        local function refused(pattern, options)
            options.rhs, options.y, options.t = options.rhs or fall, { 1, 0 }, 1
            assert.error_matches(function() solve(options) end, pattern)
        end
        refused("breaks must be an array or a list of numbers", { breaks = 3 })
        refused("breaks%[2%] must be a finite time, not x", { breaks = { 1, "x" } })
        refused("time_scale = 0 s is not allowed; it must be > 0 s", { time_scale = 0 })
        refused("breaks goes with a function as rhs", { rhs = pc.system.van_der_pol { mu = 1 }, breaks = { 1 } })
    end)
end)

describe("a jump", function()
    it("does not hide from dop853 where one estimate of its error vanishes by chance", function()
        local function square(t, y) return -y + (t % 2 < 1 and 1 or -1) end
        local breaks = {}
        for i = 1, 60 do breaks[i] = i end
        for k = 0, 12 do
            local t = 20.5 + 1.23*k
            local exact = solve { rhs = square, y = 0, t = t, breaks = breaks }
            near(solve { rhs = square, y = 0, t = t, time_scale = math.huge }.y[1], exact.y[1], 0, 2e-6)
        end
    end)
end)

--- Kinds of functions with a place a and a sign s: the function, what is told, and how near.
local rough = {
    step = { function(t, a, s) return t < a and -s or s end, "through" },
    ["other step"] = { function(t, a, s) return t <= a and -s or s end, "through" },
    ["true and false"] = { function(t, a, s) return s*(t - a) > 0 end, "through" },
    max = { function(t, a, s) return s*math.max(t - a, 7*(t - a)) end, "through" },
    ["cubic root"] = { function(t, a, s) return s*(t < a and -1 or 1)*math.abs(t - a)^(1/3) end, "through" },
    abs = { function(t, a, s) return s*math.abs(t - a) end, "touch" },
    square = { function(t, a, s) return s*(t - a)^2 end, "touch" },
    ["two beside a kink"] = { function(t, a, s) return s*(math.abs(t - a) - 1e-7) end, "twice" },
    pole = { function(t, a, s) return s/(t - a) end, "none" },
    ["double pole"] = { function(t, a) return 1/(t - a)^2 end, "none" },
    ["weak pole"] = { function(t, a, s) return s*(t < a and -1 or 1)/math.sqrt(math.abs(t - a)) end, "none" },
}

describe("an event function that is not smooth", function()
    local function events(g, name, more)
        local options = { rhs = clock, y = 0, t = 4, solver = pc.solver[name](methods[name]), autonomous = true,
                          events = { { g, name = "g" } } }
        for key, value in pairs(more or {}) do options[key] = value end
        return solve(options).events
    end

    it("gives one event for one crossing, in its direction, to rounding; a pole gives none", function()
        for seed = 1, 2 do
            math.randomseed(seed)
            for kind, case in pairs(rough) do
                for name in pairs(methods) do
                    for i = 1, 3 do
                        -- every fourth on an end of a step or a node of a fit
                        local a = i == 1 and math.random(1, 15)/4 or 0.01 + 3.98*math.random()
                        local s = math.random(0, 1)*2 - 1
                        local list = events(function(t) return case[1](t, a, s) end, name)
                        local place = ("%s with %s at %.17g, sign %d"):format(kind, name, a, s)
                        local n = case[2] == "none" and 0 or case[2] == "twice" and 2 or 1
                        assert.equal(n, #list, place)
                        local direction = s > 0 and "up" or "down"
                        if case[2] == "through" then
                            assert.same({ direction, 1 }, { list[1].kind, list[1].multiplicity }, place)
                            near(list[1].time, a, 1e-15, 1e-15)
                        elseif case[2] == "touch" then
                            assert.same({ "touch", 2, s > 0 and "above" or "below" },
                                { list[1].kind, list[1].multiplicity, list[1].from }, place)
                            near(list[1].time, a, 0, 1e-13) -- rounding of a square: more than of a kink
                        elseif case[2] == "twice" then
                            near(list[1].time, a - 1e-7, 0, 2e-15)
                            near(list[2].time, a + 1e-7, 0, 2e-15)
                        end
                    end
                end
            end
        end
    end)

    it("wraps: a zero and a jump in turn; the tangent has its zeros alone", function()
        for name in pairs(methods) do
            local list = events(function(t) return (3*t + 1 + math.pi) % (2*math.pi) - math.pi end, name)
            assert.equal(4, #list)
            for i, e in ipairs(list) do
                near(e.time, (i*math.pi - 1)/3, 1e-15, 1e-15)
                assert.equal(i % 2 == 1 and "down" or "up", e.kind)
            end
            list = events(function(t) return math.tan(3*t + 1) end, name)
            assert.equal(4, #list)
            for i, e in ipairs(list) do
                near(e.time, (i*math.pi - 1)/3, 1e-15, 1e-15)
                assert.equal("up", e.kind)
            end
        end
    end)

    it("that reaches zero and stays tells it once, at the first zero", function()
        for name in pairs(methods) do
            for _, g in ipairs { function(t) return math.max(0, 1.1 - t) end,
                                 function(t) return t < 1.1 and 1 or 0 end } do
                local list = events(g, name)
                assert.equal(1, #list)
                near(list[1].time, 1.1, 1e-15)
                assert.same({ "down", 1, "above" }, { list[1].kind, list[1].multiplicity, list[1].from })
            end
        end
    end)

    it("acts at the far side of a jump, once", function()
        local count = 0
        local m = solve { rhs = fall, y = { 1, 0 }, t = 2, autonomous = true,
                          events = { { function(_, y) return y > 0.4 end, direction = -1,
                                       action = function(_, y, v) count = count + 1 return y, -v end } } }
        assert.same({ 3, 3 }, { count, #m.events })
        for i, e in ipairs(m.events) do
            near(e.time, (2*i - 1)*math.sqrt(1.2/9.81), 1e-9)
            assert.equal("down", e.kind)
        end
    end)

    it("that cannot be followed ends in an error that names it and its time", function()
        math.randomseed(7)
        local ok, e = pcall(events, function(t) return t > 2 and math.random() - 0.5 or 1 end, "rk4")
        assert.is_false(ok)
        assert.same({ "numeric", "g" }, { e.code, e.quantity })
        assert.matches("event g cannot be followed near t = 2", e.message, 1, true)
        near(e.time, 2, 0.2)
        near(e.partial.time, 1.85, 1e-12)
    end)

    it("may be noisy to 1e-8 of its size, and says so", function()
        math.randomseed(8)
        local m = solve { rhs = clock, y = 0, t = 4, autonomous = true,
                          events = { { function(t) return t - 1.1 + 1e-10*(math.random() - 0.5) end } } }
        assert.equal(1, #m.events)
        near(m.events[1].time, 1.1, 1e-10)
        assert.is_true(m.statistics.fit_error > 1e-12 and m.statistics.fit_error < 1e-7)
    end)
end)

describe("kind and multiplicity", function()
    it("do not depend on where steps end", function()
        local cases = {
            { function(t) return (t - 0.5)^2 end, "touch", 2, "above" },
            { function(t) return -(t - 0.5)^2 end, "touch", 2, "below" },
            { function(t) return (t - 0.5)^3 end, "up", 3, "below" },
            { function(t) return 0.5 - t end, "down", 1, "above" },
        }
        for _, step in ipairs { 0.1, 0.125, 0.25, 0.3, 1/3, 0.5, 0.7, 1 } do
            for _, case in ipairs(cases) do
                local list = solve { rhs = clock, y = 0, t = 1, solver = pc.solver.rk4 { step = step },
                                     events = { { case[1] } } }.events
                assert.equal(1, #list)
                assert.same({ table.unpack(case, 2) }, { list[1].kind, list[1].multiplicity, list[1].from })
                near(list[1].time, 0.5, 1e-7)
            end
        end
    end)

    it("of a zero at the start are told, to either direction", function()
        for power, kind in pairs { "up", "up" } do
            local list = solve { rhs = clock, y = 0, t = 1, events = { { function(t) return t^power end } } }.events
            assert.same({ 1, 0.0, kind, power }, { #list, list[1].time, list[1].kind, list[1].multiplicity })
            assert.is_nil(list[1].from)
        end
        local still = solve { rhs = clock, y = 0, t = 1, events = { { function() return 0 end } } }.events
        assert.same({ 1, 0.0, "touch" }, { #still, still[1].time, still[1].kind })
    end)
end)

describe("a ball on a vibrating table", function()
    it("bounces or comes to rest on it, which is told, and never falls through", function()
        local rested = 0
        for _, e in ipairs { 0.2, 0.5, 0.8 } do
            for i = 0, 110, 5 do
                local w = 5 + i/2
                local m = solve {
                    rhs = fall, y = { 0.1, 0 }, t = 5, autonomous = true,
                    events = { { function(t, y) return y - 0.01*math.sin(w*t) end, direction = -1, name = "table",
                                 action = function(t, y, v)
                                     local u = 0.01*w*math.cos(w*t)
                                     return y, u - e*(v - u)
                                 end } } }
                assert.is_true(m.y[1] - 0.01*math.sin(w*m.time) > -1e-12, ("w = %g, e = %g"):format(w, e))
                if m.stop == "stalled" then
                    assert.equal("table", m.stop_event)
                    rested = rested + 1
                end
            end
        end
        assert.is_true(rested > 40 and rested < 69)
    end)
end)

describe("what a solve leaves", function()
    local function drop(action, more)
        local options = { rhs = fall, y = { 1, 0 }, t = 1, names = { "y", "v" },
                          events = { { function(_, y) return y end, direction = -1, name = "floor",
                                       action = action } } }
        for key, value in pairs(more or {}) do options[key] = value end
        return solve(options)
    end

    it("has both states of a jump among its columns", function()
        local m = drop(function(_, _, v) return 0, -0.5*v end)
        local c, t = m:columns(), m.events[1].time
        local rows = {}
        for i = 1, #c.t do if c.t[i] == t then rows[#rows + 1] = c.v[i] end end
        assert.equal(2, #rows)
        near(rows[2], -0.5*rows[1], 1e-15)
        near(rows[1], -math.sqrt(2*9.81), 1e-9)
    end)

    it("has one row at its end, where a terminal event lies at the end of a step too", function()
        for _, step in ipairs { 0.25, 0.3, 0.5 } do
            local m = solve { rhs = clock, y = 0, t = 1, solver = pc.solver.rk4 { step = step },
                              events = { { function(t) return t - 0.5 end, terminal = true } } }
            local c = m:columns()
            assert.same({ "event", 0.5 }, { m.stop, m.time })
            assert.equal(0.5, c.t[#c.t])
            assert.is_true(c.t[#c.t - 1] < 0.5)
        end
    end)

    it("ends where an action says nothing of the state but \"stop\"", function()
        for _, action in ipairs { function() return nil, "stop" end, function() return nil, nil, "stop" end,
                                  function() return "stop" end } do
            local m = drop(action)
            assert.same({ "event", "floor" }, { m.stop, m.stop_event })
            near(m.y[2], -math.sqrt(2*9.81), 1e-9)
        end
    end)

    it("comes with every error that is raised on the way, and with what was thrown", function()
        local function fails(what)
            local calls = 0
            local function fail(t) if t and t > 0.3 or not t then calls = calls + 1 error "mine" end end
            return { rhs = function(t, _, v) if what == "rhs" then fail(t) end return v, -9.81 end,
                     y = { 1, 0 }, t = 1, solver = pc.solver.rk4 { step = 0.1 },
                     events = { { function(t, y) if what == "g" then fail(t) end return y - 0.5 end,
                                  action = what == "action" and function() fail() end or nil } } }
        end
        for _, what in ipairs { "rhs", "g", "action" } do
            local ok, e = pcall(solve, fails(what))
            assert.is_false(ok)
            assert.equal("callback", e.code)
            assert.matches("event_spec.lua:%d+: mine$", e.message)
            assert.equal(e.message, e.cause)
            assert.equal(e.message, tostring(e))
            assert.equal("error", e.partial.stop)
            assert.is_true(e.partial.time >= 0.2 and e.partial.time < 0.35)
            near(e.partial:at(0.2), 1 - 9.81*0.02, 1e-12)
        end
        local thrown = {}
        local ok, e = pcall(solve, { rhs = function(t) if t > 0.5 then error(thrown) end return 1 end, y = 0, t = 1 })
        assert.is_false(ok)
        assert.equal(thrown, e)
        assert.equal("error", e.partial.stop)
    end)

    it("comes with what a wrong result is told", function()
        local ok, e = pcall(drop, function() return true end)
        assert.is_false(ok)
        assert.equal("argument", e.code)
        near(e.partial.time, 0.45, 0.1)
    end)

    it("names the event that was one too many", function()
        local ok, e = pcall(drop, nil, { y = { 0, 0 }, rhs = function(t) return 0, math.cos(100*t) end, max_events = 5,
                                         events = { { function(t) return math.sin(50*t) end, name = "swing" } } })
        assert.is_false(ok)
        assert.equal("limit", e.code)
        assert.matches("5 events happened, which is max_events; .* the next was swing", e.message)
        assert.equal(5, #e.partial.events)
    end)
end)

describe("in a scene", function()
    local function rig(torque, more)
        local options = { links = { { mass = 1, length = 1 }, { mass = 1, length = 1 } }, torque = torque }
        for key, value in pairs(more or {}) do options[key] = value end
        return pc.scene { pc.chain(options) }
    end

    local function kinetic(run) return run:at(run.time).kinetic end

    it("a pulse after rest is met by breaks, by a time scale, and without a word if it is long", function()
        for _, name in ipairs { "dop853", "dopri5", "bs32", "rodas5p" } do
            local solver = pc.solver[name] { rtol = 1e-8, atol = 1e-11 }
            for _, long in ipairs { 1e-3, 0.5 } do
                local function pulse(from)
                    return function(t) return t > from and t < from + long and 10 or 0 end
                end
                local function run(from, options)
                    options.duration, options.solver = from + long + 0.2, solver
                    return kinetic(pc.simulate(rig(pulse(from)), options))
                end
                local at_once = run(0, { breaks = { 0, long } })
                near(run(30, { breaks = { 30, 30 + long } }), at_once, 1e-9)
                near(run(30, { time_scale = long }), at_once, 1e-5) -- step control finds its ends to atol of 5e-3 rad/s
                if long > 0.2 then near(run(30, {}), at_once, 2e-6) end
            end
        end
    end)

    it("the acceleration of a pivot may jump at a break", function()
        -- the pivot of a chain that hangs is pulled up with 2 m/s^2 from 1 s to 2 s, and goes on
        local function pivot(t)
            local s = math.max(0, math.min(t, 2) - 1)
            local v = 2*s
            return 0, s*s + (t > 2 and 2*(t - 2) or 0), 0, v, 0, t > 1 and t <= 2 and 2 or 0
        end
        local run = pc.simulate(rig(nil, { pivot = pivot }), { duration = 3, breaks = { 1, 2 } })
        local at = run:at(3)
        near(at.kinetic, 2*0.5*2^2, 1e-12)
    end)

    it("contacts are decided anew where a torque jumps", function()
        -- a rod that leans on a floor stays while the torque presses it down, and rises when that turns round
        local function torque(t) return t < 1 and -20 or 20 end
        local scene = pc.scene { pc.chain { links = { { mass = 1, length = 1 } }, angles = { math.pi/3 },
                                            torque = torque },
                                 pc.floor { height = -0.5 },
                                 contact = pc.contact.newton { restitution = 0, friction = 0.2 } }
        local run = pc.simulate(scene, { duration = 1.1, breaks = { 1 } })
        near(run:at(0.99).q[1], math.pi/3, 1e-12)
        local lifted
        for _, e in ipairs(run.events) do if e.kind == "lift_off" then lifted = e.time end end
        assert.equal(1, lifted)
        -- then (m l^2/3) q'' = 20 - m g l/2 sin q, from rest
        local free = solve { rhs = function(_, q, u) return u, 3*(20 - 9.81/2*math.sin(q)) end, y = { math.pi/3, 0 },
                             t = 0.1 }
        near(run:at(1.1).q[1], free.y[1], 1e-9)
    end)

    it("events are told as by ode.solve", function()
        local function told(g, more)
            local ball = pc.free { shape = "disc", radius = 0.1, mass = 1, y = 1, vx = 1 }
            local options = { duration = 4, events = { { g, name = "g" } } }
            for key, value in pairs(more or {}) do options[key] = value end
            local times = {}
            local run = pc.simulate(pc.scene { ball, gravity = 0 }, options)
            for _, e in ipairs(run.events) do
                if e.kind == "user" or e.name == "g" then times[#times + 1] = e.time end
            end
            return times
        end
        for _, a in ipairs { 1, 1.1, math.pi } do
            for _, g in ipairs { function(t) return t < a and -1 or 1 end, function(t) return t > a end,
                                 function(t) return math.abs(t - a) end, function(_, q) return q[1] > a end } do
                local times = told(g)
                assert.equal(1, #times)
                near(times[1], a, 1e-9)
            end
            assert.equal(0, #told(function(t) return 1/(t - a) end))
        end
        assert.same({ 0.0 }, told(function(t) return t end))
        local ok, e = pcall(told, function() return math.random() - 0.5 end)
        assert.is_false(ok)
        assert.matches("event g cannot be followed near t", e.message, 1, true)
        assert.equal("g", e.quantity)
    end)

    it("a run goes on after max_impacts for as many more, and errors carry what there is", function()
        local ball = pc.free { shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
        local scene = pc.scene { ball, pc.floor { height = 0 },
                                 contact = pc.contact.newton { restitution = 1, friction = 0 } }
        local run = pc.simulate(scene, { duration = 3, max_impacts = 5 })
        assert.same({ "end", 3 }, { run.stop, #run.impacts })
        run:continue(3) -- bounces take 0.903 s
        assert.same({ "end", 7 }, { run.stop, #run.impacts })
        run:continue(10)
        assert.same({ "max_impacts", 12 }, { run.stop, #run.impacts })

        local broken = rig(function(t) if t > 0.5 then error "mine" end return 1 end)
        local ok, e = pcall(pc.simulate, broken, { duration = 1 })
        assert.is_false(ok)
        assert.matches("event_spec.lua:%d+: mine$", e.message)
        assert.is_true(e.partial.time > 0.3 and e.partial.time <= 0.5)
        ok, e = pcall(pc.simulate, scene, { duration = 1e4, record = false,
                                            progress = function() error "enough" end })
        assert.is_false(ok)
        assert.matches("enough$", e.message)
        assert.is_true(#e.partial.impacts > 0)
    end)

    it("breaks are saved with a run, and refused with what is allowed", function()
        local name = require "tests.lua.scratch" ".run"
        local scene = rig(function(t) return t < 1 and 0 or 1 end)
        local run = pc.simulate(scene, { duration = 0.5, breaks = { 1 } })
        run:save(name)
        local again = assert(pc.load_run(name, { scene = scene }))
        again:continue(1)
        run:continue(1)
        assert.equal(run:at(1.5).q[1], again:at(1.5).q[1])
        assert.error_matches(function() pc.simulate(scene, { duration = 1, breaks = 1 }) end,
            "breaks must be an array or a list")
        assert.error_matches(function() pc.simulate(scene, { duration = 1, time_scale = -1 }) end,
            "time_scale = %-1 s is not allowed; it must be > 0 s")
    end)
end)

describe("the recipe of a pulse after rest", function()
    it("shows what breaks and a time scale find, and what neither does", function()
        local script = "scripts/recipes/pulse_after_rest.lua"
        local pipe <close> = assert(io.popen(("'%s' %s"):format(arg[-1] or "percuss", script)))
        local text = pipe:read "a"
        for _, label in ipairs { "with breaks", "time scale" } do
            near(tonumber(text:match(label .. " +([%d.]+)")), 0.015, 1e-4) -- it moves by 0.2 mrad meanwhile
        end
        assert.equal(0, tonumber(text:match "neither +([%d.]+)"))
    end)
end)
