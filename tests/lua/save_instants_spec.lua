-- A hundredth of long_save_instants.lua.
local check = require "save_instants"

describe("golden scenes, saved and loaded at some of their instants,", function()
    it("go on bit by bit", function()
        local n, broken = check(0.01, 20, 3)
        assert.is_true(n > 20)
        assert.same({}, broken)
    end)
end)
