-- JSON as notebooks send it: beside dkjson, on what RFC 8259 allows and what it does not.
local json = require "percuss.json"
local dkjson = require "dkjson"

local function same(a, b)
    if type(a) ~= "table" or type(b) ~= "table" then return a == b end
    for key, value in pairs(a) do if not same(value, b[key]) then return false end end
    for key in pairs(b) do if a[key] == nil then return false end end
    return true
end

-- Random values, without null, whose place in tables the two tell in different ways.
local function value(depth)
    local kind = math.random(depth > 4 and 4 or 6)
    if kind == 1 then return math.random(-1000000, 1000000) end
    if kind == 2 then return (math.random() - 0.5) * 10.0 ^ math.random(-30, 30) end
    if kind == 3 then return math.random() < 0.5 end
    if kind == 4 then
        local text = {}
        for i = 1, math.random(0, 12) do text[i] = utf8.char(({ math.random(0, 127), math.random(0x80, 0x7ff),
            math.random(0xe000, 0xfffd), math.random(0x10000, 0x10ffff) })[math.random(4)]) end
        return table.concat(text)
    end
    local t = {}
    for i = 1, math.random(1, 4) do t[kind == 5 and i or "key " .. i] = value(depth + 1) end
    return t
end

describe("JSON", function()
    it("is written and read as dkjson does", function()
        for seed = 1, 3 do
            math.randomseed(seed)
            for _ = 1, 300 do
                local x = value(0)
                local text = json.encode(x)
                assert.is_true(same(x, dkjson.decode(text)), text)
                assert.is_true(same(x, json.decode(text)), text)
                local theirs = dkjson.encode(x, { indent = true }) -- with 14 digits
                assert.is_true(same(dkjson.decode(theirs), json.decode(theirs)), theirs)
            end
        end
    end)

    it("tells empty lists from empty objects, and has null for what is no number", function()
        assert.equal('{"a":[],"b":{},"c":null}', json.encode{ a = json.list{}, b = {}, c = 0 / 0 })
        assert.equal(3, #json.decode "[1, null, 2]")
        assert.equal(json.null, json.decode("[null]")[1])
        assert.is_nil(json.decode('{"a": null}').a)
        assert.equal('"\u{fffd}a\u{fffd}"', json.encode "\xffa\xc3")
        assert.equal("\u{1d11e}\u{fffd}", json.decode [["\ud834\udd1e\ud834"]])
    end)

    it("refuses what is none, and says where", function()
        for _, text in ipairs{ "", " ", "{", "[1,", "[1,]", "{,}", '{"a"}', '{"a":}', "01", "1.", ".5", "+1", "1e",
            "tru", "nul", "'a'", '"a', '"\\x"', '"\\u12"', '"a\nb"', "1 2", "[1] ]", "NaN", "{1:2}", ("["):rep(1000),
            ('{"a":'):rep(1000) } do
            local found, problem = json.decode(text)
            assert.is_nil(found, text)
            assert.matches("at byte %d+$", problem)
        end
    end)
end)
