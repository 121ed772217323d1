-- 10,000 random mechanisms: the long form of joint_spec.
local check = require "tests.lua.mechanism_random"

describe("random mechanisms", function()
    for hundred = 0, 99 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local struck, jams = 0, 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local left, open, passed, n, jam = check(seed, 1)
                assert.is_true(left < 1e-8 and open < 1e-9 and passed < 1e-9,
                    ("mechanism %d: ledger %g, open by %g m, %g beyond a stop"):format(seed, left, open, passed))
                struck = struck + n
                if jam then jams = jams + 1 end
            end
            assert.is_true(struck > 50 and jams <= 1)
        end)
    end
end)
