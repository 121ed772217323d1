-- A build with Lua and libm alone (make MODE=bare): charts as SVG and text, and for each part that is missing an error
-- that names it and what needs it.
local pc = require "percuss"
local scratch = require "scratch"

local function wave()
    local figure = pc.chart.figure{ title = "wave" }
    local x, y = {}, {}
    for i = 1, 50 do x[i], y[i] = i / 10, math.sin(i / 10) end
    figure:panel{ xlabel = "ω_0 t" }:line{ x, y, label = "sine" }
    return figure
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read "a"
end

-- The text of a failure, whether it is returned or raised.
local function failure(f, ...)
    local ok, result, message = pcall(f, ...)
    if not ok then return tostring(result) end
    assert.is_nil(result)
    return message
end

describe("a build with Lua alone", function()
    it("saves charts as SVG", function()
        local path = scratch ".svg"
        assert.equal(path, wave():save(path))
        local svg = read(path)
        os.remove(path)
        assert.matches("^<%?xml", svg)
        assert.matches(">sine</text>", svg)
        assert.matches("<polyline stroke=\"#0072B2\".-points=", svg)
        assert.matches("</svg>%s*$", svg)
    end)

    it("shows charts as text", function()
        assert.matches("sine", wave():text{})
        assert.matches("\u{2800}?[\u{2801}-\u{28FF}]", wave():text{})
    end)

    it("says what is missing, and for what", function()
        local path, ground = scratch ".png", pc.linspace(0, 1, 3)
        assert.matches("this build of percuss has no PLplot, which PNG", failure(wave().save, wave(), path))
        local film = pc.chart.gif(scratch ".gif")
        assert.matches("has no", failure(film.add, film, wave()))
        assert.matches("this build of percuss has no SQLite, which stores", failure(pc.store.read, scratch ".db"))
        assert.matches("this build of percuss has no processes, which sweeps need", failure(pc.sweep, {
            over = { { "x", ground } }, columns = { "y" }, run = function(p) return { y = p.x } end,
        }))
        assert.matches("this build of percuss has no processes, which sandboxes need", failure(pc.sandbox.open, {}))
        assert.matches("this build of percuss has no cminpack, which fits need", failure(pc.fit,
            pc.table{ { "x", { 0, 1, 2 } }, { "y", { 0, 1, 2 } } }, function(p, row) return p.a * row.x end,
            { { "a", 0.5 } }, { columns = "y" }))
    end)

    it("computes", function()
        local hit = pc.collide(pc.body.sphere{ radius = 5e-3, density = 3850 },
            pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }, { vt = 1, vn = -1 })
        assert.is_true(hit.velocity.n > 0)
    end)
end)
