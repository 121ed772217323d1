-- The search of help, apropos and the manual: questions in the words that people use find the page that answers them
-- among the first three.
local pc = require "percuss"
local formula = require "percuss.formula"
local help = require "percuss.help"
local scratch = require "tests.lua.scratch"
local search = require "percuss.search"
local topics = require "percuss.topics"

-- { question, the page, or several that each answer it }
local QUESTIONS = {
    { "how does a super ball come back", "super_ball" },
    { "which law for a steel ball on glass", "which_law" },
    { "what does e become with speed", "restitutions", "restitution" },
    { "ball on a shaking table", "vibrating_table" },
    { "friction from rebound angles", "measured_data" },
    { "when does a pendulum wedge", "wedging" },
    { "compare Newton and Stronge", "compare", "restitutions", "convert_restitution" },
    { "my impact gains energy, why", "energy" },
    { "plot for a two-column paper", "figures" },
    { "run this sweep on a cluster", "sweeps_elsewhere" },
    { "Newton's cradle", "cradle", "several_contacts" },
    { "box lands flat on the floor", "several_contacts" },
    { "why do two runs diverge", "chaos" },
    { "coefficient of restitution from drop height", "restitutions" },
    { "Zeno behaviour of a bouncing ball", "events" },
    { "how accurate is the integrator", "accuracy" },
    { "animated gif of a motion", "run:animate", "chart.gif", "gif" },
    { "resume an interrupted sweep", "sweeps_elsewhere", "sweep" },
    { "what is the inverse mass matrix W", "mobility" },
    { "which direction is positive angle", "conventions" },
    { "slip stick transition", "phases" },
    { "convert degrees to radians", "units", "deg" },
    { "error bar of a fitted parameter", "measured_data", "fit" },
    { "Painleve paradox", "wedging" },
    { "Lyapunov exponent", "lyapunov", "chaos" },
}

local function names(found)
    local list = {}
    for i, one in ipairs(found) do list[i] = one.name end
    return table.concat(list, ", ")
end

describe("the search", function()
    for _, question in ipairs(QUESTIONS) do
        it("answers: " .. question[1], function()
            local found = search.find(question[1], 3)
            local has = false
            for _, one in ipairs(found) do
                for i = 2, #question do has = has or one.name == question[i] end
            end
            assert.is_true(has, names(found))
        end)
    end

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
