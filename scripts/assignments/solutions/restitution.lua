-- Model solution of the assignment restitution.
local pc = require "percuss"
local work = ...
local d = work.data

local function strike(law)
    local rod = pc.body.rod{ mass = d.mass, length = d.length, angle = d.angle * pc.deg }
    local contact = law{ restitution = d.restitution, friction = d.friction }
    return pc.collide(rod, contact, { v = { d.slide, -d.fall }, omega = 0 })
end

function work.kinematic() return strike(pc.contact.newton).loss, "J" end
function work.kinetic() return strike(pc.contact.poisson).loss, "J" end
function work.energetic() return strike(pc.contact.stronge).loss, "J" end
function work.spin() return strike(pc.contact.stronge).body.omega, "rad/s" end

function work.judge()
    return [[
Newton's law can create energy: it fixes the velocity of separation whatever friction did to the sliding meanwhile, so
that when the direction of slip reverses the normal force may do more work in restitution than it took in compression.
Poisson's law can do so too in rare cases; Stronge's cannot, because it bounds the work itself.]]
end
