-- Pages that play a motion: what they carry is what the run and the impact have, as JSON that anybody reads, and they
-- ask no network. How they look and answer is tested in a browser (tests/docs/long_view.py).
local pc = require "percuss"
local json = require "dkjson"
local scratch = require "scratch"
local view = require "percuss.view"

local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }
local run = pc.simulate(world, { duration = 1 })
local body = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local rigid = pc.contact.poisson{ restitution = 0.5, friction = 0.3 }

-- The page that a method makes, and what it carries.
local function page_of(make)
    local page
    view.show = function(text) page = text end
    local ok, problem = pcall(make)
    view.show = nil
    assert.truthy(ok, problem)
    local data = json.decode(page:match "const data = (%b{});")
    assert.is_table(data)
    return page, data
end

describe("a page", function()
    it("carries the pictures, energies and events of a run", function()
        local page, data = page_of(function() run:view{ frames = 51, title = "a </script> & <b>" } end)
        assert.equal("a </script> & <b>", data.title)
        assert.falsy(page:find("a </script>", 1, true))
        assert.equal(51, #data.times)
        assert.equal(51, #data.stage.frames)
        assert.equal("Energy", data.charts[1].title)
        for _, chart in ipairs(data.charts) do assert.not_equal("Contact forces", chart.title) end -- there are none
        local energy = data.charts[1].series[1]
        for i = 1, 601, 50 do
            local t = math.min((i - 1) / 600, run.time)
            -- five digits are written
            assert.near(run:at(t)[energy.name], energy.y[i], 1e-4 * math.max(1, math.abs(energy.y[i])))
        end
        assert.equal(#run.impacts, #data.marks)
        assert.near(run.impacts[1].time, data.marks[1][1], 1e-11)
        -- the disc: its middle is where the run has it
        for i, frame in ipairs(data.stage.frames) do
            local circle, x, y = frame.lines[1], 0, 0
            for k = 2, #circle - 2, 2 do x, y = x + circle[k], y + circle[k + 1] end
            local n = (#circle - 1) // 2 - 1
            assert.near(run:at(data.times[i]).y, y / n, 1e-4)
            assert.near(0, x / n, 1e-4)
        end
    end)

    it("shows a compliant impact over time and a rigid one over its normal impulse", function()
        local hit = pc.collide(body, spring, { vt = 1, vn = -1 })
        local _, data = page_of(function() hit:view{ frames = 40 } end)
        assert.equal("t", data.clock.name)
        assert.near(hit.duration, data.times[#data.times], 1e-6 * hit.duration)
        assert.equal(#hit.phases, #data.marks)
        local greatest = math.max(table.unpack(data.charts[1].series[2].y))
        assert.near(hit.peak.n, greatest, 0.01 * hit.peak.n) -- forty points, of a sine: 1 - cos(pi/78)
        hit = pc.collide(body, rigid, { vt = 1, vn = -1 })
        _, data = page_of(function() hit:view{ frames = 40 } end)
        assert.equal("p_n", data.clock.name)
        assert.near(hit.impulse.n, data.times[#data.times], 1e-9 * hit.impulse.n)
        local v_t = data.charts[1].series[1].y
        assert.near(hit.velocity.t, v_t[#v_t], 1e-4)
    end)

    it("asks no network and is a file where one is named", function()
        local name = scratch ".html"
        assert.equal(name, run:view{ file = name, frames = 5 })
        local page = assert(io.open(name)):read "a"
        os.remove(name)
        for _, word in ipairs{ "https?:", "src=", "href=", "@import", "url%(", "fetch", "XMLHttp" } do
            assert.falsy(page:find(word), word)
        end
        assert.equal(1, select(2, page:gsub("</html>", "")))
    end)

    it("refuses what it cannot play", function()
        for options, told in pairs{
            [{ from = 2 }] = "must lie in this order", [{ frames = 1 }] = "from 2 to 5000",
            [{ file = "x.html", speed = 2 }] = "no parameter 'speed'",
        } do
            local ok, message = pcall(function() run:view(options) end)
            assert.is_false(ok)
            assert.truthy(message:find(told, 1, true), message)
        end
        local ok, message = pcall(function() run:view() end)
        assert.is_false(ok)
        assert.truthy(message:find("give file =", 1, true), message)
    end)
end)
