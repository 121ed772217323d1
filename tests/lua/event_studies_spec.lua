-- The studies of scripts/events: what each one says is asserted here.
local function run(name, ...)
    return assert(loadfile("scripts/events/" .. name .. ".lua"))("--quiet", ...)
end

local function computed(study, name)
    return assert(study.by_name[name], "no row '" .. name .. "'").computed
end

describe("studies of events", function()
    it("detection: roots of polynomials miss nothing, changes of sign nearly everything", function()
        local study = run("detection", "--no-figures")
        assert.equal(168, computed(study, "events in all cases"))
        assert.equal(0, computed(study, "missed by roots of polynomials"))
        assert.equal(0, computed(study, "false by roots of polynomials"))
        assert.is_true(computed(study, "missed by changes of sign at the same steps") > 100)
    end)

    it("oscillator_with_stops: impacts are those of the exact solution", function()
        local study = run("oscillator_with_stops", "--no-figures")
        -- rtol 1e-12 over 80 units of time in which small differences grow a hundredfold
        assert.is_true(computed(study, "greatest difference of the times of 30 impacts from the exact ones") < 1e-10)
        assert.is_true(computed(study, "greatest difference of their speeds") < 1e-10)
        assert.is_true(computed(study, "greatest |x| of 16000 states") <= 1 + 1e-12)
    end)

    it("work_precision: the eighth order wins on smooth problems, the stiff method on the stiff one", function()
        local study = run("work_precision", "--no-figures")
        local function calls(problem, method)
            return computed(study, problem .. ": calls of " .. method .. " for an error of 1e-6")
        end
        assert.is_true(calls("pendulum", "dop853") < calls("pendulum", "dopri5"))
        assert.is_true(calls("pendulum", "dopri5") < calls("pendulum", "bs32"))
        assert.is_true(100 * calls("Robertson to t = 40", "rodas5p") < calls("Robertson to t = 40", "dopri5"))
    end)
end)
