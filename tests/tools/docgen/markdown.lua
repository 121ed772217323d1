-- The Markdown that READMEs, guides and topics here use, as sections of the manual: headings, paragraphs, code that is
-- indented (in topics formulas) or between fences, lists, tables, `code` and **bold** in a line. Nothing else is known,
-- and nothing is taken as HTML.
local prose = require "docgen.prose"

local markdown = {}

local function bold(text)
    return (text:gsub("%*%*([^*]+)%*%*", "<b>%1</b>"))
end

local function inline(text)
    local out = prose.escape(text):gsub("`([^`]*)`", "<code>%1</code>")
    return bold(out)
end

-- Prose with formulas in the plain characters of the register; `code` stays as it is.
local function with_symbols(text)
    local out, is_code = {}, false
    for part in (text .. "`"):gmatch "([^`]*)`" do
        out[#out + 1] = is_code and "<code>" .. prose.escape(part) .. "</code>" or bold(prose.text(part))
        is_code = not is_code
    end
    return table.concat(out)
end

-- Each cell says under which head it stands: where a page is narrow, cells stand below each other.
local function table_block(lines, written)
    local rows, heads = {}, {}
    for i, line in ipairs(lines) do
        local cells = {}
        for text in line:gmatch "|%s*([^|]-)%s*%f[|]" do
            if i == 1 then heads[#heads + 1] = text:gsub("[`\"]", "") end
            local head = i > 1 and (' data-head="%s"'):format(prose.escape(heads[#cells + 1])) or ""
            cells[#cells + 1] = i == 1 and "<th>" .. written(text) .. "</th>"
                or ("<td%s>%s</td>"):format(head, written(text))
        end
        if i ~= 2 then rows[#rows + 1] = "<tr>" .. table.concat(cells) .. "</tr>" end
    end
    return '<div class="wide"><table>' .. table.concat(rows, "\n") .. "</table></div>"
end

-- A run of lines between empty ones; `formula` writes one that is indented, which is code without it.
local function block(lines, formula)
    local first = lines[1]
    if first:match "^    " and formula then
        local out = {}
        for i, line in ipairs(lines) do out[i] = formula(line:match "%S.*") end
        return table.concat(out, "\n")
    elseif first:match "^    " then
        local code = {}
        for i, line in ipairs(lines) do code[i] = prose.escape(line:gsub("^    ", "")) end
        return "<pre>" .. table.concat(code, "\n") .. "</pre>"
    end
    local written = formula and with_symbols or inline
    if first:match "^|" then return table_block(lines, written) end
    local kind = first:match "^%- " and "ul" or first:match "^%d+%. " and "ol"
    if not kind then return "<p>" .. written(table.concat(lines, "\n")) .. "</p>" end
    local items = {}
    for _, line in ipairs(lines) do
        local text = line:match "^%- (.*)$" or line:match "^%d+%. (.*)$"
        if text then
            items[#items + 1] = text
        else
            items[#items] = items[#items] .. "\n" .. line:gsub("^%s+", "")
        end
    end
    for i, item in ipairs(items) do items[i] = "<li>" .. written(item) .. "</li>" end
    return ("<%s>%s</%s>"):format(kind, table.concat(items, "\n"), kind)
end

-- A text without headings, whose indented lines are formulas.
function markdown.blocks(text, formula)
    local out = {}
    for part in (text .. "\n\n"):gmatch "(.-)\n\n+" do
        local lines = {}
        for line in part:gmatch "[^\n]+" do lines[#lines + 1] = line end
        out[#out + 1] = block(lines, formula)
    end
    return table.concat(out, "\n")
end

-- A text as { name =, title =, parts = { { anchor, title, section } } }: the first heading, and what stands under each
-- of the second level (what stands before these is under the first heading). `name` keeps anchors apart.
function markdown.sections(name, text)
    local guide, part, lines = { name = name, parts = {} }, nil, {}
    local function flush()
        if #lines > 0 then part.blocks[#part.blocks + 1] = block(lines) end
        lines = {}
    end
    local function open(title)
        part = { title = title, blocks = {} }
        guide.parts[#guide.parts + 1] = part
    end
    local fence -- lines of a fenced block, and its language
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do
        if fence and line == "```" then
            local written = fence.language == "lua" and prose.lua or prose.escape
            part.blocks[#part.blocks + 1] = "<pre>" .. written(table.concat(fence, "\n")) .. "</pre>"
            fence = nil
            goto next
        elseif fence then
            fence[#fence + 1] = line
            goto next
        elseif line:match "^```" then
            flush()
            fence = { language = line:sub(4) }
            goto next
        end
        local level, title = line:match "^(##?) (.*)$"
        if level then
            if part then flush() end
            if level == "#" then guide.title = title end
            open(title)
        elseif line == "" then
            flush()
        else
            lines[#lines + 1] = line
        end
        ::next::
    end
    flush()
    if #guide.parts > 1 and #guide.parts[1].blocks == 0 then table.remove(guide.parts, 1) end
    for i, one in ipairs(guide.parts) do
        local anchor = ("%s-%d"):format(name, i)
        local heading = one.title ~= guide.title and "<h2>" .. prose.escape(one.title) .. "</h2>" or ""
        local section = ('<section id="%s">%s\n%s</section>'):format(anchor, heading, table.concat(one.blocks, "\n"))
        guide.parts[i] = { anchor, one.title, section }
    end
    return guide
end

return markdown
