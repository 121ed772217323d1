-- Random mechanisms: up to twelve rods in a tree of pins, sliders, welds and springs, which pins may close to loops or,
-- where there is none, drives turn; pins and sliders may have stops and dry friction of both kinds; the last rod may
-- touch a floor. What they do: energy and joints stay what they have to be, and stops are not passed.
-- check(seed, duration) returns the error of the ledger, as a share of the energies, the widest gap of a joint where a
-- step has ended, how far a rigid stop was passed, and how many impacts there were at stops; and true where there was
-- no motion to measure: friction that its own reaction makes jams where its joint passes a dead centre, at which
-- neither force nor impulse of it slows anything. Jams that impulses end are part of the motion, others are errors.
local pc = require "percuss"

local function generator(seed)
    local state = seed*2654435761 % 2^31
    return function()
        state = (state*1103515245 + 12345) % 2^31
        return state/2^31
    end
end

local function build(seed)
    local random = generator(seed)
    for _ = 1, 5 do random() end
    local n, loops, parts, bodies, rigid = 1 + math.floor(12*random()), math.floor(3*random()), {}, {}, {}
    local function between(a, b) return a + (b - a)*random() end
    local function place(body) -- somewhere along a rod
        local s = between(-0.5, 0.5)*body.length
        return { body.x + s*math.sin(body.angle), body.y - s*math.cos(body.angle) }
    end
    -- what bounds a coordinate that is `now`, and rubs it
    local function bound(options, now, reach)
        local stops, dry = random(), random()
        if stops < 0.5 and not options.rate then
            if stops < 0.4 then options.lower = now - reach*between(0.05, 1) end
            if stops > 0.1 then options.upper = now + reach*between(0.05, 1) end
            if random() < 0.6 then
                options.restitution = between(0, 0.9)
            else
                options.stiffness, options.damping = 10^between(1, 3), between(0, 3)
            end
        end
        if dry < 0.2 then
            options[options.angle and "friction_force" or "friction_torque"] = between(0.05, 2)
        elseif dry < 0.4 then
            options.friction = between(0.05, 0.5)
            options.radius = not options.angle and between(0.005, 0.04) or nil
        end
        options.name = "j" .. options.a
        if options.restitution then rigid[options.name] = options end
        if options.stiffness then rigid.soft = true end
        return options
    end
    for i = 1, n do
        local name = "b" .. i
        local b = { shape = "rod", name = name, touch = i == n and "outline" or "none",
            length = between(0.2, 0.8), mass = 10^between(-1, 1),
            x = between(-1, 1), y = between(0.5, 2.5), angle = between(-3, 3), vx = between(-1, 1), vy = between(-1, 1),
            rate = between(-3, 3) }
        local on = (i == 1 or random() < 0.2) and "ground" or "b" .. math.floor(1 + (i - 1)*random())
        local at = on ~= "ground" and place(bodies[on]) or place(b)
        if on ~= "ground" then -- its end, nearly, is where it joins the other one
            b.x, b.y = at[1] + 0.45*b.length*math.sin(b.angle), at[2] - 0.45*b.length*math.cos(b.angle)
        end
        bodies[name], parts[#parts + 1] = b, pc.free(b)
        local kind = random()
        local angle = b.angle - (on == "ground" and 0 or bodies[on].angle)
        parts[#parts + 1] = kind < 0.6 and pc.pin(bound({ a = name, b = on, at = at,
                rate = loops == 0 and random() < 0.2 and between(-5, 5) or nil }, angle, 1))
            or kind < 0.8 and pc.slider(bound({ a = name, b = on, at = at, angle = between(-3, 3) }, 0, 0.3))
            or kind < 0.9 and pc.weld{ a = name, b = on, at = at }
            or pc.spring{ a = name, b = on, stiffness = 100, damping = between(0, 2), rest_length = 0.3 }
    end
    for _ = 1, loops do
        local i, j = 1 + math.floor(n*random()), 1 + math.floor(n*random())
        if i ~= j then
            parts[#parts + 1] = pc.pin{ a = "b" .. i, b = "b" .. j, at = place(bodies["b" .. i]) }
        end
    end
    local last = bodies["b" .. n]
    parts[#parts + 1] = pc.floor{ height = math.min(-0.7, last.y - last.length) }
    parts.contact = pc.contact.newton{ restitution = between(0, 0.9), friction = between(0, 0.6) }
    return parts, rigid
end

-- Where a joint is on one of its bodies.
local function where(state, body, at)
    if body == "ground" then return at[1], at[2] end
    local c, s = math.cos(state[body .. ".angle"]), math.sin(state[body .. ".angle"])
    return state[body .. ".x"] + c*at[1] - s*at[2], state[body .. ".y"] + s*at[1] + c*at[2]
end

local function check(seed, duration)
    local parts, rigid = build(seed)
    local world = pc.scene(parts)
    local good, run = pcall(pc.simulate, world, { duration = duration, assemble = true, solver = pc.solver.dop853{
        rtol = 1e-11 } })
    if not good and tostring(run):find("friction jams near .* passes a dead centre") then return 0, 0, 0, 0, true end
    assert(good, run)
    local first, last, open, passed = run:at(0), run:at(run.time), 0, 0
    local size = 1 + first.kinetic + math.abs(last.torque) + last.kinetic
    local columns = run:columns() -- where steps end, and joints are put back
    for k = 1, 20 do
        local i = 1 + (#columns.t - 1)*k//20
        local state = setmetatable({}, { __index = function(_, name) return columns[name][i] end })
        for _, joint in ipairs(world.joints) do
            if joint.kind ~= "slider" then
                local x0, y0 = where(state, joint.a, joint.a_at)
                local x1, y1 = where(state, joint.b, joint.b_at)
                open = math.max(open, math.abs(x0 - x1), math.abs(y0 - y1))
            end
            for _, stop in ipairs(rigid[joint.name] and { "lower", "upper" } or {}) do
                local gap = rigid[joint.name][stop] and columns[("%s.%s.gap"):format(joint.name, stop)]
                passed = math.max(passed, gap and -gap[i] or 0)
            end
        end
    end
    local struck = 0
    for _, hit in ipairs(run.impacts) do
        if hit.contact:find "er$" then struck = struck + 1 end
    end
    local function account(state) -- impacts of the start have taken of what is there at 0
        local held = rigid.soft and state.dissipated or 0
        return state.energy + state.damped + state.friction + state.lost + held - state.torque
    end
    local left = account(last) - account(first)
    return math.abs(left)/size, open, passed, struck
end

return check
