-- Every public function, constructor and method with wrong arguments: what its example passes, with one thing changed.
-- Usage: wrong.lua LOG SEED SHARE FIRST. Writes into LOG, before each call from the FIRST on, a line "NUMBER what", and
-- after it a line that begins with "wrong: " for each message that does not name the script's line, or names a place or
-- a variable of the library; at the end "done NUMBER". SHARE of the calls, chosen by SEED, are made.
local log_name, seed, share, first = arg[1], tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])
local pc = require "percuss"
local public = require "public"

local log = assert(io.open(log_name, "a"))
local function say(...)
    log:write(string.format(...), "\n")
    log:flush()
end

-- ---- what is wrong with a message ----

-- The script that calls; a callback of an example answers for itself.
local call = load("return function(f, ...) return f(...), 1 end", "=script")()
local leaks = {
    "percuss%.[%w_]+:%d", "lua/percuss/", "%(local '", "%(upvalue '", "%(field '", "%(global '", "%(method '",
    "%(constant '", "%(for ", "attempt to ", "bad argument",
}

-- The sentence about a message, or nil.
local function fault(message)
    local text = message
    if type(text) ~= "string" then
        if pcall(function() text = message.message or tostring(message) end) and type(text) ~= "string" then
            return "is a " .. type(message)
        end
    end
    if text == "trap" or text == "not enough memory" or text:find "example:%d+: " then return nil end
    for _, pattern in ipairs(leaks) do
        if text:find(pattern) then return ("says %q"):format(text) end
    end
    if not text:find "^script:1: " then return ("does not name the script's line: %q"):format(text) end
    return nil
end

-- ---- what is passed ----

local nothing = {} -- stands for nil
local trap = setmetatable({}, { __index = function() error("trap", 0) end, __len = function() error("trap", 0) end,
                                __call = function() error("trap", 0) end, __pairs = function() error("trap", 0) end })

local function values()
    return {
        { "nil", nothing }, { "true", true }, { "false", false }, { "0", 0 }, { "-1", -1 }, { "1.5", 1.5 },
        { "1e300", 1e300 }, { "-1e300", -1e300 }, { "5e-324", 5e-324 }, { "2^53", 2 ^ 53 },
        { "mininteger", math.mininteger },
        { "maxinteger", math.maxinteger }, { "NaN", 0 / 0 }, { "inf", 1 / 0 }, { "-inf", -1 / 0 }, { '""', "" },
        { '"nonsense"', "nonsense" }, { '"1"', "1" }, { '"a\\0b"', "a\0b" }, { "long text", ("x"):rep(3000) },
        { "{}", {} }, { "{ 1 }", { 1 } }, { "{ NaN }", { 0 / 0 } }, { "{ 'a' }", { "a" } }, { "{ {} }", { {} } },
        { "{ name }", { no_such_name = 1 } }, { "{ nil, 1 }", { nil, 1 } }, { "{ true }", { true } },
        { "trap", trap }, { "function", function() end }, { "function of text", function() return "text" end },
        { "function that fails", function() error("trap", 0) end }, { "coroutine", coroutine.create(print) },
        { "file", io.stdout }, { "array", pc.array{ 1, 2 } }, { "empty array", pc.array{} },
        { "figure", pc.chart.figure{} }, { "body", pc.body.matrix{ mobility = { { 1, 0 }, { 0, 1 } } } },
    }
end

-- Names that the table at a place takes.
local function option_names(entry, table_at)
    local names, seen = {}, {}
    local function add(rows)
        for _, row in ipairs(rows or {}) do
            if not seen[row.name] then
                seen[row.name] = true
                names[#names + 1] = row.name
            end
        end
    end
    add(entry.rows)
    if entry.named then add(entry.params) end
    local param = (entry.params or {})[table_at]
    if param then add(param.options) end
    if param and table_at == 1 and not param.options then add(entry.params) end -- figures: params are the options
    return names
end

local function copy(t)
    local new = setmetatable({}, getmetatable(t))
    for k, v in next, t do rawset(new, k, v) end
    return new
end

-- Every place in the arguments that can be given something else: a list of { name, function that takes a value and
-- returns the arguments with it }. Of lists within arguments the first and the last element are places.
local function places(entry, args)
    local list = {}

    -- `with(value)` makes the arguments in which `value` stands where `given` stood.
    local function add(name, given, with, table_at, depth)
        list[#list + 1] = { name, with }
        if type(given) ~= "table" or depth > 4 then return end
        local keys, seen = {}, {}
        local function key_is(key)
            if not seen[key] then keys[#keys + 1], seen[key] = key, true end
        end
        for key in next, given do
            if depth == 1 or type(key) == "string" or key == 1 or key == #given then key_is(key) end
        end
        if table_at then
            for _, key in ipairs(option_names(entry, table_at)) do key_is(key) end
            key_is "no_such_option"
            key_is(99)
        end
        table.sort(keys, function(x, y) return tostring(x) < tostring(y) end)
        for _, key in ipairs(keys) do
            add(("%s[%s]"):format(name, tostring(key)), rawget(given, key), function(value)
                local new = copy(given)
                if value == nothing then value = nil end
                rawset(new, key, value)
                return with(new)
            end, nil, depth + 1)
        end
    end

    local self = entry.kind == "method" and 1 or 0
    for i = 1, math.max(args.n, self + #(entry.params or {})) do
        add(("argument %d"):format(i - self), args[i], function(value)
            local new = table.pack(table.unpack(args, 1, args.n))
            if value == nothing then value = nil end
            new[i], new.n = value, math.max(args.n, i)
            return new
        end, i - self, 1)
    end
    return list
end

-- ---- the calls ----

local count = 0
math.randomseed(seed)

local function try(what, f, args, fresh)
    count = count + 1
    if math.random() >= share or count < first then return end
    say("%d %s", count, what)
    local results = table.pack(pcall(call, f, table.unpack(args, 1, args.n)))
    local message
    if not results[1] then
        message = results[2]
        if message == nil then message = "nil" end
    elseif results[2] == nil and type(results[3]) == "string" then
        message = "script:1: " .. results[3] -- the environment's failure is told without a place
    end
    local wrong = message ~= nil and fault(message)
    if wrong then say("wrong: %s: %s", what, wrong) end
    fresh()
end

for _, entry in ipairs(public.entries()) do
    local made = public.call(entry)
    local calls = 0
    local function fresh() -- what a call may have changed
        calls = calls + 1
        if calls % 50 == 0 then made = public.call(entry) end
    end
    local path = entry.path
    for _, place in ipairs(places(entry, made.args)) do
        for _, value in ipairs(values()) do
            try(("%s, %s = %s"):format(path, place[1], value[1]), made.f, place[2](value[2]), fresh)
        end
    end
    for n = 0, made.args.n - 1 do
        try(("%s, %d arguments"):format(path, n), made.f, table.pack(table.unpack(made.args, 1, n)), fresh)
    end
    local many = table.pack(table.unpack(made.args, 1, made.args.n))
    for i = 1, 20 do many[many.n + i] = values()[i][2] end
    many.n = many.n + 20
    try(path .. ", too many arguments", made.f, many, fresh)
end

say("done %d", count)
