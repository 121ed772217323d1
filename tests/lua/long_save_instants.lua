-- Every instant of the golden scenes: see save_instants.lua. Of scenes with thousands of events 60 instants are taken.
local check = require "save_instants"

describe("golden scenes, saved and loaded at each of their instants,", function()
    local broken

    it("go on bit by bit", function()
        local n
        n, broken = check(1, 1, 60)
        assert.is_true(n > 3000)
    end)

    it("can end there", function() assert.same({}, broken) end)
end)
