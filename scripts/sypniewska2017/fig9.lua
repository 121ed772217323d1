-- Sypniewska-Kaminska (2017), Fig 9: vertical and horizontal force V, H at the joint A over six seconds.
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Internal force at the joint A", source = syp.source .. ", Fig 9", arguments = { ... },
}

local smooth, rough = syp.run(0), syp.run(0.15)
for _, case in ipairs{ { "smooth", smooth }, { "mu = 0.15", rough } } do
    local s = case[2]:at(6)
    study:value("V, " .. case[1], nil, -s.Ry2, "N")
    study:value("H, " .. case[1], nil, -s.Rx2, "N")
end
study:note("The source prints no numbers for this figure; the values above are at 6 s.")
study:draw(syp.figure("Internal force at the joint A", { "V", "H" }), "fig9")
return study:finish()
