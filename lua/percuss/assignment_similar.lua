-- Which submissions look alike: fingerprints of the program text by winnowing (Schleimer, Wilkerson and Aiken 2003,
-- Winnowing: local algorithms for document fingerprinting). Names, numbers, strings, comments and layout do not count.
-- What the template brought and what very many have in common is left out. A hint for a person, and no verdict.
local random = require "percuss.assignment_random"

local M = {}

local GRAM, WINDOW = 12, 6 -- tokens of a gram; grams of which the least is kept
local COMMON = 0.3         -- a fingerprint that more of the class has says nothing,
local FEW = 10             -- but one that so few have always counts
local ALIKE = 0.5          -- share of common fingerprints from which a pair is told

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
    .. "until while"):gmatch("%a+") do keywords[word] = true end

-- One letter or word a token.
local function tokens(text)
    text = text:gsub("%-%-%[%[.-%]%]", " "):gsub("%-%-[^\n]*", " ")
    local list, at = {}, 1
    while at <= #text do
        local _, stop = text:find("^%s+", at)
        if not stop then
            local word = text:match("^[%a_][%w_]*", at)
            local number = not word and text:match("^%.?%d[%w%.]*", at)
            local quote = not word and not number and (text:match('^"[^"\n]*"', at) or text:match("^'[^'\n]*'", at))
            local token = word and (keywords[word] and word or "v") or number and "0" or quote and "s"
                or text:sub(at, at)
            list[#list + 1] = token
            stop = at + #(word or number or quote or " ") - 1
        end
        at = stop + 1
    end
    return list
end

-- Set of fingerprints.
function M.fingerprints(text)
    local list, hashes, found = tokens(text:sub(1, 200000)), {}, {}
    for i = 1, #list - GRAM + 1 do hashes[i] = random.digest(table.concat(list, " ", i, i + GRAM - 1)) end
    for i = 1, math.max(1, #hashes - WINDOW + 1) do
        local least
        for k = i, math.min(i + WINDOW - 1, #hashes) do
            if not least or hashes[k] < least then least = hashes[k] end
        end
        if least then found[least] = true end
    end
    return found
end

local function size(set)
    local n = 0
    for _ in pairs(set) do n = n + 1 end
    return n
end

-- Pairs that look alike: { { first, second, share }, ... } in a fixed order. `texts`: { { id, text }, ... }.
function M.pairs(texts, template)
    local counts, sets = {}, {}
    local known = M.fingerprints(template)
    for i, entry in ipairs(texts) do
        sets[i] = M.fingerprints(entry[2])
        for print_ in pairs(sets[i]) do counts[print_] = (counts[print_] or 0) + 1 end
    end
    local most = math.max(FEW, COMMON * #texts)
    local owners, shared = {}, {}
    for i, set in ipairs(sets) do
        for print_ in pairs(set) do
            if known[print_] or counts[print_] > most then
                set[print_] = nil
            else
                owners[print_] = owners[print_] or {}
                table.insert(owners[print_], i)
            end
        end
    end
    for _, list in pairs(owners) do
        for a = 1, #list do
            for b = a + 1, #list do
                local key = list[a] * #texts + list[b]
                shared[key] = (shared[key] or 0) + 1
            end
        end
    end
    local found = {}
    for a = 1, #texts do
        for b = a + 1, #texts do
            local common = shared[a * #texts + b]
            local share = common and common / (size(sets[a]) + size(sets[b]) - common)
            if share and common >= 4 and share >= ALIKE then found[#found + 1] = { texts[a][1], texts[b][1], share } end
        end
    end
    table.sort(found, function(p, q)
        if p[3] ~= q[3] then return p[3] > q[3] end
        return p[1] .. "\0" .. p[2] < q[1] .. "\0" .. q[2]
    end)
    return found
end

return M
