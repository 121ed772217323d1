-- 3. Laws compared
-- Three coefficients of restitution have one name in many books. A rod that strikes obliquely tells them apart.
local pc = require "percuss"
local lesson = require("percuss.lesson").new("Laws compared", ...)

local rod = pc.body.rod{ mass = 1, length = 1, angle = -45 * pc.deg }
local motion = { vt = 0.2, vn = -1 }

lesson:say [[
    Newton's coefficient compares velocities, Poisson's impulses, Stronge's works. For a ball they agree;
    for a rod whose contact couples t and n they do not.]]
local laws = {
    pc.contact.newton{ restitution = 0.8, friction = 0.3 },
    pc.contact.poisson{ restitution = 0.8, friction = 0.3 },
    pc.contact.stronge{ restitution = 0.8, friction = 0.3 },
}
local kinds = { "kinematic", "kinetic", "energetic" }
for i, law in ipairs(laws) do
    local r = pc.collide(rod, law, motion).restitution
    print(string.format("%-16s kinematic %.4f  kinetic %.4f  energetic %.4f", tostring(law):match "[^{]*", r.kinematic,
        r.kinetic, r.energetic))
    lesson:claim("its own coefficient is 0.8", math.abs(r[kinds[i]] - 0.8) < 1e-12)
end

lesson:say [[
    Why it matters: with e = 1 one expects that nothing is lost but to friction. Newton's law may even gain.]]
local greedy = pc.compare(rod, {
    pc.contact.newton{ restitution = 1, friction = 0.9 }, pc.contact.stronge{ restitution = 1, friction = 0.9 },
}, motion)
print(greedy)
lesson:claim("Newton's law gains energy here and says so", greedy.rows[1].gained)
lesson:claim("Stronge's does not", not greedy.rows[2].gained)
lesson:draw("impulse_plane", function(file) greedy:plot{ file = file } end)

lesson:exercise "Set friction = 0. Do the three laws still differ? Why not?"
lesson:answer [[
    No: all leave v_t = -0.88 m/s and take 0.072 J. Without friction the impulse is along n alone, and then
    velocities, impulses and the square root of works have the same ratio.]]
lesson:exercise "At which friction does Newton's law begin to gain energy?"
lesson:answer [[
    At 0.523: more friction reverses the slip, and at e = 1 Newton's law then gives 0.0625 J.]]
