return {
    title = "Figures for a paper, a talk, a terminal",
    summary = "How to get a plot of the right width and format, and several panels or curves in one figure.",
    words = "figure plot chart paper publication journal two-column column width PDF SVG PNG dpi resolution font "
        .. "size talk slide dark theme animation panel legend label save export picture",
    text = [[
Without `file` a plot is drawn where you are, in the terminal. With `file = "forces.pdf"` it is written; the ending
says the format: .svg and .pdf for papers, .png for pages, with `dpi` for its resolution.

Widths are in pixels of 1/96 inch, in every format. A column of a two-column paper is some 85 mm wide, a page 178 mm:

    w_column = 85/25.4 96
    w_page = 178/25.4 96

that is 321 and 673. Letters keep their size, as journals want it, so set the width here and do not scale the picture
later. `theme = "dark"` is for slides.

Results draw themselves: `hit:plot`, `run:plot`, `run:phase`, `run:draw`, and tables. For everything else make a figure
with `pc.chart.figure` and panels with lines, points, heat maps; names of series make the legend, and labels take marks
for indices and powers: "F_n [N]", "m^2".

`run:animate` writes a GIF for a talk.]],
    example = [[
local figure = percuss.chart.figure{ width = 321, height = 240 }
local panel = figure:panel{ xlabel = "t [s]", ylabel = "F_n [N]" }
panel:line{ { 0, 1, 2 }, { 0, 3, 1 }, label = "one impact" }
print(figure:save("column.pdf") .. " " .. figure.width) --> column.pdf 321]],
    figure = function(pc)
        local x = pc.linspace(0, 2*math.pi, 200)
        local figure = pc.chart.figure{ width = 321, height = 220 }
        local panel = figure:panel{ xlabel = "ω_0 t", ylabel = "x", yunit = "m" }
        panel:line{ x, x:sin(), label = "sin" }
        panel:line{ x, x:cos(), label = "cos" }
        return figure
    end,
    see = { "chart.figure", "figure:save", "impact:plot", "run:plot", "run:animate", "table:heatmap" },
    source = "Okabe and Ito (2008), Color universal design, for the colours; W3C, CSS Values, for pixels of 1/96 inch",
}
