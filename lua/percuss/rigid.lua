-- Rigid impacts from scripts: laws side by side, the impulse plane, conversions, loss curves, the flow of sliding. What
-- they do is loaded at the first call.
local pc = require "percuss"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"

local param, with = parameter.row, parameter.with

local function on_demand(module, field)
    return function(...) return require(module)[field](...) end
end

local ROD = [[
local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }
local motion = { vt = 0.2, vn = -1 }
]]
local functions = {
    compare = {
        module = "percuss.compare", field = "new",
        summary = "One impact by several laws: a table of impulses, velocities, coefficients of restitution and " ..
            "loss, and one impulse plane.",
        params = {
            param("body", "body", "the body that strikes"),
            param("laws", "table", "list of laws; an elastic body among them (percuss.elastic) is the same body by "
                .. "elastodynamics, with the friction of the laws"),
            param("motion", "table", "its motion, as for collide"),
        },
        returns = "comparison",
        example = ROD .. [[
local c = percuss.compare(rod, {
    percuss.contact.newton{ e = 1, mu = 0.9 }, percuss.contact.stronge{ E = 1, mu = 0.9 },
}, motion)
print(c.rows[1].gained and not c.rows[2].gained)
--> true]],
    },
    impulse_plane = {
        module = "percuss.impulse_plane", field = "draw",
        summary = "The impulse plane of a rigid impact, or of several of one body and motion: lines of sticking, " ..
            "maximum compression, friction and termination, and the path.",
        params = {
            param("hits", { "impact", "list" }, "what happened"),
            with(param("options", "table", "how it is drawn", { otherwise = "{}" }), {
                param("termination", "boolean", "of several impacts: draw their lines of termination",
                    { default = false }),
                param("names", "list", "what the impacts are called", { otherwise = "by their laws" }),
            }, parameter.title, parameter.size),
        },
        returns = "figure", source = "Routh (1905); Sypniewska-Kaminska (2017), Fig 4",
        example = ROD .. [[
local hit = percuss.collide(rod, percuss.contact.poisson{ R = 0.5, mu = 0.3 }, motion)
print(percuss.impulse_plane(hit).panels)
--> 1]],
    },
    impulse_plane_lines = {
        module = "percuss.impulse_plane", field = "lines",
        summary = "The lines of the impulse plane as data, each by two points: sticking, compression, friction, " ..
            "termination.",
        params = { param("hits", "list", "impacts of one body and motion by rigid laws") },
        returns = "impulse_plane_lines",
        example = ROD .. [[
local hit = percuss.collide(rod, percuss.contact.poisson{ R = 0.5, mu = 0.3 }, motion)
local line = percuss.impulse_plane_lines{ hit }.termination[1]
print(line.p_n[1] == line.p_n[2])
--> true]],
    },
    convert_restitution = {
        module = "percuss.restitution", field = "convert",
        summary = "Convert between the coefficients of restitution e, R and E for a given rigid impact.",
        params = {
            param("body", "body", "the body that strikes"),
            param("motion", "table", "its motion, as for collide"),
            with(param("options", "table", "one coefficient of restitution, and friction"), {
                param("kinematic", "number", "coefficient e = -v_n+/v_n-, as in contact.newton",
                    { otherwise = "none" }),
                param("e", "number", "symbol of kinematic, in its place", { otherwise = "none" }),
                param("kinetic", "number", "coefficient R = p_n(restitution)/p_n(compression), as in "
                    .. "contact.poisson", { otherwise = "none" }),
                param("R", "number", "symbol of kinetic, in its place", { otherwise = "none" }),
                param("energetic", "number", "coefficient E, E^2 = W_n(restitution)/-W_n(compression), as in "
                    .. "contact.stronge", { otherwise = "none" }),
                param("E", "number", "symbol of energetic, in its place", { otherwise = "none" }),
                param("friction", "number", "coefficient of friction", { otherwise = "none" }),
                param("mu", "number", "symbol of friction, in its place", { otherwise = "none" }),
                param("static_friction", "number", "coefficient of static friction",
                    { otherwise = "that of friction" }),
                param("mu_s", "number", "symbol of static_friction, in its place", { otherwise = "that of friction" }),
            }),
        },
        returns = "converted_restitution",
        equations = "v_n' = -e v_n: Newton's e compares the velocities\n"
            .. "p_r = R p_c: Poisson's R the normal impulses of restitution and of compression\n"
            .. "W_r = -E^2 W_c: Stronge's E their normal works",
        source = "Brach (1993), equation 9; Stronge (1990)",
        example = ROD .. [[
local r = percuss.convert_restitution(rod, { vt = 0.6, vn = -1 }, { E = 1, mu = 0.01 })
print(string.format("%.6f %.6f", r.kinematic, r.kinetic))
--> 0.994019 1.005891]],
    },
    combine = {
        module = "percuss.restitution", field = "combine",
        summary = "The coefficient of friction or restitution of a pair, from what is known of each of the two by a "
            .. "rule that is named.",
        details = "A coefficient belongs to a pair, and one that was measured with both is better. geometric, "
            .. "arithmetic, harmonic, least and greatest are what multibody codes and game engines offer where only "
            .. "values of each are known: Box2D takes the geometric mean of frictions and the greatest restitution. "
            .. "work is that of two bodies in series, of which each gives back E^2 of the work that it took: the "
            .. "softer one takes more. a and b may be what tells a restitution by the speed; then the result is a "
            .. "function.",
        params = {
            param("a", { "number", "restitution", "function" }, "the coefficient of one of them", { least = 0 }),
            param("b", { "number", "restitution", "function" }, "that of the other", { least = 0 }),
            param("rule", "string", "how they are combined", {
                words = { "geometric", "arithmetic", "harmonic", "least", "greatest", "work" },
            }),
            with(param("options", "table", "which of them is softer, for the rule work", { otherwise = "none" }), {
                param("stiffness", "list", "of each of the two, in any unit", { otherwise = "from materials" }),
                param("materials", "list", "of each of the two: by young/(1 - poisson^2)",
                    { otherwise = "from stiffness" }),
            }),
        },
        returns = "number, or function of the speed of approach",
        source = "Coaplen, Stronge and Ravani, Int. J. Impact Engng 30 (2004), of work; Catto, Box2D (2007-)",
        example = [[
local friction = percuss.combine(0.2, 0.8, "geometric")
local m = percuss.material
local E = percuss.combine(0.9, 0.5, "work", { materials = { m.steel, m.aluminium } })
print(string.format("%.3f %.3f", friction, E))
--> 0.400 0.625]],
    },
    loss_curves = {
        module = "percuss.loss_curves", field = "new",
        summary = "Loss of energy over the impulse ratio for several e, with bounds; what gains energy is marked.",
        params = {
            param("body", "body", "the body that strikes"),
            param("motion", "table", "its motion, as for collide"),
            with(param("options", "table", "what is computed", { otherwise = "{}" }), {
                param("restitution", "list", "values of e", { otherwise = "{ 0, 0.5, 1 }" }),
                param("ratio", "array", "values of p_t/p_n", { otherwise = "somewhat beyond that of sticking" }),
            }),
        },
        returns = "loss_curves",
        source = "Brach (1993), Fig 3",
        example = ROD .. [[
local c = percuss.loss_curves(rod, motion, { ratio = percuss.linspace(0, 0.6, 7) }).curves
print(string.format("%.6f %.6f", c[1].loss[2], c[3].gains[7]))
--> 0.414563 -0.288462]],
    },
    impulse_sequence = {
        module = "percuss.restitution", field = "sequence",
        summary = "Brach's sequence of evaluations: the impulse ratio over each interval of a planar rigid impact, " ..
            "from the velocities at its ends (his equation 15).",
        params = { param("hit", "impact", "a planar impact by a rigid law") },
        returns = "list of impulse_interval",
        source = "Brach (1993), Table 2",
        example = ROD .. [[
local hit = percuss.collide(rod, percuss.contact.stronge{ E = 1, mu = 0.01 }, { vt = 0.6, vn = -1 })
for _, row in ipairs(percuss.impulse_sequence(hit)) do
    print(string.format("%s, %s: %.6f", row.from, row.to, row.ratio))
end
--> start, slip stops: -0.010000
--> slip stops, end of approach: 0.010000
--> start, end of approach: -0.009788
--> end of approach, end: 0.010000
--> start, end: 0.000135]],
    },
    flow = {
        module = "percuss.flow", field = "new",
        summary = "The flow of sliding of a body: invariant directions, flow-change directions, what follows a stop.",
        params = {
            param("body", { "body", "table" }, "a body with a second tangent, or W as a 3 x 3 list (t, n, t2)"),
            param("friction", "number", "coefficient of friction mu"),
        },
        returns = "flow",
        source = "Bhatt and Koechling (1995); Birlik (2012), section 4.1.1",
        example = [[
local f = percuss.flow({ { 0.25, 0.25*3^0.5, 0 }, { 0.25*3^0.5, 0.75, 0 }, { 0, 0, 1 } }, 1)
print(f:pattern())
--> 4 invariant directions (2 attracting, 2 repelling), 2 flow-change directions]],
    },
}
local order = {
    "compare", "impulse_plane", "impulse_plane_lines", "impulse_sequence", "convert_restitution", "combine",
    "loss_curves", "flow",
}
for _, name in ipairs(order) do
    local entry = functions[name]
    pc[name] = checked(name, on_demand(entry.module, entry.field), entry)
    entry.module, entry.field = nil, nil
    pc.document(name, pc[name], entry)
end
