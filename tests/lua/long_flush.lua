-- Towers of up to ten equal boxes: see flush_towers.lua.
local towers = require "flush_towers"

describe("a tower of equal boxes", function()
    for name in pairs(towers.laws) do
        it("of " .. name .. " contacts stands, flush or moved by next to nothing", function()
            for n = 2, 10 do
                for _, off in ipairs{ 0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-9 } do towers.stand(name, n, off, nil, 0.1) end
            end
        end)
    end
end)
