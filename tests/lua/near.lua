-- near(actual, expected, relative, absolute): fails with both values, the error and its bound. A NaN is near nothing.
-- The absolute part (0 unless given) is for values that are 0 up to rounding of something else.
return function(actual, expected, relative, absolute)
    local bound = relative * math.abs(expected) + (absolute or 0)
    local off = actual == expected and 0 or math.abs(actual - expected)
    if off <= bound then return end
    error(("%.17g is not near %.17g: off by %.3g, allowed %.3g"):format(actual, expected, off, bound), 2)
end
