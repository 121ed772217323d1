-- Charts from scripts: building, refusing, showing, saving.
local pc = require "percuss"
local scratch = require "tests.lua.scratch"

local function wave()
    local t = pc.linspace(0, 3, 301)
    local figure = pc.chart.figure{ title = "Sphere, μ = 0.5", width = 640, height = 400 }
    local panel = figure:panel{ xlabel = "ω_0 t", ylabel = "F", yunit = "N" }
    panel:line{ t, t:map(math.sin), label = "F_n", colour = "#ff0000", dash = "solid" }
    return figure, panel
end

local function read(path)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read "a"
    file:close()
    return bytes
end

-- The message of a call that must fail.
local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return tostring(message)
end

describe("chart.figure", function()
    it("says what it holds", function()
        local figure = wave()
        assert.equal('figure "Sphere, μ = 0.5": 1 panel, 1 series', tostring(figure))
        assert.equal(640, figure.width)
        assert.equal(1, figure.panels)
    end)

    it("takes its size from its panels where none is given", function()
        local one, four = pc.chart.figure(), pc.chart.figure{ columns = 2 }
        for _ = 1, 4 do four:panel() end
        assert.is_true(four.width > one.width and four.height > one.height)
    end)

    it("refuses unknown and wrong options by name", function()
        assert.matches("figure has no parameter 'titel'; did you mean 'title'", refusal(pc.chart.figure, { titel = 1 }))
        assert.matches("title must be a string, not a number", refusal(pc.chart.figure, { title = 1 }))
        assert.matches("width = 3 is not allowed: from 160", refusal(pc.chart.figure, { width = 3 }))
        assert.matches("theme = \"drak\" is not known; it must be \"light\" or \"dark\"", refusal(pc.chart.figure,
            { theme = "drak" }))
        assert.matches("columns = 0", refusal(pc.chart.figure, { columns = 0 }))
        assert.matches("width = 300.5 must be a whole number", refusal(pc.chart.figure, { width = 300.5 }))
    end)

    it("keeps no panel whose options were wrong", function()
        local figure = pc.chart.figure()
        assert.matches("did you mean 'xlabel'", refusal(figure.panel, figure, { xlabl = "t" }))
        assert.matches("xlim%[1%] = 0", refusal(figure.panel, figure, { xlim = { 0, 1 }, xlog = true }))
        assert.matches("ylim must be a table", refusal(figure.panel, figure, { ylim = 3 }))
        assert.equal(0, figure.panels)
    end)
end)

describe("a panel", function()
    it("takes arrays and lists, by place or by name, and returns itself", function()
        local figure, panel = wave()
        panel:line{ { 0, 1 }, pc.array{ 1, 0 } }:step{ x = { 0, 1 }, y = { 1, 2 } }:scatter{ { 0.5 }, { 0.5 } }
        panel:hline{ y = 0 }:hline{ 0.5 }:vline{ x = 1, label = "end" }
        panel:span{ 0, 1, label = "stick" }:text{ 1, 0, "note" }
        assert.equal(4, figure.series)
    end)

    it("copies its data", function()
        local figure = pc.chart.figure()
        local x, y = pc.array{ 0, 1, 2 }, pc.array{ 0, 1, 0 }
        figure:panel{ ylim = { -2, 2 } }:line{ x, y }
        local before = figure:text()
        for i = 1, 3 do y[i] = -1 end
        assert.equal(before, figure:text())
    end)

    it("refuses wrong data, naming the series and what is wrong", function()
        local _, panel = wave()
        local short = { { 1, 2 }, { 1, 2, 3 }, label = "F_t" }
        assert.matches('line "F_t": x has 2 numbers and y has 3', refusal(panel.line, panel, short))
        assert.matches("y%[2%] must be a number, not a string", refusal(panel.step, panel, { { 1, 2 }, { 1, "a" } }))
        assert.matches("scatter: y is needed %(an array", refusal(panel.scatter, panel, { { 1, 2 } }))
        assert.matches("it must be \"auto\", \"solid\"", refusal(panel.line, panel, { { 1 }, { 1 }, dash = "dots" }))
        assert.matches("did you mean 'blue'", refusal(panel.line, panel, { { 1 }, { 1 }, colour = "bleu" }))
        assert.matches("mean 'colour'", refusal(panel.line, panel, { { 1 }, { 1 }, color = "blue" }))
        assert.matches("any finite number of y", refusal(panel.hline, panel, { y = 0 / 0 }))
        assert.matches("line has no parameter '3'", refusal(panel.line, panel, { { 1 }, { 1 }, { 1 } }))
    end)

    it("keeps its figure alive", function()
        local panel = pc.chart.figure{ title = "kept" }:panel()
        collectgarbage() collectgarbage()
        panel:line{ { 0, 1 }, { 0, 1 } }
        assert.equal(1, panel.figure.series)
        assert.equal("kept", panel.figure.title)
    end)

    it("is refused after its figure was closed", function()
        local panel
        do
            local figure <close> = pc.chart.figure()
            panel = figure:panel()
        end
        assert.matches("figure of this panel was closed", refusal(panel.line, panel, { { 0 }, { 0 } }))
    end)
end)

