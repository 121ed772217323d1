-- Results made in Lua whose misspelt fields are errors that name the nearest one, as in those made in C
-- (src/bind/record.c).
local pc = require "percuss"
local define = require "percuss.record_type"
local checked = require "percuss.argument"

local record = {}

-- Make a table of results a record that has the fields it has now, and perhaps the words of `optional`, as in "a b c".
function record.seal(t, optional)
    optional = " " .. (optional or "") .. " "
    return setmetatable(t, {
        __index = function(self, key)
            if type(key) ~= "string" or optional:find(" " .. key .. " ", 1, true) then return nil end
            local words = {}
            for name in next, self do
                if type(name) == "string" and name:match "^%a" then words[#words + 1] = name end
            end
            for word in optional:gmatch "%S+" do words[#words + 1] = word end
            table.sort(words)
            local near = pc.nearest(key, words)
            error(("there is no field '%s' here%s"):format(key, near and "; did you mean '" .. near .. "'?" or ""), 2)
        end,
        __tostring = function(self) return require "percuss.pretty".plain(self) end,
        __record = true,
    })
end

-- Let records of a type print by the function `text` of a module instead of as plain tables.
function record.text(name, module)
    local meta = define(name)
    meta.__record = nil
    meta.__tostring = function(self) return require(module).text(self) end
end

-- A type of records: help, completion and the annotations for editors know its fields, rows { name, unit, doc }.
function record.type(name, entry)
    local fields = {}
    for i, row in ipairs(entry.fields) do fields[i] = { name = row[1], unit = row[2], doc = row[3] } end
    define(name, fields)
    pc.document(name, nil, { kind = "type", summary = entry.summary, fields = fields })
end

-- A method of a type of records: it is in a module, which is loaded at the first call.
function record.method(owner, name, module, entry)
    local f = checked(owner .. ":" .. name, function(...) return require(module)[name](...) end, entry, owner)
    entry.kind = "method"
    pc.extend("percuss." .. owner, name, f)
    pc.document(owner .. ":" .. name, f, entry)
end

-- Make a table a record of a type.
function record.make(name, t)
    return setmetatable(t, define(name))
end

return record
