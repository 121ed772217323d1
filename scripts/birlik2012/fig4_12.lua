-- Birlik (2012), Fig 4.12: dissipation and final speed of a pendulum over friction, k3/k1 = 0.01.
return require("percuss.birlik").loss_study({ ... }, "4.12", 0.01, { 30, 45 },
    "Nearly linear over small friction, as the thesis says; where the loss reaches 1 the pendulum wedges.")
