-- 4,000 random mechanisms by pc.mechanism: the long form of mechanism_spec.
local trial = require "tests.lua.mechanism_trials"

describe("random mechanisms of one's own", function()
    for hundred = 0, 39 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local impacts, none = 0, 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local kept, why = trial(seed)
                if kept then
                    assert.is_true(math.abs(kept.ledger) < 1e-8, ("mechanism %d: ledger %g"):format(seed, kept.ledger))
                    assert.is_true(kept.deep > -1e-9, ("mechanism %d: a gap of %g"):format(seed, kept.deep))
                    impacts = impacts + kept.impacts
                else
                    none = none + 1
                    assert.matches("no motion with this contact was found", why, 1, true)
                end
            end
            assert.is_true(impacts > 1000)
            assert.is_true(none < 4)
        end)
    end
end)
