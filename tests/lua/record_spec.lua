-- Results that are plain tables: a misspelt field is an error that names the nearest one.
local pc = require "percuss"

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })
local world = pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }, pc.floor{ height = 0 },
    contact = pc.contact.newton{ restitution = 0.5, friction = 0.1 } }
local run = pc.simulate(world, { duration = 1 })

local pendulum = pc.scene{ pc.chain{ links = { { length = 1, mass = 1 } }, angles = { 3 } } }
local rod = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg }
local fit = pc.fit(pc.table{ { "x", { 0, 1, 2 } }, { "y", { 0, 1, 2 } } },
    function(p, row) return p.slope * row.x end, { { "slope", 0.5 } }, { columns = "y" })

local function message(record, name)
    local ok, text = pcall(function() return record[name] end)
    assert.is_false(ok, name)
    return text
end

-- a record, a misspelt field, what was meant
local cases = {
    { "an impulse", hit.impulse, "tt", "t" },
    { "coefficients of restitution", hit.restitution, "kinematc", "kinematic" },
    { "energies", hit.energy, "befor", "before" },
    { "works", hit.work, "frction", "friction" },
    { "flags that are not set", hit.flags, "gros_slip", "gross_slip" },
    { "a phase", hit.phases[1], "strat", "start" },
    { "a state at the end of a phase", hit.phases[1].at_stop, "F_nn", "F_n" },
    { "a history", hit:trace(5), "F_tt", "F_t" },
    { "an impact of a run", run.impacts[1], "veloctiy", "velocity" },
    { "what of it is worked out when asked for", run.impacts[1], "restitutoin", "restitution" },
    { "the velocity of an impact of a run", run.impacts[1].velocity, "nn", "n" },
    { "an event", run.events[1], "tiem", "time" },
    { "a state of a run", run:at(0.3), "enrgy", "energy" },
    { "columns of a run", run:columns(0.1), "kinetc", "kinetic" },
    { "counts of a run", run.statistics, "setps", "steps" },
    { "a map", pc.map(ball, spring, { vt = pc.array{ 0, 1 }, vn = -1 }), "los_fraction", "loss_fraction" },
    { "the constants of a body", ball.lai, "lamda", "lambda" },
    { "an exponent", pc.lyapunov(pendulum, { duration = 3, interval = 1 }), "exponant", "exponent" },
    { "coefficients that are converted", pc.convert_restitution(rod, { vt = 0.6, vn = -1 }, { E = 1, mu = 0.01 }),
        "kinetik", "kinetic" },
    { "a fit", fit, "coveriance", "covariance" },
    { "a method of a fit", fit, "corelation", "correlation" },
    { "parameters of a fit", fit.values, "slopee", "slope" },
    { "a comparison", pc.compare(rod, { pc.contact.newton{ e = 1, mu = 0.1 } }, { vt = 0.2, vn = -1 }), "row", "rows" },
    { "a flow of sliding", pc.flow({ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, 0.5), "invariants", "invariant" },
    { "a flat impact", pc.flat_impact{ radius = 1, mass = 1, stiffness = 1e4, speed = 1 }, "durtion", "duration" },
}

describe("a misspelt field is told of", function()
    for _, case in ipairs(cases) do
        it(case[1], function()
            assert.equal(("there is no field '%s' here; did you mean '%s'?"):format(case[3], case[4]),
                (message(case[2], case[3]):gsub("^.-:%d+: ", "")))
        end)
    end

    it("with the line that reads it", function()
        assert.matches("^tests/lua/record_spec.lua:%d+: ", message(hit.energy, "befor"))
    end)
end)

describe("a record", function()
    it("gives nil for what may be absent", function()
        assert.is_nil(hit.impulse.t2)
        assert.is_nil(hit.flags.jam)
        assert.is_nil(hit.restitution.asked and nil)
        assert.is_nil(run.statistics.jacobians)
        assert.is_nil(run.impacts[1].lock)
    end)

    it("is a table like any other beside that", function()
        local energy, names = hit.energy, {}
        for name in pairs(energy) do names[#names + 1] = name end
        table.sort(names)
        assert.same({ "after", "before", "contact_after", "contact_before" }, names)
        assert.is_nil(rawget(energy, "befor"))
        assert.is_nil(energy[1])
        assert.equal(0, #energy)
        energy.mine = 5
        assert.equal(5, energy.mine)
        -- another look makes another table
        assert.is_nil(rawget(hit.energy, "mine"))
        assert.same({ t = hit.velocity.t, n = hit.velocity.n }, hit.velocity)
        assert.not_same({ t = hit.velocity.t, n = 7 }, hit.velocity)
        -- a comparison that asks for a field that is not there fails by its name
        assert.error_matches(function()
            assert.same({ t = hit.velocity.t, n = hit.velocity.n, other = 1 }, hit.velocity)
        end, "other")
    end)

    it("is printed as it was", function()
        assert.equal("{ t = 1, n = -1 }", pc.prompt.text(hit.velocity_before))
    end)

    it("is text wherever print makes it", function()
        assert.equal("{ t = 1, n = -1 }", tostring(hit.velocity_before))
        local thrown = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1, vy = -1, name = "thrown" }
        local still = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 2, x = 1 }
        local law = pc.contact.newton{ restitution = 0.5, friction = 0 }
        local room = pc.scene{ thrown, still, pc.floor{ height = 0 }, contact = law }
        local flight = pc.simulate(room, { duration = 0.05 })
        assert.matches("outcome%s+= \"rebound\"", tostring(flight.impacts[1]))
        assert.matches("impacts%s+= 1", tostring(flight.statistics))
        assert.matches("kinetic%s+=", tostring(flight:at(0)))
        -- fields of members are found by what follows the name; nothing is lost is +0
        assert.error_matches(function() return flight:at(0).vx end, "did you mean 'body.vx'", 1, true)
        assert.equal("0.0", tostring(flight:at(0).damped))
        assert.error_matches(function() return flight:at(0, "befor") end,
            'argument 2, side, must be "after" or "before", not "befor"', 1, true)
    end)
end)
