-- Ends of infinitely many impacts: closed forms, quadrature, and the recursion of balls that collapse.
local pc = require "percuss"
local near = require "near"

local function newton(e, mu) return pc.contact.newton{ restitution = e, friction = mu or 0 } end

local function ends(run)
    local found = {}
    for _, event in ipairs(run.events) do if event.kind == "accumulation" then found[#found + 1] = event end end
    return found
end

local G = 9.81

describe("a ball on a floor", function()
    -- The end is found to some 1e-11 s; long sequences round beyond that, at 1e-12 of their duration: where impacts are
    -- located within 1e-12 of the greatest gap, and times of hundreds of seconds round at 1e-13.
    local function bound(t) return math.max(1e-10, 1e-12 * t) end

    it("comes to rest at sqrt(2h/g) (1 + e)/(1 - e), with e as the ratio", function()
        for _, e in ipairs{ 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 0.995 } do
            for _, h in ipairs{ 0.1, 1, 10 } do
                local expected = math.sqrt(2 * h / G) * (1 + e) / (1 - e)
                local ball = pc.free{ shape = "disc", radius = 0.05, mass = 1, y = h + 0.05, vx = 0.3 }
                local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = newton(e) },
                    { duration = 1.01 * expected })
                local event = ends(run)
                assert.equal(1, #event)
                near(event[1].time, expected, 0, bound(expected))
                near(event[1].ratio, e, 1e-14)
            end
        end
    end)

    it("does so by every rigid law, sliding or not, and a box on both corners", function()
        local e, h = 0.8, 0.5
        local expected = math.sqrt(2 * h / G) * (1 + e) / (1 - e)
        for _, name in ipairs{ "newton", "poisson", "stronge", "whittaker", "smith" } do
            for _, vx in ipairs{ 0, 0.1, 8 } do
                local ball = pc.free{ shape = "disc", radius = 0.05, mass = 1, y = h + 0.05, vx = vx, rate = -vx }
                local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 },
                    contact = pc.contact[name]{ restitution = e, friction = 0.2 } }, { duration = 1.01 * expected })
                near(ends(run)[1].time, expected, 0, 1e-10)
                near(ends(run)[1].ratio, e, 1e-12)
            end
        end
        local box = pc.free{ shape = "box", width = 0.2, height = 0.1, mass = 1, y = h + 0.05 }
        local run = pc.simulate(pc.scene{ box, pc.floor{ height = 0 }, contact = newton(e) },
            { duration = 1.01 * expected })
        near(ends(run)[1].time, expected, 0, 1e-9) -- two corners: each ends by its own last bounces
    end)

    it("does so on an incline, where gravity acts along it as well", function()
        for _, a in ipairs{ 0.2, 0.4, 1.1 } do
            for _, e in ipairs{ 0.3, 0.5, 0.7 } do
                local nx, ny, h = math.sin(a), math.cos(a), 0.4
                local expected = math.sqrt(2 * h / (G * ny)) * (1 + e) / (1 - e)
                local ball = pc.free{ shape = "disc", radius = 0.05, mass = 1,
                    x = (h + 0.05) * nx, y = (h + 0.05) * ny }
                local run = pc.simulate(pc.scene{ ball, pc.plane{ nx = nx, ny = ny }, contact = newton(e) },
                    { duration = 1.01 * expected })
                -- the gap rounds with the coordinates, which are metres at the end
                near(ends(run)[1].time, expected, 0, 1e-9)
                -- the last speeds, of 1e-6 m/s, round with those along the incline
                near(ends(run)[1].ratio, e, 1e-8)
            end
        end
    end)
end)

