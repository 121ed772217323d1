-- Resistance to rolling of contacts that last (rolling_impact_spec: of impacts): against the checked values of
-- tests/reference/world.json, against closed forms, and against the same motion with the couple as a force of the
-- scene; the ledger; rest; files; displacements.
local pc = require "percuss"
local json = require "dkjson"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local cases = {}
do
    local file = assert(io.open "tests/reference/world.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do cases[case.id] = case end
    file:close()
end

local g = 9.81

local function law(delta, options)
    options = options or {}
    return pc.contact[options.kind or "newton"]{
        restitution = options.restitution or 0, friction = options.friction or 0.5, rolling = delta,
    }
end

-- A disc on a plane that falls to the right by `slope`: where it is along that, and how fast.
local function on_slope(slope, R, options)
    local nx, ny = math.sin(slope), math.cos(slope)
    local v = options.v or 0
    local disc = pc.free{
        shape = "disc", radius = R, mass = options.mass or 1, x = R*nx, y = R*ny, vx = v*ny, vy = -v*nx,
        rate = options.rate or -v/R,
    }
    local world = pc.scene{ disc, pc.plane{ nx = nx, ny = ny }, contact = options.law }
    local run = pc.simulate(world, { duration = options.duration })
    return run, function(t)
        local s = run:at(t)
        return (s.x - R*nx)*ny - (s.y - R*ny)*nx, s.vx*ny - s.vy*nx, s.rate
    end
end

-- At rest but for rounding, of which drift is corrected to some 1e-17.
local function rests(speed) near(speed, 0, 0, 1e-15) end

-- Every joule: what moves, was lost and went into friction is what was there. Sums of some ten terms of the whole.
local function check_ledger(run, t)
    local a, b = run:at(0), run:at(t or run.time)
    local scale = math.abs(a.energy) + math.abs(b.energy) + b.friction + b.lost
    near(b.energy + b.friction + b.lost, a.energy, 0, 1e-10*scale)
end

describe("a disc that resists rolling", function()
    it("comes to rest on the level when it should, by every law", function()
        local i, o = cases["rolling-stop-disc"].inputs, cases["rolling-stop-disc"].outputs
        for _, kind in ipairs{ "newton", "poisson", "stronge" } do
            for _, sign in ipairs{ 1, -1 } do
                local run, along = on_slope(0, i.radius, {
                    law = law(i.rolling_resistance, { kind = kind, friction = tonumber(i.friction) }), mass = i.mass,
                    v = sign*i.v0, duration = 15,
                })
                local x, v = along(5)
                near(v, sign*(i.v0 - 5*o.deceleration), 1e-12)
                near(x, sign*(5*i.v0 - 12.5*o.deceleration), 1e-12)
                local rest = run.events[#run.events]
                assert.equal("rest", rest.kind)
                near(rest.time, o.time_of_stop, 1e-12)
                near(along(14), sign*o.distance, 1e-12)
                rests(run:at(14).rate)
                near(run:at(14).friction, o.heat, 1e-12)
                check_ledger(run)
            end
        end
    end)

    it("rolls down a slope, or stays where that is slight", function()
        local i, o = cases["rolling-slope"].inputs, cases["rolling-slope"].outputs
        local run, along = on_slope(i.slope, i.radius, { law = law(i.rolling_resistance), duration = 2 })
        near(select(2, along(2)), o.speed_after_2s, 1e-12)
        check_ledger(run)
        for _, sign in ipairs{ 1, -1 } do
            for _, share in ipairs{ 0.5, 0.999, 1 - 1e-9 } do
                local slope = sign*share*o.threshold_slope
                local _, place = on_slope(slope, i.radius, { law = law(i.rolling_resistance), duration = 5 })
                local x, v, rate = place(5)
                rests(v)
                rests(rate)
                near(x, 0, 0, 1e-15)
            end
            local slope = sign*o.threshold_slope*1.001
            local _, place = on_slope(slope, i.radius, { law = law(i.rolling_resistance), duration = 2 })
            local a = g*(math.sin(slope) - sign*i.rolling_resistance/i.radius*math.cos(slope))/1.5
            near(select(2, place(2)), 2*a, 1e-9) -- a is a thousandth of its terms
        end
    end)

    it("rolls up, turns and rolls back", function()
        local i, o = cases["rolling-up-and-down"].inputs, cases["rolling-up-and-down"].outputs
        for _, sign in ipairs{ 1, -1 } do
            local run, along = on_slope(sign*i.slope, i.radius, {
                law = law(i.rolling_resistance), v = -sign*i.v0_uphill, duration = 10,
            })
            local x, v = along(o.time_of_turn)
            near(x, -sign*o.height_distance, 1e-12)
            near(v, 0, 0, 1e-11)
            x, v = along(o.time_back_at_start)
            near(x, 0, 0, 1e-10)
            near(v, sign*o.speed_back, 1e-11)
            check_ledger(run)
        end
    end)

    it("stays where it turns, if the slope is slight", function()
        local run, along = on_slope(0.03, 0.1, { law = law(0.004), v = -2, duration = 20 })
        local a = g*(math.sin(0.03) + 0.04*math.cos(0.03))/1.5
        near(along(20), -2^2/(2*a), 1e-11)
        near(run.events[#run.events].time, 2/a, 1e-11)
        check_ledger(run)
    end)

    it("slides first, with both resistances, and then rolls", function()
        -- without spin at first: v' = -mu g, (m R^2/2) w' = -R F + delta N against the rate, until v = -R w
        local R, mu, delta, v0 = 0.1, 0.2, 0.003, 4
        local run, along = on_slope(0, R, { law = law(delta, { friction = mu }), v = v0, rate = 0, duration = 30 })
        local spin = 2*(mu*g*R - delta*g)/R^2 -- of -w
        local t = v0/(mu*g + R*spin)
        local v = v0 - mu*g*t
        local _, now, rate = along(t)
        near(now, v, 1e-11)
        near(rate, -v/R, 1e-11)
        local a = delta*g/(1.5*R)
        near(select(2, along(t + 1)), v - a, 1e-11)
        near(run.events[#run.events].time, t + v/a, 1e-11)
        check_ledger(run)
    end)

    it("spins on the spot where there is no friction, until the couple has stopped it", function()
        local R, delta, w = 0.1, 0.002, 12
        local run, along = on_slope(0, R, { law = law(delta, { friction = 0 }), v = 0.3, rate = w, duration = 4 })
        local alpha = 2*delta*g/R^2
        near(select(3, along(1)), w - alpha, 1e-12)
        local x, v, rate = along(w/alpha + 0.1)
        rests(rate)
        near(v, 0.3, 1e-13)
        near(x, 0.3*(w/alpha + 0.1), 1e-12)
        check_ledger(run)
    end)

    it("moves as under a couple of the same size", function()
        for seed = 1, 4 do
            local slope, R, delta, v = 0.02*seed, 0.05 + 0.02*seed, 0.001*seed, 1 + seed
            local run, along = on_slope(-slope, R, { law = law(delta), v = v, duration = 0.5 })
            local nx, ny = math.sin(-slope), math.cos(slope)
            local N = g*math.cos(slope)
            local disc = pc.free{
                shape = "disc", radius = R, mass = 1, x = R*nx, y = R*ny, vx = v*ny, vy = -v*nx, rate = -v/R,
            }
            local pushed = pc.simulate(pc.scene{
                disc, pc.plane{ nx = nx, ny = ny }, contact = law(0),
                pc.force{ on = disc.name, f = function() return 0, 0, delta*N end },
            }, { duration = 0.5 })
            near(run:at(0.5).x, pushed:at(0.5).x, 1e-11)
            near(select(3, along(0.5)), pushed:at(0.5).rate, 1e-11)
        end
    end)

    it("begins to roll when a growing couple overcomes what holds it", function()
        for _, sign in ipairs{ 1, -1 } do
            local R, m, delta, k = 0.1, 2, 0.004, 0.05
            local disc = pc.free{ shape = "disc", radius = R, mass = m, y = R, name = "wheel" }
            local run = pc.simulate(pc.scene{
                disc, pc.floor{ height = 0 }, contact = law(delta),
                pc.force{ on = "wheel", f = function(t) return 0, 0, sign*k*t end },
            }, { duration = 3 })
            local start = delta*m*g/k
            rests(run:at(start*(1 - 1e-9))["wheel.rate"])
            for _, t in ipairs{ start + 0.2, 3 } do
                -- the start is known to the noise of forces, some 1e-11 of them
                near(run:at(t)["wheel.rate"], sign*k*(t - start)^2/(2*1.5*m*R^2), 1e-9)
            end
        end
    end)

    it("does not by a sharp corner", function()
        local box = pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = 0.05, vx = 1 }
        local runs = {}
        for k, delta in ipairs{ 0, 0.01 } do
            runs[k] = pc.simulate(pc.scene{ box, pc.floor{ height = 0 }, contact = law(delta) }, { duration = 0.1 })
        end
        assert.equal(runs[1]:at(0.1).x, runs[2]:at(0.1).x)
    end)
end)

describe("resistance to rolling", function()
    it("bounces, slides and rolls to rest with all its energy in the ledger", function()
        for seed = 1, 6 do
            local disc = pc.free{
                shape = "disc", radius = 0.05 + 0.01*seed, mass = 0.5, y = 0.3 + 0.05*seed, vx = 2 - 0.5*seed,
                rate = 15 - 5*seed,
            }
            local run = pc.simulate(pc.scene{
                disc, pc.floor{ height = 0 },
                contact = law(0.0005*seed, { restitution = 0.6, friction = 0.1*seed, kind = "poisson" }),
            }, { duration = 60 })
            local rest = run.events[#run.events]
            assert.equal("rest", rest.kind)
            assert.is_true(rest.time < 59)
            rests(run:at(60).vx)
            rests(run:at(60).rate)
            check_ledger(run)
            for k = 0, 6 do check_ledger(run, k*rest.time/6) end
            -- once it is in contact for good the rate falls, in size
            local before = math.huge
            for k = 1, 20 do
                local s = run:at(rest.time*(0.5 + k/40))
                local now = math.abs(s.rate)
                assert.is_true(now <= before*(1 + 1e-9) + 1e-12 or s.y > disc.y*0 + 0.05 + 0.01*seed + 1e-9)
                before = now
            end
        end
    end)

    it("acts between discs by the rate of one against the other", function()
        -- two discs side by side between walls would be a jam; here one lies on top of a round obstacle, and rolls off
        local peg = pc.peg{ x = 0, y = 0, radius = 0.2 }
        local function top(delta, angle)
            local r = 0.3
            local disc = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = r*math.sin(angle), y = r*math.cos(angle) }
            return pc.simulate(pc.scene{ disc, peg, contact = law(delta, { friction = 1 }) }, { duration = 0.2 })
        end
        -- it stays on top within tan(angle) <= delta/R, as on a slope
        local limit = math.atan(0.01/0.1)
        rests(top(0.01, 0.98*limit):at(0.2).rate)
        local run = top(0.01, 1.05*limit)
        assert.is_true(run:at(0.2).rate < -1e-3)
        check_ledger(run)
    end)

    it("brings piles of discs between walls to rest, and takes energy only", function()
        for seed = 1, 8 do
            local state = seed
            local function random(lo, hi)
                state = state*48271 % 2147483647
                return lo + (hi - lo)*state/2147483647
            end
            for _ = 1, 5 do random(0, 1) end
            local parts = {
                pc.floor{ height = 0 }, pc.wall{ x = -0.3, side = "right" }, pc.wall{ x = 0.3, side = "left" },
            }
            for k = 1, 4 do
                parts[#parts + 1] = pc.free{
                    shape = "disc", radius = random(0.04, 0.1), mass = random(0.2, 2), x = random(-0.15, 0.15),
                    y = 0.25*k, vx = random(-1, 1), rate = random(-10, 10), name = "d" .. k,
                }
            end
            parts.contact = law(random(1e-4, 5e-3), {
                restitution = 0.4, friction = random(0.1, 0.9), kind = "stronge",
            })
            local run = pc.simulate(pc.scene(parts), { duration = 12, max_impacts = 100000 })
            assert.equal("end", run.stop)
            local before = 0
            for k = 1, 12 do
                check_ledger(run, k)
                local s = run:at(k)
                -- some ten contacts of some 10 N each, whose velocities at rest are rounding, 6e-14 m/s, for a second
                assert.is_true(s.friction >= before - 1e-11)
                before = s.friction
            end
        end
    end)

    it("acts on what a belt drives", function()
        local R, delta = 0.1, 0.004
        local disc = pc.free{ shape = "disc", radius = R, mass = 1, y = R }
        local belt = pc.floor{ height = 0, surface_speed = 1 }
        local run = pc.simulate(pc.scene{ disc, belt, contact = law(delta, { friction = 0.8 }) }, { duration = 0.03 })
        -- the belt slides below it: F = mu N drives the centre, and turns it against the couple
        local s = run:at(0.03)
        near(s.vx, 0.8*g*0.03, 1e-11)
        near(s.rate, 2*(0.8*g*R - delta*g)/R^2*0.03, 1e-11)
    end)

    it("goes through a file, at rest and while it rolls", function()
        local function world()
            local disc = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1, vx = 1, rate = -10 }
            return pc.scene{ disc, pc.floor{ height = 0 }, contact = law(0.02) }
        end
        for _, duration in ipairs{ 0.3, 2 } do
            local path = scratch "roll.run"
            local run = pc.simulate(world(), { duration = duration })
            assert(run:save(path))
            local again = pc.load_run(path)
            for _, t in ipairs{ 0.1, 0.29 } do
                assert.equal(run:at(t).friction, again:at(t).friction)
                assert.equal(run:at(t).rate, again:at(t).rate)
            end
            assert.equal(run:continue(3):at(3).x, again:continue(3):at(3).x)
            rests(again:at(3).rate)
            check_ledger(again)
        end
    end)

    it("is the same in the mirror and for any order of bodies", function()
        local function pile(sign, first)
            local a = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = -sign*0.3, y = 0.1, vx = sign*2, name = "a" }
            local b = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = sign*0.3, y = 0.1, vx = -sign*1, name = "b" }
            local one, other = first and a or b, first and b or a
            local run = pc.simulate(pc.scene{
                one, other, pc.floor{ height = 0 }, contact = law(0.003, { restitution = 0.5, friction = 0.3 }),
            }, { duration = 20 })
            check_ledger(run)
            return run
        end
        local run = pile(1, true)
        for _, other in ipairs{ { pile(-1, true), -1 }, { pile(1, false), 1 } } do
            for _, t in ipairs{ 0.5, 3, 20 } do
                local s, o = run:at(t), other[1]:at(t)
                near(other[2]*o["a.x"], s["a.x"], 1e-9)
                near(other[2]*o["b.vx"], s["b.vx"], 1e-9, 1e-9)
            end
        end
        rests(run:at(20)["a.vx"])
    end)

    it("is followed by run:carry, through slip, rolling, rest, turning points and impacts", function()
        local R = 0.1
        local carried = {
            { slope = 0, x = 0, v = 3, rate = -10, lift = 0, durations = { 0.1, 0.5, 6, 20 } }, -- slides, rolls, rests
            { slope = 0.3, x = 0, v = -2, rate = 20, lift = 0, durations = { 0.3, 1.5 } },      -- up, and down again
            { slope = 0.03, x = 0, v = -1, rate = 8, lift = 0, durations = { 2, 8 } },          -- up, where it stays
            { slope = 0, x = 0, v = 0.5, rate = 12, lift = 0.2, durations = { 0.4, 1 } },       -- bounces
        }
        for _, case in ipairs(carried) do
            local nx, ny = math.sin(case.slope), math.cos(case.slope)
            local contact = law(0.004, { restitution = 0.5, friction = 0.4, kind = "poisson" })
            local function run(dv, drate, duration)
                local v, h = case.v + dv, R + case.lift
                local disc = pc.free{
                    shape = "disc", radius = R, mass = 1, x = h*nx, y = h*ny, vx = v*ny, vy = -v*nx,
                    rate = case.rate + drate,
                }
                return pc.simulate(pc.scene{ disc, pc.plane{ nx = nx, ny = ny }, contact = contact }, {
                    duration = duration,
                })
            end
            local h = 1e-5
            for _, direction in ipairs{ { 1, 0 }, { 0, 1 } } do
                local dv, dw = table.unpack(direction)
                for _, duration in ipairs(case.durations) do
                    local image = run(0, 0, duration):carry{ q = { 0, 0, 0 }, u = { dv*ny, -dv*nx, dw } }
                    local ahead = run(h*dv, h*dw, duration):at(duration)
                    local behind = run(-h*dv, -h*dw, duration):at(duration)
                    for i = 1, 3 do
                        -- central differences err by h^2 of the derivatives of many bounces, and by some 1e-11 of
                        -- two runs over h
                        near(image.q[i], (ahead.q[i] - behind.q[i])/(2*h), 3e-6, 3e-6)
                        near(image.u[i], (ahead.u[i] - behind.u[i])/(2*h), 3e-6, 3e-6)
                    end
                end
            end
        end
    end)

    it("is refused where it is negative", function()
        local ok, why = pcall(law, -0.001)
        assert.is_false(ok)
        assert.truthy(why:find("rolling (δ) = -0.001 m is not allowed; it must be >= 0 m", 1, true), why)
    end)
end)
