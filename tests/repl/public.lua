-- Every public function, constructor and method with arguments that it takes: the register says what there is, and what
-- an entry's example passes to it is a good call.
local pc = require "percuss"

local public = {}

-- The table and the key under which the value of a path is found: "ode.solve", "array:slice".
local function holder(path)
    local owner, method = path:match "^([%w_]+):(.+)$"
    if owner then return debug.getregistry()["percuss." .. owner].__names, method end
    local group, name = path:match "^([%w_]+)%.(.+)$"
    if group then return pc[group], name end
    if type(pc[path]) == "table" then return getmetatable(pc[path]), "__call" end -- array{ ... }
    return pc, path
end

-- Run an example as the manual promises it can be run, without its output.
function public.run_example(example)
    local env = setmetatable({ percuss = pc, pc = pc, print = function() end }, {
        __index = function(_, name)
            local value = _G[name]
            if value == nil then value = rawget(pc, name) end
            return value
        end,
    })
    assert(load(example, "=example", "t", env))()
end

-- { path, kind, f, args (packed), owner (of a method) } of an entry: the first call that its example makes of it. Nil
-- where the example does not call it directly.
function public.call(entry)
    local where, key = holder(entry.path)
    local f = rawget(where, key)
    if type(f) ~= "function" then return nil end
    local args
    rawset(where, key, function(...)
        args = args or table.pack(...)
        return f(...)
    end)
    local ok, problem = pcall(public.run_example, entry.example)
    rawset(where, key, f)
    if not ok then error(entry.path .. ": its example fails: " .. tostring(problem)) end
    if not args then return nil end
    if key == "__call" then -- what is called is the table itself
        f, args = pc[entry.path], table.pack(table.unpack(args, 2, args.n))
    end
    return { path = entry.path, kind = entry.kind, f = f, args = args, owner = entry.path:match "^(%w+):" }
end

-- What a fuzz would spoil for the calls after it, what waits for a person, or what ends the program.
public.apart = { extend = true, document = true, ["prompt.exit"] = true }

function public.entries()
    local list = {}
    for _, entry in ipairs(pc.register()) do
        if entry.example and not public.apart[entry.path] then list[#list + 1] = entry end
    end
    return list
end

-- The type of a percuss object that can be closed, or nil.
function public.closable(x)
    if type(x) ~= "userdata" then return nil end
    local meta = debug.getmetatable(x)
    return meta and meta.__names and meta.__close and meta.__name or nil
end

return public
