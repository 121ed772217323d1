-- What the studies of scripts/sweeps claim.

local function run(name, ...)
    return assert(loadfile("scripts/sweeps/" .. name .. ".lua"))("--quiet", "--no-figures", ...)
end

-- The number of a row.
local function value(study, name)
    local row = study.by_name[name]
    assert.is_truthy(row, "there is no row " .. name)
    return row.computed
end

local function near(expected, found, tolerance)
    assert.is_true(math.abs(found - expected) <= tolerance, ("%.9g is not %.9g"):format(found, expected))
end

local function all_agree(study)
    for _, row in ipairs(study.rows) do
        if row.is_statement then assert.are.equal("agrees", row.agreement, row.name) end
    end
end

describe("the study", function()
    it("of wedging finds the exact boundary, as a map and by refinement", function()
        local study = run("wedging", "--points", "120")
        all_agree(study)
        -- mu eta T^2 + (1 + 3 mu^2 eta) T - mu = 0 at mu = 1; cells have a half width of 6.1e-11 rad
        local b = 1 + 3 * 1.21
        local exact = math.atan(2 / (b + math.sqrt(b * b + 4 * 1.21)))
        near(exact, value(study, "the same, by refinement and exactly"), 6.2e-11)
        near(11.58512, value(study, "theta_cr, mu = 1, eta = 1.21"), 5e-6)
    end)

    it("of loss maps: everything is lost where it wedges, nothing without friction", function()
        local study = run "loss_maps"
        for _, eta in ipairs{ "1.21", "0.25" } do
            near(1, value(study, "eta = " .. eta .. ": loss where it wedges"), 1e-12)
            near(0, value(study, "eta = " .. eta .. ": loss without friction"), 1e-12)
            assert.is_true(value(study, "eta = " .. eta .. ": greatest loss of a rebound") < 1)
        end
    end)

    it("of rebound: springs are closer to the continuum than the coupled law", function()
        local study = run "rebound"
        all_agree(study)
        -- distances found independently, to three digits
        near(0.176, value(study, "sphere: linear, greatest distance from the continuum"), 5e-4)
        near(0.574, value(study, "sphere: coupled, greatest distance from the continuum"), 5e-4)
    end)

    it("of restitution: it changes the more, the larger the friction is", function()
        local study = run "restitution"
        all_agree(study)
        -- the coupled law is integrated to about 1e-10
        near(1, value(study, "central impact: e"), 1e-9)
    end)

    it("of Kharaz's spheres finds the measured friction within its error", function()
        local study = run "kharaz"
        all_agree(study)
        near(0.98, value(study, "e"), 2 * value(study, "e, standard deviation"))
        -- the standard deviations assumed are those of the scatter, within the spread of chi-square for 20 numbers
        near(1, value(study, "sum of squares for each degree of freedom"), 0.5)
    end)

    it("of the double pendulum fails only where it begins below the floor", function()
        local study = run("double_pendulum", "--points", "12")
        -- both rods reach to 0.5 cos(first) + 0.5 cos(second), the floor is at 0.9
        local below = 0
        for i = 0, 11 do
            for j = 0, 11 do
                local first, second = math.rad(20 + 150 * i / 11), math.rad(-170 + 340 * j / 11)
                if 0.5 * math.cos(first) + 0.5 * math.cos(second) > 0.9 then below = below + 1 end
            end
        end
        assert.is_true(below > 0)
        assert.are.equal(below, value(study, "points that begin below the floor"))
    end)
end)
