-- Parts that ask for a chart. What arrives is the figure as data (bind/sandbox/data.c): titles, axes with labels and
-- units, series. It is judged as a reader would, and drawn anew for the report: nothing that a submission drew is
-- shown.
local pc = require "percuss"
local texts = require "percuss.assignment_text"
local unit = require "percuss.assignment_unit"

local M = {}

-- ---- a figure that can be relied on: what came is copied member by member, or refused ----

local function text_of(x)
    return type(x) == "string" and texts.plain(texts.cut(x, 200)) or nil
end

local function list_of(given, most, convert)
    local list = {}
    if type(given) ~= "table" then return list end
    for i = 1, most do
        if type(given[i]) ~= "table" then break end
        list[i] = convert(given[i])
    end
    return list
end

local function axis_of(given)
    if type(given) ~= "table" then return {} end
    return { label = text_of(given.label), unit = text_of(given.unit), log = given.log == true }
end

local function is_finite(x)
    return x - x == 0
end

-- The points that a chart shows: those with two finite coordinates.
local function shown(x, y)
    local px, py = {}, {}
    for i = 1, #x do
        if is_finite(x[i]) and is_finite(y[i]) then
            px[#px + 1] = x[i]
            py[#py + 1] = y[i]
        end
    end
    if #px == #x then return x, y end
    return pc.array(px), pc.array(py)
end

local function series_of(given)
    local joined = given.kind ~= "scatter"
    local x, y = given.x, given.y
    if pc.type(x) ~= "array" or pc.type(y) ~= "array" or #x ~= #y then x, y = pc.array{}, pc.array{} end
    x, y = shown(x, y)
    return { joined = joined, label = text_of(given.label), x = x, y = y }
end

local function panel_of(given)
    return {
        title = text_of(given.title), x = axis_of(given.x), y = axis_of(given.y),
        fields = math.type(given.fields) == "integer" and given.fields or 0,
        series = list_of(given.series, 64, series_of),
    }
end

local function figure_of(given)
    if type(given) ~= "table" or given.figure ~= true then return nil end
    return { title = text_of(given.title), panels = list_of(given.panels, 16, panel_of) }
end

local MOST_POINTS = 100000 -- of a figure that is drawn for a report; more would keep the grading busy

-- The figure drawn anew, as the bytes of an SVG file; or nil and why not.
local function draw(figure)
    local points = 0
    for _, panel in ipairs(figure.panels) do
        for _, series in ipairs(panel.series) do points = points + #series.x end
    end
    if points > MOST_POINTS then return nil, "it has too many points" end
    local fresh = pc.chart.figure{ title = figure.title }
    for _, panel in ipairs(figure.panels) do
        local drawn = fresh:panel{
            title = panel.title, xlabel = panel.x.label, xunit = panel.x.unit,
            ylabel = panel.y.label, yunit = panel.y.unit,
            xlog = panel.x.log, ylog = panel.y.log,
        }
        for _, series in ipairs(panel.series) do
            drawn[series.joined and "line" or "scatter"](drawn, { series.x, series.y, label = series.label })
        end
    end
    return fresh:bytes("svg")
end

function M.draw(figure)
    local ok, bytes, message = pcall(draw, figure)
    if ok then return bytes, message end
    return nil, tostring(bytes)
end

-- ---- the verdict ----

-- How many of two things an axis has, its label and its unit.
local function judge_axis(axis, wanted, name, messages)
    local passed = 0
    if axis.label and axis.label:find("%S") then
        passed = 1
    else
        messages[#messages + 1] = "the " .. name .. " axis has no label"
    end
    local text = axis.unit or axis.label and axis.label:match("%[(.-)%]")
    local given, right = unit.parse(text or ""), unit.parse(wanted.unit or "")
    if given and right and unit.same_dimension(given, right) and (text or wanted.unit == "") then
        passed = passed + 1
    else
        messages[#messages + 1] = "the " .. name .. " axis has " .. (text and "another unit" or "no unit")
    end
    return passed
end

-- The panel without series that have no point to show.
local function with_points(panel)
    local kept = {}
    for name, x in pairs(panel) do kept[name] = x end
    kept.series = {}
    for _, series in ipairs(panel.series) do
        if #series.x > 0 then table.insert(kept.series, series) end
    end
    return kept
end

local function has_data(panel)
    if panel.fields > 0 then return true end
    for _, series in ipairs(panel.series) do
        if #series.x >= 2 then return true end
    end
    return false
end

-- What part.test says: is it right, a message, and a remark for the teacher if the test stopped. It may expect more of
-- what is drawn than there is, as a fifth point of three: then what is drawn is wrong.
local function test_drawing(part, panel, data)
    local ran, ok, message = pcall(part.test, panel, data)
    if ran then return ok, message or "what is drawn is wrong" end
    if type(ok) == "table" and ok.code == "interrupted" then error(ok, 0) end
    local why = texts.cut(tostring(ok), 500)
    return false, "what is drawn cannot be tested: " .. why, "the test of the part " .. part.name .. " stopped: " .. why
end

-- Half the points are for the axes, half for what is drawn; part.test(panel, data) may look at the series.
function M.judge(part, data, reply)
    if reply.values[1] == nil then return { verdict = "missing", score = 0, message = "there is no chart yet" } end
    local figure = figure_of(reply.values[1])
    if not figure then
        return { verdict = "wrong", score = 0, message = "return a figure, as percuss.chart.figure makes it" }
    end
    local panel = figure.panels[1]
    if not panel then return { verdict = "wrong", score = 0, message = "the figure has no panel" } end
    local messages = {}
    local passed = judge_axis(panel.x, part.x, "x", messages) + judge_axis(panel.y, part.y, "y", messages)
    panel = with_points(panel)
    local drawn, remark = has_data(panel) and #panel.series >= (part.series or 1), nil
    if not drawn then
        messages[#messages + 1] = "there must be at least " .. (part.series or 1) .. " series with points"
    elseif part.test then
        local message
        drawn, message, remark = test_drawing(part, panel, data)
        if not drawn then messages[#messages + 1] = tostring(message) end
    end
    local score = passed / 8 + (drawn and 0.5 or 0)
    return {
        verdict = score == 1 and "right" or score > 0 and "partly" or "wrong", score = score,
        message = #messages > 0 and table.concat(messages, "; ") or nil, figure = figure, remark = remark,
    }
end

return M
