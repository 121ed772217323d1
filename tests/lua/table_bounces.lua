-- Balls on tables that shake at random: every flight against the exact one, whose end is found by steps that cannot
-- jump a root, and never a ball below its table.
local pc = require "percuss"

local G = 9.81

-- How long a point flies that leaves the height y with the speed v at t until it meets the table A sin(w t) again. The
-- gap h curves down by no more than g + A w^2, so that it stays open as long as h + h' s - (g + A w^2) s^2/2 does.
local function flight(A, w, t, y, v)
    local most, s = G + A * w ^ 2, 0
    local h, rate = y - A * math.sin(w * t), v - A * w * math.cos(w * t)
    if h < 0 then h = 0 end
    for _ = 1, 10000 do
        local step = (rate + math.sqrt(rate ^ 2 + 2 * most * h)) / most
        if s + step == s or step < 1e-17 then break end
        s = s + step
        h = y + v * s - 0.5 * G * s ^ 2 - A * math.sin(w * (t + s))
        rate = v - G * s - A * w * math.cos(w * (t + s))
        if h <= 0 then
            s = s - h / rate -- past it by rounding
            break
        end
    end
    return s, -rate
end

-- Bounces of one table: how many, and how many flights were compared. An error where one differs.
local function try(number, random, most)
    local function uniform(a, b) return a + (b - a) * random() end
    local w = math.exp(uniform(math.log(5), math.log(2000)))
    local gamma = math.exp(uniform(math.log(1.05), math.log(30)))
    local A, e, size = gamma * G / w ^ 2, uniform(0.2, 0.98), 0.01
    local height = uniform(0.2, 4) * (A + gamma * G / (2 * w ^ 2)) + size
    local run = pc.simulate(pc.scene{
        pc.free{ shape = "disc", radius = size, mass = 1, y = height, vy = uniform(-1, 1) * A * w },
        pc.floor{ height = 0, name = "table", motion = { amplitude_y = A, frequency = w } },
        contact = pc.contact.newton{ restitution = e, friction = 0 },
    }, { duration = 1e5 / w, max_impacts = most })
    local what = ("table %d, A = %.17g, w = %.17g, e = %.17g"):format(number, A, w, e)
    local impacts, compared, resting = run.impacts, 0, {}
    for _, event in ipairs(run.events) do
        if event.name == "contact" or event.name == "lift_off" then resting[#resting + 1] = event.time end
    end
    local next = 1
    for i = 1, #impacts - 1 do
        local hit = impacts[i]
        while resting[next] and resting[next] < hit.time do next = next + 1 end
        local rests = resting[next] and resting[next] <= impacts[i + 1].time
        if not rests then
            local s, speed = flight(A, w, hit.time, hit.q[2] - size, hit.u_after[2])
            -- the gap rounds at some eps of the lengths in it and of a step's polynomials, which the speed turns into
            -- time; a bounce that were missed would change the flight by a share of 1/w
            local off, allowed = impacts[i + 1].time - hit.time - s, 1e-10 / w + 5e-12 * (A + size + height) / speed
            local clear = speed > 1e-6 * A * w -- else rounding says when it ends
            if clear and math.abs(off) > allowed then
                error(("%s: flight %d lasted %.17g s too long, allowed %.3g"):format(what, i, off, allowed), 0)
            end
            if clear then compared = compared + 1 end
        end
    end
    for t = 0, run.time, run.time / 300 do
        local at = run:at(t)
        if at.gap < -1e-8 * (A + size + height) then -- the errors of steps while it lies on the table
            error(("%s: the ball is %.3g m below the table at t = %.17g s"):format(what, -at.gap, t), 0)
        end
    end
    return #impacts, compared
end

-- Tables from `first` to `last`, each with its own random numbers; bounces, and flights that were compared.
return function(first, last, most)
    local bounces, compared = 0, 0
    for number = first, last do
        local state = number * 2654435761 % 4294967296
        local function random()
            state = (1664525 * state + 1013904223) % 4294967296
            return state / 4294967296
        end
        for _ = 1, 3 do random() end
        local n, known = try(number, random, most)
        bounces, compared = bounces + n, compared + known
    end
    return bounces, compared
end
