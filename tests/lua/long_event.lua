-- Events of functions that are not smooth at 8,000 random places with every method, and all motions of a ball on a
-- vibrating table: the long form of event_spec.
local pc = require "percuss"

local methods = { dop853 = {}, dopri5 = {}, bs32 = {}, rodas5p = {}, rk4 = { step = 0.37 } }

--- Functions with a place a and a sign s, and how many events they have.
local rough = {
    step = { function(t, a, s) return t < a and -s or s end, 1 },
    ["true and false"] = { function(t, a, s) return s*(t - a) > 0 end, 1 },
    max = { function(t, a, s) return s*math.max(t - a, 7*(t - a)) end, 1 },
    ["cubic root"] = { function(t, a, s) return s*(t < a and -1 or 1)*math.abs(t - a)^(1/3) end, 1 },
    abs = { function(t, a, s) return s*math.abs(t - a) end, 1, true },
    ["two beside a kink"] = { function(t, a, s) return s*(math.abs(t - a) - 1e-7) end, 2 },
    pole = { function(t, a, s) return s/(t - a) end, 0 },
    ["double pole"] = { function(t, a) return 1/(t - a)^2 end, 0 },
    ["weak pole"] = { function(t, a, s) return s*(t < a and -1 or 1)/math.sqrt(math.abs(t - a)) end, 0 },
}

describe("an event function that is not smooth", function()
    for seed = 1, 4 do
        it("gives one event for one crossing, seed " .. seed, function()
            math.randomseed(seed)
            for kind, case in pairs(rough) do
                for name, settings in pairs(methods) do
                    for i = 1, 45 do
                        local a = i % 4 == 0 and math.random(1, 15)/4 or 0.01 + 3.98*math.random()
                        local s = math.random(0, 1)*2 - 1
                        local list = pc.ode.solve {
                            rhs = function() return 1 end, y = 0, t = 4, solver = pc.solver[name](settings),
                            autonomous = true, events = { { function(t) return case[1](t, a, s) end } } }.events
                        local place = ("%s with %s at %.17g, sign %d"):format(kind, name, a, s)
                        assert.equal(case[2], #list, place)
                        if case[2] == 1 then
                            assert.is_true(math.abs(list[1].time - a) < 2e-15, place)
                            assert.equal(case[3] and "touch" or s > 0 and "up" or "down", list[1].kind, place)
                            assert.equal(case[3] and 2 or 1, list[1].multiplicity, place)
                        end
                    end
                end
            end
        end)
    end
end)

describe("a ball on a vibrating table", function()
    it("never falls through, in 333 motions", function()
        for _, e in ipairs { 0.2, 0.5, 0.8 } do
            for i = 0, 110 do
                local w = 5 + i/2
                local m = pc.ode.solve {
                    rhs = function(_, _, v) return v, -9.81 end, y = { 0.1, 0 }, t = 5, autonomous = true,
                    events = { { function(t, y) return y - 0.01*math.sin(w*t) end, direction = -1, name = "table",
                                 action = function(t, y, v)
                                     local u = 0.01*w*math.cos(w*t)
                                     return y, u - e*(v - u)
                                 end } } }
                assert.is_true(m.y[1] - 0.01*math.sin(w*m.time) > -1e-12, ("w = %g, e = %g"):format(w, e))
                assert.is_true(m.stop == "end" or m.stop == "stalled" and m.stop_event == "table")
            end
        end
    end)
end)
