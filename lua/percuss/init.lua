-- The part of percuss that is written in Lua. Runs once, when percuss is required; everything heavier than a few
-- lines is loaded when it is first used.
local pc = require "percuss"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"

local param, with = parameter.row, parameter.with

-- A function that loads its module at the first call: percuss.<name>(...) is require("percuss.<module>")[field](...).
local function on_demand(module, field)
    return function(...) return require(module)[field](...) end
end

pc.help = on_demand("percuss.help", "help")
pc.apropos = on_demand("percuss.help", "apropos")

pc.document("help", pc.help, {
    summary = "Explain a function, a constructor, an object or a word; without argument, say what there is.",
    params = { param("subject", "any", "function, object or string", { otherwise = "everything" }) },
    example = 'percuss.help("collide")',
})
pc.document("apropos", pc.apropos, {
    summary = "List everything whose name or description contains a word.",
    params = { param("word", "string", "part of a name or of a sentence") },
    example = 'percuss.apropos("restitution")',
})

-- Methods of impacts.
local curves = {
    param("points", "integer", "of each curve", { default = 400 }),
    param("stop", "number", "where the history ends", { otherwise = "as in impact:trace", unit = "s" }),
    param("scaled", "string", "whose scaled quantities are drawn", { words = { "birlik", "lai", "maw" },
        otherwise = "SI units" }),
}
local methods = {
    plot = {
        module = "percuss.plot", field = "impact",
        summary = "Draw columns of the contact's history; quantities of one unit share a panel, phases are shaded.",
        params = {
            with(param("what", { "string", "list" }, "names of columns (see impact:trace); a list may hold the "
                .. "options", { otherwise = '{ "F_t", "F_n" }' }), curves, parameter.file, parameter.title,
                parameter.size),
            with(param("options", "table", "how they are drawn", { otherwise = "{}" }), curves, parameter.file,
                parameter.title,
                parameter.size),
        },
        returns = "name of the file written, or nothing when drawn inline",
        example = [[
local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })
print(hit:plot{ "F_t", "F_n", file = "forces.svg" })
--> forces.svg]],
    },
    view = {
        module = "percuss.view", field = "impact",
        summary = "Write one page of HTML that plays the impact: the contact point and the force, or the way through "
            .. "the plane of impulses where the law is rigid.",
        params = {
            with(param("options", "table", "a table of", { otherwise = "{}" }), {
                param("file", "string", "name of the page, as in impact.html", { otherwise = "shown in the notebook" }),
                param("frames", "integer", "pictures of the impact", { default = 400, least = 2, most = 5000 }),
            }, parameter.title),
        },
        returns = "name of the file; or nil, message, code",
        example = [[
local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })
print(hit:view{ file = "impact.html" })
--> impact.html]],
    },
    scaled = {
        module = "percuss.scaled", field = "impact",
        summary = "The history in the scaled quantities of a source: birlik, lai or maw.",
        params = {
            param("view", "string", "whose quantities", { words = { "birlik", "lai", "maw" } }),
            with(param("options", "table", "what is taken, and what the body may lack", { otherwise = "{}" }), {
                param("points", "integer", "of the history", { default = 400 }),
                param("stop", "number", "where the history ends", { otherwise = "as in impact:trace", unit = "s" }),
                param("mass", "number", "of the body", { otherwise = "its own", unit = "kg" }),
                param("modulus", "number", "contact modulus E* of the pair",
                    { otherwise = "that of the law; else of the body's material on a rigid plane", unit = "Pa" }),
                param("radius", "number", "relative radius of the surfaces",
                    { otherwise = "that of the law; else of the body on a plane", unit = "m" }),
                param("poisson", "number", "Poisson's ratio of both", { otherwise = "the law's compliance_ratio; "
                    .. "else that of the body's material" }),
            }),
        },
        returns = "trace, with units of 1, view and scale",
        source = "Birlik (2012), section 3.3; Lai (1999), eqs 5.40-5.45 and 5.63; Maw, Barber and Fawcett (1976)",
        example = [[
local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = percuss.collide(ball, spring, { vt = 0.2, vn = -1 })
local view = hit:scaled "birlik"
print(string.format("%.6f", view.t:max()))
--> 3.141593]],
    },
}

for _, name in ipairs{ "plot", "scaled", "view" } do
    local entry = methods[name]
    local method = checked("impact:" .. name, on_demand(entry.module, entry.field), entry, "impact")
    entry.kind, entry.module, entry.field = "method", nil, nil
    pc.extend("percuss.impact", name, method)
    pc.document("impact:" .. name, method, entry)
end

require "percuss.results"
require "percuss.motion"
require "percuss.disc"
require "percuss.rigid"
require "percuss.entries"
require "percuss.run_entries"
require "percuss.plot_entries"
require "percuss.prompt_entries"
require "percuss.assignment_entries"
