-- Results made in Lua whose misspelt fields are errors that name the nearest one, as in those made in C
-- (src/bind/record.c).
local pc = require "percuss"

local record = {}

-- The words of `optional`, as in "a b c", may be absent.
local function complain(t, methods, optional, key)
    if type(key) ~= "string" or (" " .. optional .. " "):find(" " .. key .. " ", 1, true) then return nil end
    local words = {}
    for _, names in ipairs{ t, methods } do
        for name in next, names do
            if type(name) == "string" and name:match "^%a" then words[#words + 1] = name end
        end
    end
    for word in optional:gmatch "%S+" do words[#words + 1] = word end
    table.sort(words)
    local near = pc.nearest(key, words)
    error(("there is no field '%s' here%s"):format(key, near and "; did you mean '" .. near .. "'?" or ""), 3)
end

-- Make a table of results a record.
function record.seal(t, optional)
    return setmetatable(t, {
        __index = function(self, key) return complain(self, {}, optional or "", key) end,
        __tostring = function(self) return require "percuss.pretty".plain(self) end,
        __record = true,
    })
end

-- __index of results with methods.
function record.index(methods, optional)
    return function(self, key)
        local method = methods[key]
        if method ~= nil then return method end
        return complain(self, methods, optional or "", key)
    end
end

return record
