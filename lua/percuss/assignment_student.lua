-- The student's side: a work file to start with, and a check that says right, wrong, wrong unit or too few digits, and
-- never the expected value. A check runs the file exactly as grading does, and the assignment that the file names runs
-- confined as well (assignment_confined.lua): whoever looks into a folder that was handed in runs nothing of it.
local pc = require "percuss"
local assignments = require "percuss.assignment"
local confined = require "percuss.assignment_confined"
local figures = require "percuss.assignment_figure"
local pretty = require "percuss.assignment_text"
local runner = require "percuss.assignment_run"

local M = {}

-- ---- the work file ----

local empty = {
    number = 'return nil, "%s"', curve = 'return nil, "%s"', chart = "return nil", words = "return [[\n\n]]",
}

-- What the work file has for one part.
local function skeleton(part, index)
    local plural = part.points == 1 and "" or "s"
    local lines = { "", string.format("-- Part %d, %s: %g point%s.", index, part.name, part.points, plural) }
    for _, line in ipairs(pretty.wrap(part.text, 100)) do lines[#lines + 1] = "-- " .. line end
    if part.digits then lines[#lines + 1] = "-- Give " .. part.digits .. " significant digits." end
    if part.is_function then
        lines[#lines + 1] = "-- A function: function work." .. part.name .. "(...) ... end"
    else
        lines[#lines + 1] = "function work." .. part.name .. "()"
        lines[#lines + 1] = "    " .. string.format(empty[part.kind], part.unit or "")
        lines[#lines + 1] = "end"
    end
    return table.concat(lines, "\n")
end

-- A number, or a list of numbers, as it would be typed.
local function data_text(x)
    if type(x) ~= "table" then return tostring(x) end
    local words = {}
    for i, element in ipairs(x) do words[i] = tostring(element) end
    return "{ " .. table.concat(words, ", ") .. " }"
end

-- `file`: the assignment, as the work file names it; `work`: the name of the work file.
function M.template(assignment, id, file, work)
    local lines = {
        "-- percuss assignment: " .. assignment.name, "-- student: " .. id, "-- file: " .. file, "--",
        "-- " .. assignment.title, "--",
    }
    for _, line in ipairs(pretty.wrap(assignment.text, 100)) do lines[#lines + 1] = ("-- " .. line):gsub("%s+$", "") end
    for _, figure in ipairs(assignment.figures) do
        lines[#lines + 1] = "--"
        local name = figures.file_name(figure, work:match("[^/]*$"))
        local text = "Figure " .. name .. ": " .. (figure.caption or figure.name)
        for _, line in ipairs(pretty.wrap(text, 100)) do lines[#lines + 1] = "-- " .. line end
    end
    lines[#lines + 1] = "--"
    lines[#lines + 1] = "-- Your numbers are in the table d:"
    local data, names = assignments.data(assignment, id), {}
    for name in pairs(data) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
        local unit = assignment.units[name]
        lines[#lines + 1] = string.format("--   d.%s = %s%s", name, data_text(data[name]), unit and " " .. unit or "")
    end
    lines[#lines + 1] = "--"
    lines[#lines + 1] = "-- Check yourself as often as you like:  percuss assignment check THIS-FILE"
    lines[#lines + 1] = 'local pc = require "percuss" -- luacheck: ignore'
    lines[#lines + 1] = "local work = ..."
    lines[#lines + 1] = "local d = work.data -- luacheck: ignore"
    for i, part in ipairs(assignment.parts) do lines[#lines + 1] = skeleton(part, i) end
    return table.concat(lines, "\n") .. "\n"
end

-- Assignment, student and file as a work file names them in its first lines.
function M.header(text)
    local head = text:sub(1, 2000)
    return head:match("%-%- percuss assignment: ([^\r\n]*)"), head:match("%-%- student: ([^\r\n]*)"),
        head:match("%-%- file: ([^\r\n]*)")
end

-- Write the figures beside the work file, never over a file that is there. True, or nil and a message.
local function write_figures(assignment, data, work)
    local files = {}
    for i, figure in ipairs(assignment.figures) do
        local bytes, message = figures.bytes(figure, data, "png")
        if not bytes then return nil, message end
        local name = figures.file_name(figure, work)
        if pc.file.read(name, 1 << 30) then return nil, name .. " exists already; it is not replaced" end
        files[i] = { name = name, bytes = bytes }
    end
    for _, file in ipairs(files) do
        local written, message = pc.file.write(file.name, file.bytes)
        if not written then return nil, message end
    end
    return true
end

-- Write a work file and its figures; refuses to replace one. Returns its name, or nil and a message.
function M.start(path, id, out)
    local assignment, message = assignments.load(path)
    if not assignment then return nil, message end
    if not id:match("^[%w_][%w_%.%-]*$") then return nil, "an id is made of letters, digits, _ . and -" end
    out = out or id .. ".lua"
    if pc.file.read(out, 1 << 30) then return nil, out .. " exists already; it is not replaced" end
    local data = assignments.data(assignment, id)
    local drawn, wrong = write_figures(assignment, data, out)
    if not drawn then return nil, wrong end
    local written, failure = pc.file.write(out, M.template(assignment, id, path, out))
    if not written then return nil, failure end
    figures.show(assignment.figures, data)
    return written
end

-- ---- checking ----

local function folder_of(path)
    return path:match("^(.*/)[^/]*$") or ""
end

-- Wrong tries of each part. The file lies beside the work file and may be anybody's.
local function read_tries(path)
    local tries = {}
    for line in (pc.file.read(path, 1 << 16) or ""):gmatch("[^\n]+") do
        local name, n = line:sub(1, 200):match("^([%a_][%w_]*) (%d+)$")
        if name then tries[name] = math.min(tonumber(n), 1000000) end
    end
    return tries
end

-- Is the file `path` there as something else than a regular file? Through a link one would write elsewhere.
local function is_odd(path)
    local folder, name = folder_of(path), path:match("[^/]*$")
    for _, entry in ipairs(pc.file.list(folder == "" and "." or folder) or {}) do
        if entry.name == name then return entry.kind ~= "file" end
    end
    return false
end

local function write_tries(path, tries)
    local lines, names = {}, {}
    for name in pairs(tries) do names[#names + 1] = name end
    table.sort(names)
    for i, name in ipairs(names) do lines[i] = name .. " " .. tries[name] .. "\n" end
    if not is_odd(path) then pc.file.write(path, table.concat(lines)) end -- without it only the hints come later
end

local wrong_try = { wrong = true, partly = true, ["wrong unit"] = true, ["too few digits"] = true }

local function hints(part, tries)
    local lines = {}
    for _, hint in ipairs(part.hints or {}) do
        if (tries[part.name] or 0) >= hint[1] then lines[#lines + 1] = "hint: " .. hint[2] end
    end
    return lines
end

-- The assignment that a work file is for, confined: given, or named in the file, from its folder or from here.
local function assignment_of(work, text, path)
    local _, id, file = M.header(text)
    if not id then return nil, work .. " has no line '-- student: ID'" end
    if not path and not file then return nil, work .. " has no line '-- file: NAME' that names the assignment" end
    local candidates = path and { path } or { file, folder_of(work) .. file }
    local message
    for _, candidate in ipairs(candidates) do
        local assignment, wrong = confined.open(candidate, id)
        if assignment then return assignment, id end
        message = message or wrong
    end
    return nil, pretty.plain(message)
end

-- What is said of the parts, after their wrong tries have been counted.
local function lines_of(assignment, result, tries)
    local lines = {}
    for _, got in ipairs(result.parts) do
        if wrong_try[got.verdict] then tries[got.name] = (tries[got.name] or 0) + 1 end
        lines[#lines + 1] = string.format("%-14s %-14s %g of %g", got.name, got.verdict, got.score, got.points)
            .. (got.message and "  " .. pretty.plain(got.message) or "")
        for _, part in ipairs(assignment.parts) do
            if part.name == got.name and got.verdict ~= "right" then
                for _, hint in ipairs(hints(part, tries)) do lines[#lines + 1] = "               " .. hint end
            end
        end
    end
    for _, remark in ipairs(result.remarks) do lines[#lines + 1] = pretty.plain(remark) end
    return lines
end

-- Check a work file, or one part. Returns the result of assignment_run.lua with `lines` to show; or nil and a message.
function M.check(work, part_name, path)
    local text, message = pc.file.read(work, 1 << 20)
    if not text then return nil, message end
    local assignment, id = assignment_of(work, text, path)
    if not assignment then return nil, id end
    local names, known = {}, part_name == nil
    for i, part in ipairs(assignment.parts) do
        names[i] = part.name
        known = known or part.name == part_name
    end
    if not known then
        assignment:close()
        return nil, "there is no part " .. part_name .. "; there are " .. table.concat(names, ", ")
    end
    if not part_name then figures.show_files(assignment.figures, work) end
    local ok, result = pcall(runner.run, assignment, id, text, { only = part_name })
    assignment:close()
    if not ok and runner.is_unsafe(result) then return nil, tostring(result) end
    if not ok then error(result, 0) end
    local tries = read_tries(work .. ".tries")
    result.lines = lines_of(assignment, result, tries)
    write_tries(work .. ".tries", tries)
    return result
end

-- The only work file here, for check() at the prompt.
local function find_work()
    local found = {}
    for _, entry in ipairs(pc.file.list(".") or {}) do
        if entry.kind == "file" and entry.name:match("%.lua$") then
            local text = pc.file.read(entry.name, 1 << 20)
            if text and M.header(text) then found[#found + 1] = entry.name end
        end
    end
    if #found == 1 then return found[1] end
    return nil, #found == 0 and "there is no work file here; percuss assignment start makes one"
        or "there are several work files here; name one"
end

-- check(), check("s123.lua"), check("s123.lua", "part")
function M.check_here(work, part)
    local message
    if not work then
        work, message = find_work()
        if not work then return nil, message, "system" end
    end
    local result, wrong = M.check(work, part)
    if not result then return nil, wrong, "system" end
    print(table.concat(result.lines, "\n"))
end

return M
