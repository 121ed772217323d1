-- Every instant of the golden scenes: see save_instants.lua. Chains that strike thousands of times are cut at 60.
local check = require "save_instants"

describe("golden scenes, saved and loaded at each of their instants,", function()
    it("go on bit by bit", function() assert.is_true(check(1, 1, 60) > 3000) end)
end)
