-- Resistance to rolling of compliant laws while everything moves: against closed forms, against the rigid laws in the
-- stiff limit; held and torn loose; the ledger, the mirror, files.
local pc = require "percuss"
local near = require "tests.lua.near"
local scratch = require "tests.lua.scratch"

local g = 9.81

-- Every law that has the length, stiff enough for small indentations.
local LAWS = {
    kelvin_voigt = { stiffness = 1e5, damping = 50 },
    hunt_crossley = { stiffness = 1e6, damping = 0.3 },
    lankarani_nikravesh = { stiffness = 1e6, restitution = 0.7 },
    hertz_mindlin = { young = 1e8, poisson = 0.3, radius = 0.1 },
    tsuji = { young = 1e8, poisson = 0.3, radius = 0.1, restitution = 0.7 },
    viscoelastic = { young = 1e8, poisson = 0.3, radius = 0.1, dissipation = 1e-4 },
    impact_function = { stiffness = 1e6, exponent = 1.5, damping = 50, depth = 1e-4 },
    walton_braun = { stiffness = 1e5, restitution = 0.7 },
}
-- And one that a script brings along.
local scripted = pc.contact.define{
    name = "rolling_spring", parameters = { { "stiffness", symbol = "k", unit = "N/m", above = 0 } },
    force = function(p, u) return p.k*u end,
    energy = function(p, u) return p.k*u^2/2 end,
}
LAWS.rolling_spring = { stiffness = 1e5 }
local NAMES = {}
for name in pairs(LAWS) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

local function law(name, options)
    local all = {}
    for k, v in pairs(LAWS[name]) do all[k] = v end
    for k, v in pairs(options) do all[k] = v end
    return (name == "rolling_spring" and scripted or pc.contact[name])(all)
end

local function simulate(disc, slope, contact, duration, options)
    local nx, ny = math.sin(slope), math.cos(slope)
    local parts = { pc.free(disc), pc.plane{ nx = nx, ny = ny }, contact = contact, configuration = "moving" }
    options = options or {}
    options.duration = duration
    return pc.simulate(pc.scene(parts), options)
end

local function disc(options)
    local all = { shape = "disc", radius = 0.1, mass = 2, y = 0.1 }
    for k, v in pairs(options) do all[k] = v end
    return all
end

local function check_ledger(run, t, bound)
    local a, b = run:at(0), run:at(t)
    near(b.energy + b.friction + b.lost + b.dissipated, a.energy, 0, bound*(a.energy + b.friction))
end

