-- Columns of beads that touch as they fall: contacts between them have nothing to do until the lowest one strikes.
local pc = require "percuss"

local function drop(n, height)
    local r, law = 0.01, pc.contact.hertz_mindlin{ young = 2e11, poisson = 0.3, radius = 0.005, friction = 0 }
    local parts = { pc.floor{ height = 0 }, contact = law, configuration = "moving" }
    for i = 1, n do
        parts[i + 1] = pc.free{ shape = "disc", radius = r, mass = 0.0327, y = height + (2 * i - 1) * r,
            name = "b" .. i }
    end
    local run = pc.simulate(pc.scene(parts), { duration = 0.2 })
    local e = run:at(0).energy
    assert.is_true(math.abs(run:at(0.2).energy - e) < 1e-7 * e) -- elastic
    return run
end

describe("a column of beads", function()
    -- A wave closes and opens each contact at least once, and each takes some 20 steps at rtol 1e-9. So 20 beads cannot
    -- do with 300; what must not be is steps without an impact that needs them, or a contact before the lowest strikes.
    local function falls(height, numbers)
        local fall = math.sqrt(2 * height / 9.81)
        for _, n in ipairs(numbers) do
            local run = drop(n, height)
            local steps = run.statistics.steps
            assert.is_true(run.impact_count >= n, n)
            assert.is_true(steps < 30 * run.impact_count and (n > 9 or steps < 300), ("%d: %d"):format(n, steps))
            for _, hit in ipairs(run.impacts) do assert.is_true(hit.time > fall * (1 - 1e-9), n) end
        end
    end

    it("that falls and strikes takes steps for its impacts alone", function()
        falls(0.055, { 2, 5, 9, 12, 20, 25 })
        falls(0.1, { 3, 9, 16, 20, 31 })
    end)
end)
