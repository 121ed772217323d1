-- run:carry against closed forms and against differences of whole runs, to the tolerance of the run.
local pc = require "percuss"
local near = require "near"

local G = 9.81

-- Derivative of a list of numbers f(s) at s = 0: differences of six points err by h^6.
local function derivative(f, h)
    local out
    for i, weight in ipairs{ 45, -9, 1 } do
        local up, down = f(i * h), f(-i * h)
        out = out or {}
        for k = 1, #up do out[k] = (out[k] or 0) + weight * (up[k] - down[k]) / (60 * h) end
    end
    return out
end

local function solver(rtol) return pc.solver.dop853{ rtol = rtol, atol = rtol / 100 } end

describe("run:carry", function()
    it("carries a ball along an incline as its parabolas say", function()
        local function bounce(e, gn, gt, y, v, x, w, T) -- heights and speeds across, then along
            local t = 0
            while true do
                local d = (v + math.sqrt(v * v + 2 * gn * y)) / gn
                if t + d > T then break end
                t, v, y = t + d, e * (gn * d - v), 0
            end
            local s = T - t
            return { y + v * s - gn * s * s / 2, v - gn * s, x + w * T + gt * T * T / 2, w + gt * T }
        end
        local T, h0 = 1.6, 0.5
        for _, a in ipairs{ 0, 0.4, 0.7 } do
            for _, e in ipairs{ 0.95, 0.8, 0.75 } do
                local nx, ny = math.sin(a), math.cos(a)
                local ball = pc.free{ shape = "disc", radius = 0.05, mass = 1, x = (h0 + 0.05) * nx,
                    y = (h0 + 0.05) * ny, vx = 0.2 }
                local world = pc.scene{ ball, pc.plane{ nx = nx, ny = ny },
                    contact = pc.contact.newton{ restitution = e, friction = 0 } }
                local q, u = { 0.3, -0.7, 0.2 }, { 0.5, 1, 0.1 }
                local function across(v) return v[1] * nx + v[2] * ny end
                local function along(v) return v[1] * ny - v[2] * nx end
                local exact = derivative(function(s)
                    return bounce(e, G * ny, G * nx, h0 + s * across(q), 0.2 * nx + s * across(u), s * along(q),
                        0.2 * ny + s * along(u), T)
                end, 1e-4)
                for _, rtol in ipairs{ 1e-8, 1e-12 } do
                    local run = pc.simulate(world, { duration = T, solver = solver(rtol) })
                    assert.is_true(run.impact_count >= 2)
                    local d = run:carry{ q = q, u = u }
                    local got = { across(d.q), across(d.u), along(d.q), along(d.u) }
                    -- parabolas are integrated exactly: what is left are differences, at some 1e-11 of 10 m/s each
                    for k = 1, 4 do near(got[k], exact[k], 0, 1e-9) end
                    near(d.u[3], 0.1, 0, 2e-9) -- in rates of 100 rad/s
                end
            end
        end
    end)

    local function compare(make, T, direction, bound, h)
        local function state(s)
            local run = pc.simulate(make(s), { duration = T, solver = solver(1e-13) })
            local at, out = run:at(T), {}
            for k, x in ipairs(at.q) do out[k] = x end
            for _, x in ipairs(at.u) do out[#out + 1] = x end
            return out, run
        end
        local whole, _, run = derivative(function(s) return (state(s)) end, h), state(0)
        assert.is_true(run.impact_count >= 2)
        local d = run:carry(direction)
        local n = #d.q
        local size = 0
        for k = 1, 2 * n do size = math.max(size, math.abs(whole[k])) end
        for k = 1, 2 * n do near(k <= n and d.q[k] or d.u[k - n], whole[k], 0, bound * math.max(1, size)) end
    end

    -- Differences of whole runs know 1e-13 over their step of some 1e-3, times what a motion multiplies.
    it("carries a pendulum with a stop as neighbouring runs say", function()
        for _, e in ipairs{ 0.9, 0.6 } do
            for _, damping in ipairs{ 0, 0.3 } do
                compare(function(s)
                    return pc.scene{
                        pc.chain{ links = { pc.link{ mass = 1, length = 0.7, damping = damping } },
                            angles = { 1.1 + s }, rates = { 0.5 - 2 * s } },
                        pc.wall{ x = 0.2, side = "right" },
                        contact = pc.contact.newton{ restitution = e, friction = 0 } }
                end, 1.9, { q = { 1 }, u = { -2 } }, 1e-9, 1e-3)
            end
        end
    end)

    it("carries a double pendulum over a rough floor as neighbouring runs say", function()
        for _, law in ipairs{ "newton", "poisson", "stronge" } do
            compare(function(s)
                return pc.scene{
                    pc.chain{ links = { { mass = 1, length = 0.5 }, { mass = 0.7, length = 0.5 } },
                        angles = { 1.3 + s, 0.9 - 0.5 * s }, rates = { 0.2, 0.3 * s } },
                    pc.floor{ depth = 0.8 },
                    contact = pc.contact[law]{ restitution = 0.8, friction = 0.1 } }
            end, 1.1, { q = { 1, -0.5 }, u = { 0, 0.3 } }, 1e-8, 5e-4)
        end
    end)
end)
