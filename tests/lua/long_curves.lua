-- 6,000 random curves: the long form of curve_spec.
local check = require "tests.lua.curve_random"

describe("random curves", function()
    for hundred = 0, 59 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local tried = 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local left, deepest, compliant, what = check(seed)
                if left then
                    tried = tried + 1
                    assert.is_true(left < (compliant and 1e-8 or 1e-9) and deepest < 2e-3,
                        ("curve %d, %s: ledger %g, overlap %g m"):format(seed, what, left, deepest))
                end
            end
            assert.is_true(tried >= 95)
        end)
    end
end)
