-- Units of what the fields of objects hold, as far as one unit for the whole field does not say it.
--
-- The unit of a value is a word that belongs to all its numbers, or a table of units by key. A list has the units of
-- its items.
local pc = require "percuss"

local STATE = {
    t = "s", u_t = "m", u_n = "m", F_t = "N", F_n = "N", v_t = "m/s", v_n = "m/s", s = "m/s", p_t = "N s", p_n = "N s",
    W_t = "J", W_n = "J", W_f = "J",
}
-- Of a motion: of a free body, of joints, of a contact point.
local MOTION = { v = "m/s", omega = "rad/s", rate = "rad/s", turn = "rad/s", vt = "m/s", vn = "m/s", vt2 = "m/s" }
for i = 1, 8 do MOTION["rate" .. i] = "rad/s" end

local PHASES = { start = "s", stop = "s", at_start = STATE, at_stop = STATE, work = "J" }
local PEAK = { n = "N", t = "N", t2 = "N", n_time = "s", t_time = "s", t2_time = "s" }

local NESTED = {
    impact = {
        phases = PHASES, peak = PEAK,
        lock = { time = "s", frequency = "rad/s", mean = "N", amplitude = "N" },
        body = MOTION, body_before = MOTION,
    },
    run = {
        impacts = {
            time = "s", loss = "J", energy = "J", impulse = "N s", joint_impulses = "N s", velocity = "m/s",
            velocity_before = "m/s", W = "1/kg", stop = "s", duration = "s", work = "J", phases = PHASES, peak = PEAK,
            body = MOTION, body_before = MOTION,
        },
        events = { time = "s" },
        statistics = { impact_rate = "1/s", lost = "J", energy_at_start = "J", fastest_approach = "m/s" },
    },
    chain = {
        links = {
            mass = "kg", length = "m", radius = "m", reach = "m", center = "m", inertia = "kg m^2",
            stiffness = "N m/rad", damping = "N m s/rad", rest_angle = "rad", torque = "N m", frequency = "rad/s",
            phase = "rad",
        },
    },
}

-- The row or the documented field `name` of an object: unit and sentence; nil where nothing is said.
local function described(object, kind, name)
    local nested = NESTED[kind] and NESTED[kind][name]
    local maker = tostring(object):match "^[%w_.]+"
    for _, entry in ipairs(pc.register()) do
        if entry.path == kind and entry.kind == "type" or entry.path == maker and entry.rows then
            for _, field in ipairs(entry.fields or {}) do
                if field.name == name then return nested or field.unit, field.doc end
            end
            for _, row in ipairs(entry.rows or {}) do
                if row.name == name or row.symbol == name then return row.unit, row.doc end
            end
        end
    end
end

local units = {}

-- Unit and sentence of what `path`, such as "hit.phases[1].start", names in `globals`. Nothing is called on the way but
-- the fields of percuss objects.
function units.of(path, globals)
    local value, unit, doc, steps = nil, nil, nil, 0
    for step in ("." .. path):gmatch "[.%[][^.%[]+" do
        local key = step:match "^%.([%a_][%w_]*)$" or math.tointeger(tonumber(step:match "^%[(%d+)%]$"))
        if not key then return nil end
        steps = steps + 1
        if steps == 1 then
            value = rawget(globals, key)
        elseif type(value) == "table" then
            local own, meta = rawget(value, "units"), getmetatable(value)
            own = type(own) == "table" and own or type(meta) == "table" and rawget(meta, "__units")
            if type(own) == "table" then
                unit, doc = own[key], nil
            elseif type(key) == "string" then
                if type(unit) == "table" then unit = unit[key] end
                doc = nil
            end
            value = rawget(value, key)
        elseif type(value) == "userdata" and pc.type(value) ~= "userdata" then
            local kind, owner = pc.type(value), value
            local ok, field = pcall(function() return owner[key] end)
            value = ok and field or nil
            unit, doc = described(owner, kind, key)
        end
        if value == nil then return nil end
    end
    return unit, doc
end

return units
