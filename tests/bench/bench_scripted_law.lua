-- What a contact law costs that is a function in Lua, over the same one in C: an impact at a frozen configuration, and
-- a motion with impacts. Minima of repeats; both sides run in turns in the same process.
local pc = require "percuss"

local function define(name, parameters, force)
    return pc.contact.define { name = name, doc = "For timing.", parameters = parameters, force = force }
end

local spring_and_dashpot = { { "stiffness", symbol = "k", above = 0 }, { "damping", symbol = "c", least = 0 } }
local laws = {
    { "hunt_crossley", pc.contact.hunt_crossley { stiffness = 1e9, damping = 0.2, friction = 0.3 },
      define("bench_hunt_crossley", spring_and_dashpot,
          function(p, u, w) return p.k*u^1.5*(1 + p.c*w) end) { stiffness = 1e9, damping = 0.2, friction = 0.3 } },
    { "hertz", pc.contact.hunt_crossley { stiffness = 1e9, damping = 0, friction = 0.3 },
      define("bench_hertz", { { "stiffness", symbol = "k", above = 0 } },
          function(p, u) return p.k*u^1.5 end) { stiffness = 1e9, friction = 0.3 } },
    { "kelvin_voigt", pc.contact.kelvin_voigt { stiffness = 1e6, damping = 20, friction = 0.3 },
      define("bench_kelvin_voigt", spring_and_dashpot,
          function(p, u, w) return p.k*u + p.c*w end) { stiffness = 1e6, damping = 20, friction = 0.3 } },
}

-- Seconds of one call, in turns.
local function both(repeats, calls, f, g)
    local least = { math.huge, math.huge }
    for _ = 1, repeats do
        for side, run in ipairs { f, g } do
            collectgarbage()
            local start = os.clock()
            for _ = 1, calls do run() end
            least[side] = math.min(least[side], (os.clock() - start) / calls)
        end
    end
    return least[1], least[2]
end

local ball = pc.body.sphere { radius = 0.01, mass = 0.03 }
local rod = pc.body.rod { length = 0.3, mass = 0.1, angle = 0.6 }
local cases = {
    { "central impact of a sphere", function(law) return pc.collide(ball, law, { vt = 0, vn = -1 }) end, 300 },
    { "oblique impact of a sphere", function(law) return pc.collide(ball, law, { vt = 1, vn = -1 }) end, 300 },
    { "oblique impact of a rod", function(law) return pc.collide(rod, law, { vt = 0.2, vn = -1 }) end, 300 },
    { "the same, while it moves", function(law)
        return pc.collide(rod, law, { vt = 0.2, vn = -1 }, { configuration = "moving" })
    end, 50 },
}
for _, configuration in ipairs { "frozen", "moving" } do
    cases[#cases + 1] = { "motion, " .. configuration .. " impacts", function(law)
        local world = pc.scene { pc.free { shape = "disc", radius = 0.01, mass = 0.03, x = 0, y = 0.02, vx = 0.5 },
                                 pc.floor { height = 0 }, contact = law, configuration = configuration }
        return pc.simulate(world, { duration = 0.2 })
    end, 5 }
end

for _, case in ipairs(cases) do
    for _, law in ipairs(laws) do
        local in_c, in_lua = both(7, case[3], function() case[2](law[2]) end, function() case[2](law[3]) end)
        local line = "%-30s %-14s %8.2f us in C, %8.2f us in Lua: %5.2f times"
        print(line:format(case[1], law[1], in_c*1e6, in_lua*1e6, in_lua/in_c))
    end
end