describe("a compliant contact that resists rolling", function()
    it("slows a rolling disc as it should, by every law that has the length", function()
        local delta, R = 4e-3, 0.1
        local a = delta*g/(1.5*R)
        for _, name in ipairs(NAMES) do
            for _, sign in ipairs{ 1, -1 } do
                local contact = law(name, { friction = 0.5, rolling = delta })
                local run = simulate(disc{ vx = sign, rate = -10*sign }, 0, contact, 2)
                -- it starts above its rest by the indentation, and swings: 1e-3 of the weight at most
                near(run:at(2).vx, sign*(1 - 2*a), 4e-3, 0)
                near(run:at(2).rate*R, -run:at(2).vx, 2e-2)
                if name ~= "hertz_mindlin" then check_ledger(run, 2, 1e-7) end
            end
        end
    end)

    it("takes the length times the impulse from a smooth disc that bounces, whatever the stiffness", function()
        local R, m, delta = 0.1, 2, 0.003
        local J = m*R^2/2
        for _, name in ipairs(NAMES) do
            local contact = law(name, { friction = 0, rolling = delta })
            local run = simulate(disc{ y = 0.15, vy = -2, rate = 60 }, 0, contact, 0.2)
            local hit = run.impacts[1]
            assert.equal("rebound", hit.outcome)
            near(run:at(0.2).rate, 60 - delta*hit.impulse.n/J, 1e-8)
            check_ledger(run, 0.2, 1e-8)
        end
    end)

    it("stops what turns slowly, and holds it", function()
        for _, name in ipairs(NAMES) do
            local contact = law(name, { friction = 0, rolling = 0.01 })
            local run = simulate(disc{ y = 0.15, vy = -2, rate = 1 }, 0, contact, 0.2)
            near(run:at(0.2).rate, 0, 0, 1e-9)
            check_ledger(run, 0.2, 1e-8)
        end
    end)

    it("tends to Stronge's law as it becomes stiffer", function()
        -- what sticks and slips without an element along the surface follows Routh's path in the limit
        for _, case in ipairs{ { 1, -30, 0.3, 0.01 }, { 0.5, 20, 0.6, 0.004 }, { -1, 5, 0.2, 0.02 } } do
            local vx, rate, mu, delta = table.unpack(case)
            local exact = pc.collide(pc.body.disc{ radius = 0.1, mass = 2 },
                pc.contact.stronge{ restitution = 1, friction = mu, rolling = delta }, { v = { vx, -2 }, omega = rate })
            for _, stiffness in ipairs{ 1e8, 1e10 } do
                local contact = pc.contact.hunt_crossley{
                    stiffness = stiffness, damping = 0, friction = mu, rolling = delta,
                }
                local body = disc{ y = 0.1 + 1e-9, vx = vx, vy = -2, rate = rate }
                local run = pc.simulate(pc.scene{
                    pc.free(body), pc.floor{ height = 0 }, contact = contact, configuration = "moving", gravity = 0,
                }, { duration = 0.01 })
                local s = run:at(0.01)
                near(s.rate, exact.body.omega, 1e-6, 1e-6)
                near(s.vx, exact.body.v[1], 1e-6, 1e-6)
            end
        end
    end)

    it("stays where a slope is slight, and rolls where it is not", function()
        local delta, R = 4e-3, 0.1
        local limit = math.atan(delta/R)
        for _, name in ipairs{ "kelvin_voigt", "hunt_crossley" } do
            for _, sign in ipairs{ 1, -1 } do
                for _, share in ipairs{ 0.9, 1.2 } do
                    local slope = sign*share*limit
                    local nx, ny = math.sin(slope), math.cos(slope)
                    local contact = law(name, { friction = 0.5, rolling = delta })
                    local run = simulate(disc{ x = R*nx, y = R*ny }, slope, contact, 2)
                    local along = g*(math.sin(share*limit) - delta/R*math.cos(share*limit))/1.5
                    if share < 1 then
                        assert.is_true(math.abs(run:at(2).rate) < 1e-3)
                    else
                        near(run:at(2).vx*ny - run:at(2).vy*nx, sign*2*along, 0.03)
                    end
                end
            end
        end
    end)

    it("is the law without it where the length is 0, to the last bit, and the same in the mirror", function()
        for _, name in ipairs(NAMES) do
            local body = disc{ y = 0.15, vx = 1, vy = -2, rate = -10 }
            local a = simulate(body, 0, law(name, { friction = 0.3 }), 0.3):at(0.3)
            local b = simulate(body, 0, law(name, { friction = 0.3, rolling = 0 }), 0.3):at(0.3)
            assert.equal(a.x, b.x)
            assert.equal(a.rate, b.rate)
            local c = simulate(body, 0, law(name, { friction = 0.3, rolling = 3e-3 }), 0.3):at(0.3)
            local d = simulate(disc{ y = 0.15, vx = -1, vy = -2, rate = 10 }, 0,
                law(name, { friction = 0.3, rolling = 3e-3 }), 0.3):at(0.3)
            near(d.x, -c.x, 1e-9)
            near(d.rate, -c.rate, 1e-9)
            assert.is_true(math.abs(c.rate - a.rate) > 1e-3)
        end
    end)

    it("goes through a file", function()
        local contact = law("hunt_crossley", { friction = 0.3, rolling = 4e-3 })
        local run = simulate(disc{ vx = 1, rate = -10 }, 0, contact, 0.3)
        local path = scratch "rolling_compliant.run"
        assert(run:save(path))
        local again = pc.load_run(path)
        assert.equal(run:at(0.2).rate, again:at(0.2).rate)
        near(again:continue(1):at(1).vx, run:continue(1):at(1).vx, 1e-12)
    end)
end)

