-- A hundredth of long_save_instants.lua.
local check = require "save_instants"

describe("golden scenes, saved and loaded at some of their instants,", function()
    it("go on bit by bit", function() assert.is_true(check(0.01, 20, 3) > 20) end)
end)
