-- Results of several parts are types: their fields have help, units and completion, and a misspelt one is refused.
local pc = require "percuss"
local complete = require "percuss.complete"
local help = require "percuss.help"

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local round = pc.body.sphere{ radius = 5e-3, mass = 0.0041, spatial = true }
local lai = pc.body.lai{ mass = 1, lambda = 5 / 9, theta = 0 }
local rod = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local sledge = pc.contact.sledge3d{ kn = 1e6, eta = 1.3, mu = 0.3 }
local newton = pc.contact.newton{ e = 1, mu = 0.1 }
local hertz = pc.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }
local maw = pc.contact.maw{ modulus = 1, poisson = 0.3, radius = 1, friction = 0.5, rings = 50 }
local motion = { vt = 0.2, vn = -1 }
local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })
local rigid = pc.collide(rod, pc.contact.stronge{ E = 1, mu = 0.01 }, { vt = 0.6, vn = -1 })
local W = { { 0.25, 0.25 * 3 ^ 0.5, 0 }, { 0.25 * 3 ^ 0.5, 0.75, 0 }, { 0, 0, 1 } }
local top = pc.scene{ pc.chain{ links = { { length = 1, mass = 1 } }, angles = { 3 } } }
local function model(p, row) return { y = p.slope * row.x, z = -p.slope * row.x } end
local data = pc.table{ { "x", { 1, 2, 4 } }, { "y", { 2.5, 4, 8 }, unit = "m" }, { "z", { -2, -4, -7 } } }
local fit = pc.fit(data, model, { { "slope", 0.5 } }, { columns = { "y", "z" } })
local comparison = pc.compare(rod, { newton, pc.contact.whittaker{ e = 0.5, mu = 0.2 } }, motion)
local curves = pc.loss_curves(rod, motion)

-- results by the names of their types
local results = {
    trace = { hit:trace(5), pc.collide(round, sledge, { vt = 1, vn = -1, vt2 = 0.3 }):trace(5), hit:scaled "birlik" },
    contact_state = { hit:at(0), hit.phases[1].at_stop },
    map = { pc.map(ball, spring, { vt = pc.array{ 0, 1 }, vn = -1 }),
        pc.map(ball, spring, { vt = pc.array{ 0, 1 }, vn = -1, columns = { "loss" } }) },
    cradle = { pc.cradle{ bodies = { ball, ball }, contact = hertz, velocity = { 1, 0 } } },
    traction = { pc.traction(pc.collide(lai, maw, { vt = 1, vn = -1 }), 0) },
    flat_impact = { pc.flat_impact{ radius = 1, mass = 1, stiffness = 1e4, speed = 1 } },
    impulse_path = { pc.impulse.path(rigid) },
    impulse_bounds = { pc.impulse.bounds(rod, motion, 0.5), curves.curves[1].bounds },
    flow = { pc.impulse.flow(pc.body.matrix{ W = W }, 1), pc.flow(W, 1), pc.flow(W, 2) },
    comparison = { comparison }, compared_law = comparison.rows,
    converted_restitution = { pc.convert_restitution(rod, { vt = 0.6, vn = -1 }, { E = 1, mu = 0.01 }) },
    loss_curves = { curves }, loss_curve = curves.curves,
    impulse_plane_lines = { pc.impulse_plane_lines{ rigid } },
    impulse_interval = pc.impulse_sequence(rigid),
    fit = { fit },
    lyapunov = { pc.lyapunov(top, { duration = 3, interval = 1 }) },
    sensitivity = { pc.sensitivity{ over = { { "a", { 0, 1 } } }, columns = { "y" }, points = 4, jobs = 1,
        run = function(p) return { y = p.a } end } },
}

local entries, methods = {}, {}
for _, entry in ipairs(pc.register()) do
    if entry.kind == "type" then entries[entry.path] = entry end
    local owner, method = entry.path:match "^([%w_]+):([%w_]+)$"
    if owner then
        methods[owner] = methods[owner] or {}
        table.insert(methods[owner], method)
    end
