-- percuss.contact.check: what every contact law has to keep, tried on random impacts, with the first counter-example of
-- each.
local pc = require "percuss"
local core = require "percuss.law_core"
local refuse = require "percuss.refuse"
local report = require "percuss.report"

local check = {}

-- Numbers from 0 to 1, the same on every machine (Park and Miller's minimal standard).
local function random(seed)
    local state = seed % 2147483646 + 1
    for _ = 1, 10 do state = state*48271 % 2147483647 end
    return function(lo, hi)
        state = state*48271 % 2147483647
        return lo + (hi - lo)*state/2147483647
    end
end

-- A body known by W alone, of a mass about `mass`; some laws want w_tn = 0.
local function trial(r, options, coupled)
    local w = math.exp(r(-1.5, 1.5))/options.mass
    local a, c = r(0.5, 4), coupled and r(-0.9, 0.9) or 0
    local tt, tn = a*w, c*w*math.sqrt(a)
    local speed = math.exp(r(math.log(options.speeds[1]), math.log(options.speeds[2])))
    local angle = r(-1.4, 1.4)
    return { tt = tt, tn = tn, nn = w, vt = speed*math.sin(angle), vn = -speed*math.cos(angle) }
end

local function strike(law, t)
    local body = pc.body.matrix{ W = { { t.tt, t.tn }, { t.tn, t.nn } } }
    return pc.collide(body, law, { vt = t.vt, vn = t.vn })
end

local function text_of(t)
    return string.format("W = { { %.6g, %.6g }, { %.6g, %.6g } } 1/kg, vt = %.6g, vn = %.6g m/s", t.tt, t.tn, t.tn,
        t.nn, t.vt, t.vn)
end

local function close(a, b, size, tolerance)
    return math.abs(a - b) <= tolerance*size
end

local function changed(t, changes)
    local out = {}
    for key, value in pairs(t) do out[key] = value end
    for key, value in pairs(changes) do out[key] = value end
    return out
end

-- Errors of integration and of functions' own rounding, as shares of what an impact has.
local FINE = 1e-8

local function friction_of(law)
    local ok, mu = pcall(function() return law.friction end)
    if not ok then return nil end
    local known, static = pcall(function() return law.static_friction end)
    return known and static and math.max(mu, static) or mu
end

-- Largest jump of the departure between two directions of approach that rounding can hardly tell apart. A law whose
-- outcome leaps there is no smooth function of the motion.
local function leap(law, t, a, b)
    local speed = math.sqrt(t.vt^2 + t.vn^2)
    local function at(angle)
        local hit = strike(law, changed(t, { vt = speed*math.sin(angle), vn = -speed*math.cos(angle) }))
        return hit.velocity.t, hit.velocity.n
    end
    local ta, na = at(a)
    local tb, nb = at(b)
    for _ = 1, 30 do
        local middle = (a + b)/2
        local tm, nm = at(middle)
        local left = math.abs(tm - ta) + math.abs(nm - na)
        local right = math.abs(tb - tm) + math.abs(nb - nm)
        if left > right then b, tb, nb = middle, tm, nm else a, ta, na = middle, tm, nm end
        if math.max(left, right) < 1e-4*speed then return 0 end
    end
    return (math.abs(tb - ta) + math.abs(nb - na))/speed, (a + b)/2
end

-- The law with a restitution that means speeds in a unit of 1/v m/s.
local function of_speed(law, v)
    local ok, restitution = pcall(function() return law.restitution end)
    if not ok or pc.type(restitution) ~= "restitution" then return law end
    return law:with{ restitution = function(speed) return restitution(speed/v) end }
end

-- What is tried: each gets a trial, its impact and the law, and says what is wrong, or nothing.
local TESTS = {
    { "balance", "v' = v + W p", function(t, hit)
        local p, v = hit.impulse, hit.velocity
        local size = math.abs(t.vt) + math.abs(t.vn) + math.abs(t.tt*p.t) + t.nn*math.abs(p.n)
        local dt, dn = t.tt*p.t + t.tn*p.n, t.tn*p.t + t.nn*p.n
        if not close(v.t, t.vt + dt, size, FINE) or not close(v.n, t.vn + dn, size, FINE) then
            return string.format("v' = { %.8g, %.8g } m/s is not v + W p", v.t, v.n)
        end
    end },
    { "departure", "v_n' >= 0", function(t, hit)
        if hit.velocity.n < -FINE*math.abs(t.vn) then return string.format("v_n' = %.6g m/s", hit.velocity.n) end
    end },
    { "energy", "no energy is gained", function(_, hit)
        local before, after = hit.energy.contact_before, hit.energy.contact_after
        if after > before*(1 + FINE) then return string.format("from %.8g to %.8g J", before, after) end
    end },
    { "friction", "the work of friction is negative", function(_, hit)
        if hit.work.friction > FINE*hit.energy.contact_before then
            return string.format("it is %.6g J", hit.work.friction)
        end
    end },
    { "no pull", "p_n > 0; F_n >= 0", function(_, hit, law)
        if law.abilities.adhesive then return end
        if hit.impulse.n <= 0 then return string.format("p_n = %.6g N s", hit.impulse.n) end
        if not law.abilities.compliant or hit.wedged then return end
        for i = 1, 9 do
            local F = hit:at(hit.duration*i/10).F_n
            if F < -1e-6*hit.peak.n then return string.format("F_n = %.6g N, at %d/10 of the contact", F, i) end
        end
    end },
    { "cone", "|p_t| <= mu p_n, |F_t| <= mu F_n", function(_, hit, law)
        local mu = friction_of(law)
        if not mu then return end
        if math.abs(hit.impulse.t) > mu*hit.impulse.n*(1 + FINE) and not law.abilities.adhesive then
            return string.format("|p_t|/p_n = %.8g, mu = %.8g", math.abs(hit.impulse.t)/hit.impulse.n, mu)
        end
        if not law.abilities.compliant or hit.wedged then return end
        for i = 1, 9 do
            local s = hit:at(hit.duration*i/10)
            if math.abs(s.F_t) > mu*math.max(s.F_n, 0) + 1e-6*hit.peak.n then
                return string.format("|F_t| = %.6g N beyond mu F_n = %.6g N, at %d/10 of the contact", math.abs(s.F_t),
                    mu*s.F_n, i)
            end
        end
    end },
    { "mirror", "t and -t are alike", function(t, hit, law)
        local other = strike(law, changed(t, { vt = -t.vt, tn = -t.tn }))
        local size = math.sqrt(t.vt^2 + t.vn^2)
        local a, b = hit.velocity, other.velocity
        if not close(b.t, -a.t, size, FINE) or not close(b.n, a.n, size, FINE) then
            return string.format("v' = { %.8g, %.8g } m/s, mirrored { %.8g, %.8g }", a.t, a.n, b.t, b.n)
        end
    end },
    { "units", "the same in any units", function(t, hit, law)
        local kg, m, s = 3, 0.7, 2.3
        local v = m/s
        local other = strike(core.rescale(of_speed(law, v), kg, m, s), {
            tt = t.tt/kg, tn = t.tn/kg, nn = t.nn/kg, vt = t.vt*v, vn = t.vn*v,
        })
        local size = math.sqrt(t.vt^2 + t.vn^2)
        local a, b = hit.velocity, { t = other.velocity.t/v, n = other.velocity.n/v }
        if not close(b.t, a.t, size, FINE) or not close(b.n, a.n, size, FINE) then
            return string.format("v' = { %.8g, %.8g } m/s becomes { %.8g, %.8g } where the units are 1/%g kg, 1/%g m "
                .. "and 1/%g s: a constant in the law has a unit that nobody told", a.t, a.n, b.t, b.n, kg, m, s)
        end
    end },
    { "again", "the same when asked again", function(t, hit, law)
        local other = strike(law, t)
        if other.velocity.t ~= hit.velocity.t or other.velocity.n ~= hit.velocity.n then
            return string.format("v' = { %.17g, %.17g } m/s, then { %.17g, %.17g }", hit.velocity.t, hit.velocity.n,
                other.velocity.t, other.velocity.n)
        end
    end },
    { "slow", "an approach at a millionth of the speed", function(t, _, law)
        local slow = changed(t, { vt = 1e-6*t.vt, vn = 1e-6*t.vn })
        local hit = strike(law, slow)
        local speed = math.sqrt(slow.vt^2 + slow.vn^2)
        -- energy allows no more than this
        local departure = math.abs(hit.velocity.n)
        if departure > 10*speed*math.sqrt(t.tt/t.nn + 1) or departure ~= departure then
            return string.format("v_n' = %.6g m/s for v_n = %.6g m/s", hit.velocity.n, slow.vn)
        end
    end },
    { "smooth", "no leap between directions of approach", function(t, _, law)
        local angle = math.atan(t.vt, -t.vn)
        local jump, where = leap(law, t, angle - 0.05, angle + 0.05)
        if jump > 1e-3 then
            return string.format("v' leaps by %.3g of the speed at %.9g rad from the normal", jump, where)
        end
    end, share = 4 },
}

-- { law, options } -> rows, printed unless quiet.
function check.check(law, options)
    options = options or {}
    local samples, r = options.samples or 40, random(options.seed or 1)
    local setting = { mass = options.mass or 1, speeds = options.speeds or { 0.01, 10 } }
    if samples < 1 then refuse "contact.check: samples must be at least 1" end
    if setting.mass <= 0 or setting.mass ~= setting.mass then refuse "contact.check: mass must be > 0 kg" end
    local speeds = setting.speeds
    if not (#speeds == 2 and speeds[1] > 0 and speeds[1] <= speeds[2]) then
        refuse "contact.check: speeds is { least, greatest } in m/s, both > 0"
    end
    local coupled = true
    local rows = { law = law, ok = true }
    for i, test in ipairs(TESTS) do rows[i] = { name = test[1], what = test[2], tried = 0, ok = true } end
    local function fail(row, why, t)
        if not row.ok then return end
        row.ok, rows.ok, row.counterexample, row.motion = false, false, why, t
    end
    for i = 1, samples do
        local t = trial(r, setting, coupled)
        local ok, hit = pcall(strike, law, t)
        if not ok and coupled and tostring(hit):find "w_tn" then -- a law for such bodies alone
            coupled = false
            t.tn = 0
            ok, hit = pcall(strike, law, t)
        end
        if not ok then
            rows.ok = false
            rows.error = rows.error or { message = tostring(hit), motion = t }
            if tostring(hit):find "interrupted" then error(hit, 0) end
        else
            for k, test in ipairs(TESTS) do
                if i % (test.share or 1) == 0 or i == 1 then
                    local fine, why = pcall(test[3], t, hit, law)
                    if not fine and tostring(why):find "interrupted" then error(why, 0) end
                    rows[k].tried = rows[k].tried + 1
                    if why then fail(rows[k], tostring(why), t) end
                end
            end
        end
    end
    setmetatable(rows, { __tostring = check.text })
    if not options.quiet then print(rows) end
    return rows
end

function check.text(rows)
    local lines, found = { { "property", "what has to hold", "impacts", "result" } }, {}
    for _, row in ipairs(rows) do
        lines[#lines + 1] = { row.name, row.what, tostring(row.tried), row.ok and "kept" or "BROKEN" }
        if not row.ok then
            found[#found + 1] = ("  %s: %s\n    at %s"):format(row.name, row.counterexample, text_of(row.motion))
        end
    end
    if rows.error then
        table.insert(found, 1, ("  error: %s\n    at %s"):format(rows.error.message, text_of(rows.error.motion)))
    end
    table.insert(found, 1, report.aligned(lines, "  "))
    return tostring(rows.law) .. "\n" .. table.concat(found, "\n")
end

return check
