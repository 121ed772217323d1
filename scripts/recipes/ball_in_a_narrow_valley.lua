-- What does a ball do in a valley that is narrower than the ball?
-- Words: valley groove gutter rut trough parabola profile narrow two sides two places both walls rest.
local pc = require "percuss"

-- a ball of half a metre falls into y = 3 x^2, whose bottom it cannot reach: each side is a part of the curve
local run = pc.simulate(pc.scene{
    pc.free{ shape = "disc", radius = 0.5, mass = 1, x = 0.1, y = 2, name = "ball" },
    pc.profile{ y = function(x) return 3*x^2 end, from = -1, to = 1, name = "valley" },
    contact = pc.contact.newton{ restitution = 0.3, friction = 0 } }, { duration = 3 })
print(run.impacts[1].contact)
--> ball on valley.part2

-- at rest it touches where the curve's normals meet in its centre: sqrt(r^2 - 1/36) to both sides
local s, slope = run:at(3), 6*math.sqrt(0.5^2 - 1/36)
print(("%.4f m up, %.4f N and %.4f N"):format(s["ball.y"], s.F_n1, s.F_n2))
--> 0.8333 m up, 14.7150 N and 14.7150 N
print(("%.4f N"):format(9.81/2*math.sqrt(1 + slope^2))) --> 14.7150 N
