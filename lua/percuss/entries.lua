-- Functions and methods that are written in Lua, with their documentation: sweeps, stores, tables, fits. What they do
-- is in the modules named here, which are loaded at the first call.
local pc = require "percuss"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"

local function on_demand(module, field)
    return function(...) return require(module)[field](...) end
end

-- { path, module, field, entry }; "table:name" is a method, everything else a function of percuss.
local function enter(path, module, field, entry)
    local type_name, method = path:match "^([%w_]+):(%w+)$"
    local f = checked(path, on_demand(module, field), entry, type_name)
    local group, name = path:match "^(%w+)%.(%w+)$"
    if type_name then
        entry.kind = "method"
        pc.extend("percuss." .. type_name, method, f)
    elseif group then
        pc[group][name] = f
    else
        pc[path] = f
    end
    pc.document(path, f, entry)
end

local param, with = parameter.row, parameter.with

-- ---- sweeps ----

local sweep_rows = {
    param("over", "table", "list of axes { name, values, unit = }; for random, sobol and latin the values are { "
        .. "lo, hi }"),
    param("run", "function", "called with { name = value, ... }, returns { column = value, ... }"),
    param("columns", "table", "names of what the function returns, in the order of the table"),
    param("units", "table", "units of the columns by name", { otherwise = "{}" }),
    param("sampling", "string", "of a grid the last axis runs fastest", { words = { "grid", "zip", "random",
        "sobol", "latin" }, default = "grid" }),
    param("points", "integer", "how many, for random, sobol and latin", { otherwise = "none", least = 1 }),
    param("seed", "integer", "of the sampling and of math.random in the function", { default = 0 }),
    param("jobs", "integer", "workers", { otherwise = "all cores", least = 1, most = 256 }),
    param("store", "string", "file that keeps finished points", { otherwise = "none" }),
    param("name", "string", "of the sweep in its store", { default = "points" }),
    param("retry", "string", "points that failed before are computed again", { words = { "failed" },
        otherwise = "none" }),
    param("changed", "string", "what to do with stored points of a function that has changed",
        { words = { "keep", "restart" }, otherwise = "an error" }),
    with(param("refine", "table", "bisect cells of a grid of 1 or 2 axes where a column differs by more than jump; "
        .. "t.info.boundary has the smallest cells", { otherwise = "none" }), {
        param("column", "string", "the column that is looked at"),
        param("depth", "integer", "how often a cell is bisected", { least = 1, most = 30 }),
        param("jump", "number", "difference in a cell that is not bisected, in the column's unit",
            { default = 0, least = 0 }),
    }),
    param("progress", "string", "on standard error: how far it is, in one line, or lines of JSON",
        { words = { "line", "json", "none" }, otherwise = "a line on a terminal" }),
    param("shard", "string", '"i/n": compute only every n-th point, from the i-th on',
        { otherwise = "what the launcher says" }),
}

