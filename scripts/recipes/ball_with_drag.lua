-- How do I add air drag to a bouncing ball?
-- Words: drag air resistance quadratic terminal velocity force.
local pc = require "percuss"

local mass, e = 0.1, 0.9
local world = pc.scene{
    pc.free{ shape = "disc", radius = 0.05, mass = mass, y = 2.05, name = "ball" }, pc.floor{ height = 0 },
    pc.drag{ on = "ball", quadratic = 0.005 }, contact = pc.contact.newton{ restitution = e, friction = 0 },
}
local run = pc.simulate(world, { duration = 3 })
-- the speed at the floor in closed form: v^2 = g/k (1 - exp(-2 k h)) with k = 0.005/0.1
local g, k = 9.81, 0.05
local v = math.sqrt(g/k*(1 - math.exp(-2*k*2)))
print(("%.8f"):format(math.abs(run.impacts[1].before["ball.vy"] + v))) --> 0.00000000
print(("%.3f J taken by the air"):format(select(2, run:work "drag")))  --> 0.491 J taken by the air
