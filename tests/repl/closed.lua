-- Objects used after they were closed or finalized: every function and method of the register that takes one, every
-- field and every metamethod. Prints a line that begins with "wrong: " for each answer that is none, the lines of what
-- is called while the state closes, and at the end how much was called.
local pc = require "percuss"
local public = require "public"

local called = 0

local function wrong(...)
    print("wrong: " .. string.format(...))
end

local function must_refuse(what, ok, message)
    called = called + 1
    local text = tostring(message)
    if ok or not (text:find("was closed", 1, true) or text:find("closed " , 1, true)) then
        wrong("%s answers %s", what, text)
    end
end

-- These say what a value is, whatever it is.
local tell = { type = true, help = true, lookup = true, ["prompt.show"] = true, ["prompt.text"] = true }

-- Every closable object in the arguments, in lists and options too; `owners`: and what these refer to.
local function find(x, owners, found, seen)
    found, seen = found or {}, seen or {}
    if type(x) ~= "table" and type(x) ~= "userdata" or seen[x] then return found end
    seen[x] = true
    if public.closable(x) then found[#found + 1] = x end
    if type(x) == "table" then
        for _, value in next, x do find(value, owners, found, seen) end
    elseif owners then
        for i = 1, 8 do find((debug.getuservalue(x, i)), owners, found, seen) end
    end
    return found
end

local function close(x)
    local _ <close> = x
end

local function answer(call)
    return pcall(call.f, table.unpack(call.args, 1, call.args.n))
end

-- ---- closed by a script ----

local covered = {}

local function used_closed(entry)
    local n = #find(public.call(entry).args)
    for i = 1, n do
        local call = public.call(entry)
        local object = find(call.args)[i]
        covered[public.closable(object)] = object
        close(object)
        close(object) -- which may be said twice
        if tell[entry.path] then
            answer(call)
        else
            must_refuse(entry.path, answer(call))
        end
    end
end

-- Views: their owner was closed, they were not. They may answer, but not crash.
local function used_without_owner(entry)
    for i = 1, #find(public.call(entry).args, true) do
        local call = public.call(entry)
        close(find(call.args, true)[i])
        answer(call)
        for _, object in ipairs(find(call.args)) do
            for _, field in ipairs(pc.lookup_fields(object)) do pcall(function() return object[field] end) end
            pcall(tostring, object)
        end
        called = called + 1
    end
end

-- ---- fields and metamethods ----

local fields = {}
for _, entry in ipairs(pc.register()) do
    if entry.kind == "type" then
        local names = {}
        for i, field in ipairs(entry.fields) do names[i] = field.name end
        fields["percuss." .. entry.path] = names
    end
end
function pc.lookup_fields(object) return fields[public.closable(object)] or {} end

local function use_all(x, name)
    for _, field in ipairs(fields[name]) do
        must_refuse(name .. "." .. field, pcall(function() return x[field] end))
    end
    local operations = {
        index = function() return x[1] end,
        newindex = function() x.field = 1 end,
        len = function() return #x end,
        call = function() return x(1) end,
        pairs = function() for _ in pairs(x) do error "it has a value" end end,
        concat = function() return x .. "text" end,
        concat_right = function() return "text" .. x end,
        unm = function() return -x end,
        add = function() return x + 1 end,
        sub = function() return 1 - x end,
        mul = function() return x * x end,
        div = function() return x / 2 end,
        mod = function() return x % 2 end,
        pow = function() return x ^ 2 end,
        idiv = function() return x // 2 end,
        band = function() return x & 1 end,
        bor = function() return x | 1 end,
        bxor = function() return x ~ 1 end,
        bnot = function() return ~x end,
        shl = function() return x << 1 end,
        shr = function() return x >> 1 end,
        lt = function() return x < x end,
        le = function() return x <= x end,
        ipairs = function() for _ in ipairs(x) do error "it has a value" end end,
    }
    for operation, use in pairs(operations) do must_refuse(name .. " " .. operation, pcall(use)) end
    local short = name:gsub("^percuss%.", "")
    if tostring(x) ~= short .. " (closed)" then wrong("tostring of a closed %s is %s", name, tostring(x)) end
    if pc.type(x) ~= "closed " .. short then wrong("type of a closed %s is %s", name, pc.type(x)) end
    if x ~= x or x == {} then wrong("a closed %s is not itself", name) end
end

-- ---- used by a finalizer that runs after its own ----

-- What was made before its arguments is finalized after them.
local function in_finalizer(entry, done)
    local guard = setmetatable({}, { __gc = function(self) done(self.call, answer(self.call)) end })
    guard.call = public.call(entry)
    return guard
end

local function used_finalized(entry)
    local finished
    in_finalizer(entry, function(call, ok, message)
        finished = true
        if not tell[entry.path] then must_refuse(entry.path .. " in a finalizer", ok, message) end
        for _, object in ipairs(find(call.args)) do
            wrong("%s was not finalized before (%s)", entry.path, public.closable(object))
        end
    end)
    collectgarbage()
    collectgarbage()
    if not finished then wrong("%s: the finalizer did not run", entry.path) end
end

-- ---- all of it ----

local kept = {} -- until the state closes

for _, entry in ipairs(public.entries()) do
    local call = public.call(entry)
    if call and #find(call.args, true) > 0 then
        used_without_owner(entry)
        if #find(call.args) > 0 then
            used_closed(entry)
            used_finalized(entry)
            if not tell[entry.path] then
                kept[#kept + 1] = in_finalizer(entry, function(_, ok, message)
                    must_refuse(entry.path .. " at the end", ok, message)
                    print "called at the end"
                end)
            end
        end
    end
end

for name in pairs(fields) do
    local meta = debug.getregistry()[name]
    if meta.__close then
        if covered[name] then use_all(covered[name], name) else wrong("nothing takes a %s", name) end
    end
end

print(("%d calls, %d left for the end"):format(called, #kept))
