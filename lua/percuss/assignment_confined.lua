-- An assignment that a work file names, for a check. Nobody vouches for that file: it may lie beside the work file in a
-- folder that was handed in, or be the work file itself. So it runs in a sandbox of its own, and what it says of itself
-- is data, checked piece by piece. Here it looks like an assignment whose parts judge over there.
local pc = require "percuss"
local runner = require "percuss.assignment_run"
local plain = require("percuss.assignment_text").plain

local M = {}

local LIMITS = { memory = 512, instructions = 1e12, processor = 3600, reply = 16 }
local PATIENCE = 600 -- seconds for one judgement
local FILES, BYTES = 32, 4 << 20 -- of those beside the assignment that it may read
-- A check takes these from the assignment, but no more than a student's machine should bear.
local most = { seconds = 600, instructions = 1e12, memory = 4096, reply = 64 }

-- Runs in the sandbox, with the text of the assignment in `work`. `ask` sends a list of argument lists to the student's
-- function and returns { results = } or { ended = true }.
local driver = [[
local work, ask = ...
for name, bytes in pairs(work.files) do require("percuss").file.write(name, bytes) end
local A = require "percuss.assignment"
local assignment, message = A.parse(work.text, work.path)
if not assignment then error(message, 0) end
local data = A.data(assignment, work.id)
local about = { name = assignment.name, limits = assignment.limits, data = data, parts = {}, figures = {} }
for i, part in ipairs(assignment.parts) do
    about.parts[i] = {
        name = part.name, points = part.points, is_function = part.is_function, seconds = part.seconds,
        hints = part.hints,
    }
end
for i, figure in ipairs(assignment.figures) do
    about.figures[i] = { name = figure.name, caption = figure.caption, file = figure.file }
end
work.about = about
local ended = setmetatable({}, { __name = "ended" })
local function call(list)
    local answer = ask(list)
    if answer.ended then error(ended, 0) end
    return answer.results
end
function work.judge(index, reply)
    local got = assignment.parts[index].judge(assignment.parts[index], data, reply, call)
    return { verdict = got.verdict, score = got.score, message = got.message, remark = got.remark }
end
]]

local function is_text(x, longest)
    return type(x) == "string" and #x <= longest
end

local function is_number(x, least, largest)
    return type(x) == "number" and x >= least and x <= largest
end

local function is_name(x)
    return is_text(x, 100) and x:find("^[%a_][%w_]*$") ~= nil
end

-- What goes back as data: no deeper than a figure is, as the way back has its own depth.
local function shallow(x, depth)
    if type(x) ~= "table" then return x end
    local copy = {}
    if depth == 0 then return copy end
    for key, element in pairs(x) do copy[key] = shallow(element, depth - 1) end
    return copy
end

local no_assignment = "it is no assignment: it must return assignment.new{ ... }"

local function check(ok)
    if not ok then error(no_assignment, 0) end
end

-- ---- what the other side says of itself ----

local function hints_of(given)
    local hints = {}
    for i, hint in ipairs(given or {}) do
        check(type(hint) == "table" and is_number(hint[1], -math.huge, math.huge) and is_text(hint[2], 10000))
        hints[i] = { hint[1], plain(hint[2]) }
    end
    return hints
end

local function limits_of(given)
    check(type(given) == "table")
    local limits = {}
    for name, largest in pairs(most) do
        check(is_number(given[name], 0, math.huge))
        if given[name] > largest then
            error(string.format("its limits: %s is %g; a check allows at most %g", name, given[name], largest), 0)
        end
        limits[name] = given[name]
    end
    return limits
end

local function part_of(self, index, given)
    check(type(given) == "table" and is_name(given.name) and is_number(given.points, 0, 1e6))
    check(given.hints == nil or type(given.hints) == "table")
    check(given.seconds == nil or is_number(given.seconds, 0, most.seconds))
    return {
        name = given.name, points = given.points, is_function = given.is_function == true, seconds = given.seconds,
        hints = hints_of(given.hints), judge = function(_, _, reply, ask) return self:judge(index, reply, ask) end,
    }
end

