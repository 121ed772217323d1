-- How do I make a figure of the right width for a paper?
-- Words: two-column journal publication pdf svg dpi size font fonts letters export plot.
local pc = require "percuss"

local column = 85/25.4*96 -- 85 mm, in pixels of 1/96 inch
local ball = pc.body.sphere{ radius = 5e-3, material = pc.material.alumina }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = pc.collide(ball, law, { speed = 1, incidence = 45*pc.deg })

local figure = pc.chart.figure{ width = column//1, height = 220 }
local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "F", yunit = "N" }
local h = hit:trace(200)
panel:line{ h.t, h.F_n, label = "F_n" }
panel:line{ h.t, h.F_t, label = "F_t" }
print(figure:save "column.pdf")          --> column.pdf
print(figure:save("column.png", { dpi = 300 })) --> column.png

-- letters of an SVG are text, all in one font: another one is another name
local text = pc.file.read(figure:save "column.svg")
local times, n = text:gsub('font%-family="[^"]*"', 'font-family="Times New Roman, serif"')
print(pc.file.write("times.svg", times)) --> times.svg
print(n .. " name of a font") --> 1 name of a font
