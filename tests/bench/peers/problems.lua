-- The problems of this folder by percuss, with right-hand sides and events written in Lua. One line
-- "problem tool error seconds" for each tolerance; seconds are minima of repeats. `run` says what the problems are.
local pc = require "percuss"

local IMPACT = -0.28897110924013369 -- v_t afterwards, closed form
local HEIGHT = 4.7190375636423258 -- of the ball at the end, closed form
local LAST = 5.4218479947820 -- sixth impact of the pendulum; percuss and SciPy agree on it at their finest
local VDP = 1.706167732170483 -- y(2000), Test Set for Initial Value Problem Solvers, Bari and CWI

-- `times` solutions are timed together where one is too short for the clock.
local function measure(problem, tool, times, solve)
    local least, error_of = math.huge, nil
    for _ = 1, 9 do
        local start = os.clock()
        for _ = 1, times do error_of = solve() end
        least = math.min(least, (os.clock() - start) / times)
    end
    print(("%s %s %.3e %.3e"):format(problem, tool, math.max(error_of, 1e-17), least))
end

local sphere = pc.body.sphere{ radius = 5e-3, mass = 0.0021 }
local linear = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
measure("impact", "percuss", 100, function()
    return math.abs(pc.collide(sphere, linear, { vt = 1, vn = -1 }).velocity.t - IMPACT)
end)

local ball = pc.free{ shape = "disc", mass = 1, radius = 0.5, y = 10.5, vx = 1 }
local smooth = pc.contact.newton{ restitution = 0.9, friction = 0 }
local court = pc.scene{ ball, pc.floor{ height = 0 }, gravity = 9.82, contact = smooth }
local rig = pc.chain{
    links = {
        { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676 },
        { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
    },
    angles = { 140*pc.deg, -90*pc.deg }, rates = { 1.2, -0.5 },
}
local room = pc.scene{ rig, pc.floor{ depth = 0.9 }, gravity = 9.81, contact = smooth }

local function orbit(_, x, y, u, v)
    local r3 = (x*x + y*y) ^ 1.5
    return u, v, -x / r3, -y / r3
end

for exponent = 4, 12 do
    local rtol = 10.0 ^ -exponent
    local dop853 = pc.solver.dop853{ rtol = rtol, atol = rtol }
    measure("ball", "percuss", 10, function()
        local run = pc.simulate(court, { duration = 7, solver = dop853 })
        return math.abs(run:at(7).y - 0.5 - HEIGHT)
    end)
    measure("kepler", "percuss", 1, function()
        local m = pc.ode.solve{ rhs = orbit, y = { 0.5, 0, 0, math.sqrt(3) }, t = 39.5 * math.pi, solver = dop853,
            record = false, events = { { function(_, _, y) return y end } } }
        local worst = #m.events == 39 and 0 or math.huge
        for i, event in ipairs(m.events) do worst = math.max(worst, math.abs(event.time - i * math.pi)) end
        return worst
    end)
    measure("pendulum", "percuss", 1, function()
        local run = pc.simulate(room, { duration = 6, solver = dop853 })
        return math.abs(run.impacts[6].time - LAST)
    end)
    measure("vdp", "percuss", 1, function()
        local m = pc.ode.solve{ rhs = function(_, y, v) return v, 1000 * (1 - y*y) * v - y end, y = { 2, 0 }, t = 2000,
            solver = pc.solver.rodas5p{ rtol = rtol, atol = rtol }, record = false }
        return math.abs(m.y[1] - VDP)
    end)
end
