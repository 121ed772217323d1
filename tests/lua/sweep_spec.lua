-- percuss.sweep: where points lie, what a function may do, what a store remembers, boundaries, sensitivity.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"

-- A sweep whose function does little; options override.
local function sweep(options)
    local spec = {
        over = { { "x", { 1, 2, 3 } } }, columns = { "y" }, run = function(p) return { y = 10 * p.x } end, jobs = 2,
    }
    for key, value in pairs(options) do spec[key] = value end
    -- no tail call: an error tells the line of the caller
    local t, message, code = pc.sweep(spec)
    return t, message, code
end

describe("the points of a sweep", function()
    it("run through the last axis fastest", function()
        local t = sweep{
            over = { { "x", { 1, 2 }, unit = "m" }, { "k", { 5, 6, 7 } } }, columns = { "s" }, units = { s = "J" },
            run = function(p) return { s = 10 * p.x + p.k } end,
        }
        assert.are.equal(pc.array{ 15, 16, 17, 25, 26, 27 }, t.s)
        assert.are.equal(pc.array{ 1, 1, 1, 2, 2, 2 }, t.x)
        assert.are.same({ x = "m", k = "", s = "J" }, t.units)
        assert.are.same({ "x", "k", "s" }, t.names)
    end)

    it("pair zipped axes", function()
        local t = sweep{
            over = { { "x", { 1, 2, 3 } }, { "k", { 4, 5, 6 } } }, sampling = "zip",
            run = function(p) return { y = p.x * p.k } end,
        }
        assert.are.equal(pc.array{ 4, 10, 18 }, t.y)
        assert.has_error(function() sweep{ over = { { "x", { 1, 2 } }, { "k", { 1 } } }, sampling = "zip" } end)
    end)

    it("lie in their bounds, and depend on the seed alone", function()
        for _, sampling in ipairs{ "random", "sobol", "latin" } do
            local function sample(seed, jobs)
                return sweep{
                    over = { { "x", { -2, 3 } }, { "k", { 10, 11 } } }, sampling = sampling, points = 200, seed = seed,
                    jobs = jobs, run = function(p) return { y = p.x + p.k } end,
                }
            end
            local t = sample(4, 2)
            assert.is_true(t.x:min() >= -2 and t.x:max() < 3 and t.k:min() >= 10 and t.k:max() < 11)
            assert.are.equal(t.x, sample(4, 1).x)
            assert.are_not.equal(t.x, sample(5, 2).x)
            assert.are.equal(t.x + t.k, t.y)
        end
    end)

    it("of shards make up the whole", function()
        local whole, seen = sweep{ over = { { "x", pc.array.range(1, 20) } } }, {}
        for i = 1, 3 do
            local part = sweep{ over = { { "x", pc.array.range(1, 20) } }, shard = i .. "/3" }
            for k = 1, #part do seen[part.x[k]] = part.y[k] end
        end
        for i = 1, 20 do assert.are.equal(whole.y[i], seen[i]) end
    end)
end)

