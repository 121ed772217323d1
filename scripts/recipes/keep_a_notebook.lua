-- How do I keep what I typed, as a notebook?
-- Words: transcript session record log history diary save prompt notebook repeat.
--
-- At the prompt, transcript "friday.lua" writes what was typed; statements that failed become comments. It is a script:
--   percuss friday.lua       runs it again
--   percuss -i friday.lua    runs it and goes on from there, at the prompt
-- Up and Ctrl-R find what was typed on other days, and figures go into files beside it with hit:plot{ file = }.
local pc = require "percuss"

-- a script has typed nothing, so this notebook has its head alone
print(pc.prompt.transcript "friday.lua") --> friday.lua
local lines = {}
for line in io.lines "friday.lua" do lines[#lines + 1] = line end
print(lines[2]) --> local pc = require "percuss"

-- what is added by hand runs with the names of the prompt, as if it had been typed
local file = assert(io.open("friday.lua", "a"))
file:write [[
ball = body.sphere{ radius = 5e-3, mass = 0.0041 }
show(collide(ball, contact.newton{ e = 0.8, mu = 0.1 }, { vn = -1 }).velocity.n)
]]
file:close()
dofile "friday.lua" --> 0.8
