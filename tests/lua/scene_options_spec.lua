-- Options of scenes and of their parts: every row is read or refused, and can be read back; names; laws by pairs.
local pc = require "percuss"
local scratch = require "scratch"
local near = require "within"

local function refusal(f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok)
    return type(message) == "table" and message.message or message
end

local law = pc.contact.newton{ restitution = 0.5, friction = 0.2 }
local floor = pc.floor{ height = 0 }

local function ball(options)
    local shape = { shape = "disc", radius = 0.1, mass = 1, y = 1 }
    for key, value in pairs(options or {}) do shape[key] = value end
    return pc.free(shape)
end

-- ---- rows ----

-- What has rows: how it is made with one option more than it needs (the symbol of `word` if that is given), and how an
-- option is read back.
local function make_free(kind, sizes)
    return function(option, value, word)
        local body = { shape = kind, mass = 1 }
        for key, size in pairs(sizes) do body[key] = size end
        if word then body[word] = nil end
        if option then body[option] = value end
        return pc.free(body)
    end
end

local function make_plain(constructor, needed)
    return function(option, value)
        local options = {}
        for key, size in pairs(needed) do options[key] = size end
        if option then options[option] = value end
        return pc[constructor](options)
    end
end

local function make_scene(option, value)
    local soft = pc.contact.kelvin_voigt{ stiffness = 1e5, damping = 1, friction = 0 }
    local parts = { ball(), floor, contact = value == "moving" and soft or law }
    if option then parts[option] = value end
    return pc.scene(parts)
end

local function make_link(option, value, word)
    local link = { mass = 1, length = 1, torque = 1 }
    if word then link[word] = nil end
    if option then link[option] = value end
    return pc.chain{ links = { pc.link(link) }, touch = "links" }
end

local function make_run(option, value)
    local options = { duration = 0.1 }
    if option then options[option] = value end
    return pc.simulate(pc.scene{ ball(), floor, contact = law }, options)
end

local function read_run(run, name)
    if name == "duration" then return run.time - run.start end
    return run[name]
end

local owners = {
    { path = "simulate", make = make_run, read = read_run, rows = {
        { name = "duration", type = "number", unit = "s", allowed = ">= 0 s" },
        { name = "start", type = "number", unit = "s", allowed = "any finite number of s" },
        { name = "max_impacts", type = "integer", values = { 1, 7, 2000000000 }, others = { 0, -1, 1.5, 2000000001 } },
        { name = "record", type = "boolean", values = { true, false }, others = { 1, "yes" } },
    } },
    { path = "scene", make = make_scene },
    { path = "link", make = make_link, read = function(chain, name) return chain.links[1][name] end },
    { path = "free", make = make_free("disc", { radius = 1 }), of = "disc" },
    { path = "free", make = make_free("box", { width = 1, height = 1 }), of = "box" },
    { path = "free", make = make_free("capsule", { length = 1, radius = 1 }), of = "capsule" },
    { path = "free", make = make_free("sphere", { radius = 1 }), of = "sphere" },
    { path = "peg", make = make_plain("peg", { x = 0, y = 0 }) },
    { path = "block", make = make_plain("block", { x = 0, y = 0, width = 1, height = 1 }) },
    { path = "bar", make = make_plain("bar", { x = 0, y = 0, x2 = 5, y2 = 5 }) },
    -- the normal that is read back has the length 1
    { path = "plane", make = make_plain("plane", { nx = 0, ny = 1 }), of = "plane" },
    { path = "wall", make = make_plain("wall", { x = 0, side = "left" }) },
}
-- rows that do not belong to it
local others = {
    disc = { length = true, width = true, height = true }, box = { radius = true, length = true },
    sphere = { length = true, width = true, height = true },
    capsule = { width = true, height = true }, plane = { nx = true, ny = true },
}

local function rows_of(path)
    for _, entry in ipairs(pc.register()) do
        if entry.path == path and entry.rows then return entry.rows end
    end
end

-- A value that a row allows, and values that it does not, by what it says of itself.
local function samples(row)
    local least = row.allowed:match "^>=? (%S+)"
    if row.allowed:find "^any" then return { math.random() * 20 - 10, 0, -1e-9 }, { 0 / 0, 1 / 0, -1 / 0 } end
    local strict = row.allowed:find "^> " ~= nil
    least = assert(tonumber(least), row.allowed)
    local inside, outside = { least + 10 * math.random(), least + 1e-9 }, { least - 1e-9, least - 1, 0 / 0, 1 / 0 }
    table.insert(strict and outside or inside, least)
    return inside, outside
