-- Text of the register as HTML: formulas with sub- and superscripts and Greek letters, Lua with its comments and
-- strings set apart. The register writes formulas in plain characters, as a terminal shows them: F_n = K u^1.5, mu.
local formula = require "percuss.formula"

local prose = {}

local ESCAPE = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function prose.escape(text)
    return (tostring(text):gsub('[&<>"]', ESCAPE))
end

local SYMBOL = setmetatable({ sqrt = "√" }, { __index = formula.greek })

-- One word: a Greek letter, or a letter with an index of up to three characters. Longer ones (peak.n_time) and what
-- stands behind a dot (hit.omega) or in quotes are names of the program.
local function word(before, text)
    if before == "." or before == '"' or before == "'" then return before .. text end
    local base, index = text:match "^(%a+)_(%w%w?%w?)$"
    if base and (#base == 1 or SYMBOL[base]) then
        return before .. (SYMBOL[base] or base) .. "<sub>" .. index .. "</sub>"
    end
    local greek, digits = text:match "^(%a+)(%d?)$"
    if SYMBOL[greek] then return before .. SYMBOL[greek] .. (digits ~= "" and "<sub>" .. digits .. "</sub>" or "") end
    return before .. text
end

function prose.text(text)
    local out = (" " .. tostring(text)):gsub("([^%w_])([%a][%w_]*)", word):sub(2)
    out = out:gsub("%^([-+]?%d+%.?%d*)", function(power)
        local stop = power:match "%.$" or "" -- the end of the sentence
        return "<sup>" .. power:sub(1, #power - #stop):gsub("-", "−") .. "</sup>" .. stop
    end):gsub("%^(%a)%f[%W]", "<sup>%1</sup>"):gsub("%^%+", "<sup>+</sup>")
    -- tags made here survive the escaping of everything else
    out = prose.escape(out):gsub("&lt;(/?su[bp])&gt;", "<%1>")
    return (out:gsub("&lt;=", "≤"):gsub("&gt;=", "≥"))
end

-- Lua: comments and strings of one line become spans.
function prose.lua(text)
    local out, at = {}, 1
    while at <= #text do
        local first = text:find("[-\"'%[]", at)
        if not first then break end
        local last = select(2, text:find("^%-%-[^\n]*", first)) or select(2, text:find("^%[%[.-%]%]", first))
            or select(2, text:find('^"[^"\n]*"', first)) or select(2, text:find("^'[^'\n]*'", first))
        out[#out + 1] = prose.escape(text:sub(at, first - 1))
        if last then
            local kind = text:sub(first, first) == "-" and "comment" or "string"
            out[#out + 1] = '<span class="' .. kind .. '">' .. prose.escape(text:sub(first, last)) .. "</span>"
        else
            last = first
            out[#out + 1] = prose.escape(text:sub(first, first))
        end
        at = last + 1
    end
    return table.concat(out) .. prose.escape(text:sub(at))
end

return prose
