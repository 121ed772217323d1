-- Sypniewska-Kaminska (2017), Fig 6: angular velocity of the rod OA over six seconds, without friction
-- and with mu = 0.15.
return require("percuss.sypniewska").study(6, "Angular velocity of the rod", { "omega1" }, { ... })
