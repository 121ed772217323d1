-- Breaks: a pendulum hangs at rest for 100 s and is then pushed for 2 ms. Step control sees nothing of a push that
-- falls between two steps; `breaks` names the times at which the torque jumps, and the motion starts afresh there.
-- Run: percuss scripts/recipes/pulse_after_rest.lua

local pc = require "percuss"

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
print(("expected      %.8f J"):format(expected))
print(("with breaks   %.8f J"):format(energy { breaks = { begins, ends } }))
print(("time scale    %.8f J"):format(energy { time_scale = ends - begins }))
print(("neither       %.8f J"):format(energy {}))
print "A push shorter than 1/256 of the duration needs breaks, or the time scale of the torque."
