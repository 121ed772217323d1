-- Sypniewska-Kaminska (2017), Fig 7: angular velocity of the second part over six seconds, without friction and with
-- mu = 0.15.
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Angular velocity of the second part", source = syp.source .. ", Fig 7", arguments = { ... },
}

local smooth, rough = syp.run(0), syp.run(0.15)
study:value("jumps, smooth", "6", smooth.impact_count)
study:value("jumps, mu = 0.15", "10", rough.impact_count)
study:value("omega_2, smooth", nil, -smooth:at(6).rate2, "rad/s")
study:value("omega_2, mu = 0.15", nil, -rough:at(6).rate2, "rad/s")
study:note("The source prints no numbers for this figure; the values above are at 6 s.")
study:draw(syp.figure("Angular velocity of the second part", { "omega2" }), "fig7")
return study:finish()
