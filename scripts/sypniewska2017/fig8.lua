-- Sypniewska-Kaminska (2017), Fig 8: vertical and horizontal reaction P, R at the joint O over six seconds.
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Reaction at the joint O", source = syp.source .. ", Fig 8", arguments = { ... },
}

local smooth, rough = syp.run(0), syp.run(0.15)
for _, case in ipairs{ { "smooth", smooth }, { "mu = 0.15", rough } } do
    local s = case[2]:at(6)
    study:value("P, " .. case[1], nil, s.Ry1, "N")
    study:value("R, " .. case[1], nil, -s.Rx1, "N")
end
study:note("The source prints no numbers for this figure; the values above are at 6 s.")
study:draw(syp.figure("Reaction at the joint O", { "P", "R" }), "fig8")
return study:finish()
