-- How do I drive a pendulum by a torque or by its pivot?
-- Words: motor drive function of time forced vibration shaken pivot harmonic.
local pc = require "percuss"

-- a torque: a number with a frequency, or a function of time
local driven = pc.chain{ links = { { length = 1, mass = 1 } }, torque = function(t) return 0.5*math.sin(3*t) end }
local run = pc.simulate(pc.scene{ driven }, { duration = 10 })
print(("largest angle %.4f rad"):format(run:columns(1000).angle1:abs():max()))

-- a pivot that shakes so fast that the pendulum stands upside down (Kapitza)
local top = pc.chain{ links = { { length = 1, mass = 1, damping = 0.2 } }, angles = { math.pi - 0.1 },
    pivot = { amplitude_y = 0.05, frequency = 300 } }
local standing = pc.simulate(pc.scene{ top }, { duration = 10 })
print(math.abs(standing:at(10).q[1] - math.pi) < 0.1) --> true
