-- How do I simulate my own equations of motion with impacts and friction?
-- Words: own system generalized coordinates Lagrange mass matrix gap jacobian mechanism unilateral constraint play
-- backlash non-standard dynamics custom.
local pc = require "percuss"

-- a short drawer with play between two rails shifts by y and turns by phi; each of its corners may touch a rail
local m, J, a, b, play = 2, 0.03, 0.05, 0.15, 0.002
local function corner(side, front) -- side: 1 right, -1 left; front: 1, back: -1
    return { function(_, q) return play - side*(q.y + front*a*q.phi) end,
        name = (front > 0 and "front " or "back ") .. (side > 0 and "right" or "left"),
        jacobian = { 0, -side, -side*front*a }, -- slopes of the gap; without it differences are taken
        tangent = { 1, 0, -side*b } } -- how fast the corner runs along the rail
end
local function pulled(offset)
    local drawer = pc.mechanism{
        coordinates = { "x", "y", { "phi", unit = "rad" } }, rates = { 0.8, 0, 0 },
        mass = { m, m, J }, -- the diagonal; or rows, or a function of q
        force = function() return 5, 0, -5*offset end,
        gaps = { corner(1, 1), corner(1, -1), corner(-1, 1), corner(-1, -1) },
    }
    return pc.simulate(pc.scene{ drawer, contact = pc.contact.newton{ restitution = 0.2, friction = 0.25 } },
        { duration = 1 })
end

local run = pulled(0.1)
print(run.impacts[1].contact) --> back right
local s = run:at(1)
print(("pulled 0.1 m beside the middle it goes on at %.2f m/s"):format(s.x_rate))
print(("ledger: %s"):format(math.abs(s.energy + s.lost + s.friction - s.torque - run:at(0).energy) < 1e-9))
--> ledger: true
s = pulled(0.35):at(1)
print(("pulled 0.35 m beside it jams: %s"):format(math.abs(s.x_rate) < 1e-9)) --> pulled 0.35 m beside it jams: true