end

describe("every row", function()
    for _, owner in ipairs(owners) do
        local title = owner.path .. (owner.of and ", " .. owner.of or "")
        local rows = owner.rows or rows_of(owner.path)
        local read = owner.read or function(object, name) return object[name] end

        it("of " .. title .. " is read, and read back, where it allows it", function()
            math.randomseed(#title)
            for _, row in ipairs(rows) do
                local values = row.choices or row.values or {}
                if row.type == "number" then values = samples(row) end
                if row.name == "shape" then values = {} end
                if row.name == "name" then values = { "b", "twenty bytes, no mor" } end
                for _, value in ipairs(values) do
                    if not (others[owner.of] or {})[row.name] then
                        local object = owner.make(row.name, value)
                        assert.equal(value, read(object, row.name), title .. ": " .. row.name)
                        if row.symbol then
                            assert.equal(value, read(owner.make(row.symbol, value, row.name), row.name),
                                title .. ": " .. row.symbol)
                        end
                    end
                end
            end
        end)

        it("of " .. title .. " refuses what it does not allow, by name, value and unit", function()
            local tried = 0
            for _, row in ipairs(rows) do
                if row.type == "number" and not (others[owner.of] or {})[row.name] then
                    for _, value in ipairs((select(2, samples(row)))) do
                        local message = refusal(owner.make, row.name, value)
                        assert.truthy(message:find(row.name, 1, true), message)
                        assert.truthy(message:find(row.unit, 1, true), message)
                        local shown = ("%.6g"):format(value):gsub("^-nan$", "nan")
                        assert.truthy(message:find(shown, 1, true) or value ~= value and message:find "nan", message)
                        tried = tried + 1
                    end
                    assert.truthy(refusal(owner.make, row.name, "x"):find "must be a number")
                elseif row.others then
                    for _, value in ipairs(row.others) do
                        assert.truthy(refusal(owner.make, row.name, value):find("simulate: " .. row.name, 1, true))
                    end
                elseif row.choices then
                    assert.truthy(refusal(owner.make, row.name, "qqq"):find(row.choices[1], 1, true))
                elseif row.name == "name" then
                    for _, name in ipairs{ "", "one byte more than it" } do
                        assert.truthy(refusal(owner.make, "name", name):find("from 1 to 20 bytes", 1, true))
                    end
                end
            end
            assert.is_true(tried > 0)
        end)

        it("of " .. title .. " is named when it is misspelt", function()
            for _, row in ipairs(rows) do
                if #row.name > 3 then
                    local wrong = row.name:sub(1, 2) .. "q" .. row.name:sub(3)
                    local message = refusal(owner.make, wrong, 1)
                    assert.truthy(message:find("did you mean '" .. row.name .. "'", 1, true), message)
                end
            end
        end)
    end
end)

-- ---- laws by pairs ----

describe("pairs", function()
    local function world(list, contact)
        return pc.scene{ ball{ name = "a" }, ball{ name = "b", x = 1 }, floor, pairs = list, contact = contact }
    end

    it("are enough where they say all", function()
        local stiff = pc.contact.poisson{ restitution = 0.9, friction = 0 }
        local all = { { a = "a", b = "floor", contact = law }, { a = "floor", b = "b", contact = stiff },
            { a = "a", b = "b", contact = law } }
        local scene = world(all)
        assert.is_nil(scene.contact)
        assert.equal(3, #scene.pairs)
        for i, pair in ipairs(scene.pairs) do
            for _, key in ipairs{ "a", "b", "contact" } do assert.equal(all[i][key], pair[key]) end
        end
        local run = pc.simulate(scene, { duration = 0.6 })
        assert.equal(2, run.impact_count)
        for _, hit in ipairs(run.impacts) do
            near(hit.contact:find "^a" and 0.5 or 0.9, -hit.velocity.n / hit.velocity_before.n, 1e-12)
        end
    end)

    it("name what they leave open", function()
        assert.matches("no law is given for b on floor: add contact =",
            refusal(world, { { a = "a", b = "floor", contact = law }, { a = "a", b = "b", contact = law } }))
        assert.matches("no law is given for a on floor: add contact =", refusal(world, nil))
        assert.matches("no contact of 'a' with 'roof' is possible", refusal(world, { { a = "a", b = "roof",
            contact = law } }))
    end)

    it("are an addition where there is a law of all", function()
        local scene = world({ { a = "a", b = "floor", contact = pc.contact.newton{ e = 1, mu = 0 } } }, law)
        assert.equal(law, scene.contact)
        local run = pc.simulate(scene, { duration = 0.6 })
        for _, hit in ipairs(run.impacts) do
            near(hit.contact:find "^a" and 1 or 0.5, -hit.velocity.n / hit.velocity_before.n, 1e-12)
        end
    end)
end)

-- ---- names ----

describe("a name that is given", function()
    it("is used in columns, contacts and laws, whatever else there is", function()
        local alone = pc.scene{ ball{ name = "b" }, pc.floor{ height = 0, name = "ground" }, contact = law }
        assert.same({ "b on ground" }, alone.contacts)
        assert.same({ "b." }, alone.prefixes)
        local run = pc.simulate(alone, { duration = 0.1 })
        near(1 - 9.81 / 200, run:at(0.1)["b.y"], 1e-12)
        assert.matches("did you mean 'b.y'", refusal(function() return run:at(0.1).y end))
        local two = pc.scene{ ball{ name = "b" }, ball{ x = 1 }, pc.floor{ height = 0, name = "ground" },
            contact = law, pairs = { { a = "body", b = "ground", contact = pc.contact.newton{ e = 1, mu = 0 } } } }
        assert.same({ "b.", "body." }, two.prefixes)
        near(1 - 9.81 / 200, pc.simulate(two, { duration = 0.1 }):at(0.1)["b.y"], 1e-12)
        local rig = pc.chain{ links = { { mass = 1, length = 1 } }, angles = { 0.5 }, name = "arm" }
        near(0.5, pc.simulate(pc.scene{ rig }, { duration = 0 }):at(0)["arm.angle1"], 0)
    end)

    it("goes to its owner, wherever that stands in the list", function()
        local scene = pc.scene{ ball(), ball{ x = 1, name = "body" }, floor, pc.peg{ x = 5, y = 0, name = "floor2" },
            pc.floor{ height = -1 }, contact = law }
        assert.same({ "body2.", "body." }, scene.prefixes)
        local seen = table.concat(scene.contacts, ", ")
        for _, name in ipairs{ "body2 on floor3", "body on floor2", "body2 on body" } do
            assert.truthy(seen:find(name, 1, true), seen)
        end
    end)

    it("is no other part's", function()
        assert.matches("parts 1 and 3 are both called 'b'",
            refusal(pc.scene, { ball{ name = "b" }, floor, ball{ x = 1, name = "b" }, contact = law }))
    end)

    it("is not needed: a body alone has columns without one", function()
        local scene = pc.scene{ ball(), floor, contact = law }
        assert.same({ "" }, scene.prefixes)
        near(1, pc.simulate(scene, { duration = 0 }):at(0).y, 0)
        assert.equal("body", scene.parts[1].name)
        assert.equal("floor", scene.parts[2].name)
    end)

    it("stays in a run that was saved", function()
        local path = scratch ".run"
        local run = pc.simulate(pc.scene{ ball{ name = "b" }, pc.floor{ height = 0, name = "ground" }, contact = law },
            { duration = 0.6 })
        run:save(path)
        local again = pc.load_run(path)
        assert.same(run:at(0.5), again:at(0.5))
        assert.equal("b on ground", again.impacts[1].contact)
    end)
end)

-- ---- which contact ----

it("the table of impacts says which contact and which bodies", function()
    local run = pc.simulate(pc.scene{ floor, ball(), ball{ y = 1.5, name = "upper" }, contact = law },
        { duration = 0.7 })
    local t = run:impact_table()
    assert.is_true(run.impact_count > 2)
    local met = { ["body on floor"] = { 1, 0 }, ["body on upper"] = { 1, 2 }, ["upper on floor"] = { 2, 0 } }
    for i, hit in ipairs(run.impacts) do
        assert.equal(hit.contact, run.scene.contacts[t.contact[i]])
        assert.same(met[hit.contact], { t.body[i], t.other[i] })
    end
end)

it("a chart of energies has each curve once, and the total alone has a name", function()
    local run = pc.simulate(pc.scene{ ball(), floor, contact = law }, { duration = 0.6 })
    local function labels(what)
        local legend, counts = require("percuss.run").figure(run, what):text():match "[^\n]*", {}
        for word in legend:gmatch "%a+" do counts[word] = (counts[word] or 0) + 1 end
        return counts
    end
    assert.same({ kinetic = 1, potential = 1, energy = 1, lost = 1 },
        labels{ "kinetic", "potential", "energy", "lost" })
    assert.same({ energy = 1, lost = 1 }, labels{ "total", "lost" })
end)

-- ---- links with thickness ----

describe("a link with thickness", function()
    local w = 0.1
    local function arm(angle, options)
        return pc.chain{ links = { { mass = 1, length = 1, thickness = w } }, angles = { angle }, touch = "links",
            rates = options and { options.rate } or nil }
    end

    -- End 1 of a capsule is the lower one at angle 0, end 2 of a link, whose upper end (the pivot) touches nothing.
    it("touches what a capsule in its place touches", function()
        local post, step = pc.peg{ x = 0.3, y = -0.45, radius = 0.02 }, pc.block{ x = 0.9, y = -0.9, width = 0.5,
            height = 0.3 }
        for i = 1, 12 do
            local a = -1 + 0.4 * i
            local capsule = pc.free{ shape = "capsule", length = 1, radius = w / 2, mass = 1, x = math.sin(a) / 2,
                y = -math.cos(a) / 2, angle = a }
            local function gaps(part, first)
                local scene = pc.scene{ part, post, pc.floor{ depth = 3 }, step, contact = law, gravity = 0 }
                local ok, run = pcall(pc.simulate, scene, { duration = 0 })
                if not ok then return nil end -- it overlaps the post: both must
                local found = {}
                for k, name in ipairs(scene.contacts) do
                    name = name:gsub("^" .. first, "it"):gsub(first .. "$", "it")
                    if first == "body" then name = name:gsub("end2", "pivot"):gsub("end1", "end2") end
                    found[name] = run:at(0)["gap" .. k]
                end
                return found
            end
            local link, free = gaps(arm(a), "chain%.link1"), gaps(capsule, "body")
            assert.equal(link == nil, free == nil)
            local compared = 0
            for name, gap in pairs(link or {}) do
                near(assert(free[name], name), gap, 1e-14, name)
                compared = compared + 1
            end
            assert.is_true(link == nil or compared >= 3)
        end
    end)

    -- It strikes the floor with the round end: L cos a + w/2 = depth; the contact lies L sin a from the pivot, so that
    -- 1/W_nn = J/(L sin a)^2.
    it("strikes the floor where its round end reaches it", function()
        for _, depth in ipairs{ 0.5, 0.8, 0.95 } do
            local run = pc.simulate(pc.scene{ arm(1.5, { rate = -1 }), pc.floor{ depth = depth },
                contact = pc.contact.newton{ restitution = 0.5, friction = 0 } },
                { duration = 1, solver = pc.solver.dop853{ rtol = 1e-12, atol = 1e-13 } })
            local a = math.acos(depth - w / 2)
            near(a, run.impacts[1].q[1], 1e-12)
            near(3 * math.sin(a) ^ 2, run.impacts[1].W.nn, 1e-11)
            near(0, run:at(run.impacts[1].time).gap, 1e-14)
        end
    end)

    -- A ball that falls onto the flank of a link at rest across: with thickness it strikes half of that earlier.
    it("is struck on its flank half its thickness earlier", function()
        for _, thickness in ipairs{ 0, 0.02, 0.2 } do
            local beam = pc.chain{ links = { { mass = 1, length = 1, thickness = thickness } }, touch = "links",
                angles = { math.pi / 2 } }
            local run = pc.simulate(pc.scene{ beam, ball{ x = 0.6, y = 0.5, vy = -1 }, contact = law, gravity = 0 },
                { duration = 0.6 })
            near(0.4 - thickness / 2, run.impacts[1].time, 1e-12)
        end
    end)

    it("shows its joints where the lower link is the thicker", function()
        local rig = pc.chain{ links = { { mass = 1, length = 0.5, thickness = 0.02 },
            { mass = 1, length = 0.5, thickness = 0.2 } }, angles = { 0, math.pi / 2 }, touch = "links" }
        local scene = pc.scene{ rig, pc.floor{ depth = 0.7 }, contact = law, gravity = 0 }
        local state, least = pc.simulate(scene, { duration = 0 }):at(0), math.huge
        for i = 1, #scene.contacts do least = math.min(least, state["gap" .. i]) end
        near(0.1, least, 1e-15)
    end)

    it("is refused where nothing of it can touch", function()
        assert.matches('links%[2%]: thickness = 0.1 m has no effect without touch = "links"', refusal(pc.chain,
            { links = { { mass = 1, length = 1 }, { mass = 1, length = 1, thickness = 0.1 } } }))
    end)
end)
