-- Birlik (2012), Fig 3.8: slender rod that sticks first. theta = 45 deg, mu = 0.6, k3/k1 = 1.21,
-- xdot(0)/zdot(0) = -0.6.
return require("percuss.birlik").rod_study({ ... }, "3.8", 0.6,
    "stick, |F1| greatest near omega_0 t = 0.7, reversal in stick, slip", "stick-slip")
