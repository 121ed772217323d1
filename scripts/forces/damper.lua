-- A ball on a plate that shakes at resonance: each impact takes some of the swing. The plate hangs on two springs and
-- is driven by a harmonic force.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Vibro-impact damper", source = "Masri and Caughey (1966), the impact damper; here open at the top",
    arguments = { ... },
}

local mass, stiffness, damping, force = 1, 400, 1, 4
local omega = math.sqrt(stiffness/mass)

-- Swing of the plate about where it hangs, over the last ten of sixty periods.
local function run(ball, restitution)
    local parts = {
        pc.free{ shape = "box", width = 0.4, height = 0.02, mass = mass, y = 0, name = "plate" },
        pc.drag{ on = "plate", linear = damping },
        pc.force{ on = "plate", fy = force, frequency = omega, name = "shaker" },
        contact = pc.contact.newton{ restitution = restitution, friction = 0 },
    }
    for _, x in ipairs{ -0.2, 0.2 } do
        -- so that they carry the plate at y = 0
        local stretch = mass*9.81/stiffness
        parts[#parts + 1] = pc.spring{
            a = "plate", a_at = { x, 0 }, b_at = { x, 1 }, stiffness = stiffness/2, rest_length = 1 - stretch,
        }
    end
    if ball > 0 then
        parts[#parts + 1] = pc.free{ shape = "disc", radius = 0.02, mass = ball, y = 0.031, name = "ball" }
    end
    local period = 2*math.pi/omega
    local motion = pc.simulate(pc.scene(parts), { duration = 60*period })
    local c = motion:columns(pc.linspace(50*period, 60*period, 1000))
    return (c["plate.y"]:max() - c["plate.y"]:min())/2, motion
end

local alone, motion = run(0, 0.5)
study:value("swing without a ball", string.format("%.3f", force/(damping*omega)), alone, "m")
local s, start = motion:at(motion.time), motion:at(0)
study:value("ledger without a ball", "0", s.energy + s.damped - s.torque - start.energy, "J")
study:value("work of the shaker", nil, (motion:work "shaker"), "J")

local masses, swings = {}, {}
for _, share in ipairs{ 0.02, 0.05, 0.1, 0.2 } do
    local swing, with = run(share*mass, 0.5)
    masses[#masses + 1], swings[#swings + 1] = share, swing/alone
    study:value(string.format("swing with a ball of %g of the mass, over that without", share), nil, swing/alone)
    local last = with:at(with.time)
    study:value(string.format("ledger with it (%g)", share), "0",
        last.energy + last.damped + last.lost - last.torque - with:at(0).energy, "J")
end
study:statement("a heavier ball damps more", nil, string.format("%.2f to %.2f", swings[1], swings[#swings]),
    swings[#swings] < swings[1] and swings[1] < 1)

local figure = pc.chart.figure{ title = "Swing of the plate over that without a ball", width = 700, height = 400 }
figure:panel{ xlabel = "mass of the ball over that of the plate", ylabel = "swing" }:line{ masses, swings }
study:draw(figure, "damper")
return study:finish()
