-- Help, the manual and what editors and shells get, all from the register. Run from the root of the sources.
local pc = require "percuss"
local help = require "percuss.help"

package.path = "tests/tools/?.lua;" .. package.path
local html = require "docgen.html"
local markdown = require "docgen.markdown"
local prose = require "docgen.prose"
local annotations = require "docgen.annotations"
local shell = require "docgen.shell"

local USAGE = [==[
usage: percuss [options] [script [args]]
Available options are:
  -e stat    execute string 'stat'
  -          read a script
  --jobs N   run sweeps in N processes
  --progress json|none
             how sweeps tell
             how far they are
]==]

describe("help", function()
    it("tells symbol, unit, range, default and source of every parameter of a law", function()
        local text = help.text(pc.contact.linear)
        assert.truthy(text:match "friction %(μ%) +%- +>= 0")
        assert.truthy(text:match "stiffness[^\n]*N/m +> 0 N/m")
        assert.truthy(text:match "restitution[^\n]*default 1")
        assert.truthy(text:match "\nSource\n" and text:match "\nExample\n")
    end)

    it("finds functions, objects, modules and words, and names the nearest one otherwise", function()
        local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
        assert.truthy(help.text(pc.collide):find("collide(body, law, motion, [options])", 1, true))
        assert.truthy(help.text(ball):find(tostring(ball), 1, true))
        assert.truthy(help.text "contact":find("contact.maw", 1, true))
        assert.truthy(help.text "impact:trace":find("stop", 1, true))
        assert.truthy(help.text "colide":find("did you mean 'collide'", 1, true))
        assert.truthy(help.text():find("apropos", 1, true))
        -- every name, on a page or two of a terminal
        local lines = select(2, help.text():gsub("\n", "\n")) + 1
        assert.is_true(lines < 100, lines)
        for _, entry in ipairs(pc.register()) do
            if entry.kind ~= "method" and entry.kind ~= "type" then
                assert.truthy(help.text():find(entry.path:match "[^.]*$", 1, true), entry.path)
            end
        end
    end)

    it("finds options, and the words that they take, with the function that has them", function()
        assert.truthy(help.text "recovery":match "\n  scene  recovery = on_opening | permanent ")
        assert.truthy(help.text "on_opening":match "\n  scene  recovery = on_opening | permanent ")
        assert.truthy(help.text "dash_dot_dot":match "\n  panel:line +dash = auto |")
        assert.truthy(help.text "trail":match "\n  run:draw +trail = number +how long before")
        assert.truthy(help.text "max_impacts":match "\n  simulate +max_impacts = integer ")
        -- what is said of an option is not said again
        assert.falsy(help.text "recovery":find("Mentioned by\n  scene ", 1, true))
    end)

    it("shows the options of a table below it", function()
        local text = help.text "run:draw"
        assert.truthy(text:match "\n  options +table [^\n]*\n    time = +number, s [^\n]*\n")
        assert.truthy(help.text "scene":find("scene{ [contact =], [pairs =], ", 1, true))
    end)

    it("leaves explanations room, and breaks what is long beside them", function()
        for _, name in ipairs{ "flat_impact", "panel:line", "which_law", "scene", "contact.linear" } do
            local text = help.text(name)
            for line in text:match("\n(.-)\nExample\n"):gmatch "[^\n]+" do
                assert.is_truthy(line:match "^%S" or (utf8.len(line) or #line) <= 100, line)
                assert.is_true(#line:match "^%s*" <= 70, line)
            end
        end
    end)

    it("has the picture of a topic and of a law, for who sits at a terminal", function()
        assert.equal("figure", pc.type(help.figure "which law"))
        assert.equal("figure", pc.type(help.figure "contact.newton"))
        assert.equal("figure", pc.type(help.figure(pc.contact.linear)))
        for _, subject in ipairs{ "collide", "contact", "no such word", pc.collide, 1, pc } do
            assert.is_nil(help.figure(subject))
        end
        assert.is_nil(help.figure())
    end)

    it("leaves nothing behind by its pictures, and no marks in its text", function()
        local before = #pc.register()
        for _, topic in ipairs(require("percuss.topics").all()) do
            help.figure(topic.name)
            assert.falsy(help.text(topic.name):find("**", 1, true), topic.name)
        end
        assert.equal(before, #pc.register())
        assert.is_nil(rawget(pc.contact, "topic_curve_1"))
    end)

    it("has a text for everything in the register", function()
        for _, entry in ipairs(pc.register()) do
            assert.truthy(help.text(entry.path):find(entry.summary:match "^%S+", 1, true), entry.path)
        end
    end)
end)

local LESSON = [==[
-- One & only
-- What it is about.
local x = 1 < 2

lesson:say [[
    First
    it says.]]
print(x)
lesson:exercise "Say \"no\"."
lesson:answer [[
    No.]]
]==]

describe("the manual", function()
    local lesson = {
        name = "01_one_ball", title = "One & only", source = LESSON,
        output = "# One\n\nFirst\nit says.\ntrue\n\nExercise 1. Say \"no\".",
        pictures = { "tutorial/a.png" },
    }
    local picture = { name = "picture-b", file = "gallery/b.png", title = "b", script = "scripts/b.lua",
        source = "return \"<b>\"" }
    local source = "# Tall\n\na `b < c` **d**\n\n## Under\n\n    code  <x>\n    more\n\n- one\n  goes on\n- two\n\n"
        .. "1. first\n2. second\n\n| x | y |\n|---|---|\n| `1` | 2 |\n\n```lua\n# x = \"<\"\n\n-- b\n```\nend"
    local files, pages = html.pages({ lesson }, { picture }, { markdown.sections("guide", source) })
    local texts = {}
    for i, one in ipairs(pages) do texts[i] = files[one.file] end
    local page = table.concat(texts, "\n")

    it("shows a lesson as prose, code, and what that prints", function()
        local section = page:match '<section id="01_one_ball">.-</section>'
        local at = 1
        for _, part in ipairs{
            "<p>What it is about.</p>", "<pre>local x = 1 &lt; 2</pre>", "<p>First\nit says.</p>",
            "<pre>print(x)</pre>",
            '<pre class="output">true</pre>', "<p><b>Exercise 1. </b>Say &quot;no&quot;.</p>",
            '<details class="answer"><summary>Answer</summary><p>No.</p></details>', 'src="tutorial/a.png"',
        } do
            local _, last = section:find(part, at, true)
            assert.truthy(last, part .. " in " .. section)
            at = last
        end
    end)

    it("takes in guides with their headings, lists, tables and code", function()
        for _, part in ipairs{
            '<a href="guide.html">Tall</a>', '<a href="#guide-2">Under</a>', '<section id="guide-1">\n<p>a',
            '<section id="guide-2"><h2>Under</h2>',
            '<pre># x = <span class="string">&quot;&lt;&quot;</span>\n\n<span class="comment">-- b</span></pre>',
            "<p>end</p>",
            "<p>a <code>b &lt; c</code> <b>d</b></p>", "<pre>code  &lt;x&gt;\nmore</pre>",
            "<ul><li>one\ngoes on</li>\n<li>two</li></ul>", "<ol><li>first</li>\n<li>second</li></ol>",
            "<tr><th>x</th><th>y</th></tr>\n"
                .. '<tr><td data-head="x"><code>1</code></td><td data-head="y">2</td></tr>',
        } do
            assert.truthy(page:find(part, 1, true), part)
        end
    end)

    it("holds the threat model of assignments, without marks of its source", function()
        local file = assert(io.open "scripts/assignments/README.md")
        local guide = markdown.sections("assignments", file:read "a")
        file:close()
        local all, titles = {}, {}
        for i, part in ipairs(guide.parts) do all[i], titles[part[2]] = part[3], part[3] end
        assert.truthy(titles["What protects the teacher"]:find("seccomp", 1, true))
        assert.truthy(titles["What it does not promise"])
        local whole = table.concat(all)
        assert.is_nil(whole:find "\n|")
        assert.is_nil(whole:find "`")
        assert.is_nil(whole:find "\n%- ")
    end)

    it("writes formulas with indices, powers and Greek letters, and leaves names as they are", function()
        local text = prose.text
        assert.equal("F<sub>n</sub> = K u<sup>1.5</sup> &amp; |F<sub>t</sub>| ≤ μ F<sub>n</sub>.",
            text "F_n = K u^1.5 & |F_t| <= mu F_n.")
        assert.equal("W<sup>−1</sup>, √(R), κ, E<sup>2</sup>.", text "W^-1, sqrt(R), kappa, E^2.")
        local names = "flags.gained_energy, n_time, hit.omega, multiple"
        assert.equal(names, text(names))
    end)

    it("sets comments and strings of Lua apart", function()
        assert.equal('x = 1 - 2 <span class="comment">-- a &lt; b</span>\ny[1] = '
            .. '<span class="string">&quot;--&quot;</span>', prose.lua 'x = 1 - 2 -- a < b\ny[1] = "--"')
    end)

    it("has a section and a link for every entry", function()
        for _, entry in ipairs(pc.register()) do
            local anchor = prose.escape(html.anchor(entry))
            assert.truthy(page:find('<section id="' .. anchor .. '">', 1, true), anchor)
            assert.truthy(page:find('<a href="#' .. anchor .. '">', 1, true), anchor)
        end
    end)

    it("has the script of a picture folded under it, and not in the search", function()
        local section = page:match '<section id="picture%-b">.-</section>'
        assert.truthy(section:find('<summary><code>scripts/b.lua</code></summary><pre>return <span class="string">', 1,
            true), section)
        assert.falsy(files["search.js"]:find("<b>", 1, true))
    end)

    it("names the heads of a table in its cells, which a narrow page puts below each other", function()
        local section = page:match '<section id="contact%.linear">.-</section>'
        assert.truthy(section:find('<td data-head="unit">N/m</td>', 1, true))
    end)

    it("leads somewhere by every link", function()
        local names = {}
        for i, one in ipairs(pages) do
            names[one.file] = true
            for id in texts[i]:gmatch ' id="([^"]*)"' do names[one.file .. "#" .. id] = true end
        end
        for i, one in ipairs(pages) do
            for target in texts[i]:gmatch '<a [^>]*href="([^"]*)"' do
                local whole = target:match "^#" and one.file .. target or target
                assert.truthy(names[whole], one.file .. " leads to " .. whole)
            end
        end
    end)

    it("has each name once, whatever page it is on, and one heading of the first order a page", function()
        local seen = { search = true, menu = true, none = true, results = true }
        for i, one in ipairs(pages) do
            for id in texts[i]:gmatch '<[sa]%l* id="([^"]*)"' do
                assert.falsy(seen[id], id)
                seen[id] = true
            end
            local _, n = texts[i]:gsub("<h1>", "")
            assert.equal(1, n, one.file)
        end
    end)

    it("has headings of which none leaves out an order", function()
        for i, one in ipairs(pages) do
            local before = 0
            for level in texts[i]:gmatch "<h(%d)>" do
                level = tonumber(level)
                assert.is_true(level <= before + 1, one.file .. ": h" .. level .. " after h" .. before)
                before = level
            end
        end
    end)

    it("gives the search all sections, with text that is no HTML", function()
        local index = files["search.js"]
        for _, entry in ipairs(pc.register()) do
            assert.truthy(index:find(('","%s","'):format(html.anchor(entry)), 1, true), entry.path)
        end
        assert.falsy(index:find("<p>", 1, true))
        assert.truthy(index:find('["contact.newton.html"', 1, true) or index:find('["percuss.contact.html"', 1, true))
    end)

    it("closes every element in order", function()
        local empty = { meta = true, img = true, input = true, link = true }
        local stack = {}
        local body = page:gsub("<!DOCTYPE html>", "")
        for slash, name in body:gmatch "<(/?)(%a%w*)[^>]*>" do
            if slash == "/" then
                assert.equal(name, table.remove(stack))
            elseif not empty[name] then
                stack[#stack + 1] = name
            end
        end
        assert.equal(0, #stack)
    end)

    for _, entry in ipairs(pc.register()) do
        local name = entry.kind == "constructor" and entry.path:match "^contact%.([%w_]+)$"
        if name then
            it("shows a picture of the law " .. name, function()
                local law_figure = require "percuss.law_figure"
                if not law_figure.has(name) then return pending "lua/percuss/law_figure.lua says of what it is one" end
                assert.truthy(page:find(('src="laws/%s.png"'):format(name), 1, true), name)
                assert.equal("figure", pc.type(law_figure.figure(name)))
            end)
        end
    end

    it("shows pictures, and titles escaped", function()
        assert.truthy(page:find("One &amp; only", 1, true))
        assert.truthy(page:find('src="gallery/b.png"', 1, true))
    end)
end)

describe("annotations", function()
    local text = annotations.text()

    it("are Lua", function()
        assert(load(text, "=annotations", "t"))
    end)

    it("define every function, method and constructor", function()
        for _, entry in ipairs(pc.register()) do
            local name = entry.kind == "method" and entry.path or "percuss." .. entry.path
            if entry.kind ~= "type" and entry.kind ~= "constant" then
                assert.truthy(text:find("function " .. name .. "(", 1, true), entry.path)
            end
        end
    end)

    it("know the options, their choices and units, and the operators of arrays", function()
        assert.truthy(text:find("---@class percuss.contact.linear.options", 1, true))
        assert.truthy(text:match "%-%-%-@field stiffness number [^\n]*%[N/m%]")
        assert.truthy(text:find("---@class percuss.run.draw.options", 1, true))
        assert.truthy(text:match "%-%-%-@field trail%? number [^\n]*%[s%]")
        assert.truthy(text:find('---@field stick? "coulomb"|"persistent" ', 1, true))
        assert.truthy(text:find('---@param format "png"|"svg"|"pdf" ', 1, true))
        assert.truthy(text:find("---@operator add(any): percuss.array", 1, true))
    end)

    it("give luacheck the names of the prompt", function()
        local env = { stds = {} }
        assert(load(annotations.luacheck(), "=luacheckrc", "t", env))()
        local names = {}
        for _, name in ipairs(env.stds.percuss.read_globals) do names[name] = true end
        for _, name in ipairs{ "pc", "collide", "contact", "show", "transcript" } do
            assert.is_true(names[name], name)
        end
    end)
end)

describe("the shell's files", function()
    it("take their options from the text of --help", function()
        local options = shell.options(USAGE)
        assert.same({ "-e stat", "-", "--jobs N", "--progress json|none" },
            { options[1].words, options[2].words, options[3].words, options[4].words })
        assert.equal("how sweeps tell how far they are", options[4].text)
    end)

    it("are a man page and a completion that name them", function()
        assert.truthy(shell.man(USAGE, pc.version):find(".B \\-\\-jobs N\nrun sweeps in N processes", 1, true))
        local man = shell.man(USAGE, pc.version)
        assert.truthy(man:find(".B contact.newton\n", 1, true))
        assert.truthy(man:find("\n.br\nv_n' = \\-e v_n (afterwards)\n", 1, true))
        assert.truthy(man:find("Parameters: stiffness (kn) [N/m], ", 1, true))
        assert.truthy(man:find("w_nn [1/kg] normal velocity by a normal impulse", 1, true))
        assert.truthy(shell.bash(USAGE):find('"-e --jobs --progress"', 1, true))
    end)
end)