describe("a field", function()
    local x, y = pc.linspace(0, 2, 3), pc.linspace(0, 1, 2)
    local z = pc.array{ 1, 2, 3, 4, 5, 6 }

    it("takes one array, or a table of arrays or lists, with the same meaning", function()
        local texts = {}
        for i, values in ipairs{ z, { 1, 2, 3, 4, 5, 6 }, { { 1, 2 }, pc.array{ 3, 4 }, { 5, 6 } } } do
            local figure = pc.chart.figure()
            figure:panel():heatmap{ x, y, values, label = "loss", unit = "J" }:contour{ x, y, z = values }
            texts[i] = figure:text()
            assert.equal("figure: 1 panel, 0 series, 2 fields", tostring(figure))
        end
        assert.equal(texts[1], texts[2])
        assert.equal(texts[1], texts[3])
        assert.matches("loss %[J%] 1 ", texts[1])
    end)

    it("puts z[(i - 1) * #y + j] at x[i], y[j]", function()
        local figure = pc.chart.figure()
        figure:panel():heatmap{ x, y, { 0, 0, 0, 0, 9, 0 } }
        local lines = {}
        local text = figure:text{ columns = 60, rows = 20, unicode = false }
        for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
        -- the greatest value lies at the right end of the lower half
        assert.matches("%.%.%.+$", lines[3])
        assert.matches("%.@+$", lines[15])
    end)

    it("is refused by name where its grid is wrong", function()
        local panel = pc.chart.figure():panel()
        assert.matches("z has 5 numbers where 6 belong", refusal(panel.heatmap, panel, { x, y, { 1, 2, 3, 4, 5 } }))
        assert.matches("z has 2 arrays where 3 belong", refusal(panel.contour, panel, { x, y, { { 1, 2 }, { 3, 4 } } }))
        assert.matches("z has 1 numbers where 2 belong",
            refusal(panel.heatmap, panel, { x, y, { { 1, 2 }, { 3 }, { 4, 5 } } }))
        assert.matches("x%[2%] repeats 1", refusal(panel.contour, panel, { { 1, 1, 2 }, y, z }))
        assert.matches("palette = \"virids\" is not known",
            refusal(panel.heatmap, panel, { x, y, z, palette = "virids" }))
        assert.matches("lim%[1%] = 0", refusal(panel.heatmap, panel, { x, y, z, log = true, lim = { 0, 1 } }))
        assert.matches("levels%[2%] = inf", refusal(panel.contour, panel, { x, y, z, levels = { 1, math.huge } }))
        for _, kind in ipairs{ "contour", "bands" } do
            assert.matches(kind .. ": levels = 0 is not allowed", refusal(panel[kind], panel, { x, y, z, levels = 0 }))
        end
        assert.matches("v is needed %(an array", refusal(panel.vectors, panel, { x, y, z }))
        assert.matches("density = 0", refusal(panel.streamlines, panel, { x, y, z, z, density = 0 }))
        assert.equal("panel: 0 series", tostring(panel))
    end)

    it("says on a log scale of colours how many values it hides", function()
        local figure = pc.chart.figure()
        figure:panel():heatmap{ x, y, { 1, 0, 10, -1, 100, 1000 }, log = true }
        assert.matches("2 values ≤ 0 not shown", figure:text())
    end)
end)

