return {
    title = "Writing a study",
    summary = "A script that sets what percuss computes beside what a source prints, draws it, and is a test.",
    words = "study script write report compare reproduce paper printed value agreement table figures template new "
        .. "begin start my own percuss new study literature validate",
    text = [[
`percuss new study friday` writes `friday.lua`, which runs as it stands: a law, two numbers, a statement, a sweep over
all cores and a figure. The studies that `percuss examples` lists are made in the same way. A study is an object that
collects rows and prints them at the end:

- `study:value(name, printed, computed, unit)`: a number; `printed` is the text of the source, or nil.
- `study:statement(name, says, found, agrees)`: a sentence of the source, what is found, and whether they agree.
- `study:identity(name, one, other, unit)`: two ways to one number; what is shown is their distance.
- `study:note(text)`: a sentence below the table; `study:draw(figure, name)`: a figure, inline or as a file.
- `return study:finish()` prints all of it and returns the rows, by which a test asserts what the study claims.

The printed text fixes how many digits count. With d decimals a value x_0 agrees with the computed x where

    |x - x_0| <= 0.5 10^-d

or where x_0 is x cut off there, which the table then says. Anything else is shown as a difference, and is something to
find out, not to hide: a misprint, another convention, a digit too many. Those that were found are in the manual's page
of misprints.

- Keep the source's numbers as text, with equation or figure, and its conventions in one function that converts them.
- Compute every number in two independent ways where there are two: closed form and integration, two laws in a limit.
- Give what is long a store: `store = "friday.db"` in `pc.sweep` makes a study resume where it was stopped.
- Options come for nothing: `percuss friday.lua --out DIR --format pdf`, `--no-figures`, `--help`.]],
    example = [[
local Study = require "percuss.study"
local study = Study.new{ title = "Drop of a ball", source = "Galilei (1638)", arguments = { "--quiet" } }
study:value("speed after 1 m", "4.43", math.sqrt(2*9.81), "m/s")
study:value("the same, misprinted", "4.34", math.sqrt(2*9.81), "m/s")
study:statement("the heavier ball is faster", "no", "the mass cancels", true)
for _, row in ipairs(study:finish().rows) do print(row.agreement) end
--> agrees
--> differs by -0.0894
--> agrees]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "Computed, and printed: Birlik (2012), Table 4.3", width = 480,
            height = 300 }
        local panel = figure:panel{ xlabel = "k_n/k_t", ylabel = "critical angle", yunit = "deg", xlog = true }
        local eta, angle = pc.logspace(5e-4, 5, 100), {}
        for i = 1, #eta do angle[i] = pc.critical_angle(1, eta[i])/pc.deg end
        panel:line{ eta, angle, label = "computed" }
        panel:scatter{ { 1.21, 0.1, 0.01, 0.001 }, { 11.69, 36.07, 43.90, 44.89 }, label = "printed" }
        return figure
    end,
    see = { "sweep", "sweeps_elsewhere", "fit", "figures", "chart.figure" },
    source = "the studies that percuss examples lists; each names the table, figure or equation that it repeats",
}
