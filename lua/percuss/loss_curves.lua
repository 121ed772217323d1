-- Loss curves: the energy that a planar rigid impact loses over its impulse ratio (Brach 1993, Fig 3).
local pc = require "percuss"
local refuse = require "percuss.refuse"
local record = require "percuss.record"

local M = {}

-- The loss as a fraction of the kinetic energy before, over impulse ratios, for one e.
local function curve(body, motion, e, ratios)
    local loss = pc.array.zeros(#ratios)
    for i = 1, #ratios do
        local law = pc.contact.brach{ restitution = e, impulse_ratio = ratios[i] }
        local ok, hit = pcall(pc.collide, body, law, motion)
        if not ok then
            local message = type(hit) == "table" and hit.message or tostring(hit):gsub("^[^\n]-:%d+: ", "")
            if type(hit) == "table" and (hit.code == "memory" or hit.code == "interrupted") then error(hit, 0) end
            refuse(("loss_curves: there is no impact of ratio[%d] = %.6g: %s"):format(i, ratios[i], message))
        end
        loss[i] = hit.loss_fraction
    end
    return loss
end

-- Ratios from 0 to beyond the greatest of those that stop the sliding. The normal impulse -(1 + e) v_n/(w_nn + r w_tn)
-- has no bound as r approaches -w_nn/w_tn: they end before it.
local function usual_ratios(body, motion, list)
    local widest = pc.impulse.bounds(body, motion, 0).sticking or 1
    for _, e in ipairs(list) do
        local sticking = pc.impulse.bounds(body, motion, e).sticking or 0
        if math.abs(sticking) > math.abs(widest) then widest = sticking end
    end
    local last = 1.3 * (widest ~= 0 and widest or 1)
    local pole = -body.w_nn / body.w_tn
    if pole * last > 0 and math.abs(last) > 0.9 * math.abs(pole) then last = 0.9 * pole end
    return pc.linspace(0, last, 261)
end

-- loss_curves(body, motion, { restitution = { list of e }, ratio = array of p_t/p_n }): Brach's figure 3 as data.
function M.new(body, motion, options)
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
    local result = record.make("loss_curves", { curves = {}, body = body, motion = motion })
    local ratios = options.ratio and pc.array(options.ratio) or usual_ratios(body, motion, list)
    for i, e in ipairs(list) do
        local loss = curve(body, motion, e, ratios)
        result.curves[i] = record.make("loss_curve", {
            restitution = e, ratio = ratios, loss = loss, bounds = pc.impulse.bounds(body, motion, e),
            gains = loss:map(function(x) return math.min(x, 0) end),
        })
    end
    return record.keep(result)
end

-- The bound that sticking sets: loss over mu_0(e), e from 0 to 1 in n steps; without the e at which no ratio stops the
-- sliding.
function M.sticking_bound(body, motion, n)
    local ratio, loss = {}, {}
    for i = 1, n or 101 do
        local e = (i - 1) / ((n or 101) - 1)
        local r = pc.impulse.bounds(body, motion, e).sticking
        if r then
            local law = pc.contact.brach{ restitution = e, impulse_ratio = r }
            ratio[#ratio + 1], loss[#loss + 1] = r, pc.collide(body, law, motion).loss_fraction
        end
    end
    return pc.array(ratio), pc.array(loss)
end

-- The curves of a panel, with the part that gains energy and the bound of sticking marked.
function M.panel(self, figure, options)
    options = options or {}
    local ratio = self.curves[1].ratio
    local panel = figure:panel{
        title = options.title, xlabel = "impulse ratio μ", ylabel = "fraction of energy lost", legend = true,
        xlim = { ratio:min(), ratio:max() },
    }
    local gaining = {}
    for _, c in ipairs(self.curves) do
        panel:line{ c.ratio, c.loss, label = string.format("e = %g", c.restitution) }
        if #c.gains > 0 and c.gains:min() < 0 then gaining[#gaining + 1] = c end
    end
    for i, c in ipairs(gaining) do
        -- a line with gaps: what is not a number is not drawn
        local part = c.gains:map(function(x) return x < 0 and x or 0 / 0 end)
        panel:line{ c.ratio, part, colour = "vermillion", dash = "solid", width = 2,
            label = i == 1 and "energy gained" or nil }
    end
    local mu_0, loss = M.sticking_bound(self.body, self.motion)
    if #mu_0 > 0 then panel:line{ mu_0, loss, colour = "black", dash = "dash_dot", label = "sticking, μ_0(e)" } end
    panel:hline{ y = 0 }
    return panel
end

function M.figure(self, request)
    request = request or {}
    local figure = pc.chart.figure{
        title = request.title or "Energy lost over the impulse ratio", width = request.width, height = request.height,
    }
    M.panel(self, figure)
    return figure
end

function M.plot(self, request)
    return require("percuss.plot").deliver(M.figure(self, request), request)
end

return M
