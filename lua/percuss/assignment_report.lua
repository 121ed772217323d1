-- Pages for people: a report for each student, and the summary of a class. What came from a submission is text here,
-- escaped; its charts were drawn anew (assignment_chart.lua). A student's page is one file with its pictures in it.
local pc = require "percuss"

local M = {}

local style = [[
body { font: 16px/1.5 sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid #ccc }
td.n, th.n { text-align: right; white-space: nowrap }
pre { background: #f4f4f4; padding: .6em; overflow-x: auto; white-space: pre-wrap }
img { max-width: 100% }
.right { color: #17692d } .wrong { color: #a11f1f } .partly { color: #8a5a00 }
]]

function M.escape(text)
    local replaced = text:gsub("[&<>\"']", {
        ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;",
    })
    -- control characters have no place in a page; bytes that are no UTF-8 become visible
    replaced = replaced:gsub("[%z\1-\8\11-\31\127]", "?")
    return utf8.len(replaced) and replaced or (replaced:gsub("[\128-\255]", "?"))
end

local escape = M.escape

local function page(title, body)
    return table.concat{
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file: data:; ",
        "style-src 'unsafe-inline'\">\n<title>", escape(title), "</title>\n<style>\n", style,
        "</style>\n</head>\n<body>\n",
        "<h1>", escape(title), "</h1>\n", body, "</body>\n</html>\n",
    }
end

local function number(x)
    return string.format("%.4g", x)
end

local function class_of(verdict)
    return verdict == "right" and "right" or verdict == "partly" and "partly" or verdict == "person" and "" or "wrong"
end

local function add(list, ...)
    for _, text in ipairs{ ... } do list[#list + 1] = text end
end

-- A student's page. `figures`: of the assignment, { caption =, address = }; `charts`: addresses of what the student
-- drew, by part; `answers`: expected values by part, or nil.
function M.student(assignment, result, file, figures, charts, answers)
    local b = {}
    add(b, "<p>", escape(assignment.title), ", submission ", escape(file), ": <b>", number(result.total), " of ",
        number(assignment.points), " points</b></p>\n")
    for _, figure in ipairs(figures) do
        add(b, '<figure><img alt="figure" src="', escape(figure.address), '"><figcaption>', escape(figure.caption),
            "</figcaption></figure>\n")
    end
    add(b, '<table>\n<tr><th>part</th><th class="n">points</th><th>verdict</th></tr>\n')
    for _, part in ipairs(result.parts) do
        add(b, "<tr><td>", escape(part.name), '</td><td class="n">', number(part.score), " of ", number(part.points),
            '</td><td><span class="', class_of(part.verdict), '">', escape(part.verdict), "</span>")
        if part.message then add(b, ": ", escape(part.message)) end
        if part.by_hand then add(b, " (points by hand)") end
        if answers and answers[part.name] then add(b, "<br>expected: ", escape(answers[part.name])) end
        add(b, "</td></tr>\n")
    end
    add(b, "</table>\n")
    for _, part in ipairs(result.parts) do
        if charts[part.name] then
            add(b, "<h2>", escape(part.name), '</h2>\n<p><img alt="chart" src="', escape(charts[part.name]), '"></p>\n')
        elseif part.text then
            add(b, "<h2>", escape(part.name), "</h2>\n<pre>", escape(part.text), "</pre>\n")
        end
    end
    for i, remark in ipairs(result.remarks) do
        add(b, i == 1 and "<h2>Remarks</h2>\n" or "", "<p>", escape(remark), "</p>\n")
    end
    if result.output ~= "" then add(b, "<h2>What it printed</h2>\n<pre>", escape(result.output), "</pre>\n") end
    return page(result.id, table.concat(b))
end

-- Histogram of scores in tenths of the points, as an SVG file.
local function draw_histogram(path, title, scores, points)
    local edges = {}
    for i = 0, 10 do edges[i + 1] = points * i / 10 end
    edges[11] = points * (1 + 1e-9) -- full points belong to the last bar
    local figure = pc.chart.figure{ title = title, width = 480, height = 300 }
    figure:panel{ xlabel = "points", ylabel = "submissions" }:histogram{ scores, bins = edges }
    return figure:save(path)
end

local function quantile(sorted, q)
    return sorted[math.max(1, math.ceil(q * #sorted))]
end

local function verdict_list(counts)
    local words = {}
    for verdict, n in pairs(counts) do words[#words + 1] = verdict .. " " .. n end
    table.sort(words)
    return table.concat(words, ", ")
end

-- The class: table, histograms for the total and each part, remarks, submissions that look alike (nil: nobody looked).
function M.class(assignment, results, alike, walls, folder)
    local b = {}
    add(b, "<p>", tostring(#results), " submissions. ", escape(walls), "</p>\n")
    local columns = { { "total", assignment.points, {}, {} } }
    for _, part in ipairs(assignment.parts) do columns[#columns + 1] = { part.name, part.points, {}, {} } end
    for _, result in ipairs(results) do
        table.insert(columns[1][3], result.total + 0.0)
        for i, part in ipairs(result.parts) do
            local column = columns[i + 1]
            table.insert(column[3], part.score + 0.0)
            column[4][part.verdict] = (column[4][part.verdict] or 0) + 1
        end
    end
    add(b, '<table>\n<tr><th>part</th><th class="n">points</th><th class="n">mean</th><th class="n">median</th>',
        "<th>verdicts</th></tr>\n")
    for _, column in ipairs(columns) do
        table.sort(column[3])
        local sum = 0
        for _, x in ipairs(column[3]) do sum = sum + x end
        add(b, "<tr><td>", escape(column[1]), '</td><td class="n">', number(column[2]), '</td><td class="n">',
            number(sum / math.max(1, #column[3])), '</td><td class="n">', number(quantile(column[3], 0.5) or 0),
            "</td><td>", escape(verdict_list(column[4])), "</td></tr>\n")
    end
    add(b, "</table>\n")
    for _, column in ipairs(columns) do
        if #column[3] > 0 and column[2] > 0 then
            local name = "class-" .. column[1] .. ".svg"
            assert(draw_histogram(folder .. "/" .. name, column[1], column[3], column[2]))
            add(b, '<p><img alt="histogram of ', escape(column[1]), '" src="', name, '"></p>\n')
        end
    end
    add(b, "<h2>Submissions that look alike</h2>\n")
    if not alike then add(b, "<p>The grading was ended before they were looked for.</p>\n") end
    if alike and #alike == 0 then add(b, "<p>None.</p>\n") end
    for i, pair in ipairs(alike or {}) do
        if i <= 100 then
            add(b, string.format("<p>%s and %s: %.0f %% of the program text in common, whatever the names</p>\n",
                escape(pair[1]), escape(pair[2]), 100 * pair[3]))
        end
    end
    add(b, "<h2>Submissions</h2>\n<table>\n")
    for _, result in ipairs(results) do
        add(b, '<tr><td><a href="', escape(result.page), '.html">', escape(result.id), '</a></td><td class="n">',
            number(result.total), "</td><td>", escape(table.concat(result.remarks, "; ")), "</td></tr>\n")
    end
    add(b, "</table>\n")
    return page(assignment.title, table.concat(b))
end

return M
