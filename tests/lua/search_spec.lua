-- The search of help, apropos and the manual: questions in the words that people use find the page that answers them
-- among the first three.
local pc = require "percuss"
local formula = require "percuss.formula"
local help = require "percuss.help"
local json = require "dkjson"
local scratch = require "tests.lua.scratch"
local search = require "percuss.search"
local topics = require "percuss.topics"

-- Questions in the words of users, for help and for the manual: each with pages of which one answers it, and the words
-- by which it does. What is found among the first three is read: that is three look-ups.
local QUESTIONS
do
    local file = assert(io.open "tests/docs/questions.json")
    QUESTIONS = assert(json.decode(file:read "a"))
    file:close()
end

-- What a user types who has met a word elsewhere, and what has to be among the first three.
local WORDS = {
    bounce = "tutorial 07_bouncing", rebound = "measured_data", superball = "super_ball", stiction = "phases",
    ["coefficient of restitution"] = "restitutions", Zeno = "events", chatter = "recipe chattering_to_rest",
    sticking = "phases", sliding = "phases", collision = "collide", ["super ball"] = "super_ball",
    ["vibrating table"] = "vibrating_table", billiard = "several_contacts", confidence = "measured_data",
    ["error bar"] = "measured_data", driven = "vibrating_table", residual = "fit", spin = "super_ball",
}

local function names(found)
    local list = {}
    for i, one in ipairs(found) do list[i] = one.name end
    return table.concat(list, ", ")
end

describe("the search", function()
    for _, question in ipairs(QUESTIONS) do
        it("answers: " .. question.question, function()
            local found, right, said = search.find(question.question, 3), false, false
            for _, one in ipairs(found) do
                for _, page in ipairs(question.pages) do right = right or one.name == page end
                -- help breaks lines
                said = said or help.text(one.name):gsub("%s+", " "):find(question.says, 1, true)
            end
            assert.is_true(right, names(found))
            assert.is_truthy(said, "none of these says '" .. question.says .. "': " .. names(found))
        end)
    end

    it("knows the words that others use", function()
        for word, page in pairs(WORDS) do
            local found, right = search.find(word, 3), false
            for _, one in ipairs(found) do right = right or one.name:match "[^ ]*$" == page or one.name == page end
            assert.is_true(right, word .. ": " .. names(found))
            assert.truthy(help.text(word):find(found[1].summary:match "^%S+", 1, true), word)
        end
    end)

    it("shows the sentence that has the words", function()
        local found = search.find("stores belong on a local disk", 1)[1]
        assert.equal("sweeps_elsewhere", found.name)
        assert.truthy(found.excerpt:find("local disk", 1, true))
    end)

    it("finds every entry and topic first by its name", function()
        for _, name in ipairs(topics.names()) do
            assert.equal(name, search.find(name:gsub("_", " "), 1)[1].name)
        end
        for _, path in ipairs{ "collide", "contact.maw", "ode.solve", "lyapunov", "body.capsule", "csv.read" } do
            assert.equal(path, search.find(path, 1)[1].name)
        end
    end)

    it("says in a few lines why something was found, and proposes the nearest word where nothing was", function()
        for _, word in ipairs{ "event", "billiard", "error bar", "residual", "restitution" } do
            for line in help.text("the " .. word):gmatch "[^\n]+" do
                assert.is_true((utf8.len(line) or #line) <= 100, line)
            end
            for _, one in ipairs(search.find(word, 12)) do assert.is_true(#one.excerpt <= 215, one.excerpt) end
        end
        assert.truthy(help.text "10 a study from measurements":find("10. A study", 1, true))
        for wrong, right in pairs{
            colision = "collision", restituton = "restitution", wegde = "wedge", colide = "collide",
        } do
            assert.truthy(help.text(wrong):find("did you mean '" .. right .. "'?", 1, true), help.text(wrong))
        end
    end)

    it("has synonyms of which each stands in one line", function()
        local seen = {}
        for _, line in ipairs(search.synonyms) do
            for word in line:gmatch "%S+" do
                local key = search.stem(word)
                assert.falsy(seen[key] and seen[key] ~= line and word)
                seen[key] = line
            end
        end
    end)

    it("finds nothing where there is nothing, and takes any text", function()
        assert.same({}, search.find "qqqqq")
        for _, text in ipairs{ "", " ", "the of", "%", "[", "\0", ("x"):rep(1e5), "\xff\xfe" } do
            assert.equal("table", type(search.find(text)))
        end
    end)
end)

describe("a topic", function()
    it("is known under its name and tells where to go on", function()
        local known = {}
        for _, entry in ipairs(pc.register()) do
            known[entry.path] = true
            known[entry.path:match "^[^.:]*"] = true
        end
        for _, topic in ipairs(topics.all()) do
            for _, field in ipairs{ "title", "summary", "words", "text", "example" } do
                assert.equal("string", type(topic[field]), topic.name .. "." .. field)
            end
            for _, name in ipairs(topic.see) do
                assert.is_truthy(known[name] or topics.get(name), topic.name .. ": " .. name)
            end
            local shown = help.text(topic.name)
            assert.truthy(shown:find(topic.title, 1, true))
            assert.equal(shown, help.text((topic.name:gsub("_", " "))))
        end
    end)

    it("speaks of nothing that percuss does not have", function()
        local paths = {}
        for _, entry in ipairs(pc.register()) do paths[entry.path] = true end
        local checked = 0
        for _, topic in ipairs(topics.all()) do
            for code in topic.text:gmatch "`([^`]*)`" do
                local path = code:match "^pc%.([%w_.]+)" or code:match "^contact%.[%w_]+"
                    or code:match "^solver%.[%w_]+" or code:match "^ode%.[%w_]+"
                    or code:gsub("^hit:", "impact:"):match "^%l+:%l+"
                if path and path:find "^study:" then path = nil end -- of the module percuss.study
                if path then
                    checked = checked + 1
                    assert.is_true(paths[path:gsub("^f:", "fit:"):gsub("[.:]$", "")], topic.name .. ": " .. code)
                end
            end
        end
        assert.is_true(checked > 30, checked)
    end)

    it("has a figure that draws, a formula and a source", function()
        for _, topic in ipairs(topics.all()) do
            local file = assert(io.open(assert(topic.figure(pc):save(scratch ".svg"))))
            assert.is_true(#file:read "a" > 4000, topic.name)
            file:close()
            assert.truthy(("\n" .. topic.text):find("\n    ", 1, true), topic.name)
            assert.equal("string", type(topic.source), topic.name)
        end
    end)

    it("has formulas that can be read, and no other line with blanks before it", function()
        local n = 0
        for _, topic in ipairs(topics.all()) do
            for line in topic.text:gmatch "[^\n]+" do
                if line:match "^    " then
                    n = n + 1
                    local tree, fault = formula.parse(line:match "%S.*")
                    assert.is_truthy(tree, ("%s: %s (%s)"):format(topic.name, line, fault))
                else
                    assert.is_truthy(line:match "^%S" or line:match "^  %S", topic.name .. ": " .. line)
                end
            end
        end
        assert.is_true(n > 20, n)
    end)
end)
