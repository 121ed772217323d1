-- pc.array: what scripts see. The numbers themselves are tested in tests/c/test_array.c and test_array_order.c.

local pc = require "percuss"
local array = pc.array

-- The message of the error that f raises.
local function message(f, ...)
    local ok, err = pcall(f, ...)
    assert.is_false(ok)
    return tostring(err)
end

-- Evaluates an expression of arrays for its error: message_of "a + b" with locals in env.
local function message_of(code, env)
    return message(assert(load("return " .. code, "=code", "t", setmetatable(env, { __index = _G }))))
end

describe("making arrays", function()
    it("takes a table, an array, or a count with a fill", function()
        assert.same({ 1, 2, 3 }, array { 1, 2, 3 }:totable())
        assert.same({ 0, 0 }, array(2):totable())
        assert.same({ 7, 7 }, array(2, 7):totable())
        local a = array { 1, 2 }
        local b = array(a)
        b[1] = 9
        assert.same({ 1, 2 }, a:totable())
        assert.equal(0, #array {})
        assert.equal("-0.0", tostring(array(1, -0.0)[1]))
    end)

    it("names the element that is not a number", function()
        assert.matches("element %[2%] must be a number, not a string", message(array, { 1, "2" }))
        assert.matches("element %[2%] must be a number, not a nil", message(array, { 1, nil, 3 }))
        assert.matches("must be a table of numbers, array or number of elements, not a string", message(array, "3"))
        assert.matches("what = %-1, must not be negative", message(array, -1))
        assert.matches("what = 1.5, must be a whole number", message(array, 1.5))
    end)

    it("makes zeros, ones, equal numbers and ranges", function()
        assert.same({ 0, 0 }, array.zeros(2):totable())
        assert.same({ 1, 1 }, array.ones(2):totable())
        assert.same({ 5, 5 }, array.full(2, 5):totable())
        assert.same({ 1, 2, 3 }, array.range(1, 3):totable())
        assert.same({ 3, 2.5, 2 }, array.range(3, 2, -0.5):totable())
        assert.equal(11, #array.range(0, 1, 0.1))
        assert.equal(0, #array.range(1, 0))
        assert.matches("must not be 0", message(array.range, 1, 2, 0))
    end)

    it("makes linear and logarithmic sequences with exact ends", function()
        local a = pc.linspace(0.1, 0.7, 100)
        assert.equal(100, #a)
        assert.equal(0.1, a[1])
        assert.equal(0.7, a[100])
        assert.same({ 1, 10, 100 }, pc.logspace(1, 100, 3):totable())
        assert.matches("values, not exponents", message(pc.logspace, 0, 2, 3))
        assert.matches("cannot be both 1 and 2", message(pc.linspace, 1, 2, 1))
        assert.matches("must be finite", message(pc.linspace, 1, math.huge, 3))
    end)

    it("refuses a size that no object can have", function()
        assert.matches("an array of 9223372036854775807 elements is too large", message(array, math.maxinteger))
    end)

    it("names the nearest function", function()
        assert.matches("did you mean 'zeros'", message(function() return array.zeroes(3) end))
        assert.matches("did you mean 'linspace'", message(function() return pc.linspce(0, 1, 3) end))
    end)
end)

describe("elements of arrays", function()
    local a
    before_each(function() a = array { 10, 20, 30 } end)

    it("count from 1 and end with nil", function()
        assert.equal(3, #a)
        assert.equal(10, a[1])
        assert.equal(30, a[3])
        assert.equal(20, a[2.0])
        assert.is_nil(a[4])
    end)

    it("are run over by ipairs, pairs and #", function()
        for _, run in ipairs { ipairs, pairs } do
            local seen = {}
            for i, x in run(a) do seen[i] = x end
            assert.same({ 10, 20, 30 }, seen)
        end
    end)

    it("refuse positions that are mistakes", function()
        for _, i in ipairs { 0, -1, math.mininteger } do
            assert.matches(("count from 1; [%d] is not allowed"):format(i):gsub("[%[%]%-]", "%%%0"),
                message(function() return a[i] end))
            assert.matches("count from 1", message(function() a[i] = 1 end))
        end
        assert.matches("whole numbers, not 1.5", message(function() return a[1.5] end))
        assert.matches("whole numbers, not true", message(function() return a[true] end))
    end)

    it("can be changed but not added", function()
        a[2] = 7
        assert.same({ 10, 7, 30 }, a:totable())
        assert.matches("%[4%] is beyond the end of an array of 3 elements", message(function() a[4] = 1 end))
        assert.matches("must be a number, not a string", message(function() a[1] = "1" end))
        assert.matches("must be a number, not a nil", message(function() a[1] = nil end))
        assert.matches("field 'x' cannot be set", message(function() a.x = 1 end))
    end)

    it("are not methods, and misspelt methods are named", function()
        assert.matches("no method 'summ'; did you mean 'sum'", message(function() return a:summ() end))
        assert.matches("no method 'qqqqqqqq'$", message(function() return a.qqqqqqqq end))
    end)

    it("print short, with an ellipsis when there are many", function()
        assert.equal("array[3] {10, 20, 30}", tostring(a))
        assert.equal("array[0] {}", tostring(array {}))
        assert.equal("array[10] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}", tostring(array.range(1, 10)))
        assert.equal("array[1000001] {0, 0.1, 0.2, ..., 100000}", tostring(array.range(0, 1e5, 0.1)))
    end)

    it("print with a separator and a format", function()
        assert.equal("10, 20, 30", a:concat())
        assert.equal("10.0|20.0|30.0", a:concat("|", "%.1f"))
        assert.equal("", array {}:concat("|"))
        local long = a:concat("", "%099.99f")
        assert.equal(3 * 102, #long)
        assert.equal(409, #array { -1.7976931348623157e308 }:concat("", "%.98f"))
        for _, format in ipairs { "%d", "%s", "%f%f", "x%f", "%", "", "%100f", "%.100f", "%n", "%lf", "%*f" } do
            assert.matches("one conversion of a number", message(a.concat, a, "", format))
        end
    end)
end)

describe("slices of arrays", function()
    local a = array.range(1, 6)

    it("are copies of first, first + step, ..., last", function()
        assert.same({ 1, 2, 3, 4, 5, 6 }, a:slice():totable())
        assert.same({ 2, 3 }, a:slice(2, 3):totable())
        assert.same({ 5, 6 }, a:slice(5):totable())
        assert.same({ 1, 4 }, a:slice(1, 6, 3):totable())
        assert.same({ 2, 4 }, a:slice(2, 5, 2):totable())
        assert.same({ 6, 4, 2 }, a:slice(nil, nil, -2):totable())
        assert.same({ 3 }, a:slice(3, 6, math.maxinteger):totable())
        assert.same({ 3 }, a:slice(3, 1, math.mininteger):totable())
        local s = a:slice(1, 2)
        s[1] = 100
        assert.equal(1, a[1])
    end)

    it("may be empty", function()
        assert.equal(0, #a:slice(3, 2))
        assert.equal(0, #a:slice(1, 0))
        assert.equal(0, #array {}:slice())
        assert.equal(0, #a:slice(1, 6, -1))
    end)

    it("refuse positions outside the array and a zero step", function()
        assert.matches("%[7%] is beyond the end of an array of 6", message(a.slice, a, 1, 7))
        assert.matches("%[0%] is not allowed", message(a.slice, a, 0, 3))
        assert.matches("%[%-3%] is not allowed", message(a.slice, a, -3, 3))
        assert.matches("step = 0, must not be 0", message(a.slice, a, 1, 3, 0))
    end)

    it("can be overwritten with numbers, arrays and lists", function()
        local b = array(5)
        assert.equal(b, b:set_slice(1, 2, 7))
        b:set_slice(4, 5, array { 8, 9 })
        assert.same({ 7, 7, 0, 8, 9 }, b:totable())
        b:set_slice(nil, nil, { 1, 2, 3 }, 2)
        assert.same({ 1, 7, 2, 8, 3 }, b:totable())
        assert.matches("the slice has 2 elements, but 3 are given", message(b.set_slice, b, 1, 2, { 1, 2, 3 }))
    end)

    it("of an array onto itself behave as if copied first", function()
        local b = array { 1, 2, 3, 4 }
        b:set_slice(nil, nil, b, -1)
        assert.same({ 4, 3, 2, 1 }, b:totable())
    end)
end)

describe("arithmetic of arrays", function()
    local a, b = array { 1, 2, 4 }, array { 2, -4, 8 }

    it("is Lua's, element by element", function()
        local cases = { -- operator as a function
            function(x, y) return x + y end, function(x, y) return x - y end, function(x, y) return x * y end,
            function(x, y) return x / y end, function(x, y) return x // y end, function(x, y) return x % y end,
            function(x, y) return x ^ y end,
        }
        for _, f in ipairs(cases) do
            local both, right, left = f(a, b), f(a, -3), f(3, b)
            for i = 1, 3 do
                assert.equal(f(a[i], b[i]), both[i])
                assert.equal(f(a[i], -3.0), right[i])
                assert.equal(f(3.0, b[i]), left[i])
            end
        end
        assert.same({ -1, -2, -4 }, (-a):totable())
    end)

    it("names both lengths where they differ", function()
        for _, op in ipairs { "+", "-", "*", "/", "//", "%", "^" } do
            assert.matches("arrays of 3 and 2 elements do not go together",
                message_of("a " .. op .. " b", { a = a, b = array { 1, 2 } }))
        end
    end)

    it("refuses what is no number", function()
        assert.matches("must be an array or number, not a string", message_of("a + '1'", { a = a }))
        assert.matches("must be an array or number, not a table", message_of("{ 1 } * a", { a = a }))
        assert.matches("must be an array or number, not nothing", message_of("a / nil", { a = a }))
    end)

    it("leaves its operands alone", function()
        assert.same({ 1, 2, 4 }, a:totable())
        assert.same({ 2, -4, 8 }, b:totable())
    end)

    it("joins arrays and numbers", function()
        assert.same({ 1, 2, 4, 2, -4, 8 }, (a .. b):totable())
        assert.same({ 1, 2, 4, 9 }, (a .. 9):totable())
        assert.same({ 9, 1, 2, 4 }, (9 .. a):totable())
        assert.matches("not with a string", message_of("a .. 'x'", { a = a }))
    end)

    it("compares whole arrays by value", function()
        assert.is_true(a == array { 1, 2, 4 })
        assert.is_true(a ~= array { 1, 2, 5 })
        assert.is_true(a ~= array { 1, 2 })
        assert.is_true(a ~= b)
        local nan = array { 0 / 0 }
        assert.is_true(nan ~= nan:copy())
    end)

    it("says what to use instead of <", function()
        assert.matches("a:lt%(b%)", message_of("a < b", { a = a, b = b }))
        assert.matches("give masks", message_of("a >= 1", { a = a }))
    end)
end)

describe("masks", function()
    local a = array { 3, -1, 4, -1, 5 }

    it("compare with arrays and numbers", function()
        assert.same({ 0, 1, 0, 1, 0 }, a:lt(0):totable())
        assert.same({ 1, 0, 0, 0, 0 }, a:eq(array { 3, 0, 0, 0, 0 }):totable())
        assert.same({ 0, 0, 1, 0, 1 }, a:gt(3):totable())
        assert.same({ 1, 0, 1, 0, 1 }, a:ge(3):totable())
        assert.same({ 1, 1, 0, 1, 0 }, a:le(3):totable())
        assert.same({ 0, 1, 1, 1, 1 }, a:ne(3):totable())
        assert.matches("arrays of 5 and 1", message(a.lt, a, array { 1 }))
        assert.matches("as a method of an array, not of a number", message(a.lt, 1, 2))
    end)

    it("answer any, all, count and find", function()
        assert.is_true(a:lt(0):any())
        assert.is_false(a:lt(-5):any())
        assert.is_true(a:lt(6):all())
        assert.is_false(a:lt(5):all())
        assert.is_true(array {}:all())
        assert.is_false(array {}:any())
        assert.equal(2, a:lt(0):count())
        assert.same({ 2, 4 }, a:lt(0):find():totable())
    end)

    it("select by where and by index", function()
        assert.same({ 3, 4, 5 }, a:where(a:gt(0)):totable())
        assert.same({ -1, -1 }, a[a:lt(0)]:totable())
        assert.matches("a mask of 1 elements does not fit an array of 5", message(a.where, a, array { 1 }))
    end)

    it("assign by index", function()
        local b = a:copy()
        b[b:lt(0)] = 0
        assert.same({ 3, 0, 4, 0, 5 }, b:totable())
        b[b:eq(0)] = array { 7, 8 }
        assert.same({ 3, 7, 4, 8, 5 }, b:totable())
        assert.matches("the mask selects 5 elements, but 1 are given",
            message(function() b[b:gt(0)] = array { 1 } end))
    end)

    it("choose between arrays and numbers", function()
        assert.same({ 3, 0, 4, 0, 5 }, array.select(a:lt(0), 0, a):totable())
        assert.same({ 1, 2, 1, 2, 1 }, array.select(a:gt(0), 1, 2):totable())
        assert.matches("arrays of 5 and 1", message(array.select, a, array { 1 }, 2))
    end)
end)

describe("functions of arrays", function()
    it("agree with the library of Lua", function()
        local x = array { 0.1, 0.5, 0.9 }
        for _, name in ipairs { "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "abs", "floor",
            "ceil" } do
            local y = x[name](x)
            for i = 1, #x do assert.equal(math[name](x[i]), y[i]) end
            assert.equal(y, x:map(name))
            assert.equal(y, x:map(math[name]))
        end
    end)

    it("take a second argument where they have one", function()
        assert.equal(math.atan(1, -2), array { 1 }:atan2(-2)[1])
        assert.same({ 5, 13 }, array { 3, 5 }:hypot(array { 4, 12 }):totable())
        assert.same({ 0, 0.5, 1 }, array { -3, 0.5, 2 }:clip(0, 1):totable())
        assert.matches("lo <= hi", message(function() return array { 1 }:clip(2, 1) end))
    end)

    it("map any function that returns numbers", function()
        local offset = 0.5
        assert.same({ 1.5, 2.5 }, array { 1, 2 }:map(function(x) return x + offset end):totable())
        assert.equal(0, #array {}:map(error))
        assert.matches("for %[2%] = 2.0 it returned a string",
            message(function() return array { 1, 2 }:map(function(x) return x < 2 and x or "2" end) end))
        assert.matches("no function 'sine' of arrays", message(function() return array { 1 }:map "sine" end))
        assert.matches("did you mean 'sqrt'", message(function() return array { 1 }:map "sqr" end))
    end)

    it("pass errors of the mapped function through, whatever they are", function()
        local thrown = {}
        local ok, caught = pcall(array { 1 }.map, array { 1 }, function() error(thrown) end)
        assert.is_false(ok)
        assert.equal(thrown, caught)
        assert.matches("oops", message(function() return array { 1 }:map(function() error "oops" end) end))
    end)

    it("refuse a mapped function that yields", function()
        local co = coroutine.wrap(function() return array { 1 }:map(coroutine.yield) end)
        assert.matches("must not yield", message(co))
    end)
end)

describe("reductions", function()
    local a = array { 2, 4, 4, 4, 5, 5, 7, 9 }

    it("give the textbook values", function()
        assert.equal(40, a:sum())
        assert.equal(5, a:mean())
        assert.equal(2, a:std(0))
        assert.equal(32 / 7, a:var())
        assert.equal(201600, a:prod())
        assert.equal(4.5, a:median())
        assert.equal(4, a:quantile(0.25))
        assert.same({ 2, 9 }, a:quantile { 0, 1 }:totable())
        assert.equal(2, a:min())
        assert.equal(9, a:max())
        assert.equal(1, a:argmin())
        assert.equal(8, a:argmax())
        assert.equal(11, array { 1, 2 }:dot { 3, 4 })
        assert.equal(5, array { 3, -4 }:norm())
        assert.equal(7, array { 3, -4 }:norm(1))
        assert.equal(4, array { 3, -4 }:norm(math.huge))
    end)

    it("of nothing are the neutral elements, or refused where there is none", function()
        local none = array {}
        assert.equal(0, none:sum())
        assert.equal(1, none:prod())
        assert.equal(0, none:norm())
        for _, name in ipairs { "mean", "min", "max", "argmin", "argmax", "median", "var", "std" } do
            assert.matches("empty array has no", message(none[name], none))
        end
    end)

    it("let NaN spread through sums and refuse it where an order is needed", function()
        local nan = array { 1, 0 / 0, 3 }
        for _, name in ipairs { "sum", "mean", "prod", "var", "norm" } do
            local x = nan[name](nan)
            assert.is_true(x ~= x, name)
        end
        for _, name in ipairs { "min", "max", "argmin", "argmax", "median" } do
            assert.matches("not a number at %[2%]", message(nan[name], nan))
        end
        assert.matches("not a number at %[2%]", message(nan.quantile, nan, 0.5))
    end)

    it("check their arguments", function()
        assert.matches("arrays of 8 and 1", message(a.dot, a, { 1 }))
        assert.matches("from 0 to 1, not 1.5", message(a.quantile, a, 1.5))
        assert.matches("1, 2 or math.huge, not 3", message(a.norm, a, 3))
        assert.matches("must not be negative", message(a.var, a, -1))
        assert.matches("needs more than 1 elements, not 1", message(function() return array { 1 }:var() end))
    end)
end)

describe("cumulation and calculus", function()
    it("give sums, products and differences along the array", function()
        local a = array { 1, 2, 3, 4 }
        assert.same({ 1, 3, 6, 10 }, a:cumsum():totable())
        assert.same({ 1, 2, 6, 24 }, a:cumprod():totable())
        assert.same({ 1, 1, 1 }, a:diff():totable())
        assert.equal(0, #array { 1 }:diff())
        assert.matches("at least one element", message(function() return array {}:diff() end))
        assert.equal(0, #array {}:cumsum())
    end)

    it("differentiate a sine to second order", function()
        -- the error of the three-point formula is h^2 / 6 inside and h^2 / 3 at the ends times the third derivative
        local worst = {}
        for i, n in ipairs { 101, 201 } do
            local x = pc.linspace(0, 1, n)
            worst[i] = (x:sin():gradient(x) - x:cos()):abs():max()
            assert.is_true(worst[i] < (1 / (n - 1)) ^ 2 / 3)
        end
        assert.is_true(worst[1] / worst[2] > 3.9 and worst[1] / worst[2] < 4.1)
    end)

    it("integrate over abscissae, a spacing, or steps of one", function()
        local y = array { 0, 1, 2 }
        assert.equal(2, y:trapz())
        assert.equal(1, y:trapz(0.5))
        assert.equal(4, y:trapz(array { 0, 2, 4 }))
        assert.same({ 0, 1, 4 }, y:cumtrapz(array { 0, 2, 4 }):totable())
        assert.matches("arrays of 3 and 2", message(y.trapz, y, array { 1, 2 }))
        assert.matches("arrays of 3 and 2", message(y.gradient, y, array { 1, 2 }))
        assert.matches("must rise or fall throughout", message(y.gradient, y, array { 0, 0, 1 }))
    end)
end)

describe("order", function()
    it("sorts copies, NaN last", function()
        local a = array { 3, 0 / 0, 1, 2 }
        local sorted = a:sort()
        assert.equal(3, a[1])
        assert.same({ 1, 2, 3 }, sorted:slice(1, 3):totable())
        assert.is_true(sorted[4] ~= sorted[4])
        assert.same({ 3, 4, 1, 2 }, a:argsort():totable())
        assert.same({ 1, 2, 3 }, array { 3, 1, 3, 2, 1 }:unique():totable())
        assert.same({ 3, 2, 1 }, array { 1, 2, 3 }:reverse():totable())
    end)

    it("searches ascending arrays only", function()
        local a = array { 10, 20, 30 }
        assert.equal(0, a:search(9))
        assert.equal(1, a:search(10))
        assert.equal(3, a:search(1e9))
        assert.same({ 2, 0 }, a:search { 20, 1 }:totable())
        assert.matches("must be ascending; %[1%] is 2 and %[2%] is 1", message(function()
            return array { 2, 1 }:search(1)
        end))
        assert.matches("the value is not a number", message(a.search, a, 0 / 0))
    end)

    it("interpolates numbers, arrays and lists", function()
        local xs, ys = array { 0, 1, 2 }, array { 0, 10, 40 }
        assert.equal(25, pc.interp(1.5, xs, ys))
        assert.same({ 5, 40 }, pc.interp({ 0.5, 2 }, xs, ys):totable())
        assert.same({ 5, 40 }, array { 0.5, 2 }:interp(xs, ys):totable())
        assert.matches("outside the data, which go from 0 to 2", message(pc.interp, 3, xs, ys))
        assert.equal(40, pc.interp(3, xs, ys, "hold"))
        assert.equal(-1, pc.interp(3, xs, ys, -1))
        assert.matches('must be "hold", not "clamp"', message(pc.interp, 3, xs, ys, "clamp"))
        assert.matches("as many xs as ys, not 3 and 2", message(pc.interp, 1, xs, { 1, 2 }))
        assert.matches("strictly ascending", message(pc.interp, 1, { 1, 1 }, { 1, 2 }))
    end)
end)

describe("the memory of arrays", function()
    it("is seen by the collector, so that temporaries do not pile up", function()
        -- Live are what was there before, the array, and at most two temporaries. The collector lets memory double
        -- before it begins a cycle; while the cycle runs, more is allocated: another doubling is generous. Without
        -- the collector's knowledge 640 MB would pile up.
        local kib = 800000 / 1024
        collectgarbage()
        collectgarbage()
        local base, peak, sum = collectgarbage "count", 0, 0
        local a = pc.linspace(0, 1, 100000)
        for i = 1, 800 do
            local b = a * i
            sum = sum + b[#b]
            peak = math.max(peak, collectgarbage "count")
        end
        assert.equal(800 * 801 / 2, sum)
        assert.is_true(peak < 4 * (base + 3 * kib))
    end)

    it("lets ten million elements be used with ease", function()
        local a = pc.linspace(0, 1, 10000000)
        assert.equal(5000000, a:sum())
        assert.equal(5000000, a:lt(0.5):count())
        assert.is_true(math.abs(a:trapz(a) - 0.5) < 1e-15)
    end)
end)
