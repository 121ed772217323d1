-- Study scripts: printed value, computed value, agreement; and figures, inline or as files.
--
--   local study = require("percuss.study").new{ title = "...", source = "..." , arguments = { ... } }
--   study:value("theta_cr, mu = 1", "11.69", angle/pc.deg, "deg")
--   study:draw(figure, "fig4_6")
--   return study:finish()
--
-- A study run with --out DIR writes its figures there (--format png, svg or pdf) instead of drawing them inline. The
-- object that finish returns holds every row, so that tests can assert what the study prints.
local pc = require "percuss"
local report = require "percuss.report"

local Study = {}
Study.__index = Study

local formats = { png = true, svg = true, pdf = true }

local usage = [[
options of a study:
  --out DIR        write the figures to DIR instead of drawing them inline
  --format FORMAT  png (default), svg or pdf
  --show           with --out: draw them inline as well, where the output is a terminal
  --no-figures     print the table alone]]

local function fail(text)
    error("study: " .. text .. "\n" .. usage, 0)
end

local function parse(arguments)
    local options = { format = "png", figures = true }
    local i = 1
    while i <= #arguments do
        local word = arguments[i]
        if word == "--out" then
            i = i + 1
            options.out = arguments[i] or fail("--out needs a directory")
        elseif word == "--format" then
            i = i + 1
            options.format = arguments[i]
            if not formats[options.format] then fail("--format must be png, svg or pdf") end
        elseif word == "--show" then
            options.show = true
        elseif word == "--no-figures" then
            options.figures = false
        elseif word == "--quiet" then
            options.quiet = true
        elseif word == "--help" then
            print(usage)
            os.exit(0)
        else
            fail("unknown option '" .. word .. "'")
        end
        i = i + 1
    end
    return options
end

local M = {}

-- A new study. `arguments` are those of the script: { ... }.
function M.new(description)
    local self = setmetatable({
        title = description.title, source = description.source, rows = {}, by_name = {}, notes = {}, files = {},
        options = parse(description.arguments or {}),
    }, Study)
    if self.options.out and self.options.figures then assert(pc.make_directory(self.options.out)) end
    self:say(self.title)
    self:say("  " .. self.source)
    return self
end

-- Print, unless the study runs quietly under a test.
function Study:say(text)
    if not self.options.quiet then print(text) end
end

local function add(self, row)
    assert(not self.by_name[row.name], "a study names each row once: " .. row.name)
    self.rows[#self.rows + 1] = row
    self.by_name[row.name] = row
    return row
end

-- How a computed number stands to a printed one: the print fixes a number of decimals, and agrees if it is the
-- computed value rounded, or cut, there.
local function agreement(printed, computed)
    local digits = printed:match("%.(%d+)$")
    local decimals = digits and #digits or 0
    local unit = 10 ^ -decimals
    local value = tonumber(printed)
    -- a thousandth of the last digit keeps a value that is exact in decimal (0.5 of a unit) from failing by rounding
    local slack = 1e-3 * unit
    if math.abs(computed - value) <= 0.5 * unit + slack then return "agrees" end
    local cut = math.abs(computed) - math.abs(value)
    if cut >= 0 and cut < unit and computed * value >= 0 then return "agrees (cut, not rounded)" end
    return string.format("differs by %+.3g", value - computed)
end

-- A number: `printed` is the text of the source, or nil where it prints none.
function Study:value(name, printed, computed, unit)
    return add(self, {
        name = name, printed = printed, computed = computed, unit = unit or "",
        agreement = printed and agreement(printed, computed) or "not printed",
    })
end

-- A statement: what the source says, what is found, and whether they agree (true, false, or a text that explains).
function Study:statement(name, printed, found, agrees)
    return add(self, {
        name = name, printed = printed, computed = found, unit = "", is_statement = true,
        agreement = agrees == true and "agrees" or agrees == false and "differs" or agrees,
    })
end

-- Two computed values that have to be equal (two independent ways): shows the difference.
function Study:identity(name, one, other, unit)
    return add(self, {
        name = name, computed = one, other = other, unit = unit or "",
        agreement = string.format("another way: differs by %.0e", math.abs(one - other)),
    })
end

-- A sentence under the table.
function Study:note(text)
    self.notes[#self.notes + 1] = text
end

-- Show a figure inline, or write it to the directory given with --out.
function Study:draw(figure, name)
    if not self.options.figures then return end
    local options = self.options
    if not options.quiet and (not options.out or (options.show and pc.is_terminal())) then figure:show() end
    if not options.out then return end
    local path = assert(figure:save(options.out .. "/" .. name .. "." .. options.format))
    self.files[#self.files + 1] = path
end

local function cell(value)
    if type(value) == "number" then return string.format("%.9g", value) end
    return value == nil and "-" or tostring(value)
end

-- Numbers: one line each, aligned.
local function values_text(self)
    local rows = { { "", "printed", "computed", "agreement" } }
    for _, row in ipairs(self.rows) do
        if not row.is_statement then
            local unit = row.unit ~= "" and " [" .. row.unit .. "]" or ""
            local verdict = (row.printed or row.other) and row.agreement or ""
            rows[#rows + 1] = { row.name .. unit, cell(row.printed), cell(row.computed), verdict }
        end
    end
    return #rows > 1 and report.aligned(rows, "  ")
end

-- Statements: "name: source says ...; found ...: verdict".
local function statement_text(row)
    local said = row.printed and string.format("the source says: %s; ", row.printed) or ""
    return string.format("  - %s: %sfound: %s (%s)", row.name, said, row.computed, row.agreement)
end

-- Print the table, the statements, the notes and the names of the files; returns the study.
function Study:finish()
    local values = values_text(self)
    if values then self:say(values) end
    for _, row in ipairs(self.rows) do
        if row.is_statement then self:say(statement_text(row)) end
    end
    for _, note in ipairs(self.notes) do self:say("  " .. note) end
    for _, file in ipairs(self.files) do self:say("wrote " .. file) end
    return self
end

return M
