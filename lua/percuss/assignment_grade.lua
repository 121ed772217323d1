-- Grade a folder of submissions: each in its sandbox, several at a time; a score file, a report for each, a summary.
--
-- assignment_submissions.lua says what lies there and whose it is. Every finished submission leaves a record
-- (assignment_record.lua) whose key is a digest of the assignment, the submission, marks by hand and the version of
-- percuss: grading again does only what changed or was never finished. What fails with one submission costs that one,
-- and Ctrl-C ends the grading with the scores so far.
local pc = require "percuss"
local assignments = require "percuss.assignment"
local chart = require "percuss.assignment_chart"
local figures = require "percuss.assignment_figure"
local random = require "percuss.assignment_random"
local record = require "percuss.assignment_record"
local report = require "percuss.assignment_report"
local runner = require "percuss.assignment_run"
local scores = require "percuss.assignment_scores"
local similar = require "percuss.assignment_similar"
local student = require "percuss.assignment_student"
local submissions = require "percuss.assignment_submissions"
local texts = require "percuss.assignment_text"

local M = {}

-- All parts without points, for a file that is not run.
local function refused(assignment, entry, why)
    local result = { id = entry.id, parts = {}, remarks = { why }, total = 0, output = "" }
    for i, part in ipairs(assignment.parts) do
        result.parts[i] = { name = part.name, points = part.points, score = 0, verdict = "not run", message = why }
    end
    return result
end

-- What is strange about the first lines of a file.
local function header_remark(assignment, entry)
    if entry.student and entry.student ~= entry.id then
        return "the file says student " .. entry.student .. ", its name says " .. entry.id
    end
    if entry.assignment and entry.assignment ~= assignment.name then
        return "the file says it is for " .. entry.assignment
    end
end

local function run(assignment, entry, walls)
    if not entry.text then return refused(assignment, entry, entry.why) end
    local result = runner.run(assignment, entry.id, entry.text, { walls = walls })
    local remark = header_remark(assignment, entry)
    if remark then table.insert(result.remarks, 1, remark) end
    return result
end

local function expected(assignment, id)
    local data, answers = assignments.data(assignment, id), {}
    for _, part in ipairs(assignment.parts) do
        if part.kind == "number" then
            local text = string.format("%.6g", part.answer_of(data))
            answers[part.name] = part.unit ~= "" and text .. " " .. part.unit or text
        end
    end
    return answers
end

