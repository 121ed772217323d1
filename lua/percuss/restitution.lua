-- Coefficients of restitution of one impact, from one another; its impulse ratios interval by interval; and the
-- coefficient of a pair from what is known of each of the two.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local record = require "percuss.record"

local M = {}

local laws = { kinematic = "newton", kinetic = "poisson", energetic = "stronge" }
local symbols = { e = "kinematic", R = "kinetic", E = "energetic" }

-- convert(body, motion, { kinematic | kinetic | energetic = value, friction = ..., [static_friction =] }):
-- all three coefficients of the impact that has the one given. A given coefficient may not exceed 1; those that come
-- out may.
function M.convert(body, motion, options)
    local given, value
    for key, x in pairs(options) do
        local kind = laws[key] and key or symbols[key]
        if kind then
            if given then refuse "convert_restitution: give one of kinematic (e), kinetic (R), energetic (E)" end
            given, value = kind, x
        end
    end
    if not given then refuse "convert_restitution: one of kinematic (e), kinetic (R), energetic (E) is needed" end
    local law = pc.contact[laws[given]]{
        restitution = value, friction = options.friction or options.mu,
        static_friction = options.static_friction or options.mu_s,
    }
    local hit = pc.collide(body, law, motion)
    local r = hit.restitution
    return record.make("converted_restitution", {
        kinematic = r.kinematic, kinetic = r.kinetic, energetic = r.energetic, hit = hit, given = given,
    })
end

-- Brach's sequence of evaluations of his equation 15 (Table 2): the impulse ratio over an interval of the path from
-- the velocities at its ends. Rows: from, to, ratio, and the states at both ends.
function M.sequence(hit)
    local path = pc.impulse.path(hit)
    local W = hit.object
    local names = {}
    local function state(i)
        return { v_t = path.v_t[i], v_n = path.v_n[i], p_n = path.p_n[i] }
    end
    local compressed = 0
    for i = 1, #path.p_n do
        if i == 1 then
            names[i] = "start"
        elseif i == #path.p_n then
            names[i] = "end"
        elseif path.v_n[i] == 0 then
            names[i], compressed = "end of approach", i
        else
            names[i] = "slip stops"
        end
        if compressed == 0 and path.v_n[i] >= 0 and i > 1 then compressed = i end
    end
    -- equation 15: impulse from the change of velocity, W dp = dv
    local det = W.w_tt * W.w_nn - W.w_tn * W.w_tn
    local function ratio(a, b)
        local dv_t, dv_n = b.v_t - a.v_t, b.v_n - a.v_n
        return (W.w_nn * dv_t - W.w_tn * dv_n) / (W.w_tt * dv_n - W.w_tn * dv_t), det
    end
    local rows = {}
    local function add(i, k)
        local a, b = state(i), state(k)
        rows[#rows + 1] = record.make("impulse_interval", {
            from = names[i], to = names[k], ratio = (ratio(a, b)), start = a, stop = b,
        })
    end
    for i = 1, #path.p_n - 1 do
        if path.p_n[i + 1] > path.p_n[i] then add(i, i + 1) end
        if i + 1 == compressed and i > 1 then add(1, compressed) end
    end
    add(1, #path.p_n)
    return rows
end

-- Means of two numbers >= 0; w: share of the first in what is compressed.
local RULES = {
    geometric = function(a, b) return math.sqrt(a*b) end,
    arithmetic = function(a, b) return (a + b)/2 end,
    harmonic = function(a, b) return a + b > 0 and 2*a*b/(a + b) or 0 end,
    least = function(a, b) return math.min(a, b) end,
    greatest = function(a, b) return math.max(a, b) end,
    work = function(a, b, w) return math.sqrt(w*a^2 + (1 - w)*b^2) end,
}

-- The share of the first of two bodies in the indentation of both: by their compliances.
local function share(options)
    local stiffness, materials = options.stiffness, options.materials
    if (stiffness == nil) == (materials == nil) then
        refuse "combine: by work one of stiffness = { k1, k2 } and materials = { of one, of the other } is needed"
    end
    local compliance = {}
    for i = 1, 2 do
        if stiffness then
            local k = stiffness[i]
            if type(k) ~= "number" or k <= 0 or k ~= k then
                refuse(("combine: stiffness[%d] = %s is not allowed; it must be > 0"):format(i, tostring(k)))
            end
            compliance[i] = 1/k
        else
            local m = materials[i]
            if pc.type(m) ~= "material" then
                refuse(("combine: materials[%d] must be a material, not a %s"):format(i, pc.type(m)))
            end
            if not (m.young and m.poisson) then
                refuse(("combine: material '%s' has no young and poisson"):format(m.name))
            end
            compliance[i] = (1 - m.poisson^2)/m.young
        end
    end
    return compliance[1]/(compliance[1] + compliance[2])
end

-- combine(a, b, rule, options): numbers, or what tells a restitution by the speed.
function M.combine(a, b, rule, options)
    local mean, w = RULES[rule], rule == "work" and share(options or {}) or nil
    if rule ~= "work" and options and next(options) then
        refuse "combine: stiffness and materials are for the rule \"work\""
    end
    if type(a) == "number" and type(b) == "number" then return mean(a, b, w) end
    return function(speed)
        local x = type(a) == "number" and a or a(speed)
        local y = type(b) == "number" and b or b(speed)
        return mean(x, y, w)
    end
end

return M
