-- How do I let a table start or stop at once?
-- Words: velocity jumps corner kink sudden start step ramp triangle wave sawtooth table belt strike.
local pc = require "percuss"

-- A table that rises with 0.6 m/s from t = 0.5 s on. Its velocity jumps: `breaks` of simulate tells when, and what
-- touches the table then is struck.
local function rise(breaks)
    return pc.simulate(pc.scene{
        pc.free{ shape = "disc", radius = 0.02, mass = 0.1, y = 0.02, name = "ball" },
        pc.floor{ height = 0, name = "table", motion = function(t) return 0, math.max(0, 0.6*(t - 0.5)), 0 end },
        contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }, { duration = 0.7, breaks = breaks })
end
local hit = rise{ 0.5 }.impacts[1]
print(("%.2f s: %.3f m/s up, %.4f N s"):format(hit.time, hit.after["ball.vy"], hit.impulse.n))
--> 0.50 s: 0.900 m/s up, 0.0900 N s

-- a jump of the velocity that is not told is an error, not a wrong motion
local _, message = pcall(rise)
print(message:match "has a corner or a jump near t = 0.5000") --> has a corner or a jump near t = 0.5000
