-- A lesson of the tutorial as a section of the manual: what it says as prose, its code, what that prints and draws.
--
-- The script alternates between lesson:say, lesson:exercise, lesson:answer and code (percuss.lesson). What it prints is
-- told apart by the sentences of `say`, which are printed as they stand.
local prose = require "docgen.prose"

local lesson = {}

-- As percuss.lesson prints a paragraph.
local function printed(text)
    return (text:gsub("^%s+", ""):gsub("\n%s*", "\n"):gsub("%s+$", ""))
end

-- The script as a list of { kind = "say" | "exercise" | "answer" | "code", text = }; the comment at its head is what it
-- is about.
local function parts_of(source)
    local about, rest = source:match "^%-%- [^\n]*\n%-%- ([^\n]*)\n(.*)$"
    local list, at = { { kind = "say", text = about } }, 1
    local function add_code(text)
        text = text:gsub("^\n+", ""):gsub("%s+$", "")
        if text ~= "" then list[#list + 1] = { kind = "code", text = text } end
    end
    while true do
        local first, start, word = rest:find("\n?lesson:(%l+) ?", at)
        while first and word ~= "say" and word ~= "exercise" and word ~= "answer" do
            first, start, word = rest:find("\n?lesson:(%l+) ?", start)
        end
        if not first then break end
        add_code(rest:sub(at, first - 1))
        local _, stop, text = rest:find("^%[%[(.-)%]%]", start + 1)
        if not stop then
            _, stop, text = rest:find('^"(.-[^\\])"', start + 1)
            text = text:gsub('\\"', '"')
        end
        list[#list + 1] = { kind = word, text = printed(text) }
        at = stop + 1
    end
    add_code(rest:sub(at))
    return list
end

-- Beside each part what is printed from it to the next sentence.
local function with_output(parts, output)
    local at, exercises = (output:find("\n", 1, true) or #output) + 1, 0
    local before
    for _, part in ipairs(parts) do
        if part.kind == "exercise" then
            exercises = exercises + 1
            part.title = "Exercise " .. exercises .. ". "
        end
        local sentence = (part.kind == "say" or part.kind == "exercise") and (part.title or "") .. part.text
        local first, last
        if sentence then first, last = output:find(sentence, at, true) end
        if first then
            if before then before.output = output:sub(at, first - 1) end
            at, before = last + 1, nil
        end
        if part.kind == "code" then before = part end
    end
    if before then before.output = output:sub(at) end
    return parts
end

-- The section of { name, title, source, output, pictures }.
function lesson.section(one)
    local out = { ('<section id="%s"><h2>%s</h2>'):format(prose.escape(one.name), prose.escape(one.title)) }
    local drawn = {}
    local function draw(path)
        drawn[path] = true
        out[#out + 1] = ('<img src="%s" alt="%s">'):format(prose.escape(path), prose.escape(one.title))
    end
    for _, part in ipairs(with_output(parts_of(one.source), one.output)) do
        if part.kind == "code" then
            out[#out + 1] = "<pre>" .. prose.lua(part.text) .. "</pre>"
            local text = (part.output or ""):gsub("^\n+", ""):gsub("%s+$", "")
            if text ~= "" then out[#out + 1] = '<pre class="output">' .. prose.escape(text) .. "</pre>" end
            for name in part.text:gmatch 'lesson:draw%("([^"]*)"' do
                for _, path in ipairs(one.pictures) do
                    if path:match "([^/]*)%.%w*$" == name then draw(path) end
                end
            end
        elseif part.kind == "answer" then
            out[#out + 1] = '<details class="answer"><summary>Answer</summary><p>' .. prose.text(part.text)
                .. "</p></details>"
        else
            local title = part.title and "<b>" .. part.title .. "</b>" or ""
            out[#out + 1] = "<p>" .. title .. prose.text(part.text) .. "</p>"
        end
    end
    for _, path in ipairs(one.pictures) do
        if not drawn[path] then draw(path) end
    end
    out[#out + 1] = "</section>"
    return table.concat(out, "\n")
end

return lesson
