-- What the prompt offers to students, check(), and what assignments are made of, for help and completion. Assignment
-- files call it A: local A = require "percuss.assignment".
local pc = require "percuss"
local checked = require("percuss.argument").checked
local parameter = require "percuss.parameter"
local param, with = parameter.row, parameter.with

pc.check = function(...) return require("percuss.assignment_student").check_here(...) end

pc.document("check", pc.check, {
    summary = "Check your answers to an assignment: right, wrong, wrong unit, too few digits, and hints.",
    params = {
        param("work", "string", "name of your work file", { otherwise = "the only work file here" }),
        param("part", "string", "name of one part", { otherwise = "all" }),
    },
    returns = "nothing; or nil, message, code",
    example = 'print((select(2, percuss.check("none.lua"))))\n--> cannot read none.lua: No such file or directory',
})

pc.assignment = {}

local function enter(name, summary, what, options, returns, example)
    local function f(...) return require("percuss.assignment")[name](...) end
    local entry = {
        summary = summary, params = { with(param("options", "table", what), options) }, returns = returns,
        source = "percuss new assignment NAME writes a file that shows all of it",
        example = "local A = percuss.assignment\n" .. example,
    }
    pc.assignment[name] = checked("assignment." .. name, f, entry)
    pc.document("assignment." .. name, pc.assignment[name], entry)
end

local none = { otherwise = "none" }

enter("new", "An assignment: what a file must return.", "the assignment", {
    param("name", "string", "letters, digits, _ and -; with the id of a student it is the seed of the numbers"),
    param("title", "string", "above the text", { otherwise = "the name" }),
    param("text", "string", "what students read", { otherwise = "empty" }),
    param("data", "function", "data(random): the numbers of one student, by random:number(lo, hi, digits), "
        .. "random:integer(lo, hi) and random:pick(list)", { otherwise = "no numbers" }),
    param("units", "table", "units of these numbers by name", { otherwise = "{}" }),
    param("figures", "list", "made by assignment.figure", { otherwise = "{}" }),
    param("parts", "list", "made by assignment.number, curve, law, chart and words"),
    param("limits", "table", "of each part: seconds (20 s), instructions (3e8), memory (256 MiB), reply (8 MiB)",
        { otherwise = "{}" }),
}, "table: what it was given, with points, the sum of those of its parts", [[
local drop = A.new{ name = "drop", parts = { A.words{ name = "why", points = 1, text = "Why does it fall?" } } }
print(drop.points) --> 1]])

-- What every part takes, and what a kind takes beside it.
local function part_options(more)
    local options = {
        param("name", "string", "a Lua name: students answer in work.NAME"),
        param("points", "number", "for a right answer", { least = 0 }),
        param("text", "string", "the question"),
    }
    table.move(more, 1, #more, #options + 1, options)
    options[#options + 1] = param("hints", "list", "{ after how many wrong tries, text }, said by checks", none)
    options[#options + 1] = param("seconds", "number", "of wall time for this part", { default = 1, unit = "s" })
    return options
end

local unit = param("unit", "string", "of the answer; another of the same kind is converted")
local absolute = param("absolute", "number", "how far off is right, in that unit", none)
local relative = param("relative", "number", "how far off is right, as a share of the answer", { otherwise = "half a "
    .. "unit of the last of the digits, else 1e-3" })

enter("number", "A part whose answer is a number with a unit.", "the part", part_options{
    unit, param("answer", { "function", "number" }, "the right value, or answer(data)"),
    param("digits", "integer", "how many the answer must have", none), absolute, relative,
    param("mistakes", "list", "{ answer = function(data), message =, credit = 0 to 1 }: wrong answers worth a word",
        none),
}, "a part", [[
local speed = A.number{ name = "speed", points = 2, text = "How fast does it arrive?", unit = "m/s", digits = 3,
    answer = function(d) return math.sqrt(2*9.81*d.height) end }
print(speed.kind .. " " .. speed.relative) --> number 0.005]])

enter("curve", "A part whose answer is a list of numbers with one unit.", "the part", part_options{
    unit, param("answer", { "function", "list" }, "the right values, or answer(data)"), absolute, relative,
    param("norm", "string", "\"rms\": the root of the mean square counts", { otherwise = "the largest difference" }),
}, "a part", [[
print(A.curve{ name = "heights", points = 2, text = "How high?", unit = "m", answer = { 1, 0.64 } }.kind) --> curve]])

enter("law", "A part whose answer is a function, tried on hidden arguments and by properties.", "the part",
    part_options{
        param("answer", "function", "answer(data, ...): what the function has to return", none),
        param("inputs", "function", "inputs(random, data): a list of lists of arguments", none), absolute, relative,
        param("properties", "list", "{ name =, test = function(f, data, random) }: what every right answer has", none),
    }, "a part", [[
print(A.law{ name = "rebound", points = 2, text = "Write work.rebound(v).",
    inputs = function(random) return { { -random:number(0.1, 10) } } end,
    answer = function(d, v) return -d.restitution*v end }.is_function) --> true]])

enter("chart", "A part whose answer is a figure.", "the part", part_options{
    param("x", "table", "unit = and label = of the axis along x, as far as they count"),
    param("y", "table", "unit = and label = of the axis along y, as far as they count"),
    param("series", "integer", "how many it must have at least", none),
    param("test", "function", "test(panel, data): whether it is right, and a sentence; panel.series[i].x, .y", none),
}, "a part", [[
print(A.chart{ name = "fall", points = 2, text = "Draw it.", x = { unit = "s" }, y = { unit = "m" } }.kind) --> chart]])

enter("words", "A part whose answer is a text, which a person reads.", "the part", part_options{
    param("least", "integer", "how many words it must have", { default = 1 }),
}, "a part", [[
print(A.words{ name = "where", points = 2, text = "Where does the energy go?", least = 20 }.least) --> 20]])

enter("figure", "A figure of an assignment: drawn from the numbers of a student, or a picture beside the file.",
    "the figure", {
        param("name", "string", "of the file that the student gets, ID-NAME.png"),
        param("caption", "string", "below it", none),
        param("draw", "function", "draw(data) returns a figure", { otherwise = "file is given" }),
        param("file", "string", "a .png, .svg or .jpg beside the assignment", { otherwise = "draw is given" }),
    }, "a figure for assignment.new", [[
print(A.figure{ name = "plate", draw = function(d) return percuss.chart.figure{} end }.is_figure) --> true]])
