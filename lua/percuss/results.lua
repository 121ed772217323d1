-- Types of results that are made in Lua, with their fields and methods. What they do is in the modules named here.
local pc = require "percuss"
local record = require "percuss.record"
local parameter = require "percuss.parameter"

local param, with = parameter.row, parameter.with
local file, title, size = parameter.file, parameter.title, parameter.size

-- The methods of what is drawn alone in a figure: figure, plot, and panel to draw it in another one.
local function drawable(owner, module, options, example, remake)
    local figure_options = with(param("options", "table", "how it is drawn", { otherwise = "{}" }), options, title,
        size)
    local plot_options = with(param("options", "table", "how it is drawn", { otherwise = "{}" }), options, file,
        title, size)
    record.method(owner, "figure", module, {
        summary = "The picture as a figure, which may get further panels.",
        params = { figure_options }, returns = "figure",
        example = example .. "print(result:figure().panels)\n--> 1",
    }, remake)
    record.method(owner, "plot", module, {
        summary = "Draw the picture.",
        params = { plot_options }, returns = "name of the file written, or nothing when drawn inline",
        example = example .. 'print(result:plot{ file = "picture.svg" })\n--> picture.svg',
    }, remake)
end

local function panel_method(owner, module, options, example, remake)
    record.method(owner, "panel", module, {
        summary = "Draw the picture as a further panel of a figure.",
        params = { param("figure", "figure", "where the panel goes"),
            with(param("options", "table", "how it is drawn", { otherwise = "{}" }), options, title) },
        returns = "panel",
        example = example .. "local figure = percuss.chart.figure{}\nresult:panel(figure)\nprint(figure.panels)\n--> 1",
    }, remake)
end

local ROD = [[
local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }
local motion = { vt = 0.2, vn = -1 }
]]

-- ---- rigid impacts ----

record.type("comparison", {
    summary = "One impact by several laws, as compare makes it; printed as a table.",
    fields = {
        { "rows", nil, "list, one for each law: compared_law" },
        { "hits", nil, "list of the impacts of those laws that have one" },
        { "body", nil, "the body that strikes" },
        { "laws", nil, "list of the laws" },
    },
})

record.type("compared_law", {
    summary = "What one law of a comparison says; what it does not say is nil.",
    fields = {
        { "name", nil, "name of the law" },
        { "law", nil, "the law" },
        { "hit", nil, "the impact; nil where the law has none for this motion" },
        { "impulse", "N s", "impulse of the obstacle on the body: .t, .n" },
        { "velocity", "m/s", "velocity of the contact point afterwards: .t, .n" },
        { "kinematic", "", "coefficient of restitution e" },
        { "kinetic", "", "coefficient of restitution R" },
        { "energetic", "", "coefficient of restitution E" },
        { "loss", "J", "energy lost" },
        { "loss_fraction", "", "energy lost as a fraction of the kinetic energy before" },
        { "gained", nil, "true if the impact gains energy" },
        { "history", nil, "its phases in words: \"slip +, stick\"" },
        { "flags", nil, "set of words, as in impact.flags" },
        { "note", nil, "what is unusual, in words; without an impact the reason" },
    },
})

record.text("comparison", "percuss.compare")
local compared = ROD .. [[
local result = percuss.compare(rod, { percuss.contact.newton{ e = 1, mu = 0.9 } }, motion)
]]
drawable("comparison", "percuss.compare", { param("termination", "boolean",
    "draw the lines on which the laws let the contact end", { default = false }) }, compared)

record.type("converted_restitution", {
    summary = "The three coefficients of restitution of one impact; one that the impact does not define is nil.",
    fields = {
        { "kinematic", "", "e, the ratio of normal velocities -v_n+/v_n-" },
        { "kinetic", "", "R, the ratio of normal impulses of restitution and of compression" },
        { "energetic", "", "E, the root of the ratio of the normal works of restitution and of compression" },
        { "given", nil, "which of them was given: kinematic, kinetic or energetic" },
        { "hit", nil, "the impact" },
    },
})

record.type("loss_curves", {
    summary = "Energy lost over the impulse ratio, a curve for each kinematic coefficient of restitution.",
    fields = {
        { "curves", nil, "list: loss_curve" },
        { "body", nil, "the body that strikes" },
        { "motion", nil, "its motion" },
    },
})

record.type("loss_curve", {
    summary = "Energy lost over the impulse ratio for one kinematic coefficient of restitution.",
    fields = {
        { "restitution", "", "kinematic coefficient e" },
        { "ratio", "", "impulse ratios p_t/p_n, an array" },
        { "loss", "", "energy lost at each, as a fraction of the kinetic energy before; below 0 it is gained" },
        { "gains", "", "the loss where it is below 0, and 0 elsewhere, an array" },
        { "bounds", nil, "the ratios that bound the impact: impulse_bounds" },
    },
})

local curves = ROD .. "local result = percuss.loss_curves(rod, motion)\n"
drawable("loss_curves", "percuss.loss_curves", {}, curves)
panel_method("loss_curves", "percuss.loss_curves", {}, curves)

