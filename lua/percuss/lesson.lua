-- Lessons of the tutorial: scripts that explain what they do while they run.
--
--   local lesson = require("percuss.lesson").new("One ball", ...)
--   lesson:say [[What is to be seen.]]
--   lesson:claim("nothing is lost", hit.loss == 0)
--   lesson:draw("forces", function(file) hit:plot{ "F_n", file = file } end)
--   lesson:exercise "Double the radius. What stays?"
--   lesson:answer "The velocities."
--
-- With --out DIR pictures are written there; otherwise they are drawn inline where there is a terminal. Answers are for
-- those who have tried: the lesson prints them with --answers, and the manual has them folded.
local pc = require "percuss"

local Lesson = {}
Lesson.__index = Lesson

local M = {}

function M.new(title, ...)
    local arguments = { ... }
    local self = setmetatable({ exercises = 0 }, Lesson)
    local i = 1
    while arguments[i] do
        if arguments[i] == "--answers" then
            self.answers = true
        elseif arguments[i] == "--out" and arguments[i + 1] then
            i = i + 1
            self.out = arguments[i]
            assert(pc.make_directory(self.out))
        else
            error("lesson: unknown option '" .. tostring(arguments[i]) .. "'; there are --answers and --out DIR", 0)
        end
        i = i + 1
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

function Lesson:answer(text)
    if self.answers then self:say("Answer. " .. text:gsub("^%s+", "")) end
end

return M
