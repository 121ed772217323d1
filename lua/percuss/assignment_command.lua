-- The commands percuss assignment ... and percuss new assignment ...; each returns true, or false for a failure.
local plain = require("percuss.assignment_text").plain

local usage = [[
percuss new assignment NAME                  write NAME.lua, an assignment to change
percuss assignment start FILE --id ID        write ID.lua, the work file of a student (--out NAME: another name)
percuss assignment check WORK [PART]         check a work file (--assignment FILE: not the one it names)
percuss assignment grade FILE FOLDER --out grades.csv
                                             grade the submissions of a folder, ID.lua or as Moodle and Canvas
                                             leave them; options:
    --reports DIR  where the reports go      --jobs N   how many submissions at a time (2)
    --answers      reports show the expected numbers
    --ids file|name
                   who a submission is of says the file alone, or its name alone; otherwise both have to agree
    --replace      write the score file anew, without the marks that a hand wrote into it
    --weak         also where the kernel lacks seccomp; read the threat model first]]

local function complain(message)
    io.stderr:write("percuss: ", message, "\n")
    return false
end

-- Words and options: { words..., option = value }; nil and a message for an unknown option. `known`: "value" or "flag".
local function parse(arguments, known)
    local parsed, i = {}, 1
    while i <= #arguments do
        local name, joined = arguments[i]:match("^%-%-([%a%-]+)=?(.*)$")
        if not name then
            parsed[#parsed + 1] = arguments[i]
        elseif known[name] == "flag" then
            parsed[name] = true
        elseif known[name] == "value" then
            if not arguments[i]:find("=", 1, true) then
                i = i + 1
                joined = arguments[i]
            end
            if not joined then return nil, "--" .. name .. " needs a value" end
            parsed[name] = joined
        else
            return nil, "unknown option " .. arguments[i]
        end
        i = i + 1
    end
    return parsed
end

local assignment = {}

function assignment.start(options)
    if #options ~= 1 or not options.id then return complain(usage) end
    local name, message = require("percuss.assignment_student").start(options[1], options.id, options.out)
    if not name then return complain(message) end
    print("wrote " .. name)
    return true
end

function assignment.check(options)
    if #options < 1 or #options > 2 then return complain(usage) end
    local result, message = require("percuss.assignment_student").check(options[1], options[2], options.assignment)
    if not result then return complain(message) end
    print(table.concat(result.lines, "\n"))
    return true
end

local function tell_some(entries, what)
    for i, entry in ipairs(entries) do
        if i <= 20 then print(plain(entry.file .. ": " .. what(entry))) end
    end
    if #entries > 20 then print("... and " .. #entries - 20 .. " more") end
end

-- What came of a grading; true if everything could be graded.
local function tell(out, graded)
    local refused, done = {}, 0
    for _, entry in ipairs(graded.entries) do
        if entry.why then refused[#refused + 1] = entry end
        if entry.result then done = done + 1 end
    end
    tell_some(refused, function(entry) return "not graded: " .. entry.why end)
    tell_some(graded.failed, function(entry) return entry.result.remarks[1] end)
    if graded.ended then
        print(string.format("wrote %s with the scores so far; the same command goes on", out))
        return complain(string.format("%s; %d of %d submissions are graded", graded.ended, done, #graded.entries))
    end
    print(string.format("wrote %s; pairs of submissions that look alike: %d", out, #graded.alike))
    return #graded.failed == 0 or complain(#graded.failed .. " submissions could not be graded")
end

function assignment.grade(options)
    local jobs = tonumber(options.jobs or 2)
    if #options ~= 2 or not options.out then return complain(usage) end
    if math.type(jobs) ~= "integer" or jobs < 1 or jobs > 64 then return complain("--jobs must be from 1 to 64") end
    if options.ids and options.ids ~= "file" and options.ids ~= "name" then
        return complain("--ids must be file or name, not " .. options.ids)
    end
    local graded, message = require("percuss.assignment_grade").grade(options[1], options[2], {
        out = options.out, reports = options.reports, jobs = jobs, answers = options.answers, weak = options.weak,
        ids = options.ids, replace = options.replace, say = print,
    })
    if not graded then return complain(message) end
    return tell(options.out, graded)
end

local new = {}

function new.assignment(options)
    if #options ~= 1 then return complain(usage) end
    local name, message = require("percuss.assignment_template").write(options[1])
    if not name then return complain(message) end
    print("wrote " .. name)
    return true
end

local commands = { assignment = assignment, new = new }

local known = {
    id = "value", out = "value", assignment = "value", reports = "value", jobs = "value", answers = "flag",
    weak = "flag", ids = "value", replace = "flag",
}

return function(name, verb, ...)
    local run = commands[name][verb]
    if not run then return complain(usage) end
    local options, message = parse({ ... }, known)
    if not options then return complain(message) end
    return run(options)
end
