-- What the prompt does with a statement, as far as Lua can say it: where its names live, how values are shown, what is
-- kept for a transcript. src/repl/prompt.c reads, compiles and runs.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local pretty = require "percuss.pretty"
local units = require "percuss.pretty_units"
local strict_names = require "percuss.strict"

local prompt = {}

local globals = _G
local original_print = print

-- ---- names ----

-- Names of lost locals earn a hint.
local lost = {}

local function missing(name)
    local text
    if lost[name] then
        text = string.format("'%s' was local to an earlier line, and each line is a chunk of its own; "
            .. "at the prompt write %s = ... without local", name, name)
    else
        text = strict_names.complaint(name, true)
    end
    error(text, 3)
end

-- Functions that are called by their name alone. To leave is possible behind a semicolon, too.
local WORDS = { exit = true, quit = true, who = true, help = true, traceback = true }
local LEAVING = { exit = true, quit = true }

-- The word that a statement is, if it is one of these and means what percuss gave it.
function prompt.word_of(text)
    local word = type(text) == "string" and text:match "^%s*(%a+)[%s;]*$"
    if not WORDS[word] then return nil end
    local own = pc.prompt[word] or pc[word]
    return rawget(globals, word) == own and own ~= nil and word or nil
end

-- How the prompt ends; another face of it may replace this.
function prompt.leave(code) os.exit(code, true) end

-- Leave with an exit code.
function prompt.exit(code) prompt.leave(code or 0) end

-- Names that Lua has from the start, with their values, and those that `import` enters.
local known = {}
for name in ([[_G _VERSION _ arg assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile
    math next os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table
    tonumber tostring type utf8 warn xpcall]]):gmatch "%S+" do
    known[name] = name ~= "_" and name ~= "arg" and globals[name] or true
end

