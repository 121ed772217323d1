-- 4,000 random mechanisms by pc.mechanism: the long form of mechanism_spec.
local trial = require "tests.lua.mechanism_trials"

-- Where slip comes to rest since the normal of the gap has turned parallel to the tangent, neither slip nor rest has
-- forces: mechanism_spec looks at it.
local NONE = { [1888] = true, [3826] = true }

describe("random mechanisms of one's own", function()
    for hundred = 0, 39 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local impacts = 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local kept, why = trial(seed)
                if not NONE[seed] then
                    assert.is_truthy(kept, ("mechanism %d: %s"):format(seed, why))
                    assert.is_true(math.abs(kept.ledger) < 1e-8, ("mechanism %d: ledger %g"):format(seed, kept.ledger))
                    assert.is_true(kept.deep > -1e-9, ("mechanism %d: a gap of %g"):format(seed, kept.deep))
                    impacts = impacts + kept.impacts
                end
            end
            assert.is_true(impacts > 1000)
        end)
    end
end)
