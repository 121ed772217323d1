-- What the program is to the scripts it runs.
describe("the program", function()
    it("brings percuss without a file", function()
        assert.equal("function", type(package.preload.percuss))
        assert.equal(require "percuss", package.loaded.percuss)
    end)

    it("leaves the globals of a script alone", function()
        assert.is_nil(rawget(_G, "pc"))
        assert.is_nil(rawget(_G, "collide"))
    end)

    it("loads C modules made for Lua", function()
        assert.equal("table", type(require "lfs"))
    end)
end)

describe("coroutines", function()
    it("pass values both ways", function()
        local co = coroutine.create(function(a, b)
            local c = coroutine.yield(a + b)
            return c * 2, "done"
        end)
        assert.same({ true, 3 }, { coroutine.resume(co, 1, 2) })
        assert.same({ true, 10, "done" }, { coroutine.resume(co, 5) })
        assert.same({ false, "cannot resume dead coroutine" }, { coroutine.resume(co) })
    end)

    it("close their variables when a wrapped one dies", function()
        local closed
        local f = coroutine.wrap(function()
            local x <close> = setmetatable({}, { __close = function(_, e) closed = e end })
            error(x)
        end)
        local ok, thrown = pcall(f)
        assert.is_false(ok)
        assert.equal(thrown, closed)
    end)

    it("know which of them runs", function()
        local outer, is_main = coroutine.running()
        local inner = coroutine.wrap(function() return coroutine.running() end)()
        assert.is_true(is_main)
        assert.not_equal(outer, inner)
        assert.equal("table", type(debug.getinfo(coroutine.resume, "S")))
    end)

    it("survive the collector while they are suspended", function()
        local f = coroutine.wrap(function()
            for i = 1, 100 do coroutine.yield(("%d"):format(i)) end
        end)
        for i = 1, 100 do
            collectgarbage()
            assert.equal(tostring(i), f())
        end
    end)
end)
