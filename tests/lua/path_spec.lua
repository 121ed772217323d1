-- Names of files: C would cut them at a zero byte, so that another file were read or written than the one that was
-- meant. Every function that takes one refuses it and names the argument.
local pc = require "percuss"
local new_name = require "scratch"

local x = pc.array{ 1, 2, 3 }
local t = pc.table{ { "x", x } }
local figure = pc.chart.figure{}
figure:panel{}:line{ x, x }
local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1 } }, { duration = 0.1 })

local function sweep(options)
    options.over, options.columns = { { "i", { 1 } } }, { "n" }
    options.run = function() return { n = 1 } end
    return pc.sweep(options)
end

-- Calls by the path that the register has for them.
local calls = {
    ["make_directory"] = function(name) pc.make_directory(name) end,
    ["document"] = false, -- a path in the register, not a file's
    ["array:to_csv"] = function(name) x:to_csv(name) end,
    ["array.from_csv"] = function(name) pc.array.from_csv(name) end,
    ["csv.read"] = function(name) pc.csv.read(name) end,
    ["csv.write"] = function(name) pc.csv.write(name, { { "x", x } }) end,
    ["figure:save"] = function(name) figure:save(name) end,
    ["chart.gif"] = function(name) pc.chart.gif(name) end,
    ["run:save"] = function(name) run:save(name) end,
    ["load_run"] = function(name) pc.load_run(name) end,
    ["file.list"] = function(name) pc.file.list(name) end,
    ["file.read"] = function(name) pc.file.read(name) end,
    ["file.write"] = function(name) pc.file.write(name, "x") end,
    ["store.read"] = function(name) pc.store.read(name) end,
    ["store.merge"] = function(name) pc.store.merge(name, { "part.db" }) end,
    ["table:csv"] = function(name) t:csv(name) end,
    ["table:jsonl"] = function(name) t:jsonl(name) end,
    ["table:npz"] = function(name) t:npz(name) end,
    ["prompt.transcript"] = function(name) pc.prompt.transcript(name) end,
}

local function exists(name)
    local file = io.open(name)
    if file then file:close() end
    return file ~= nil
end

describe("a name with a zero byte", function()
    it("is refused by every function that the register gives a path", function()
        local seen = 0
        for _, entry in ipairs(pc.register()) do
            for _, param in ipairs(entry.params or {}) do
                if param.name == "path" then
                    local call = calls[entry.path]
                    assert.is_not_nil(call, "no call of " .. entry.path .. " is known here")
                    local name = new_name ".svg"
                    if call then
                        seen = seen + 1
                        assert.error_matches(function() call(name .. "\0.png") end, "path, must not have a zero byte")
                    end
                    assert.is_false(exists(name), entry.path)
                end
            end
        end
        assert.is_true(seen >= 17, seen)
    end)

    it("is refused in options and lists too", function()
        local name = new_name ".gif"
        assert.error_matches(function() run:animate{ file = name .. "\0.gif" } end, "file must not have a zero byte")
        assert.error_matches(function() sweep{ store = name .. "\0" } end, "sweep: store must not have a zero byte")
        assert.error_matches(function() sweep{ store = name, name = "a\0b" } end,
            "sweep: name must not have a zero byte")
        assert.error_matches(function() pc.store.merge(name, { "a\0b" }) end, "part 1 must not have a zero byte")
        assert.error_matches(function() pc.store.read(name, "a\0b") end, "name, must not have a zero byte")
        assert.is_false(exists(name))
    end)
end)

describe("an argument that a function written in C refuses", function()
    it("has its name after the register was read as before", function()
        pc.register()
        assert.error_matches(function() pc.load_run(3) end,
            "load_run: argument 1, path, must be a string, not a number")
        assert.error_matches(function() pc.file.list(nil) end, "file.list: argument 1, path, must be a string")
    end)
end)
