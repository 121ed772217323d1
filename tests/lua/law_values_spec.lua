-- Laws against the checked values of tests/reference/world.json.
local pc = require "percuss"
local json = require "dkjson"
local near = require "tests.lua.near"

local cases = {}
do
    local file = assert(io.open "tests/reference/world.json")
    for _, case in ipairs(assert(json.decode(file:read "a"))) do cases[case.id] = case end
    file:close()
end

-- Inputs and outputs; inputs that are exact decimals are strings.
local function case(id)
    return cases[id].inputs, cases[id].outputs
end

local function central(law, mass, speed)
    local ball = pc.body.sphere{ radius = 0.01, mass = mass }
    return pc.collide(ball, law, { vt = 0, vn = -speed })
end

describe("contact.hard_sphere", function()
    it("gives the tangential velocity back up to where it slides", function()
        local inputs, outputs = case "walton-sphere"
        local law = pc.contact.hard_sphere{
            restitution = inputs.restitution, friction = inputs.friction, tangential_restitution = inputs.beta0,
        }
        local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        for _, row in ipairs(outputs.rows) do
            local angle = math.rad(row.incidence_deg)
            local hit = pc.collide(ball, law, { vt = math.sin(angle), vn = -math.cos(angle) })
            near(hit.velocity.t, row.vt, 1e-14)
            near(hit.velocity.n, row.vn, 1e-14)
            near(hit.impulse.t/0.03, row.impulse_t_over_m, 1e-14)
        end
    end)

    it("is smooth on a sphere at beta0 = -1 and sticks as whittaker on any body at 0", function()
        local ball, oblique = pc.body.sphere{ radius = 0.01, mass = 0.03 }, { vt = 0.7, vn = -1 }
        local smooth = pc.collide(ball, pc.contact.hard_sphere{ e = 0.6, mu = 0.5, beta0 = -1 }, oblique)
        near(smooth.velocity.t, smooth.velocity_before.t, 1e-15)
        local rod = pc.body.rod{ length = 0.4, mass = 0.2, angle = 0.7 }
        local motion = { v = { 0.4, -1.5 }, omega = 2 }
        local function after(law) return pc.collide(rod, law, motion).velocity end
        for _, mu in ipairs{ 0.05, 0.3, 2 } do
            local a = after(pc.contact.hard_sphere{ e = 0.6, mu = mu, beta0 = 0 })
            local b = after(pc.contact.whittaker{ e = 0.6, mu = mu })
            near(a.t, b.t, 1e-14)
            near(a.n, b.n, 1e-14)
        end
    end)
end)

describe("contact.viscoelastic", function()
    it("has the restitution and the duration of either end", function()
        local _, outputs = case "viscoelastic-e"
        local mass, speed = 0.03, 2
        local K = 4/3*1e9*math.sqrt(0.01)
        local unit = (mass*speed^2/K)^0.4/speed
        for _, row in ipairs(outputs.rows) do
            local A = row.b/((K/mass)^0.4*speed^0.2)
            for _, tension in ipairs{ false, true } do
                local hit = central(pc.contact.viscoelastic{
                    modulus = 1e9, radius = 0.01, dissipation = A, friction = 0.3, tension = tension,
                }, mass, speed)
                -- the engine follows an impact to 1e-12; series, which serve here, to rounding
                near(hit.restitution.kinematic, tension and row.e_zero or row.e_force, 1e-13)
                near(hit.duration/unit, tension and row.duration_zero or row.duration_force, 1e-12)
            end
        end
    end)
end)

describe("contact.dmt", function()
    it("goes as deep as its energy says and loses nothing", function()
        local inputs, outputs = case "dmt"
        local law = pc.contact.dmt{
            modulus = inputs.E_star, radius = inputs.radius, work_of_adhesion = inputs.work_of_adhesion, friction = 0,
        }
        for _, row in ipairs(outputs.rows) do
            local hit = central(law, inputs.mass, row.speed)
            near(hit.restitution.kinematic, row.e, 1e-13)
            near(hit.peak.n/row.greatest_force, 1, 1e-13)
            near(hit.duration/row.duration, 1, 1e-12)
        end
        -- Hertz's force grows from there with the power 1.5 of the time
        local hit = central(law, inputs.mass, 0.1)
        near(-hit:at(1e-9*hit.duration).F_n/outputs.pull_off_force, 1, 1e-9)
    end)

    it("is Hertz contact without adhesion", function()
        local options = { modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.2, tangential = "mindlin" }
        local hertz = pc.contact.hertz_mindlin{ modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.2 }
        options.work_of_adhesion = 0
        local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        local motion = { vt = 0.3, vn = -1 }
        local a, b = pc.collide(ball, pc.contact.dmt(options), motion), pc.collide(ball, hertz, motion)
        near(a.velocity.t, b.velocity.t, 1e-12)
        near(a.duration/b.duration, 1, 1e-12)
    end)
end)

describe("contact.impact_function", function()
    it("goes on where its force comes back", function()
        for _, id in ipairs{ "impact-function-1", "impact-function-3" } do
            local inputs, outputs = case(id)
            local law = pc.contact.impact_function{
                stiffness = tonumber(inputs.stiffness), exponent = tonumber(inputs.exponent),
                damping = tonumber(inputs.cmax), depth = tonumber(inputs.depth), friction = 0.3,
            }
            for _, vt in ipairs{ 0, 0.5 } do
                local ball = pc.body.sphere{ radius = 0.05, mass = tonumber(inputs.mass) }
                local hit = pc.collide(ball, law, { vt = vt, vn = -tonumber(inputs.speed) })
                -- the end of the ramp is a bend of the force that costs the integrator three of its twelve digits; a
                -- slow departure magnifies what is left
                near(hit.restitution.kinematic, outputs.restitution, 1e-10/outputs.restitution)
                near(hit.duration/outputs.duration, 1, 1e-10/outputs.restitution)
            end
        end
    end)

    it("is a power law without damping", function()
        local a = central(pc.contact.impact_function{ k = 1e8, p = 1.5, friction = 0 }, 0.1, 1)
        local b = central(pc.contact.hunt_crossley{ k = 1e8, zeta = 0, friction = 0 }, 0.1, 1)
        near(a.restitution.kinematic, 1, 1e-11)
        near(a.duration/b.duration, 1, 1e-11)
        near(a.peak.n/b.peak.n, 1, 1e-11)
    end)
end)