describe("the function of a sweep", function()
    it("may use everything that the script has, and changes nothing of it", function()
        local factor, log = 3, {}
        local t = sweep{ run = function(p)
            log[#log + 1] = p.x
            return { y = factor * p.x }
        end }
        assert.are.equal(pc.array{ 3, 6, 9 }, t.y)
        assert.are.equal(0, #log)
    end)

    it("has random numbers of its own at each point, whoever computes it", function()
        local function random(jobs, seed)
            return sweep{ over = { { "x", pc.array.range(1, 50) } }, jobs = jobs, seed = seed,
                run = function() return { y = math.random() } end }.y
        end
        assert.are.equal(random(1), random(3))
        assert.are_not.equal(random(1), random(1, 9))
        assert.are.equal(50, #random(2):unique())
    end)

    it("returns numbers and booleans; anything else is a failure of its point", function()
        local results = { { y = true }, { y = 1 // 1 }, { y = 0.5 }, { y = "1" }, {}, 7, { y = -0.0 } }
        local t = sweep{ over = { { "x", pc.array.range(1, 7) } }, run = function(p) return results[p.x // 1] end }
        assert.are.equal(pc.array{ 1, 1, 0.5 }, t.y:slice(1, 3))
        local said = {}
        for _, failure in ipairs(t:failures()) do said[failure[1]] = failure[2] end
        assert.matches("a string as 'y'", said[4])
        assert.matches("no 'y'", said[5])
        assert.matches("must return a table", said[6])
        assert.are.equal("inf", tostring(1 / t.y[7]), "a sign of zero would be lost in a store")
    end)

    it("fails with its message, whatever it throws", function()
        local thrown = { "plain", { code = 3 }, setmetatable({}, { __tostring = function() return "spoken" end }) }
        local t = sweep{ run = function(p) error(thrown[p.x // 1], 0) end }
        local list = t:failures()
        assert.are.equal("plain", list[1][2])
        assert.matches("^table", list[2][2])
        assert.are.equal("spoken", list[3][2])
        assert.are.equal(3, t.info.failed)
        assert.matches("3 failed; point %d+: .", tostring(t)) -- and why the first one did
        assert.is_true(t.y[1] ~= t.y[1])
    end)

    it("may run a sweep itself", function()
        local t = sweep{ run = function(p)
            local inner = pc.sweep{
                over = { { "u", { 1, 2, 3, 4 } } }, columns = { "v" }, run = function(q) return { v = q.u * p.x } end,
            }
            return { y = inner.v:sum() }
        end }
        assert.are.equal(pc.array{ 10, 20, 30 }, t.y)
    end)
end)

describe("a request that makes no sense", function()
    local cases = {
        { { columns = {} }, "columns must be a list" },
        { { over = {} }, "over must be a list" },
        { { run = 3 }, "run must be a function" },
        { { colums = { "y" } }, "no parameter 'colums'; did you mean 'columns'" },
        { { sampling = "gird" }, [[did you mean "grid"]] },
        { { sampling = "random", over = { { "x", { 0, 1 } } } }, "points are needed" },
        { { sampling = "sobol", points = 4 }, "its bounds { lo, hi }" },
        { { jobs = 0 }, "jobs = 0 is not allowed; it must be from 1 to 256" },
        { { units = { z = "m" } }, "'z', which is no column" },
        { { columns = { "error" } }, "no column can be called 'error'" },
        { { columns = { "X" } }, "differ in case" },
        { { over = { { "x", {} } } }, "'x' has no values" },
        { { over = { { "x", "1, 2" } } }, "must be an array" },
        { { shard = "4/3" }, "1 <= i <= n" },
        { { refine = { column = "z", depth = 2 } }, "column = z is not among" },
        { { refine = { column = "y", depth = 0 } }, "depth = 0 is not allowed; it must be from 1 to 30" },
        { { store = "x.db", name = "sqlite_x" }, "no sweep can be called" },
    }
    for _, case in ipairs(cases) do
        it("is refused: " .. case[2], function()
            local ok, message = pcall(sweep, case[1])
            assert.is_false(ok)
            assert.is_truthy(message:find(case[2], 1, true), message)
            assert.matches("^[^:]*sweep_spec.lua:%d+: sweep:? ", message)
        end)
    end
end)

describe("a store", function()
    local path

    before_each(function() path = scratch() end)

    it("gives back exactly what was computed", function()
        local function run() return sweep{ over = { { "x", pc.linspace(0, 1, 40) } }, store = path,
            run = function(p) return { y = math.sin(p.x) / (p.x - 0.5) } end } end
        local first, second = run(), run()
        assert.are.equal(40, first.info.computed)
        assert.are.equal(40, second.info.skipped)
        assert.are.equal(0, second.info.computed)
        assert.are.equal(first.y, second.y)
        assert.are.equal(first.y, pc.store.read(path).y)
    end)

    it("asks what to do when the function has changed", function()
        local function run(f, changed) return sweep{ store = path, run = f, changed = changed } end
        local k = 1
        local function f(p) return { y = k * p.x } end
        run(f)
        assert.are.equal(3, run(f).info.skipped)
        k = 2
        assert.error_matches(function() run(f) end, "the function .* changed")
        assert.are.equal(pc.array{ 1, 2, 3 }, run(f, "keep").y)
        assert.are.equal(pc.array{ 2, 4, 6 }, run(f, "restart").y)
        assert.are.equal(3, run(f).info.skipped)
        assert.error_matches(function() sweep{ store = path, over = { { "x", { 1, 2 } } } } end, "another sweep")
    end)

    it("holds several sweeps by name", function()
        sweep{ store = path, name = "one" }
        sweep{ store = path, name = "two", over = { { "x", { 7 } } } }
        assert.error_matches(function() pc.store.read(path) end, "several sweeps")
        assert.are.equal(pc.array{ 70 }, pc.store.read(path, "two").y)
    end)

    it("that cannot be used is a failure of the environment", function()
        local t, message, code = sweep{ store = "/nowhere/x.db" }
        assert.is_nil(t)
        assert.matches("/nowhere/x.db", message)
        assert.are.equal("system", code)
        assert.is_nil((pc.store.read("/nowhere/x.db")))
    end)

    it("is not begun by a merge where a part is misspelt or no store", function()
        local target, foreign = scratch(), scratch()
        local file = assert(io.open(foreign, "w"))
        file:write "no store"
        file:close()
        for _, part in ipairs{ scratch(), foreign } do
            local sweeps, message = pc.store.merge(target, { part })
            assert.is_nil(sweeps)
            assert.truthy(message:find(part, 1, true), message)
            assert.is_nil(io.open(target))
        end
        assert.error_matches(function() pc.store.merge(target, { 3 }) end,
            "store.merge: part 1 must be the name of a store, not a number")
        assert.is_nil(io.open(target))
    end)
end)

describe("the identity of a function", function()
    local digest = require("percuss.identity").digest

    local function load_function(text, env) return load(text, "=chunk", "t", env)() end

    it("does not depend on where it stands", function()
        local a = load_function "return function(p) return { y = p.x + 1 } end"
        local b = load_function "\n\n-- moved\nreturn function(p)\n return { y = p.x + 1 } end"
        assert.are.equal(digest(a), digest(b))
    end)

    it("depends on code, constants, caught values and named globals, however deep", function()
        local seen = {}
        local texts = {
            "return function(p) return p + 1 end", "return function(p) return p - 1 end",
            "return function(p) return p + 2 end", "return function(p) return p + 1.0 end",
            "return function(p) return 'a' end", "return function(p) return 'b' end",
            "local k = 1 return function(p) return p + k end", "local k = 2 return function(p) return p + k end",
            "local t = { a = { b = 1 } } return function(p) return t end",
            "local t = { a = { b = 2 } } return function(p) return t end",
            "local function f() return 1 end return function(p) return f() end",
            "local function f() return 2 end return function(p) return f() end",
        }
        for _, text in ipairs(texts) do
            local d = digest(load_function(text))
            assert.is_nil(seen[d], text .. " has the digest of " .. tostring(seen[d]))
            seen[d] = text
        end
        local env = { k = 1 }
        local f = load_function("return function(p) return k end", env)
        local before = digest(f)
        env.other = 1
        assert.are.equal(before, digest(f))
        env.k = 2
        assert.are_not.equal(before, digest(f))
    end)

    it("sees parameters of objects to the last bit, and stays the same from run to run", function()
        local function with(mu)
            local law = pc.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.2, friction = mu }
            return function() return law end
        end
        assert.are.equal(digest(with(0.3)), digest(with(0.3)))
        assert.are_not.equal(digest(with(0.3)), digest(with(0.3 + 1e-16)))
        local function array(x)
            local a = pc.array{ x }
            return function() return a end
        end
        assert.are.equal(digest(array(1)), digest(array(1)))
        assert.are_not.equal(digest(array(1)), digest(array(2)))
    end)

    it("ends where tables and functions hold each other", function()
        local t = {}
        t.t, t.f = t, function() return t end
        assert.are.equal(digest(t.f), digest(t.f))
    end)
end)

describe("a boundary", function()
    it("between two points of an axis is found to the depth asked for", function()
        local t = sweep{
            over = { { "x", pc.linspace(0, 2, 5), unit = "m" } }, columns = { "big" },
            run = function(p) return { big = p.x > math.sqrt(2) } end, refine = { column = "big", depth = 20 },
        }
        local b = t.info.boundary
        assert.are.equal(1, #b)
        assert.is_true(math.abs(b.x[1] - math.sqrt(2)) <= b.x_error[1])
        assert.are.equal(0.5 * 0.5 / 2 ^ 20, b.x_error[1])
        assert.are.equal(5 + 20, #t)
        assert.are.equal("m", b.units.x)
    end)

    it("in the plane is followed all round, with few points", function()
        local t = sweep{
            over = { { "x", pc.linspace(-2, 2, 9) }, { "y", pc.linspace(-2, 2, 9) } }, columns = { "inside" },
            run = function(p) return { inside = p.x ^ 2 + p.y ^ 2 < 1.7 } end,
            refine = { column = "inside", depth = 5 },
        }
        local b = t.info.boundary
        local distance = ((b.x ^ 2 + b.y ^ 2):sqrt() - math.sqrt(1.7)):abs()
        -- a cell that the circle passes has its centre within half a diagonal of it
        assert.is_true(distance:max() <= b.x_error[1] * math.sqrt(2) * (1 + 1e-12))
        -- the circle's length over the side of a cell, times at most 4/sqrt(2) cells a side: none is missing
        local side = 2 * b.x_error[1]
        assert.is_true(#b >= 2 * math.pi * math.sqrt(1.7) / side)
        assert.is_true(#t < 0.2 * (8 * 32 + 1) ^ 2)
        -- all round: a cell in every one of 64 directions
        local seen = {}
        for i = 1, #b do seen[math.floor((math.atan(b.y[i], b.x[i]) / math.pi + 1) * 32) % 64] = true end
        for k = 0, 63 do assert.is_true(seen[k], "direction " .. k) end
    end)

    it("is resumed from a store", function()
        local path = scratch()
        local function run()
            return sweep{
                over = { { "x", pc.linspace(0, 2, 3) } }, columns = { "big" }, store = path,
                run = function(p) return { big = p.x > 0.7 } end, refine = { column = "big", depth = 4 },
            }
        end
        local first, second = run(), run()
        assert.are.equal(#first, second.info.skipped)
        assert.are.equal(0, second.info.computed)
        assert.are.equal(first.x, second.x)
    end)
end)

describe("Sobol indices", function()
    -- Ishigami's function with a = 7, b = 0.1: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2 (Saltelli et al. 2010)
    local pi = math.pi
    local V = 7 ^ 2 / 8 + 0.1 * pi ^ 4 / 5 + 0.01 * pi ^ 8 / 18 + 0.5
    local exact = {
        first = { 0.5 * (1 + 0.1 * pi ^ 4 / 5) ^ 2 / V, 49 / 8 / V, 0 },
        total = {
            0.5 * (1 + 0.1 * pi ^ 4 / 5) ^ 2 / V + 0.01 * pi ^ 8 * (1 / 18 - 1 / 50) / V, 49 / 8 / V,
            0.01 * pi ^ 8 * (1 / 18 - 1 / 50) / V,
        },
    }

    it("of Ishigami's function lie in their confidence intervals", function()
        local s = pc.sensitivity{
            over = { { "x", { -pi, pi } }, { "y", { -pi, pi } }, { "z", { -pi, pi } } }, columns = { "f" },
            points = 2048,
            run = function(p) return { f = math.sin(p.x) + 7 * math.sin(p.y) ^ 2 + 0.1 * p.z ^ 4 * math.sin(p.x) } end,
        }
        assert.are.same({ "x", "y", "z" }, s.inputs)
        for _, kind in ipairs{ "first", "total" } do
            for d = 1, 3 do
                local lo, hi = s.f:column(kind .. "_lo")[d], s.f:column(kind .. "_hi")[d]
                -- the intervals are for independent points; the sequence does better, so all six hold
                assert.is_true(lo <= exact[kind][d] and exact[kind][d] <= hi, kind .. " " .. d)
                assert.is_true(hi - lo < 0.2)
            end
        end
    end)

    it("are refused where a point failed", function()
        assert.error_matches(function()
            pc.sensitivity{ over = { { "x", { 0, 1 } } }, columns = { "f" }, points = 4,
                run = function() error "no" end }
        end, "have no value")
    end)
end)
