-- Sypniewska-Kaminska (2017), Fig 9: vertical and horizontal force V, H at the joint A over six seconds, without
-- friction and with mu = 0.15.
return require("percuss.sypniewska").study(9, "Internal force at the joint A", { "V", "H" }, { ... })
