-- Runs in files: a run read back is the run that was saved.
local pc = require "percuss"

local new_name = require "scratch"

local function bytes_of(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "a"
    file:close()
    return text
end

local function saved(run)
    local name = new_name()
    assert.equal(name, run:save(name))
    return bytes_of(name), name
end

local function write(text)
    local name = new_name()
    local file = assert(io.open(name, "wb"))
    file:write(text)
    file:close()
    return name
end

local function pendulum(o)
    o = o or {}
    local links = {
        { mass = 3.2, length = 0.5, center = 0.25, inertia = 0.0676, damping = o.damping },
        { mass = 3.8, length = 0.6, center = 0.3627, inertia = 0.164, radius = 0.05, reach = 0.65 },
    }
    local rig = pc.chain{
        links = links, angles = pc.array{ -140 * pc.deg, 90 * pc.deg }, rates = { -1.2, 0.5 }, torque = o.torque,
        pivot = o.pivot,
    }
    return pc.scene{ rig, pc.floor{ depth = o.depth or 0.9 },
        contact = o.contact or pc.contact.poisson{ R = 0.9, mu = 0.15 } }
end

-- Scenes with what a scene may have: all parts, laws by pairs, a body at rest, accumulation.
local scenes = {
    pendulum = pendulum,
    ["damped pendulum on a moving pivot"] = function()
        return pendulum{ damping = 0.1, pivot = { amplitude_x = 0.01, frequency = 7 } }
    end,
    ["linear law"] = function()
        return pendulum{ contact = pc.contact.linear{ kn = 1e6, eta = 1.21, mu = 0.15, restitution = 0.8 } }
    end,
    ["three bodies"] = function()
        return pc.scene{
            pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1, vx = 0.3 },
            pc.free{ shape = "disc", radius = 0.2, mass = 2, x = 1, y = 0.5, vx = -1, name = "big" },
            pc.floor{ height = 0 }, pc.wall{ x = 2, side = "left" }, pc.peg{ x = -1, y = 0.2, radius = 0.1 },
            contact = pc.contact.newton{ restitution = 0.3, friction = 0.2 },
            pairs = { { a = "body", b = "big", contact = pc.contact.stronge{ restitution = 0.8, friction = 0.1 } } },
            gravity = 9.8, together = "simultaneous", v_rest = 1e-3,
        }
    end,
    ["block that slides"] = function()
        return pc.scene{
            pc.free{ shape = "box", width = 0.3, height = 0.1, mass = 1, y = 0.05, vx = 2 }, pc.floor{ height = 0 },
            contact = pc.contact.poisson{ restitution = 0.2, friction = 0.3 },
        }
    end,
    ["bodies with materials"] = function()
        local can = pc.body.cylinder{ height = 0.2, radius = 0.1, angle = 0.3, material = pc.material.steel }
        local ball = pc.body.sphere{ radius = 0.1, material = pc.material.custom{ name = "ice", density = 917 } }
        return pc.scene{
            pc.free{ body = can, x = 0.5, y = 1 }, pc.free{ body = ball, y = 1, name = "ball" }, pc.floor{ height = 0 },
            contact = pc.contact.poisson{ restitution = 0.2, friction = 0.3 },
        }
    end,
}

