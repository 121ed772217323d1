-- What lies in a folder of submissions, and whose each file is.
--
-- Looked for are NAME.lua in the folder and in the folders right within it, as a person or a learning platform leaves
-- them:
--
--   s1.lua                                            by hand
--   s1/anything.lua                                   a folder for each student
--   Jan Mueller_123456_assignsubmission_file/s1.lua   Moodle, with a folder for each submission
--   Jan Mueller_123456_assignsubmission_file_s1.lua   Moodle, without
--   muellerjan_12345_678901_s1.lua                    Canvas; with _LATE, and -1 for the second attempt
--
-- The id decides by whose numbers a file is judged. It is the name that stands in the file (-- student: ID), and the
-- name of the file or its folder has to agree; otherwise, and where two files claim one id, neither is graded until a
-- person says what is right. A file that names nobody is whose name it has.
local pc = require "percuss"
local random = require "percuss.assignment_random"
local student = require "percuss.assignment_student"
local plain = require("percuss.assignment_text").plain

local M = {}

local LONGEST = 1 << 20 -- bytes of a submission
local NAME = 100        -- bytes of a name of ours

-- A name that is safe in a file name and a link, and never too long for one: other bytes become ~ and two hexadecimal
-- digits, and a long name is cut and gets a digest of the whole.
function M.safe_name(name)
    local safe = name:gsub("[^%w_%.%-]", function(c) return string.format("~%02X", c:byte()) end)
    if #safe > NAME then safe = safe:sub(1, NAME - 17) .. string.format("~%016x", random.digest(name)) end
    return (safe:gsub("^%.", "~2E"):gsub("^%-", "~2D"))
end

-- ---- what lies there ----

local function by_file(a, b)
    return a.file < b.file
end

-- Files NAME.lua of a folder, which is `inside` the one of the submissions or that itself; the others' names are added
-- to `others`. Nil and a message for a folder that cannot be read.
local function list_files(folder, inside, others)
    local found, message = pc.file.list(inside and folder .. "/" .. inside or folder)
    if not found then return nil, message end
    local files, folders = {}, {}
    for _, entry in ipairs(found) do
        local file = inside and inside .. "/" .. entry.name or entry.name
        if entry.name:find("^.+%.lua$") then
            files[#files + 1] = {
                file = file, path = folder .. "/" .. file, kind = entry.kind, folder = inside,
                stem = entry.name:sub(1, -5),
            }
        elseif entry.kind == "folder" and not inside then
            folders[#folders + 1] = entry.name
        else
            others[#others + 1] = file
        end
    end
    return files, folders
end

local function read(entry)
    entry.text, entry.why = pc.file.read(entry.path, LONGEST)
    if entry.kind ~= "file" then entry.text, entry.why = nil, "it is a " .. entry.kind .. ", which is not read" end
    if not entry.text then return end
    entry.assignment, entry.student = student.header(entry.text)
    if entry.student then entry.student = entry.student:gsub("%s+$", "") end
end

-- In the folder of one student, files that are no work files are left alone where there is one.
local function without_helpers(files, others)
    local works, rest = {}, {}
    for _, entry in ipairs(files) do table.insert(entry.assignment and works or rest, entry) end
    if #works == 0 then return files end
    for _, entry in ipairs(rest) do others[#others + 1] = entry.file end
    return works
end

-- ---- whose they are ----

-- The file's name before a platform changed it, without .lua.
local function unwrapped(stem)
    local inner = stem:match("_%d+_assignsubmission_file_(.+)$")
    if inner then return inner end
    inner = stem:match("^[^_]+_%d+_%d+_(.+)$") or stem:match("^[^_]+_LATE_%d+_%d+_(.+)$")
    return inner or stem, inner and inner:match("^(.+)%-%d+$")
end

-- The id, or nil and why it is open. `from`: "file" or "name" alone decides; nil: both have to agree.
local function id_of(entry, from)
    local original, attempt = unwrapped(entry.stem)
    if from == "name" then return original end
    local named = entry.student
    if from == "file" then
        if named and named ~= "" then return named end
        return nil, "no line '-- student: ID' says whose it is"
    end
    if not named then return original end
    if named == entry.stem or named == original or named == attempt or named == entry.folder then return named end
    return nil, "the file says student " .. named .. ", its name says " .. original
        .. ": rename it, or say --ids file or --ids name"
end

-- Two files of one student: nobody can say which counts.
local function refuse_twins(list)
    local first = {}
    for _, entry in ipairs(list) do
        local twin = entry.text and first[entry.id]
        if twin then
            for _, one in ipairs{ twin, entry } do
                one.why = twin.file .. " and " .. entry.file .. " both are of student " .. entry.id
            end
            entry.text = nil
        elseif entry.text then
            first[entry.id] = entry
        end
    end
    for _, entry in ipairs(list) do
        if entry.why then entry.text = nil end
    end
end

-- Names of pages: bounded, each once, also where upper and lower case are one, and none that of the class.
local function name_pages(list)
    local taken = { class = true }
    for _, entry in ipairs(list) do
        local page = M.safe_name(entry.id)
        if taken[page:lower()] then page = page .. string.format("~%016x", random.digest(entry.file)) end
        taken[page:lower()] = true
        entry.page = page
    end
end

local function nothing(folder, others)
    local shown = {}
    for i = 1, math.min(3, #others) do shown[i] = others[i] end
    local zip = table.concat(others, "\n"):lower():find("%.zip\n") or (others[#others] or ""):lower():find("%.zip$")
    local there = #others == 0 and "there are no other files"
        or string.format("there are %d other files, such as %s", #others, plain(table.concat(shown, ", ")))
    return "no submissions in " .. folder .. ": looked for ID.lua there and in the folders within it, as Moodle and "
        .. "Canvas leave them; " .. there .. (zip and "; unpack the .zip first" or "")
end

-- Submissions in the order of their names: { file =, path =, id =, page =, text = or why = }, and the names of other
-- files; or nil and a message. `ids`: "file", "name" or nil.
function M.collect(folder, ids)
    local others = {}
    local list, folders = list_files(folder, nil, others)
    if not list then return nil, folders end
    for _, entry in ipairs(list) do read(entry) end
    for _, inside in ipairs(folders) do
        local files = list_files(folder, inside, others) or {}
        for _, entry in ipairs(files) do read(entry) end
        for _, entry in ipairs(without_helpers(files, others)) do list[#list + 1] = entry end
    end
    table.sort(others)
    if #list == 0 then return nil, nothing(folder, others) end
    table.sort(list, by_file)
    for _, entry in ipairs(list) do
        local id, open = id_of(entry, ids)
        entry.id = id or entry.stem
        if open then entry.text, entry.why = nil, open end
    end
    refuse_twins(list)
    name_pages(list)
    return list, others
end

return M
