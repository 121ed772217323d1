-- The commands percuss assignment ... and percuss new assignment ...; each returns true, or false for a failure.
local usage = [[
percuss new assignment NAME                  write NAME.lua, an assignment to change
percuss assignment start FILE --id ID        write ID.lua, the work file of a student (--out NAME: another name)
percuss assignment check WORK [PART]         check a work file (--assignment FILE: not the one it names)
percuss assignment grade FILE FOLDER --out grades.csv
                                             grade the submissions ID.lua of a folder; options:
    --reports DIR  where the reports go      --jobs N   how many submissions at a time (2)
    --answers      reports show the expected numbers
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

function assignment.grade(options)
    local jobs = tonumber(options.jobs or 2)
    if #options ~= 2 or not options.out then return complain(usage) end
    if math.type(jobs) ~= "integer" or jobs < 1 or jobs > 64 then return complain("--jobs must be from 1 to 64") end
    local graded, alike = require("percuss.assignment_grade").grade(options[1], options[2], {
        out = options.out, reports = options.reports, jobs = jobs, answers = options.answers, weak = options.weak,
        say = print,
    })
    if not graded then return complain(alike) end
    print(string.format("wrote %s; pairs of submissions that look alike: %d", options.out, #alike))
    return true
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
    weak = "flag",
}

return function(name, verb, ...)
    local run = commands[name][verb]
    if not run then return complain(usage) end
    local options, message = parse({ ... }, known)
    if not options then return complain(message) end
    return run(options)
end
