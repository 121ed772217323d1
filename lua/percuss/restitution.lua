-- Coefficients of restitution of one impact, from one another; its impulse ratios interval by interval.
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

return M
