-- 4. Histories
-- A compliant contact lasts a while: forces, velocities and works over time are arrays.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("Histories", ...)

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = pc.collide(ball, spring, { vt = 1, vn = -1 })

lesson:say [[
    trace(n) gives n points of the history; its names and units come with it.]]
local h = hit:trace(400)
for _, name in ipairs(h.names) do print(string.format("%-8s [%s]", name, h.units[name])) end

lesson:say [[
    Arrays compute element by element. The impulse is the integral of the force over time.]]
local impulse = h.F_n:trapz(h.t)
print("by integration:", impulse, "by the solution:", hit.impulse.n)
-- the trapezium rule errs by h^2/12 times the change of slope: 400 points of a half sine give 5e-6
lesson:claim("they agree to 1e-5", math.abs(impulse / hit.impulse.n - 1) < 1e-5)

lesson:say [[
    at(t) is the state at one time. At the end of compression the normal velocity vanishes.]]
local middle = hit:at(hit.compression_time)
print("v_n at the end of compression [m/s]:", string.format("%.1e", middle.v_n))
lesson:claim("it is zero up to rounding", math.abs(middle.v_n) < 1e-12)

lesson:say [[
    During slip the tangential force is friction times the normal force, whatever its sign.]]
for _, phase in ipairs(hit.phases) do
    local s = hit:at((phase.start + phase.stop) / 2)
    print(string.format("%-5s F_t/F_n = %+.4f", phase.kind, s.F_t / s.F_n))
    lesson:claim("the cone holds", math.abs(s.F_t) <= 0.5 * s.F_n * (1 + 1e-12))
end
lesson:draw("velocities", function(file) hit:plot{ "v_t", "v_n", "F_t", file = file } end)

lesson:exercise "Plot W_n, W_t and W_f. Which of them ends at zero, and what does that say?"
lesson:answer [[
    W_n: with restitution = 1 the normal spring gives back what it took. W_t and W_f end at the same value:
    the tangential spring ends relaxed, so all tangential work is friction's.]]
lesson:exercise "hit:scaled \"birlik\" has time times the natural frequency. How long does the contact last in it?"
lesson:answer [[
    pi, whatever mass, stiffness and speed: a half period of the normal spring.]]
