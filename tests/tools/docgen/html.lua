-- The manual as one HTML page: every entry of the register, found by a search box, with the lessons of the tutorial and
-- the pictures of the gallery where those are given.
local pc = require "percuss"

local html = {}

local ESCAPE = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function escape(text)
    return (tostring(text):gsub('[&<>"]', ESCAPE))
end
html.escape = escape

local STYLE = [[
:root { color-scheme: light dark; --line: #8886; --dim: #777; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17em minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1em; border-right: 1px solid var(--line);
    box-sizing: border-box; }
nav input { width: 100%; box-sizing: border-box; font: inherit; padding: .3em; }
nav a { display: block; text-decoration: none; color: inherit; font-size: 14px; }
nav h2 { font-size: 14px; margin: 1em 0 .2em; }
main { padding: 1em 2em; max-width: 60em; }
section { border-top: 1px solid var(--line); padding: .5em 0; }
h3 { margin: .3em 0; } h4 { margin: .6em 0 .2em; font-size: 14px; color: var(--dim); }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { padding: .7em; border: 1px solid var(--line); border-radius: 4px; overflow: auto; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15em .8em .15em 0; vertical-align: top; }
td { border-top: 1px solid var(--line); } .kind, .source { color: var(--dim); font-size: 14px; }
img { max-width: 100%; background: white; } .gallery img { max-width: 24em; margin: .3em; }
@media (max-width: 50em) { body { display: block; } nav { position: static; height: auto; } }]]

-- Each word typed has to occur in what an entry says.
local SCRIPT = [[
const box = document.getElementById("search");
const parts = [...document.querySelectorAll("section[id]")].map(part =>
    [part, part.textContent.toLowerCase(), document.querySelector(`nav a[href="#${CSS.escape(part.id)}"]`)]);
box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [part, text, link] of parts) {
        const hidden = !words.every(word => text.includes(word));
        part.hidden = hidden;
        if (link) link.hidden = hidden;
    }
});]]

local function cells(row, tag)
    local out = {}
    for i, cell in ipairs(row) do out[i] = "<" .. tag .. ">" .. cell .. "</" .. tag .. ">" end
    return "<tr>" .. table.concat(out) .. "</tr>"
end

local function grid(title, head, rows)
    if #rows == 0 then return "" end
    local out = { "<h4>" .. title .. "</h4>", "<table>", cells(head, "th") }
    for _, row in ipairs(rows) do out[#out + 1] = cells(row, "td") end
    out[#out + 1] = "</table>"
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
            code(row.name), symbol and escape(symbol) or "", unit(row.unit), escape(allowed), state, escape(row.doc),
        }
    end
    return grid("Parameters", { "name", "symbol", "unit", "allowed", "default", "meaning" }, rows)
end

local function argument_table(entry)
    local rows = {}
    for _, p in ipairs(entry.params or {}) do
        rows[#rows + 1] = {
            code(p.name), escape(p.type or ""), unit(p.unit), escape(p.default or "needed"), escape(p.doc or ""),
        }
    end
    return grid("Arguments", { "name", "type", "unit", "default", "meaning" }, rows)
end

local function field_table(entry)
    local rows = {}
    for _, field in ipairs(entry.fields or {}) do
        rows[#rows + 1] = { code(field.name), unit(field.unit), escape(field.doc or "") }
    end
    return grid("Fields", { "name", "unit", "meaning" }, rows)
end

local function title_of(entry)
    if entry.kind == "constructor" then return entry.path .. "{ ... }" end
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
    out[#out + 1] = "<p>" .. escape(entry.summary) .. "</p>"
    if entry.value then out[#out + 1] = string.format("<p>%.17g %s</p>", entry.value, unit(entry.unit)) end
    if entry.details then out[#out + 1] = "<p>" .. escape(entry.details) .. "</p>" end
    out[#out + 1] = parameter_table(entry)
    out[#out + 1] = argument_table(entry)
    if entry.returns then out[#out + 1] = "<h4>Returns</h4><p>" .. escape(entry.returns) .. "</p>" end
    out[#out + 1] = field_table(entry)
    if entry.example then out[#out + 1] = "<h4>Example</h4><pre>" .. escape(entry.example) .. "</pre>" end
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

local function lesson_section(lesson)
    local out = { '<section id="' .. lesson.name .. '"><h3>' .. escape(lesson.title) .. "</h3>" }
    out[#out + 1] = "<pre>" .. escape(lesson.source) .. "</pre><h4>What it prints</h4><pre>" .. escape(lesson.output)
        .. "</pre>"
    for _, picture in ipairs(lesson.pictures) do
        out[#out + 1] = '<img src="' .. escape(picture) .. '" alt="' .. escape(lesson.title) .. '">'
    end
    out[#out + 1] = "</section>"
    return table.concat(out, "\n")
end

local function link(anchor, text)
    return '<a href="#' .. escape(anchor) .. '">' .. escape(text) .. "</a>"
end

-- The page. `lessons`: list of { name, title, source, output, pictures }; `gallery`: list of { file, title }.
function html.page(lessons, gallery)
    local nav, main = {}, {}
    if #lessons > 0 then
        nav[#nav + 1] = "<h2>Tutorial</h2>"
        main[#main + 1] = "<h2>Tutorial</h2>"
    end
    for _, lesson in ipairs(lessons) do
        nav[#nav + 1] = link(lesson.name, lesson.title)
        main[#main + 1] = lesson_section(lesson)
    end
    if #gallery > 0 then
        nav[#nav + 1] = "<h2>Gallery</h2>" .. link("gallery", "pictures of the studies")
        main[#main + 1] = '<h2>Gallery</h2><section id="gallery" class="gallery">'
        for _, picture in ipairs(gallery) do
            main[#main + 1] = '<img src="' .. escape(picture.file) .. '" alt="' .. escape(picture.title) .. '">'
        end
        main[#main + 1] = "</section>"
    end
    for _, chapter in ipairs(html.chapters()) do
        nav[#nav + 1] = "<h2>" .. escape(chapter.name) .. "</h2>"
        main[#main + 1] = "<h2>" .. escape(chapter.name) .. "</h2>"
        for _, entry in ipairs(chapter.entries) do
            nav[#nav + 1] = link(html.anchor(entry), entry.path)
            main[#main + 1] = entry_section(entry)
        end
    end
    return table.concat({
        "<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">', "<title>percuss " .. pc.version .. "</title>",
        "<style>", STYLE, "</style></head>", "<body>", "<nav>",
        '<label>Search <input id="search" type="search" autofocus></label>', table.concat(nav, "\n"), "</nav>",
        "<main>", "<h1>percuss " .. pc.version .. "</h1>",
        "<p>A scripting laboratory for impact with friction. SI units and radians everywhere.</p>",
        table.concat(main, "\n"), "</main>", "<script>", SCRIPT, "</script>", "</body></html>", "",
    }, "\n")
end

return html
