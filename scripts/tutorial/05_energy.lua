-- 5. Where the energy goes
-- A ledger of one impact: what the contact takes from the body, and who keeps it.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("Where the energy goes", ...)

local rod = pc.body.rod{ mass = 1, length = 1, angle = 30 * pc.deg }
local law = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = 0.3, restitution = 0.8 }
local hit = pc.collide(rod, law, { vt = 0.5, vn = -1 })
print(hit)

lesson:say [[
    The works of the contact on the body sum to its change of energy: nothing may be missing.]]
local change = hit.energy.after - hit.energy.before
local works = hit.work.normal + hit.work.tangential
print("change of energy [J]:", change, "sum of the works [J]:", works)
-- both come from sums of terms of the size of the energy: rounding alone
lesson:claim("they are equal", math.abs(change - works) < 1e-12 * hit.energy.before)

lesson:say [[
    Friction only takes; the springs give back what they took, less what restitution keeps.]]
for i, phase in ipairs(hit.phases) do
    print(string.format("phase %d, %-5s  friction's work %+.3e J", i, phase.kind, phase.work.friction))
    lesson:claim("friction gives nothing", phase.work.friction <= 1e-15)
end

lesson:say [[
    The greatest loss that any law can cause is v0.W^-1.v0/2: everything the contact could stop.]]
print("lost, as a fraction of all and of the greatest loss:", hit.loss_fraction, hit.loss_of_max)
lesson:claim("no more than everything is lost", hit.loss_of_max <= 1)

lesson:exercise "Vary friction from 0 to 2 with pc.map and find where most is lost."
lesson:answer [[
    At friction = 0.38, where 70 % are lost. Without friction it is 16 %, and at 2 it is 30 %.]]
lesson:exercise "Which part of the loss is friction's when restitution = 1?"
lesson:answer [[
    All of it, 0.326 J: then both springs give back what they took.]]
