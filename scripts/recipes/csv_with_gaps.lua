-- How do I read a CSV file that has gaps, semicolons or a column of text?
-- Words: missing cells empty NA nan spreadsheet separator tab Excel table import data.
local pc = require "percuss"

local file = assert(io.open("friday.csv", "w"))
file:write "sample;angle [deg];v_t [m/s]\nA1;10;0.61\nA2;;0.55\nA3;30;NA\nA4;40;0.42\n"
file:close()

local _, columns = assert(pc.csv.read("friday.csv", {
    separator = ";", missing = { "", "NA" }, columns = { "angle", "v_t" },
}))
local t = pc.table(columns)
print(#t .. " rows") --> 4 rows
-- what is missing is nan, which equals nothing
local whole = t:filter(function(row) return row.angle == row.angle and row.v_t == row.v_t end)
print(#whole .. " of them whole, to " .. whole.angle:max() .. " " .. whole.units.angle) --> 2 of them whole, to 40.0 deg
