-- The equations that laws and bodies say of themselves hold in what percuss computes, at random places. An equation is
-- tried wherever each of its names has a value: "afterwards" for a whole impact, "in compression", "in restitution" and
-- "in slip" at states of that kind, "always" at all states, and anything else where it stands, or as what defines the
-- only name without a value.
local pc = require "percuss"
local formula = require "percuss.formula"

local function entries(group)
    local list = {}
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "constructor" and entry.path:match("^" .. group .. "%.") then list[#list + 1] = entry end
    end
    return list
end

-- Values under the words and symbols of an entry's rows.
local function values_of(entry, object)
    local values = {}
    for _, row in ipairs(entry.rows) do
        local ok, value = pcall(function() return object[row.name] end)
        if ok and type(value) == "number" and value == value then
            values[row.name] = value
            if row.symbol then values[row.symbol] = value end
        end
    end
    return values
end

local function has_all(names, values)
    for name in pairs(names) do
        if values[name] == nil and name ~= "pi" then return false end
    end
    return true
end

-- Hold the sides of an equation against each other, sizes being relative to the greatest of them.
local function hold(text, values, tolerance, where)
    local numbers, signs = formula.sides(text, values)
    local size = 0
    for _, x in ipairs(numbers) do size = math.max(size, math.abs(x)) end
    for i, sign in ipairs(signs) do
        local a, b = numbers[i], numbers[i + 1]
        local slack = tolerance*size
        if sign == "=" then
            assert.near(a, b, slack, where)
        elseif sign == "<=" then
            assert.is_true(a <= b + slack, ("%s: %.17g, %.17g"):format(where, a, b))
        else
            error("no test of '" .. sign .. "'")
        end
    end
end

-- What an equation with one unknown name on its left defines; true if it does, for then it holds by itself.
local function define(text, values)
    local name = text:match "^([%w_']+) = "
    if name and values[name] == nil then
        local names = formula.names(text)
        names[name] = nil
        if not has_all(names, values) then return false end
        values[name] = formula.value(text, values)
        return true
    end
    return false
end

-- A linear congruence, so that each kind has numbers of its own whatever is tried before.
local function random_of(name)
    local seed = 0
    for i = 1, #name do seed = (seed*31 + name:byte(i)) % 2147483647 end
    return function(lo, hi)
        seed = (seed*48271) % 2147483647
        return lo + (hi - lo)*seed/2147483647
    end
end

local STEEL = { young = 210e9, poisson = 0.3, radius = 0.01 }

-- Options of a law at random.
local LAWS = {
    ["contact.linear"] = function(r)
        return { stiffness = r(1e6, 1e7), stiffness_ratio = r(0.5, 3), friction = r(0.1, 1), restitution = r(0.3, 1) }
    end,
    ["contact.sledge3d"] = function(r)
        return { stiffness = r(1e6, 1e7), stiffness_ratio = r(0.5, 3), friction = r(0.1, 1), restitution = r(0.3, 1) }
    end,
    ["contact.hunt_crossley"] = function(r)
        return { stiffness = 1e9, exponent = 1.5, damping = r(0.01, 0.5), friction = r(0.1, 1) }
    end,
    ["contact.lankarani_nikravesh"] = function(r)
        return { stiffness = 1e9, restitution = r(0.5, 1), friction = r(0.1, 1) }
    end,
    ["contact.tsuji"] = function(r)
        return { young = 1e9, poisson = 0.3, radius = 0.01, damping = r(0.1, 1), friction = r(0.1, 1) }
    end,
    ["contact.viscoelastic"] = function(r)
        return { young = 1e9, poisson = 0.3, radius = 0.01, dissipation = r(0, 1e-4), friction = r(0.1, 1) }
    end,
    ["contact.dmt"] = function(r)
        return { young = 1e9, poisson = 0.3, radius = 0.01, work_of_adhesion = r(0, 1), friction = r(0.1, 1) }
    end,
    ["contact.impact_function"] = function(r)
        return { stiffness = 1e8, damping = r(0, 1000), depth = r(1e-5, 1e-3), friction = r(0.1, 1) }
    end,
    ["contact.kelvin_voigt"] = function(r) return { stiffness = 1e6, damping = r(10, 100), friction = r(0.1, 1) } end,
    ["contact.walton_braun"] = function(r)
        return { stiffness = 1e6, unloading = r(1.1e6, 5e6), friction = r(0.1, 1) }
    end,
    ["contact.thornton"] = function(r)
        return { young = STEEL.young, poisson = 0.3, radius = 0.01, yield = r(1e9, 3e9), friction = r(0.1, 1) }
    end,
    ["contact.newton"] = function(r) return { restitution = r(0, 1), friction = r(0, 1) } end,
    ["contact.poisson"] = function(r) return { restitution = r(0, 1), friction = r(0, 1) } end,
    ["contact.stronge"] = function(r) return { restitution = r(0, 1), friction = r(0, 1) } end,
    ["contact.hard_sphere"] = function(r)
        return { restitution = r(0, 1), tangential_restitution = r(-1, 1), friction = r(0, 1) }
    end,
    ["contact.brach"] = function(r) return { restitution = r(0, 1), impulse_ratio = r(-0.1, 0.1) } end,
    ["contact.smith"] = function(r) return { restitution = r(0, 1), friction = r(0, 1) } end,
    ["contact.whittaker"] = function(r) return { restitution = r(0, 1), friction = r(0, 0.05) } end,
    ["contact.kane_levinson"] = function(r) return { restitution = r(0, 1), friction = r(0, 0.05) } end,
}
local function of_material(r)
    return { young = STEEL.young, poisson = r(0.1, 0.4), radius = 0.01, friction = r(0.1, 1) }
end
for _, name in ipairs{ "coupled", "maw", "hertz_mindlin" } do LAWS["contact." .. name] = of_material end

-- What is known after an impact.
local function of_impact(values, hit)
    values["v_t'"], values["v_n'"] = hit.velocity.t, hit.velocity.n
    values.v_t, values.v_n = hit.velocity_before.t, hit.velocity_before.n
    values.p_t, values.p_n = hit.impulse.t, hit.impulse.n
    values.W_c, values.W_r = hit.work.normal_compression, hit.work.normal_restitution
    values.w_tt, values.w_tn, values.w_nn = hit.object.w_tt, hit.object.w_tn, hit.object.w_nn
    local R = hit.restitution.kinetic
    if R then
        values.p_c = hit.impulse.n/(1 + R)
        values.p_r = hit.impulse.n - values.p_c
    end
    return values
end

-- And at a state of it; forces and indentations where they have a size that says something.
local function of_state(values, state)
    values.u, values.w, values.F_n, values.F_t = state.u_n, -state.v_n, state.F_n, state.F_t
    values.s = state.s > 0 and 1 or state.s < 0 and -1 or nil
    return values
end

local function copy(values)
    local out = {}
    for name, value in pairs(values) do out[name] = value end
    return out
end

describe("an equation of a law", function()
    for _, entry in ipairs(entries "contact") do
        it("holds: " .. entry.path, function()
            local equations = formula.equations(entry.equations)
            assert.is_true(#equations > 0)
            local r, tried = random_of(entry.path), 0
            for _ = 1, 20 do
                local law = pc.contact[entry.path:match "[^.]*$"](LAWS[entry.path](r))
                local ball = pc.body.sphere{ radius = 0.01, mass = r(0.01, 0.05) }
                local hit = pc.collide(ball, law, { vt = r(0.2, 2), vn = -r(0.5, 1) })
                local values = of_impact(values_of(entry, law), hit)
                if values.modulus then values.E_c = values.modulus end
                local defines = {}
                for _, equation in ipairs(equations) do defines[equation] = define(equation[1], values) end
                local compliant = hit.duration and hit.duration > 0
                for _, equation in ipairs(equations) do
                    local text, words = equation[1], equation[2]
                    local names, where = formula.names(text), entry.path .. ": " .. text
                    if words:find "^if " or text:find "dp_" or defines[equation] then
                        goto next -- conditions and increments have tests of the laws
                    elseif not (names.F_n or names.F_t or names.u) then
                        if has_all(names, values) then
                            hold(text, values, 1e-9, where)
                            tried = tried + 1
                        end
                    elseif compliant then
                        for k = 1, 9 do
                            local t = hit.duration*k/10
                            local state = hit:at(t)
                            local now = of_state(copy(values), state)
                            local loading = t < hit.compression_time
                            local fits = words:find "^in compression" and loading
                                or words:find "^in restitution" and not loading
                                or words:find "^in slip" and state.s ~= 0
                                or not words:find "^in %l"
                            if words:find "up to u_y" then fits = fits and now.u < values.u_y end
                            if words:find "beyond u_y" then fits = fits and now.u > values.u_y end
                            if fits and has_all(names, now) then
                                -- states are those of integrations to 1e-12, in whose rates the rounding of slip shows
                                hold(text, now, 1e-8, where .. " at " .. k)
                                tried = tried + 1
                            end
                        end
                    end
                    ::next::
                end
            end
            assert.is_true(tried >= 20, tried)
        end)
    end
end)

local BODIES = {
    sphere = function(r) return { radius = r(0.01, 1), mass = r(0.1, 5) } end,
    rod = function(r) return { length = r(0.1, 2), mass = r(0.1, 5), angle = r(-1.5, 1.5) } end,
    capsule = function(r) return { length = r(0.1, 2), radius = r(0.1, 1), mass = r(0.1, 5), angle = r(-1.5, 1.5) } end,
    cylinder = function(r) return { height = r(0.1, 2), radius = r(0.1, 1), mass = r(0.1, 5), angle = r(0.1, 1.5) } end,
    box = function(r) return { width = r(0.1, 2), height = r(0.1, 1), mass = r(0.1, 5), angle = r(0.1, 1.5) } end,
    pendulum = function(r)
        return { length = r(0.5, 2), radius = 0.1, mass = r(0.1, 5), angle = r(0.1, 1.4), contact = "link" }
    end,
    lai = function(r) return { mass = r(0.1, 5), lambda = r(0, 0.6), theta = r(-1.5, 1.5) } end,
    rigid = function(r) return { mass = r(0.1, 5), inertia = r(0.1, 5), arm = { r(-1, 1), r(-1, 1) } } end,
}
for _, name in ipairs{ "shell", "disc", "hoop" } do BODIES[name] = BODIES.sphere end
-- Their equations are of matrices.
local OF_MATRICES = { linkage = true, spherical_pendulum = true, matrix = true, system = true }

describe("an equation of a body", function()
    for _, entry in ipairs(entries "body") do
        local name = entry.path:match "[^.]*$"
        it("holds: " .. entry.path, function()
            local equations = formula.equations(entry.equations)
            assert.is_true(#equations > 0)
            if OF_MATRICES[name] then return end
            local r = random_of(entry.path)
            for _ = 1, 20 do
                local options = BODIES[name](r)
                local body = pc.body[name](options)
                local values = values_of(entry, body)
                values.w_tt, values.w_tn, values.w_nn = body.w_tt, body.w_tn, body.w_nn
                if name ~= "lai" then values.J = body.inertia end
                if options.arm then values.r_t, values.r_n = options.arm[1], options.arm[2] end
                if name == "pendulum" then values.J_p = options.length^2/(body.w_tt + body.w_nn) end
                local tried = 0
                for _, equation in ipairs(equations) do
                    define(equation[1], values)
                    if has_all(formula.names(equation[1]), values) then
                        hold(equation[1], values, 1e-12, entry.path .. ": " .. equation[1])
                        tried = tried + 1
                    end
                end
                assert.equal(#equations, tried)
            end
        end)
    end
end)
