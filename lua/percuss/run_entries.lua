-- Methods of runs and scenes that are written in Lua, with their documentation; the modules are loaded at the first
-- call.
local pc = require "percuss"
local checked = require("percuss.argument").checked

local parameter = require "percuss.parameter"

local param, with = parameter.row, parameter.with
local file, title, size = parameter.file, parameter.title, parameter.size

local BALL = [[
local ball = percuss.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local world = percuss.scene{ ball, percuss.floor{ height = 0 },
    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }
]]
local RUN = BALL .. "local run = percuss.simulate(world, { duration = 1 })\n"

local function drawing(...) return with(param("options", "table", "how it is drawn", { otherwise = "{}" }), ...,
    file, title, size) end
local CURVES = { param("points", "integer", "of each curve", { default = 600 }) }
local drawn = "name of the file written, or nothing when drawn inline"

local methods = {
    { "run", "plot", "percuss.run", "plot", {
        summary = "Draw columns over time; those of one unit share a panel.",
        params = {
            with(param("what", { "string", "list" }, "column names, or energy (kinetic, potential, stored and their "
                .. "sum), total (the sum alone), ledger, " .. "angles, rates, gaps, forces, reactions; a list may "
                .. "hold the options", { otherwise = '"energy"' }), CURVES, file, title, size),
            with(param("options", "table", "how they are drawn", { otherwise = "{}" }), CURVES, file, title, size),
        },
        returns = drawn,
        example = RUN .. 'print(run:plot{ "y", "energy", file = "energy.png" })\n--> energy.png',
    } },
    { "run", "phase", "percuss.run", "phase", {
        summary = "Phase portrait: one column over another, with jumps left open.",
        params = { param("x", "string", "column along x"), param("y", "string", "column along y"),
            with(param("options", "table", "how it is drawn", { otherwise = "{}" }), {
                param("points", "integer", "of the curve", { default = 2000 }),
                param("from", "number", "when it begins", { otherwise = "the start", unit = "s" }),
            }, file, title) },
        returns = drawn,
        example = RUN .. 'print(run:phase("y", "vy", { file = "portrait.png" }))\n--> portrait.png',
    } },
    { "run", "draw", "percuss.run", "draw", {
        summary = "A still of the scene at a time, with the paths of the time before.",
        params = { drawing{
            param("time", "number", "of the still", { otherwise = "the end", unit = "s" }),
            param("trail", "number", "how long before it the paths begin", { default = 1, unit = "s" }),
        } },
        returns = drawn,
        example = RUN .. 'print(run:draw{ time = 0.4, file = "still.png" })\n--> still.png',
    } },
    { "run", "animate", "percuss.run", "animate", {
        summary = "Write the motion as a GIF, which loops.",
        params = { with(param("options", "table", "a table of"), {
            param("file", "string", "a name that ends in .gif"),
            param("fps", "number", "pictures a second", { default = 25, unit = "1/s" }),
            param("speed", "number", "1 is real time", { default = 1 }),
            param("from", "number", "when it begins", { otherwise = "the start", unit = "s" }),
            param("to", "number", "when it ends", { otherwise = "the end", unit = "s" }),
            param("trail", "number", "length of the paths", { default = 0.5, unit = "s" }),
        }, title, size) },
        returns = "name of the file; or nil, message, code",
        example = RUN .. 'print(run:animate{ file = "motion.gif", fps = 5, to = 0.4 })\n--> motion.gif',
    } },
    { "run", "view", "percuss.view", "run", {
        summary = "Write one page of HTML that plays the motion, with energies, forces and velocities beside it.",
        details = "The page needs no network: it has a canvas, time to drag, events to jump to, and keys, in the light "
            .. "and in the dark. A notebook shows it in the cell.",
        params = { with(param("options", "table", "a table of", { otherwise = "{}" }), {
            param("file", "string", "name of the page, as in motion.html", { otherwise = "shown in the notebook" }),
            param("from", "number", "when it begins", { otherwise = "the start", unit = "s" }),
            param("to", "number", "when it ends", { otherwise = "the end", unit = "s" }),
            param("frames", "integer", "pictures of the motion", { default = 400, least = 2, most = 5000 }),
        }, title) },
        returns = "name of the file; or nil, message, code",
        example = RUN .. 'print(run:view{ file = "motion.html", frames = 50 })\n--> motion.html',
    } },
    { "run", "section", "percuss.long_run", "section", {
        summary = "Poincare section: the state each time an event happens, or once a period.",
        params = { with(param("options", "table", "a table of"), {
            param("at", { "string", "number" }, 'name of an event, such as "impact", or a period in s'),
            param("from", "number", "what happens earlier is left out", { otherwise = "the start", unit = "s" }),
            param("phase", "number", "of the first instant after the start, where at is a period", { default = 0,
                unit = "s" }),
            param("side", "string", "of jumps", { words = { "before", "after" }, default = "after" }),
            param("columns", "list", "names of columns of the run", { otherwise = "coordinates and velocities" }),
        }) },
        returns = "percuss table",
        example = BALL .. "local run = percuss.simulate(world, { duration = 1.3 })\n"
            .. 'local s = run:section{ at = "impact", columns = { "vy" } }\n'
            .. 'print(#s, string.format("%.4f", s.vy[2] / s.vy[1]))\n--> 5\t0.5000',
    } },
    { "run", "impact_table", "percuss.long_run", "impact_table", {
        summary = "A row for each impact: time, contact, velocities before and after, impulses, energy, loss.",
        params = {},
        returns = "percuss table: t, contact (its number in run.scene.contacts, as in gap2, F_n2), body and other "
            .. "(which chains or free bodies met, by their order; 0: an obstacle), v_t0, v_n0, v_t, v_n (m/s), "
            .. "p_t, p_n (N s), energy, loss (J), phases (their number)",
        example = RUN .. 'print(#run:impact_table(), string.format("%.4f", run:impact_table().p_n[1]))\n--> 2\t6.6442',
    } },
    { "run", "spectrum", "percuss.long_run", "spectrum", {
        summary = "Power density of a column over frequency, with Hann's window.",
        params = { param("column", "string", "name of the column"),
            with(param("options", "table", "what is taken", { otherwise = "{}" }), {
                param("points", "integer", "a power of two", { default = 4096 }),
                param("from", "number", "when it begins", { otherwise = "the start", unit = "s" }),
            }) },
        returns = "percuss table: frequency, power",
        example = RUN .. 'print(#run:spectrum("y", { points = 64 }))\n--> 32',
    } },
    { "scene", "draw", "percuss.run", "draw_scene", {
        summary = "Draw the scene as it stands at the start.",
        params = { drawing{} }, returns = drawn,
        example = BALL .. 'print(world:draw{ file = "still.png" })\n--> still.png',
    } },
    { "chain", "draw", "percuss.run", "draw_part", {
        summary = "Draw the chain as it hangs at the start.",
        params = { drawing{} }, returns = drawn,
        example = "local link = { mass = 1, length = 1, center = 0.5, inertia = 1/12 }\n"
            .. "local rig = percuss.chain{ links = { link, link }, angles = { 0.5, -0.5 } }\n"
            .. 'print(rig:draw{ file = "still.png" })\n--> still.png',
    } },
    { "free", "draw", "percuss.run", "draw_part", {
        summary = "Draw the body as it is at the start.",
        params = { drawing{} }, returns = drawn,
        example = BALL .. 'print(ball:draw{ file = "still.png" })\n--> still.png',
    } },
}

