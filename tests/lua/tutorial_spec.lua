-- Every lesson of the tutorial runs, each claim it makes is true, and its pictures are written. Run from the root of
-- the sources.
local scratch = require "tests.lua.scratch"
local program = arg[-1] or "percuss"

local function run(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local text = pipe:read "a"
    return pipe:close() == true, text
end

local function lessons()
    local list = {}
    for path in io.popen("ls scripts/tutorial/*.lua"):lines() do list[#list + 1] = path end
    return list
end

describe("the tutorial", function()
    it("has ten lessons", function()
        assert.equal(10, #lessons())
    end)

    for _, path in ipairs(lessons()) do
        it("runs " .. path, function()
            local out = scratch()
            local ok, text = run(("'%s' %s --answers --out '%s'"):format(program, path, out))
            assert.is_true(ok, text)
            assert.truthy(text:find("\n-> ", 1, true), "claims nothing")
            assert.truthy(text:find("\nExercise 2. ", 1, true), "has fewer than two exercises")
            local _, exercises = text:gsub("\nExercise %d+%. ", "")
            local _, answers = text:gsub("\nExercise %d+%. [^\n]*\n\nAnswer%. ", "")
            assert.equal(exercises, answers)
            assert.is_nil(text:find("nan", 1, true))
            for picture in io.popen(("ls '%s'"):format(out)):lines() do
                local file = assert(io.open(out .. "/" .. picture, "rb"))
                assert.equal("\137PNG", file:read(4))
                file:close()
            end
        end)
    end

    it("stops at a claim that is not true", function()
        local script = "require('percuss.lesson').new('x'):claim('one is two', 1 == 2)"
        local ok, text = run(("'%s' -e \"%s\""):format(program, script))
        assert.is_false(ok)
        assert.truthy(text:find("it is not true that one is two", 1, true))
    end)
end)
