-- within(expected, actual, bound, name): fails with both values and the bound, which is absolute. A NaN is within none.
return function(expected, actual, bound, name)
    local off = math.abs(expected - actual)
    if off <= bound then return end
    error(("%s: expected %.17g, got %.17g, off by %.2g, bound %.1e"):format(name or "value", expected, actual, off,
        bound), 2)
end