end

describe("a result", function()
    it("that is a table has a type, whose fields are all it has", function()
        local met = 0
        for name, list in pairs(results) do
            local entry = assert(entries[name], name)
            local known = {}
            for _, field in ipairs(entry.fields) do known[field.name] = false end
            for _, result in ipairs(list) do
                assert.equal(name, pc.type(result))
                assert.equal("table", type(result))
                for key in next, result do
                    -- the columns of a study of sensitivity have the names that its caller gave
                    if name ~= "sensitivity" or key ~= "y" then
                        assert.not_nil(known[key], name .. "." .. tostring(key))
                        known[key] = true
                    end
                end
            end
            met = met + 1
        end
        assert.equal(19, met)
    end)

    it("is explained by help with its fields, their units and its methods", function()
        for name, list in pairs(results) do
            local text = help.text(list[1])
            for _, field in ipairs(entries[name].fields) do
                assert.matches("\n  " .. field.name .. " +", text)
                if field.unit and field.unit ~= "" then
                    assert.truthy(text:find("\n  " .. field.name .. " +" .. field.unit:gsub("%^", "%%^")), field.name)
                end
            end
            for _, method in ipairs(methods[name] or {}) do
                assert.truthy(text:find("  :" .. method, 1, true), method)
            end
        end
        assert.truthy(help.text "loss_curve":find("impulse ratios p_t/p_n", 1, true))
    end)

    it("is completed by fields and methods", function()
        for name, list in pairs(results) do
            rawset(_G, "result_of_test", list[1])
            local offered = {}
            for _, word in ipairs(complete.candidates("", "result_of_test.", false)) do offered[word] = true end
            for _, field in ipairs(entries[name].fields) do
                assert.is_true(offered["result_of_test." .. field.name], name .. "." .. field.name)
            end
            offered = complete.candidates("", "result_of_test:", false)
            table.sort(offered)
            local expected = {}
            for i, method in ipairs(methods[name] or {}) do expected[i] = "result_of_test:" .. method end
            table.sort(expected)
            assert.same(expected, offered, name)
        end
        rawset(_G, "result_of_test", results.sensitivity[1])
        assert.same({ "result_of_test.y" }, complete.candidates("", "result_of_test.y", false))
        rawset(_G, "result_of_test", nil)
    end)

    it("refuses a misspelt field and names the nearest", function()
        for name, list in pairs(results) do
            for _, result in ipairs(list) do
                for _, field in ipairs(entries[name].fields) do
                    -- of a field that this one has not it is nil
                    assert.has_no_error(function() return result[field.name] end)
                    if #field.name > 3 then
                        local wrong = field.name:sub(1, 2) .. "qq" .. field.name:sub(3)
                        local ok, message = pcall(function() return result[wrong] end)
                        assert.is_false(ok, name .. "." .. wrong)
                        local expected = ("there is no field '%s' here"):format(wrong)
                        assert.truthy(tostring(message):find(expected, 1, true), message)
                    end
                end
            end
        end
        assert.error_matches(function() return fit.residulas end, "did you mean 'residuals'", 1, true)
        assert.error_matches(function() return fit:bnad(data) end, "did you mean 'band'", 1, true)
        assert.error_matches(function() return results.flow[1].invarant end, "did you mean 'invariant'", 1, true)
        -- a method belongs to results of its own type
        assert.error_matches(function() fit.band(hit:trace(3), data) end, "as a method of a fit", 1, true)
        -- and a type cannot be had by its name
        local forged = setmetatable({}, { __name = "percuss.fit" })
        assert.equal("table", pc.type(forged))
    end)

    it("keeps what its methods need, whatever a script writes into it", function()
        local f = pc.fit(data, model, { { "slope", 0.5 } }, { columns = { "y", "z" } })
        local band, text = f:band(data).y[2], tostring(f)
        f.covariance, f.names[1], f.values = nil, 7, "none"
        assert.equal(band, f:band(data).y[2])
        assert.equal(text, tostring(f))
        local c = pc.loss_curves(rod, motion)
        c.curves[1].ratio = nil
        assert.equal(1, c:figure().panels)
        local flow = pc.flow(W, 1)
        flow.invariant = 3
        assert.matches("4 invariant directions", flow:pattern())
        flow.friction = "much"
        assert.has_error(function() return flow:pattern() end)
        -- a copy by hand is not what the library made
        local copy = setmetatable({ covariance = {} }, getmetatable(f))
        assert.error_matches(function() copy:band(data) end, "fit:band: this is a copy of a fit", 1, true)
        assert.equal("a copy of a fit", tostring(copy))
    end)

    it("is printed with the units of its fields, in their order", function()
        local text = pc.prompt.text(results.lyapunov[1])
        assert.matches("^{%s+exponent%s+= [%d.e-]+ 1/s,%s+t%s+= array%[2%] {2, 3} s,", text)
        for _, list in pairs(results) do
            for _, result in ipairs(list) do assert.is_nil(pc.prompt.text(result):find "nan") end
        end
    end)
end)