-- The teacher's figures with the student's numbers, for the page: { { caption =, address = }, ... }.
local function draw_figures(grading, entry, result)
    local data, list = assignments.data(grading.assignment, entry.id), {}
    for _, figure in ipairs(grading.assignment.figures) do
        local bytes, ending = figures.bytes(figure, data, "svg")
        if bytes then
            list[#list + 1] = { caption = figure.caption or figure.name, address = figures.address(bytes, ending) }
        else
            table.insert(result.remarks, ending)
        end
    end
    return list
end

-- Report first, record last: a record says that everything is there.
local function finish(grading, entry, result)
    local charts = {}
    for _, part in ipairs(result.parts) do
        if part.figure then
            local bytes, why = chart.draw(part.figure)
            charts[part.name] = bytes and figures.address(bytes, "svg")
            if not bytes then table.insert(result.remarks, "the chart of " .. part.name .. " is not shown: " .. why) end
        end
    end
    local answers = grading.answers and entry.text and expected(grading.assignment, entry.id) or nil
    local drawn = entry.text and draw_figures(grading, entry, result) or {}
    local marked = grading.scores:apply(entry, result)
    local page = report.student(grading.assignment, marked, entry.file, drawn, charts, answers)
    assert(pc.file.write(grading.folder .. "/" .. entry.page .. ".html", page))
    assert(pc.file.write(entry.record, record.write(entry.key, entry.file, result)))
    entry.result = result
end

-- Grade one. What fails with it alone is said in its row, and done again the next time.
local function grade_one(grading, entry)
    local ok, failure = pcall(function() finish(grading, entry, run(grading.assignment, entry, grading.walls)) end)
    if ok then return end
    if runner.is_unsafe(failure) or type(failure) == "table" and failure.code == "interrupted" then
        error(failure, 0)
    end
    entry.result = refused(grading.assignment, entry, "it could not be graded: " .. texts.cut(tostring(failure), 500))
    grading.failed[#grading.failed + 1] = entry
end

-- ---- the whole ----

-- What is said about the sandbox; nil and a message if grading has to be refused. Without Landlock the filter of system
-- calls still bars every file; without the filter much is open that Landlock does not know.
local function walls_text(walls, weak)
    if walls.seccomp and walls.landlock then return "Sandbox: seccomp and Landlock both stand." end
    if walls.seccomp then
        return "Sandbox: this kernel lacks the closed file system (Landlock); the filter of system calls (seccomp) "
            .. "stands and bars all files."
    end
    local lack = "this kernel lacks the filter of system calls (seccomp): a submission that takes over its process "
        .. "could start processes, send signals where Landlock is old, and use the network"
    if weak then return "Sandbox: " .. lack .. "." end
    return nil, lack .. "; --weak grades all the same"
end

-- Keys of the entries, and the results of those that were graded before.
local function find_records(grading, entries)
    for _, entry in ipairs(entries) do
        local what = table.concat({ entry.id, entry.file, grading.scores:digest(entry.file), entry.text or entry.why,
            entry.text and "text" or "why" }, "\0")
        entry.key = string.format("%016x", random.digest(what, grading.digest))
        entry.record = grading.folder .. "/records/" .. entry.page .. ".txt"
        local old = pc.file.read(entry.record)
        local result = old and record.read(old, entry.key)
        if result and #result.parts == #grading.assignment.parts then entry.result = result end
    end
end

-- What is special about the run of a whole grading.
local function digest_of(assignment, text, answers)
    local whole = { pc.version, tostring(answers), text }
    for _, figure in ipairs(assignment.figures) do whole[#whole + 1] = figure.bytes end
    return random.digest(table.concat(whole, "\0"))
end

-- Grade what has no result yet. Nil, or why it ended before its time.
local function grade_all(grading, entries, jobs)
    local tasks = {}
    for _, entry in ipairs(entries) do
        if not entry.result then tasks[#tasks + 1] = function() grade_one(grading, entry) end end
    end
    local ended, failure = pc.sandbox.attempt(function() runner.schedule(tasks, jobs) end)
    if ended == nil then return "interrupted" end
    if not ended then return tostring(failure) end
end

local function write_class(grading, entries, about_walls, alike)
    local results = {}
    for _, entry in ipairs(entries) do
        if entry.result then
            local marked = grading.scores:apply(entry, entry.result)
            results[#results + 1] = setmetatable({ page = entry.page }, { __index = marked })
        end
    end
    local class = report.class(grading.assignment, results, alike, about_walls, grading.folder)
    return pc.file.write(grading.folder .. "/class.html", class)
end

-- options: out (the score file), reports (a folder), jobs, answers, weak (without seccomp too), ids ("file" or "name"
-- alone decides whose a file is), replace (the score file, whatever stands there), say (function). Returns { entries =,
-- each with its result; alike =, pairs; failed =, entries that could not be graded; ended =, why it ended early }; or
-- nil and a message.
function M.grade(path, folder, options)
    local assignment, text = assignments.load(path)
    if not assignment then return nil, text end
    local entries, others = submissions.collect(folder, options.ids)
    if not entries then return nil, others end
    local say = options.say or function() end
    local reports = options.reports or options.out:gsub("%.csv$", "") .. "-reports"
    local walls, weakness = runner.walls()
    if not walls then return nil, weakness end
    local about_walls, refusal = walls_text(walls, options.weak)
    if not about_walls then return nil, refusal end
    say(about_walls)
    local made, message = pc.make_directory(reports .. "/records")
    if not made then return nil, message end
    local file, wrong = scores.open(options.out, reports .. "/records", assignment, options.replace)
    if not file then return nil, wrong end

    local grading = {
        assignment = assignment, folder = reports, answers = options.answers, walls = walls, scores = file, failed = {},
        digest = digest_of(assignment, text, options.answers),
    }
    find_records(grading, entries)
    local kept = 0
    for _, entry in ipairs(entries) do kept = kept + (entry.result and 1 or 0) end
    say(string.format("%d submissions, %d of them graded before%s", #entries, kept,
        #others > 0 and string.format("; %d other files are left alone", #others) or ""))
    local result = { entries = entries, failed = grading.failed }
    result.ended = grade_all(grading, entries, options.jobs or 2)
    local written, failure = file:write(entries)
    if not written then return nil, failure end
    if not result.ended then
        local programs = {}
        for _, entry in ipairs(entries) do
            if entry.text then programs[#programs + 1] = { entry.id, entry.text } end
        end
        result.alike = similar.pairs(programs, student.template(assignment, "id", path, "id.lua"))
    end
    written, failure = write_class(grading, entries, about_walls, result.alike)
    if not written then return nil, failure end
    return result
end

return M
