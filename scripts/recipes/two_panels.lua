-- How do I put several curves or panels into one figure?
-- Words: chart plot panel legend subplot lines compare curves.
local pc = require "percuss"

local figure = pc.chart.figure{ title = "A cosine and its integral", columns = 2, width = 800, height = 300 }
local x = pc.linspace(0, 2*math.pi, 200)
local left = figure:panel{ title = "functions", xlabel = "x" }
left:line{ x, x:cos(), label = "cos" }
left:line{ x, x:sin(), label = "sin" }
local right = figure:panel{ title = "their sum of squares", xlabel = "x" }
right:line{ x, x:cos()^2 + x:sin()^2 }
print(figure:save "panels.svg") --> panels.svg
