-- The functions a script hands to percuss: their errors, their yields, and what is left behind. `array:map` stands for
-- every place that calls one, as all of them go through the same thunk.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"

local three = pc.array { 1, 2, 3 }

local function boom(x)
    if x == 2 then error "boom" end
    return x
end

--- Run a script in a process of its own; returns what it writes to both outputs.
local function run(text)
    local name = scratch()
    local file = assert(io.open(name, "w"))
    file:write(text)
    file:close()
    local pipe = assert(io.popen(("'%s' %s 2>&1"):format(arg[-1] or "percuss", name)))
    local output = pipe:read "a"
    pipe:close()
    return (output:gsub(name:gsub("%p", "%%%0"), "SCRIPT"))
end

describe("a function called by percuss", function()
    it("gets its arguments and gives its result", function()
        assert.same({ 1, 4, 9 }, three:map(function(x) return x * x end):totable())
    end)

    it("raises its own error, with the position where it happened", function()
        local ok, message = pcall(three.map, three, boom)
        assert.is_false(ok)
        assert.matches("callback_spec.lua:%d+: boom$", message)
    end)

    it("throws a table that is caught as the same table", function()
        local thrown = { code = 42 }
        local ok, caught = pcall(three.map, three, function() error(thrown) end)
        assert.is_false(ok)
        assert.equal(thrown, caught)
    end)

    it("throws nil that is caught as nil", function()
        local ok, caught = pcall(three.map, three, function() error(nil) end)
        assert.is_false(ok)
        assert.is_nil(caught)
    end)

    it("is not called again after its error", function()
        local calls = 0
        pcall(three.map, three, function()
            calls = calls + 1
            error "first"
        end)
        assert.equal(1, calls)
    end)

    it("may itself call percuss, and the inner error comes out once", function()
        local ok, message = pcall(three.map, three, function() return three:map(boom):sum() end)
        assert.is_false(ok)
        local _, times = message:gsub("boom", "")
        assert.equal(1, times)
    end)

    it("may not yield, and is told so by name and position", function()
        for _, call in ipairs { pcall, function(f, ...) return coroutine.resume(coroutine.create(f), ...) end } do
            local ok, message = call(three.map, three, function() coroutine.yield(1) end)
            assert.is_false(ok)
            assert.matches("callback_spec.lua:%d+: .*map must not yield", message)
        end
    end)

    it("may run coroutines of its own", function()
        local next_value = coroutine.wrap(function()
            while true do coroutine.yield(7) end
        end)
        assert.same({ 7, 7, 7 }, three:map(next_value):totable())
    end)

    it("may run out of stack without harm", function()
        local function deeper() return 1 + deeper() end
        local ok, message = pcall(three.map, three, deeper)
        assert.is_false(ok)
        assert.matches("stack overflow", tostring(message))
        assert.equal(6, three:sum())
    end)

    it("leaves nothing behind when it fails", function()
        local function fail_often(n)
            for _ = 1, n do pcall(three.map, three, boom) end
            collectgarbage()
            collectgarbage()
            return collectgarbage "count"
        end
        local before = fail_often(100)
        -- a leak of one closure or table a call would be 100 KiB or more here
        assert.is_true(fail_often(2000) - before < 20)
    end)
end)

describe("the traceback of an uncaught error", function()
    it("begins inside the function that percuss called", function()
        local output = run [[
            local pc = require "percuss"
            local function deep(x) error("boom " .. x) end
            local function mine(x) deep(x) return x end
            local function study() pc.array { 1 }:map(mine) end
            study()]]
        assert.matches("SCRIPT:2: boom 1.0\nstack traceback:\n.*'deep'.*SCRIPT:3:.*map.*'study'.*main chunk", output)
        local _, times = output:gsub("stack traceback", "")
        assert.equal(1, times)
    end)

    it("is that of the innermost function when calls are nested", function()
        local output = run [[
            local pc = require "percuss"
            local one = pc.array { 1 }
            local function inner() error "inside" end
            one:map(function() return one:map(inner) end)]]
        assert.matches("inside\nstack traceback:\n[^\n]*error[^\n]*\n[^\n]*SCRIPT:3:", output)
    end)

    it("is not taken from an earlier error that was caught", function()
        local output = run [[
            local pc = require "percuss"
            local function fail() error("same text", 0) end
            local function caught() fail() end
            local one = pc.array { 1 }
            pcall(one.map, one, caught)
            fail()]]
        assert.matches("same text", output)
        assert.not_matches("'caught'", output)
        assert.not_matches("SCRIPT:3", output)
    end)
end)
