-- 8. A double pendulum over a floor
-- Chains of links swing, strike and go on swinging; the energy tells whether the numbers can be trusted.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("A double pendulum over a floor", ...)

local link = { mass = 1, length = 0.5 }
local rig = pc.chain{ links = { link, link }, angles = { 140 * pc.deg, 90 * pc.deg }, rates = { 0, 0 } }

lesson:say [[
    Without a floor nothing is lost: the sum of kinetic and potential energy has to stay.]]
local free = pc.simulate(pc.scene{ rig }, { duration = 3, solver = pc.solver.dop853{ rtol = 1e-10, atol = 1e-12 } })
local energy = free:columns(200).energy
local drift = energy:max() - energy:min()
print("energy [J]:", energy[1], "spread:", string.format("%.1e", drift))
-- rtol = 1e-10 a step, some hundred steps, energies of the order of 10 J
lesson:claim("it stays within 1e-6 J", drift < 1e-6)

lesson:say [[
    With a floor 0.9 m below the pivot the lower link strikes it. The law is Poisson's, with friction.]]
local law = pc.contact.poisson{ restitution = 0.6, friction = 0.15 }
local world = pc.scene{ rig, pc.floor{ depth = 0.9 }, contact = law }
local run = pc.simulate(world, { duration = 3, solver = pc.solver.dop853{ rtol = 1e-10, atol = 1e-12 } })
local lost = 0
for i, hit in ipairs(run.impacts) do
    lost = lost + hit.loss
    if i <= 5 then
        print(string.format("impact %d at %.6f s: v_n %.3f -> %.3f m/s, lost %.4f J", i, hit.time,
            hit.velocity_before.n, hit.velocity.n, hit.loss))
    end
end
print(run.impact_count, "impacts, which took", lost, "J")
lesson:claim("it strikes", run.impact_count > 0)
lesson:claim("no impact gives energy", lost >= 0)
lesson:draw("energy", function(file) run:plot{ "energy", file = file } end)

lesson:exercise "Make an animation: run:animate{ file = \"swing.gif\" }, and look at it in a browser."
lesson:answer "A GIF plays in every browser; help \"run:animate\" tells of speed, size and trails."
lesson:exercise "Change the first angle by 1e-6. After which time do the two runs differ to the eye?"
lesson:answer [[
    Not within these 3 s. Without the floor, over 20 s, the angles differ by 0.001 rad from 4.7 s on and by
    0.1 rad from 6.5 s on: the difference grows tenfold about every 0.9 s.]]
