-- 6,000 random curves, and 1,500 with hollows that are narrower than the discs: the long form of curve_spec and of
-- curve_parts_spec.
local check = require "tests.lua.curve_random"

local function try(hundreds, narrow)
    for hundred = 0, hundreds - 1 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local tried = 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local left, deepest, compliant, what = check(seed, narrow)
                if left then
                    tried = tried + 1
                    assert.is_true(left < (compliant and 1e-8 or 1e-9) and deepest < 2e-3,
                        ("curve %d, %s: ledger %g, overlap %g m"):format(seed, what, left, deepest))
                end
            end
            assert.is_true(tried >= 95)
        end)
    end
end

describe("random curves", function() try(60, false) end)
describe("random curves that are too narrow", function() try(15, true) end)
