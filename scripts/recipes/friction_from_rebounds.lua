-- How do I get the coefficient of friction from measured rebounds?
-- Words: fit estimate data experiment angle error bar confidence.
local pc = require "percuss"

-- Measured: tangential velocity after impacts at 1 m/s (here made up, with noise of 2 mm/s).
local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
local angles = { 50, 55, 60, 65, 70, 75, 80, 85 }
local measured = { 0.2518, 0.3635, 0.4663, 0.5706, 0.6651, 0.7612, 0.8449, 0.9281 }

local data = pc.table{ { "angle", angles }, { "v_t", measured, unit = "m/s" } }
local f = pc.fit(data, function(p, row)
    local law = pc.contact.stronge{ restitution = 0.9, friction = p.mu }
    return pc.collide(ball, law, { speed = 1, incidence = row.angle*pc.deg }).velocity.t
end, { { "mu", 0.3, lo = 0 } }, { columns = "v_t" })
print(f)
print(("%.2f"):format(f.values.mu)) --> 0.12
