-- Results made in Lua whose misspelt fields are errors that name the nearest one, as in those made in C
-- (src/bind/core/type.c).
local pc = require "percuss"
local define = require "percuss.record_type"
local checked = require("percuss.argument").checked
local refuse = require "percuss.refuse"

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

-- What records were as they were made. A script may change the fields of one, which are those of a table; methods and
-- tostring go by this.
local kept = setmetatable({}, { __mode = "k" })

local function snapshot(x)
    if type(x) ~= "table" then return x end
    local new, meta = {}, getmetatable(x)
    for key, value in next, x do new[key] = snapshot(value) end
    return type(meta) == "table" and (rawget(meta, "__names") or rawget(meta, "__record")) and setmetatable(new, meta)
        or new
end

-- A record that is complete: its methods work from now on.
function record.keep(t)
    kept[t] = snapshot(t)
    return t
end

-- Let records of a type print by the function `text` of a module instead of as plain tables. `remake` makes anew a
-- record that is made in C and not kept.
function record.text(name, module, remake)
    local meta = define(name)
    meta.__record = nil
    meta.__tostring = function(self)
        local whole = kept[self] or remake and remake(self)
        return whole and require(module).text(whole) or "a copy of a " .. name
    end
end

-- A type of records: help, completion and the annotations for editors know its fields, rows { name, unit, doc }.
function record.type(name, entry)
    local fields = {}
    for i, row in ipairs(entry.fields) do fields[i] = { name = row[1], unit = row[2], doc = row[3] } end
    define(name, fields)
    pc.document(name, nil, { kind = "type", summary = entry.summary, fields = fields })
end

-- A method of a type of records: it is in a module, which is loaded at the first call.
function record.method(owner, name, module, entry, remake)
    local path = owner .. ":" .. name
    local f = checked(path, function(self, ...)
        local whole = kept[self] or remake and remake(self)
        if not whole then refuse(("%s: this is a copy of a %s; call the method of the one it was made of"):format(path,
            owner)) end
        return require(module)[name](whole, ...)
    end, entry, owner)
    entry.kind = "method"
    pc.extend("percuss." .. owner, name, f)
    pc.document(path, f, entry)
end

-- Make a table a record of a type.
function record.make(name, t)
    return setmetatable(t, define(name))
end

return record
