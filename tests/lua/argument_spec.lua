-- Functions written in Lua take the arguments that their documentation names, and say so otherwise.
local pc = require "percuss"

local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return type(message) == "table" and message.message or message
end

local world = pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1 }, pc.floor{ height = 0 },
    contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }
local run = pc.simulate(world, { duration = 0.5 })
local numbers = pc.table{ { "x", { 1, 2, 3 } }, { "y", { 4, 5, 6 } } }
local hit = pc.collide(pc.body.rod{ mass = 1, length = 1, angle = 0.3 }, pc.contact.newton{ e = 0.5, mu = 0.1 },
    { vt = 0.1, vn = -1 })

-- what is called, and a part of what is said
local cases = {
    { "a wrong type", "fit: argument 4, options, must be a table, not a number",
        pc.fit, numbers, print, { { "a", 1 } }, 7 },
    { "a missing argument", "compare: argument 2, laws, must be a table, not nothing", pc.compare, hit.object },
    { "a method without its object", "call it with a colon, as a method of a run, not of a number", run.phase, 5 },
    { "a method of another type", "as a method of a table, not of a run", numbers.group, run, "x" },
    { "a table of options that is a string", "must be a table, not a string", run.draw, run, "a.png" },
    { "a sweep over nothing", "must be a table", pc.sweep, 3 },
    { "a list that holds no law", "entry 1 of the laws is no contact law", pc.compare, hit.object, { 3 }, {} },
    { "a list that holds no impact", "entry 2 must be an impact, not a number", pc.impulse_plane, { hit, 3 } },
    { "a column that is no column", "column 1 must be { name, values, unit = }", numbers.with, numbers, { "z" } },
    { "a bifurcation without a run", "bifurcation: run must be a function",
        pc.bifurcation, { over = { "x", { 1 } }, sample = tostring } },
    { "a bifurcation over a number", "over must be a table, not a number",
        pc.bifurcation, { over = 3, run = tostring, sample = tostring } },
    { "a bifurcation over a list without a name", "over must be { name, values, unit = }",
        pc.bifurcation, { over = { 1, 2 }, run = tostring, sample = tostring } },
    { "a misspelt option", "table:heatmap has no parameter 'pallette'; did you mean 'palette'?",
        numbers.heatmap, numbers, "x", "y", "y", { pallette = "grey" } },
    { "an option of another type", "run:draw: trail must be a number, not a string", run.draw, run, { trail = "1 s" } },
    { "a misspelt word of an option", [[palette = "viridas" is not known; it must be "viridis", "cividis", "grey" or ]]
        .. [["diverging" (did you mean "viridis"?)]], numbers.heatmap, numbers, "x", "y", "y",
            { palette = "viridas" } },
    { "a misspelt word", [[argument 2, order = "desc" is not known; it must be "ascending" or "descending" (did]],
        numbers.sort, numbers, "x", "desc" },
    { "an element of a list where options stand", "run:draw has no parameter '1'", run.draw, run, { "a.png" } },
    { "a bifurcation whose sample is no list", "sample must return a list of numbers, not nil",
        pc.bifurcation, { over = { "x", { 1 } }, run = tostring, sample = function() end } },
    { "an exponent over a text", "duration must be a number, not a string", pc.lyapunov, world, { duration = "x" } },
    { "an exponent over intervals without number", "at most 1e7 times", pc.lyapunov, world, { interval = 1e-300 } },
    { "a sensitivity over a number", "over must be a table, not a number", pc.sensitivity, { over = 3 } },
    { "a column that is not there", "no column 'z'", numbers.line, numbers, "z", "y" },
    { "a group by what is no list", "{ column, how, as = }", numbers.group, numbers, "x", { 1 } },
    { "laws with a hole", "compare: laws has nothing at [1]", pc.compare, hit.object, { nil, hit.law }, {} },
    { "a portrait that starts nowhere", "start 1 must be { x, y }, two numbers",
        pc.chart.portrait, { rates = tostring, x = { 0, 1 }, y = { 0, 1 }, starts = { { 1 } } } },
    { "velocities that are one number", "velocity must be an array or a list of numbers, not a number",
        pc.cradle, { bodies = { hit.object, hit.object }, velocity = 3,
            contact = pc.contact.hunt_crossley{ stiffness = 1, damping = 0, friction = 0 } } },
    { "a list that is a file", "must be a list of 2 numbers",
        pc.body.rigid, { mass = 1, inertia = 1, arm = io.stdout } },
    { "a section of no period", "nan is not allowed; it must be any finite number", run.section, run, { at = 0 / 0 } },
    { "a section of countless periods", "at most 1e7 of it", run.section, run, { at = 1e-300 } },
    { "a store that is a number", "store must be a string, not a number", pc.sweep,
        { over = { { "x", { 1 } } }, run = tostring, columns = { "y" }, store = 5 } },
    { "a dashpot that pulls and never lets go", "a contact that pulls ends only below critical damping",
        pc.collide, pc.body.sphere{ radius = 0.01, mass = 1 }, -- k = 1000 N/m: critical from c = 63 N s/m on
        pc.contact.kelvin_voigt{ stiffness = 1e3, damping = 70, friction = 0, tension = true }, { vt = 0, vn = -1 } },
    -- functions written in C
    { "a text for a number", "critical_angle: argument 1, mu, must be a number, not a string",
        pc.critical_angle, "x", 1 },
    { "nothing for a number", "critical_angle: argument 1, mu, must be a number, not nothing", pc.critical_angle },
    { "a number for a body", "collide: argument 1, body, must be a body, not a number", pc.collide, 1 },
    { "a speed below zero", "restitution: argument 3, speed = -2, must be a positive number of m/s",
        pc.restitution, hit.law, hit.object, -2 },
    { "a count that is no whole number", "linspace: argument 3, n = 2.5, must be a whole number",
        pc.linspace, 0, 1, 2.5 },
    { "a file that is a number", "make_directory: argument 1, path, must be a string, not a number",
        pc.make_directory, 0 / 0 },
    { "a method called with a dot", "impact:at: call it with a colon, as a method of an impact, not of a number",
        hit.at, 3 },
    { "an argument of a method", "array:norm: argument 1, p, must be a number, not a string",
        pc.array{ 1 }.norm, pc.array{ 1 }, "x" },
    { "a body in a list", "cradle: body 2 must be a body, not a number", pc.cradle, { bodies = { hit.object, 4 },
        contact = hit.law, velocity = { 1, 0 } } },
    { "a body among options", "body must be a body, not a number", pc.contact.coupled, { body = 3 } },
    { "an energy beyond all numbers", "too large for a number",
        pc.collide, hit.object, hit.law, { vt = 1e200, vn = -1 } },
}

describe("wrong arguments are told:", function()
    for _, case in ipairs(cases) do
        it(case[1], function()
            local message = refusal(table.unpack(case, 3, #case))
            assert.is_truthy(message:find(case[2], 1, true), message)
        end)
    end

    it("the same before and after help was asked, which expands what is known of a function", function()
        local function told() return refusal(function() pc.array{ 1 }:norm "x" end) end
        local before = told()
        pc.register()
        assert.equal(before, told())
        assert.matches("array:norm: argument 1, p, must be a number, not a string", before, 1, true)
    end)

    it("the line of the caller stands before it, also where C finds it for a function in Lua", function()
        for expected, call in pairs{
            ["sensitivity: input 1 must be { name, { lo, hi } }"] = function()
                pc.sensitivity{ over = { { "a", { 0, "x" } } }, run = tostring, columns = { "y" } }
            end,
            ["sensitivity: points must be a power of two from 2 to 4294967296, not 3"] = function()
                pc.sensitivity{ over = { { "a", { 0, 1 } } }, run = tostring, columns = { "y" }, points = 3 }
            end,
            ["loss_curves: restitution[2] = 5 is not allowed"] = function()
                pc.loss_curves(hit.object, { vt = 1, vn = -1 }, { restitution = { 0, 5 } })
            end,
            ["loss_curves: ratio[1] must be a number"] = function()
                pc.loss_curves(hit.object, { vt = 1, vn = -1 }, { ratio = { "x" } })
            end,
            ["height = inf pixels is not allowed; it must be any finite number of pixels"] = function()
                run:draw{ height = 1 / 0 }
            end,
        } do
            local message = refusal(call)
            assert.is_truthy(message:find(expected, 1, true), message)
            assert.matches("^[^:]*argument_spec.lua:%d+: ", message)
        end
    end)

    it("the line of the caller stands before it", function()
        assert.matches("^[^:]*argument_spec.lua:%d+: run:phase: argument 1", refusal(function() run:phase(3) end))
    end)
end)
