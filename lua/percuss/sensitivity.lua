-- Sobol's sensitivity indices by the scheme of Saltelli et al. (2010): two samples A and B of n points from the two
-- halves of one Sobol sequence, and for each input the sample A with that input taken from B.
--
--   first order  S_i = mean(f(B) (f(AB_i) - f(A))) / V      (their Table 2, b)
--   total        T_i = mean((f(A) - f(AB_i))^2) / (2 V)      (their Table 2, f; Jansen 1999)
--
-- with V the variance over A and B together. The values are centred first, which takes nothing from the expectation of
-- the estimators and much from their scatter.
local pc = require "percuss"
local record = require "percuss.record"
local refuse = require "percuss.refuse"
local core = require "percuss.sweep_core"

local M = {}

local RESAMPLES = 200
local MOST = 1 << 32 -- points of the sequence

local function fail(format, ...)
    refuse("sensitivity: " .. string.format(format, ...))
end

-- The zipped axes: for every base point A, B, AB_1, ..., AB_k.
local function samples(over, n, seed)
    local k, axes = #over, {}
    for d, entry in ipairs(over) do
        local lo, hi = entry[2][1], entry[2][2]
        local a = core.sample("sobol", seed, d - 1, n, lo, hi, 0, 1, n)
        local b = core.sample("sobol", seed, k + d - 1, n, lo, hi, 0, 1, n)
        local values = pc.array.zeros(n * (k + 2))
        for i = 1, n do
            local at = (i - 1) * (k + 2)
            for s = 1, k + 2 do values[at + s] = a[i] end
            values[at + 2] = b[i]
            values[at + 2 + d] = b[i]
        end
        axes[d] = { entry[1], values, unit = entry.unit }
    end
    return axes
end

-- Indices of all inputs from base points `pick` (positions from 1). f: the values in the order of samples().
local function indices(f, k, pick)
    local n, mean = #pick, 0
    for p = 1, n do
        local at = (pick[p] - 1) * (k + 2)
        mean = mean + f[at + 1] + f[at + 2]
    end
    mean = mean / (2 * n)
    local variance, first, total = 0, {}, {}
    for d = 1, k do first[d], total[d] = 0, 0 end
    for p = 1, n do
        local at = (pick[p] - 1) * (k + 2)
        local fa, fb = f[at + 1] - mean, f[at + 2] - mean
        variance = variance + fa * fa + fb * fb
        for d = 1, k do
            local fab = f[at + 2 + d] - mean
            first[d] = first[d] + fb * (fab - fa)
            total[d] = total[d] + (fa - fab) ^ 2
        end
    end
    variance = variance / (2 * n)
    for d = 1, k do
        first[d] = first[d] / n / variance
        total[d] = total[d] / (2 * n) / variance
    end
    return first, total, variance
end

-- Numbers 1 .. n drawn with replacement, by a generator of its own so that results do not depend on what ran before.
local function resample(n, seed, round)
    local pick = core.sample("random", seed, round, n, 1, n + 1, 0, 1, n)
    local list = {}
    for i = 1, n do list[i] = math.min(n, math.floor(pick[i])) end
    return list
end

local function interval(values)
    local a = pc.array(values)
    return a:quantile(0.025), a:quantile(0.975)
end

local function of_column(f, inputs, n, seed)
    local k, all = #inputs, {}
    for i = 1, n do all[i] = i end
    local first, total, variance = indices(f, k, all)
    local spread = { first = {}, total = {} }
    for d = 1, k do spread.first[d], spread.total[d] = {}, {} end
    if variance > 0 then
        for round = 1, RESAMPLES do
            local s, t = indices(f, k, resample(n, seed, round))
            for d = 1, k do spread.first[d][round], spread.total[d][round] = s[d], t[d] end
        end
    end
    local list = {}
    for _, part in ipairs{ { "first", first }, { "total", total } } do
        local lo, hi = {}, {}
        for d = 1, k do
            if variance > 0 then lo[d], hi[d] = interval(spread[part[1]][d]) else lo[d], hi[d] = 0 / 0, 0 / 0 end
        end
        list[#list + 1] = { part[1], part[2] }
        list[#list + 1] = { part[1] .. "_lo", lo }
        list[#list + 1] = { part[1] .. "_hi", hi }
    end
    list.info = { inputs = inputs, variance = variance, points = n }
    return pc.table(list)
end

local function is_finite(x)
    return type(x) == "number" and math.abs(x) < math.huge
end

function M.sensitivity(spec)
    local n = spec.points or 1024
    n = math.tointeger(n)
    if not n or n < 2 or n & (n - 1) ~= 0 or n > MOST then
        fail("points must be a power of two from 2 to %d, not %s", MOST, tostring(spec.points))
    end
    local inputs = {}
    if type(spec.over) ~= "table" then fail("over must be a list of inputs, { name, { lo, hi } }") end
    for d, entry in ipairs(spec.over) do
        local bounds = type(entry) == "table" and entry[2]
        if type(bounds) ~= "table" or #bounds ~= 2 or not (is_finite(bounds[1]) and is_finite(bounds[2])) then
            fail("input %d must be { name, { lo, hi } }, its bounds two finite numbers", d)
        end
        inputs[d] = entry[1]
    end
    if #inputs == 0 or #inputs > 10 then fail("it takes from 1 to 10 inputs, not %d", #inputs) end
    local request = {}
    for key, value in pairs(spec) do request[key] = value end
    request.points, request.sampling = nil, "zip"
    request.over = samples(spec.over, n, spec.seed or 0)
    local t, message, code = pc.sweep(request)
    if not t then return nil, message, code end
    if t.info.failed + t.info.missing > 0 then
        fail("%d of %d points have no value; the first: %s", t.info.failed + t.info.missing, #t,
            (t:failures()[1] or { 0, "not computed" })[2])
    end
    local result = record.make("sensitivity", { inputs = inputs, sweep = t })
    for _, name in ipairs(spec.columns) do
        result[name] = of_column(t:column(name), inputs, n, spec.seed or 0)
    end
    return result
end

return M
