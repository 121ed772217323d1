-- The manual as one HTML page: every entry of the register, found by a search box, with the lessons of the tutorial and
-- the pictures of the gallery where those are given.
local pc = require "percuss"
local assets = require "docgen.assets"
local formula = require "percuss.formula"
local lessons_page = require "docgen.lesson"
local markdown = require "docgen.markdown"
local prose = require "docgen.prose"
local search = require "percuss.search"
local shelf = require "percuss.shelf"
local topics = require "percuss.topics"

local html = {}
local escape = prose.escape

local function cells(row, tag)
    local out = {}
    for i, cell in ipairs(row) do out[i] = "<" .. tag .. ">" .. cell .. "</" .. tag .. ">" end
    return "<tr>" .. table.concat(out) .. "</tr>"
end

local function grid(title, head, rows)
    if #rows == 0 then return "" end
    local out = { "<h4>" .. title .. '</h4>\n<div class="wide"><table>', #head > 0 and cells(head, "th") or nil }
    for _, row in ipairs(rows) do out[#out + 1] = cells(row, "td") end
    out[#out + 1] = "</table></div>"
    return table.concat(out, "\n")
end

local function code(text)
    return "<code>" .. escape(text) .. "</code>"
end

local function unit(text)
    return text and text ~= "" and escape(text) or "–"
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
    return grid("Equations", {}, rows)
end

local function argument_table(entry)
    local rows = {}
    local function add(p, name)
        rows[#rows + 1] = {
            name, escape(p.type or ""), unit(p.unit), escape(p.default or "needed"), prose.text(p.doc or ""),
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
    for i, p in ipairs(entry.params or {}) do names[i] = p.default and "[" .. p.name .. "]" or p.name end
    return entry.path .. "(" .. table.concat(names, ", ") .. ")"
end

-- A type and a function may have one name.
function html.anchor(entry)
    return entry.kind == "type" and "type-" .. entry.path or entry.path
end

local function entry_section(entry)
    local out = { '<section id="' .. escape(html.anchor(entry)) .. '">' }
    out[#out + 1] = "<h3>" .. code(title_of(entry)) .. ' <span class="kind">' .. entry.kind .. "</span></h3>"
    out[#out + 1] = "<p>" .. prose.text(entry.summary) .. "</p>"
    if entry.value then out[#out + 1] = string.format("<p>%.17g %s</p>", entry.value, unit(entry.unit)) end
    if entry.details then out[#out + 1] = "<p>" .. prose.text(entry.details) .. "</p>" end
    out[#out + 1] = equation_table(entry)
    out[#out + 1] = parameter_table(entry)
    out[#out + 1] = argument_table(entry)
    if entry.returns then out[#out + 1] = "<h4>Returns</h4><p>" .. prose.text(entry.returns) .. "</p>" end
    out[#out + 1] = field_table(entry)
    if entry.example then out[#out + 1] = "<h4>Example</h4><pre>" .. prose.lua(entry.example) .. "</pre>" end
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
    return ('<section id="recipe-%s" data-words="%s"><h3>%s</h3>\n<p>%s</p><pre>%s</pre></section>'):format(recipe.name,
        escape(recipe.words), escape(recipe.title), code("percuss recipe " .. recipe.name), prose.lua(recipe.text))
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
        ('<section id="topic-%s" data-words="%s"><h3>%s</h3>'):format(topic.name, escape(topic.words),
            escape(topic.title)),
        "<p>" .. prose.text(topic.summary) .. "</p>", markdown.blocks(topic.text, formula.mathml),
        topic.figure and ('<img src="topics/%s.png" alt="%s" loading="lazy">'):format(topic.name, escape(topic.title))
            or "",
        "<h4>Example</h4><pre>" .. prose.lua(topic.example) .. "</pre>",
        "<p>See also " .. table.concat(see, ", ") .. ".</p>",
        topic.source and '<p class="source">Source: ' .. escape(topic.source) .. "</p>" or "", "</section>",
    }, "\n")
end

-- Where to begin, by what one wants: anchor, what it is, and its name where that is another.
local START = {
    { "01_one_ball", "First steps: ten lessons that run", "tutorial" },
    { "topic-conventions", "What no function says: axes, W, the three restitutions, which law when, energy", "topics" },
    { "recipe-" .. shelf.all("recipe")[1].name, "Short answers to questions, as scripts that run", "recipes" },
    { "contact.linear", "A contact law: spring, friction, stick and slip; the others stand beside it" },
    { "body.sphere", "A body that strikes; pendulums, rods, boxes and bodies from data" },
    { "collide", "One impact; compare sets laws side by side" },
    { "simulate", "A motion with many impacts: scenes, chains, floors" },
    { "sweep", "A study over parameters, on all cores, kept in a file" },
    { "chart.figure", "Charts of everything" },
    { "fit", "Parameters from data, with their errors" },
}

local function start_table()
    local out = {}
    for i, row in ipairs(START) do
        out[i] = ('<tr><td><a href="#%s"><code>%s</code></a></td><td>%s</td></tr>'):format(row[1],
            row[3] or row[1], escape(row[2]))
    end
    return '<table class="start">' .. table.concat(out, "\n") .. "</table>"
end

-- A chapter of the page and its group of links; `parts`: list of { anchor, title, section }.
local function add_chapter(nav, main, name, parts)
    nav[#nav + 1] = "<details><summary>" .. escape(name) .. "</summary>"
    local module = name:match "^percuss%.(.*)$"
    main[#main + 1] = (module and ('<h2 id="module-%s">'):format(module) or "<h2>") .. escape(name) .. "</h2>"
    for _, part in ipairs(parts) do
        nav[#nav + 1] = link(part[1], part[2])
        main[#main + 1] = part[3]
    end
    nav[#nav + 1] = "</details>"
end

local function picture_section(picture)
    return '<section id="' .. escape(picture.name) .. '"><figure><img src="' .. escape(picture.file) .. '" alt="'
        .. escape(picture.title) .. '" loading="lazy"><figcaption>' .. prose.text(picture.title) .. " <code>"
        .. escape(picture.script) .. "</code></figcaption></figure></section>"
end

-- What percuss.search knows of words, for the script.
local function search_lists()
    local lines = {}
    for i, line in ipairs(search.synonyms) do lines[i] = ('"%s"'):format(line) end
    return ('{ stop: "%s", synonyms: [%s] }'):format(search.stop:gsub("%s+", " "), table.concat(lines, ", "))
end

-- The page. `lessons`: list of { name, title, source, output, pictures }; `gallery`: list of { name, file, title,
-- script }; `guides`: list of what docgen/markdown.lua makes.
function html.page(lessons, gallery, guides)
    local nav, main = {}, {}
    if #lessons > 0 then
        local parts = {}
        for i, one in ipairs(lessons) do parts[i] = { one.name, one.title, lessons_page.section(one) } end
        add_chapter(nav, main, "Tutorial", parts)
    end
    if #gallery > 0 then
        local parts = {}
        for i, picture in ipairs(gallery) do parts[i] = { picture.name, picture.title, picture_section(picture) } end
        add_chapter(nav, main, "Gallery", parts)
    end
    local about = {}
    for i, topic in ipairs(topics.all()) do
        about[i] = { "topic-" .. topic.name, topic.title, topic_section(topic) }
    end
    add_chapter(nav, main, "Topics", about)
    local recipes = {}
    for i, recipe in ipairs(shelf.all "recipe") do
        recipes[i] = { "recipe-" .. recipe.name, recipe.title, recipe_section(recipe) }
    end
    add_chapter(nav, main, "Recipes", recipes)
    for _, guide in ipairs(guides or {}) do add_chapter(nav, main, guide.title, guide.parts) end
    for _, chapter in ipairs(html.chapters()) do
        local parts = {}
        for i, entry in ipairs(chapter.entries) do
            parts[i] = { html.anchor(entry), entry.path, entry_section(entry) }
        end
        add_chapter(nav, main, chapter.name, parts)
    end
    return table.concat({
        "<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">', "<title>percuss " .. pc.version .. "</title>",
        "<style>", assets.style, "</style></head>", "<body>", "<nav>",
        '<label>Search <input id="search" type="search" placeholder="a word, a symbol, an author"></label>',
        '<details id="menu" open><summary>Contents</summary>', table.concat(nav, "\n"), "</details>",
        "</nav>", "<main>", "<h1>percuss " .. pc.version .. "</h1>",
        "<p>A scripting laboratory for impact with friction. SI units and radians everywhere. t is the tangent, n the "
            .. "normal that points away from the obstacle; angles are measured from the normal. At the prompt "
            .. "<code>help(x)</code> tells what stands here.</p>",
        #lessons > 0 and start_table() or "", '<p id="none" hidden>Nothing has any of these words.</p>',
        '<ol id="results" hidden></ol>', table.concat(main, "\n"), "</main>", "<script>",
        (assets.script:gsub("LISTS", function() return search_lists() end, 1)), "</script>", "</body></html>", "",
    }, "\n")
end

return html
