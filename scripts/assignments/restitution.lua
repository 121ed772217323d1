-- Which restitution: kinematic, kinetic and energetic coefficients agree without friction and only then.
local pc = require "percuss"
local A = require "percuss.assignment"

local laws = { kinematic = pc.contact.newton, kinetic = pc.contact.poisson, energetic = pc.contact.stronge }

local function strike(d, kind)
    local rod = pc.body.rod{ mass = d.mass, length = d.length, angle = d.angle * pc.deg }
    local law = laws[kind]{ restitution = d.restitution, friction = d.friction }
    return pc.collide(rod, law, { v = { d.slide, -d.fall }, omega = 0 })
end

local function gain(kind)
    return function(d) return strike(d, kind).loss end
end

-- The rod at the impact, to scale; the line of the velocity of its centre has no scale. The end that strikes lies ahead
-- of the centre, which pc.body.rod has at a positive angle.
local function sketch(d)
    local angle, half = d.angle * pc.deg, d.length / 2
    local x, y = -half * math.sin(angle), half * math.cos(angle)
    local scale = 0.5 * half / math.sqrt(d.slide ^ 2 + d.fall ^ 2)
    local figure = pc.chart.figure{ width = 480, height = 420 }
    local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m", equal = true }
    panel:line{ { 0, 2 * x }, { 0, 2 * y }, label = "rod" }
    panel:line{ { x, x + d.slide * scale }, { y, y - d.fall * scale }, label = "velocity" }
    panel:line{ { -2 * half, half }, { 0, 0 }, label = "floor" }
    return figure
end

return A.new{
    name = "restitution",
    title = "Which restitution?",
    text = [[
A slender rod falls, inclined and without rotation, on a rough floor. The restitution was measured on central impacts,
where it means one thing; here Newton (ratio of velocities), Poisson (ratio of impulses) and Stronge (root of the
ratio of works) make three different laws of it: pc.contact.newton, .poisson and .stronge with the same number.

The rod is pc.body.rod{ mass =, length =, angle = } and the motion { v = { slide, -fall }, omega = 0 }.]],
    data = function(random)
        return {
            mass = random:number(0.2, 1), length = random:number(0.2, 0.6), angle = random:number(25, 40, 2),
            restitution = random:number(0.4, 0.7, 2), friction = random:number(0.2, 0.5, 2),
            fall = random:number(1, 3), slide = random:number(0.5, 1.5),
        }
    end,
    units = { mass = "kg", length = "m", angle = "deg", fall = "m/s", slide = "m/s" },
    figures = { A.figure{ name = "impact", caption = "The rod as it strikes the floor.", draw = sketch } },
    parts = {
        A.number{
            name = "kinematic", points = 2, text = "What energy does the impact take away with Newton's law?",
            unit = "J", digits = 4, answer = gain "kinematic",
            mistakes = {
                { answer = gain "kinetic", credit = 0.25, message = "this belongs to Poisson's law" },
                { answer = gain "energetic", credit = 0.25, message = "this belongs to Stronge's law" },
            },
        },
        A.number{
            name = "kinetic", points = 2, text = "And with Poisson's law?",
            unit = "J", digits = 4, answer = gain "kinetic",
            mistakes = { { answer = gain "kinematic", credit = 0.25, message = "this belongs to Newton's law" } },
        },
        A.number{
            name = "energetic", points = 2, text = "And with Stronge's law?",
            unit = "J", digits = 4, answer = gain "energetic",
            mistakes = { { answer = gain "kinematic", credit = 0.25, message = "this belongs to Newton's law" } },
        },
        A.number{
            name = "spin", points = 2,
            text = "With what angular velocity does the rod leave the floor, by Stronge's law?",
            unit = "rad/s", digits = 3, answer = function(d) return strike(d, "energetic").body.omega end,
            hints = { { 2, "the result of pc.collide has the field body, with omega" } },
        },
        A.words{
            name = "judge", points = 2, least = 30,
            text = "Which of the three can create energy, and what would have to happen in the contact for that?",
        },
    },
}
