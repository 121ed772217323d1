-- 7. A bouncing ball
-- Motion between impacts: a scene, a run, and what to do with infinitely many impacts.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("A bouncing ball", ...)

lesson:say [[
    A scene is what moves, what stands in its way, and the law by which they collide.]]
local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }
local run = pc.simulate(world, { duration = 2 })

lesson:say [[
    The ball falls one metre: the first impact is at sqrt(2 h/g).]]
local g = world.gravity
for i = 1, 3 do print(i, run.impacts[i].time, run.impacts[i].velocity.n) end
-- the event is located on the solver's own polynomial, which is exact for a parabola
lesson:claim("the first impact is where it should be", math.abs(run.impacts[1].time - math.sqrt(2 / g)) < 1e-9)

lesson:say [[
    Each bounce takes half as long as the one before: infinitely many end after 3 sqrt(2 h/g). The run
    finds that time and lets the ball rest.]]
local rest
for _, event in ipairs(run.events) do
    if event.kind == "accumulation" then rest = event.time end
end
print("it comes to rest at", rest, "expected", 3 * math.sqrt(2 / g))
lesson:claim("the accumulation is found", rest and math.abs(rest - 3 * math.sqrt(2 / g)) < 1e-6)
print("height of the centre at the end:", run:at(2).y)
lesson:draw("height", function(file) run:plot{ "y", file = file } end)

lesson:exercise "Give the ball vx = 1 and friction = 0.2. When does it begin to roll?"
lesson:answer [[
    At the first impact: it ends in stick, so v_t = 0 from then on, and the centre goes on at 2/3 m/s.]]
lesson:exercise "How many impacts happen before the ball rests? What does run.events say besides?"
lesson:answer [[
    23. Besides impacts the events are the accumulation, the contact that begins there, and rest.]]
