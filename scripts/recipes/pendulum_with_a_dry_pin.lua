-- How do I let a joint rub, and how long does a pendulum swing then?
-- Words: dry friction Coulomb bearing journal pin joint stick stiction radius torque decay amplitude rest dead band.
local pc = require "percuss"

-- a rod of 2 kg and 1 m swings on a pin of 12 mm in radius, which rubs with its reaction
local function swing(joint)
    joint.a, joint.at = "rod", { 0, 0 }
    local rod = pc.chain{ links = { { mass = 2, length = 1 } }, angles = { 1.2 }, name = "rod", touch = "none" }
    return pc.simulate(pc.scene{ rod, pc.pin(joint) }, { duration = 60 })
end
local run = swing{ radius = 0.012, friction = 0.3 }
local turns = 0
for _, event in ipairs(run.events) do
    if event.kind == "reversal" then turns = turns + 1 end
end
print(("%d swings, rest at %.4f rad after %.2f s"):format(turns, run:at(60)["rod.angle1"],
    run.events[#run.events].time))
--> 67 swings, rest at 0.0048 rad after 57.18 s

-- where the torque does not depend on the load each swing loses torque times its angle
local constant = swing{ friction_torque = 0.07 }
local first = constant:at(constant.events[2].time)["rod.angle1"]
print(("%.6f = %.6f J"):format(2*9.81*0.5*(math.cos(first) - math.cos(1.2)), 0.07*(1.2 - first)))
--> 0.166719 = 0.166719 J
