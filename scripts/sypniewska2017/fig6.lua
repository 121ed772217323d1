-- Sypniewska-Kaminska (2017), Fig 6: angular velocity of the rod OA over six seconds, without friction and with mu =
-- 0.15.
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Angular velocity of the rod", source = syp.source .. ", Fig 6", arguments = { ... },
}

local smooth, rough = syp.run(0), syp.run(0.15)
study:value("jumps, smooth", "6", smooth.impact_count)
study:value("jumps, mu = 0.15", "10", rough.impact_count)
study:value("omega_1, smooth", nil, -smooth:at(6).rate1, "rad/s")
study:value("omega_1, mu = 0.15", nil, -rough:at(6).rate1, "rad/s")
study:note("The source prints no numbers for this figure; the values above are at 6 s.")
study:draw(syp.figure("Angular velocity of the rod", { "omega1" }), "fig6")
return study:finish()
