-- Tables: columns with units, choosing and ordering rows, groups, joins, text.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"

local nan = 0 / 0

local function sample()
    return pc.table{
        { "mu", { 0.1, 0.5, 0.1, 0.5 } }, { "v", { 1, 1, 2, 2 }, unit = "m/s" },
        { "loss", { 4, 3, nan, 1 }, unit = "J" },
    }
end

describe("a table", function()
    it("has columns, units and a number of rows", function()
        local t = sample()
        assert.are.equal(4, #t)
        assert.are.equal(pc.array{ 1, 1, 2, 2 }, t.v)
        assert.are.same({ "mu", "v", "loss" }, t.names)
        assert.are.same({ mu = "", v = "m/s", loss = "J" }, t.units)
        assert.are.same({ mu = 0.5, v = 2, loss = 1 }, t:row(4))
        assert.are.equal(0, #pc.table{})
    end)

    it("names what is wrong with it", function()
        assert.error_matches(function() return sample().los end, "no column 'los'; did you mean 'loss'")
        assert.error_matches(function() return sample()[1] end, "t:row%(i%)")
        assert.error_matches(function() sample():row(5) end, "has 4 rows, but no row 5")
        assert.error_matches(function() pc.table{ { "a", { 1 } }, { "a", { 1 } } } end, "two columns called 'a'")
        assert.error_matches(function() pc.table{ { "a", { 1 } }, { "b", { 1, 2 } } } end, "'b' has 2 values")
        assert.error_matches(function() pc.table{ { "a", "1" } } end, "must hold an array")
        assert.error_matches(function() pc.table{ { "", { 1 } } } end, "name of column 1 is empty")
        assert.error_matches(function() sample().x = 1 end, "cannot be changed")
        assert.error_matches(function() sample():rows{ 1.5 } end, "whole number from 1 to 4")
    end)

    it("reads a column that is called as a method", function()
        local t = pc.table{ { "filter", { 1, 2 } } }
        assert.are.equal(pc.array{ 1, 2 }, t:column "filter")
    end)
end)

describe("rows", function()
    it("are chosen by a mask or a function", function()
        local t = sample()
        assert.are.equal(pc.array{ 3, 1 }, t:filter(t.mu:eq(0.5)).loss)
        assert.are.equal(pc.array{ 3, 1 }, t:filter(function(row) return row.mu == 0.5 end).loss)
        assert.are.equal(0, #t:filter(t.mu:gt(9)))
        assert.are.equal("J", t:filter(t.mu:gt(9)).units.loss)
        assert.has_error(function() t:filter(pc.array{ 1 }) end)
    end)

    it("are sorted by one column or several, and keep their order where equal", function()
        local t = sample()
        assert.are.equal(pc.array{ 0.1, 0.1, 0.5, 0.5 }, t:sort("mu").mu)
        assert.are.equal(pc.array{ 1, 2, 1, 2 }, t:sort("mu").v)
        assert.are.equal(pc.array{ 2, 1, 2, 1 }, t:sort({ "mu", "v" }, "descending").v)
        assert.are.equal(1, t:sort("loss").loss[1])
        assert.has_error(function() t:sort("mu", "up") end)
    end)

    it("are grouped; what is not a number is left out", function()
        local g = sample():group("mu", { { "loss", "mean" }, { "loss", "count", as = "n" }, { "v", "max" } })
        assert.are.same({ "mu", "loss_mean", "n", "v_max" }, g.names)
        assert.are.equal(pc.array{ 4, 2 }, g.loss_mean)
        assert.are.equal(pc.array{ 1, 2 }, g.n)
        assert.are.same({ "J", "", "m/s" }, { g.units.loss_mean, g.units.n, g.units.v_max })
        assert.error_matches(function() sample():group("mu", { { "v", "sun" } }) end, "no reduction 'sun'")
    end)

    it("become a matrix, with gaps where there is no point", function()
        local p = sample():rows{ 1, 2, 4 }:pivot("v", "mu", "loss")
        assert.are.equal(pc.array{ 4 }, p:column("loss at mu = 0.1"):slice(1, 1))
        assert.is_true(p:column("loss at mu = 0.1")[2] ~= p:column("loss at mu = 0.1")[2])
        assert.are.equal(pc.array{ 3, 1 }, p:column "loss at mu = 0.5")
        assert.error_matches(function() sample():rows{ 1, 1 }:pivot("v", "mu", "loss") end, "two rows have")
    end)

    it("of two tables are joined where they agree", function()
        local other = pc.table{ { "mu", { 0.5, 0.7 } }, { "loss", { 9, 8 } } }
        local j = sample():join(other, "mu")
        assert.are.same({ "mu", "v", "loss", "loss_2" }, j.names)
        assert.are.equal(pc.array{ 3, 1 }, j.loss)
        assert.are.equal(pc.array{ 9, 9 }, j.loss_2)
        assert.error_matches(function() other:join(sample(), "mu") end, "the same mu")
    end)
end)

describe("columns", function()
    it("are selected, added and replaced", function()
        local t = sample()
        assert.are.same({ "loss", "mu" }, t:select{ "loss", "mu" }.names)
        local w = t:with{ { "v", t.v * 2, unit = "cm/s" }, { "k", { 1, 2, 3, 4 } } }
        assert.are.same({ "mu", "v", "loss", "k" }, w.names)
        assert.are.equal("cm/s", w.units.v)
        assert.are.equal(pc.array{ 1, 1, 2, 2 }, t.v)
    end)
end)

describe("the text of a table", function()
    it("is aligned and carries units", function()
        assert.are.equal(table.concat({
            "table of 4 rows", "  mu   v [m/s]  loss [J]", "  0.1        1         4", "  0.5        1         3",
            "  0.1        2         -", "  0.5        2         1",
        }, "\n"), tostring(sample()))
    end)

    it("of a long one shows its beginning and its end", function()
        local text = tostring(pc.table{ { "x", pc.array.range(1, 1000) } })
        local _, lines = text:gsub("\n", "")
        assert.are.equal(1 + 12 + 1 + 8, lines)
        assert.matches("\n  1000$", text)
    end)

    it("of statistics leaves out what is not a number", function()
        local text = sample():describe()
        assert.matches("loss %[J%] +3 +2.66667 +1.52753 +1 ", text)
    end)
end)

describe("files of tables", function()
    it("read back", function()
        local path = scratch()
        local t = sample():rows{ 1, 2 }
        assert.are.equal(path, t:csv(path))
        local _, list = pc.csv.read(path)
        local back = pc.table(list)
        assert.are.same(t.units, back.units)
        assert.are.equal(t.loss, back.loss)
    end)

    it("that cannot be written are said", function()
        for _, kind in ipairs{ "csv", "npz", "jsonl" } do
            local t = sample()
            local ok, message, code = t[kind](t, "/nowhere/t")
            assert.is_nil(ok)
            assert.matches("/nowhere/t", message)
            assert.are.equal("system", code)
        end
    end)
end)
