local pc = require "percuss"
local near = require "near"

local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return tostring(message)
end

describe("material", function()
    it("names the materials of the benchmarks with their sources", function()
        local known = {
            glass = { 2800, 48e9, 0.20 }, limestone = { 2500, 20e9, 0.25 }, aluminium = { 2699, 70e9, 0.30 },
            magnesium = { 1800, 40e9, 0.35 }, alumina = { 4000, 380e9, 0.23 }, iron = { 7000, 100e9, 0.25 },
            steel = { 7850, 208e9, 0.30 },
        }
        for name, values in pairs(known) do
            local m = pc.material[name]
            assert.same({ name, values[1], values[2], values[3] }, { m.name, m.density, m.young, m.poisson })
            assert.truthy(m.source:find "Chung and Ooi")
            assert.is_nil(m.yield)
        end
    end)

    it("takes constants by word or symbol and leaves the others unknown", function()
        local m = pc.material.custom{ E = 3.2e9, nu = 0.38 }
        assert.equal(3.2e9, m.young)
        assert.equal(0.38, m.poisson)
        assert.equal(m.young, m.E)
        assert.is_nil(m.density)
        assert.is_nil(m.source)
        assert.equal("custom: young 3200000000 Pa, poisson 0.38", tostring(m))
    end)

    it("is called by the name it is given", function()
        local epoxy = pc.material.custom{ name = "epoxy", young = 3.2e9 }
        assert.equal("epoxy", epoxy.name)
        assert.equal("epoxy: young 3200000000 Pa", tostring(epoxy))
        local ball = pc.body.sphere{ radius = 1, mass = 1, material = epoxy }
        assert.truthy(tostring(ball):find("material = epoxy", 1, true))
        assert.equal("custom", pc.material.custom{ young = 1 }.name)
        assert.truthy(refusal(pc.material.custom, { name = "" }):find("from 1 to 31 bytes, not 0", 1, true))
        assert.truthy(refusal(pc.material.custom, { name = ("x"):rep(32) }):find("not 32", 1, true))
        assert.truthy(refusal(pc.material.custom, { name = 3 }):find("name must be a string, not a number", 1, true))
    end)

    it("compares by name and constants", function()
        assert.equal(pc.material.custom{ young = 1 }, pc.material.custom{ young = 1 })
        assert.not_equal(pc.material.custom{ young = 1 }, pc.material.custom{ young = 2 })
        assert.not_equal(pc.material.glass, pc.material.steel)
    end)

    it("cannot be changed", function()
        assert.truthy(refusal(function() pc.material.glass.young = 1 end):find("cannot be changed", 1, true))
    end)

    it("refuses what no material has, with name, value, unit and range", function()
        local custom = pc.material.custom
        assert.truthy(refusal(custom, { young = -1 })
            :find("young (E) = -1 Pa is not allowed; it must be > 0 Pa", 1, true))
        assert.truthy(refusal(custom, { poisson = 0.6 }):find("poisson (ν) = 0.6 is not allowed", 1, true))
        assert.truthy(refusal(custom, { poisson = -1 }):find("above -1 to 0.5", 1, true))
        assert.truthy(refusal(custom, { density = 0 }):find("must be > 0 kg/m^3", 1, true))
        assert.truthy(refusal(custom, { yeild = 1 }):find("did you mean 'yield'", 1, true))
        assert.truthy(refusal(function() return pc.material.glas end):find("did you mean 'glass'", 1, true))
        assert.truthy(refusal(function() return pc.material.glass.yung end):find("did you mean 'young'", 1, true))
    end)

    it("gives a body its density, unless the body says better", function()
        local volume = 4 / 3 * math.pi * 0.1 ^ 3
        near(pc.body.sphere{ radius = 0.1, material = pc.material.steel }.mass, 7850 * volume, 1e-15)
        local hollow = pc.body.sphere{ radius = 0.1, material = pc.material.steel, density = 1000 }
        near(hollow.mass, 1000 * volume, 1e-15)
        assert.equal(pc.material.steel, hollow.material)
        local weighed = pc.body.sphere{ radius = 0.1, material = pc.material.steel, mass = 3 }
        assert.equal(3, weighed.mass)
        near(weighed.density, 3 / volume, 1e-15)
        assert.truthy(refusal(pc.body.sphere, { radius = 1, material = pc.material.custom{ young = 1 } })
            :find("the material 'custom' has no density", 1, true))
    end)

    it("is nil on a body that has none", function()
        assert.is_nil(pc.body.sphere{ radius = 1, mass = 1 }.material)
    end)
end)
