-- A table tennis ball with drag and spin: where it lands, and what the table does to it.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Table tennis ball with drag and spin",
    source = "drag coefficient 0.4; Magnus force of Rubinow and Keller times 1/2 (their limit is that of slow flow)",
    arguments = { ... },
}

local radius, mass, air = 0.02, 0.0027, 1.2
local quadratic = 0.4*air*math.pi*radius^2/2
local coefficient = 0.5*math.pi*air*radius^3

local function shot(spin, forces)
    local parts = {
        pc.free{
            shape = "disc", radius = radius, mass = mass, inertia = 2/3*mass*radius^2, y = 0.3, vx = 9, vy = 1,
            rate = -spin, name = "ball",
        },
        pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.93, friction = 0.25 },
    }
    for _, force in ipairs(forces) do parts[#parts + 1] = force end
    return pc.simulate(pc.scene(parts), { duration = 1.5, solver = pc.solver.dop853{ rtol = 1e-11 } })
end

local drag = pc.drag{ on = "ball", quadratic = quadratic }
local magnus = pc.magnus{ on = "ball", coefficient = coefficient }

local vacuum = shot(100, {})
local t = (1 + math.sqrt(1 + 2*9.81*(0.3 - radius)))/9.81
study:value("lands in vacuum at", string.format("%.6f", 9*t), vacuum.impacts[1].before["ball.x"], "m")
local rows = {}
for _, spin in ipairs{ 100, 0, -100 } do
    local motion = shot(spin, { drag, magnus })
    local hit = motion.impacts[1]
    rows[spin] = hit
    local name = spin > 0 and "top spin" or spin < 0 and "back spin" or "no spin"
    study:value(name .. ": lands at", nil, hit.before["ball.x"], "m")
    study:value(name .. ": angle of the bounce over that of the landing", nil,
        math.atan(hit.after["ball.vy"], hit.after["ball.vx"])/math.atan(-hit.before["ball.vy"], hit.before["ball.vx"]))
    local last = motion:at(1.5)
    local after = last.energy + last.damped + last.friction + last.lost
    study:value(name .. ": ledger", "0", after - motion:at(0).energy, "J")
    study:value(name .. ": work of the Magnus force", "0", (motion:work "magnus"), "J")
end
local top, none, back = rows[100].before["ball.x"], rows[0].before["ball.x"], rows[-100].before["ball.x"]
study:statement("top spin dips, back spin floats", nil, string.format("%.2f, %.2f, %.2f m", top, none, back),
    top < none and none < back)

local figure = pc.chart.figure{ title = "Table tennis ball", width = 900, height = 450 }
local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m" }
for _, row in ipairs{ { "top spin", 100 }, { "no spin", 0 }, { "back spin", -100 } } do
    local c = shot(row[2], { drag, magnus }):columns(0.002)
    panel:line{ c["ball.x"], c["ball.y"], label = row[1] }
end
local c = vacuum:columns(0.002)
panel:line{ c["ball.x"], c["ball.y"], label = "vacuum" }
study:draw(figure, "table_tennis")
return study:finish()
