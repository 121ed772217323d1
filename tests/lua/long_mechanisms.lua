-- 10,000 random mechanisms: the long form of joint_spec.
local check = require "tests.lua.mechanism_random"

describe("random mechanisms", function()
    for hundred = 0, 99 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local left, open = check(seed)
                assert.is_true(left < 1e-8 and open < 1e-9,
                    ("mechanism %d: ledger %g, open by %g m"):format(seed, left, open))
            end
        end)
    end
end)
