-- Units as students write them: "m/s", "N s", "mm", "kg*m^2/s", "N/m^1.5", "deg".
--
-- A unit is a factor to SI and the exponents of kg, m and s. An angle has no dimension: rad is 1 and deg pi/180.
local M = {}

local LONGEST, LARGEST = 100, 12 -- bytes of a unit; exponent

local named = {
    m = { 1, 0, 1, 0 }, s = { 1, 0, 0, 1 }, g = { 1e-3, 1, 0, 0 }, N = { 1, 1, 1, -2 }, J = { 1, 1, 2, -2 },
    W = { 1, 1, 2, -3 }, Pa = { 1, 1, -1, -2 }, Hz = { 1, 0, 0, -1 }, rad = { 1, 0, 0, 0 },
}
local whole = {
    min = { 60, 0, 0, 1 }, h = { 3600, 0, 0, 1 }, deg = { math.pi / 180, 0, 0, 0 }, ["°"] = { math.pi / 180, 0, 0, 0 },
    ["%"] = { 0.01, 0, 0, 0 }, ["1"] = { 1, 0, 0, 0 }, t = { 1000, 1, 0, 0 },
}
local prefixes = {
    G = 1e9, M = 1e6, k = 1e3, c = 1e-2, m = 1e-3, u = 1e-6, ["µ"] = 1e-6, ["μ"] = 1e-6, n = 1e-9,
}

local function find(word)
    local unit = whole[word] or named[word]
    if unit then return unit, 1 end
    for prefix, factor in pairs(prefixes) do
        if word:sub(1, #prefix) == prefix then
            unit = named[word:sub(#prefix + 1)]
            if unit then return unit, factor end
        end
    end
    return nil
end

-- { factor =, kg =, m =, s = }, or nil for a text that is no unit.
function M.parse(text)
    if #text > LONGEST then return nil end
    local total = { factor = 1, kg = 0, m = 0, s = 0 }
    local sign = 1
    text = text:gsub("·", " "):gsub("%*", " "):gsub("²", "^2"):gsub("³", "^3"):gsub("/", " / ")
    for word in text:gmatch("%S+") do
        if word == "/" then
            if sign < 0 then return nil end
            sign = -1
        else
            local name, power = word:match("^([^%^]+)%^(.+)$")
            local exponent = power and tonumber((power:gsub("[{}()]", ""))) or not power and 1
            local unit, factor = find(name or word)
            if not unit or not exponent or math.abs(exponent) > LARGEST then return nil end
            exponent = exponent * sign
            total.factor = total.factor * (unit[1] * factor) ^ exponent
            total.kg = total.kg + unit[2] * exponent
            total.m = total.m + unit[3] * exponent
            total.s = total.s + unit[4] * exponent
            sign = 1
        end
    end
    if sign < 0 then return nil end
    return total
end

function M.same_dimension(a, b)
    -- exponents such as 1.5 are sums of few terms: rounding stays far below this
    return math.abs(a.kg - b.kg) < 1e-9 and math.abs(a.m - b.m) < 1e-9 and math.abs(a.s - b.s) < 1e-9
end

return M