record.type("impulse_plane_lines", {
    summary = "The lines of an impulse plane, each { p_n = { a, b }, p_t = { a, b } } by two points (N s); one that "
        .. "lies outside the picture is nil.",
    fields = {
        { "sticking", "N s", "where slip stops, v_t = 0" },
        { "compression", "N s", "where compression is greatest, v_n = 0" },
        { "friction", nil, "list, for each coefficient of friction: .friction (-), .upper and .lower, p_t = +-mu p_n" },
        { "termination", "N s", "list: where the law of each impact lets it end" },
        { "box", "N s", "what the picture shows: .n and .t, each { least, greatest }" },
    },
})

record.type("impulse_interval", {
    summary = "An interval of the path of a rigid impact, with its impulse ratio.",
    fields = {
        { "from", nil, "where it begins: start, slip stops, end of approach" },
        { "to", nil, "where it ends: slip stops, end of approach, end" },
        { "ratio", "", "impulse ratio p_t/p_n over it" },
        { "start", nil, "state at its beginning: .v_t, .v_n (m/s), .p_n (N s)" },
        { "stop", nil, "state at its end: .v_t, .v_n (m/s), .p_n (N s)" },
    },
})

-- The type flow is declared where its fields are filled, src/bind/law/impulse.c.
local flow = [[
local W = { { 0.25, 0.25*3^0.5, 0 }, { 0.25*3^0.5, 0.75, 0 }, { 0, 0, 1 } }
local result = percuss.flow(W, 1)
]]
local function remake(f) return pc.impulse.flow(f.body, f.friction) end
record.text("flow", "percuss.flow", remake)
local trajectories = { param("trajectories", "integer", "how many are drawn", { default = 24 }) }
drawable("flow", "percuss.flow", trajectories, flow, remake)
panel_method("flow", "percuss.flow", trajectories, flow, remake)
record.method("flow", "pattern", "percuss.flow", {
    summary = "How many directions of each kind there are, in a line of text.",
    params = {}, returns = "string",
    example = flow .. "print(result:pattern())\n"
        .. "--> 4 invariant directions (2 attracting, 2 repelling), 2 flow-change directions",
}, remake)

-- ---- fits ----

record.type("fit", {
    summary = "Parameters of a model by least squares; printed as a table.",
    fields = {
        { "values", nil, "the parameters by name, in the units that they were given" },
        { "errors", nil, "their standard deviations by name; nil for one at a bound or not determined" },
        { "covariance", nil, "their covariance, rows and columns in the order of names" },
        { "residuals", nil, "data minus model, an array: row by row of the data, in each row the fitted columns in "
            .. "their order; divided by sigma where that is given, else in the columns' units" },
        { "chi2", nil, "sum of the squares of the residuals" },
        { "degrees", "", "degrees of freedom: residuals less parameters that are not at a bound" },
        { "converged", nil, "whether parameters and sum have settled to the tolerance" },
        { "determined", nil, "whether the data determine the parameters together" },
        { "at_bound", nil, "by name: true for a parameter that ended at a bound" },
        { "calls", "", "how often all residuals were evaluated" },
        { "names", nil, "list of the parameters" },
        { "units", nil, "their units by position" },
        { "columns", nil, "list of what was fitted: .name, .unit, .values (array), .sigma" },
        { "model", nil, "the function" },
    },
})

record.text("fit", "percuss.fit")
local line = [[
local t = percuss.table{ { "x", { 0, 1, 2, 3 } }, { "y", { 1, 3.1, 4.9, 7 } } }
local model = function(p, row) return p.a + p.b * row.x end
local f = percuss.fit(t, model, { { "a", 0 }, { "b", 1 } }, { columns = "y" })
]]
record.method("fit", "correlation", "percuss.fit", {
    summary = "Correlation of two parameters.",
    params = { param("one", "string", "name of a parameter"), param("other", "string", "name of another") },
    returns = "number, from -1 to 1; nil where one of them has no error",
    example = line .. 'print(string.format("%.4f", f:correlation("a", "b")))\n--> -0.8018',
})
record.method("fit", "band", "percuss.fit", {
    summary = "The model at the rows of a table, with the standard deviation that the covariance gives it.",
    params = { param("data", "table", "a percuss table with the columns that the model reads") },
    returns = "percuss table: for each fitted column name, name and name_error",
    example = line .. 'print(string.format("%.4f", f:band(percuss.table{ { "x", { 4 } } }).y[1]))\n--> 8.9500',
})

-- ---- long motions and many points ----

record.type("lyapunov", {
    summary = "The largest Lyapunov exponent of a motion, and how it settled.",
    fields = {
        { "exponent", "1/s", "rate at which small displacements grow; nil where the time was too short for one" },
        { "t", "s", "times at which it was estimated, an array" },
        { "series", "1/s", "the estimates up to these times, an array" },
        { "impacts", "", "number of impacts" },
        { "slowest", "m/s", "speed of approach of the impact nearest to a graze, at which displacements grow without "
            .. "bound; nil without impacts" },
        { "slowest_time", "s", "when that was" },
    },
})

record.type("sensitivity", {
    summary = "Sobol's indices of each column, which has its name: a percuss table with a row for each input and the "
        .. "columns first, first_lo, first_hi, total, total_lo, total_hi (all -).",
    fields = {
        { "inputs", nil, "list of the names of the inputs, in the order of the rows" },
        { "sweep", nil, "percuss table of all points" },
    },
})
