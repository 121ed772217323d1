-- The manual as HTML pages in one folder: the start, the tutorial, topics, recipes, the gallery, guides, and a page for
-- every module and type of the register, with a menu and a search box that knows all of them.
local pc = require "percuss"
local assets = require "docgen.assets"
local formula = require "percuss.formula"
local law_figure = require "percuss.law_figure"
local lessons_page = require "docgen.lesson"
local markdown = require "docgen.markdown"
local misprints = require "percuss.misprints"
local prose = require "docgen.prose"
local search = require "percuss.search"
local shelf = require "percuss.shelf"
local topics = require "percuss.topics"

local html = {}
local escape = prose.escape

-- Each cell says under which head it stands: where a page is narrow, cells stand below each other.
local function cells(row, head)
    local out = {}
    for i, cell in ipairs(row) do
        out[i] = ('<td%s>%s</td>'):format(head[i] and ' data-head="' .. head[i] .. '"' or "", cell)
    end
    return "<tr>" .. table.concat(out) .. "</tr>"
end

local function head_cells(head)
    return #head > 0 and "\n<tr><th>" .. table.concat(head, "</th><th>") .. "</th></tr>" or ""
end

local function grid(title, head, rows)
    if #rows == 0 then return "" end
    local out = { title ~= "" and "<h3>" .. title .. "</h3>" or "" }
    out[2] = '<div class="wide"><table>' .. head_cells(head)
    for _, row in ipairs(rows) do out[#out + 1] = cells(row, head) end
    out[#out + 1] = "</table></div>"
    return table.concat(out, "\n")
end

local function code(text)
    return "<code>" .. escape(text) .. "</code>"
end

local function unit(text)
    return text and text ~= "" and text ~= "-" and prose.text(text) or "–"
end

local function parameter_table(entry)
    local rows = {}
    for _, row in ipairs(entry.rows or {}) do
        local symbol = row.greek or row.symbol
        local state = row.required and "needed" or row.default and escape(tonumber(row.default)
            and string.format("%.10g", tonumber(row.default)) or row.default) or ""
        local allowed = row.allowed or row.choices and table.concat(row.choices, " | ") or row.type
        rows[#rows + 1] = {
            code(row.name), symbol and escape(symbol) or "", unit(row.unit), prose.text(allowed), state,
            prose.text(row.doc),
        }
    end
    return grid("Parameters", { "name", "symbol", "unit", "allowed", "default", "meaning" }, rows)
end

local function equation_table(entry)
    local rows = {}
    for i, equation in ipairs(formula.equations(entry.equations)) do
        rows[i] = { formula.mathml(equation[1]), prose.text(equation[2]) }
    end
    local symbols = {}
    for i, symbol in ipairs(formula.symbols(entry)) do
        symbols[i] = { formula.mathml(symbol[1]), unit(symbol[2]), prose.text(symbol[3]) }
    end
    return grid("Equations", {}, rows) .. grid("", { "with", "unit", "meaning" }, symbols)
end

local function argument_table(entry)
    local rows = {}
    local function add(p, name)
        rows[#rows + 1] = {
            name, escape(p.allowed or p.choices and table.concat(p.choices, " | ") or p.type), unit(p.unit),
            escape(p.required and "needed" or p.default or ""), prose.text(p.doc or ""),
        }
    end
    for _, p in ipairs(entry.params or {}) do
        add(p, code(p.name))
        for _, option in ipairs(p.options or {}) do add(option, "&emsp;" .. code(option.name .. " =")) end
    end
    return grid("Arguments", { "name", "type", "unit", "default", "meaning" }, rows)
end

local function field_table(entry)
    local rows = {}
    for _, field in ipairs(entry.fields or {}) do
        rows[#rows + 1] = { code(field.name), unit(field.unit), prose.text(field.doc or "") }
    end
    return grid("Fields", { "name", "unit", "meaning" }, rows)
end

local function title_of(entry)
    if entry.rows then return entry.path .. "{ ... }" end
    if entry.kind ~= "function" and entry.kind ~= "method" then return entry.path end
    local names = {}
    for i, p in ipairs(entry.params or {}) do names[i] = p.required and p.name or "[" .. p.name .. "]" end
    return entry.path .. "(" .. table.concat(names, ", ") .. ")"
end

-- A type and a function may have one name.
function html.anchor(entry)
    return entry.kind == "type" and "type-" .. entry.path or entry.path
end

local function entry_section(entry)
    local out = { '<section id="' .. escape(html.anchor(entry)) .. '">' }
    out[#out + 1] = "<h2>" .. code(title_of(entry)) .. ' <span class="kind">' .. entry.kind .. "</span></h2>"
    out[#out + 1] = "<p>" .. prose.text(entry.summary) .. "</p>"
    if entry.value then out[#out + 1] = string.format("<p>%.17g %s</p>", entry.value, unit(entry.unit)) end
    if entry.details then out[#out + 1] = "<p>" .. prose.text(entry.details) .. "</p>" end
    out[#out + 1] = equation_table(entry)
    local law = entry.path:match "^contact%.([%w_]+)$"
    if law and law_figure.has(law) then
        out[#out + 1] = ('<img src="laws/%s.png" alt="%s" loading="lazy">'):format(law, escape(entry.summary))
    end
    out[#out + 1] = parameter_table(entry)
    out[#out + 1] = argument_table(entry)
    if entry.returns then out[#out + 1] = "<h3>Returns</h3><p>" .. prose.text(entry.returns) .. "</p>" end
    out[#out + 1] = field_table(entry)
    if entry.example then out[#out + 1] = "<h3>Example</h3><pre>" .. prose.lua(entry.example) .. "</pre>" end
    if entry.source then out[#out + 1] = '<p class="source">Source: ' .. escape(entry.source) .. "</p>" end
    out[#out + 1] = "</section>"
    return table.concat(out, "\n")
end

-- Entries in chapters: modules in the order of the register, then types with their methods behind them.
function html.chapters()
    local chapters, by_name = {}, {}
    local function chapter(name)
        if not by_name[name] then
            by_name[name] = { name = name, entries = {} }
            chapters[#chapters + 1] = by_name[name]
        end
        return by_name[name].entries
    end
    for _, entry in ipairs(pc.register()) do
        if entry.kind ~= "type" and entry.kind ~= "method" then
            local owner = entry.path:match "^(.-)%.[^.]*$"
            table.insert(chapter(owner and "percuss." .. owner or "percuss"), entry)
        end
    end
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "type" then table.insert(chapter("Objects: " .. entry.path), entry) end
    end
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "method" then table.insert(chapter("Objects: " .. entry.path:match "^[^:]*"), entry) end
    end
    return chapters
end

local function link(anchor, text)
    return '<a href="#' .. escape(anchor) .. '">' .. escape(text) .. "</a>"
end

local function recipe_section(recipe)
    return ('<section id="recipe-%s" data-words="%s"><h2>%s</h2>\n<p>%s</p><pre>%s</pre></section>'):format(recipe.name,
        escape(recipe.words), escape(recipe.title), code("percuss recipe " .. recipe.name), prose.lua(recipe.text))
end

-- A study as part of a page: what it is about, how to run it, and the script, folded.
local function study_section(study)
    local title = study.title:match "^(.-)[.:] " or study.title:gsub("%.$", "")
    local section = ([[<section id="study-%s"><h2>%s</h2>
<p>%s</p><p>%s</p><details class="script"><summary>%s</summary><pre>%s</pre></details></section>]]):format(study.name,
        escape(title), prose.text(study.title), code("percuss examples " .. study.name),
        code("scripts/" .. study.name .. ".lua"), prose.lua(study.text))
    return { "study-" .. study.name, title, section }
end

-- Where the page tells of a name: of a topic, an entry (the function before the type) or a module.
local function anchor_of(name)
    if topics.get(name) then return "topic-" .. name end
    local anchor
    for _, entry in ipairs(pc.register()) do
        if entry.path == name and (not anchor or entry.kind ~= "type") then anchor = html.anchor(entry) end
    end
    return anchor or "module-" .. name
end

-- A topic; what it refers to is a link.
local function topic_section(topic)
    local see = {}
    for i, name in ipairs(topic.see) do
        local other = topics.get(name)
        see[i] = link(anchor_of(name), other and other.title or name)
    end
    return table.concat({
        ('<section id="topic-%s" data-words="%s"><h2>%s</h2>'):format(topic.name, escape(topic.words),
            escape(topic.title)),
        "<p>" .. prose.text(topic.summary) .. "</p>", markdown.blocks(topic.text, formula.mathml),
        ('<img src="topics/%s.png" alt="%s" loading="lazy">'):format(topic.name, escape(topic.title)),
        "<h3>Example</h3><pre>" .. prose.lua(topic.example) .. "</pre>",
        "<p>See also " .. table.concat(see, ", ") .. ".</p>",
        '<p class="source">Source: ' .. prose.text(topic.source) .. "</p>", "</section>",
    }, "\n")
end

-- What one source misprints.
local function misprint_section(source)
    local rows = {}
    for i, row in ipairs(source.rows) do
        rows[i] = {}
        for k, text in ipairs(row) do rows[i][k] = prose.text(text) end
    end
    return table.concat({
        ('<section id="misprints-%s" data-words="errata errors wrong formula source"><h2>%s</h2>'):format(source.name,
            escape(source.title)),
        grid("", { "where", "printed", "right", "how that shows" }, rows), "</section>",
    }, "\n")
end

-- Where to begin, by what one wants: anchor, what it is, and its name where that is another.
local START = {
    { "guide-prompt-1", "Five minutes at the prompt: what is typed, and what is seen", "percuss" },
    { "01_one_ball", "First steps: ten lessons that run", "tutorial" },
    { "topic-conventions", "What no function says: axes, W, the three restitutions, which law when, energy", "topics" },
    { "recipe-" .. shelf.all("recipe")[1].name, "Short answers to questions, as scripts that run", "recipes" },
    { "study-" .. shelf.all("examples")[1].name, "What it has computed, beside what the sources print", "studies" },
    { "contact.linear", "A contact law: spring, friction, stick and slip; the others stand beside it" },
    { "body.sphere", "A body that strikes; pendulums, rods, boxes and bodies from data" },
    { "collide", "One impact; compare sets laws side by side" },
    { "simulate", "A motion with many impacts: scenes, chains, floors" },
    { "sweep", "A study over parameters, on all cores, kept in a file" },
    { "chart.figure", "Charts of everything" },
    { "fit", "Parameters from data, with their errors" },
}

local function start_table(where)
    local out = {}
    for _, row in ipairs(START) do
        if where[row[1]] then
            out[#out + 1] = ('<tr><td><a href="#%s"><code>%s</code></a></td><td>%s</td></tr>'):format(row[1],
                row[3] or row[1], escape(row[2]))
        end
    end
    return '<table class="start">' .. table.concat(out, "\n") .. "</table>"
end

-- A page: { file, title, group in the menu, parts = list of { anchor, title, section } }.
local function new_page(file, title, group, parts)
    return { file = file, title = title, group = group, parts = parts }
end

-- A picture with the script that draws it, folded.
local function picture_section(picture)
    return ([[<section id="%s"><figure><img src="%s" alt="%s" loading="lazy"><figcaption>%s</figcaption></figure>
<details class="script"><summary>%s</summary><pre>%s</pre></details></section>]]):format(escape(picture.name),
        escape(picture.file), escape(picture.title), prose.text(picture.title), code(picture.script),
        prose.lua(picture.source))
end

-- What percuss.search knows of words, for the script.
local function search_lists()
    local lines = {}
    for i, line in ipairs(search.synonyms) do lines[i] = ('"%s"'):format(line) end
    return ('{ stop: "%s", synonyms: [%s] }'):format(search.stop:gsub("%s+", " "), table.concat(lines, ", "))
end

-- Text of HTML: without tags, characters as they are.
local ENTITY = { lt = "<", gt = ">", amp = "&", quot = '"', emsp = " " }
local function plain(text)
    return (text:gsub("<[^>]*>", " "):gsub("&(%a+);", ENTITY):gsub("%s+", " "))
end

local function json(text)
    return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end):gsub("</", "<\\/") .. '"'
end

-- All sections for the search: file, anchor, title, words that people use for it, summary, text and examples.
local function search_index(pages)
    local out = {}
    for _, page in ipairs(pages) do
        for _, part in ipairs(page.parts) do
            local section = part[3]
            local words = section:match '^<section[^>]*data%-words="([^"]*)"' or ""
            local heading = plain(section:match "<h2>(.-)</h2>" or part[2])
            local summary = plain(section:match "<p>(.-)</p>" or "")
            local text = section:gsub('<details class="script">.-</details>', ""):gsub("<h2>.-</h2>", "")
            local examples = {}
            text = text:gsub("<pre.->(.-)</pre>", function(example)
                examples[#examples + 1] = example
                return " "
            end)
            local fields = {
                page.file, part[1], heading, plain(words), summary, plain(text), plain(table.concat(examples, " ")),
            }
            for i, field in ipairs(fields) do fields[i] = json((field:gsub("^%s+", ""):gsub("%s+$", ""))) end
            out[#out + 1] = "[" .. table.concat(fields, ",") .. "]"
        end
    end
    return "window.percussEntries = [\n" .. table.concat(out, ",\n") .. "\n];\n"
end

local GROUPS = { "Learn", "Reference", "Objects" }

-- The menu of a page: all pages in their groups, and what stands on this one.
local function menu(pages, current)
    local out = {}
    for _, group in ipairs(GROUPS) do
        local here = current.group == group
        out[#out + 1] = ("<details%s><summary>%s</summary>"):format((here or group == "Learn") and " open" or "", group)
        for _, page in ipairs(pages) do
            if page.group == group then
                local mark = page == current and ' aria-current="page"' or ""
                out[#out + 1] = ('<a href="%s"%s>%s</a>'):format(page.file, mark, escape(page.title))
                if page == current and #page.parts > 0 then
                    out[#out + 1] = '<div class="here">'
                    for _, part in ipairs(page.parts) do out[#out + 1] = link(part[1], part[2]) end
                    out[#out + 1] = "</div>"
                end
            end
        end
        out[#out + 1] = "</details>"
    end
    return table.concat(out, "\n")
end

-- Links go to the page where the anchor is.
local function resolve(text, where, file)
    return (text:gsub('href="#([^"]*)"', function(anchor)
        local other = where[anchor]
        return other and other ~= file and ('href="%s#%s"'):format(other, anchor) or nil
    end))
end

local INTRODUCTION = "<p>A scripting laboratory for impact with friction. SI units and radians everywhere. t is the "
    .. "tangent, n the normal that points away from the obstacle; angles are measured from the normal. At the prompt "
    .. "<code>help(x)</code> tells what stands here.</p>"

local function page_text(page, pages, where)
    local body = {}
    if page.file == "index.html" then
        body[1] = "<h1>percuss " .. pc.version .. "</h1>" .. INTRODUCTION .. start_table(where)
    else
        body[1] = "<h1>" .. escape(page.title) .. "</h1>"
    end
    for _, part in ipairs(page.parts) do body[#body + 1] = part[3] end
    local at
    for i, other in ipairs(pages) do if other == page then at = i end end
    local around = {}
    for i, row in ipairs{ { pages[at - 1], "prev" }, { pages[at + 1], "next" } } do
        around[i] = row[1] and ('<a rel="%s" href="%s">%s</a>'):format(row[2], row[1].file, escape(row[1].title)) or ""
    end
    return resolve(table.concat({
        "<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        "<title>" .. escape(page.title) .. " - percuss " .. pc.version .. "</title>",
        '<link rel="stylesheet" href="manual.css"></head>', "<body>",
        '<a class="skip" href="#text">To the text</a>', '<nav aria-label="Contents and search">',
        '<label>Search <input id="search" type="search" placeholder="words, or press /"></label>',
        '<details id="menu" open><summary>Contents</summary>', menu(pages, page), "</details>", "</nav>",
        '<main id="text" tabindex="-1">', '<p id="none" role="status" hidden></p>', '<ol id="results" hidden></ol>',
        table.concat(body, "\n"),
        '<p class="around">' .. table.concat(around, "") .. "</p>", "</main>", '<script src="manual.js"></script>',
        "</body></html>", "",
    }, "\n"), where, page.file)
end

-- The pages by their files, and what they need. `lessons`: list of { name, title, source, output, pictures };
-- `gallery`: list of { name, file, title, script, source }; `guides`: list of what docgen/markdown.lua makes.
function html.pages(lessons, gallery, guides)
    local pages = { new_page("index.html", "Start", "Learn", {}) }
    local function add(file, title, group, list, part)
        local parts = {}
        for i, one in ipairs(list) do parts[i] = part(one) end
        if #parts > 0 then pages[#pages + 1] = new_page(file, title, group, parts) end
    end
    local function add_guides(first)
        for _, guide in ipairs(guides or {}) do
            if (guide.first or false) == first then
                add(guide.name .. ".html", guide.title, "Learn", guide.parts, function(part) return part end)
            end
        end
    end
    add_guides(true)
    add("tutorial.html", "Tutorial", "Learn", lessons, function(one)
        return { one.name, one.title, lessons_page.section(one) }
    end)
    add("topics.html", "Topics", "Learn", topics.all(), function(topic)
        return { "topic-" .. topic.name, topic.title, topic_section(topic) }
    end)
    add("recipes.html", "Recipes", "Learn", shelf.all "recipe", function(recipe)
        return { "recipe-" .. recipe.name, recipe.title, recipe_section(recipe) }
    end)
    add("gallery.html", "Gallery", "Learn", gallery, function(picture)
        return { picture.name, picture.title, picture_section(picture) }
    end)
    add("misprints.html", "Misprints of the sources", "Learn", misprints, function(source)
        return { "misprints-" .. source.name, source.title, misprint_section(source) }
    end)
    add("studies.html", "Studies", "Learn", shelf.all "examples", study_section)
    add_guides(false)
    for _, chapter in ipairs(html.chapters()) do
        local kind = chapter.name:match "^Objects: (.*)$"
        local file = (kind and "type-" .. kind or chapter.name) .. ".html"
        add(file, kind or chapter.name, kind and "Objects" or "Reference", chapter.entries, function(entry)
            return { html.anchor(entry), entry.path, entry_section(entry) }
        end)
        local module = chapter.name:match "^percuss%.(.*)$"
        pages[#pages].module = module and "module-" .. module
    end
    local where = {}
    for _, page in ipairs(pages) do
        for _, part in ipairs(page.parts) do where[part[1]] = page.file end
        if page.module then
            where[page.module] = page.file
            page.parts[1][3] = ('<a id="%s"></a>'):format(page.module) .. page.parts[1][3]
        end
    end
    local out = {
        ["manual.css"] = assets.style, ["search.js"] = search_index(pages),
        ["manual.js"] = assets.script:gsub("LISTS", function() return search_lists() end, 1),
    }
    for _, page in ipairs(pages) do out[page.file] = page_text(page, pages, where) end
    return out, pages
end

return html
