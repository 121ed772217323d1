-- How do I save a run and go on with it later?
-- Words: continue restart checkpoint file load store.
local pc = require "percuss"

local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local law = pc.contact.newton{ restitution = 0.5, friction = 0 }
local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 0.4 })
local again = pc.load_run(run:save "bounce.run")
-- to the last bit as if it had never been away
print(again:continue(0.6):at(1).y == run:continue(0.6):at(1).y) --> true
