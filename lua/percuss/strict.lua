-- Globals that do not exist, read by what a person wrote: an error that names the nearest one, instead of a nil that is
-- noticed three lines later or never. Modules, and chunks that a script loads, keep Lua's rule: many ask for a global
-- to find out where they run.
--
-- One metatable of _G does it. It is asked for missing names alone, so that the others cost what they cost in Lua, and
-- looks who asks. Whoever gives _G another metatable has Lua's rule back.
local strict = {}

local globals, get_info = _G, debug.getinfo
local lua_table, lua_type = table, type

-- Sources of the chunks that are held to it, as debug.getinfo has them.
local watched = {}

-- Names that have had a value may be nil later.
local declared = {}

-- Globals of other versions of Lua, by which scripts tell them apart, as in "unpack or table.unpack".
for name in ("bit bit32 getfenv jit loadstring module newproxy setfenv unpack"):gmatch "%w+" do
    declared[name] = true
end

-- The name among the globals and those of percuss that was meant; nil if none is near.
local function nearest(name)
    local pc = require "percuss"
    local words, candidates = {}, {}
    for _, names in ipairs{ globals, pc } do
        for key in next, names do
            if type(key) == "string" then words[#words + 1] = key end
        end
    end
    table.sort(words)
    -- percuss.nearest takes 256 words at once: the nearest of the nearest
    for first = 1, #words, 256 do
        candidates[#candidates + 1] = pc.nearest(name, { table.unpack(words, first, math.min(first + 255, #words)) })
    end
    return pc.nearest(name, candidates)
end

-- The sentence about a name that does not exist. `has_names`: those of percuss need no prefix.
function strict.complaint(name, has_names)
    local near = nearest(name)
    if not near then return ("'%s' is not defined"):format(name) end
    if rawget(globals, near) ~= nil or has_names then
        return ("'%s' is not defined; did you mean '%s'?"):format(name, near)
    end
    return ("'%s' is not defined; did you mean require \"percuss\".%s?"):format(name, near)
end

-- __index of _G: level 2 is the function that asks.
local function missing(_, name)
    if type(name) ~= "string" or declared[name] then return nil end
    local who = get_info(2, "S")
    if who and watched[who.source] then error(strict.complaint(name), 2) end
end

local function declare(_, name, value)
    declared[name] = true
    rawset(globals, name, value)
end

-- Hold the chunk of a source to it from now on.
function strict.watch(source)
    watched[source] = true
    if getmetatable(globals) then return end
    for name in next, globals do declared[name] = true end
    setmetatable(globals, { __index = missing, __newindex = declare })
end

-- Lua and percuss both have a `table` and a `type`. Where the names of percuss are known, Lua's library can be called
-- as percuss.table, and percuss.type stands for Lua's, whose words it has for Lua's values. What percuss has by the
-- name of one of Lua's values:
function strict.namesake(value)
    if value == lua_table then return require("percuss").table end
    if value == lua_type then return require("percuss").type end
    return nil
end

-- An _ENV for what is typed or follows -e: the globals, with their namesakes. `unknown(name)` answers for names that
-- have had no value here, or raises at level 3.
function strict.view(unknown)
    local assigned = {}
    if not getmetatable(lua_table) then
        setmetatable(lua_table, { __call = function(_, ...) return require("percuss").table(...) end })
    end
    return setmetatable({}, {
        globals = globals, -- for whoever looks for the values behind the names (percuss.identity)
        __index = function(_, name)
            local value = globals[name]
            if value == lua_type then return strict.namesake(value) end
            if value == nil and not assigned[name] then value = unknown(name) end
            return value
        end,
        __newindex = function(_, name, value)
            assigned[name] = true
            globals[name] = value
        end,
        __pairs = function() return next, globals, nil end,
    })
end

-- The _ENV of what follows -e: names of percuss, and show, are known without being globals.
local function command_line(is_strict)
    return strict.view(function(name)
        local pc = require "percuss"
        local value = (name == "pc" or name == "percuss") and pc or rawget(pc, name)
        if name == "show" then value = pc.prompt.show end
        if value == nil and is_strict and not declared[name] then error(strict.complaint(name, true), 3) end
        return value
    end)
end

local views = {} -- one for all chunks

function strict.command_line(is_strict)
    views[is_strict] = views[is_strict] or command_line(is_strict)
    return views[is_strict]
end

return strict
