-- Lessons of the tutorial: scripts that explain what they do while they run.
--
--   local lesson = require("percuss.lesson").new("One ball", ...)
--   lesson:say [[What is to be seen.]]
--   lesson:claim("nothing is lost", hit.loss == 0)
--   lesson:draw("forces", function(file) hit:plot{ "F_n", file = file } end)
--   lesson:exercise "Double the radius. What stays?"
--
-- With --out DIR pictures are written there; otherwise they are drawn inline where there is a terminal.
local pc = require "percuss"

local Lesson = {}
Lesson.__index = Lesson

local M = {}

function M.new(title, ...)
    local arguments = { ... }
    local self = setmetatable({ exercises = 0 }, Lesson)
    if arguments[1] == "--out" and arguments[2] then
        self.out = arguments[2]
        assert(pc.make_directory(self.out))
    elseif arguments[1] then
        error("lesson: unknown option '" .. tostring(arguments[1]) .. "'; there is --out DIR", 0)
    end
    print("# " .. title)
    return self
end

-- A paragraph, with the indentation of the script taken off.
function Lesson.say(_, text)
    print("\n" .. text:gsub("^%s+", ""):gsub("\n%s*", "\n"):gsub("%s+$", ""))
end

-- Something that the lesson says and that has just been computed: if it is not so, the lesson stops.
function Lesson.claim(_, sentence, is_true)
    if not is_true then error("lesson: it is not true that " .. sentence, 2) end
    print("-> " .. sentence .. ": true")
end

-- `draw` is called with the name of a file, or with nil to draw inline; where nobody looks, not at all.
function Lesson:draw(name, draw)
    if not self.out and not pc.is_terminal() then return end
    draw(self.out and self.out .. "/" .. name .. ".png" or nil)
end

function Lesson:exercise(text)
    self.exercises = self.exercises + 1
    self:say("Exercise " .. self.exercises .. ". " .. text:gsub("^%s+", ""))
end

return M
