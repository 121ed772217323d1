-- What Tab offers inside calls: options by name, and the words that an option or an argument takes.
local pc = require "percuss"
local complete = require "percuss.complete"

-- Candidates for the last word of a line, as the prompt asks for them: in a string the word begins at its quote.
local function offered(line)
    local quoted, text = line:match "^(.*[\"'])([^\"']*)$"
    local _, quotes = line:gsub("[\"']", "")
    if quotes % 2 == 1 then return complete.candidates(quoted, text, true) end
    local before, word = line:match "^(.-)([%w_.:\\]*)$"
    return complete.candidates(before, word, false)
end

local function list(line)
    local found = offered(line)
    assert.is_table(found, line)
    table.sort(found)
    return table.concat(found, " ")
end

local world = pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1 }, pc.floor{ height = 0 },
    contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }

-- what is typed, and what is offered
local cases = {
    { "words of an option of a chart", [[pc.chart.figure{ theme = "]], "dark light" },
    { "those that begin as the word does", [[pc.chart.figure{ theme = "d]], "dark" },
    { "words of a method's option", [[complete_panel:line{ xs, ys, dash = "das]], "dash_dot dash_dot_dot dashed" },
    { "words behind a chain of calls", [[f:panel{ title = "x" }:heatmap{ x, y, z, palette = "v]], "viridis" },
    { "words of a method of a local name", [[unknown:heatmap{ palette = "ci]], "cividis" },
    { "words with their quotes outside of strings", "complete_panel:line{ x, y, axis = ", '"left" "right"' },
    { "the format of a picture as an argument", [[complete_figure:bytes("]], "pdf png svg" },
    { "a word without parentheses", [[complete_figure:bytes "s]], "svg" },
    { "a word as the second argument", [[complete_table:sort("mu", "]], "ascending descending" },
    { "options of a table that is a later argument", "pc.simulate(complete_world, { dur", "duration = " },
    { "words of an option there", [[pc.collide(b, law, { vt = 1, vn = -1 }, { stick = "]], "coulomb persistent" },
    { "words of an option of a scene", [[pc.scene{ ball, recovery = "]], "on_opening permanent" },
    { "options that the rows of a scene and its list have", "pc.scene{ ball, c", "configuration contact" },
    { "words of a sweep", [[pc.sweep{ over = {}, sampling = "la]], "latin" },
    { "booleans", "complete_panel:heatmap{ x, y, z, log = ", "false true" },
    { "options of a method written in Lua", "complete_run:draw{ tr", "trail = " },
    { "options not yet given", "complete_run:draw{ trail = 1, t", "time title" },
    { "options after a bracket that is closed", "pc.simulate(f(1, { 2 }), { st", "start = " },
}

describe("completion offers", function()
    setup(function()
        rawset(_G, "pc", pc)
        rawset(_G, "complete_world", world)
        rawset(_G, "complete_run", pc.simulate(world, { duration = 0.1 }))
        rawset(_G, "complete_figure", pc.chart.figure{})
        rawset(_G, "complete_panel", _G.complete_figure:panel{})
        rawset(_G, "complete_table", pc.table{ { "mu", { 1 } } })
    end)
    teardown(function()
        for _, name in ipairs{ "pc", "complete_world", "complete_run", "complete_figure", "complete_panel",
            "complete_table" } do
            rawset(_G, name, nil)
        end
    end)
    for _, case in ipairs(cases) do
        it(case[1], function() assert.equal(case[3], list(case[2])) end)
    end

    it("names of files in strings that hold no known word", function()
        for _, line in ipairs{ [[complete_run:draw{ file = "]], [[complete_figure:save("]], [[x = "]],
            [[complete_panel:line{ label = "]], [[-- pc.chart.figure{ theme = "]] } do
            assert.is_nil(offered(line), line)
        end
    end)
end)

-- Values of the first parameter of functions whose options are at a later one.
local first = { scene = world, run = pc.simulate(world, { duration = 0.1 }) }

describe("the options that are documented", function()
    it("are known to the functions that take them", function()
        local checked = 0
        for _, entry in ipairs(pc.register()) do
            local owner, name = entry.path:match "^(%w+):(%w+)$"
            local object = owner and first[owner]
            local f = not owner and entry.kind == "function" and not entry.path:find "%." and pc[name or entry.path]
                or object and object[name]
            for i, param in ipairs(f and entry.params or {}) do
                for _, option in ipairs(param.options or {}) do
                    local arguments = { table.unpack(object and { object } or {}) }
                    for k = 1, i - 1 do arguments[#arguments + 1] = first[entry.params[k].type] or "x" end
                    arguments[#arguments + 1] = { [option.name] = io.stdout } -- of no type that an option has
                    local ok, problem = pcall(f, table.unpack(arguments))
                    assert.is_falsy(ok and problem, entry.path .. " takes a file as " .. option.name)
                    assert.not_matches("has no parameter", tostring(problem))
                    checked = checked + 1
                end
            end
        end
        assert.is_true(checked > 60, checked)
    end)

    it("have the words that the charts know, no more and no fewer", function()
        local figure = pc.chart.figure{}
        local owners, checked = { panel = figure:panel{}, figure = figure }, 0
        local samples = { z = { 1, 2, 3, 4 }, u = { 1, 2, 3, 4 }, v = { 1, 2, 3, 4 } }
        for _, entry in ipairs(pc.register()) do
            local owner, name = entry.path:match "^(%w+):(%w+)$"
            local is_chart = owners[owner] and name ~= "bytes" or entry.path == "chart.figure"
            for _, param in ipairs(is_chart and entry.rows or {}) do
                if param.choices then
                    local request = {}
                    for _, other in ipairs(entry.rows) do
                        local sample = samples[other.name] or other.type == "number" and 1 or { 1, 2 }
                        if other.required then request[other.name] = sample end
                    end
                    request[param.name] = "nonsense"
                    local message
                    if owner then
                        message = select(2, pcall(owners[owner][name], owners[owner], request))
                    else
                        message = select(2, pcall(pc.chart.figure, request))
                    end
                    local words = {}
                    for word in tostring(message):match "; it must be (.*)$":gsub("%(.*", ""):gmatch '"([^"]+)"' do
                        words[#words + 1] = word
                    end
                    assert.equal(table.concat(param.choices, " "), table.concat(words, " "), entry.path)
                    checked = checked + 1
                end
            end
        end
        assert.is_true(checked > 10, checked)
    end)
end)
