-- Random mechanisms: up to twelve rods in a tree of pins, sliders, welds and springs, which pins may close to loops or,
-- where there is none, drives turn; the last rod may touch a floor. What they do: energy and joints stay what they have
-- to be. check(seed) returns the error of the ledger, as a share of the energies, and the widest gap of a joint
-- where a step has ended.
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
    local n, loops, parts, bodies = 1 + math.floor(12*random()), math.floor(3*random()), {}, {}
    local function between(a, b) return a + (b - a)*random() end
    local function place(body) -- somewhere along a rod
        local s = between(-0.5, 0.5)*body.length
        return { body.x + s*math.sin(body.angle), body.y - s*math.cos(body.angle) }
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
        parts[#parts + 1] = kind < 0.6 and pc.pin{ a = name, b = on, at = at,
                rate = loops == 0 and random() < 0.2 and between(-5, 5) or nil }
            or kind < 0.8 and pc.slider{ a = name, b = on, at = at, angle = between(-3, 3) }
            or kind < 0.9 and pc.weld{ a = name, b = on, at = at }
            or pc.spring{ a = name, b = on, stiffness = 100, damping = between(0, 2), rest_length = 0.3 }
    end
    for _ = 1, loops do
        local i, j = 1 + math.floor(n*random()), 1 + math.floor(n*random())
        if i ~= j then
            parts[#parts + 1] = pc.pin{ a = "b" .. i, b = "b" .. j, at = place(bodies["b" .. i]) }
        end
    end
    parts[#parts + 1] = pc.floor{ height = -0.7 }
    parts.contact = pc.contact.newton{ restitution = between(0, 0.9), friction = between(0, 0.6) }
    return parts
end

-- Where a joint is on one of its bodies.
local function where(state, body, at)
    if body == "ground" then return at[1], at[2] end
    local c, s = math.cos(state[body .. ".angle"]), math.sin(state[body .. ".angle"])
    return state[body .. ".x"] + c*at[1] - s*at[2], state[body .. ".y"] + s*at[1] + c*at[2]
end

local function check(seed)
    local world = pc.scene(build(seed))
    local run = pc.simulate(world, { duration = 1, assemble = true, solver = pc.solver.dop853{ rtol = 1e-10 } })
    local first, last, open = run:at(0), run:at(run.time), 0
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
        end
    end
    local left = last.energy + last.damped + last.friction + last.lost - last.torque - first.energy
    return math.abs(left)/size, open
end

return check
