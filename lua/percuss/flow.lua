-- The flow of sliding: directions, what happens after slip stops, and the picture of it.
local pc = require "percuss"
local report = require "percuss.report"

local Flow = {}

-- flow(body or W, mu): W is a 3 x 3 mobility (t, n, t2) as percuss.body.matrix takes it.
function Flow.new(body, friction)
    if type(body) == "table" then body = pc.body.matrix{ W = body } end
    return pc.impulse.flow(body, friction)
end

-- What pattern it is, in one line.
function Flow.pattern(self)
    if self.every_direction then return "no swerve: every direction is invariant" end
    local c = self.count
    return string.format("%d invariant directions (%d attracting, %d repelling), %d flow-change directions",
        c.invariant, c.attracting, c.repelling, c.change)
end

-- The text of tostring.
function Flow.text(self)
    local lines = {
        string.format("flow of sliding, friction %g: %s", self.friction, Flow.pattern(self)),
    }
    if #self.invariant > 0 then
        local rows = { { "invariant direction", "[deg]", "along [1/kg]", "across [1/kg]", "", "" } }
        for i, d in ipairs(self.invariant) do
            rows[#rows + 1] = {
                tostring(i), string.format("%.6g", d.angle / pc.deg), string.format("%.6g", d.growth),
                string.format("%.6g", d.turning), d.kind, d.attracting and "attracting" or "repelling",
            }
        end
        lines[#lines + 1] = report.aligned(rows, "  ")
    end
    for _, angle in ipairs(self.change) do
        lines[#lines + 1] = string.format("  the speed changes from falling to rising at %.6g deg", angle / pc.deg)
    end
    local after = self.after_stop
    lines[#lines + 1] = after.sticks and
        string.format("  after slip stops it sticks (friction %g >= %.6g)", self.friction, self.critical_friction) or
        string.format("  after slip stops it starts again at %.6g deg (friction %g < %.6g)", after.angle / pc.deg,
            self.friction, self.critical_friction)
    return table.concat(lines, "\n")
end

-- A ray from the middle at an angle.
local function ray(panel, angle, options)
    panel:line{ { 0, 1.5 * math.cos(angle) }, { 0, 1.5 * math.sin(angle) }, label = options.label,
        colour = options.colour, dash = options.dash, width = options.width }
end

-- The head of an arrow at point k of a curve.
local function arrow(panel, x, y, k, size)
    local dx, dy = x[k + 1] - x[k], y[k + 1] - y[k]
    local length = math.sqrt(dx * dx + dy * dy)
    if length == 0 then return end
    dx, dy = size * dx / length, size * dy / length
    panel:line{
        { x[k] - dx - 0.5 * dy, x[k], x[k] - dx + 0.5 * dy }, { y[k] - dy + 0.5 * dx, y[k], y[k] - dy - 0.5 * dx },
        colour = "grey", dash = "solid", width = 0.8,
    }
end

-- The index at which a curve passes half the radius of the picture inwards or outwards, away from its ends.
local function halfway(x, y, radius)
    for k = 2, #x - 1 do
        local r0, r1 = math.sqrt(x[k - 1] ^ 2 + y[k - 1] ^ 2), math.sqrt(x[k] ^ 2 + y[k] ^ 2)
        if (r0 - radius) * (r1 - radius) <= 0 then return k end
    end
end

-- Add the picture to a figure: trajectories in the plane of tangential velocities, scaled to 1, with the invariant
-- directions (attracting and repelling) and those of flow change. Options: trajectories (how many), title.
function Flow.panel(self, figure, options)
    options = options or {}
    local panel = figure:panel{
        title = options.title, xlabel = "v_t", ylabel = "v_{t2}", xlim = { -1, 1 }, ylim = { -1, 1 }, legend = true,
    }
    local n = options.trajectories or 24
    for i = 1, n do
        -- from a ring, off the axes, where symmetric bodies have their invariant directions
        local angle = 2 * math.pi * (i - 0.5) / n
        local vt, vt2 = 0.75 * math.cos(angle), 0.75 * math.sin(angle)
        local x, y = pc.impulse.trajectory(self.body, self.friction, vt, vt2, 10, 800)
        if #x > 2 then
            panel:line{ x, y, colour = "grey", dash = "solid", width = 0.8 }
            local k = halfway(x, y, 0.6)
            if k then arrow(panel, x, y, k, 0.035) end
        end
    end
    local named = {}
    for _, d in ipairs(self.invariant) do
        local label = d.attracting and "attracting" or "repelling"
        ray(panel, d.angle, {
            label = not named[label] and label .. " invariant direction" or nil, width = 2,
            colour = d.attracting and "blue" or "vermillion", dash = d.attracting and "solid" or "dashed",
        })
        named[label] = true
    end
    for i, angle in ipairs(self.change) do
        ray(panel, angle, { label = i == 1 and "flow change" or nil, colour = "green", dash = "dash_dot", width = 1.5 })
    end
    return panel
end

function Flow.figure(self, request)
    request = request or {}
    local figure = pc.chart.figure{
        title = request.title or string.format("Flow of sliding, μ = %g", self.friction),
        width = request.width or 760, height = request.height or 720,
    }
    Flow.panel(self, figure, { trajectories = request.trajectories })
    return figure
end

function Flow.plot(self, request)
    return require("percuss.plot").deliver(Flow.figure(self, request), request)
end

return Flow
