-- Birlik (2012), Fig 4.17: wedging range in friction. theta = 26 deg, k3/k1 = 0.01.
return require("percuss.birlik").range_study({ ... }, "4.17", 26, 0.01, { 0.1, 0.4, 0.49, 0.5, 1 },
    function(study, low, high)
        study:value("wedges from mu =", nil, low)
        study:value("wedges up to mu =", nil, high)
        study:statement("rebounds up to mu = 0.4, wedges above", "for any mu above",
            string.format("rebounds again above %.1f", high), "right over the plotted range only")
    end)
