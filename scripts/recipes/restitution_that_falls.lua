-- How do I let a rigid law bounce less the faster it is struck?
-- Words: velocity dependent restitution e(v) measured table power law viscoelastic function bounce height.
local pc = require "percuss"

-- as measured at four speeds, as a power, as a viscoelastic sphere, as one's own formula
local forms = {
    pc.restitution.table{ speeds = { 0.1, 1, 2, 5 }, values = { 0.93, 0.80, 0.74, 0.63 } },
    pc.restitution.power{ at = 1, value = 0.8, exponent = 0.25, greatest = 0.95 },
    pc.restitution.viscoelastic{ at = 1, value = 0.8 },
    function(v) return 1/(1 + v/4) end,
}
local ball = pc.free{ shape = "disc", radius = 0.02, mass = 0.05, y = 1.02 }
for _, e in ipairs(forms) do
    local law = pc.contact.newton{ restitution = e, friction = 0.2 }
    local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = law }
    local run = pc.simulate(world, { duration = 30, max_impacts = 2000 })
    local text = "it goes on bouncing"
    for _, event in ipairs(run.events) do
        if event.kind == "accumulation" then text = ("at rest after %.3f s"):format(event.time) end
    end
    local first, second = run.impacts[1].restitution.asked, run.impacts[2].restitution.asked
    print(("e = %.3f, then %.3f ...; %s"):format(first, second, text))
end
--> e = 0.643, then 0.701 ...; at rest after 3.513 s
--> e = 0.551, then 0.640 ...; at rest after 4.166 s
--> e = 0.744, then 0.756 ...; at rest after 3.707 s
--> e = 0.475, then 0.656 ...; it goes on bouncing
