-- Towers of equal boxes under configuration = "moving": flush, or moved by next to nothing.
local pc = require "percuss"
local assert = require "luassert"
local towers = {}

local side, mass = 0.1, 1
local k = 1e6

towers.laws = {
    linear = pc.contact.linear{ stiffness = k, stiffness_ratio = 1.2, friction = 0.5 },
    smooth = pc.contact.linear{ stiffness = k, stiffness_ratio = 1.2, friction = 0 },
    kelvin_voigt = pc.contact.kelvin_voigt{ stiffness = k, damping = 50, friction = 0.5 },
    hunt_crossley = pc.contact.hunt_crossley{ stiffness = 10 * k, damping = 0.3, friction = 0.5 },
    hertz = pc.contact.hertz_mindlin{ young = 1e9, poisson = 0.3, radius = 0.01, friction = 0.5 },
}

-- A law that leaves an indentation behind.
towers.plastic = {
    walton_braun = pc.contact.walton_braun{ stiffness = k, unloading = 2 * k, friction = 0.5 },
}

-- What a tower swings by is up to some times its static indentation, since all of it falls together: the weight above
-- a contact on two springs of at least 1e6 N/m is 5e-6 m for each box, and with F = K u^(3/2), K = 1e7 N/m^(3/2) or
-- more, 6e-5 m. What walton_braun leaves indented adds up over the bounces, also where boxes are not flush. One that
-- falls through is 5 cm deep after 0.1 s.
local SWING, LINEAR, CURVED, PLASTIC = 8, 5e-6, 6e-5, 6e-5
local curved = { hunt_crossley = true, hertz = true }

local function deepest(name, n)
    if name == "walton_braun" then return SWING * PLASTIC * n end
    return SWING * (curved[name] and CURVED * n^(2 / 3) or LINEAR * n)
end

function towers.stand(name, n, off, base, duration)
    local parts = { base or pc.floor{ height = 0 }, contact = towers.laws[name] or towers.plastic[name],
        configuration = "moving" }
    for i = 1, n do
        parts[i + 1] = pc.free{ shape = "box", width = side, height = side, mass = mass, x = (i - 1) * off,
            y = (i - 0.5) * side, name = "b" .. i }
    end
    local run = pc.simulate(pc.scene(parts), { duration = duration or 0.3 })
    local what = ("%s, %d boxes, moved by %g m"):format(name, n, off)
    assert.equal("end", run.stop, what)
    local s, below = run:at(duration or 0.3), -side / 2
    for i = 1, n do
        local y = s["b" .. i .. ".y"]
        local u = below + side - y
        assert.is_true(math.abs(u) < deepest(name, n - i + 1), ("%s: box %d is %g m deep"):format(what, i, u))
        below = y
    end
    return run
end

return towers
