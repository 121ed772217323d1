-- Grade a folder of submissions: each in its sandbox, several at a time; a score file, a report for each, a summary.
--
-- A submission is a regular file NAME.lua; NAME is the student's id, whatever the file says, because the folder is the
-- teacher's. Every finished submission leaves a record (assignment_record.lua) whose key is a digest of the assignment,
-- the submission and the version of percuss: grading again does only what changed or was never finished.
local pc = require "percuss"
local assignments = require "percuss.assignment"
local chart = require "percuss.assignment_chart"
local figures = require "percuss.assignment_figure"
local random = require "percuss.assignment_random"
local record = require "percuss.assignment_record"
local report = require "percuss.assignment_report"
local runner = require "percuss.assignment_run"
local similar = require "percuss.assignment_similar"
local student = require "percuss.assignment_student"
local plain = require("percuss.assignment_text").plain

local M = {}

local LONGEST = 1 << 20 -- bytes of a submission

-- A name that is safe in a file name, a link and a table: other bytes become ~ and two hexadecimal digits.
local function safe_name(name)
    local first = name:sub(1, 100):gsub("[^%w_%.%-]", function(c) return string.format("~%02X", c:byte()) end)
    if #name > 100 then first = first .. string.format("~%016x", random.digest(name)) end
    return (first:gsub("^%.", "~2E"):gsub("^%-", "~2D"))
end

-- Entries to grade, in the order of their names, and how many others there are.
local function collect(folder)
    local entries, message = pc.file.list(folder)
    if not entries then return nil, message end
    local list, others = {}, 0
    for _, entry in ipairs(entries) do
        local stem = entry.name:match("^(.+)%.lua$")
        if stem then
            local path = folder .. "/" .. entry.name
            list[#list + 1] = { id = safe_name(stem), name = entry.name, kind = entry.kind, path = path }
        else
            others = others + 1
        end
    end
    table.sort(list, function(a, b) return a.name < b.name end)
    return list, others
end

-- All parts without points, for a file that is not run.
local function refused(assignment, entry, why)
    local result = { id = entry.id, parts = {}, remarks = { why }, total = 0, output = "" }
    for i, part in ipairs(assignment.parts) do
        result.parts[i] = { name = part.name, points = part.points, score = 0, verdict = "not run", message = why }
    end
    return result
end

local function header_remark(assignment, entry, text)
    local name, id = student.header(text)
    if id and id ~= entry.id then return "the file says student " .. id .. ", its name says " .. entry.id end
    if name and name ~= assignment.name then return "the file says it is for " .. name end
end

local function run(assignment, entry, walls)
    if not entry.text then return refused(assignment, entry, entry.why) end
    local result = runner.run(assignment, entry.id, entry.text, { walls = walls })
    local remark = header_remark(assignment, entry, entry.text)
    if remark then table.insert(result.remarks, 1, remark) end
    return result
end

local function expected(assignment, id)
    local data, texts = assignments.data(assignment, id), {}
    for _, part in ipairs(assignment.parts) do
        if part.kind == "number" then
            local text = string.format("%.6g", part.answer_of(data))
            texts[part.name] = part.unit ~= "" and text .. " " .. part.unit or text
        end
    end
    return texts
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
    local answers = grading.answers and expected(grading.assignment, entry.id) or nil
    local drawn = draw_figures(grading, entry, result)
    local page = report.student(grading.assignment, result, entry.name, drawn, charts, answers)
    assert(pc.file.write(grading.folder .. "/" .. entry.id .. ".html", page))
    assert(pc.file.write(entry.record, record.write(entry.key, entry.name, result)))
    entry.result = result
end

-- ---- the score file ----

-- A field of CSV (RFC 4180). A text that a spreadsheet could take for a formula gets an apostrophe in front.
local function field(x)
    if type(x) == "number" then return string.format("%.10g", x) end
    x = plain(x)
    if x:find("^[=+%-@]") then x = "'" .. x end
    if x:find('[",]') then x = '"' .. x:gsub('"', '""') .. '"' end
    return x
end

local function csv(assignment, entries)
    local head = { "id", "file", "total", "of" }
    for _, part in ipairs(assignment.parts) do
        head[#head + 1] = part.name
        head[#head + 1] = part.name .. " verdict"
        head[#head + 1] = part.name .. " message"
    end
    head[#head + 1] = "remarks"
    local lines = { table.concat(head, ",") }
    for _, entry in ipairs(entries) do
        local result = entry.result
        local row = { field(entry.id), field(entry.name), field(result.total), field(assignment.points) }
        for _, part in ipairs(result.parts) do
            row[#row + 1] = field(part.score)
            row[#row + 1] = field(part.verdict)
            row[#row + 1] = field(part.message or "")
        end
        row[#row + 1] = field(table.concat(result.remarks, "; "))
        lines[#lines + 1] = table.concat(row, ",")
    end
    return table.concat(lines, "\n") .. "\n"
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

local function read_entries(grading, entries)
    local ids = {}
    for _, entry in ipairs(entries) do
        -- two names can only meet if the file system knows upper and lower case apart and the reports' does not
        assert(not ids[entry.id], "two submissions have the name " .. entry.id)
        ids[entry.id] = true
        entry.text, entry.why = pc.file.read(entry.path, LONGEST)
        if entry.kind ~= "file" then entry.text, entry.why = nil, "it is a " .. entry.kind .. ", which is not read" end
        entry.key = string.format("%016x", random.digest(entry.text or "\0" .. entry.why, grading.digest))
        entry.record = grading.folder .. "/records/" .. entry.id .. ".txt"
        local old = pc.file.read(entry.record)
        local result = old and record.read(old, entry.key)
        if result and #result.parts == #grading.assignment.parts then entry.result = result end
    end
end

-- options: out (the score file), reports (a folder), jobs, answers, weak (without seccomp too), say (function). Returns
-- the entries, each with its result; or nil and a message.
function M.grade(path, folder, options)
    local assignment, text = assignments.load(path)
    if not assignment then return nil, text end
    local entries, others = collect(folder)
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

    local grading = { assignment = assignment, folder = reports, answers = options.answers }
    local whole = { pc.version, tostring(options.answers), text }
    for _, figure in ipairs(assignment.figures) do whole[#whole + 1] = figure.bytes end
    grading.digest = random.digest(table.concat(whole, "\0"))
    read_entries(grading, entries)
    local tasks, kept = {}, 0
    for _, entry in ipairs(entries) do
        if entry.result then
            kept = kept + 1
        else
            tasks[#tasks + 1] = function() finish(grading, entry, run(assignment, entry, walls)) end
        end
    end
    say(string.format("%d submissions, %d of them graded before%s", #entries, kept,
        others > 0 and string.format("; %d other files are left alone", others) or ""))
    runner.schedule(tasks, options.jobs or 2)

    local results, texts = {}, {}
    for _, entry in ipairs(entries) do
        results[#results + 1] = entry.result
        if entry.text then texts[#texts + 1] = { entry.id, entry.text } end
    end
    local alike = similar.pairs(texts, student.template(assignment, "id", path, "id.lua"))
    local class = report.class(assignment, results, alike, about_walls, reports)
    for _, file in ipairs{ { reports .. "/class.html", class }, { options.out, csv(assignment, entries) } } do
        local written, wrong = pc.file.write(file[1], file[2])
        if not written then return nil, wrong end
    end
    return entries, alike
end

return M
