-- A driven pendulum that strikes a wall: rates of impact over the frequency of its pivot, and the largest exponent.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Bifurcations of a driven impact pendulum", source = "Shaw and Holmes, J. Sound Vib. 90 (1983)",
    arguments = { ... },
}

local amplitude = 0.06
local function scene(frequency)
    local rig = pc.chain{
        links = { { mass = 1, length = 0.5, center = 0.4, inertia = 0.01, radius = 0.03, damping = 0.02 } },
        angles = { 0.1 }, pivot = { amplitude_x = amplitude, frequency = frequency },
    }
    local wall = pc.wall{ x = -0.1, side = "right" }
    return pc.scene{ rig, wall, contact = pc.contact.poisson{ restitution = 0.7, friction = 0 } }
end

-- Speeds of approach over forty periods after sixty that are left out.
local points = 260
local diagram = pc.bifurcation{
    over = { "frequency", pc.linspace(9.9, 12, points), unit = "rad/s" },
    run = function(w) return pc.simulate(scene(w), { duration = 100 * 2 * math.pi / w, record = false }) end,
    sample = function(run)
        local list, from = {}, 0.6 * run.time
        for _, hit in ipairs(run.impacts) do
            if hit.time > from then list[#list + 1] = -hit.velocity_before.n end
        end
        return list
    end,
}
study:value("impacts in the diagram", nil, #diagram)

-- Regular and irregular motion tell themselves by the exponent.
for _, w in ipairs{ 10, 10.6, 11.6 } do
    local ok, result = pcall(pc.lyapunov, scene(w), {
        duration = 60, settle = 60 * 2 * math.pi / w, interval = 2 * math.pi / w,
    })
    study:statement(string.format("largest exponent at %g rad/s", w), nil,
        ok and string.format("%.3f 1/s", result.exponent) or "not defined: impacts accumulate or graze", "not printed")
end

local figure = pc.chart.figure{ title = "Driven pendulum and wall, amplitude 0.06 m, R = 0.7", width = 1000,
    height = 600 }
local panel = figure:panel{ xlabel = "frequency [rad/s]", ylabel = "speed of approach [m/s]" }
panel:scatter{ diagram.frequency, diagram.sample, width = 0.4 }
study:draw(figure, "bifurcation")
return study:finish()
