-- Numbers that belong to a student: drawn from a text (the assignment's name and the student's id) and the same on
-- every machine and in every version of Lua. SplitMix64: Steele, Lea and Flood (2014), Fast splittable pseudorandom
-- number generators; the seed is FNV-1a of the text.
local M = {}

local Random = {}
Random.__index = Random

-- FNV-1a, 64 bits.
function M.digest(text, start)
    local h = start or 0xcbf29ce484222325
    for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
    return h
end

function M.new(text)
    return setmetatable({ state = M.digest(text) }, Random)
end

-- 64 random bits.
function Random:bits()
    self.state = self.state + 0x9e3779b97f4a7c15
    local z = self.state
    z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    return z ~ (z >> 31)
end

-- Uniform in [0, 1).
function Random:uniform()
    return (self:bits() >> 11) * 0x1p-53
end

-- Between lo and hi, with that many significant digits (3 unless said), so that a person can type it.
function Random:number(lo, hi, digits)
    return tonumber(string.format("%." .. (digits or 3) .. "g", lo + (hi - lo) * self:uniform())) + 0.0
end

function Random:integer(lo, hi)
    return lo + math.floor((hi - lo + 1) * self:uniform())
end

function Random:pick(list)
    return list[self:integer(1, #list)]
end

return M
