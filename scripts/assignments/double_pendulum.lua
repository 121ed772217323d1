-- The double pendulum and the floor: simulation with impacts, its events and its energy.
local pc = require "percuss"
local A = require "percuss.assignment"

local function simulate(d)
    local rig = pc.chain{
        links = { { mass = 1, length = d.length }, { mass = 1, length = d.length } },
        angles = { d.first * pc.deg, d.second * pc.deg },
    }
    local law = pc.contact.poisson{ restitution = d.restitution, friction = d.friction }
    local world = pc.scene{ rig, pc.floor{ depth = 1.8 * d.length }, contact = law }
    return pc.simulate(world, { duration = 2, record = false })
end

-- The pendulum before it is let go, to scale. Links point from their joint along (sin, -cos) of their angle.
local function sketch(d)
    local x, y = { 0 }, { 0 }
    for i, angle in ipairs{ d.first * pc.deg, d.second * pc.deg } do
        x[i + 1], y[i + 1] = x[i] + d.length * math.sin(angle), y[i] - d.length * math.cos(angle)
    end
    local figure = pc.chart.figure{ width = 480, height = 420 }
    local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "y", yunit = "m", equal = true }
    panel:line{ x, y, label = "links" }
    panel:scatter{ x, y, label = "joints and tip" }
    panel:line{ { -0.2 * d.length, 2 * d.length }, { -1.8 * d.length, -1.8 * d.length }, label = "floor" }
    return figure
end

return A.new{
    name = "double_pendulum",
    title = "The double pendulum and the floor",
    text = [[
Two equal rods of 1 kg hang one below the other from a pivot; the tip of the lower one can strike a floor that lies
1.8 lengths below the pivot. They are let go from rest with the angles given. The contact is Poisson's law.

pc.chain{ links = { { mass =, length = }, ... }, angles = { ... } } makes the pendulum, pc.scene{ rig, pc.floor{ depth
= }, contact = law } the scene, and pc.simulate(scene, { duration = 2 }) the motion; run.impacts is the list of
impacts.]],
    data = function(random)
        return {
            length = random:number(0.3, 0.6), first = random:number(50, 80, 2), second = random:number(20, 45, 2),
            restitution = random:number(0.4, 0.7, 2), friction = random:number(0.1, 0.3, 2),
        }
    end,
    units = { length = "m", first = "deg", second = "deg" },
    limits = { seconds = 60 },
    figures = { A.figure{ name = "start", caption = "The pendulum before it is let go, to scale.", draw = sketch } },
    parts = {
        A.number{
            name = "first_time", points = 3, text = "When does the tip strike the floor for the first time?",
            unit = "s", digits = 5, answer = function(d) return simulate(d).impacts[1].time end,
            mistakes = { {
                answer = function(d)
                    local other = {}
                    for name, x in pairs(d) do other[name] = x end
                    other.first, other.second = d.second, d.first
                    local run = simulate(other)
                    return run.impact_count > 0 and run.impacts[1].time or nil
                end,
                message = "the two angles are exchanged", credit = 0.25,
            } },
            hints = { { 2, "pc.chain takes angles in radians, upper link first" } },
        },
        A.number{
            name = "first_loss", points = 3, text = "How much energy does the first impact take away?",
            unit = "J", digits = 4, answer = function(d) return simulate(d).impacts[1].loss end,
        },
        A.chart{
            name = "energy", points = 2, text = "Draw an energy of the pendulum over the time, for the two seconds.",
            x = { unit = "s" }, y = { unit = "J" },
            test = function(panel) return pc.array(panel.series[1].x):max() > 1.9, "it must reach 2 s" end,
        },
        A.words{
            name = "chaos", points = 2, least = 20,
            text = "Change an angle by a thousandth of a degree. Which answers hold, and what of late impacts?",
        },
    },
}
