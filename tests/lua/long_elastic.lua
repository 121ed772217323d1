-- Every case of the reference solution, by meshes refined until the estimate of their error is 9e-4.
local cases = require "elastic_cases"

describe("elastic bodies", function()
    for _, case in ipairs(cases.all()) do
        it("strike as in " .. case.id, function() cases.check_limit(case) end)
    end
end)

describe("studies of elastic bodies", function()
    local function run(path) return assert(loadfile("scripts/" .. path .. ".lua"))("--quiet", "--no-figures") end

    it("agree with what they say", function()
        for _, path in ipairs{
            "lai1999/chapter6", "waves/finite_sphere", "waves/spheres", "waves/rods", "waves/flat_rod",
                "waves/micro_slip",
        } do
            for _, row in ipairs(run(path).rows) do
                if row.is_statement then
                    local explained = row.agreement:find("explained", 1, true)
                    assert.is_true(row.agreement == "agrees" or explained ~= nil, row.name)
                end
            end
        end
    end)

    it("find what the reference found", function()
        local study = run "lai1999/chapter6"
        assert.is_true(study.by_name["Maw: greatest distance from waves in psi2"].computed > 0.08)
        assert.is_true(study.by_name["Maw with compliances: greatest distance from waves in psi2"].computed < 0.005)
        local rods = run "waves/rods"
        -- Sears's equation as the reference solved it: 1.1e-3 and 3.1e-3
        assert.is_true(math.abs(rods.by_name["L/R = 5: 1 - e by Sears"].computed - 1.1e-3) < 5e-5)
        assert.is_true(math.abs(rods.by_name["L/R = 10: 1 - e by Sears"].computed - 3.1e-3) < 5e-5)
    end)
end)
