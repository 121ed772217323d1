-- How do I make a body of any shape?
-- Words: polygon triangle corners compound composite several shapes not convex hammer dumbbell mass centre inertia.
local pc = require "percuss"

-- A convex polygon by its corners, in any frame: mass centre and inertia follow.
local wedge = pc.free{ name = "wedge", corners = { { 0, 0 }, { 0.4, 0.1 }, { 0.1, 0.5 } }, mass = 1, y = 1, rate = 2 }
-- What is not convex is put together; masses and inertias add up, and x, y are of the mass centre of the whole.
local hammer = pc.free{ name = "hammer", x = 0.8, y = 1, angle = 1, rate = -4, shapes = {
    { shape = "capsule", length = 0.4, radius = 0.02, mass = 0.2 },
    { shape = "box", width = 0.2, height = 0.1, mass = 0.8, y = 0.25 },
} }
print(("%.4f kg m^2, %.4f kg m^2"):format(wedge.inertia, hammer.inertia))
--> 0.0189 kg m^2, 0.0165 kg m^2
local run = pc.simulate(pc.scene{
    wedge, hammer, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.3, friction = 0.4 },
}, { duration = 3 })
run:draw{ time = 0.3 }
print(run.impacts[1].contact)
--> hammer.part1.end1 on floor
