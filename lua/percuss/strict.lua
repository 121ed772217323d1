-- Globals that do not exist, read by what a person wrote: an error that names the nearest one, instead of a nil that is
-- noticed three lines later or never. Modules, and chunks that a script loads, keep Lua's rule: many ask for a global
-- to find out where they run.
--
-- One metatable of _G does it. It is asked for missing names alone, so that the others cost what they cost in Lua, and
-- looks who asks. Whoever gives _G another metatable has Lua's rule back.
local strict = {}

local globals, get_info = _G, debug.getinfo

-- Rules by the source of a chunk, as debug.getinfo has it: { names = (those of percuss are known), strict = }.
local rules = {}

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
    local who = get_info(2, "S")
    local rule = who and rules[who.source]
    if not rule or type(name) ~= "string" then return nil end
    if rule.names then
        local pc = require "percuss"
        local value = (name == "pc" or name == "percuss") and pc or rawget(pc, name)
        if value ~= nil then return value end
    end
    if rule.strict and not declared[name] then error(strict.complaint(name, rule.names), 2) end
end

local function declare(_, name, value)
    declared[name] = true
    rawset(globals, name, value)
end

-- What the chunk of a source may ask for from now on.
function strict.watch(source, is_strict, has_names)
    rules[source] = { strict = is_strict, names = has_names }
    if getmetatable(globals) then return end
    for name in next, globals do declared[name] = true end
    setmetatable(globals, { __index = missing, __newindex = declare })
end

return strict
