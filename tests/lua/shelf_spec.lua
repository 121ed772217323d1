-- Recipes and lessons that the program holds: each recipe runs by its command and prints what it says. Run from the
-- root of the sources.
local pc = require "percuss"
local help = require "percuss.help"
local scratch = require "tests.lua.scratch"
local search = require "percuss.search"
local shelf = require "percuss.shelf"

local program = arg[-1] or "percuss"
if not program:find "^/" then program = os.getenv "PWD" .. "/" .. program end

-- What a command prints in a folder of its own, and whether it went well.
local function run(command)
    local folder = assert(pc.make_directory(scratch()))
    local pipe = assert(io.popen(("cd '%s' && '%s' %s 2>&1"):format(folder, program, command)))
    local text = pipe:read "a"
    return pipe:close() == true, text
end

-- The lines behind --> in a script.
local function promised(text)
    local lines = {}
    for line in text:gmatch "%-%->%s?([^\n]*)" do lines[#lines + 1] = line end
    return lines
end

describe("a recipe", function()
    for _, recipe in ipairs(shelf.all "recipe") do
        it("does what it says: " .. recipe.name, function()
            assert.truthy(recipe.title:find "?$", recipe.title)
            assert.truthy(#recipe.words > 0)
            local ok, text = run("recipe " .. recipe.name)
            assert.is_true(ok, text)
            local lines, at = promised(recipe.text), 1
            assert.is_true(#lines > 0, "promises nothing")
            text = "\n" .. text
            for _, line in ipairs(lines) do
                local _, last = text:find("\n" .. line .. "\n", at, true)
                assert.is_truthy(last, ("'%s' is missing in%s"):format(line, text))
                at = last
            end
        end)

        it("is found by its question: " .. recipe.name, function()
            local found, names = search.find(recipe.title, 3), {}
            for i, one in ipairs(found) do names[i] = one.name end
            assert.is_truthy((" " .. table.concat(names, " ") .. " "):find("recipe " .. recipe.name, 1, true),
                recipe.title .. " finds " .. table.concat(names, ", "))
        end)
    end
end)

describe("the studies", function()
    it("are all at hand: listed, shown and run by their names", function()
        local ok, text = run "examples"
        assert.is_true(ok, text)
        local all = shelf.all "examples"
        assert.is_true(#all > 50)
        for _, one in ipairs(all) do
            assert.truthy(text:find("\n  " .. one.name, 1, true), one.name)
            local file = assert(io.open("scripts/" .. one.name .. ".lua"))
            assert.equal(file:read "a", one.text)
            file:close()
        end
        ok, text = run "examples forces/bungee --no-figures"
        assert.is_true(ok, text)
        assert.truthy(text:find("deepest point", 1, true), text)
        ok, text = run "examples forces/bungy"
        assert.is_false(ok)
        assert.truthy(text:find("there is no study 'forces/bungy', but 'forces/bungee'", 1, true), text)
    end)

    it("hold the pictures of the gallery", function()
        for _, name in ipairs(shelf.gallery) do assert.truthy(shelf.get("examples", name), name) end
    end)
end)

describe("a guide", function()
    it("is read by help and found by its words, section by section", function()
        local seen = {}
        for _, section in ipairs(shelf.guides()) do
            seen[section.name] = true
            assert.truthy(help.text("guide " .. section.name):find(section.heading, 1, true), section.heading)
        end
        local pipe = assert(io.popen "ls scripts/guides")
        for file in pipe:lines() do assert.is_true(seen[file:match "^(.*)%.md$"], file) end
        pipe:close()
        assert.is_true(seen.assignments)
        for words, name in pairs{ ["what protects the teacher"] = "assignments", ["how fast is it"] = "inside",
            ["tab completes names"] = "prompt", ["plan for 1e9 points"] = "motions_and_sweeps" } do
            local found = false
            for _, one in ipairs(search.find(words, 3)) do found = found or one.name == "guide " .. name end
            assert.is_true(found, words)
        end
    end)
end)

describe("the shelf", function()
    it("lists what there is, and shows a script as it is", function()
        local ok, text = run "recipe"
        assert.is_true(ok)
        for _, recipe in ipairs(shelf.all "recipe") do assert.truthy(text:find("\n  " .. recipe.name, 1, true)) end
        local file = assert(io.open "scripts/recipes/super_ball.lua")
        local source = file:read "a"
        file:close()
        ok, text = run "recipe super_ball --source"
        assert.is_true(ok)
        assert.equal(source, text)
        assert.truthy(help.text "recipe super_ball":find("stiffness_ratio", 1, true))
    end)

    it("runs lessons by their numbers", function()
        assert.equal(10, #shelf.all "tutorial")
        local ok, text = run "tutorial 1"
        assert.is_true(ok)
        assert.truthy(text:find("\n-> ", 1, true))
        ok, text = run "tutorial"
        assert.is_true(ok)
        assert.truthy(text:find("\n  10_study                 10. A study: From measurements", 1, true), text)
    end)

    it("draws the gallery where it is told, and nowhere for a question", function()
        local ok, text = run "gallery --help"
        assert.is_true(ok)
        assert.truthy(text:find("percuss gallery [DIRECTORY]", 1, true))
        ok, text = run "gallery --hepl"
        assert.is_false(ok)
        assert.falsy(text:find(".png", 1, true))
        ok, text = run "recipe --help"
        assert.is_true(ok)
        assert.truthy(text:find("\n  super_ball", 1, true))
    end)

    it("names the nearest where a name is wrong", function()
        local ok, text = run "recipe super_bal"
        assert.is_false(ok)
        assert.equal("percuss: there is no recipe 'super_bal', but 'super_ball'; percuss recipe lists them\n", text)
        ok, text = run "tutorial 11"
        assert.is_false(ok)
        assert.truthy(text:find "^percuss: there is no lesson '11'")
    end)
end)
