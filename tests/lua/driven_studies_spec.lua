-- The studies of scripts/driven: every number that one claims is asserted here.
local near = require "tests.lua.near"

local function run(path) return assert(loadfile("scripts/driven/" .. path .. ".lua"))("--quiet", "--no-figures") end

local function row(study, name) return assert(study.by_name[name], "no row '" .. name .. "'") end

-- Rows that have a printed value, to a relative error, or to an absolute one where it is zero.
local function agree(study, relative, names)
    for _, name in ipairs(names) do
        local r = row(study, name)
        near(r.computed, tonumber(r.printed), relative, 1e-9)
        assert.equal("agrees", r.agreement)
    end
end

describe("studies of driven obstacles", function()
    it("ball_on_table: locked, doubled, chaotic, at rest and thrown", function()
        local study = run "ball_on_table"
        agree(study, 1e-6, { "phase of the locked bounce, A = 2.1 mm", "speed after it" })
        -- the trace crosses -1 - e^2 to some 1e-8 of itself
        near(row(study, "amplitude at which it doubles").computed, 0.0029180293760, 1e-6)
        assert.is_true(row(study, "then it bounces to two heights: speeds apart, A = 3.1 mm").computed > 0.1)
        assert.is_true(row(study, "impacts in the diagram").computed >= 20000)
        -- means over 24,000 impacts of a motion that forgets within some twenty scatter by 2 %
        near(row(study, "mean flight in chaos, e = 0.95, A = 20 mm at 40 rad/s").computed, 0.8202, 0.05)
        assert.equal("agrees within its scatter", row(study, "largest exponent there").agreement)
        near(row(study, "bounces are over, e = 0.5, A = 3.5 mm").computed, 0.2024071413029267, 1e-9)
        near(row(study, "thrown").computed, 0.22431261335474528, 1e-9)
        assert.is_true(row(study, "energy left over in the ledger").computed < 1e-12)
    end)

    it("stick_slip: the limit cycle is the closed form", function()
        local study = run "stick_slip"
        agree(study, 1e-8, { "slip lasts", "stick lasts", "slip begins at", "and ends at", "heat of a cycle",
            "work of the belt in a cycle", "with c = 1.5 N s/m slip begins at", "then it ends at", "period" })
        assert.is_true(row(study, "energy left over in the ledger").computed < 1e-10)
    end)

    it("impact_damper: the symmetric orbit is the closed form, and a ball takes from the swing", function()
        local study = run "impact_damper"
        agree(study, 1e-7, { "half a period later it strikes the other wall, at", "with the box at",
            "velocity of the box before", "and after", "impulse", "from rest: first impact", "and the twelfth" })
        assert.is_true(row(study, "energy left over in the ledger").computed < 1e-9)
        near(row(study, "swing without a ball, in closed form").computed, 3, 1e-12)
        near(row(study, "clearance so wide that it never strikes: swing").computed, 3, 1e-3)
        assert.is_true(row(study, "least swing, e = 0.6").computed < 0.6)
    end)

    it("conveyor: ways and mean speeds are those of the exact arcs", function()
        local study = run "conveyor"
        for _, case in ipairs{ "level, along itself", "uphill without flight", "level with hops" } do
            agree(study, 1e-8, { case .. ": way in 30 periods", case .. ": mean speed in the end" })
            assert.is_true(row(study, case .. ": energy left over in the ledger").computed < 1e-10)
        end
    end)
end)
