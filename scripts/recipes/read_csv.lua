-- How do I read measured data from a CSV file?
-- Words: import file table columns units experiment data.
local pc = require "percuss"

local file = assert(io.open("drops.csv", "w"))
file:write "height [m],rebound [m]\n1.0,0.64\n0.5,0.33\n0.2,0.13\n"
file:close()

local _, columns = pc.csv.read "drops.csv"
local t = pc.table(columns)
t = t:with{ { "e", (t.rebound/t.height):sqrt() } }
print(("%.3f"):format(t.e:mean())) --> 0.806
