-- Sypniewska-Kaminska (2017), Fig 8: vertical and horizontal reaction P, R at the joint O over six seconds, without
-- friction and with mu = 0.15.
return require("percuss.sypniewska").study(8, "Reaction at the joint O", { "P", "R" }, { ... })
