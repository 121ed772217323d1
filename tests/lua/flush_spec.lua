-- Flat sides that end together: what rests on a body of its own width stays there, whatever law presses it.
local pc = require "percuss"
local towers = require "flush_towers"

describe("a tower of equal boxes", function()
    it("stands, flush or moved by next to nothing", function()
        for name in pairs(towers.laws) do
            for n = 2, 4 do
                local offsets = { 0, 1e-15, 1e-12, 1e-9 }
                towers.stand(name, n, offsets[n], nil, 0.1)
                towers.stand(name, n, 0, nil, 0.1)
            end
        end
    end)

    it("stands where indentations are left behind, moved by more than the rounding of them", function()
        for n = 2, 4 do towers.stand("walton_braun", n, 1e-9, nil, 0.1) end
    end)

    -- One end has two corners then, and the indentation that one left goes to the other as they slide by 1e-15 m.
    it("stands flush where indentations are left behind", function()
        for n = 2, 4 do towers.stand("walton_braun", n, 0, nil, 0.1) end
    end)

    -- two springs of 1e6 N/m each carry what is above them; after 0.3 s damping has left less than 1e-8 m of its swing
    it("comes to rest at its static indentation", function()
        for _, off in ipairs{ 0, 1e-15, 1e-12, 1e-9 } do
            local n, run = 3, towers.stand("kelvin_voigt", 3, off, nil, 1)
            local y, s = 0, run:at(1)
            for i = 1, n do
                y = y + (i == 1 and 0.05 or 0.1) - (n - i + 1) * 9.81 / 2e6
                assert.is_true(math.abs(y - s["b" .. i .. ".y"]) < 1e-8)
                assert.is_true(math.abs(s["b" .. i .. ".x"] - (i - 1) * off) < 1e-9)
                assert.is_true(math.abs(s["b" .. i .. ".angle"]) < 1e-8)
            end
        end
    end)
end)

describe("a box on a block of its own width", function()
    it("stays there", function()
        for name in pairs(towers.laws) do
            towers.stand(name, 1, 0, pc.block{ x = 0, y = -0.1, width = 0.1, height = 0.2 })
        end
    end)

    it("slides off as one whose contacts end with the side", function()
        -- without friction, at 1 m/s: the last of it is above the block after 0.1 s, and from where its middle has
        -- passed the edge, after 0.05 s, it tips
        local run = pc.simulate(pc.scene{
            pc.free{ shape = "box", width = 0.1, height = 0.1, mass = 1, y = 0.05, vx = 1, name = "b1" },
            pc.block{ x = 0, y = -0.1, width = 0.1, height = 0.2 }, contact = towers.laws.smooth,
            configuration = "moving",
        }, { duration = 0.2 })
        assert.is_true(math.abs(run:at(0.049)["b1.y"] - 0.05) < 1e-4 and math.abs(run:at(0.049)["b1.angle"]) < 1e-2)
        assert.is_true(run:at(0.2)["b1.y"] < 0)
        local s = run:at(0.2)
        local scale = 0.5 + 9.81 * 0.1
        assert.is_true(math.abs(run:at(0).energy - s.energy - s.dissipated - s.lost - s.friction) < 1e-8 * scale)
        assert.is_true(s.dissipated > -1e-8 * scale)
    end)
end)