local function figure_of(given)
    check(type(given) == "table" and is_name(given.name) and (given.file == nil or is_text(given.file, 1000)))
    check(given.caption == nil or is_text(given.caption, 10000))
    return { name = given.name, caption = given.caption and plain(given.caption), file = given.file }
end

-- ---- judging ----

local Confined = {}
Confined.__index = Confined

-- A request, and the answer to each question that comes before its reply. `answer(list)` returns what is sent back.
local function converse(self, content, answer)
    local reply, reason, message = runner.request(self.box, content, PATIENCE)
    while reply and reply.asks ~= nil and answer do
        check(type(reply.asks) == "table")
        reply, reason, message = runner.request(self.box, answer(reply.asks), PATIENCE)
    end
    if not reply then error(reason .. ": " .. message, 0) end
    if not reply.ok then error(tostring(reply.message), 0) end
    return type(reply.values) == "table" and reply.values[1] or nil
end

-- Judge a part over there. What ended the part while the student's function was asked is raised here again.
function Confined:judge(index, reply, ask)
    local ending
    local function answer(list)
        if ending then return { ended = true } end
        local ok, results = pcall(ask, list)
        if ok then return { results = shallow(results, 2) } end
        ending = results
        return { ended = true }
    end
    if not self.box then self:open() end
    local given = reply and { values = shallow(reply.values, 10), n = reply.n } or {}
    local ok, got = pcall(function()
        local list = converse(self, { "call", "judge", { { index, given } } }, answer)
        return type(list) == "table" and list[1]
    end)
    if ending then error(ending, 0) end
    if not ok then
        self:close() -- the next part finds a fresh one
        error(got, 0)
    end
    check(type(got) == "table" and is_text(got.verdict, 40) and is_number(got.score, 0, 1))
    return {
        verdict = plain(got.verdict), score = got.score, message = is_text(got.message, 1 << 20) and got.message or nil,
        remark = is_text(got.remark, 1 << 20) and got.remark or nil,
    }
end

function Confined:open()
    local box, failure = pc.sandbox.open(LIMITS)
    if not box then error(failure, 0) end
    self.box = box
    runner.take_walls(box)
    local work = { text = self.text, path = self.path, id = self.id, files = self.files }
    converse(self, { "load", "=assignment", driver, work, {}, true })
end

function Confined:close()
    if self.box then self.box:close() end
    self.box = nil
end

-- Files beside the assignment whose names stand in it, such as measurements: it finds them in its scratch folder.
local function files_beside(path, text)
    local folder, files, n, room = path:match("^(.*/)[^/]*$") or "./", {}, 0, BYTES
    local entries = pc.file.list(folder) or {}
    for i = 1, math.min(#entries, 4000) do
        local entry = entries[i]
        if entry.kind == "file" and n < FILES and text:find(entry.name, 1, true) then
            local bytes = pc.file.read(folder .. entry.name, room)
            if bytes then
                files[entry.name] = bytes
                n, room = n + 1, room - #bytes
            end
        end
    end
    return files
end

-- The assignment in the file `path`, for the student `id`; or nil and a message. To be closed.
function M.open(path, id)
    local text, message = pc.file.read(path, 1 << 20)
    if not text then return nil, message end
    local self = setmetatable({ text = text, path = path, id = id, files = files_beside(path, text) }, Confined)
    local ok, wrong = pcall(function()
        self:open()
        local about = converse(self, { "get", "about" })
        check(type(about) == "table" and is_text(about.name, 1000) and type(about.parts) == "table")
        check(type(about.figures) == "table" and type(about.data) == "table")
        self.name, self.limits, self.parts, self.figures = about.name, limits_of(about.limits), {}, {}
        for i, part in ipairs(about.parts) do self.parts[i] = part_of(self, i, part) end
        for i, figure in ipairs(about.figures) do self.figures[i] = figure_of(figure) end
        check(#self.parts > 0)
        self.make_data = function() return about.data end
    end)
    if ok then return self end
    self:close()
    if type(wrong) == "table" and wrong.code == "interrupted" then error(wrong, 0) end
    if wrong == no_assignment or runner.is_unsafe(wrong) then return nil, runner.is_unsafe(wrong) and tostring(wrong)
        or path .. ": " .. wrong end
    return nil, plain(tostring(wrong))
end

return M