describe("bars", function()
    it("count values in bins", function()
        local figure = pc.chart.figure()
        local panel = figure:panel()
        panel:histogram{ { 1, 1.2, 2, 2.1, 2.2, 3, 0 / 0 }, bins = { 0.5, 1.5, 2.5, 3.5 } }
        panel:histogram{ values = pc.linspace(0, 1, 100), bins = 7, density = true, label = "share" }
        assert.equal(2, figure.series)
        assert.matches("at least 2", refusal(panel.histogram, panel, { { 1, 2 }, bins = { 1 } }))
        assert.matches("edges must ascend", refusal(panel.histogram, panel, { { 1, 2 }, bins = { 1, 3, 2 } }))
        assert.matches("none of the 1 values is finite", refusal(panel.histogram, panel, { { 0 / 0 } }))
        assert.matches("bins = 0 is not allowed", refusal(panel.histogram, panel, { { 1, 2 }, bins = 0 }))
    end)

    it("of two series stand side by side when shifted", function()
        local figure = pc.chart.figure()
        local panel = figure:panel{ ylim = { 0, 2 } }
        panel:bars{ { 1, 2 }, { 2, 2 }, thickness = 0.4, shift = -0.2 }
        local one = figure:text()
        panel:bars{ { 1, 2 }, { 2, 2 }, thickness = 0.4, shift = 0.2 }
        assert.is_true(#figure:text():gsub("[ \n]", "") > #one:gsub("[ \n]", ""))
        assert.matches("thickness = 0", refusal(panel.bars, panel, { { 1 }, { 1 }, thickness = 0 }))
    end)

    it("of errors take a number, an array or a pair of arrays", function()
        local panel = pc.chart.figure():panel()
        panel:errorbars{ { 1, 2 }, { 3, 4 }, yerr = 0.5 }
        panel:errorbars{ { 1, 2 }, { 3, 4 }, yerr = pc.array{ 0.5, 1 }, xerr = { { 0, 1 }, { 0.5, 0.5 } } }
        assert.equal("panel: 2 series", tostring(panel))
        assert.matches("yerr has 3", refusal(panel.errorbars, panel, { { 1, 2 }, { 3, 4 }, yerr = { 1, 2, 3 } }))
        assert.matches("yerr%[2%] = %-1.0 is not allowed; it must be >= 0",
            refusal(panel.errorbars, panel, { { 1, 2 }, { 3, 4 }, yerr = { 1, -1 } }))
    end)
end)

describe("axes", function()
    it("count a series on the right when asked", function()
        local figure = pc.chart.figure()
        local panel = figure:panel{ rightlabel = "v_n", rightunit = "m/s", rightlim = { 0, 500 } }
        panel:line{ { 0, 1 }, { 0, 1 } }:line{ { 0, 1 }, { 100, 400 }, axis = "right" }
        assert.matches("vₙ %[m/s%]", figure:text())
        assert.matches("├ 400", figure:text())
        assert.matches("axis = \"up\" is not known", refusal(panel.line, panel, { { 0 }, { 0 }, axis = "up" }))
    end)

    it("are polar or equal when asked, but not logarithmic then", function()
        local figure = pc.chart.figure()
        figure:panel{ polar = true, ylabel = "impulse" }:line{ { 0, 1, 2 }, { 1, 2, 1 } }
        assert.matches("180°", figure:text())
        assert.matches("polar does not go", refusal(figure.panel, figure, { polar = true, xlog = true }))
        assert.matches("equal does not go", refusal(figure.panel, figure, { equal = true, ylog = true }))
        assert.equal(1, figure.panels)
    end)
end)

describe("chart.portrait", function()
    local function pendulum(damping)
        return function(x, y) return y, -math.sin(x) - damping * y end
    end

    it("finds and names points of rest", function()
        local _, rest = pc.chart.portrait{ rates = pendulum(0), x = { -4, 4 }, y = { -3, 3 } }
        local kinds = {}
        for _, point in ipairs(rest) do
            kinds[#kinds + 1] = point.kind
            assert.is_true(math.abs(math.sin(point.x)) < 1e-9 and math.abs(point.y) < 1e-9)
        end
        assert.same({ "saddle", "centre", "saddle" }, kinds)
        local names = {
            { -1, 0, 0, -2, "stable node" }, { 1, 0, 0, 2, "unstable node" }, { -1, 3, -3, -1, "stable focus" },
            { 1, 3, -3, 1, "unstable focus" }, { 1, 0, 0, -1, "saddle" }, { 0, 1, -1, 0, "centre" },
        }
        for _, m in ipairs(names) do
            local function linear(x, y) return m[1] * x + m[2] * y, m[3] * x + m[4] * y end
            local _, points = pc.chart.portrait{ rates = linear, x = { -1, 1.1 }, y = { -1, 1.1 }, flow = "none" }
            assert.equal(1, #points)
            assert.equal(m[5], points[1].kind)
        end
    end)

    it("draws motions with their events, and any flow", function()
        local function bounce(_, x, y) return x, -0.5 * y end
        local wall = { { function(_, x) return x end, direction = -1, action = bounce } }
        local figure = pc.chart.portrait{
            rates = pendulum(0.1), x = { 0, 4 }, y = { -3, 3 }, starts = { { 1, 0, label = "bounces" } }, events = wall,
            flow = "vectors", xlabel = "θ",
        }
        assert.matches("bounces", figure:text())
        assert.matches("θ rests", figure:text())
    end)

    it("refuses what it does not know", function()
        local portrait = pc.chart.portrait
        assert.matches("did you mean 'starts'", refusal(portrait, { rates = pendulum(0), start = {} }))
        assert.matches("rates must be a function", refusal(portrait, { x = { 0, 1 }, y = { 0, 1 } }))
        assert.matches("x must be { least, greatest }",
            refusal(portrait, { rates = pendulum(0), x = { 1, 0 }, y = { 0, 1 } }))
        assert.matches("must return two numbers",
            refusal(portrait, { rates = function() return 1 end, x = { 0, 1 }, y = { 0, 1 } }))
    end)
end)

describe("figure:save", function()
    it("writes each format whole and returns its path", function()
        local figure = wave()
        local name = scratch()
        for ending, first in pairs{ png = "\x89PNG\r\n\x1a\n", svg = "<?xml", pdf = "%PDF-" } do
            local path = name .. "." .. ending
            assert.equal(path, figure:save(path))
            assert.equal(first, read(path):sub(1, #first))
        end
    end)

    it("draws the curve where its function is", function()
        local figure = wave()
        local path = scratch ".svg"
        figure:save(path)
        local svg = read(path)
        -- the frame is the only black outline of five points; y points up inside PLplot's group
        local corners = {}
        for points in svg:gmatch 'stroke="#1E1E1E".-points="([^"]+)"' do
            local list = {}
            for x, y in points:gmatch "([%d.]+),([%d.]+)" do list[#list + 1] = { tonumber(x), tonumber(y) } end
            if #list == 5 then corners = list break end
        end
        local x0, y0, x1 = corners[1][1], corners[1][2], corners[2][1]
        local height = corners[3][2] - y0
        -- the largest y belongs to t = π/2
        local top, at, n = -1, nil, 0
        for points in svg:gmatch 'stroke="#FF0000".-points="([^"]+)"' do
            for x, y in points:gmatch "([%d.]+),([%d.]+)" do
                x, y = tonumber(x), tonumber(y)
                n = n + 1
                if y > top then top, at = y, x end
            end
        end
        assert.is_true(n >= 100)
        assert.is_true(math.abs((at - x0) / (x1 - x0) * 3 - math.pi / 2) < 0.02)
        assert.is_true(top > y0 and top < y0 + height)
    end)

    it("returns nil, message, code where a file cannot be written, and raises for a wrong name", function()
        local figure = wave()
        local path, message, code = figure:save "/no/such/folder/a.png"
        assert.is_nil(path)
        assert.matches("/no/such/folder/a.png", message)
        assert.equal("system", code)
        assert.matches("must end in .png, .svg or .pdf", refusal(figure.save, figure, "a.gif"))
        assert.matches("dpi = 1", refusal(figure.save, figure, "a.png", { dpi = 1 }))
        assert.matches("no parameter 'dip'", refusal(figure.save, figure, "a.png", { dip = 100 }))
        assert.matches("no panel", refusal(pc.chart.figure().save, pc.chart.figure(), "a.png"))
    end)

    it("survives two hundred failures", function()
        local figure = wave()
        for _ = 1, 200 do assert.is_nil((figure:save "/no/such/folder/a.svg")) end
        local path = scratch ".svg"
        assert.equal(path, figure:save(path))
    end)
end)

describe("figure:text", function()
    it("has real text, braille curves and the asked for size", function()
        local text = wave():text{ columns = 70, rows = 18 }
        local lines = select(2, text:gsub("\n", ""))
        assert.equal(18, lines)
        for line in text:gmatch "[^\n]+" do assert.is_true(utf8.len(line) <= 70) end
        assert.matches("Sphere, μ = 0.5", text)
        assert.matches("ω₀ t", text)
        assert.matches("F %[N%]", text)
        assert.matches("[⠁-⣿]", text)
        assert.is_nil(text:find("\27", 1, true))
    end)

    it("is ASCII or coloured when asked", function()
        assert.is_nil(wave():text{ unicode = false }:find "[^\n -~]")
        assert.matches("\27%[38;5;%d+m", wave():text{ colour = true })
        assert.matches("columns = 5", refusal(pc.chart.figure().text, (wave()), { columns = 5 }))
    end)
end)

describe("figure:show", function()
    -- A script run by this program in a pipe, under an environment; what it printed and whether it succeeded.
    local function run(environment, script)
        local program = arg[-1] or "percuss"
        local i = -1
        while arg[i] do program = arg[i] i = i - 1 end
        local name = scratch()
        local file = assert(io.open(name, "w"))
        file:write('local pc = require "percuss"\nlocal c = pc.chart.figure()\n',
            "c:panel{ xlabel = 'θ' }:line{ { 0, 1, 2 }, { 0, 1, 0 } }\n", script)
        file:close()
        local pipe = io.popen(("env -u PERCUSS_CHART -u NO_COLOR %s '%s' '%s' 2>&1"):format(environment, program, name))
        local out = pipe:read "a"
        local ok = pipe:close()
        return out, ok
    end

    it("prints plain text into a pipe, whatever the terminal is called", function()
        for _, term in ipairs{ "xterm-kitty", "dumb", "mlterm" } do
            local out, ok = run("LC_ALL=C.UTF-8 TERM=" .. term, "c:show()")
            assert.is_true(ok)
            assert.is_nil(out:find("\27", 1, true))
            assert.matches("θ", out)
            assert.matches("┤", out)
        end
    end)

    it("prints ASCII under a locale without UTF-8", function()
        local out = run("LC_ALL=C", "c:show()")
        assert.is_nil(out:find "[^\n -~]")
        assert.matches("theta", out)
    end)

    it("is steered by PERCUSS_CHART and by its option", function()
        assert.equal("", (run("PERCUSS_CHART=none", "c:show()")))
        assert.equal("\27P", (run("PERCUSS_CHART=none", "c:show{ as = 'sixel' }"):sub(1, 2)))
        local out, ok = run("PERCUSS_CHART=sixl", "c:show()")
        assert.is_nil(ok)
        assert.matches("PERCUSS_CHART = 'sixl' is not known; did you mean 'sixel'", out)
    end)

    it("goes on after a device that is missing", function()
        local path = scratch ".png"
        local out, ok = run("PLPLOT_DRV_DIR=/no/such/folder", ("print(c:save '%s')"):format(path))
        assert.is_true(ok)
        assert.matches("nil\t.*\tsystem", out)
        assert.is_nil(io.open(path))
    end)

    it("opens a window where there is a display, and says so where there is none", function()
        local out, ok = run("-u DISPLAY", "print(c:show{ as = 'window' })")
        assert.is_true(ok)
        assert.matches("nil\tno window: .*DISPLAY.*\tsystem", out)
        if not os.execute "command -v xvfb-run >/dev/null 2>&1" then return pending "needs xvfb-run" end
        -- the script goes on while the window stays, which ends with its server
        out, ok = run("xvfb-run -a", "print(select('#', c:show{ as = 'window' }), 'went on')")
        assert.is_true(ok)
        assert.equal("0\twent on\n", out)
    end)
end)
