-- Birlik (2012), Fig 4.11: dissipation and final speed of a pendulum over friction, k3/k1 = 1.21.
return require("percuss.birlik").loss_study({ ... }, "4.11", 1.21, { 30, 45, 60 },
    "Erratum: the conclusions call this a local minimum of the loss; it is a maximum.")
