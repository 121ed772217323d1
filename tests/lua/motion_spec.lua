-- What runs can be asked (sections, spectra, exponents, pictures), and the studies of motions.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"
local near = require "within"

local function ball_run(options)
    local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1, vx = 0.5 }
    local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.8,
        friction = 0 } }
    return pc.simulate(world, options)
end

local function oscillator(damping, angle)
    return pc.scene{ pc.chain{
        links = { { mass = 3, length = 1, stiffness = 40, damping = damping } }, angles = { angle },
    }, gravity = 0 }
end

local function read(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "a"
    file:close()
    os.remove(path)
    return text
end

describe("sections and tables", function()
    it("a section at impacts has a row for each, from the side that is asked for", function()
        local run = ball_run{ duration = 2 }
        local after = run:section{ at = "impact", columns = { "vy" } }
        local before = run:section{ at = "impact", columns = { "vy" }, side = "before" }
        assert.equal(run.impact_count, #after)
        for i = 1, #after do near(-0.8, after.vy[i] / before.vy[i], 1e-12) end
    end)

    it("a section once a period of an undamped oscillator is one point", function()
        -- J = m l^2/3 = 1, so the frequency is sqrt(40)
        local period = 2 * math.pi / math.sqrt(40)
        local run = pc.simulate(oscillator(0, 0.3), { duration = 20 * period + 0.01,
            solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 } })
        local s = run:section{ at = period }
        assert.equal(21, #s)
        for i = 1, #s do near(0.3, s.angle1[i], 1e-9) end
    end)

    it("the table of impacts agrees with the list", function()
        local run = ball_run{ duration = 2 }
        local t = run:impact_table()
        for i, hit in ipairs(run.impacts) do
            assert.equal(hit.time, t.t[i])
            assert.equal(hit.loss, t.loss[i])
        end
        assert.equal("N s", t.units.p_n)
    end)

    it("unknown names are refused with the nearest", function()
        local run = ball_run{ duration = 1 }
        assert.has_error(function() run:section{ at = 0.1, columns = { "vz" } } end)
        local ok, message = pcall(run.plot, run, { "energi" })
        assert.is_false(ok)
        assert.truthy(message:find("did you mean 'energy'", 1, true))
    end)

    it("mistakes are told at the line of the script, with what would have been right", function()
        local run = ball_run{ duration = 1 }
        local here = "motion_spec.lua:%d+: "
        for what, call in pairs{
            ["plot: there is no column 'vz'; did you mean 'vx'"] = function() return run:plot("vz", {}), 0 end,
            ["phase: there is no column 'vz'; did you mean 'vx'"] = function() return run:phase("y", "vz"), 0 end,
            ["spectrum: there is no column 'vz'; did you mean 'vx'"] = function() return run:spectrum "vz", 0 end,
            ["section: no event is called 'impct'; did you mean 'impact'"] = function()
                return run:section{ at = "impct" }, 0
            end,
            ["draw: time = 9 s lies outside the motion, 0 to 1 s"] = function() return run:draw{ time = 9 }, 0 end,
            ["animate: fps = %-1 1/s is not allowed; it must be > 0"] = function()
                return run:animate{ file = "a.gif", fps = -1 }, 0
            end,
            ["run:impact_table takes 0 arguments, not 1"] = function() return run:impact_table "a.csv", 0 end,
        } do
            local ok, message = pcall(call)
            assert.is_false(ok)
            assert.matches(here .. what, tostring(message))
        end
    end)

    it("a chart shows how large the forces of short contacts become", function()
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
        local law = pc.contact.coupled{ young = 1e9, poisson = 0.3, radius = 0.1, friction = 0.2 }
        local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = law, configuration = "moving" }
        local run = pc.simulate(world, { duration = 1 })
        -- 0.8 ms of contact are half a step of the curve; the axis goes to where the force does, 2e4 N
        assert.is_true(run.impacts[1].duration < 1e-3)
        local peak = run.impacts[1].peak.n
        assert.is_true(peak > 1.5e4 and peak < 2e4)
        local name = scratch ".svg"
        assert.equal(name, run:plot("F_n", { file = name }))
        local text = read(name):gsub("&#x(%x+);", function(code) return utf8.char(tonumber(code, 16)) end)
        assert.matches(">20000<", text)
    end)

    it("a section at an event of the user that never happens has no rows", function()
        local run = ball_run{ duration = 0.2, events = { { function() return 1 end, name = "apex" } } }
        assert.equal(0, #run:section{ at = "apex" })
        local names = table.concat(run.event_names, " ")
        assert.equal("impact contact accumulation stick slip reversal lift_off jam rest apex", names)
    end)
end)

describe("spectra and exponents", function()
    it("the spectrum of an oscillator has its peak at its frequency and its power", function()
        local f0 = math.sqrt(40) / (2 * math.pi)
        local run = pc.simulate(oscillator(0, 0.3), { duration = 40 / f0 })
        local s = run:spectrum("angle1", { points = 1024 })
        local df = s.frequency[2]
        near(f0, s.frequency[s.power:argmax()], df / 2)
        -- the mean square of a sine of amplitude 0.3
        near(0.3^2 / 2, s.power:sum() * df, 1e-3 * 0.3^2)
    end)

    it("a damped oscillator has the exponent -c/(2 J)", function()
        local l = pc.lyapunov(oscillator(0.5, 0.3), { duration = 60, interval = 2 * math.pi / math.sqrt(40 - 0.0625) })
        near(-0.25, l.exponent, 1e-3)
    end)

    it("a ball between elastic walls has the exponent 0: neighbours separate with time, not exponentially", function()
        local wall = { pc.wall{ x = -1, side = "right" }, pc.wall{ x = 1, side = "left" } }
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, vx = 1 }
        local world = pc.scene{ ball, wall[1], wall[2], contact = pc.contact.newton{ restitution = 1, friction = 0 },
            gravity = 0 }
        local l = pc.lyapunov(world, { duration = 200, interval = 0.7 })
        near(0, l.exponent, 0.05)
    end)

    it("the double pendulum that strikes elastically is chaotic at the known rate", function()
        -- 2.99 1/s over the first 20 s (67 digits); over a longer time the exponent of the energy surface
        local rig = pc.chain{
            links = {
                { mass = 3.2, length = 0.5, inertia = 0.0676 },
                { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
            }, angles = { -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 },
        }
        local world = pc.scene{ rig, pc.floor{ depth = 0.9 },
            contact = pc.contact.poisson{ restitution = 1, friction = 0 } }
        near(2.99, pc.lyapunov(world, { duration = 100 }).exponent, 0.5)
    end)

    it("a bifurcation diagram lists all samples of each value", function()
        local b = pc.bifurcation{
            over = { "duration", { 0.5, 2 }, unit = "s" },
            run = function(T) return ball_run{ duration = T } end,
            sample = function(run)
                local list = {}
                for i, hit in ipairs(run.impacts) do list[i] = hit.time end
                return list
            end,
        }
        assert.equal(1, b.duration:eq(0.5):count())
        assert.is_true(b.duration:eq(2):count() > 1)
        assert.equal("s", b.units.duration)
    end)
end)

describe("pictures", function()
    it("charts and stills become files", function()
        local run = ball_run{ duration = 1 }
        for _, draw in ipairs{
            function(name) return run:plot{ "y", "ledger", file = name } end,
            function(name) return run:phase("y", "vy", { file = name }) end,
            function(name) return run:draw{ time = 0.7, file = name } end,
            function(name) return run:plot("y", { file = name }) end,
            function(name) return run.scene:draw{ file = name } end,
        } do
            local name = scratch ".png"
            assert.equal(name, draw(name))
            assert.equal("\x89PNG\r\n\x1a\n", read(name):sub(1, 8))
        end
    end)

    it("an animation is a GIF that loops, of the right number of frames and length", function()
        local run = ball_run{ duration = 1 }
        local name = scratch ".gif"
        assert.equal(name, run:animate{ file = name, fps = 30, width = 200, height = 160, to = 0.5 })
        local gif = read(name)
        assert.equal("GIF89a", gif:sub(1, 6))
        local width, height, flags = string.unpack("<I2I2B", gif, 7)
        assert.same({ 200, 160 }, { width, height })
        local at, frames, time, loops = 14 + 3 * 2 ^ ((flags & 7) + 1) // 1 | 0, 0, 0, nil
        local function skip_blocks()
            while gif:byte(at) > 0 do at = at + 1 + gif:byte(at) end
            at = at + 1
        end
        while gif:byte(at) ~= 0x3B do -- the trailer
            if gif:byte(at) == 0x21 then -- an extension: of one picture, or of the program
                if gif:byte(at + 1) == 0xF9 then time = time + string.unpack("<I2", gif, at + 4) end
                if gif:sub(at + 3, at + 13) == "NETSCAPE2.0" then loops = string.unpack("<I2", gif, at + 16) end
                at = at + 2
            else
                assert.equal(0x2C, gif:byte(at))
                frames = frames + 1
                at = at + 11
            end
            skip_blocks()
        end
        assert.equal(#gif, at)
        assert.equal(16, frames)
        assert.equal(53, time) -- 16/30 s in hundredths
        assert.equal(0, loops)
        assert.error_matches(function() run:animate{ file = name, fps = 60 } end, "up to 50 pictures a second, not 60")
        assert.error_matches(function() run:animate{ file = "a.mp4" } end, "ends in .gif")
        local path, message = run:animate{ file = "/nonexistent/a.gif" }
        assert.is_nil(path)
        assert.matches("cannot write", message)
    end)

    it("a GIF may be made of any figures, all of one size", function()
        local name = scratch ".gif"
        local function figure(width)
            local one = pc.chart.figure{ width = width, height = 160 }
            one:panel{}:line{ { 0, 1 }, { 0, 1 } }
            return one
        end
        local film = pc.chart.gif(name, { rate = 5 })
        film:add(figure(160))
        assert.error_matches(function() film:add(figure(161)) end, "161 x 160 among those of 160 x 160")
        assert.is_nil(io.open(name))
        assert.equal(name, film:close())
        assert.error_matches(function() film:close() end, "finished")
        assert.error_matches(function() pc.chart.gif(name, { rate = 51 }) end, "rate = 51 1/s is not allowed")
        assert.error_matches(function() pc.chart.gif(name):close() end, "needs a picture")
        pc.chart.gif "/nonexistent/b.gif"
    end)
end)

describe("the studies", function()
    local function study(name)
        return assert(loadfile("scripts/" .. name .. ".lua"))("--quiet", "--no-figures")
    end
    local function computed(s, name)
        return assert(s.by_name[name], "no row '" .. name .. "'").computed
    end

    it("of Sypniewska-Kaminska: six and ten impacts, and energies", function()
        local s = study "sypniewska2017/fig5"
        assert.equal(6, computed(s, "impacts in 6 s, smooth"))
        assert.equal(10, computed(s, "impacts in 6 s, mu = 0.15"))
        near(12.253575954305884, computed(s, "after the first impact, smooth"), 1e-8)
        near(4.609279255993726, computed(s, "after the first impact, mu = 0.15"), 1e-8)
        for _, row in ipairs(s.rows) do assert.is_nil(row.agreement:find "differs") end
    end)

    it("of Sypniewska-Kaminska: states at 6 s", function()
        near(1.1944920929877307, computed(study "sypniewska2017/fig6", "ω_1, smooth"), 1e-8)
        near(1.315878630432489, computed(study "sypniewska2017/fig7", "ω_2, mu = 0.15"), 1e-8)
        near(43.246357938473764, computed(study "sypniewska2017/fig8", "P, mu = 0.15"), 1e-6)
        near(-6.89929290407367, computed(study "sypniewska2017/fig9", "H, smooth"), 1e-6)
    end)

    it("of Sypniewska-Kaminska: accumulation and rest", function()
        local s = study "sypniewska2017/impacts"
        near(12.79494597755487, computed(s, "impacts accumulate, mu = 0"), 1e-7)
        near(6.955144022066414, computed(s, "impacts accumulate, mu = 0.15"), 1e-7)
        near(21.697484789014254, computed(s, "normal force at 14 s, mu = 0.15"), 1e-6)
    end)

    it("of Sypniewska-Kaminska: what the misprint would do, and the rounding not", function()
        local s = study "sypniewska2017/misprints"
        assert.equal(7, computed(s, "impacts in 6 s with the printed E_i, mu = 0.15"))
        near(5.480376891663097, computed(s, "energy after its first impact"), 1e-8)
        near(-0.2584495381323322, computed(s, "epsilon at psi = 20, 60 deg"), 1e-12)
        near(-0.19572752844746558, computed(s, "epsilon at psi = 20, 60 deg, as (36) prints it"), 1e-12)
        assert.equal(8, computed(s, "corners of the rounding box with 6 and 10 impacts"))
        assert.equal("at no time", computed(s, "6 and 10 impacts with the law of stronge"))
    end)

    it("of Sypniewska-Kaminska: the paper's own method and its trap", function()
        local s = study "sypniewska2017/sensitivity"
        assert.equal(10, computed(s, "the paper's method with a guard, h = 1e-3 s: impacts"))
        near(1.5e-3, computed(s, "its energy before the first impact, error"), 1e-4)
        near(-0.3, computed(s, "where the disk is then, above the floor"), 0.02)
    end)

    it("of bounces, pendulums, blocks and rods: two ways agree", function()
        for name, bound in pairs{
            ["motion/bouncing_ball"] = 1e-9, ["motion/impact_pendulum"] = 1e-10, ["motion/rocking_block"] = 1e-10,
            ["motion/falling_rod"] = 1e-10,
        } do
            local s = study(name)
            for _, row in ipairs(s.rows) do
                -- the ratio of intervals is that of the last few, which round
                if row.other and not row.name:find "ratio" then near(row.other, row.computed, bound, row.name) end
                assert.not_equal("differs", row.agreement)
            end
        end
    end)

    it("of compliant floors and cradles: forces in rest, rates, limits", function()
        local s = study "motion/damped_floor"
        for name, bound in pairs{
            ["force of the floor in the end"] = 1e-9, ["indentation in the end"] = 1e-13,
            ["energy: what was lost, and what the floor dissipated"] = 1e-8,
            ["slow rate, measured over a second"] = 1e-6, ["angle after 1 s by either method"] = 1e-9,
            ["and by collocation"] = 1e-9,
        } do near(s.by_name[name].other, computed(s, name), bound, name) end
        assert.equal(1, computed(s, "overdamped: impacts"))
        assert.is_true(computed(s, "impacts before it stays") > 5)
        assert.is_true(computed(s, "steps of the explicit one") > 10 * computed(s, "steps of the stiff one"))
        assert.is_true(computed(s, "steps of the stiff one") > 2 * computed(s, "steps for 3 s"))

        s = study "motion/hertz_cradle"
        assert.equal("-0.0711 -0.0303 -0.0145 +0.1270 +0.9888",
            computed(s, "velocities after it over that of the first ball, in motion"))
        -- the balls swing on by a millionth of a radian while the blow lasts
        near(0, computed(s, "greatest difference of the two, relative to the speed"), 1e-6)
        near(1, computed(s, "momentum after the blow over before"), 1e-5)
        local energy = "energy after 0.62 s, heights from the pivots"
        near(s.by_name[energy].other, computed(s, energy), 1e-10)

        s = study "motion/compliant_double_pendulum"
        near(0.5, computed(s, "order in the stiffness, from 1e+08 to 1e+10"), 0.005)
        for _, k in ipairs{ "1e+06", "1e+08", "1e+10" } do
            local row = s.by_name["k = " .. k .. " N/m: energy and what friction took"]
            near(row.other, row.computed, 1e-8)
        end
    end)

    it("of the cradle, the chain and the driven pendulum run and say what they claim", function()
        for _, name in ipairs{ "motion/cradle", "motion/chain_on_floor" } do
            for _, row in ipairs(study(name).rows) do assert.not_equal("differs", row.agreement) end
        end
        local s = study "motion/bifurcation"
        assert.is_true(tonumber(computed(s, "largest exponent at 10 rad/s"):match "%S+") > 0.1)
        assert.is_true(tonumber(computed(s, "largest exponent at 10.6 rad/s"):match "%S+") < -0.1)
    end)
end)
