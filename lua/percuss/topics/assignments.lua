return {
    title = "Assignments",
    summary = "Problems with numbers of each student's own, checks without the answers, and grades for a class.",
    words = "assignment homework exercise course class student teacher grade grading mark points check publish Moodle "
        .. "Canvas submission sandbox template problem set teaching exam",
    text = [[
A teacher writes an assignment as a Lua file; each student gets numbers of their own, checks the answers, and hands in
one file.

| who | command | what happens |
|---|---|---|
| teacher | `percuss new assignment friday` | a template that explains every kind of part |
| student | `percuss assignment start friday.lua --id s1` | a work file with the student's numbers |
| student | `percuss assignment check s1.lua` | right, wrong, wrong unit, too few digits; hints; never the value |
| teacher | `percuss assignment grade friday.lua handed_in/` | a score file, a page for each student and for the class |

Parts are `A.number`, `A.curve` (a list), `A.law` (a function, tried on hidden arguments and by properties), `A.chart`
and `A.words` (read by a person), with `A = require "percuss.assignment"`. The numbers come from `data(random)`, whose
seed is the id. A number x is right, the right one being x_0, where

    |x - x_0| <= r |x_0|

with `relative = r`, or where it agrees with x_0 in the digits that `digits` asks for; an answer in another unit of the
same kind is converted. `mistakes` are wrong answers worth a word or a part of the points: with points P_i and a score
s_i from 0 to 1 the mark is

    mark = s_1 P_1 + s_2 P_2 + s_3 P_3

and so on over the parts. `figures` are drawn from the student's numbers. Points that a hand wrote into the score file
are kept by the next grading.

Work is hostile until proven otherwise: it runs in processes that can only compute. The manual's page on assignments has
the threat model, Moodle's and Canvas's folders, and what is not promised: the file to check with contains the way to
its answers.

`percuss examples` lists studies; six assignments with model solutions lie in `scripts/assignments` of the sources.]],
    example = [[
local A = require "percuss.assignment"
local drop = A.new{
    name = "drop", title = "A drop", text = "A ball falls from rest.",
    data = function(random) return { height = random:number(0.5, 2) } end,
    units = { height = "m" },
    parts = { A.number{ name = "speed", points = 2, text = "How fast does it arrive?", unit = "m/s", digits = 3,
        answer = function(d) return math.sqrt(2*9.81*d.height) end } },
}
print(#drop.parts .. " part, " .. drop.parts[1].points .. " points") --> 1 part, 2 points]],
    figure = function(pc)
        -- what one template makes of 200 ids: heights, and the speeds that are right
        local random = require "percuss.assignment_random"
        local height, speed = {}, {}
        for i = 1, 200 do
            height[i] = random.new("s" .. i):number(0.5, 2)
            speed[i] = math.sqrt(2*9.81*height[i])
        end
        local figure = pc.chart.figure{ title = "One problem, 200 students", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "height of the student", xunit = "m", ylabel = "right answer",
            yunit = "m/s" }
        panel:scatter{ height, speed }
        return figure
    end,
    see = { "assignment.new", "assignment.number", "check", "writing_a_study", "measured_data", "figures" },
    source = "scripts/assignments/README.md, which is a page of the manual",
}
