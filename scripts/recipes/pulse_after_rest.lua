-- How do I keep a short pulse from being stepped over?
-- Words: breaks torque jump function of time pushed rest time_scale.
local pc = require "percuss"

-- A pendulum hangs at rest for 100 s and is then pushed for 2 ms. Step control sees nothing of a push that falls
-- between two steps; `breaks` names the times at which the torque jumps, and the motion starts afresh there.
local begins, ends = 100, 100.002 -- s
local function torque(t) return t > begins and t < ends and 50 or 0 end -- N m
local pendulum = pc.chain { links = { { mass = 1, length = 1 } }, torque = torque }
local scene = pc.scene { pendulum }

--- Kinetic energy just after the push, J.
local function energy(options)
    options.duration = ends
    local run = pc.simulate(scene, options)
    return run:at(run.time).kinetic
end

-- in 2 ms the pendulum hardly moves: the angular impulse 50 N m * 2 ms = 0.1 N m s gives p^2/(2 I), I = m l^2/3
local expected = 0.1^2/(2/3)
print(("expected      %.4f J"):format(expected))                                             --> expected      0.0150 J
print(("with breaks   %.4f J"):format(energy { breaks = { begins, ends } }))             --> with breaks   0.0150 J
print(("time scale    %.4f J"):format(energy { time_scale = ends - begins }))            --> time scale    0.0150 J
print(("neither       %.4f J"):format(energy {}))                                        --> neither       0.0000 J
print "A push shorter than 1/256 of the duration needs breaks, or the time scale of the torque."