describe("an impact by a compliant law that resists rolling, with the body frozen", function()
    local wheel = pc.body.disc{ radius = 0.1, mass = 2 }

    it("is Stronge's where nothing is lost along the normal and the contact point itself sticks", function()
        for _, case in ipairs{
            { 1, -30, 0.3, 0.01 }, { 0.5, 20, 0.6, 0.004 }, { -1, 5, 0.2, 0.02 }, { 0.3, 0, 0.4, 0.01 },
            { 0, 0.5, 0.4, 0.02 }, { 1, -10, 0.4, 5 }, { 1, 3, 0, 0.01 },
        } do
            for _, sign in ipairs{ 1, -1 } do
                local vx, rate, mu, delta = table.unpack(case)
                local motion = { v = { sign*vx, -2 }, omega = sign*rate }
                local a = pc.collide(wheel, pc.contact.stronge{ restitution = 1, friction = mu, rolling = delta },
                    motion)
                local b = pc.collide(wheel, law("hunt_crossley", { damping = 0, friction = mu, rolling = delta }),
                    motion)
                -- the engine's changes of mode are seen to 1e-11 of the scaled problem
                near(b.body.omega, a.body.omega, 1e-9, 1e-9)
                near(b.body.v[1], a.body.v[1], 1e-9, 1e-10)
                near(b.couple.t2, a.couple.t2, 1e-9, 1e-10)
                near(b.work.friction, a.work.friction, 1e-8, 1e-9)
            end
        end
    end)

    it("is that of a scene whose configuration is frozen, and near that of one that moves", function()
        for _, name in ipairs(NAMES) do
            local contact = law(name, { friction = 0.3, rolling = 5e-3 })
            local function run(configuration)
                return pc.simulate(pc.scene{
                    pc.free(disc{ y = 0.1, vx = 1, vy = -2, rate = -30 }), pc.floor{ height = 0 }, contact = contact,
                    configuration = configuration, gravity = 0,
                }, { duration = 0.1 })
            end
            local hit = pc.collide(wheel, contact, { v = { 1, -2 }, omega = -30 })
            local frozen, moving = run "frozen", run "moving"
            near(frozen:at(0.1).rate, hit.body.omega, 1e-11)
            near(frozen.impacts[1].couple, hit.couple.t2, 1e-11)
            near(frozen.impacts[1].work.friction, hit.work.friction, 1e-10)
            -- a disc on a floor touches at the same arm however it has turned
            near(moving:at(0.1).rate, hit.body.omega, 1e-6)
            near(hit.energy.before - hit.energy.after, hit.loss, 1e-10)
            assert.is_true(math.abs(hit.couple.t2) <= 5e-3*hit.impulse.n*(1 + 1e-9))
        end
    end)

    it("has its trace, and refuses what could not move without turning", function()
        local contact = law("kelvin_voigt", { friction = 0.3, rolling = 5e-3 })
        local hit = pc.collide(wheel, contact, { v = { 1, -2 }, omega = -30 })
        local states = hit:trace(11)
        near(states.v_t[11], hit.velocity.t, 1e-9)
        near(states.W_f[11], hit.work.friction, 1e-9)
        local arm = pc.body.pendulum{ length = 1, mass = 1, angle = 0.4, radius = 0.05, contact = "surface" }
        local ok, why = pcall(pc.collide, arm, contact, { rate = -1 })
        assert.is_false(ok)
        assert.truthy(tostring(why):find("could not move without turning", 1, true), tostring(why))
        ok, why = pcall(pc.collide, wheel, contact, { v = { 1, -2 }, omega = -30 }, { configuration = "moving" })
        assert.is_false(ok)
        assert.truthy(tostring(why):find('is for configuration = "frozen" here', 1, true), tostring(why))
    end)
end)
