-- What a student handed in for a number: value, unit and digits, and how it stands to the right value.
--
-- Accepted are 4.43, "4.43 m/s", { 4.43, "m/s" } and two results 4.43, "m/s". Only a text says how many digits were
-- meant: 4.40 and 4.4 are one number.
local unit = require "percuss.assignment_unit"

local M = {}

local LONGEST = 200 -- bytes of a text that can be a number with its unit

-- Significant digits of a decimal text; zeros in front do not count.
function M.digits(text)
    local mantissa = text:gsub("[eE].*$", ""):gsub("[^%d]", ""):gsub("^0+", "")
    return #mantissa
end

local function split(text)
    local number, rest = text:match("^%s*([%+%-]?[%d%.]+[eE][%+%-]?%d+)%s*(.-)%s*$")
    if not number then number, rest = text:match("^%s*([%+%-]?[%d%.]+)%s*(.-)%s*$") end
    return number, rest
end

-- The shortest decimal text of a float.
local function shortest(x)
    for digits = 1, 17 do
        local text = string.format("%." .. digits .. "g", x)
        if tonumber(text) == x then return text end
    end
end

-- From the values of a reply: { x =, unit = (text or nil), digits =, written = }, or nil and what is wrong with it.
function M.read(values, n)
    local first, second = values[1], values[2]
    if n == 0 or first == nil then return nil, "missing", "there is no answer yet" end
    if type(first) == "table" and first[1] ~= nil and first.opaque == nil then first, second = first[1], first[2] end
    if type(first) == "string" then
        if #first > LONGEST then return nil, "not a number", "the text is too long for a number with a unit" end
        if first:match("^%s*[%+%-]?%d+,%d") then return nil, "not a number", "write a decimal point, not a comma" end
        local number, rest = split(first)
        local x = number and tonumber(number)
        if not x then return nil, "not a number", "the text is no number with a unit, such as \"4.43 m/s\"" end
        if rest == "" then rest = second end
        return { x = x + 0.0, unit = rest, digits = M.digits(number), written = true }
    end
    if type(first) ~= "number" then
        local what = type(first) == "table" and type(first.opaque) == "string" and first.opaque or type(first)
        return nil, "not a number", "the answer is a " .. what .. ", not a number"
    end
    if first ~= first or first == math.huge or first == -math.huge then
        return nil, "not a number", "the answer is not a finite number"
    end
    first = first + 0.0 -- an integer need not be a float's value
    return { x = first, unit = second, digits = M.digits(shortest(first)), written = false }
end

-- Is |x - right| within the tolerance? The edge itself is inside: the slack is what rounding does to the difference.
function M.near(x, right, part)
    local tolerance = math.max(part.absolute or 0, (part.relative or 0) * math.abs(right))
    return math.abs(x - right) <= tolerance * (1 + 1e-12) + 4 * 0x1p-52 * math.abs(right)
end

-- Does the number, as written, agree with `right` rounded to the digits it has?
local function agrees_as_written(value, x, right)
    if right == 0 then return x == 0 end
    local digits = math.max(1, value.digits)
    return string.format("%." .. digits - 1 .. "e", x) == string.format("%." .. digits - 1 .. "e", right)
end

-- The answer in SI, or nil, verdict, message.
local function to_si(value, part)
    local wanted = assert(unit.parse(part.unit), "the part " .. part.name .. " has no unit that can be read")
    if type(value.unit) ~= "string" or value.unit == "" then
        if part.unit == "" then return value.x end
        return nil, "wrong unit", "the unit is missing: write \"number unit\" or return number, \"unit\""
    end
    local given = unit.parse(value.unit)
    if not given then return nil, "wrong unit", "the unit cannot be read" end
    if not unit.same_dimension(given, wanted) then
        return nil, "wrong unit", "the unit measures something else"
    end
    return value.x * given.factor
end

-- Wrong answers that are recognised everywhere.
local function common_mistake(x, right, part)
    if right == 0 then return nil end
    if M.near(-x, right, part) then return "the sign is wrong" end
    if part.unit == "rad" and M.near(math.rad(x), right, part) then return "this looks like degrees, not radians" end
    if part.unit == "rad" and M.near(math.deg(x), right, part) then return "an angle was converted once too often" end
    for _, factor in ipairs{ 1e3, 1e-3, 1e6, 1e-6, 1e2, 1e-2 } do
        if M.near(x * factor, right, part) then
            return string.format("it is wrong by a power of ten: look at the prefix of the unit")
        end
    end
end

-- Verdict of a number: { verdict, score, message }.
function M.judge(part, data, values, n)
    local value, verdict, message = M.read(values, n)
    if not value then return { verdict = verdict, score = 0, message = message } end
    local x
    x, verdict, message = to_si(value, part)
    if not x then return { verdict = verdict, score = 0, message = message } end
    local right = part.answer_of(data)
    local si = assert(unit.parse(part.unit)).factor
    right = right * si
    local scaled = { absolute = part.absolute and part.absolute * si, relative = part.relative, unit = part.unit }
    local short = part.digits and value.digits < part.digits
    if short and value.written and (M.near(x, right, scaled) or agrees_as_written(value, x, right)) then
        return { verdict = "too few digits", score = 0, message = "give " .. part.digits .. " significant digits" }
    end
    if M.near(x, right, scaled) then return { verdict = "right", score = 1 } end
    if short and agrees_as_written(value, x, right) then
        return { verdict = "too few digits", score = 0, message = "give " .. part.digits .. " significant digits" }
    end
    for _, mistake in ipairs(part.mistakes or {}) do
        local wrong = mistake.answer(data, right / si)
        if wrong and M.near(x, wrong * si, scaled) then
            local credit = mistake.credit or 0
            return { verdict = credit > 0 and "partly" or "wrong", score = credit, message = mistake.message }
        end
    end
    return { verdict = "wrong", score = 0, message = common_mistake(x, right, scaled) }
end

return M
