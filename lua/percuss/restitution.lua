-- Coefficients of restitution of one impact, from one another; loss curves over the impulse ratio.
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
    return record.seal({
        kinematic = r.kinematic, kinetic = r.kinetic, energetic = r.energetic, hit = hit, given = given,
    }, "kinematic kinetic energetic")
end

-- The loss as a fraction of the kinetic energy before, over impulse ratios, for one e.
local function curve(body, motion, e, ratios)
    return ratios:map(function(r)
        local ok, hit = pcall(pc.collide, body, pc.contact.brach{ restitution = e, impulse_ratio = r }, motion)
        return ok and hit.loss_fraction or 0 / 0
    end)
end

local Curves = {}
Curves.__index = record.index(Curves)

-- loss_curves(body, motion, { restitution = { list of e }, ratio = array of p_t/p_n }): Brach's figure 3 as data.
-- Each curve has ratio, loss, the bounds of its e, and gains, the loss where it is negative (NaN elsewhere).
function M.loss_curves(body, motion, options)
    options = options or {}
    local list = options.restitution or { 0, 0.5, 1 }
    for i, e in ipairs(list) do
        if type(e) ~= "number" or not (e >= 0 and e <= 1) then
            refuse(("loss_curves: restitution[%d] = %s is not allowed; it must be from 0 to 1"):format(i, tostring(e)))
        end
    end
    for i = 1, options.ratio and #options.ratio or 0 do
        if type(options.ratio[i]) ~= "number" then
            refuse(("loss_curves: ratio[%d] must be a number, not a %s"):format(i, pc.type(options.ratio[i])))
        end
    end
    local result = setmetatable({ curves = {}, body = body, motion = motion }, Curves)
    local widest = pc.impulse.bounds(body, motion, 0).sticking or 1
    for _, e in ipairs(list) do widest = math.max(widest, pc.impulse.bounds(body, motion, e).sticking or 0) end
    local ratios = pc.array(options.ratio or pc.linspace(0, 1.3 * widest, 261))
    for i, e in ipairs(list) do
        local bounds = pc.impulse.bounds(body, motion, e)
        local loss = curve(body, motion, e, ratios)
        result.curves[i] = {
            restitution = e, ratio = ratios, loss = loss, bounds = bounds,
            gains = loss:map(function(x) return x < 0 and x or 0 / 0 end),
        }
    end
    return result
end

-- The bound that sticking sets: loss over mu_0(e), e from 0 to 1; and that of no loss, at mu_T(e).
function M.sticking_bound(body, motion, n)
    local ratio, loss = pc.array.zeros(n or 101), pc.array.zeros(n or 101)
    for i = 1, #ratio do
        local e = (i - 1) / (#ratio - 1)
        local r = pc.impulse.bounds(body, motion, e).sticking
        local law = pc.contact.brach{ restitution = e, impulse_ratio = r }
        ratio[i], loss[i] = r, pc.collide(body, law, motion).loss_fraction
    end
    return ratio, loss
end

-- The curves of a panel, with the part that gains energy and the bound of sticking marked.
function Curves:panel(figure, options)
    options = options or {}
    local ratio = self.curves[1].ratio
    local panel = figure:panel{
        title = options.title, xlabel = "impulse ratio μ", ylabel = "fraction of energy lost", legend = true,
        xlim = { ratio:min(), ratio:max() },
    }
    local gaining = {}
    for _, c in ipairs(self.curves) do
        panel:line{ c.ratio, c.loss, label = string.format("e = %g", c.restitution) }
        for i = 1, #c.gains do
            if c.gains[i] < 0 then
                gaining[#gaining + 1] = c
                break
            end
        end
    end
    for i, c in ipairs(gaining) do
        panel:line{ c.ratio, c.gains, colour = "vermillion", dash = "solid", width = 2,
            label = i == 1 and "energy gained" or nil }
    end
    local mu_0, loss = M.sticking_bound(self.body, self.motion)
    panel:line{ mu_0, loss, colour = "black", dash = "dash_dot", label = "sticking, μ_0(e)" }
    panel:hline{ y = 0 }
    return panel
end

function Curves:figure(request)
    request = request or {}
    local figure = pc.chart.figure{
        title = request.title or "Energy lost over the impulse ratio", width = request.width, height = request.height,
    }
    self:panel(figure)
    return figure
end

function Curves:plot(request)
    return require("percuss.plot").deliver(self:figure(request), request)
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
        rows[#rows + 1] = { from = names[i], to = names[k], ratio = (ratio(a, b)), start = a, stop = b }
    end
    for i = 1, #path.p_n - 1 do
        if path.p_n[i + 1] > path.p_n[i] then add(i, i + 1) end
        if i + 1 == compressed and i > 1 then add(1, compressed) end
    end
    add(1, #path.p_n)
    return rows
end

return M
