-- Birlik (2012), Fig 4.16: wedging range in friction. theta = 13 deg, k3/k1 = 1.21.
return require("percuss.birlik").range_study({ ... }, "4.16", 13, 1.21, { 0.1, 0.5, 0.8, 1 },
    function(study, low, high)
        study:value("wedges from mu =", "0.4", low)
        study:value("wedges up to mu =", "0.7", high)
        study:note("The thesis tried mu in steps of 0.1: 0.4 to 0.7 are the wedging steps, as the exact range says.")
    end)