for _, m in ipairs(methods) do
    local owner, name, module, field, entry = table.unpack(m)
    local f = checked(owner .. ":" .. name, function(...) return require(module)[field](...) end, entry, owner)
    entry.kind = "method"
    pc.extend("percuss." .. owner, name, f)
    pc.document(owner .. ":" .. name, f, entry)
end

local functions = {
    bifurcation = {
        summary = "Long-time motions over a parameter: all samples of each value, for a bifurcation diagram.",
        params = { with(param("options", "table", "a table of"), {
            param("over", "table", "{ name, values, unit = } of the parameter"),
            param("run", "function", "of a value; makes a run"),
            param("sample", "function", "of the run; returns a list of numbers"),
        }) },
        returns = "percuss table: the parameter, sample",
        example = BALL .. [[
local b = percuss.bifurcation{
    over = { "duration", { 0.5, 1 }, unit = "s" },
    run = function(T) return percuss.simulate(world, { duration = T }) end,
    sample = function(run) return { run.impact_count } end,
}
print(string.format("%g %g", b.sample[1], b.sample[2]))
--> 1 2]],
    },
    lyapunov = {
        summary = "The largest Lyapunov exponent of a scene with impacts, 1/s.",
        params = { param("scene", "scene", "what moves"),
            with(param("options", "table", "how it is found", { otherwise = "{}" }), {
                param("duration", "number", "of the motion", { default = 100, unit = "s" }),
                param("interval", "number", "after which a displacement is shortened again", { default = 0.5,
                    unit = "s" }),
                param("settle", "number", "left out before", { default = 0, unit = "s" }),
                param("solver", "solver", "as in simulate", { otherwise = "percuss.solver.dop853{}" }),
                param("q", "list", "coordinates at the start", { otherwise = "those of the parts" }),
                param("u", "list", "velocities at the start", { otherwise = "those of the parts" }),
            }) },
        returns = "lyapunov",
        source = "Benettin, Galgani and Strelcyn (1976); Mueller (1995) for impacts",
        example = [[
local top = percuss.chain{ links = { { mass = 1, length = 1, center = 1, inertia = 0 } }, angles = { math.pi } }
local l = percuss.lyapunov(percuss.scene{ top }, { duration = 5, interval = 2 })
print(string.format("%.2f %.2f", l.exponent, math.sqrt(9.81)))
--> 3.13 3.13]],
    },
}

for _, name in ipairs{ "lyapunov", "bifurcation" } do
    local entry = functions[name]
    pc[name] = checked(name, function(...) return require("percuss.long_run")[name](...) end, entry)
    pc.document(name, pc[name], entry)
end
