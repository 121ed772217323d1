-- Formulas in plain characters: what they mean, how they look, and what is refused.
local formula = require "percuss.formula"

describe("a formula", function()
    it("has the value that its blanks and slashes say", function()
        local values = { a = 6, b = 3, c = 5, v_t = -3, e = 0.5, z = 0.1, ["v_t'"] = 2 }
        for text, expected in pairs{
            ["a/b c"] = 10, ["a b/c"] = 3.6, ["a/b/c"] = 0.4, ["(a + b)/c"] = 1.8, ["-a + b"] = -3, ["a - b - c"] = -2,
            ["2 a^2"] = 72, ["a^-1"] = 1/6, ["|v_t| v_t"] = -9, ["x = 1 + e"] = 1.5, ["2 (1 - e)"] = 1,
            ["1.5 v_t'"] = 3,
            ["sqrt(a + b)"] = 3, ["e = exp(-pi z/sqrt(1 - z^2))"] = math.exp(-math.pi*0.1/math.sqrt(0.99)),
            ["(|v_t| v_t + |a| a)/b"] = 9, ["sign(v_t)"] = -1,
        } do
            assert.near(expected, formula.value(text, values), 1e-14, text)
        end
    end)

    it("names what has no value", function()
        assert.has_error(function() formula.value("a x", { a = 1 }) end, "formula: 'x' has no value")
    end)

    it("is refused with what is wrong in it", function()
        for text, fault in pairs{
            ["a b/"] = "something is missing at the end", ["a $ b"] = "'$' is no part of a formula",
            ["(a + b"] = "')' is needed before the end", ["a)"] = "')' is not expected",
            ["|a"] = "'|' is needed before the end",
            ["a = = b"] = "'=' is not expected", [""] = "something is missing at the end",
        } do
            local tree, message = formula.parse(text)
            assert.is_nil(tree)
            assert.equal(fault, message)
        end
    end)

    it("shows letters, powers and signs in a terminal", function()
        assert.equal("F_n = K u^1.5 (1 + ζ w)", formula.unicode "F_n = K u^1.5 (1 + zeta w)")
        assert.equal("|F_t| ≤ μ F_n, W⁻¹, √(z²).", formula.unicode "|F_t| <= mu F_n, W^-1, sqrt(z^2).")
        assert.equal("multiple β2 alphabet", formula.unicode "multiple beta2 alphabet")
    end)

    it("becomes MathML with indices, powers, fractions and roots", function()
        local text = formula.mathml "v_t' = -mu (a + b)/sqrt(c) |x|^2"
        for _, part in ipairs{
            "<msup><msub><mi>v</mi><mi>t</mi></msub><mo>′</mo></msup>", "<mi>μ</mi>",
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>c</mi></msqrt></mfrac>",
            "<msup><mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow><mn>2</mn></msup>",
        } do
            assert.truthy(text:find(part, 1, true), part .. " in " .. text)
        end
        assert.equal(select(2, text:gsub("<%a", "")), select(2, text:gsub("</%a", "")))
        -- a line may end before each term
        local terms = {}
        for term in formula.mathml("a <= b + c - d/2"):gmatch "<math[^>]*>(.-)</math>" do
            terms[#terms + 1] = term:gsub("<[^>]*>", " "):gsub("%s+", " ")
        end
        assert.same({ " a ", " ≤ b ", " + c ", " − d 2 " }, terms)
        local long = formula.mathml("e = (1 + a)/(1 + a + b + c)"):gsub("<[^>]*>", " "):gsub("%s+", " ")
        assert.equal(" e = ( 1 + a ) / ( 1 + a + b + c ) ", long)
    end)
end)
