-- help and apropos: everything is read from the register, so that the text cannot drift from the program.
local pc = require "percuss"
local formula = require "percuss.formula"
local law_figure = require "percuss.law_figure"
local misprints = require "percuss.misprints"
local refuse = require "percuss.refuse"
local search = require "percuss.search"
local shelf = require "percuss.shelf"
local strict = require "percuss.strict"
local topics = require "percuss.topics"

local help = {}

local WIDTH = 100

-- Number of columns that UTF-8 text takes; a stray byte counts as one.
local function columns(text)
    return utf8.len(text) or #text
end

-- Lines of a text, broken at spaces to that many columns; blanks before it stay.
local function lines_of(text, width)
    local lines, line = {}, text:match "^%s*"
    for word in text:gmatch("%S+") do
        if not line:find "%S" then
            line = line .. word
        elseif columns(line) + 1 + columns(word) > width then
            lines[#lines + 1] = line
            line = word
        else
            line = line .. " " .. word
        end
    end
    lines[#lines + 1] = line
    return lines
end

-- Break text at spaces to WIDTH columns, each line indented.
local function wrapped(text, indent)
    return indent .. table.concat(lines_of(text, WIDTH - #indent), "\n" .. indent)
end

-- How wide the columns of a table are: as wide as their text where there is room, else the widest ones give way, the
-- last one when it is `favour` times as wide as the others. No word is broken.
local function column_widths(rows, room, favour)
    local natural, word = {}, {}
    for _, row in ipairs(rows) do
        for c, cell in ipairs(row) do
            natural[c] = math.max(natural[c] or 0, columns(cell))
            for part in cell:gmatch "%S+" do word[c] = math.max(word[c] or 0, columns(part)) end
        end
    end
    local width
    for cap = room, 1, -1 do
        local sum = 0
        width = {}
        for c = 1, #natural do
            local most = c == #natural and favour*cap or cap
            width[c] = math.min(natural[c], math.max(most, word[c] or 0))
            sum = sum + width[c]
        end
        if sum <= room - 2*(#natural - 1) then break end
    end
    return width
end

-- Rows of cells, aligned, each cell broken into lines where its column is narrower. The last column explains, and has
-- twice the room of others unless `favour` says so.
local function table_text(rows, indent, favour)
    local width, lines = column_widths(rows, WIDTH - #indent, favour or 2), {}
    for _, row in ipairs(rows) do
        local cells, deep = {}, 1
        for c, cell in ipairs(row) do
            cells[c] = lines_of(cell, width[c])
            deep = math.max(deep, #cells[c])
        end
        for k = 1, deep do
            local parts = {}
            for c = 1, #row do
                local text = cells[c][k] or ""
                parts[c] = text .. (" "):rep(width[c] - columns(text))
            end
            lines[#lines + 1] = (indent .. table.concat(parts, "  ")):match "^.*%S" or ""
        end
    end
    return table.concat(lines, "\n")
end

local function trimmed_number(text)
    local x = tonumber(text)
    return x and string.format("%.10g", x) or text
end

local function block(out, title, text)
    if text and text ~= "" then
        out[#out + 1] = ""
        out[#out + 1] = title
        out[#out + 1] = text
    end
end

local function indented(text)
    return "    " .. text:gsub("\n", "\n    ")
end

local function call_signature(entry)
    local names = {}
    for _, p in ipairs(entry.params or {}) do
        names[#names + 1] = p.required and p.name or "[" .. p.name .. "]"
    end
    return entry.path .. "(" .. table.concat(names, ", ") .. ")"
end

-- contact.linear{ stiffness =, tangential = | stiffness_ratio =, [restitution =] }
local function schema_signature(entry)
    local words, seen = {}, {}
    for _, row in ipairs(entry.rows) do
        if not row.group then
            words[#words + 1] = row.required and row.name .. " =" or "[" .. row.name .. " =]"
        elseif not seen[row.group] then
            seen[row.group] = true
            local alternatives = {}
            for _, other in ipairs(entry.rows) do
                if other.group == row.group then alternatives[#alternatives + 1] = other.name .. " =" end
            end
            words[#words + 1] = table.concat(alternatives, " | ")
        end
    end
    local all = table.concat(words, ", ")
    if #all > WIDTH then all = "..." end
    return entry.path .. "{ " .. all .. " }"
end

local function param_row(p, name)
    local kind = p.choices and table.concat(p.choices, " | ") or p.type
    if p.allowed then kind = kind .. " " .. p.allowed elseif p.unit and p.unit ~= "" then kind = kind .. ", "
        .. p.unit end
    return { name, kind, (p.doc or "") .. (p.default and " (default: " .. p.default .. ")" or "") }
end

-- Arguments; the options of a table stand indented below it.
local function param_rows(entry)
    local rows = {}
    for _, p in ipairs(entry.params) do
        rows[#rows + 1] = param_row(p, p.name)
        for _, option in ipairs(p.options or {}) do rows[#rows + 1] = param_row(option, "  " .. option.name .. " =") end
    end
    return rows
end

local function schema_rows(entry)
    local rows = {}
    for _, row in ipairs(entry.rows) do
        local symbol = row.greek or row.symbol
        local name = symbol and row.name .. " (" .. symbol .. ")" or row.name
        local state = row.required and "needed" or row.default and "default " .. trimmed_number(row.default) or ""
        local allowed = row.allowed or (row.choices and table.concat(row.choices, " | ")) or row.type
        rows[#rows + 1] = { name, row.unit ~= "" and row.unit or "-", allowed, state, row.doc or "" }
    end
    return rows
end

local function field_rows(entry)
    local rows = {}
    for _, field in ipairs(entry.fields or {}) do
        rows[#rows + 1] = { field.name, field.unit and field.unit ~= "" and field.unit or "-", field.doc or "" }
    end
    return rows
end

local function methods_of(entry)
    local rows = {}
    for _, other in ipairs(pc.register()) do
        if other.kind == "method" and other.path:match("^(.-):") == entry.path then
            rows[#rows + 1] = { ":" .. other.path:match(":(.*)$"), other.summary }
        end
    end
    return rows
end

local function equation_rows(entry)
    local rows = {}
    for i, equation in ipairs(formula.equations(entry.equations)) do
        rows[i] = { formula.unicode(equation[1]), formula.unicode(equation[2]) }
    end
    return rows
end

local function symbol_rows(entry)
    local rows = {}
    for i, symbol in ipairs(formula.symbols(entry)) do
        rows[i] = { formula.unicode(symbol[1]), symbol[2], formula.unicode(symbol[3]) }
    end
    return rows
end

-- Full text of one entry.
local function entry_text(entry)
    local out = {}
    if entry.rows then
        out[1] = schema_signature(entry)
    elseif entry.kind == "function" or entry.kind == "method" then
        out[1] = call_signature(entry)
    elseif entry.kind == "constant" then
        out[1] = string.format("%s = %.17g %s", entry.path, entry.value, entry.unit or "")
    else
        out[1] = entry.path .. " (" .. entry.kind .. ")"
    end
    out[#out + 1] = wrapped(entry.summary, "  ")
    if entry.details then block(out, "Details", wrapped(entry.details, "  ")) end
    if entry.equations then
        block(out, "Equations", table_text(equation_rows(entry), "  ", 1))
        block(out, "with", table_text(symbol_rows(entry), "  "))
    end
    if entry.rows then block(out, "Parameters", table_text(schema_rows(entry), "  ")) end
    if entry.params and #entry.params > 0 then block(out, "Arguments", table_text(param_rows(entry), "  ")) end
    if entry.returns then block(out, "Returns", wrapped(entry.returns, "  ")) end
    if entry.fields and #entry.fields > 0 then block(out, "Fields", table_text(field_rows(entry), "  ")) end
    if entry.kind == "type" then block(out, "Methods", table_text(methods_of(entry), "  ")) end
    if entry.source then block(out, "Source", wrapped(entry.source, "  ")) end
    if entry.example then block(out, "Example", indented(entry.example)) end
    return table.concat(out, "\n")
end

-- Functions of percuss itself that serve who extends it or writes tools for it: they stand last.
local FOR_TOOLS = {}
for name in ("nearest make_directory is_terminal register lookup document extend"):gmatch "%S+" do
    FOR_TOOLS[name] = true
end

local function owner_of(path)
    return path:match("^(.-)[.:][^.:]*$") or ""
end

-- Text of all functions, constructors and constants of one module ("" for percuss itself).
local function module_rows(name)
    local rows = {}
    for _, entry in ipairs(pc.register()) do
        if entry.kind ~= "method" and entry.kind ~= "type" and owner_of(entry.path) == name then
            rows[#rows + 1] = { entry.path, entry.summary }
        end
    end
    return rows
end

local function modules()
    local names, seen = {}, {}
    for _, entry in ipairs(pc.register()) do
        local owner = owner_of(entry.path)
        if entry.kind ~= "method" and not seen[owner] then
            seen[owner] = true
            names[#names + 1] = owner
        end
    end
    return names
end

-- Last parts of the paths of a module's entries, in one paragraph; those for tools alone, or without them.
local function names_text(name, for_tools)
    local words = {}
    for _, row in ipairs(module_rows(name)) do
        if (FOR_TOOLS[row[1]] or false) == for_tools then words[#words + 1] = row[1]:match "[^.]*$" end
    end
    return wrapped(table.concat(words, ", "), "  ")
end

local FIRST_STEPS = [[
  ball = body.sphere{ radius = 5e-3, material = material.alumina }
  spring = contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
  hit = collide(ball, spring, { speed = 1, incidence = 45*deg })
  hit:plot{ "F_t", "F_n" }]]

-- One page: every name that can be asked about.
local function overview()
    local out = { "percuss " .. pc.version .. ": a scripting laboratory for impact with friction (SI units, radians)" }
    block(out, "First steps at the prompt", FIRST_STEPS)
    for _, name in ipairs(modules()) do
        block(out, name == "" and "percuss" or "percuss." .. name, names_text(name, false))
    end
    local types = {}
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "type" then types[#types + 1] = entry.path end
    end
    block(out, "Types of objects and results", wrapped(table.concat(types, ", "), "  "))
    block(out, "Topics, as in help \"wedging\"", wrapped(table.concat(topics.names(), ", "), "  "))
    out[#out + 1] = ""
    out[#out + 1] = ("%d recipes, %d lessons, %d studies: percuss recipe, tutorial, examples, in a shell, list them")
        :format(#shelf.all "recipe", #shelf.all "tutorial", #shelf.all "examples")
    local guides = {}
    for _, section in ipairs(shelf.guides()) do
        if section.heading == section.title then guides[#guides + 1] = section.name end
    end
    block(out, "Guides, as in help \"guide prompt\"", wrapped(table.concat(guides, ", "), "  "))
    block(out, "For extensions and tools", names_text("", true))
    out[#out + 1] = ""
    out[#out + 1] = 'help(collide) explains a function, help(hit) an object, help "contact" lists a module with a '
        .. "sentence each,"
    out[#out + 1] = 'help "super ball" and apropos "friction" search. At the prompt _ is the last value, a semicolon '
        .. "at the end"
    out[#out + 1] = "silences, time in front measures, Tab completes, Ctrl-D leaves."
    return table.concat(out, "\n")
end

-- Entries called `path`, of one kind if that is given: a type and the function that makes it may have one name.
local function by_path(path, kind)
    local found = {}
    for _, entry in ipairs(pc.register()) do
        if entry.path == path and (kind or entry.kind) == entry.kind then found[#found + 1] = entry end
    end
    return found
end

-- All that a function or constructor takes by name.
local function options_of(entry)
    local list = table.move(entry.rows or {}, 1, #(entry.rows or {}), 1, {})
    for _, p in ipairs(entry.params or {}) do
        list[#list + 1] = p
        for _, option in ipairs(p.options or {}) do list[#list + 1] = option end
    end
    return list
end

-- Options called `word`, or that may have it as their value: { function, option, what it is }.
local function option_rows(word)
    local rows = {}
    for _, entry in ipairs(pc.register()) do
        for _, option in ipairs(options_of(entry)) do
            local choices = option.choices and table.concat(option.choices, " | ")
            local is_choice = choices and (" | " .. choices .. " | "):find(" | " .. word .. " | ", 1, true)
            if option.name == word or option.symbol == word or is_choice then
                rows[#rows + 1] = { entry.path, option.name .. " = " .. (choices or option.type), option.doc or "" }
            end
        end
    end
    return rows
end

local IS_TEXT = { topic = true, recipe = true, tutorial = true, study = true, misprints = true, guide = true }

-- What has the words of a text, the best first: { name, the sentence that says most of it }.
local MOST = 12
local function search_rows(text)
    local rows = {}
    for i, found in ipairs(search.find(text, MOST)) do
        local name = IS_TEXT[found.kind] and ('"%s"'):format(found.name) or found.name
        local summary = shelf.first_sentence(found.summary)
        local is_told = summary:find(found.excerpt, 1, true) or found.excerpt:find(summary, 1, true) == 1
        local said = is_told and summary or (summary .. " ... " .. found.excerpt):gsub("%.%.%. %.%.%.", "...")
        rows[i] = { name, said, found = found }
    end
    return rows
end

-- A module by its name: what it offers; nil if there is none.
local function module_text(name)
    local rows = module_rows(name)
    return #rows > 0 and "percuss." .. name .. "\n" .. table_text(rows, "  ") or nil
end

-- Prose with Greek letters and without marks; what stands in `backquotes` is code, without a change.
local function prose(text)
    local parts, is_code = {}, false
    for part in (text .. "`"):gmatch "([^`]*)`" do
        parts[#parts + 1] = is_code and part or formula.unicode(part):gsub("%*%*", "")
        is_code = not is_code
    end
    return table.concat(parts)
end

-- Lines "| a | b |" as rows of cells, without the line below the head.
local function table_of_bars(part)
    local rows = {}
    for line in part:gmatch "[^\n]+" do
        local cells = {}
        for cell in line:gmatch "|%s*([^|]-)%s*%f[|]" do cells[#cells + 1] = prose(cell) end
        if not line:match "^|%-" then rows[#rows + 1] = cells end
    end
    return table_text(rows, "  ", 1)
end

-- Paragraphs, lists, tables and formulas of a topic.
local function topic_text(topic)
    local out = { ('"%s" (topic): %s'):format(topic.name, topic.title), wrapped(topic.summary, "  ") }
    for part in (topic.text .. "\n\n"):gmatch "(.-)\n\n+" do
        out[#out + 1] = ""
        if part:match "^    " then
            for line in part:gmatch "[^\n]+" do out[#out + 1] = "      " .. formula.unicode(line:match "%S.*") end
        elseif part:match "^|" then
            out[#out + 1] = table_of_bars(part)
        elseif part:match "^%- " then
            for item in ("\n" .. part):gsub("\n%- ", "\0"):gmatch "%z([^%z]+)" do
                out[#out + 1] = "  - " .. wrapped(prose(item), "    "):sub(5)
            end
        else
            out[#out + 1] = wrapped(prose(part), "  ")
        end
    end
    block(out, "Example", indented(topic.example))
    local see = {}
    for _, name in ipairs(topic.see) do
        see[#see + 1] = topics.get(name) and ('help "%s"'):format(name) or name
    end
    block(out, "See also", wrapped(table.concat(see, ", "), "  "))
    block(out, "Source", wrapped(topic.source, "  "))
    return table.concat(out, "\n")
end

-- What may have been meant by a word that is nowhere, as the end of a sentence.
local function proposal(word)
    local names = search.vocabulary()
    for _, name in ipairs(topics.names()) do names[#names + 1] = name end
    for _, entry in ipairs(pc.register()) do
        names[#names + 1] = entry.path
        names[#names + 1] = entry.path:match("[.:]([^.:]*)$")
    end
    -- percuss.nearest takes 256 words at once: the nearest of the nearest
    local candidates = {}
    for first = 1, #names, 256 do
        candidates[#candidates + 1] = pc.nearest(word, { table.unpack(names, first, math.min(first + 255, #names)) })
    end
    local near = pc.nearest(word, candidates)
    return near and "; did you mean '" .. near .. "'?" or ""
end

-- What a source misprints.
local function misprints_text(name)
    local out = {}
    for _, source in ipairs(misprints) do
        if name == source.name or not name then
            out[#out + 1] = source.title
            local rows = { { "where", "printed", "right", "how that shows" } }
            table.move(source.rows, 1, #source.rows, 2, rows)
            out[#out + 1] = table_text(rows, "  ", 1)
        end
    end
    return #out > 0 and table.concat(out, "\n") or nil
end

-- What a word means: a topic, a module, a path (a word may be both: the type body, the module body), the last part of a
-- path, or a search.
local function word_text(word)
    word = word:gsub("^percuss%.", ""):gsub("^pc%.", ""):gsub("^A%.", "assignment.") -- as assignments call it
    local topic = topics.get(word:lower():gsub("%s+", "_"))
    local kind, name = word:match "^(%l+) (%S+)$"
    if kind == "study" then kind = "examples" end
    local script = (kind == "recipe" or kind == "tutorial" or kind == "examples") and shelf.get(kind, name)
    if script then return ("percuss %s %s runs this:\n\n%s"):format(kind, name, indented(script.text)) end
    if kind == "guide" then
        local parts = {}
        for _, section in ipairs(shelf.guides()) do
            if section.name == name then
                parts[#parts + 1] = section.heading .. "\n\n" .. section.text:match "^%s*(.-)%s*$"
            end
        end
        if #parts > 0 then return table.concat(parts, "\n\n") end
    end
    if kind == "misprints" or word == "misprints" then
        local text = misprints_text(name)
        if text then return text end
    end
    local texts = { topic and topic_text(topic) }
    if word ~= "" then texts[#texts + 1] = module_text(word) end
    for _, entry in ipairs(by_path(word)) do texts[#texts + 1] = entry_text(entry) end
    if #texts > 0 then return table.concat(texts, "\n\n") end
    local found = {}
    for _, other in ipairs(pc.register()) do
        if other.path:match("[.:]([^.:]*)$") == word then found[#found + 1] = other end
    end
    if #found == 1 then return entry_text(found[1]) end
    local options, rows = option_rows(word), {}
    for _, row in ipairs(search_rows(word)) do
        local has_option = false
        for _, option in ipairs(options) do has_option = has_option or option[1] == row[1] end
        if not has_option then rows[#rows + 1] = row end
    end
    local blocks = {}
    if #options > 0 then blocks[1] = "Options and their words\n" .. table_text(options, "  ", 1) end
    if #rows > 0 then blocks[#blocks + 1] = (#options > 0 and "Mentioned by\n" or "") .. table_text(rows, "  ") end
    if #blocks > 0 then return table.concat(blocks, "\n\n") end
    return "nothing is known about '" .. word .. "'" .. proposal(word)
end

-- An object: its type, with the values that its fields have now.
local function object_text(object)
    local entry = by_path(pc.type(object), "type")[1]
    if not entry then return tostring(object) end
    return tostring(object) .. "\n\n" .. entry_text(entry)
end

-- The text that help prints.
function help.text(...)
    if select("#", ...) == 0 then return overview() end
    local subject = ...
    local entry = pc.lookup(subject)
    if entry == nil and subject ~= nil then entry = pc.lookup(strict.namesake(subject)) end
    if entry then return entry_text(entry) end
    if type(subject) == "string" then return word_text(subject) end
    if type(subject) == "userdata" or type(subject) == "table" and pc.type(subject) ~= "table" then
        return object_text(subject)
    end
    if subject == pc then return overview() end
    if type(subject) == "table" then
        for _, name in ipairs(modules()) do
            if name ~= "" and rawget(pc, name) == subject then return module_text(name) end
        end
    end
    return "there is no help on this " .. type(subject) .. ": " .. tostring(subject)
end

-- The picture of a topic or of a contact law; nil where there is none.
function help.figure(subject)
    local topic = type(subject) == "string" and topics.get(subject:lower():gsub("%s+", "_"))
    if topic then return topic.figure(pc) end
    local entry = pc.lookup(subject) or type(subject) == "string" and by_path(subject, "constructor")[1]
    local law = entry and entry.path:match "^contact%.([%w_]+)$"
    return law and law_figure.has(law) and law_figure.figure(law) or nil
end

-- Where help goes: standard output, unless the prompt has a better place for it.
function help.write(text) io.stdout:write(text) end

-- In a terminal the picture stands below the text.
function help.help(...)
    help.write(help.text(...) .. "\n")
    local figure = pc.is_terminal() and help.figure(...)
    if figure then figure:show() end
end

function help.apropos(word)
    if type(word) ~= "string" then
        refuse("apropos takes a word, as in apropos \"restitution\", not a " .. pc.type(word))
    end
    local rows = search_rows(word)
    help.write((#rows > 0 and table_text(rows, "  ") or "nothing contains '" .. word .. "'" .. proposal(word)) .. "\n")
end

return help
