-- Scenes in which more contacts are closed at once than any list is made for at first.
local pc = require "percuss"

local near = require "within"
local new_name = require "scratch"

local g = 9.81

local function bytes_of(run)
    local name = new_name()
    assert.equal(name, run:save(name))
    local file = assert(io.open(name, "rb"))
    local text = file:read "a"
    file:close()
    return text, name
end

-- A run read back is the one that was saved, and goes on as it does.
local function reads_back(run, more)
    local text, name = bytes_of(run)
    local again = pc.load_run(name)
    assert.equal(text, (bytes_of(again)))
    assert.equal(#run.contacts, #again.contacts)
    assert.equal((bytes_of(run:continue(more))), (bytes_of(again:continue(more))))
end

local function count(run, name)
    local n = 0
    for _, event in ipairs(run.events) do n = n + (event.name == name and 1 or 0) end
    return n
end

-- Boxes in a line on a floor, each a little faster than the one before.
local N, mu, side = 34, 0.3, 0.1
local function speed(i) return 0.3 + 0.01 * i end
local function sliding(law)
    local parts = { pc.floor{ height = 0 }, contact = law }
    for i = 1, N do
        parts[#parts + 1] = pc.free{ shape = "box", width = side, height = side, mass = 1 + i / N, x = i,
            y = side / 2, vx = speed(i) }
    end
    return pc.scene(parts)
end

describe("with many contacts closed at once", function()
    local run = pc.simulate(sliding(pc.contact.newton{ restitution = 0, friction = mu }), { duration = 0.05 })

    it("boxes that slide are slowed by friction, each by itself", function()
        assert.equal(2 * N, #run.contacts)
        local now = run:at(0.05)
        for i = 1, N do
            near(i + speed(i) * 0.05 - mu * g * 0.05 ^ 2 / 2, now.q[3 * i - 2], 1e-11, "box " .. i)
            near(speed(i) - mu * g * 0.05, now.u[3 * i - 2], 1e-11, "box " .. i)
        end
    end)

    it("boxes stop one after another, and rest", function()
        local rest = run:continue(0.5)
        assert.equal(2 * N, count(rest, "stick"))
        assert.equal(1, count(rest, "rest"))
        local now = rest:at(0.5)
        for i = 1, N do near(i + speed(i) ^ 2 / (2 * mu * g), now.q[3 * i - 2], 1e-10, "box " .. i) end
        assert.equal(2 * N, #rest.contacts)
    end)

    it("a run is read back and goes on", function() reads_back(run, 0.02) end)

    it("a displacement is carried through them", function()
        local d = { q = {}, u = {} }
        for i = 1, 3 * N do d.q[i], d.u[i] = i % 3 == 1 and 0.1 * i or 0, i % 3 == 1 and 1 or 0 end
        local got = run:carry(d, 0, 0.05)
        for i = 1, N do
            near(0.1 * (3 * i - 2) + 0.05, got.q[3 * i - 2], 1e-8, "box " .. i)
            near(1, got.u[3 * i - 2], 1e-8, "box " .. i)
        end
    end)

    it("the motion is drawn, and the floor bears them all", function()
        local name = new_name() .. ".svg"
        assert.truthy(run:draw{ time = 0.02, file = name })
        local now, weight, sum = run:at(0.05), 0, 0
        for i = 1, N do weight = weight + (1 + i / N) * g end
        for key, value in pairs(now) do
            if key:find "F_n%d*$" then sum = sum + value end
        end
        near(weight, sum, 1e-9)
    end)

    it("compliant ones hold what lies on them", function()
        local law = pc.contact.linear{ stiffness = 1e5, stiffness_ratio = 1.2, restitution = 0.2,
            friction = 0 }
        local parts = { pc.floor{ height = 0 }, contact = law, configuration = "moving" }
        for i = 1, 70 do
            parts[i + 1] = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.3 * i, y = 0.1 - g / 1e5, rate = i }
        end
        local disc = pc.simulate(pc.scene(parts), { duration = 0.02 })
        assert.equal(70, #disc.contacts)
        local now = disc:at(0.02)
        for i = 1, 70 do
            near(0.1 - g / 1e5, now.q[3 * i - 1], 1e-12, "disc " .. i)
            near(i * 0.02, now.q[3 * i], 1e-9, "disc " .. i)
        end
        reads_back(disc, 0.01)
    end)

    it("discs in a row pass a blow on to the last", function()
        local parts = { contact = pc.contact.newton{ restitution = 1, friction = 0 }, gravity = 0 }
        for i = 1, 80 do
            parts[i] = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.2 * i, y = 0, vx = i == 1 and 1 or 0 }
        end
        local row = pc.simulate(pc.scene(parts), { duration = 0.1 })
        assert.equal(79, #row.impacts)
        local now = row:at(0.1)
        for i = 1, 80 do near(i == 80 and 1 or 0, now.u[3 * i - 2], 1e-12, "disc " .. i) end
    end)

    it("a row is held between walls by what presses it", function()
        local parts = { pc.floor{ height = 0 }, pc.wall{ x = 0.1, side = "right" },
            contact = pc.contact.newton{ restitution = 0, friction = 0 } }
        for i = 1, 36 do
            parts[#parts + 1] = pc.free{ shape = "disc", radius = 0.1, mass = 1, x = 0.2 * i, y = 0.1, vx = -1 }
        end
        local row = pc.simulate(pc.scene(parts), { duration = 0.01 })
        local now = row:at(0.01)
        for i = 1, 36 do
            near(0.2 * i, now.q[3 * i - 2], 1e-12, "disc " .. i)
            near(0, now.u[3 * i - 2], 1e-12, "disc " .. i)
        end
    end)
end)
