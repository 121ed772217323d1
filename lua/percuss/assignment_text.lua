-- Texts of assignments for a terminal and for comments.
local M = {}

-- Lines of at most `width` bytes; an empty line stays one.
function M.wrap(text, width)
    local lines = {}
    for paragraph in (text:gsub("^%s+", ""):gsub("%s+$", "") .. "\n\n"):gmatch("(.-)\n%s*\n") do
        if #lines > 0 then lines[#lines + 1] = "" end
        local line = ""
        for word in paragraph:gmatch("%S+") do
            if line ~= "" and #line + 1 + #word > width then
                lines[#lines + 1] = line
                line = word
            else
                line = line == "" and word or line .. " " .. word
            end
        end
        if line ~= "" then lines[#lines + 1] = line end
    end
    return lines
end

-- The first `most` bytes of a text, no letter cut in two.
function M.cut(text, most)
    if #text <= most then return text end
    return (text:sub(1, most):gsub("[\192-\255]?[\128-\191]*$", "")) .. "..."
end

-- A text on one line without control characters, which could move a terminal's cursor, and in UTF-8.
function M.plain(text)
    text = text:gsub("[%z\1-\31\127]", " ")
    return utf8.len(text) and text or (text:gsub("[\128-\255]", "?"))
end

return M
