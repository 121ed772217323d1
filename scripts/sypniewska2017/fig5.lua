-- Sypniewska-Kaminska (2017), Fig 5: mechanical energy of the double pendulum over six seconds, without friction and
-- with mu = 0.15.
local syp = require "percuss.sypniewska"
local study = require("percuss.study").new{
    title = "Stepwise changes of energy", source = syp.source .. ", Fig 5", arguments = { ... },
}

local smooth, rough = syp.run(0), syp.run(0.15)
study:value("impacts in 6 s, smooth", "6", smooth.impact_count)
study:value("impacts in 6 s, mu = 0.15", "10", rough.impact_count)
study:value("energy at the start", nil, smooth:at(0).energy, "J")
study:value("after the first impact, smooth", nil, smooth.impacts[1].energy.after, "J")
study:value("after the first impact, mu = 0.15", nil, rough.impacts[1].energy.after, "J")
study:statement("first impact", "loses much more with friction",
    string.format("%.4f against %.4f J", rough.impacts[1].loss, smooth.impacts[1].loss),
    rough.impacts[1].loss > smooth.impacts[1].loss)

-- Between impacts the energy is constant: nothing damps or drives.
local worst = 0
for _, run in ipairs{ smooth, rough } do
    local c = run:columns(0.01)
    for i = 1, #c.t do worst = math.max(worst, math.abs(c.energy[i] + c.lost[i] - c.energy[1])) end
end
study:statement("between impacts", "the total energy is constant", string.format("up to %.0e J", worst), worst < 1e-9)

local hanging = -(3.2 / 2 + 3.8) * 9.81 * 0.5 - 3.8 * 9.81 * 0.3627
study:value("energy of the hanging pendulum", "-40.007", hanging, "J")
study:note("The printed -40.007 J needs lc between 0.36267 and 0.36269 m: lc = 0.3627 is rounded. With the floor at")
study:note("0.9 m this position cannot be reached; the least energy above the floor is -33.7674 J.")
study:draw(syp.figure("Energy of the double pendulum", { "energy" }), "fig5")
return study:finish()
