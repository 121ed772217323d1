-- The result of one submission as a file of lines, so that grading can stop at any moment and go on. A record is
-- written after the report it belongs to, whole or not at all; its key says of what it is the result. Never code: each
-- line is fields with tabs between them, and \t \n \\ inside a field.
local M = {}

local VERSION = "percuss result 1"

local function escape(x)
    if math.type(x) == "float" then return string.format("%.17g", x) end
    return (tostring(x):gsub("[\\\t\n\r]", { ["\\"] = "\\\\", ["\t"] = "\\t", ["\n"] = "\\n", ["\r"] = "\\r" }))
end

local function unescape(text)
    return (text:gsub("\\(.)", { ["\\"] = "\\", t = "\t", n = "\n", r = "\r" }))
end

-- A line of fields, and the fields of a line.
function M.line(...)
    local words = { ... }
    for i, word in ipairs(words) do words[i] = escape(word) end
    return table.concat(words, "\t") .. "\n"
end

function M.words(text)
    local words = {}
    for word in (text .. "\t"):gmatch("(.-)\t") do words[#words + 1] = unescape(word) end
    return words
end

local line = M.line

function M.write(key, file, result)
    local lines = { line(VERSION), line("key", key), line("id", result.id), line("file", file) }
    for _, remark in ipairs(result.remarks) do lines[#lines + 1] = line("remark", remark) end
    for _, part in ipairs(result.parts) do
        local points, score = part.points + 0.0, part.score + 0.0
        lines[#lines + 1] = line("part", part.name, points, score, part.verdict, part.message or "")
    end
    lines[#lines + 1] = line("end")
    return table.concat(lines)
end

-- The result in a record that has the key, or nil: then the submission has to be graded.
function M.read(text, key)
    local result = { parts = {}, remarks = {}, total = 0 }
    local complete, matches = false, false
    for row in text:gmatch("([^\n]*)\n") do
        local words = M.words(row)
        if words[1] == "key" then
            matches = words[2] == key
        elseif words[1] == "id" or words[1] == "file" then
            result[words[1]] = words[2]
        elseif words[1] == "remark" then
            table.insert(result.remarks, words[2])
        elseif words[1] == "part" then
            local points, score = tonumber(words[3]), tonumber(words[4])
            if not points or not score then return nil end
            local message = words[6] ~= "" and words[6] or nil
            table.insert(result.parts,
                { name = words[2], points = points, score = score, verdict = words[5], message = message })
            result.total = result.total + score
        elseif words[1] == "end" then
            complete = true
        end
    end
    return complete and matches and result.id and result or nil
end

return M
