-- Parts that ask for a function: a force law, a solver, a map from before to after. The student's function stays in the
-- sandbox; here it is a stand-in that sends arguments there. It is tried on hidden arguments against the right values,
-- and by properties that any right answer has (no force at no overlap, energy never created).
local random = require "percuss.assignment_random"
local cut = require("percuss.assignment_text").cut

local M = {}

local refusal = {} -- metatable of what the stand-in raises when the answer is no number

local function near(x, right, part)
    local allowed = math.max(part.absolute or 0, part.relative * math.abs(right))
    return math.abs(x - right) <= allowed * (1 + 1e-12)
end

local function arguments_text(arguments)
    local words = {}
    for i, argument in ipairs(arguments) do
        words[i] = type(argument) == "number" and string.format("%.6g", argument) or type(argument)
    end
    return table.concat(words, ", ")
end

-- Refuse what is not a finite number, naming the arguments.
local function checked(x, arguments)
    if type(x) == "number" and x == x and x ~= math.huge and x ~= -math.huge then return x end
    local what = type(x) == "number" and "not a finite number" or "a " .. type(x) .. ", not a number"
    error(setmetatable({ text = string.format("for (%s) the result is %s", arguments_text(arguments), what) }, refusal))
end

-- The stand-in: f(...) for one call, f.each(list) for many at once.
local function stand_in(ask)
    local f = {}
    function f.each(list)
        local results = ask(list)
        local numbers = {}
        for i, arguments in ipairs(list) do numbers[i] = checked(results[i], arguments) end
        return numbers
    end
    return setmetatable(f, { __call = function(_, ...) return f.each({ { ... } })[1] end })
end

local function test_values(part, data, f, numbers)
    local list = part.inputs(numbers, data)
    for i, x in ipairs(f.each(list)) do
        local right = part.answer(data, table.unpack(list[i]))
        if not near(x, right, part) then
            return false, string.format("the value for (%s) is wrong", arguments_text(list[i]))
        end
    end
    return true
end

-- A test that stopped: its message, and whether the teacher has to hear of it. A property may carry the student's
-- function into a solver, which stops where the function makes no sense: then it does not hold. What ended the part,
-- and an interruption, go on; the right values are the assignment's own affair.
local function why_stopped(failure, is_property)
    if getmetatable(failure) == refusal then return failure.text, false end
    local code = type(failure) == "table" and failure.code -- percuss's own errors have one
    if not is_property or code == "interrupted" or not code and type(failure) ~= "string" then error(failure, 0) end
    return "it cannot be tested: " .. cut(tostring(failure), 500), true
end

-- `ask(list of argument lists)` returns the list of results, or raises what ended the part. Values against the right
-- ones count as one property.
function M.judge(part, data, _, ask)
    local f = stand_in(ask)
    local tests = {}
    if part.answer then tests[1] = { "values", test_values } end
    for _, property in ipairs(part.properties or {}) do
        tests[#tests + 1] = { property.name, function(_, d, g, numbers) return property.test(g, d, numbers) end }
    end
    assert(#tests > 0, "the part " .. part.name .. " has neither answer nor properties")
    local passed, messages, remark = 0, {}, nil
    for i, test in ipairs(tests) do
        local numbers = random.new(part.name .. i)
        local ran, ok, message = pcall(test[2], part, data, f, numbers)
        if not ran then
            local is_news
            message, is_news = why_stopped(ok, test[2] ~= test_values)
            ok = false
            if is_news then remark = "the test of the part " .. part.name .. " stopped: " .. message end
        end
        if ok then
            passed = passed + 1
        else
            messages[#messages + 1] = test[1] .. ": " .. (message or "not so")
        end
    end
    local score = passed / #tests
    local verdict = score == 1 and "right" or score > 0 and "partly" or "wrong"
    return {
        verdict = verdict, score = score, message = #messages > 0 and table.concat(messages, "; ") or nil,
        remark = remark,
    }
end

return M
