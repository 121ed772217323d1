-- Sypniewska-Kaminska (2017), Fig 7: angular velocity of the second part over six seconds, without friction
-- and with mu = 0.15.
return require("percuss.sypniewska").study(7, "Angular velocity of the second part", { "omega2" }, { ... })
