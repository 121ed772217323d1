-- Arrays against Lua tables at the same work: how many times faster, and how much memory a loop of temporaries takes.
-- Times are minima of repeats; both sides run in the same process.

local pc = require "percuss"

local function fastest(repeats, f)
    local best = math.huge
    for _ = 1, repeats do
        collectgarbage()
        local start = os.clock()
        f()
        best = math.min(best, os.clock() - start)
    end
    return best
end

local n = 1000000
local a = pc.linspace(0, 1, n)

-- First, while nothing else is alive: the collector lets memory double before it begins a cycle.
local peak = 0
for i = 1, 800 do
    local _ = a * i
    peak = math.max(peak, collectgarbage "count")
end
print(("800 temporaries of 8 MB: %.1f MB in use at most"):format(peak * 1024 / 1e6))

local b = (a * 1e4):sin()
local s, t = a:totable(), b:totable()

local cases = {
    { "a * 2 + b", function() return a * 2 + b end, function()
        local r = {}
        for i = 1, n do r[i] = s[i] * 2 + t[i] end
        return r
    end },
    { "sin", function() return a:sin() end, function()
        local r, sin = {}, math.sin
        for i = 1, n do r[i] = sin(s[i]) end
        return r
    end },
    { "sum", function() return a:sum() end, function()
        local sum = 0.0
        for i = 1, n do sum = sum + s[i] end
        return sum
    end },
    { "a[a:lt(b)]", function() return a[a:lt(b)] end, function()
        local r = {}
        for i = 1, n do
            if s[i] < t[i] then r[#r + 1] = s[i] end
        end
        return r
    end },
    { "sort", function() return b:sort() end, function()
        local r = table.move(t, 1, n, 1, {})
        table.sort(r)
        return r
    end },
    { "a[i] in Lua", function() for i = 1, n do local _ = a[i] end end, function()
        for i = 1, n do local _ = s[i] end
    end },
}

for _, case in ipairs(cases) do
    local array, tables = fastest(5, case[2]), fastest(3, case[3])
    local line = "%-12s %8.2f ns an element, %6.2f times as fast as a Lua table"
    print(line:format(case[1], array / n * 1e9, tables / array))
end
