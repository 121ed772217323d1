-- 600 random scenes of everything: the long form of scene_spec.
local check = require "tests.lua.scene_random"

describe("random scenes", function()
    for hundred = 0, 5 do
        it(("%d to %d"):format(100*hundred + 1, 100*hundred + 100), function()
            local struck, refused = 0, 0
            for seed = 100*hundred + 1, 100*hundred + 100 do
                local good, left, run = pcall(check, seed, 3)
                if not good then
                    refused = refused + 1 -- with an error that names a place and a time, not with a wrong motion
                    local known = left:find("should not have let happen", 1, true)
                    assert.truthy(known or left:find("no impulses solve", 1, true), left)
                elseif left then
                    assert.is_true(left < 1e-8, ("scene %d: ledger %g"):format(seed, left)) -- as in scene_spec
                    struck = struck + #run.impacts
                end
            end
            assert.is_true(struck > 1000 and refused <= 1)
        end)
    end
end)