-- A value in one line.
local function short(value, width)
    if type(value) == "function" and not pc.lookup(value) then return "function" end
    local text = type(value) == "string" and ("%q"):format(value) or prompt.text(value)
    text = text:gsub("\27%[[%d;]*m", ""):gsub("%s*\n.*", " ..."):gsub("%c", " ")
    if (utf8.len(text) or #text) <= width then return text end
    local stop = utf8.offset(text, math.max(width - 2, 1))
    return text:sub(1, stop and stop - 1 or width - 3) .. "..."
end

-- What has been given a name.
function prompt.who()
    local rows, width, widest = {}, 1, 1
    for name, value in next, globals do
        local is_new = known[name] == nil or known[name] ~= true and known[name] ~= value
        if type(name) == "string" and is_new then rows[#rows + 1] = { name, pc.type(value) or type(value), value } end
    end
    if #rows == 0 then return print "nothing has been given a name yet" end
    table.sort(rows, function(a, b) return a[1] < b[1] end)
    for _, row in ipairs(rows) do
        width, widest = math.max(width, #row[1]), math.max(widest, #row[2])
    end
    for _, row in ipairs(rows) do
        local head = ("%-" .. width .. "s  %-" .. widest .. "s  "):format(row[1], row[2])
        print(head .. short(row[3], math.max(pretty.width - #head, 20)))
    end
end

-- What a statement that does not compile was meant to be: two words, as in "help wedge" or "print hit".
function prompt.advice(text)
    local first, second = text:match "^%s*([%a_][%w_.:]*)%s+([%a_][%w_.]*)%s*$"
    local value = first and rawget(globals, first)
    if type(value) ~= "function" then return nil end
    local takes_word = first == "help" or first == "apropos" or first == "transcript"
    return "write " .. first .. (takes_word and ' "' .. second .. '"' or "(" .. second .. ")")
end

-- The names that a statement sees: the globals, but one that does not exist is an error, unless it is `loose`. Scripts
-- that a statement runs see the plain globals, so that nothing made for stock Lua breaks.
local loose_view = strict_names.view(function() return nil end)
local strict_view = strict_names.view(missing)

function prompt.environment(loose)
    prompt.import()
    return loose and loose_view or strict_view
end

-- ---- showing ----

-- Text of a value; `source`, the expression it comes from, may tell its unit.
function prompt.text(value, source)
    local kind = pc.type(value)
    if type(source) == "string" and (kind == "number" or kind == "table" or kind == "array") then
        return pretty.text(value, units.of(source:gsub("%s+", ""), globals))
    end
    return pretty.text(value)
end

-- Print values as the prompt does. A `print` that somebody has put in the place of Lua's gets them as they are.
function prompt.print(source, ...)
    local print = rawget(globals, "print")
    if print ~= original_print then return print(...) end
    local words = table.pack(...)
    local word = prompt.word_of(source)
    if word then return words[1]() end
    if words.n == 3 and words[1] == nil and type(words[2]) == "string" and type(words[3]) == "string" then
        -- nil, message, code: what a file or a display refused
        return print(words[2])
    elseif words.n == 1 then
        words[1] = prompt.text(words[1], source)
    else
        for i = 1, words.n do words[i] = prompt.text(words[i]) end
    end
    print(table.unpack(words, 1, words.n))
end

-- The same from a script; returns the values and keeps the first as `_`.
function prompt.show(...)
    if select("#", ...) == 0 then return end
    globals._ = (...)
    prompt.print(nil, ...)
    return ...
end

-- ---- the record ----

-- Statements in their order: { text, kind, problem }; kind is "expression", "statement" or "values" (a statement that
-- returned something), with "silent" expressions apart.
local record = {}

-- Called by the prompt for each statement that has run; `problem` is the text of its error.
function prompt.note(text, kind, problem)
    if not problem and LEAVING[prompt.word_of(text)] then return prompt.exit() end
    record[#record + 1] = { text = text, kind = kind, problem = problem }
    if problem then return end
    local code = text:gsub("%-%-[^\n]*", "")
    for names in code:gmatch "%f[%w_]local%s+([%w_,%s<>]+)" do
        local name = names:match "^function%s+([%a_][%w_]*)"
        if name then
            lost[name] = true
        else
            for word in names:gsub("<%s*%w+%s*>", ""):gmatch "([%a_][%w_]*)%s*,?" do lost[word] = true end
        end
    end
end

local function has_local(text)
    return text:find "%f[%w_]local%f[^%w_]"
end

local function commented(text)
    return "-- " .. text:gsub("\n", "\n-- ")
end

-- A statement as it stands in a script. Locals end with their statement there as well.
local function script_text(item)
    local word = not item.problem and prompt.word_of(item.text)
    if word then return word .. "()" end
    local text = item.text:match "^.*%S" or ""
    if item.problem then return commented(text) .. "\n--   failed: " .. item.problem:match "^[^\n]*" end
    if item.kind == "expression" then return "show(" .. text .. ")" end
    if item.kind == "silent" then return "_ = " .. text:gsub("[;%s]+$", "") end
    if item.kind == "values" then return "show((function()\n" .. text .. "\nend)())" end
    return has_local(text) and "do\n" .. text .. "\nend" or text
end

-- Write the session as a script that does the same again.
function prompt.transcript(path)
    if type(path) ~= "string" then
        refuse("transcript takes the name of a file, as in transcript \"session.lua\", not a " .. pc.type(path))
    end
    if path:find("\0", 1, true) then refuse "transcript: argument 1, path, must not have a zero byte" end
    local out = {
        "-- A session at the prompt of percuss " .. pc.version .. ".",
        "local pc = require \"percuss\"",
        "local _ENV = pc.prompt.environment()",
        "",
    }
    for _, item in ipairs(record) do out[#out + 1] = script_text(item) end
    return pc.file.write(path, table.concat(out, "\n") .. "\n")
end

-- ---- errors ----

-- The prompt leaves the traceback of the last error here, false if it happened in the line itself.
prompt.last_trace = nil

function prompt.traceback()
    local trace = prompt.last_trace
    print(trace or trace == false and "the last error happened in the line itself" or "there has been no error")
end

-- ---- start ----

local has_imported = false

-- Put the names of percuss, itself as `pc` and `percuss`, and those of pc.prompt among the globals where these are
-- free; once.
function prompt.import()
    if has_imported then return end
    has_imported = true
    local function enter(name, value)
        if type(name) == "string" and rawget(globals, name) == nil then rawset(globals, name, value) end
    end
    rawset(globals, "pc", pc)
    rawset(globals, "percuss", pc) -- as the examples of help call it
    for name, value in next, pc do
        if name ~= "prompt" then enter(name, value) end
    end
    for name in ("show traceback transcript exit quit who"):gmatch "%a+" do enter(name, pc.prompt[name]) end
    for name, value in next, pc do if rawget(globals, name) == value then known[name] = value end end
    for name, value in next, pc.prompt do if rawget(globals, name) == value then known[name] = value end end
    known.pc, known.percuss = pc, pc
    if prompt.page then require("percuss.help").write = prompt.page end
end

-- `columns` of the window (0: unknown), and whether escape sequences are welcome there.
function prompt.screen(columns, colour)
    pretty.width = columns >= 20 and columns or 100
    pretty.colour(colour and (os.getenv "NO_COLOR" or "") == "")
end

return prompt
