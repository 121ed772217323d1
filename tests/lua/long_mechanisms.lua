-- 10,000 random mechanisms: the long form of joint_spec.
local check = require "tests.lua.mechanism_random"

describe("random mechanisms", function()
    for hundred = 0, 99 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local struck = 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local left, open, passed, n = check(seed, 1)
                assert.is_true(left < 1e-8 and open < 1e-9 and passed < 1e-9,
                    ("mechanism %d: ledger %g, open by %g m, %g beyond a stop"):format(seed, left, open, passed))
                struck = struck + n
            end
            assert.is_true(struck > 50)
        end)
    end
end)
