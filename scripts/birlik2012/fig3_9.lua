-- Birlik (2012), Fig 3.9: slender rod that slips first. theta = 45 deg, mu = 0.6, k3/k1 = 1.21,
-- xdot(0)/zdot(0) = -0.8.
return require("percuss.birlik").rod_study({ ... }, "3.9", 0.8, "slide, stick with force reversal, slide",
    "slip-stick-slip")
