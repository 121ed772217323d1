-- Does a contact law describe my ball, or do I need waves?
-- Words: elastic waves elastodynamics finite element referee judge error of a law vibration Maw.
local pc = require "percuss"

local steel = pc.material.steel
local ball = pc.body.sphere{ radius = 0.01, material = steel }
local same = pc.elastic.sphere{ radius = 0.01, material = steel }
local function maw(more)
    return pc.contact.maw{ material = steel, radius = 0.01, friction = 0.2, body_compliance = more }
end
for _, vt in ipairs{ 0.1, 0.5, 2 } do
    local c = pc.compare(ball, { maw "none", maw "sphere", same }, { vt = vt, vn = -1 })
    local half_space, sphere, waves = c.hits[1], c.hits[2], c.hits[3]
    print(("v_t' = %7.4f by Maw, %7.4f with a sphere's compliances, %7.4f by waves; %.0e of the energy rings"):format(
        half_space.velocity.t, sphere.velocity.t, waves.velocity.t, waves.energy.vibration / waves.energy.before))
end
--> v_t' =  0.0121 by Maw,  0.0015 with a sphere's compliances,  0.0015 by waves; 1e-04 of the energy rings
--> v_t' = -0.2139 by Maw, -0.2435 with a sphere's compliances, -0.2428 by waves; 9e-05 of the energy rings
--> v_t' =  0.6000 by Maw,  0.6000 with a sphere's compliances,  0.6004 by waves; 2e-05 of the energy rings
-- waves.flags and waves.method tell what strains the computation; tolerance = 1e-3 in pc.elastic.collide refines it