-- Rows of a function that makes a sweep: its own, and those of percuss.sweep that it has not.
local function sweep_rows_with(rows)
    local own = { sampling = true, refine = true }
    for _, row in ipairs(rows) do own[row.name] = true end
    for _, row in ipairs(sweep_rows) do if not own[row.name] then rows[#rows + 1] = row end end
    return rows
end

enter("sweep", "percuss.sweep", "sweep", {
    summary = "A function at many points, on all cores; with a store it survives a crash and goes on where it stopped.",
    details = "The function gets a table of the point's coordinates and returns a table with a number or boolean for "
        .. "each column. It runs in forked workers: what it changes outside itself is not seen by other points, and "
        .. "results do not depend on the number of workers. math.random starts anew at each point, by seed and index. "
        .. "A point whose function raises an error becomes a row without numbers; t:failures() has the messages. "
        .. "A point whose worker is killed, for want of memory say, is tried once more before it counts as failed. "
        .. "Failed points stay failed in a store until the call says retry = \"failed\". "
        .. "Under mpirun, srun or in an array job each process takes its shard and writes a store of its own "
        .. "(\"a.db\" becomes \"a.2of8.db\"); percuss --merge joins them.",
    rows = sweep_rows,
    returns = "percuss table; or nil, message, code, table where the store cannot be used",
    example = [[
local t = percuss.sweep{
    over = { { "x", { 1, 2 }, unit = "m" }, { "y", { 10, 20, 30 } } },
    run = function(p) return { product = p.x * p.y } end,
    columns = { "product" },
}
print(t.product)
--> array[6] {10, 20, 30, 20, 40, 60}]],
})

pc.store = {}

enter("store.read", "percuss.sweep", "read", {
    summary = "A sweep in a store as a table, finished or not; its first column is the index of the point.",
    params = {
        param("path", "string", "name of the file"),
        param("name", "string", "of the sweep", { otherwise = "the only one" }),
    },
    returns = "percuss table; or nil, message, code",
    example = [[
percuss.sweep{
    over = { { "x", { 1, 2, 3 } } }, run = function(p) return { square = p.x ^ 2 } end, columns = { "square" },
    store = "squares.db",
}
print(percuss.store.read("squares.db").square)
--> array[3] {1, 4, 9}]],
})

enter("store.merge", "percuss.sweep", "merge", {
    summary = "Join the stores of shards into one; sweeps that differ in more than their points are refused.",
    params = {
        param("path", "string", "name of the file to write; it may have points already"),
        param("parts", "table", "list of names of files"),
    },
    returns = "list of sweeps, each with name, points, rows, failed, missing, gaps { first, last, step } (twenty at "
        .. "most), and the number of points taken from each part; or nil, message, code",
    example = [[
for i = 1, 2 do
    percuss.sweep{
        over = { { "x", percuss.linspace(0, 1, 5) } }, run = function(p) return { square = p.x ^ 2 } end,
        columns = { "square" }, store = "parts.db", shard = i .. "/2",
    }
end
local sweeps = percuss.store.merge("all.db", { "parts.1of2.db", "parts.2of2.db" })
print(sweeps[1].rows .. " " .. sweeps[1].missing)
--> 5 0]],
})

-- ---- tables ----

local sample = [[
local t = percuss.table{ { "mu", { 0.1, 0.1, 0.5, 0.5 } }, { "v", { 1, 2, 1, 2 }, unit = "m/s" },
    { "loss", { 4, 3, 2, 1 }, unit = "J" } }
]]

enter("table:print", "percuss.table", "print", {
    summary = "Print every row; tostring shows the beginning and the end of a long table.",
    example = sample .. 't:filter(t.v:eq(1)):select{ "v" }:print()',
})

enter("table:filter", "percuss.table", "filter", {
    summary = "The rows for which a mask is not zero, or a function of the row is true.",
    params = { param("which", { "array", "function" }, "mask such as t.loss:gt(0.5), or a function of { name = "
        .. "value }") },
    returns = "percuss table",
    example = sample .. "print(t:filter(t.loss:gt(2)).loss, t:filter(function(row) return row.v > 1 end).loss)\n"
        .. "--> array[2] {4, 3}\tarray[2] {3, 1}",
})

enter("table:sort", "percuss.table", "sort", {
    summary = "The rows in the order of a column, or of several: the first counts most; equal rows keep their order.",
    params = {
        param("by", { "string", "table" }, "name of a column, or a list of names"),
        param("order", "string", "least or greatest first", { words = { "ascending", "descending" },
            default = "ascending" }),
    },
    returns = "percuss table",
    example = sample .. 'print(t:sort("loss").mu)\n--> array[4] {0.5, 0.5, 0.1, 0.1}',
})

enter("table:select", "percuss.table", "select", {
    summary = "Some of the columns, in the order given.",
    params = { param("names", "table", "list of names") },
    returns = "percuss table",
    example = sample .. 'print(#t:select{ "loss", "mu" }.names)\n--> 2',
})

enter("table:with", "percuss.table", "with", {
    summary = "The table with further columns; one of a known name replaces the old one.",
    params = { param("columns", "table", "list of { name, values, unit = }") },
    returns = "percuss table",
    example = sample .. 'print(t:with{ { "half", t.loss / 2, unit = "J" } }.half)\n--> array[4] {2, 1.5, 1, 0.5}',
})

enter("table:group", "percuss.table", "group", {
    summary = "One row for each value of a column, with reductions of others; failed points are left out of them.",
    params = {
        param("by", { "string", "table" }, "name of a column, or a list of names"),
        param("what", "table", "list of { name, reduction, as = }: count, sum, mean, std, min, max, median, or a "
            .. "function of an array", { otherwise = "the count" }),
    },
    returns = "percuss table",
    example = sample .. 'print(t:group("mu", { { "loss", "mean" } }).loss_mean)\n--> array[2] {3.5, 1.5}',
})

enter("table:pivot", "percuss.table", "pivot", {
    summary = "One row for each value of one column, one column for each value of another.",
    params = {
        param("row", "string", "whose values become rows"),
        param("column", "string", "whose values become columns"),
        param("value", "string", "what stands where they meet"),
    },
    returns = "percuss table with columns called \"value at column = x\"",
    example = sample .. 'print(t:pivot("v", "mu", "loss"):column "loss at mu = 0.5")\n--> array[2] {2, 1}',
})

enter("table:join", "percuss.table", "join", {
    summary = "Rows of two tables that agree in some columns, side by side.",
    params = {
        param("other", "table", "has each combination once at most; names that both have get _2 behind them"),
        param("on", { "string", "table" }, "name of the column, or list of names, that have to agree"),
    },
    returns = "percuss table",
    example = sample .. 'local names = percuss.table{ { "mu", { 0.5 } }, { "grade", { 7 } } }\n'
        .. 'print(t:join(names, "mu").grade)\n--> array[2] {7, 7}',
})

enter("table:describe", "percuss.table", "describe", {
    summary = "Count, mean, standard deviation, extremes and quantiles of every column, as text.",
    returns = "string",
    example = sample .. "print(t:describe():match \"loss %[J%]%s+%d\")\n--> loss [J]      4",
})

enter("table:failures", "percuss.table", "failures", {
    summary = "The rows of a sweep that failed.",
    returns = "list of { row, message }",
    example = [[
local t = percuss.sweep{
    over = { { "x", { 1, 0 } } }, columns = { "y" },
    run = function(p)
        if p.x == 0 then error("x must not be 0", 0) end
        return { y = 1 / p.x }
    end,
}
print(t:failures()[1][1] .. ": " .. t:failures()[1][2])
--> 2: x must not be 0]],
})

local path_param = { param("path", "string", "name of the file; it appears whole or not at all") }

for _, kind in ipairs{
    { "csv", "a CSV file with headers \"name [unit]\"; numbers read back exactly", "csv.read(path).loss" },
    { "jsonl", "JSON lines: one object a row, null for what is not a number, \"error\" where the point failed" },
    { "npz", "an .npz file, which numpy.load reads: one array for each column" },
} do
    enter("table:" .. kind[1], "percuss.table", kind[1], {
        summary = "Write the table as " .. kind[2] .. ".",
        params = path_param,
        returns = "the path; or nil, message, code",
        example = sample .. ('print(t:%s "loss.%s")\n--> loss.%s'):format(kind[1], kind[1], kind[1]),
    })
end

local limits = {
    param("xlim", "table", "{ first, last } of x", { otherwise = "from the data" }),
    param("ylim", "table", "{ first, last } of y", { otherwise = "from the data" }),
}

local function chart_options(rows)
    return with(param("options", "table", "how it is drawn", { otherwise = "{}" }), rows, limits, parameter.file,
        parameter.title,
        parameter.size)
end

local curve_options = chart_options{
    param("by", "string", "name of a column: a curve for each of its values", { otherwise = "none" }),
    param("xlog", "boolean", "logarithmic axis", { default = false }),
    param("ylog", "boolean", "logarithmic axis", { default = false }),
}

for _, kind in ipairs{ "line", "scatter" } do
    enter("table:" .. kind, "percuss.table", kind, {
        summary = kind == "line" and "Draw columns over another as lines." or "Draw columns over another as points.",
        params = {
            param("x", "string", "name of a column"),
            param("y", { "string", "table" }, "name of a column, or a list of names"),
            curve_options,
        },
        returns = "name of the file written, or nothing when drawn inline",
        example = sample .. "print(t:" .. kind .. '("v", "loss", { by = "mu", file = "loss.svg" }))\n--> loss.svg',
    })
end

local picture = [[
local t = percuss.sweep{
    over = { { "x", percuss.linspace(-1, 1, 9), unit = "m" }, { "y", percuss.linspace(-1, 1, 7), unit = "m" } },
    run = function(p) return { z = p.x * p.y } end, columns = { "z" }, units = { z = "m^2" },
}
print(t:%s)
--> z.svg]]

local axes_params = {
    param("x", "string", "name of the column along x"),
    param("y", "string", "name of the column along y"),
    param("z", "string", "name of the column that is drawn"),
}

local function axes_with(options)
    local list = table.move(axes_params, 1, #axes_params, 1, {})
    list[#list + 1] = chart_options(options)
    return list
end

enter("table:heatmap", "percuss.table", "heatmap", {
    summary = "Draw a column over two others as colours with a bar; combinations that are not there stay blank.",
    params = axes_with{
        param("lim", "table", "{ least, greatest } value of the colours", { otherwise = "from the values" }),
        param("log", "boolean", "colours by the logarithm", { default = false }),
        param("palette", "string", "the colours", { words = { "viridis", "cividis", "grey", "diverging" },
            default = "viridis" }),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = picture:format 'heatmap("x", "y", "z", { file = "z.svg" })',
})

enter("table:contour", "percuss.table", "contour", {
    summary = "Draw a column over two others as lines of equal value.",
    params = axes_with{ param("levels", { "array", "number" }, "of the lines, or about how many",
        { otherwise = "round values" }) },
    returns = "name of the file written, or nothing when drawn inline",
    example = picture:format 'contour("x", "y", "z", { file = "z.svg" })',
})

enter("table:histogram", "percuss.table", "histogram", {
    summary = "Draw how the values of a column are distributed.",
    params = {
        param("x", "string", "name of the column"),
        chart_options{
            param("bins", { "array", "number" }, "how many, or their edges",
                { otherwise = "by Freedman and Diaconis" }),
            param("density", "boolean", "share of all values a unit of x instead of counts", { default = false }),
        },
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = picture:format 'histogram("z", { file = "z.svg" })',
})

-- ---- fits ----

enter("fit", "percuss.fit", "fit", {
    summary = "Parameters of a model by least squares, within bounds, with their covariance.",
    details = "The model is called with a table of parameters and a row of the data, and returns the predicted number, "
        .. "or a table of them where several columns are compared. Without sigma the errors follow from the scatter "
        .. "around the fit. A parameter that ends at a bound has no error.",
    params = {
        param("data", "table", "a percuss table"),
        param("model", "function", "called with { name = value } and a row { column = value }"),
        param("parameters", "table", "list of { name, start, lo =, hi =, unit = }"),
        with(param("options", "table", "a table of"), {
            param("columns", { "string", "list" }, "what the model predicts"),
            param("sigma", { "number", "string", "list" }, "standard deviation: a number, a column's name, or a "
                .. "table of " .. "such by column", { otherwise = "from the scatter" }),
            param("tolerance", "number", "relative, of parameters and sum of squares", { default = 1e-10 }),
            param("calls", "integer", "most calls of the model", { otherwise = "from the number of parameters" }),
        }),
    },
    returns = "fit",
    source = "More (1978), Levenberg-Marquardt in MINPACK; James and Roos (1975), bounds",
    example = [[
local t = percuss.table{ { "x", { 0, 1, 2, 3 } }, { "y", { 1, 3.1, 4.9, 7 } } }
local f = percuss.fit(t, function(p, row) return p.a + p.b * row.x end, { { "a", 0 }, { "b", 1 } }, { columns = "y" })
print(string.format("%.4f %.4f %.4f", f.values.a, f.values.b, f.errors.b))
--> 1.0300 1.9800 0.0424]],
})

enter("sensitivity", "percuss.sensitivity", "sensitivity", {
    summary = "Sobol's indices: the share of a column's variance that each input causes alone, and with others.",
    details = "The inputs are independent and uniform between their bounds. It takes (inputs + 2) n calls of the "
        .. "function, as a sweep, whose options jobs, store and others are taken too. The confidence "
        .. "intervals (95 %) come from resampling the n base points.",
    rows = sweep_rows_with{
        param("over", "table", "list of inputs { name, { lo, hi }, unit = }"),
        param("run", "function", "as for percuss.sweep"),
        param("columns", "table", "names of what the function returns"),
        param("points", "integer", "n, a power of two", { default = 1024, least = 2, most = 2^32 }),
        param("seed", "integer", "of the sampling", { default = 0 }),
    },
    returns = "sensitivity; or nil, message, code where the store cannot be used",
    source = "Sobol (1993); Saltelli et al. (2010), equations b and f of their Table 2; Jansen (1999)",
    example = [[
local s = percuss.sensitivity{
    over = { { "a", { 0, 1 } }, { "b", { 0, 1 } } }, columns = { "y" },
    run = function(p) return { y = 3 * p.a + p.b } end,
}
print(string.format("%.2f %.2f", s.y.first[1], s.y.total[2]))
--> 0.90 0.10]],
})

-- ---- contact laws ----

enter("contact.define", "percuss.law_definition", "define", {
    summary = "A contact law of one's own: its force, or its impulse, as a function; returns its constructor.",
    details = "The law is a citizen like those in C: contact.<name> makes laws of it, help and completion know it, and "
        .. "collide, simulate, map, sweep, compare and charts take it. A compliant law has force(p, u, w), of the "
        .. "indentation u >= 0 (m) and its rate w (m/s), which returns the normal force in N and, if it likes, "
        .. "dF/du and dF/dw; the contact ends where the force has fallen to 0 or u has, with tension = true at u = 0 "
        .. "alone. With states = { \"x\" } and rates = function(p, u, w, x) it remembers: these follow the motion, and "
        .. "force and energy have them as further arguments. A rigid law has impulse(p, W, v), of W = { { w_tt, "
        .. "w_tn }, { w_tn, w_nn } } (1/kg) and v = "
        .. "{ v_t, v_n } (m/s), which returns p_t, p_n (N s); of an impact that leaves the plane both have a third "
        .. "component, t2, and it returns p_t, p_n, p_t2. In both p has the parameters under names and symbols. A "
        .. "function depends on its arguments alone: it is asked at states that the motion may not reach, and out of "
        .. "order. Friction is added: friction, tangential, tangential_stiffness, stiffness_ratio and "
        .. "tangential_damping of a compliant law, friction and static_friction of a rigid one. A spring that the "
        .. "definition asks for has 14/17 of the normal stiffness at the depth of the impact, if it is given none. "
        .. "Defining a name again replaces it.",
    rows = {
        param("name", "string", "of the law: contact.<name>"),
        param("parameters", "list", "rows { \"stiffness\", symbol =, unit =, doc =, default =, above =, least =, "
            .. "below =, most =, from =, to = " .. "}; without a default it must be given; tests draw it between "
            .. "from and to", { otherwise = "{}" }),
        param("force", "function", "force(p, u, w) of a compliant law", { otherwise = "none" }),
        param("impulse", "function", "impulse(p, W, v) of a rigid law", { otherwise = "none" }),
        param("energy", "function", "energy(p, u): what the normal force has stored (J); with states energy(p, u, x)",
            { otherwise = "the normal work counts as lost" }),
        param("states", "list", "names of what a compliant law remembers, at most 4; they are 0 where a contact begins "
            .. "and stand behind u and w among the arguments", { otherwise = "{}" }),
        param("rates", "function", "rates(p, u, w, x): their rates, one for each state; with states",
            { otherwise = "none" }),
        param("tangential", "string", "what friction holds, where a law is not told", { words = { "rigid",
            "spring", "mindlin", "dashpot", "spring_dashpot" }, default = "rigid" }),
        param("tension", "boolean", "the force may pull before the contact ends", { default = false }),
        param("may_gain", "boolean", "an impact may gain energy", { default = false }),
        param("friction", "boolean", "of a rigid law: false leaves friction out, and no cone is asked for",
            { default = true }),
        param("doc", "string", "one sentence, for help", { otherwise = "that a script defined it" }),
        param("details", "string", "more, for help", { otherwise = "none" }),
        param("equations", "string", "lines \"formula: words\", for help", { otherwise = "none" }),
        param("source", "string", "literature", { otherwise = "none" }),
        param("example", "string", "for help", { otherwise = "none" }),
    },
    returns = "function: the constructor of the law",
    example = [[
local law = percuss.contact.define{
    name = "my_hunt_crossley", doc = "Power law with damping in proportion to the force.",
    parameters = { { "stiffness", symbol = "k", unit = "N/m^1.5", above = 0 },
        { "damping", symbol = "c", unit = "s/m", default = 0, least = 0 } },
    force = function(p, u, w) return p.k*u^1.5*(1 + 1.5*p.c*w) end,
}
local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }
local hit = percuss.collide(ball, law{ stiffness = 1e9, damping = 0.2, friction = 0.3 }, { vt = 1, vn = -1 })
print(string.format("%.6f", hit.restitution.kinematic))
--> 0.832870]],
})

enter("contact.check", "percuss.law_check", "check", {
    summary = "Try what every contact law has to keep, from energy and cone to mirror, units and smoothness.",
    details = "Random bodies and motions; prints a table with the first counter-example of each property and returns "
        .. "it: .ok, and a list of { name, what, tried, ok, counterexample, motion }. Of laws in C as well. A law may "
        .. "be right and yet break one: Newton's gains energy, Kane and Levinson's leaps.",
    params = {
        param("law", "law", "any law"),
        with(param("options", "table", "what is tried", { otherwise = "{}" }), {
            param("samples", "integer", "impacts", { default = 40 }),
            param("seed", "integer", "of the random numbers", { default = 1 }),
            param("mass", "number", "about that of the bodies, within a factor of 5", { default = 1, unit = "kg" }),
            param("speeds", "list", "{ least, greatest } of approach", { otherwise = "{ 0.01, 10 }", unit = "m/s" }),
            param("quiet", "boolean", "do not print", { default = false }),
        }),
    },
    returns = "list of rows, with .ok",
    example = [[
local checked = percuss.contact.check(percuss.contact.newton{ e = 0.9, mu = 0.5 }, { quiet = true })
for _, row in ipairs(checked) do if not row.ok then print(row.name) end end
--> energy]],
})

enter("law:plot", "percuss.law_figure", "plot", {
    summary = "Draw a law: its force over the indentation and the friction of an oblique impact, or its impulse plane.",
    details = "Of a compliant law a steel ball of 10 mm strikes, of a rigid one a rod, inclined by 0.6 rad. Where its "
        .. "restitution depends on the speed of approach, that is drawn as well.",
    params = {
        with(param("options", "table", "how it is drawn", "{}"), parameter.file, parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = [[
local law = percuss.contact.hunt_crossley{ stiffness = 1e10, damping = 0.3, friction = 0.3 }
print(law:plot{ file = "law.svg" })
--> law.svg]],
})

-- ---- impacts of elastic bodies ----

local BALL = [[
local ball = percuss.elastic.sphere{ radius = 0.02, material = percuss.material.steel }
local hit = percuss.elastic.collide(ball, { vt = 0.1, vn = -1, friction = 0.3, cells = 6 })
]]

enter("elastic_impact:plot", "percuss.elastic", "plot", {
    summary = "Draw columns of the history; quantities of one unit share a panel, phases are shaded.",
    params = {
        param("what", { "string", "list" }, "names of columns (see hit.history), or \"pressure\": over radius and time",
            { otherwise = '{ "F_t", "F_n" }' }),
        with(param("options", "table", "how they are drawn", { otherwise = "{}" }), parameter.file, parameter.title,
            parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = BALL .. 'print(hit:plot({ "F_n", "contact_radius" }, { file = "history.svg" }))\n--> history.svg',
})

local quantities = { "stress", "pressure", "sigma_tt", "sigma_nn", "sigma_tn", "u_t", "u_n" }
local section_rows = {
    param("x", "list", "{ least, greatest } along t, from the axis", { otherwise = "all of the body", unit = "m" }),
    param("z", "list", "{ least, greatest } along n, from the plane", { otherwise = "all of the body", unit = "m" }),
    param("points", "integer", "of the grid along the longer side", { default = 161, least = 3, most = 1001 }),
    param("lim", "list", "{ least, greatest } value of the colours", { otherwise = "from the values" }),
}

enter("elastic_impact:field", "percuss.elastic", "field", {
    summary = "Draw a field in the section along t and n at one moment, as filled contours.",
    details = "The impact is computed once more up to there.",
    params = {
        param("quantity", "string", "see hit:section", { words = quantities, default = "stress" }),
        param("t", "number", "since the first touch", { otherwise = "when the mass centre turns", unit = "s" }),
        with(param("options", "table", "how it is drawn", { otherwise = "{}" }), section_rows, parameter.file,
            parameter.title, parameter.size),
    },
    returns = "name of the file written, or nothing when drawn inline",
    example = BALL .. 'print(hit:field("stress", hit.duration / 2, { file = "stress.png", points = 41 }))\n'
        .. "--> stress.png",
})

enter("elastic_impact:animate", "percuss.elastic", "animate", {
    summary = "Write a field in the section over the impact as a GIF, which loops: waves.",
    params = { with(param("options", "table", "a table of"), {
        param("file", "string", "a name that ends in .gif"),
        param("quantity", "string", "see hit:section", { words = quantities, default = "sigma_nn" }),
        param("frames", "integer", "how many", { default = 60, least = 2, most = 1000 }),
        param("fps", "number", "pictures a second", { default = 15, above = 0, most = 50, unit = "1/s" }),
        param("to", "number", "when it ends", { otherwise = "the end of the history", unit = "s" }),
    }, section_rows, parameter.title, parameter.size) },
    returns = "name of the file; or nil, message, code",
    example = BALL .. 'print(hit:animate{ file = "waves.gif", frames = 2, points = 21 })\n--> waves.gif',
})

enter("elastic.calibrate", "percuss.elastic", "calibrate", {
    summary = "The parameters of a law with which it describes impacts of an elastic body best.",
    details = "Least squares over the velocities of the contact point afterwards, tangential and normal, over that of "
        .. "approach. Impacts at several incidences tell more than one.",
    params = {
        param("law", "law", "the law to begin with; it stays as it is"),
        param("parameters", "list", "list of { name, start, lo =, hi = }, as for percuss.fit"),
        param("body", "body", "what strikes, as a rigid body that is free"),
        param("hits", "list", "impacts as percuss.elastic.collide returns them"),
    },
    returns = "law, and the fit",
    example = [[
local steel = percuss.material.steel
local ball = percuss.elastic.sphere{ radius = 0.02, material = steel }
local hits = {}
for i, vt in ipairs{ 0.1, 0.4, 0.8 } do
    hits[i] = percuss.elastic.collide(ball, { vt = vt, vn = -1, friction = 0.3, cells = 6 })
end
local springs = percuss.contact.linear{ stiffness = 1e8, stiffness_ratio = 1.2, friction = 0.3 }
local better = percuss.elastic.calibrate(springs, { { "stiffness_ratio", 1.2, lo = 0.5, hi = 3 } },
    percuss.body.sphere{ radius = 0.02, material = steel }, hits)
print(string.format("%.1f", better.stiffness_ratio)) --> 1.4]],
})
