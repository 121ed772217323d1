-- The picture of a contact law: of a compliant one its normal force over the indentation, and the tangential force over
-- time, of an oblique impact; of a rigid one its way through the impulse plane, and its restitution over the speed.
local pc = require "percuss"

local law_figure = {}

local STEEL = { young = 2.1e11, poisson = 0.3, radius = 0.01, friction = 0.3 }

local function of_steel(more)
    local options = {}
    for key, value in pairs(STEEL) do options[key] = value end
    for key, value in pairs(more or {}) do options[key] = value end
    return options
end

-- What stands for each law in its picture.
local OPTIONS = {
    linear = { stiffness = 1e7, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 },
    sledge3d = { stiffness = 1e7, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 },
    coupled = of_steel(), maw = of_steel(), hertz_mindlin = of_steel(),
    hunt_crossley = { stiffness = 1e10, damping = 0.3, friction = 0.3 },
    lankarani_nikravesh = { stiffness = 1e10, restitution = 0.7, friction = 0.3 },
    tsuji = of_steel{ damping = 0.2 }, viscoelastic = of_steel{ dissipation = 2e-6 },
    dmt = { modulus = 1e9, radius = 1e-4, work_of_adhesion = 2, friction = 0.3 },
    jkr = { modulus = 1e9, radius = 1e-4, work_of_adhesion = 8, friction = 0.3 },
    impact_function = { stiffness = 1e8, damping = 60, depth = 1e-4, friction = 0.3 },
    kelvin_voigt = { stiffness = 1e7, damping_ratio = 0.2, friction = 0.3 },
    walton_braun = { stiffness = 1e7, restitution = 0.7, friction = 0.3 },
    thornton = of_steel{ yield = 2e9 },
    newton = { restitution = 0.6, friction = 0.3 }, poisson = { restitution = 0.6, friction = 0.3 },
    stronge = { restitution = 0.6, friction = 0.3 },
    hard_sphere = { restitution = 0.6, friction = 0.3, tangential_restitution = 0.4 },
    brach = { restitution = 0.6, impulse_ratio = -0.2 }, smith = { restitution = 0.6, friction = 0.3 },
    whittaker = { restitution = 0.6, friction = 0.3 }, kane_levinson = { restitution = 0.6, friction = 0.3 },
}

local function size(law)
    return law.abilities.adhesive and 1e-8 or 0.03
end

-- F_n over u at three speeds, and F_t of one oblique impact.
local function forces(law, options)
    local figure = pc.chart.figure{
        title = "contact." .. law.name, columns = 2, width = options.width or 800, height = options.height or 320,
    }
    local ball = pc.body.sphere{ radius = 0.01, mass = size(law) }
    local normal = figure:panel{ title = "central impacts", xlabel = "u", xunit = "μm", ylabel = "F_n", yunit = "N" }
    for _, speed in ipairs{ 0.5, 1, 2 } do
        local history = pc.collide(ball, law, { vt = 0, vn = -speed }):trace(200)
        normal:line{ history.u_n*1e6, history.F_n, label = speed .. " m/s" }
    end
    local hit = pc.collide(ball, law, { vt = 0.5, vn = -1 })
    local history = hit:trace(300)
    local oblique = figure:panel{ title = "oblique: v_t = 0.5, v_n = -1 m/s", xlabel = "t", xunit = "μs", ylabel = "F",
        yunit = "N" }
    oblique:line{ history.t*1e6, history.F_n*law.friction, label = "μ F_n" }
    oblique:line{ history.t*1e6, history.F_t, label = "F_t" }
    return figure
end

-- law, or the name of one: the figure.
function law_figure.figure(law, options)
    options = options or {}
    if type(law) == "string" then law = pc.contact[law](OPTIONS[law]) end
    if law.abilities.compliant then return forces(law, options) end
    local rod = pc.body.rod{ length = 1, mass = 1, angle = 0.6 }
    local hit, title = pc.collide(rod, law, { vt = 0.4, vn = -1 }), "contact." .. law.name .. " on an oblique rod"
    local plane = require "percuss.impulse_plane"
    if pc.type(law.restitution) ~= "restitution" then
        return plane.draw({ hit }, { title = title, width = options.width or 480, height = options.height or 400 })
    end
    local figure = pc.chart.figure{
        title = title, columns = 2, width = options.width or 800, height = options.height or 360,
    }
    plane.panel(figure, { hit }, { termination = true, title = "v_n = -1 m/s" })
    local speeds = pc.linspace(0, 5, 251)
    figure:panel{ title = "restitution", xlabel = "v", xunit = "m/s", ylabel = "e", ylim = { 0, 1 } }
        :line{ speeds, law.restitution(speeds) }
    return figure
end

-- Whether there is a picture of the law of that name; and all such names.
function law_figure.has(name) return OPTIONS[name] ~= nil end

function law_figure.names()
    local names = {}
    for name in pairs(OPTIONS) do names[#names + 1] = name end
    table.sort(names)
    return names
end

-- law:plot(options): inline or into a file.
function law_figure.plot(law, options)
    return require("percuss.plot").deliver(law_figure.figure(law, options), options)
end

return law_figure
