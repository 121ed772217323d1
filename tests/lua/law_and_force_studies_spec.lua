-- The studies of scripts/laws, scripts/forces and scripts/mechanisms: every number that one claims is asserted here.
local near = require "tests.lua.near"

local function run(path) return assert(loadfile("scripts/" .. path .. ".lua"))("--quiet", "--no-figures") end

local function row(study, name) return assert(study.by_name[name], "no row '" .. name .. "'") end

describe("studies of laws and forces", function()
    it("bungee: period and depth are the closed forms", function()
        local study = run "forces/bungee"
        for _, name in ipairs{
            "time at which the cord is taut", "deepest point", "time there", "greatest acceleration",
        } do
            near(row(study, name).computed, tonumber(row(study, name).printed), 1e-7)
        end
        assert.is_true(math.abs(row(study, "back at the top after a period: height").computed) < 1e-7)
        near(row(study, "at rest after two minutes with 30 N s/m").computed, 28.175, 1e-5)
        assert.is_true(row(study, "energy left over in the ledger").computed < 1e-6) -- of 2e4 J
    end)

    it("table_tennis: in vacuum a parabola, with spin no work", function()
        local study = run "forces/table_tennis"
        near(row(study, "lands in vacuum at").computed, tonumber(row(study, "lands in vacuum at").printed), 1e-6)
        local at = {}
        for i, name in ipairs{ "top spin", "no spin", "back spin" } do
            at[i] = row(study, name .. ": lands at").computed
            assert.is_true(math.abs(row(study, name .. ": ledger").computed) < 1e-11) -- of 0.1 J
            assert.is_true(math.abs(row(study, name .. ": work of the Magnus force").computed) < 1e-15)
        end
        assert.is_true(at[1] < at[2] and at[2] < at[3])
    end)

    it("loop_the_loop: least heights, slip and lift-off, the cycloid, the hill", function()
        local study = run "mechanisms/loop_the_loop"
        for name, printed in pairs{ ["least height of a sliding body, over R - r"] = 2.5,
            ["of a rolling sphere"] = 2.7, ["of a rolling disc"] = 2.75 } do
            near(row(study, name).computed, printed, 1e-5) -- friction 1e4 in place of any
        end
        near(row(study, "from 3 (R - r) a disc comes out with the speed").computed, math.sqrt(4/3*9.81*3*0.45), 1e-10)
        assert.is_true(math.abs(row(study, "energy left over in the ledger").computed) < 1e-11)
        near(row(study, "rolling from h = 1.8 (R - r) it leaves, from the top").computed, 1.0960162532293873, 1e-5)
        near(row(study, "with the speed").computed, 1.420583381170265, 1e-5)
        near(row(study, "from 2 (R - r), friction 0.4: slips at").computed, 0.2756130743737408, 1e-9)
        near(row(study, "and leaves at").computed, 0.35708894822853865, 1e-9)
        for _, begin in ipairs{ 0.5, 1.5, 2.8 } do
            near(row(study, ("cycloid: time to the bottom from th = %g"):format(begin)).computed, 0.5493839864423676,
                1e-11)
        end
        near(row(study, "hill: cosine of the angle at which a body leaves").computed, 2/3*math.cos(1e-3), 1e-9)
    end)

    it("woodpecker: the events of the case, the limit cycle, and where its energy goes", function()
        local study = run "mechanisms/woodpecker"
        local times = 0
        for _, r in ipairs(study.rows) do
            if r.name:match " at$" then
                times = times + 1
                near(r.computed, tonumber(r.printed), 0, 1e-11)
            end
        end
        assert.equal(8, times)
        -- after 137 cycles, of each of which 0.84 of a distance from the limit cycle is left, 1e-10 of it
        assert.is_true(math.abs(row(study, "and from one cycle to the next that changes by").computed) < 1e-12)
        assert.is_true(math.abs(row(study, "the same a cycle later less that").computed) < 1e-9)
        assert.is_true(math.abs(row(study, "both, less the weight's").computed) < 1e-10)
        assert.is_true(math.abs(row(study, "energy left over in the ledger of 20 s").computed) < 1e-9*0.12)
        assert.is_true(row(study, "share of a disturbance that is left after a cycle").computed < 0.9)
        near(row(study, "share lost in impacts").computed + row(study, "share rubbed off").computed, 1, 1e-10)
    end)

    it("rimless_wheel: McGeer's steps, the steady pace from both sides, and rest", function()
        local study = run "mechanisms/rimless_wheel"
        for _, name in ipairs{ "without inertia about the hub: ratio of rates in an impact",
            "rate before an impact, at the steady pace", "rate that takes it over its foot" } do
            near(row(study, name).computed, tonumber(row(study, name).printed), 1e-12)
        end
        assert.is_true(row(study, "ratio of rates in an impact: greatest error").computed < 1e-11)
        assert.is_true(row(study, "rate before the next impact: greatest error").computed < 1e-10)
        for _, name in ipairs{ "steady rate before an impact", "the same from a slow start", "time of a step" } do
            near(row(study, name).computed, tonumber(row(study, name).printed), 1e-6) -- as printed
        end
        near(row(study, "share of a disturbance left after a step").computed, 0.5714, 1e-3)
        assert.is_true(math.abs(row(study, "below the barrier: rate in the end").computed) < 1e-12)
        assert.equal(2, row(study, "it stands on so many spokes").computed)
        assert.is_true(math.abs(row(study, "energy left over in the ledger").computed) < 1e-9)
    end)

    it("bell: silent where Veltmann says, and strokes that change no common momentum", function()
        local study = run "mechanisms/bell"
        assert.equal(0, row(study, "strokes in 20 s").computed)
        assert.is_true(row(study, "greatest angle between clapper and bell").computed < 1e-11)
        assert.is_true(math.abs(row(study, "angle after a period of that pendulum, less the first").computed) < 1e-10)
        assert.is_true(row(study, "hung 0.25 m higher: strokes in 20 s").computed > 10)
        assert.is_true(math.abs(row(study, "until then as percuss.chain: angle of the clapper less its").computed)
            < 1e-11)
        assert.is_true(row(study, "ratio of relative rates in a stroke: greatest error").computed < 1e-12)
        assert.is_true(row(study, "change of the common momentum, as a share").computed < 1e-13)
        assert.is_true(math.abs(row(study, "energy left over in the ledger, as a share of what strokes took").computed)
            < 1e-9)
    end)

    it("stops_and_dry_joints: impacts at stops, turning angles, where they rest", function()
        local study = run "mechanisms/stops_and_dry_joints"
        for _, name in ipairs{ "rigid stop: impact 1, at", "rigid stop: impact 10, at", "rate before impact 4",
            "soft stop: touch 3", "soft stop: release 3", "dry joint: rests at", "dry joint: rests after",
            "pin: first turning angle", "pin: moment over mu r |R|" } do
            near(row(study, name).computed, tonumber(row(study, name).printed), 3e-10)
        end
        assert.is_true(row(study, "dry joint: greatest error of a turning angle").computed < 1e-10)
        assert.equal(16, row(study, "pin: swings until it rests").computed)
        for _, name in ipairs{ "rigid stop", "dry joint", "pin" } do
            assert.is_true(math.abs(row(study, name .. ": energy left over").computed) < 1e-9) -- of 6 J
        end
    end)

    it("linkages: closed form and the checked values", function()
        local study = run "mechanisms/linkages"
        assert.is_true(row(study, "slider-crank: greatest error of the block's place").computed < 1e-11)
        assert.is_true(row(study, "slider-crank: greatest error of its pin's force along").computed < 1e-8) -- of 185 N
        assert.is_true(math.abs(row(study, "work of the drive in a turn").computed) < 1e-10)
        assert.is_true(math.abs(row(study, "four-bar: energy that is left over").computed) < 1e-11)
        for _, t in ipairs{ 0.1, 0.25, 0.4 } do
            local angle = row(study, ("four-bar: crank's angle at %g s"):format(t))
            near(angle.computed, tonumber(angle.printed), 1e-10)
            local force = row(study, ("four-bar: force of its axis along x at %g s"):format(t))
            near(force.computed, tonumber(force.printed), 1e-8)
        end
    end)

    it("planar_skater: the turn is the integral of the condition of no angular momentum", function()
        local study = run "mechanisms/planar_skater"
        for size, turn in pairs{ [0.5] = 2.9e-3, [1] = 2.6e-2, [2] = 0.35 } do
            local own = row(study, ("turn by a square of %g rad"):format(size))
            near(own.computed, tonumber(own.printed), 0, 1e-11)
            near(own.computed, turn, 0.02)
        end
        assert.is_true(row(study, "drift of the mass centre in all of them").computed < 1e-11)
    end)

    it("damper: the plate swings as resonance says, and less with a ball", function()
        local study = run "forces/damper"
        -- after fifty periods a part exp(-c t/2m) = 4e-4 of the start is left
        near(row(study, "swing without a ball").computed, 0.2, 4e-4)
        local before = 1
        for _, share in ipairs{ 0.02, 0.05, 0.1, 0.2 } do
            local swing = row(study, ("swing with a ball of %g of the mass, over that without"):format(share)).computed
            assert.is_true(swing < before)
            before = swing
            assert.is_true(math.abs(row(study, ("ledger with it (%g)"):format(share)).computed) < 1e-6) -- of 130 J
        end
    end)

    it("rolling: rigid and compliant laws stop a disc alike, and the slip of a ball turns aside", function()
        local study = run "laws/rolling_resistance"
        local rolled = row(study, "distance rolled, contact.newton")
        near(rolled.computed, tonumber(rolled.printed), 1e-6) -- as many digits are printed
        -- the compliant disc starts above its place of rest and settles while it rolls
        near(row(study, "distance rolled, contact.hunt_crossley").computed, rolled.computed, 1e-5)
        local spin = row(study, "spin about the normal afterwards")
        near(spin.computed, tonumber(spin.printed), 1e-12)
        for _, stiffness in ipairs{ 1e6, 1e8 } do
            local rate = row(study, ("rate afterwards, stiffness %g N/m^1.5"):format(stiffness))
            near(rate.computed, tonumber(rate.printed), 1e-7)
        end
        near(row(study, "without resistance the slip of a ball leaves its line by").computed, 0, 0, 1e-13)
    end)

    it("viscoelastic_fit: the law in Lua is the law in C, and its constant comes back", function()
        local study = run "laws/viscoelastic_fit"
        assert.is_true(row(study, "greatest difference from contact.viscoelastic").computed < 1e-11)
        near(row(study, "fitted dissipation").computed, 2e-5, 5e-3) -- the scatter is 2e-3
        assert.is_true(row(study, "mean error that is left of the law in Lua").computed < 2e-3)
        assert.is_true(row(study, "and of hunt_crossley").computed > 0.05)
    end)
end)
