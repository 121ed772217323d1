-- percuss.fit: against closed forms, at bounds, where data do not determine, and where things go wrong.
local pc = require "percuss"

local function line(x, y, extra)
    local columns = { { "x", x }, { "y", y } }
    for _, column in ipairs(extra or {}) do columns[#columns + 1] = column end
    return pc.table(columns)
end

local function straight(p, row) return p.a + p.b * row.x end

describe("a fit", function()
    it("of a straight line is the closed form, errors included", function()
        local x, y = pc.array{ 0, 1, 2, 4, 7 }, pc.array{ 1.1, 2.9, 5.2, 8.8, 15.3 }
        local f = pc.fit(line(x, y), straight, { { "a", 0.5 }, { "b", 1 } }, { columns = "y" })
        local n, sx, sxx, sy, sxy = #x, x:sum(), x:dot(x), y:sum(), x:dot(y)
        local det = n * sxx - sx * sx
        local b, a = (n * sxy - sx * sy) / det, (sxx * sy - sx * sxy) / det
        local r = y - (x * b + a)
        local s2 = r:dot(r) / (n - 2)
        -- the tolerance of the search is 1e-10 of the sum of squares, 1e-5 of its scatter in each parameter at most
        assert.is_true(math.abs(f.values.a - a) < 1e-7 and math.abs(f.values.b - b) < 1e-7)
        -- derivatives by central differences are good to 1e-10
        assert.is_true(math.abs(f.errors.a / math.sqrt(s2 * sxx / det) - 1) < 1e-6)
        assert.is_true(math.abs(f.errors.b / math.sqrt(s2 * n / det) - 1) < 1e-6)
        assert.is_true(math.abs(f:correlation("a", "b") + sx / math.sqrt(n * sxx)) < 1e-6)
        assert.are.equal(3, f.degrees)
        assert.is_true(f.converged and f.determined)
    end)

    it("has the same errors in every unit of what it finds", function()
        local function decay(unit)
            local t, y = {}, {}
            for i = 1, 12 do
                t[i] = 0.2 * i * unit
                y[i] = math.exp(-t[i] / (0.8 * unit)) + 0.01 * math.sin(7 * i)
            end
            return pc.fit(line(t, y), function(p, row) return math.exp(-row.x / p.time) end,
                { { "time", 0.5 * unit } }, { columns = "y" })
        end
        local known = decay(1)
        for _, unit in ipairs{ 1e-3, 1e-6, 1e-12, 1e6 } do
            local f = decay(unit)
            assert.is_true(f.determined)
            assert.is_true(math.abs(f.values.time / known.values.time / unit - 1) < 1e-6)
            assert.is_true(math.abs(f.errors.time / known.errors.time / unit - 1) < 1e-6, "unit " .. unit)
        end
    end)

    it("with standard deviations takes them as they are", function()
        local t = line({ 0, 1, 2 }, { 0, 1, 2 }, { { "s", { 0.5, 0.5, 0.5 } } })
        for _, sigma in ipairs{ 0.5, "s", { y = 0.5 } } do
            local f = pc.fit(t, straight, { { "a", 1 }, { "b", 0.5 } }, { columns = "y", sigma = sigma })
            -- exact data: the errors are those of the measurements alone
            assert.is_true(math.abs(f.errors.b - 0.5 / math.sqrt(2)) < 1e-6)
            assert.is_true(f.chi2 < 1e-12)
        end
    end)

    it("of several columns finds what made them", function()
        local t = pc.sweep{
            over = { { "t", pc.linspace(0, 3, 20), unit = "s" } }, columns = { "c", "s" },
            run = function(p)
                local r = 2 * math.exp(-0.7 * p.t)
                return { c = r * math.cos(3 * p.t), s = r * math.sin(3 * p.t) }
            end,
        }
        local f = pc.fit(t, function(p, row)
            local r = p.size * math.exp(-p.decay * row.t)
            return { c = r * math.cos(p.rate * row.t), s = r * math.sin(p.rate * row.t) }
        end, { { "size", 1, lo = 0 }, { "decay", 0.1, lo = 0, hi = 5 }, { "rate", 2.8 } }, { columns = { "c", "s" } })
        for name, x in pairs{ size = 2, decay = 0.7, rate = 3 } do
            assert.is_true(math.abs(f.values[name] - x) < 1e-7, name)
        end
    end)

    it("stops at a bound, and says that it does", function()
        local t = line({ 0, 1, 2, 3 }, { 0.1, -1, -2.1, -3 })
        local f = pc.fit(t, straight, { { "a", 0.5 }, { "b", 1, lo = 0, hi = 2 } }, { columns = "y" })
        assert.is_true(f.at_bound.b)
        assert.is_nil(f.errors.b)
        assert.is_true(math.abs(f.values.b) < 1e-5)
        assert.is_true(math.abs(f.values.a + 1.5) < 1e-4)
        assert.is_truthy(tostring(f):find("at its bound", 1, true))
    end)

    it("says when the data do not determine the parameters", function()
        local t = line({ 0, 1, 2, 3 }, { 0, 2, 4, 6 })
        local f = pc.fit(t, function(p, row) return (p.a + p.b) * row.x end, { { "a", 0.3 }, { "b", 0.4 } },
            { columns = "y" })
        assert.is_false(f.determined)
        assert.is_nil(f.errors.a)
        assert.is_true(math.abs(f.values.a + f.values.b - 2) < 1e-6)
    end)

    it("has a band that is the textbook's", function()
        local x, y = pc.array{ 0, 1, 2, 3, 4 }, pc.array{ 0.2, 0.9, 2.1, 2.8, 4.2 }
        local f = pc.fit(line(x, y), straight, { { "a", 0.1 }, { "b", 1.1 } }, { columns = "y" })
        local band = f:band(pc.table{ { "x", { 2, 10 } } })
        local s2 = f.chi2 / 3
        -- var y(x) = s2 (1/n + (x - mean)^2 / sum (x - mean)^2), here mean 2 and sum 10
        for i, at in ipairs{ 2, 10 } do
            local expected = math.sqrt(s2 * (1 / 5 + (at - 2) ^ 2 / 10))
            assert.is_true(math.abs(band.y_error[i] / expected - 1) < 1e-6)
        end
    end)

    it("covers the truth about as often as it says", function()
        local inside, n = 0, 200
        for seed = 1, n do
            local x = pc.linspace(0, 1, 12)
            local y = pc.array.zeros(12)
            math.randomseed(seed)
            for i = 1, 12 do
                local normal = math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
                y[i] = 1 + 2 * x[i] + 0.1 * normal
            end
            local f = pc.fit(line(x, y), straight, { { "a", 0 }, { "b", 1 } }, { columns = "y", sigma = 0.1 })
            if math.abs(f.values.b - 2) < f.errors.b then inside = inside + 1 end
        end
        -- 68.3 % of 200 with a standard deviation of 6.6; the seeds are fixed
        assert.is_true(math.abs(inside - 0.683 * n) < 4 * 6.6, tostring(inside))
    end)

    it("refuses what makes no sense", function()
        local t = line({ 0, 1 }, { 0, 1 })
        local cases = {
            { "parameters must be a list", t, straight, {}, { columns = "y" } },
            { "columns must be a string or a list, not nothing", t, straight, { { "a", 1 } }, {} },
            { "not inside its bounds", t, straight, { { "a", 1, lo = 1 } }, { columns = "y" } },
            { "did you mean 'columns'", t, straight, { { "a", 1 } }, { column = "y" } },
            { "must be a percuss table", {}, straight, { { "a", 1 } }, { columns = "y" } },
            { "no number for 'y'", t, function() return "1" end, { { "a", 1 } }, { columns = "y" } },
        }
        for _, case in ipairs(cases) do
            local ok, message = pcall(pc.fit, table.unpack(case, 2, 5))
            assert.is_false(ok)
            assert.is_truthy(tostring(message):find(case[1], 1, true), tostring(message))
        end
        assert.error_matches(function()
            pc.fit(t, straight, { { "a", 1 }, { "b", 1 }, { "c", 1 } }, { columns = "y" })
        end, "cannot determine 3 unknowns")
    end)

    it("hands on an error of the model as it was thrown", function()
        local thrown = {}
        local ok, caught = pcall(pc.fit, line({ 0, 1 }, { 0, 1 }), function() error(thrown) end, { { "a", 1 } },
            { columns = "y" })
        assert.is_false(ok)
        assert.are.equal(thrown, caught)
        ok, caught = pcall(pc.fit, line({ 0, 1 }, { 0, 1 }), function() return 0 / 0 end, { { "a", 1 } },
            { columns = "y" })
        assert.is_false(ok)
        assert.matches("residual 1 is", tostring(caught))
    end)
end)
