-- Which submissions look alike: fingerprints of the program text by winnowing (Schleimer, Wilkerson and Aiken 2003,
-- Winnowing: local algorithms for document fingerprinting). Names, numbers, strings, comments and layout do not count.
-- What the template brought and what very many have in common is left out. A hint for a person, and no verdict.
--
-- The time is linear in the length of a text, whatever stands there, and of a text at most LONGEST bytes and MOST
-- fingerprints count: the least ones, which are a sample that two texts share (Broder 1997, On the resemblance and
-- containment of documents).
local M = {}

local LONGEST, MOST = 200000, 500
local GRAM, WINDOW = 12, 6 -- tokens of a gram; grams of which the least is kept
local COMMON = 0.3         -- a fingerprint that more of the class has says nothing,
local FEW = 10             -- but one that so few have always counts
local ALIKE = 0.5          -- share of common fingerprints from which a pair is told

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
    .. "until while"):gmatch("%a+") do keywords[word] = true end

-- Where the comment that begins at `at` ends; nil if it is none. `open` remembers brackets that nothing closes, so that
-- nobody is looked for twice in vain.
local function end_of_comment(text, at, open)
    if text:sub(at, at + 1) ~= "--" then return nil end
    if text:sub(at + 2, at + 3) == "[[" and not open.forever then
        local _, stop = text:find("]]", at + 4, true)
        if stop then return stop end
        open.forever = true
    end
    return (text:find("\n", at, true) or #text + 1) - 1
end

-- One letter or word a token.
local function tokens(text)
    local list, at, open = {}, 1, {}
    while at <= #text do
        local _, stop = text:find("^%s+", at)
        stop = stop or end_of_comment(text, at, open)
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

-- A number of 64 bits for each kind of token: FNV-1a of its letters, mixed as SplitMix64 does.
local codes = setmetatable({}, {
    __index = function(self, token)
        local h = 0xcbf29ce484222325
        for i = 1, #token do h = (h ~ token:byte(i)) * 0x100000001b3 end
        h = (h ~ (h >> 30)) * 0xbf58476d1ce4e5b9
        h = (h ~ (h >> 27)) * 0x94d049bb133111eb
        h = h ~ (h >> 31)
        self[token] = h
        return h
    end,
})

local BASE = 0x5851f42d4c957f2d -- odd, so that powers of it never vanish (Knuth's MMIX)

-- Hash of each gram: the polynomial of its tokens, rolled on from the one before, with its bits mixed.
local function grams(list)
    local hashes, h, first = {}, 0, 1
    for _ = 1, GRAM do first = first * BASE end
    for i, token in ipairs(list) do
        h = h * BASE + codes[token]
        if i > GRAM then h = h - first * codes[list[i - GRAM]] end
        if i >= GRAM then hashes[#hashes + 1] = h ~ (h >> 29) ~ (h << 17) end
    end
    return hashes
end

-- The least of each window, once each, in rising order; at most MOST.
function M.fingerprints(text)
    local hashes, found, list = grams(tokens(text:sub(1, LONGEST))), {}, {}
    for i = 1, math.max(1, #hashes - WINDOW + 1) do
        local least = hashes[i]
        for k = i + 1, math.min(i + WINDOW - 1, #hashes) do
            if hashes[k] < least then least = hashes[k] end
        end
        if least and not found[least] then
            found[least] = true
            list[#list + 1] = least
        end
    end
    table.sort(list)
    return { table.unpack(list, 1, math.min(#list, MOST)) }, #list > MOST
end

-- How many of a rising list are at most `x`.
local function count_to(list, x)
    local lo, hi = 0, #list
    while lo < hi do
        local middle = (lo + hi + 1) // 2
        if list[middle] <= x then lo = middle else hi = middle - 1 end
    end
    return lo
end

-- For each text the rising list of what counts, and up to which fingerprint it is complete.
local function distinctive(texts, template)
    local counts, known, sets = {}, {}, {}
    for _, print_ in ipairs(M.fingerprints(template)) do known[print_] = true end
    for i, entry in ipairs(texts) do
        local list, is_cut = M.fingerprints(entry[2])
        sets[i] = { list = list, upto = is_cut and list[#list] or math.maxinteger }
        for _, print_ in ipairs(list) do counts[print_] = (counts[print_] or 0) + 1 end
    end
    local most = math.max(FEW, COMMON * #texts)
    for _, set in ipairs(sets) do
        local kept = {}
        for _, print_ in ipairs(set.list) do
            if not known[print_] and counts[print_] <= most then kept[#kept + 1] = print_ end
        end
        set.list = kept
    end
    return sets
end

-- Pairs that look alike: { { first, second, share }, ... } in a fixed order. `texts`: { { id, text }, ... }.
function M.pairs(texts, template)
    local sets, owners, found = distinctive(texts, template), {}, {}
    for b, set in ipairs(sets) do
        local shared = {}
        for _, print_ in ipairs(set.list) do
            local before = owners[print_] or {}
            for _, a in ipairs(before) do shared[a] = (shared[a] or 0) + 1 end
            before[#before + 1] = b
            owners[print_] = before
        end
        for a, common in pairs(shared) do
            -- beyond where one of the two was cut nothing can be shared
            local upto = math.min(sets[a].upto, set.upto)
            local share = common / (count_to(sets[a].list, upto) + count_to(set.list, upto) - common)
            if common >= 4 and share >= ALIKE then found[#found + 1] = { texts[a][1], texts[b][1], share } end
        end
    end
    table.sort(found, function(p, q)
        if p[3] ~= q[3] then return p[3] > q[3] end
        return p[1] .. "\0" .. p[2] < q[1] .. "\0" .. q[2]
    end)
    return found
end

return M
