-- percuss.ode from Lua: events, actions, results, and what happens to errors and interruptions.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local solve = pc.ode.solve

local function oscillator(_, x, v) return v, -x end
local function fall(_, _, v) return v, -9.81 end
local function height(_, y) return y end

local function times(motion)
    local list = {}
    for i, event in ipairs(motion.events) do list[i] = event.time end
    return list
end

describe("events", function()
    it("finds all zeros of a cubic with default tolerances", function()
        local m = solve { rhs = function(t) return 3*t^2 + 12*t - 4 end, y = -120, start = -8, t = 8,
                          events = { { height, name = "zero" } } }
        assert.equal(3, #m.events)
        for i, t in ipairs { -6, -2, 2 } do near(m.events[i].time, t, 1e-9) end
        assert.same({ "up", "down", "up" }, { m.events[1].kind, m.events[2].kind, m.events[3].kind })
        assert.equal("zero", m.events[2].name)
    end)

    it("ends the motion on a terminal event, whose row is the last", function()
        local m = solve { rhs = function(_, _, v) return v, -10 + 0.01*v^2 end, y = { 1000, 0 }, t = 100,
                          names = { "height", "speed" },
                          events = { { height, direction = -1, terminal = true, name = "ground" } } }
        assert.equal("event", m.stop)
        assert.equal("ground", m.stop_event)
        -- default rtol 1e-9 on a height of 1000
        near(m.time, 33.814700444, 1e-9)
        near(m.y[2], -31.622776569, 1e-8)
        local c = m:columns(0.4)
        assert.equal(86, #c.t)
        assert.equal(m.time, c.t[86])
        assert.equal(m.y[2], c.speed[86])
        near(c.t[85], 33.6, 1e-12)
    end)

    it("tells falling from rising", function()
        local function crossings(direction)
            return times(solve { rhs = oscillator, y = { 0, 1 }, start = 0, t = 10,
                                 events = { { height, direction = direction } } })
        end
        local falling, rising, both = crossings(-1), crossings(1), crossings(0)
        assert.same({ 2, 2, 4 }, { #falling, #rising, #both })
        near(falling[1], math.pi, 1e-8)
        -- x is zero at the start and leaves upwards: an event for direction 1
        assert.equal(0, rising[1])
        assert.equal(0, both[1])
        near(rising[2], 2*math.pi, 1e-8)
    end)

    it("fires close events once each and simultaneous ones in the order of the list", function()
        local m = solve { rhs = function() return 1 end, y = 0, t = 1, solver = pc.solver.rk4 { step = 0.3 },
                          events = { { function(t) return t - 0.002 end, name = "b" },
                                     { function(t) return t - 0.001 end, name = "a" },
                                     { function(_, y) return y - 0.5 end, name = "c" },
                                     { function(t) return t - 0.5 end, name = "d" } } }
        local names = {}
        for i, e in ipairs(m.events) do names[i] = e.name end
        assert.equal("a b c d", table.concat(names, " "))
    end)

    it("sees a graze as one event that touches", function()
        local m = solve { rhs = function(t) return 2*(t - 0.37) end, y = 0.37^2, t = 1, events = { { height } },
                          time_scale = math.huge }
        assert.equal(1, #m.events)
        assert.equal("touch", m.events[1].kind)
        near(m.events[1].time, 0.37, 1e-7) -- a double zero: square root of the tolerance
    end)
end)

describe("actions", function()
    it("change the state, and a bouncing ball stalls where its bounces accumulate", function()
        local m = solve { rhs = fall, y = { 1, 0 }, t = 5,
                          events = { { height, direction = -1, name = "floor",
                                       action = function(_, _, v) return 0, -0.5*v end } } }
        assert.equal("stalled", m.stop)
        near(m.time, 1.354570922957193, 1e-10)
        near(m.events[3].time, 1.128809102464327, 1e-10)
        near(m.events[1].before[2], -math.sqrt(2*9.81), 1e-9)
        near(m.events[1].after[2], 0.5*math.sqrt(2*9.81), 1e-9)
        local _, before = m:at(m.events[1].time, "before")
        local _, after = m:at(m.events[1].time)
        near(before, -2*after, 1e-9)
    end)

    it("may stop the motion, with or without a new state", function()
        local m = solve { rhs = function() return 1 end, y = 0, t = 3,
                          events = { { function(t) return t - 1 end, action = function() return 5, "stop" end } } }
        assert.same({ "event", 5, 1.0 }, { m.stop, m.y[1], m.time })
        m = solve { rhs = function() return 1 end, y = 0, t = 3,
                    events = { { function(t) return t - 1 end, action = function() return "stop" end } } }
        assert.equal("event", m.stop)
        near(m.y[1], 1, 1e-14)
    end)

    it("may switch the right-hand side", function()
        local m = solve { rhs = function() return 1 end, y = 0, t = 3,
                          events = { { function(t) return t - 1 end,
                                       action = function() return function() return -2 end end } } }
        near(m:at(3), 1 - 4, 1e-12)
        assert.equal(1, #m.events)
    end)

    it("that return nothing change nothing", function()
        local count = 0
        local events = { { height, action = function() count = count + 1 end } }
        local plain = solve { rhs = oscillator, y = { 1, 0 }, t = 20 }
        local watched = solve { rhs = oscillator, y = { 1, 0 }, t = 20, events = events }
        assert.equal(6, count)
        assert.equal(plain.y[1], watched.y[1])
        assert.equal(plain.statistics.steps, watched.statistics.steps)
    end)

    it("are told what they may return", function()
        local function act(result)
            local event = { height, name = "x", action = function() return table.unpack(result) end }
            return pcall(solve, { rhs = oscillator, y = { 0, 1 }, t = 10, events = { event } })
        end
        local _, message = act { "halt" }
        assert.matches("action of event x may return a new state", message, 1, true)
        _, message = act { 1 }
        assert.matches("x must return a number for every component; at t = .* its result 2 is nil", message)
        _, message = act { 1, 2, true }
        assert.matches("it returned a boolean", message, 1, true)
    end)
end)

describe("systems of more than eight components", function()
    local n = 20
    local function decay(_, y, dydt)
        for i = 1, n do dydt[i] = -y[i] end
    end

    local function start()
        local y = {}
        for i = 1, n do y[i] = i end
        return y
    end

    it("use tables, and actions change them in place", function()
        local event = { function(_, y) return y[20] - 10 end, action = function(_, y) y[1] = 100 end }
        local m = solve { rhs = decay, y = start(), t = 1, events = { event } }
        local last = m:at(1)
        near(last[20], 20*math.exp(-1), 1e-9)
        near(m.events[1].time, math.log(2), 1e-9)
        near(last[1], 100*math.exp(-1)*2, 1e-9)
        near(m.events[1].before[1], 0.5, 1e-9)
        assert.equal(100, m.events[1].after[1])
    end)

    it("take the list that an action returns as the new state, as small ones do", function()
        for _, size in ipairs { 1, 3, 8, 9, 20 } do
            local function slide(_, _, dydt)
                if size > 8 then for i = 1, size do dydt[i] = -1 end return end
                return table.unpack({ -1, -1, -1, -1, -1, -1, -1, -1 }, 1, size)
            end
            local function first(_, y) return (type(y) == "table" and y[1] or y) - 0.5 end
            local function run(action)
                local y = { 1 }
                for i = 2, size do y[i] = 0 end
                return solve { rhs = slide, y = y, t = 1.25,
                               events = { { first, direction = -1, name = "half", action = action } } }
            end
            local function raised()
                local y = {}
                for i = 1, size do y[i] = i + 1 end
                return y
            end
            local function last_at(m, t)
                local values = table.pack(m:at(t))
                return size > 8 and values[1][size] or values[size]
            end
            -- the event is at t = 0.5; y_n is n + 1 there and falls at 1
            near(last_at(run(raised), 1.25), size + 1 - 0.75, 1e-12)
            near(last_at(run(function() return pc.array(raised()) end), 1.25), size + 1 - 0.75, 1e-12)
            local stopped = run(function() return raised(), "stop" end)
            assert.equal("event", stopped.stop)
            near(stopped.time, 0.5, 1e-12)
            local ok, message = pcall(run, function() return { 1, 2 } end)
            assert.is_false(ok)
            assert.matches(("event half must return a state of %d components; at t = 0.5 its list has 2"):format(size),
                message, 1, true)
            ok, message = pcall(run, function()
                local y = raised()
                y[size] = "x"
                return y
            end)
            assert.is_false(ok)
            assert.matches(("at t = 0.5 its result %d is string"):format(size), message, 1, true)
            ok, message = pcall(run, function() return true end)
            assert.is_false(ok)
            assert.matches(size > 8 and "(a list, or y changed in place)" or "(y1, y2, ... or a list of them)", message,
                1, true)
        end
    end)

    it("are told when a rate is missing", function()
        local ok, message = pcall(solve, { rhs = function(_, _, dydt) dydt[7] = "x" end, y = start(), t = 1 })
        assert.is_false(ok)
        assert.matches("its result 7 is string", message, 1, true)
    end)
end)

describe("solvers", function()
    it("are values with their settings as fields", function()
        local s = pc.solver.dop853 { rtol = 1e-10 }
        assert.same({ "dop853", 8, 7, false, true, 1e-10, 1e-12 },
            { s.name, s.order, s.dense_order, s.stiff, s.adaptive, s.rtol, s.atol })
        assert.equal("solver.rk4{ step = 0.1, max_steps = 10000000 }", tostring(pc.solver.rk4 { step = 0.1 }))
        assert.error_matches(function() pc.solver.dop853 { rtool = 1 } end, "rtol")
        assert.error_matches(function() pc.solver.dop853 { rtol = 0 } end, "rtol")
        assert.error_matches(function() pc.solver.rk4 {} end, "step")
    end)

    it("agree with each other", function()
        local exact = math.cos(3)
        for _, case in ipairs { { pc.solver.dop853 { rtol = 1e-10 }, 1e-8 },
                                { pc.solver.dopri5 { rtol = 1e-10 }, 1e-8 },
                                { pc.solver.bs32 { rtol = 1e-8 }, 1e-6 }, { pc.solver.rk4 { step = 1e-3 }, 1e-11 },
                                { pc.solver.symplectic { step = 1e-2 }, 1e-9 },
                                { pc.solver.rodas5p { rtol = 1e-9 }, 1e-7 } } do
            local m = solve { rhs = oscillator, y = { 1, 0 }, t = 3, positions = 1, solver = case[1] }
            near(m.y[1], exact, case[2])
        end
    end)

    it("take a Jacobian where they are stiff", function()
        local m = solve { rhs = function(_, a, b, c)
                              local p, q = 1e4*b*c, 3e7*b*b
                              return -0.04*a + p, 0.04*a - p - q, q
                          end,
                          jacobian = function(_, _, b, c)
                              return { { -0.04, 1e4*c, 1e4*b }, { 0.04, -1e4*c - 6e7*b, -1e4*b }, { 0, 6e7*b, 0 } }
                          end,
                          y = { 1, 0, 0 }, t = 40, autonomous = true,
                          solver = pc.solver.rodas5p { rtol = 1e-9, atol = 1e-15 } }
        near(m.y[1], 0.71582706871945, 1e-8)
        near(m.y[2], 9.1855347645587e-06, 1e-8)
        -- eight right-hand sides a step and none for the Jacobian
        assert.is_true(m.statistics.rhs_calls <= 8*(m.statistics.steps + m.statistics.rejected) + 3)
        assert.error_matches(function()
            solve { rhs = oscillator, y = { 1, 0 }, t = 1, jacobian = function() return 1 end,
                    solver = pc.solver.rodas5p {} }
        end, "jacobian must return a table of rows")
    end)
end)

describe("a motion", function()
    local m = solve { rhs = oscillator, y = { 1, 0 }, t = 10, names = { "x", "v" } }

    it("is known at all its times and at no other", function()
        for t = 0, 10, 0.37 do near((m:at(t)), math.cos(t), 0, 1e-7) end
        assert.error_matches(function() m:at(10.1) end, "outside the motion")
        assert.error_matches(function() m:at(0/0) end, "outside the motion")
    end)

    it("has columns at the ends of steps, at multiples of a step, or at given times", function()
        local c = m:columns()
        assert.equal(m.statistics.steps + 1, #c.t)
        assert.equal(c[1], c.x)
        c = m:columns(2.5)
        assert.equal(5, #c.t)
        c = m:columns { 1, 2, 7 }
        assert.equal(3, #c.v)
        near(c.v[2], -math.sin(2), 1e-7)
        assert.error_matches(function() m:columns(-1) end, "must be > 0")
    end)

    it("describes itself", function()
        assert.matches("^motion of 2 equations from t = 0.0 to 10.0 %(end%): %d+ steps, 0 events$", tostring(m))
        assert.equal("end", m.stop)
        assert.is_nil(m.stop_event)
    end)

    it("goes backwards too", function()
        local back = solve { rhs = oscillator, y = { 1, 0 }, t = -3 }
        near(back:at(-2), math.cos(2), 1e-8)
    end)

    it("draws its components over time or over each other", function()
        local name = scratch ".svg"
        for _, request in ipairs { { file = name }, { "v", over = "x", file = name }, { 1, 2, file = name } } do
            assert.equal(name, m:plot(request))
            local file <close> = assert(io.open(name))
            assert.matches("<svg", file:read "a", 1, true)
        end
        assert.error_matches(function() m:plot { "z" } end, "no component 'z'")
        assert.error_matches(function() m:plot { fiel = name } end, "did you mean 'file'")
        assert.error_matches(function() m:plot(3) end, "must be a string or a list, not a number")
    end)

    it("reports its progress, and an error in the report ends it", function()
        local last, reports = 0, 0
        local function progress(time, events)
            assert(time > last and events == 0)
            last, reports = time, reports + 1
            if reports == 5 then error "enough" end
        end
        local options = { rhs = oscillator, y = { 1, 0 }, t = 1e9, record = false, progress = progress }
        local ok, e = pcall(solve, options)
        assert.is_false(ok)
        assert.matches("enough$", tostring(e))
        assert.equal(last, e.partial.time)
        assert.equal(5, reports)
    end)

    it("that was not recorded has its end", function()
        local bare = solve { rhs = oscillator, y = { 1, 0 }, t = 1, record = false }
        near(bare.y[1], math.cos(1), 1e-8)
        assert.error_matches(function() bare:at(0.5) end, "not recorded")
    end)
end)

describe("options", function()
    local function refused(options, pattern)
        options.rhs = options.rhs or oscillator
        options.y = options.y or { 1, 0 }
        options.t = options.t or 1
        assert.error_matches(function() solve(options) end, pattern)
    end

    it("of events are refused by name with what is allowed", function()
        refused({ events = { { height, direction = "no" } } },
            "event 1: direction must be a whole number, not a string")
        for _, direction in ipairs { 2, 0/0 } do
            refused({ events = { { height, direction = direction } } },
                "event 1: direction = %S+ is not allowed; it must be from %-1 to 1")
        end
        refused({ events = { { height, terminal = 1 } } }, "terminal must be true or false, not a number")
        refused({ events = { { height, action = "bounce" } } }, "action must be a function, not a string")
        refused({ events = { { height, name = 3 } } }, "name must be a string, not a number")
        refused({ events = { { height }, {} } }, "event 2: g is needed")
        refused({ events = { { height, directoin = 1 } } },
            "event 1 has no parameter 'directoin'; did you mean 'direction'")
        refused({ events = height }, "events must be a list")
    end)

    it("of the solve are refused by name", function()
        refused({ tt = 1 }, "ode.solve has no parameter 'tt'; did you mean 't'")
        refused({ y = {} }, "y must have from 1")
        refused({ y = { 1, "a" } }, "y%[2%] must be a number, not a string")
        refused({ y = { 1, 0/0 } }, "y%[2%] = %-?nan is not allowed; it must be any finite number")
        refused({ t = "later" }, "t must be a number, not a string")
        refused({ t = math.huge }, "t = inf s is not allowed; it must be any finite number of s")
        refused({ rhs = 1 }, "rhs must be a function or a system, not a number")
        refused({ solver = {} }, "solver must be a solver, not a table")
        refused({ names = { "x" } }, "names must be a list of 2 strings")
        refused({ solver = pc.solver.symplectic { step = 0.1 } }, "symplectic needs a system of as many positions")
        assert.error_matches(function() solve() end, "takes a table")
        assert.error_matches(function() solve { y = 1, t = 1 } end, "rhs is needed")
    end)

    it("tables are not changed", function()
        local options = { rhs = oscillator, y = { 1, 0 }, t = 1, events = { { height } } }
        solve(options)
        assert.same({ 1, 0 }, options.y)
        assert.is_nil(options.events[1].name)
    end)
end)

describe("failures", function()
    it("in a callback come out once, as they were thrown, at every stage of a solve", function()
        local thrown = { "mine" }
        for stage = 1, 200 do
            local left = stage
            local function tick()
                left = left - 1
                if left == 0 then error(thrown) end
            end
            local event = { function(_, x) tick() return x end, action = function(_, x, v) tick() return x, v end }
            local ok, value = pcall(solve, {
                rhs = function(_, x, v) tick() return v, -x end, y = { 1, 0 }, t = 10, events = { event } })
            assert.is_false(ok)
            assert.equal(thrown, value)
        end
    end)

    it("bring the traceback of the callback", function()
        local _, e = pcall(solve, { rhs = function() error "deep" end, y = 1, t = 1 })
        assert.matches("ode_spec.lua:%d+: deep$", e.message)
        assert.matches("ode_spec.lua:%d+: in function", e.traceback)
    end)

    it("of numbers carry code, time, quantity and the motion so far", function()
        local ok, e = pcall(solve, { rhs = function(_, y) return y^2 end, y = 1, t = 2 })
        assert.is_false(ok)
        assert.equal("numeric", e.code)
        near(e.time, 1, 1e-6)
        assert.equal("error", e.partial.stop)
        near(e.partial:at(0.5), 2, 1e-7)
    end)

    it("of an event function name it and its time", function()
        local ok, e = pcall(solve, { rhs = oscillator, y = { 0, 1 }, t = 10,
            events = { { function(t, x) return t > 0.5 and 0/0 or x + 1 end, name = "gap" } } })
        assert.is_false(ok)
        assert.same({ "numeric", "gap" }, { e.code, e.quantity })
        assert.is_true(e.time > 0.5 and e.time < 2)
        assert.matches("event gap is not a number at t = ", tostring(e), 1, true)
        assert.is_true(e.partial.time <= 0.5)
    end)

    it("of a yield are explained", function()
        local co = coroutine.wrap(function()
            return pcall(solve, { rhs = function() coroutine.yield() return 1 end, y = 1, t = 1 })
        end)
        local ok, message = co()
        assert.is_false(ok)
        assert.matches("rhs must not yield", message, 1, true)
    end)

    it("by too many steps or events keep what there is", function()
        local few = pc.solver.dop853 { max_steps = 50 }
        local ok, e = pcall(solve, { rhs = oscillator, y = { 0, 1 }, t = 1e6, solver = few })
        assert.same({ false, "limit" }, { ok, e.code })
        assert.matches("50 steps, the solver's max_steps, did not reach t = 1e%+06", e.message)
        assert.equal(50, e.partial.statistics.steps + e.partial.statistics.rejected)
        ok, e = pcall(solve, { rhs = oscillator, y = { 0, 1 }, t = 1e6, max_events = 5, events = { { height } } })
        assert.same({ false, "limit", 5 }, { ok, e.code, #e.partial.events })
    end)

    it("leave no stack or memory behind", function()
        local function failing()
            pcall(solve, { rhs = function(t) return t > 0.5 and error "x" or 1 end, y = 1, t = 1 })
        end
        -- twice: what has a finalizer goes in the cycle after it has run
        local function collect() collectgarbage() collectgarbage() end
        for _ = 1, 10 do failing() end
        collect()
        local before = collectgarbage "count"
        for _ = 1, 1000 do failing() end
        collect()
        assert.is_true(collectgarbage "count" - before < 20) -- kB; a thousand leaks would be more
    end)
end)

describe("an interruption", function()
    it("ends a solve within its callback, and pcall does not hold it up", function()
        local script = scratch()
        local file <close> = assert(io.open(script, "w"))
        file:write [[
            local pc = require "percuss"
            local calls, pid = 0, io.open("/proc/self/stat"):read "n"
            local ok, e = pcall(pc.ode.solve, { y = { 1, 0 }, t = 1e9, rhs = function(_, x, v)
                calls = calls + 1
                if calls == 5000 then io.popen("kill -INT " .. pid):close() end
                return v, -x
            end })
            io.stderr:write "never"
        ]]
        file:close()
        local pipe = assert(io.popen(("%s %s 2>&1"):format(arg[-1], script)))
        local text = pipe:read "a"
        local _, _, code = pipe:close()
        assert.equal(130, code)
        assert.falsy(text:find("never", 1, true))
        assert.matches("interrupted", text, 1, true)
    end)
end)

describe("aggressive collection", function()
    it("does not disturb a solve", function()
        collectgarbage("setpause", 1)
        local m = solve { rhs = function(_, x, v) collectgarbage "step" return v, -x end, y = { 1, 0 }, t = 10,
                          events = { { height, name = "x" .. 1 } } }
        collectgarbage("setpause", 200)
        assert.equal(3, #m.events)
        assert.equal("x1", m.events[1].name)
    end)
end)

describe("built-in systems", function()
    it("have Jacobians that are the derivatives of their rates", function()
        -- the stiff method with the built-in Jacobian against the same equations in Lua with differences
        local mu = 50
        local solver = pc.solver.rodas5p { rtol = 1e-9, atol = 1e-9 }
        local built = pc.ode.solve { rhs = pc.system.van_der_pol { mu = mu }, t = 20, solver = solver }
        local lua = pc.ode.solve {
            rhs = function(_, x, v) return v, mu * (1 - x * x) * v - x end, y = { 2, 0 }, t = 20, solver = solver,
        }
        -- both hold 1e-9 a step on a slow branch whose errors decay
        assert.near(lua.y[1], built.y[1], 1e-7)
    end)

    it("agree with closed forms and invariants", function()
        local swing = pc.ode.solve { rhs = pc.system.oscillator { mass = 2, stiffness = 8 }, t = math.pi }
        assert.near(1, swing.y[1], 1e-7) -- period pi, default tolerances
        local tight = pc.solver.dop853 { rtol = 1e-12, atol = 1e-12 }
        local orbit = pc.ode.solve { rhs = pc.system.kepler {}, t = 2 * math.pi, solver = tight }
        assert.near(1, orbit.y[1], 1e-9)
        assert.near(0, orbit.y[2], 1e-9)
        local mixture = pc.ode.solve { rhs = pc.system.robertson {}, t = 1e5, solver = pc.solver.rodas5p {} }
        assert.near(1, mixture.y[1] + mixture.y[2] + mixture.y[3], 1e-10)
        local steps = pc.ode.solve { rhs = pc.system.pendulum {}, t = 1, solver = pc.solver.symplectic { step = 1e-3 } }
        assert.near(pc.ode.solve { rhs = pc.system.pendulum {}, t = 1 }.y[1], steps.y[1], 1e-6)
    end)

    it("bring state, names and structure of their own", function()
        local motion = pc.ode.solve { rhs = pc.system.lorenz {}, t = 1 }
        assert.equal(3, #motion.y)
        local z = motion:columns(pc.linspace(0, 1, 5)).z
        assert.near(motion.y[3], z[5], 1e-12)
        assert.is_false(pcall(pc.ode.solve, { rhs = pc.system.lorenz {}, y = { 1 }, t = 1 }))
        assert.is_false(pcall(pc.ode.solve, { rhs = pc.system.lorenz {}, t = 1, autonomous = true }))
        local ok, message = pcall(pc.ode.solve, {
            rhs = pc.system.oscillator {}, t = 9,
            events = { { function(_, x) return x end, action = function() return function() return 0, 0 end end } },
        })
        assert.is_false(ok)
        assert.truthy(tostring(message):find("built-in system", 1, true))
    end)
end)