local order = {}
for name in pairs(scenes) do order[#order + 1] = name end
table.sort(order)

describe("a run in a file", function()
    for _, name in ipairs(order) do
        it("answers as the live one and goes on bit by bit: " .. name, function()
            local run = pc.simulate(scenes[name](), { duration = 2, solver = pc.solver.dop853{ rtol = 1e-9 } })
            local text, file = saved(run)
            local again = pc.load_run(file)
            assert.same(run.impacts, again.impacts)
            assert.same(run.events, again.events)
            assert.same(run.contacts, again.contacts)
            assert.same(run.statistics, again.statistics)
            assert.same(run:at(1.3), again:at(1.3))
            local a, b = run:columns(0.01), again:columns(0.01)
            assert.same(a.names, b.names)
            for _, column in ipairs(a.names) do
                for i = 1, #a.t do assert.equal(a[column][i], b[column][i]) end
            end
            assert.equal(tostring(run), tostring(again))
            assert.equal(text, (saved(again)))
            run:continue(1.5)
            again:continue(1.5)
            assert.equal(saved(run), saved(again))
        end)
    end

    it("is the same to the last byte for equal runs, and another for another", function()
        local function make(duration) return (saved(pc.simulate(pendulum(), { duration = duration }))) end
        assert.equal(make(1.6), make(1.6))
        assert.not_equal(make(1.6), make(1.7))
    end)

    it("does not follow what happens to the tables a scene was made from", function()
        local angles = pc.array{ 0.5 }
        local options = { links = { { mass = 1, length = 1 } }, angles = angles }
        local world = pc.scene{ pc.chain(options), gravity = 9 }
        angles[1] = 2
        options.links[1].mass = 7
        local _, file = saved(pc.simulate(world, { duration = 0.5 }))
        local again = pc.load_run(file)
        assert.equal(1, again.scene.parts[1].links[1].mass)
        assert.equal(0.5, again.scene.parts[1].angles[1])
    end)

    it("keeps every planar law", function()
        local given = { mu = 0.3, restitution = 0.6 }
        local tried = 0
        for _, entry in ipairs(pc.register()) do
            local name = entry.path:match "^contact%.([%w_]+)$"
            local ok, law = pcall(function() return pc.contact[name]{ friction = given.mu, restitution = 0.6 } end)
            if name and ok and law.abilities.planar then
                local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.3, vx = 0.5 }
                local run = pc.simulate(pc.scene{ ball, pc.floor{ height = 0 }, contact = law }, { duration = 0.3 })
                local _, file = saved(run)
                assert.same(run:continue(0.3).impacts, pc.load_run(file):continue(0.3).impacts)
                tried = tried + 1
            end
        end
        assert.is_true(tried >= 3, "only " .. tried .. " laws were tried")
    end)

    it("needs the scene again where that has functions, and then goes on with them", function()
        local function torque(t) return 0.3 * math.sin(5 * t) end
        local world = pendulum{ torque = torque }
        local run = pc.simulate(world, { duration = 2 })
        local _, file = saved(run)
        local ok, message = pcall(pc.load_run, file)
        assert.is_false(ok)
        assert.matches("has a function of Lua %(%[1%]%.torque%).*give the scene again", message)
        local again = pc.load_run(file, { scene = world })
        assert.same(run:at(1.7), again:at(1.7))
        assert.equal(saved(run:continue(1)), saved(again:continue(1)))
    end)

    it("is not read into another scene", function()
        local _, file = saved(pc.simulate(pendulum{ torque = function() return 0 end }, { duration = 1 }))
        local other = pendulum{ torque = function() return 0 end, depth = 0.91 }
        assert.error_matches(function() pc.load_run(file, { scene = other }) end, "another scene: %[2%]%.depth differs")
        local law = pc.contact.poisson{ R = 0.8, mu = 0.15 }
        other = pendulum{ torque = function() return 0 end, contact = law }
        assert.error_matches(function() pc.load_run(file, { scene = other }) end,
            "another scene: contact%.restitution differs")
        assert.error_matches(function() pc.load_run(file, { scene = 3 }) end, "scene must be a scene, not a number")
    end)

    it("goes on with events only when their functions are given again", function()
        local events = { { function(_, q) return q[1] end, name = "hangs", direction = 1 } }
        local run = pc.simulate(pendulum(), { duration = 2, events = events })
        local _, file = saved(run)
        local again = pc.load_run(file)
        assert.same(run.events, again.events)
        assert.error_matches(function() again:continue(1) end, "cannot hold the functions of its events")
        again = pc.load_run(file, { events = events })
        assert.equal(saved(run:continue(1)), saved(again:continue(1)))
        local other = { { function(_, q) return q[1] end, name = "hangs" } }
        assert.error_matches(function() pc.load_run(file, { events = other }) end, "events%[1%]%.direction differs")
    end)

    it("keeps runs that were not recorded", function()
        local run = pc.simulate(pendulum(), { duration = 2, record = false })
        local _, file = saved(run)
        local again = pc.load_run(file)
        assert.error_matches(function() again:at(1) end, "not recorded")
        assert.equal(saved(run:continue(1)), saved(again:continue(1)))
    end)

    it("with compliant contacts closed goes on bit by bit, and tells the same", function()
        local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 }
        local run = pc.simulate(pc.scene{
            pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1, vx = 1, vy = -1 },
            pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 1, y = 0.1 }, pc.floor{ height = 0 },
            contact = law, configuration = "moving" }, { duration = 0.31, contact_solver = pc.solver.rodas5p{} })
        assert.is_true(#run.contacts > 0)
        local _, file = saved(run)
        local again = pc.load_run(file)
        for _, t in ipairs{ 0.003, 0.2, 0.31 } do assert.same(run:at(t), again:at(t)) end
        for i, hit in ipairs(run.impacts) do
            local other = again.impacts[i]
            assert.same({ hit.stop, hit.peak, hit.work, hit.phases }, { other.stop, other.peak, other.work,
                other.phases })
        end
        assert.equal(saved(run:continue(0.5)), saved(again:continue(0.5)))
    end)

    it("of another kind, version or length is refused with its name", function()
        local text = saved(pc.simulate(pendulum(), { duration = 1 }))
        local function load(bytes) return function() pc.load_run(write(bytes)) end end
        assert.error_matches(load "", "is no saved run")
        assert.error_matches(load "x,y\n1,2\n", "is no saved run")
        assert.error_matches(load(text:sub(1, -2)), "cut short or damaged")
        assert.error_matches(load(text:sub(1, 20)), "cut short or damaged")
        assert.error_matches(load(text .. " "), "cut short or damaged")
        assert.error_matches(load(text:sub(1, 16) .. "\1" .. text:sub(18)),
            "version 1 of the format; this is version 24")
        assert.error_matches(load(text:gsub("\r\n", "\n", 1)), "is no saved run")
        assert.error_matches(function() pc.load_run("x", { scen = 1 }) end, "did you mean 'scene'")
    end)

    it("with a count that overflows where it is multiplied is refused", function()
        local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, friction = 0.3, restitution = 0.8 }
        local run = pc.simulate(pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 0.1, vy = -1 },
            pc.floor{ height = 0 }, contact = law, configuration = "moving" }, { duration = 0.001 })
        assert.equal(1, #run.contacts)
        local text = saved(run)
        local scene = string.unpack("<i8", text, 25)
        local settings = string.unpack("<i8", text, 33 + scene)
        -- after three sizes of the scene and 30 values: no rigid contact, and one that is compliant
        local at = 41 + scene + settings + 8 * (3 + 30 + 1)
        assert.equal(1, (string.unpack("<i8", text, at)))
        local function forged(count)
            local bytes = text:sub(1, at - 1) .. string.pack("<i8", count) .. text:sub(at + 8, -9)
            local sum = 0xcbf29ce484222325
            for i = 1, #bytes do sum = (sum ~ bytes:byte(i)) * 0x100000001b3 end
            return write(bytes .. string.pack("<i8", sum))
        end
        assert.equal(1, #pc.load_run(forged(1)).contacts)
        for _, count in ipairs{ 715827883, 1431655766, 2147483647, 2, 64, 65, -1, -2147483648, 1 << 32 | 1, 1 << 62 } do
            assert.error_matches(function() pc.load_run(forged(count)) end, "is cut short or damaged", nil, false)
        end
    end)

    it("that cannot be opened or written is a nil with a message", function()
        local run = pc.simulate(pendulum(), { duration = 1 })
        local none, message, code = run:save "/nowhere/run"
        assert.is_nil(none)
        assert.matches("cannot write '/nowhere/run'", message)
        assert.equal("system", code)
        none, message, code = pc.load_run "/nowhere/run"
        assert.is_nil(none)
        assert.matches("cannot read '/nowhere/run'", message)
        assert.equal("system", code)
        assert.matches("no plain file", select(2, pc.load_run "/"))
    end)
end)
