-- Assignments: what a teacher writes. See scripts/assignments/README.md for the whole and for the threat model.
--
--   local A = require "percuss.assignment"
--   return A.new{
--       name = "bounce", title = "A ball that bounces", text = "...",
--       data = function(random) return { height = random:number(0.5, 2) } end,
--       parts = { A.number{ name = "speed", points = 2, text = "...", unit = "m/s", digits = 3, answer = ... }, ... },
--   }
--
-- A part is a kind with its options; a kind judges what came out of the sandbox and is a row of `kinds` below. The
-- student's own functions are never called here: `ask` sends arguments into the sandbox and brings numbers back.
local pc = require "percuss"
local chart = require "percuss.assignment_chart"
local figure = require "percuss.assignment_figure"
local law = require "percuss.assignment_law"
local cut = require("percuss.assignment_text").cut
local random = require "percuss.assignment_random"
local refuse = require "percuss.refuse"
local unit = require "percuss.assignment_unit"
local value = require "percuss.assignment_value"

local M = {}

-- ---- kinds: options beside the common ones, and judge(part, data, reply, ask) -> { verdict, score, message } ----

local function judge_number(part, data, reply)
    return value.judge(part, data, reply.values, reply.n)
end

-- A list of numbers against the right one, by the largest difference or the root of the mean square, both relative to
-- the largest right value.
local function judge_curve(part, data, reply)
    local given = reply.values[1]
    if given == nil then return { verdict = "missing", score = 0, message = "there is no answer yet" } end
    local ok, numbers = pcall(pc.array, given)
    if not ok or type(given) == "number" then
        return { verdict = "not a number", score = 0, message = "the answer is no list of numbers" }
    end
    local right = pc.array(part.answer_of(data))
    if #numbers ~= #right then
        return { verdict = "wrong", score = 0, message = "there must be " .. #right .. " numbers, not " .. #numbers }
    end
    local given_unit = unit.parse(type(reply.values[2]) == "string" and reply.values[2] or "")
    local wanted = assert(unit.parse(part.unit))
    if not given_unit or not unit.same_dimension(given_unit, wanted) then
        return { verdict = "wrong unit", score = 0, message = "return the list and its unit" }
    end
    local factor, largest, most, square = given_unit.factor / wanted.factor, 0, 0, 0
    for i = 1, #right do
        local difference = math.abs(numbers[i] * factor - right[i])
        if difference ~= difference or difference == math.huge then
            return { verdict = "not a number", score = 0, message = "number " .. i .. " of the list is not finite" }
        end
        largest = math.max(largest, math.abs(right[i]))
        most = math.max(most, difference)
        square = square + difference ^ 2
    end
    local distance = part.norm == "rms" and math.sqrt(square / #right) or most
    local allowed = math.max(part.absolute or 0, part.relative * largest)
    return distance <= allowed * (1 + 1e-12) and { verdict = "right", score = 1 } or { verdict = "wrong", score = 0 }
end

local WORDS = 20000 -- bytes of a text; more is not read

-- Free text, which a person reads.
local function judge_words(part, _, reply)
    local text = reply.values[1]
    if type(text) ~= "string" or not text:find("%S") then
        return { verdict = "missing", score = 0, message = "there is no text yet" }
    end
    local _, words = text:sub(1, WORDS):gsub("%S+", "")
    if words < part.least then
        return { verdict = "wrong", score = 0, message = "write at least " .. part.least .. " words" }
    end
    return { verdict = "person", score = 0, message = "a person reads this", text = cut(text, WORDS) }
end

local kinds = {
    number = {
        judge = judge_number, needs = { "unit", "answer" },
        options = { "unit", "answer", "digits", "absolute", "relative", "mistakes" },
    },
    curve = {
        judge = judge_curve, needs = { "unit", "answer" },
        options = { "unit", "answer", "absolute", "relative", "norm" },
    },
    law = {
        judge = law.judge, is_function = true, needs = {},
        options = { "answer", "inputs", "absolute", "relative", "properties" },
    },
    chart = { judge = chart.judge, needs = { "x", "y" }, options = { "x", "y", "series", "test" } },
    words = { judge = judge_words, needs = {}, options = { "least" } },
}

local common = { "name", "points", "text", "hints", "seconds" }

local function fail(what, ...)
    refuse("assignment: " .. string.format(what, ...))
end

local function check_names(options, known, where)
    for name in pairs(options) do
        local found = false
        for _, word in ipairs(known) do found = found or word == name end
        if not found then
            local near = pc.nearest(tostring(name), known)
            fail("%s has no option '%s'%s", where, tostring(name), near and "; is it '" .. near .. "'?" or "")
        end
    end
end

local function half_digit(digits)
    -- half a unit in the last of the digits, for the least favourable number, 1.00...
    return 0.5 * 10 ^ (1 - digits)
end

local function check_hints(hints, where)
    for _, hint in ipairs(hints) do
        if type(hint) ~= "table" or type(hint[1]) ~= "number" or type(hint[2]) ~= "string" then
            fail("%s: a hint is { after how many wrong tries, text }", where)
        end
    end
end

-- Fields of the table work, and columns of the score file.
local taken = { id = true, data = true, assignment = true, file = true, total = true, of = true, remarks = true }

local function new_part(kind_name, options)
    local kind = kinds[kind_name]
    local known = table.move(kind.options, 1, #kind.options, #common + 1, table.move(common, 1, #common, 1, {}))
    local where = "the part " .. tostring(options.name)
    check_names(options, known, where)
    if type(options.name) ~= "string" or not options.name:match("^[%a_][%w_]*$") or taken[options.name] then
        fail("a part needs a name that is a Lua name and not id, data, assignment, file, total, of or remarks")
    end
    if type(options.points) ~= "number" or not (options.points >= 0 and options.points < math.huge) then
        fail("%s needs points >= 0", where)
    end
    if type(options.text) ~= "string" then fail("%s needs a text", where) end
    local seconds = options.seconds or 1
    if type(seconds) ~= "number" or not (seconds > 0 and seconds <= 1e5) then
        fail("%s: seconds must be > 0 and at most 1e5", where)
    end
    for _, name in ipairs(kind.needs) do
        if options[name] == nil then fail("%s needs %s", where, name) end
    end
    if options.unit and not unit.parse(options.unit) then fail("%s: '%s' is no unit", where, options.unit) end
    check_hints(options.hints or {}, where)
    local part = { kind = kind_name, judge = kind.judge, is_function = kind.is_function }
    for name, given in pairs(options) do part[name] = given end
    if not part.relative and not part.absolute then
        part.relative = part.digits and half_digit(part.digits) or 1e-3
    end
    part.relative = part.relative or 0
    part.least = part.least or 1
    local answer = part.answer
    part.answer_of = type(answer) == "function" and answer or function() return answer end
    return part
end

for name in pairs(kinds) do
    M[name] = function(options) return new_part(name, options) end
end

function M.figure(options)
    check_names(options, { "name", "caption", "draw", "file" }, "the figure " .. tostring(options.name))
    local complaint = figure.complaint(options)
    if complaint then fail("%s", complaint) end
    local self = { is_figure = true }
    for name, given in pairs(options) do self[name] = given end
    return self
end

-- ---- the assignment ----

local limit_defaults = { seconds = 20, instructions = 3e8, memory = 256, reply = 8 }

-- Least and largest, and the unit.
local limit_ranges = {
    seconds = { 1e-3, 1e5, " s" }, instructions = { 1e3, 1e15, "" }, memory = { 16, 65536, " MiB" },
    reply = { 0x1p-10, 1024, " MiB" },
}

-- The limits, each from its range.
local function check_limits(given)
    check_names(given, { "seconds", "instructions", "memory", "reply" }, "limits")
    local limits = {}
    for name, default in pairs(limit_defaults) do
        local x, range = given[name] or default, limit_ranges[name]
        if type(x) ~= "number" or not (x >= range[1] and x <= range[2]) then
            fail("limits: %s is %s; it must be from %g to %g%s", name, tostring(x), table.unpack(range))
        end
        limits[name] = x
    end
    return limits
end

function M.new(options)
    check_names(options, { "name", "title", "text", "data", "figures", "parts", "limits", "units" }, "an assignment")
    if type(options.name) ~= "string" or not options.name:match("^[%w_%-]+$") then
        fail("the name must be made of letters, digits, _ and -")
    end
    if type(options.parts) ~= "table" or #options.parts == 0 then fail("%s has no parts", options.name) end
    local self = { name = options.name, title = options.title or options.name, text = options.text or "" }
    self.limits = check_limits(options.limits or {})
    self.units, self.figures = options.units or {}, options.figures or {}
    self.parts, self.points, self.make_data = options.parts, 0, options.data or function() return {} end
    local seen = {}
    for _, part in ipairs(self.parts) do
        if type(part) ~= "table" or type(part.judge) ~= "function" or type(part.points) ~= "number" then
            fail("the parts of %s must be made by number, curve, law, chart or words", self.name)
        end
        if seen[part.name] then fail("%s has two parts called %s", self.name, part.name) end
        seen[part.name] = true
        self.points = self.points + part.points
    end
    local drawn = {}
    for _, one in ipairs(self.figures) do
        if type(one) ~= "table" or not one.is_figure then
            fail("the figures of %s must be made by figure", self.name)
        end
        if drawn[one.name] then fail("%s has two figures called %s", self.name, one.name) end
        drawn[one.name] = true
    end
    return self
end

-- The numbers of a student.
function M.data(assignment, id)
    return assignment.make_data(random.new(assignment.name .. "\0" .. id))
end

-- The assignment in a text that came from the file `path`; or nil and a message. It runs what stands there.
function M.parse(text, path)
    local chunk, wrong = load((text:gsub("^\xEF\xBB\xBF", ""):gsub("^#[^\n]*", "")), "@" .. path, "t")
    if not chunk then return nil, wrong end
    local ok, assignment = pcall(chunk)
    if not ok then return nil, tostring(assignment) end
    if type(assignment) ~= "table" or type(assignment.make_data) ~= "function" then
        return nil, path .. " is no assignment: it must return assignment.new{ ... }"
    end
    return assignment
end

-- Load an assignment from its file: the assignment, and the text of the file. Only for a file that its user vouches
-- for: what a work file names is loaded by assignment_confined.lua.
function M.load(path)
    local text, message = pc.file.read(path)
    if not text then return nil, message end
    local assignment, wrong = M.parse(text, path)
    if not assignment then return nil, wrong end
    local missing = figure.read(assignment.figures, path:match("^(.*/)[^/]*$") or "")
    if missing then return nil, missing end
    return assignment, text
end

return M
