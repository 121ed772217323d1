-- What runs out of memory at every point (see memfail.c): a little of everything that allocates.
local pc = require "percuss"

local alumina = pc.material.alumina
local ball = pc.body.sphere { radius = 5e-3, material = alumina }
local rod = pc.body.rod { length = 0.1, mass = 0.01, angle = 0.3 }
local pair = pc.pair(ball, ball)
local law = pc.contact.linear { kn = 1.5e7, eta = 1.21, mu = 0.5 }
local hit = pc.collide(ball, law, { vt = 1, vn = -1 })
-- many phases: the record of phases grows
local many = pc.collide(ball, pc.contact.linear { kn = 1.5e7, eta = 1e-3, mu = 0.5 }, { vt = 1, vn = -1 })
local _ = tostring(hit) .. tostring(many) .. tostring(rod) .. tostring(pair) .. tostring(law)
local history = hit:trace(50)
-- rings that grow while a body turns
local rings = pc.contact.maw { modulus = 1e9, poisson = 0.3, radius = 0.01, friction = 0.3, rings = 8 }
local turning = pc.collide(rod, rings, { vt = 1, vn = -1 }, { configuration = "moving" })
assert(turning.rotation ~= 0 and #turning:trace(3).t == 3)
local scaled = hit:scaled("birlik", { points = 20 })
local x = pc.linspace(0, 1, 40)
local y = (x * 2 + 1):cumsum():sort()
local map = pc.map(ball, law, { vt = x, vn = -1, friction = y / 100 })
local figure = pc.chart.figure { title = "F_t" }
local panel = figure:panel { xlabel = "t", ylabel = "F" }
panel:line { history.t, history.F_n, label = "F_n" }
panel:span { 0, 1e-5, label = "slip" }
panel:scatter { x, map.vt }
local text = figure:text { columns = 60, rows = 15 }
assert(#text > 100 and scaled.t and #require("percuss.help").text("collide") > 100)
-- a worker without memory fails its point
local sweep = pc.sweep { over = { { "x", { 1, 2 } } }, columns = { "y" }, jobs = 1, progress = "none",
    run = function(p) return { y = p.x } end }
assert(#tostring(sweep) + #sweep:describe() > 100 and #sweep:sort("x", "descending"):group("x") == 2)
local fit = pc.fit(pc.table { { "x", { 1, 2 } }, { "y", { 2, 4 } } }, function(p, row) return p.a * row.x end,
    { { "a", 0.5, lo = 0, hi = 9 } }, { columns = "y" })
assert(fit.converged)
-- compliant contacts within a motion: two at once, the stiff method, records that grow
local pressed = pc.simulate(pc.scene{
    pc.free{ shape = "box", width = 0.4, height = 0.2, mass = 2, y = 0.1, vx = 0.1, vy = -0.1 }, pc.floor{ height = 0 },
    contact = pc.contact.kelvin_voigt{ stiffness = 1e6, damping = 1e5, friction = 0.3 }, configuration = "moving",
}, { duration = 0.01 })
assert(pressed:at(0.01).dissipated > 0 and #pressed.impacts == 2)
local disc = pc.free { shape = "disc", radius = 0.1, mass = 1, y = 0.15 }
local bounce = pc.contact.newton { restitution = 0.5, friction = 0 }
local world = pc.scene { disc, pc.floor { height = 0 }, contact = bounce }
local run = pc.simulate(world, { duration = 0.15 })
assert(#run.impacts[1].phases == 1 and run.impacts[1].after.vy > 0)
assert(run:carry { q = { 0, 1, 0 }, u = { 0, 0, 0 } }.q[2] ~= 0)
-- one name for all rounds: those that end in between leave it to the last, which removes it
local name = (os.getenv "TMPDIR" or "/tmp") .. "/percuss-memory"
local saved, message = run:save(name)
local again = saved and pc.load_run(name)
os.remove(name)
assert(again and again.impact_count == run.impact_count, message)
