-- 1e5 bounces on 333 tables: see table_bounces.lua.
local bounce = require "table_bounces"

describe("a ball on a table that shakes", function()
    it("is never missed by it", function()
        local bounces, compared = bounce(1, 333, 301)
        assert.is_true(bounces >= 1e5)
        assert.is_true(compared > 0.9 * bounces)
    end)
end)