describe("residuals of a fit", function()
    it("are data minus model, row by row, in each row the columns in their order", function()
        local slope = fit.values.slope
        local expected = { 2.5 - slope, -2 + slope, 4 - 2 * slope, -4 + 2 * slope, 8 - 4 * slope, -7 + 4 * slope }
        assert.equal(6, #fit.residuals)
        -- the same subtraction
        for i, r in ipairs(expected) do assert.near(r, fit.residuals[i], 1e-15) end
        assert.is_true(fit.residuals[1] > 0.4)
        assert.near(fit.chi2, fit.residuals:dot(fit.residuals), 1e-14)
        -- one column of them
        assert.near(expected[4], fit.residuals:slice(2, nil, 2)[2], 1e-15)
        local weighted = pc.fit(data, model, { { "slope", 0.5 } },
            { columns = { "y", "z" }, sigma = { y = 0.1, z = 0.1 } })
        for i, r in ipairs(expected) do assert.near(r / 0.1, weighted.residuals[i], 1e-4) end
    end)
end)

describe("loss curves", function()
    it("are numbers, whatever way the body leans and slides", function()
        for _, angle in ipairs{ -80, -45, -10, 0, 10, 45, 80 } do
            for _, vt in ipairs{ -2, -0.2, 0, 0.2, 2 } do
                local body = pc.body.rod{ mass = 1, length = 1, angle = angle * pc.deg }
                local result = pc.loss_curves(body, { vt = vt, vn = -1 })
                local label = ("%g deg, v_t = %g"):format(angle, vt)
                for _, c in ipairs(result.curves) do
                    assert.is_true(c.loss:isfinite():all(), label)
                    assert.is_true(c.gains:isfinite():all(), label)
                    assert.equal(261, #c.ratio)
                    assert.equal(c.loss:clip(-math.huge, 0), c.gains)
                    -- at a ratio of 0 the impulse is (1 + e) m v_n/(m w_nn): the loss is (1 - e^2) v_n^2/(2 w_nn)
                    local energy = body:energy{ vt = vt, vn = -1 }
                    assert.near((1 - c.restitution ^ 2) / (2 * body.w_nn) / energy, c.loss[1], 1e-13, label)
                end
                assert.has_no_error(function() result:figure() end)
            end
        end
    end)

    it("refuse a ratio that no impact has", function()
        -- the normal impulse -(1 + e) v_n/(w_nn + r w_tn) has no bound there, and is negative beyond
        local pole = -rod.w_nn / rod.w_tn
        local _, message = pcall(pc.loss_curves, rod, motion, { ratio = { 0, 2 * pole } })
        assert.matches("loss_curves: there is no impact of ratio%[2%] = ", tostring(message))
    end)
end)
