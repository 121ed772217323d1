-- pc.csv and the CSV methods of arrays. Dialect and failures of the file system are tested in tests/c/test_csv.c.

local pc = require "percuss"
local scratch = require "tests.lua.scratch"

describe("CSV files", function()
    local path
    before_each(function() path = scratch() end)

    local function put(text)
        local file = assert(io.open(path, "w"))
        file:write(text)
        file:close()
    end

    local function message(f, ...)
        local ok, err = pcall(f, ...)
        assert.is_false(ok)
        return tostring(err)
    end

    it("carry columns with names and units there and back", function()
        local t, force = pc.linspace(0, 1, 5), pc.array { 0, 0.1, 1 / 3, -1e-300, 5e22 }
        local columns = { { "t", t, unit = "s" }, { "F_t", force, unit = "N" }, { "mu", t * t } }
        assert.equal(path, pc.csv.write(path, columns))
        local column, list = pc.csv.read(path)
        assert.equal(t, column.t)
        assert.equal(force, column.F_t)
        assert.equal(t * t, column.mu)
        assert.equal(3, #list)
        assert.equal("F_t", list[2][1])
        assert.equal(force, list[2][2])
        assert.equal("N", list[2].unit)
        assert.equal("", list[3].unit)
    end)

    it("written from what was read are the same", function()
        pc.csv.write(path, { { "a", { 1, 2 }, unit = "m" }, { "b", { 3, 4 } } })
        local before = assert(io.open(path)):read "a"
        local _, list = pc.csv.read(path)
        pc.csv.write(path, list)
        assert.equal(before, assert(io.open(path)):read "a")
    end)

    it("hold single arrays", function()
        local a = pc.array { 1, 2.5 }
        assert.equal(path, a:to_csv(path, "v_n", "m/s"))
        assert.equal("v_n [m/s]\n1\n2.5\n", assert(io.open(path)):read "a")
        assert.equal(a, pc.array.from_csv(path))
        assert.equal(a, pc.array.from_csv(path, "v_n"))
        a:to_csv(path)
        assert.equal("value", assert(io.open(path)):read())
    end)

    it("give columns by number and name, and name the nearest", function()
        put "time [s],force [N]\n1,2\n3,4\n"
        assert.same({ 2, 4 }, pc.array.from_csv(path, 2):totable())
        assert.same({ 1, 3 }, pc.array.from_csv(path, "time"):totable())
        assert.matches("has no column 'tim'; did you mean 'time'", message(pc.array.from_csv, path, "tim"))
        assert.matches("column = 3, is not one of the 2 columns", message(pc.array.from_csv, path, 3))
        assert.matches("column = 0, is not one of", message(pc.array.from_csv, path, 0))
    end)

    it("of others have separators, gaps and texts", function()
        put "who;angle [deg];v\nA;1;\nB;NA;4\n"
        local column, list = pc.csv.read(path, { separator = ";", missing = { "", "NA" }, columns = { "v", "angle" } })
        assert.equal("array[2] {nan, 4}", tostring(column.v))
        assert.equal("array[2] {1, nan}", tostring(column.angle))
        assert.equal("deg", list[2].unit)
        assert.equal(2, #list)
        assert.equal("array[2] {nan, 4}", tostring(pc.csv.read(path, { separator = ";", missing = "",
            columns = { "v" } }).v))
        assert.equal("'" .. path .. "' has no column 'vv'", (select(2, pc.csv.read(path, { separator = ";",
            columns = { "vv" } }))))
        assert.matches("did you mean 'separator'", message(pc.csv.read, path, { seperator = ";" }))
        assert.matches("from 1 to 1 bytes, not 2", message(pc.csv.read, path, { separator = ";;" }))
        assert.matches("another character than a quote", message(pc.csv.read, path, { separator = '"' }))
        assert.matches("must be texts; number 2 is a number", message(pc.csv.read, path, { missing = { "", 1 } }))
    end)

    it("with headers alone are empty columns", function()
        put "a,b\n"
        local column = pc.csv.read(path)
        assert.equal(0, #column.a)
        assert.equal(0, #column.b)
    end)

    it("that cannot be used return nil, message, code", function()
        for _, read in ipairs { pc.csv.read, pc.array.from_csv } do
            local result, text, code = read "/nowhere/at/all.csv"
            assert.is_nil(result)
            assert.equal("cannot read '/nowhere/at/all.csv': No such file or directory", text)
            assert.equal("system", code)
        end
        put "a,b\n1,2\n1,x\n"
        local result, text, code = pc.csv.read(path)
        assert.is_nil(result)
        assert.equal(path .. ", line 3: 'b' is \"x\", not a number; missing = and columns = say what to do with texts",
            text)
        assert.equal("system", code)
        result, text, code = pc.array { 1 }:to_csv "/nowhere/at/all.csv"
        assert.is_nil(result)
        assert.equal("cannot write '/nowhere/at/all.csv': No such file or directory", text)
        assert.equal("system", code)
    end)

    it("are not written from wrong arguments", function()
        put "old"
        local a = pc.array { 1, 2 }
        local write = pc.csv.write
        assert.matches("at least one column", message(write, path, {}))
        assert.matches("column 1 must be { name, array, unit = }, not a userdata", message(write, path, { a }))
        assert.matches("column 1: the name must be a string, not a number", message(write, path, { { 5, a } }))
        assert.matches("column 1: unit must be a string, not a boolean",
            message(write, path, { { "x", a, unit = true } }))
        assert.matches("column 'x' must hold an array, not a nil", message(write, path, { { "x" } }))
        assert.matches("column 'y' has 1 elements, but the columns before it have 2",
            message(write, path, { { "x", a }, { "y", { 1 } } }))
        assert.matches("both called 'x'", message(write, path, { { "x", a }, { "x", a } }))
        assert.matches("would be read as data", message(write, path, { { "1", a } }))
        assert.equal("old", assert(io.open(path)):read "a")
    end)
end)
