-- Everything that is made from the register: percuss tests/tools/docgen.lua OUT [PROGRAM]
--
-- OUT gets the manual (index.html and its pages, with the lessons of scripts/tutorial and their output, the pictures of
-- scripts/gallery, the guides of scripts/guides, and what scripts/assignments/README.md says, threat model included),
-- annotations for the Lua language server (library/percuss.lua), a luacheck configuration, the man page and the
-- completion of bash. Without PROGRAM the lessons are not run and the manual is without them.
local pc = require "percuss"

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/?.lua;" .. package.path
local html = require "docgen.html"
local markdown = require "docgen.markdown"
local annotations = require "docgen.annotations"
local shell = require "docgen.shell"

local out = arg[1] or error("docgen: which directory?", 0)
local program = arg[2]

local function write(name, text)
    local path = out .. "/" .. name
    assert(pc.make_directory(path:match "^(.*)/"))
    local file = assert(io.open(path, "w"))
    assert(file:write(text))
    assert(file:close())
    print(path)
end

local function read(path)
    local file = assert(io.open(path))
    local text = assert(file:read "a")
    file:close()
    return text
end

local function lines_of(command)
    local pipe = assert(io.popen(command))
    local lines = {}
    for line in pipe:lines() do lines[#lines + 1] = line end
    local ok, _, code = pipe:close()
    assert(ok, ("docgen: exit code %s of %s"):format(code, command))
    return lines
end

local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Run each lesson and take in what it prints; it writes its pictures into OUT.
local function run_lessons()
    local lessons = {}
    for _, path in ipairs(lines_of "ls scripts/tutorial/*.lua") do
        local source, name = read(path), path:match "([^/]*)%.lua$"
        local pictures = out .. "/tutorial/" .. name
        local output = lines_of(("%s %s --out %s"):format(quoted(program), quoted(path), quoted(pictures)))
        local lesson = {
            name = name, title = source:match "^%-%- ([^\n]*)", source = source, output = table.concat(output, "\n"),
            pictures = {},
        }
        for _, picture in ipairs(lines_of(("ls %s 2>/dev/null || true"):format(quoted(pictures)))) do
            lesson.pictures[#lesson.pictures + 1] = "tutorial/" .. name .. "/" .. picture
        end
        lessons[#lessons + 1] = lesson
    end
    return lessons
end

-- The first sentence of the comment at the head of a script.
local function first_sentence(path)
    local words = {}
    for line in io.lines(path) do
        local text = line:match "^%-%-%s?(.*)$"
        if not text then break end
        words[#words + 1] = text
    end
    local text = table.concat(words, " ")
    return text:match "^(.-%.)%s" or text
end

local function make_gallery()
    local pictures = {}
    local command = ("%s scripts/gallery.lua %s"):format(quoted(program), quoted(out .. "/gallery"))
    for _, path in ipairs(lines_of(command)) do
        local file = path:match "([^/]*)$"
        local name = file:gsub("%.%w*$", "")
        local script = lines_of(("ls scripts/*/%s.lua"):format(name))[1]
        pictures[#pictures + 1] = {
            name = "picture-" .. name, file = "gallery/" .. file, title = first_sentence(script), script = script,
            source = read(script),
        }
    end
    return pictures
end

-- Without the program its help is not at hand either.
if program then
    local usage = table.concat(lines_of(quoted(program) .. " --help"), "\n")
    write("percuss.1", shell.man(usage, pc.version))
    write("percuss.bash", shell.bash(usage))
end
write("library/percuss.lua", annotations.text())
write("luacheckrc", annotations.luacheck())
assert(pc.make_directory(out .. "/topics"))
for _, topic in ipairs(require("percuss.topics").all()) do
    assert(topic.figure(pc):save(("%s/topics/%s.png"):format(out, topic.name)))
end
assert(pc.make_directory(out .. "/laws"))
for _, name in ipairs(require("percuss.law_figure").names()) do
    assert(require("percuss.law_figure").figure(name):save(("%s/laws/%s.png"):format(out, name)))
end
local guides = {}
for _, path in ipairs(lines_of "ls scripts/guides/*.md") do
    local name = path:match "([^/]*)%.md$"
    guides[#guides + 1] = markdown.sections("guide-" .. name, read(path))
    guides[#guides].first = name == "prompt"
end
guides[#guides + 1] = markdown.sections("assignments", read "scripts/assignments/README.md")
local pages = html.pages(program and run_lessons() or {}, program and make_gallery() or {}, guides)
for name, text in pairs(pages) do write(name, text) end
