-- 2. Stick and slip
-- The same ball at many angles: from sticking all the time to sliding all the time.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("Stick and slip", ...)

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }

lesson:say [[
    A motion may be given by its speed and its incidence, an angle from the normal. Angles are in
    radians; 30*pc.deg is thirty degrees.]]
local first, last
for _, degrees in ipairs{ 5, 15, 30, 45, 60, 75, 85 } do
    local hit = pc.collide(ball, spring, { speed = 1, incidence = degrees * pc.deg })
    print(string.format("%3d deg  %-18s v_t after %+.4f m/s  lost %5.1f %%", degrees, hit.regime, hit.velocity.t,
        100 * hit.loss_fraction))
    first, last = first or hit, hit
end
lesson:claim("close to the normal the contact begins to stick at once", first.phases[1].kind == "stick")
lesson:claim("a grazing ball slides all the time", last.regime == "gross slip")

lesson:say [[
    While it slides all the time, the tangential impulse is the friction coefficient times the normal one.]]
print("impulse ratio p_t/p_n:", last.impulse_ratio.total)
lesson:claim("the ratio is -0.5", math.abs(last.impulse_ratio.total + 0.5) < 1e-12)

lesson:say [[
    An array of angles needs no loop: pc.map computes them all at once.]]
local incidence = pc.linspace(1, 89, 200) * pc.deg
local map = pc.map(ball, spring, { speed = 1, incidence = incidence })
print(map.loss_fraction)
lesson:draw("loss", function(file)
    local figure = pc.chart.figure{ title = "Lost fraction of the energy over the angle of incidence" }
    local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "lost fraction" }
    panel:line{ incidence / pc.deg, map.loss_fraction }
    if file then figure:save(file) else figure:show() end
end)

lesson:exercise "At which angle is most energy lost? (map.loss_fraction:argmax() tells where.)"
lesson:answer [[
    At 75 degrees, where 27 % are lost: a little beyond the angle from which on the ball slides all the time.]]
lesson:exercise "Do it again with friction = 0.1. From which angle on does the ball slide all the time?"
lesson:answer [[
    From 30.1 degrees on; with friction = 0.5 from 71 degrees on. The tangent of that angle is 5.79 times the
    friction for this ball.]]
