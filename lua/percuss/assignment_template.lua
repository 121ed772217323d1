-- What `percuss new assignment NAME` writes.
local pc = require "percuss"

local text = [==[
-- An assignment: try it with
--   percuss assignment start NAME.lua --id s1      a student gets a work file, s1.lua, with numbers of their own
--   percuss assignment check s1.lua                the student checks it: right, wrong, wrong unit, too few digits
--   percuss assignment grade NAME.lua FOLDER --out grades.csv
local pc = require "percuss"
local A = require "percuss.assignment"

local g = 9.81 -- m/s^2

return A.new{
    name = "NAME",
    title = "NAME",
    text = [[
A steel ball falls from rest on a plate and jumps up again. Take g = 9.81 m/s^2 and neglect the air.]],

    -- The numbers of one student. `random` is seeded by the id: number(lo, hi, digits), integer(lo, hi), pick(list).
    data = function(random)
        return { height = random:number(0.5, 2), restitution = random:number(0.6, 0.95, 2) }
    end,
    units = { height = "m" },

    -- Figures: drawn by percuss from the student's numbers, or with file = "photo.png" a picture (.png, .svg, .jpg)
    -- that lies beside this file. They are shown at the start where the terminal can, lie beside the work file as
    -- ID-NAME.png, from where checks show them, and stand in the reports.
    figures = {
        A.figure{
            name = "plate", caption = "The ball before it falls.",
            draw = function(d)
                local figure = pc.chart.figure{ width = 480, height = 320 }
                local panel = figure:panel{ xlabel = "x", xunit = "m", ylabel = "height", yunit = "m" }
                panel:scatter{ { 0 }, { d.height }, label = "ball" }
                panel:line{ { -0.5, 0.5 }, { 0, 0 }, label = "plate" }
                return figure
            end,
        },
    },

    -- What one submission may use: seconds of wall time and instructions for each part, memory and the longest answer
    -- in MiB. Instructions are counted, so that this limit is the same on every machine. A part may have seconds of its
    -- own. A check runs this file confined as well, where it can read small files beside it whose names stand in it.
    limits = { seconds = 20, instructions = 3e8, memory = 256, reply = 8 },

    parts = {
        -- A number. The tolerance is half a unit of the last of `digits`, or what relative = and absolute = say. An
        -- answer in another unit of the same kind (mm/s) is converted.
        A.number{
            name = "speed", points = 2, text = "With what speed does the ball hit the plate?",
            unit = "m/s", digits = 3,
            answer = function(d) return math.sqrt(2 * g * d.height) end,
            -- Wrong answers worth a word, and perhaps some points.
            mistakes = {
                {
                    answer = function(d) return math.sqrt(g * d.height) end, credit = 0.25,
                    message = "the kinetic energy is m v^2 / 2",
                },
            },
            -- Said after that many wrong tries of a check.
            hints = { { 2, "energy is conserved while the ball falls" } },
        },

        -- A list of numbers, compared by the largest difference (norm = "rms": by the root of the mean square).
        A.curve{
            name = "heights", points = 2,
            text = "How high does it jump after the first, second and third bounce? Return a list.",
            unit = "m", relative = 1e-2,
            answer = function(d)
                local heights = {}
                for i = 1, 3 do heights[i] = d.height * d.restitution ^ (2 * i) end
                return heights
            end,
        },

        -- A function, tried on hidden arguments and by properties that every right answer has. f(...) runs in the
        -- sandbox.
        A.law{
            name = "rebound", points = 2,
            text = "Write work.rebound(v): the velocity (m/s, upwards) after an impact with v < 0.",
            inputs = function(random)
                local list = {}
                for i = 1, 5 do list[i] = { -random:number(0.1, 10) } end
                return list
            end,
            answer = function(d, v) return -d.restitution * v end,
            properties = {
                { name = "energy is never created", test = function(f, _, random)
                    local v = -random:number(0.1, 10)
                    return math.abs(f(v)) <= math.abs(v)
                end },
            },
        },

        -- A chart: labels and units of its axes, and something drawn; test(panel, data) may look at panel.series[i].x,
        -- .y.
        A.chart{
            name = "fall", points = 2, text = "Draw the height over the time until the first impact.",
            x = { unit = "s" }, y = { unit = "m" }, series = 1,
            test = function(panel, d)
                local top = pc.array(panel.series[1].y):max()
                return math.abs(top - d.height) < 1e-2 * d.height, "it must start at the height of the ball"
            end,
        },

        -- Free text, left for a person.
        A.words{ name = "where", points = 2, text = "Where does the energy go that the ball loses?", least = 20 },
    },
}
]==]

local M = {}

-- Write NAME.lua; refuses to replace a file. Returns its name, or nil and a message.
function M.write(name)
    if not name:match("^[%w_%-]+$") then return nil, "the name must be made of letters, digits, _ and -" end
    local file = name .. ".lua"
    if pc.file.read(file, 1 << 30) then return nil, file .. " exists already; it is not replaced" end
    return pc.file.write(file, (text:gsub("NAME", name)))
end

return M