describe("a pendulum on a stop", function()
    -- Gauss-Legendre on 0 .. 1.
    local nodes = {}
    for i = 1, 24 do
        local x, n = math.cos(math.pi * (i - 0.25) / 24.5), 24
        local slope
        for _ = 1, 20 do
            local p0, p1 = 1, x
            for k = 2, n do p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k end
            slope = n * (x * p1 - p0) / (x * x - 1)
            x = x - p1 / slope
        end
        nodes[i] = { (x + 1) / 2, 1 / ((1 - x * x) * slope * slope) }
    end

    -- From the angle a up by D and back to it: energy without cancellation, the turning point taken out by a square.
    local function half_flight(L, a, D)
        local sum = 0
        for _, node in ipairs(nodes) do
            local s = node[1]
            local drop = 2 * math.sin(a + D - D * s * s / 2) * math.sin(D * s * s / 2)
            sum = sum + node[2] * 2 * D * s / math.sqrt(2 * G / L * drop)
        end
        return sum
    end
    local function rise(L, a, rate)
        local D = 0
        for _ = 1, 60 do -- sin(a + D/2) sin(D/2) = rate^2 L/(4 g)
            D = 2 * math.asin(rate * rate * L / (4 * G) / math.sin(a + D / 2))
        end
        return D
    end

    it("stays there when the recursion of its bounces says so", function()
        for _, L in ipairs{ 0.3, 1 } do
            for _, stop in ipairs{ 0.4, 0.9 } do
                for _, e in ipairs{ 0.5, 0.8, 0.9, 0.97 } do
                    local D, rod = 0.5, 2 * L / 3 -- a uniform rod swings as a point at two thirds of its length
                    local t = half_flight(rod, stop, D)
                    local rate = math.sqrt(2 * G / rod * 2 * math.sin(stop + D / 2) * math.sin(D / 2))
                    repeat
                        rate = e * rate
                        local more = 2 * half_flight(rod, stop, rise(rod, stop, rate))
                        t = t + more
                    until more < 1e-15
                    local arm = pc.chain{ links = { pc.link{ mass = 1, length = L } }, angles = { stop + D } }
                    local world = pc.scene{ arm, pc.wall{ x = L * math.sin(stop), side = "right" },
                        contact = newton(e) }
                    local run = pc.simulate(world, { duration = t + 0.1,
                        solver = pc.solver.dop853{ rtol = 1e-14, atol = 1e-16 } })
                    local event = ends(run)[1]
                    -- the integration of 20 s at 1e-14 errs by as much as what is left
                    near(event.time, t, 0, e > 0.95 and 5e-10 or 1e-10)
                    near(event.ratio, e, 1e-14)
                end
            end
        end
    end)
end)

describe("three balls that collapse", function()
    -- Gaps and velocities from impact to impact, without positions: the end is known to the last bits.
    local function collapse(m, e, g, v)
        local t = 0
        for _ = 1, 4000 do
            local w = { v[1] - v[2], v[2] - v[3] }
            local t1, t2 = w[1] > 0 and g[1] / w[1] or math.huge, w[2] > 0 and g[2] / w[2] or math.huge
            local dt, k = math.min(t1, t2), t1 < t2 and 1 or 2
            if dt == math.huge or dt < 1e-300 then break end
            t = t + dt
            g[1], g[2] = g[1] - w[1] * dt, g[2] - w[2] * dt
            g[k] = 0
            local p = (1 + e) * w[k] * m[k] * m[k + 1] / (m[k] + m[k + 1])
            v[k], v[k + 1] = v[k] - p / m[k], v[k + 1] + p / m[k + 1]
        end
        return t
    end

    it("do so at the time that the intervals point to, not at that of the last impact seen", function()
        local r, compared = 0.05, 0
        for _, m in ipairs{ { 1, 1, 1 }, { 3, 1, 10 }, { 1, 0.05, 1 }, { 5, 0.5, 1 } } do
            for _, e in ipairs{ 0.02, 0.05 } do
                for _, g in ipairs{ { 0.1, 0.17 }, { 0.03, 0.2 } } do
                    local x, v = { 0, 2 * r + g[1], 4 * r + g[1] + g[2] }, { 1, 0, -0.7 }
                    local parts = { contact = newton(e), gravity = 0 }
                    for i = 1, 3 do
                        parts[i] = pc.free{ shape = "disc", radius = r, mass = m[i], x = x[i], vx = v[i] }
                    end
                    local run = pc.simulate(pc.scene(parts), { duration = 1 })
                    local t, event = collapse(m, e, g, v), ends(run)[1]
                    -- gaps round at 1e-17 m; where few impacts come before they do, the second ratio has not died out
                    near(event.time, t, 0, 2e-11)
                    compared = compared + 1
                end
            end
        end
        assert.equal(16, compared)
    end)
end)
