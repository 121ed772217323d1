-- The score file: a row for each submission, as CSV (RFC 4180); and the marks that a hand wrote into it.
--
-- Between two gradings the score file belongs to its reader. What differs in it from what was written is a mark by
-- hand: it stays, here and in the pages, until the cell is emptied or changed again. So there lie beside the records a
-- copy of what was written last, one of what was written before (a grading can be killed between the files), and the
-- list of marks. A score file that nobody can compare with such a copy is not replaced.
local pc = require "percuss"
local random = require "percuss.assignment_random"
local record = require "percuss.assignment_record"
local plain = require("percuss.assignment_text").plain

local M = {}

-- The number in a cell, or nil. A spreadsheet may write a decimal comma where fields end with a semicolon.
local function number_in(text)
    text = text:gsub("^%s+", ""):gsub("%s+$", ""):gsub("^(%-?%d*),(%d+)$", "%1.%2")
    if text:find("^[%+%-]?[%d%.]+$") or text:find("^[%+%-]?[%d%.]+[eE][%+%-]?%d%d?$") then return tonumber(text) end
end

-- ---- writing ----

-- A field. A text that a spreadsheet could take for a formula, also one that takes semicolons for the ends of fields,
-- gets an apostrophe in front of it.
local function field(x)
    if type(x) == "number" then return string.format("%.10g", x) end
    x = plain(x)
    if not number_in(x) then
        -- = + - @, as they are and as wide letters
        for _, sign in ipairs{ "[=+%-@]", "\xEF\xBC[\x8B\x8D\x9D\xA0]" } do
            x = (";" .. x):gsub("([;,|][%s\"]*)(" .. sign .. ")", "%1'%2"):sub(2)
        end
    end
    if x:find('[",;]') then x = '"' .. x:gsub('"', '""') .. '"' end
    return x
end

local function columns_of(assignment)
    local columns = { "id", "file", "total", "of" }
    for _, part in ipairs(assignment.parts) do
        columns[#columns + 1] = part.name
        columns[#columns + 1] = part.name .. " verdict"
        columns[#columns + 1] = part.name .. " message"
    end
    columns[#columns + 1] = "remarks"
    return columns
end

-- ---- reading what a spreadsheet may have saved: another separator, quotes, line ends, a byte order mark, Latin 1 ----

-- Rows of fields.
local function parse(text, separator)
    local rows, row, at = {}, {}, 1
    local stop = "[" .. separator .. "\r\n]"
    while at <= #text do
        local pieces = {}
        while text:byte(at) == 34 do -- a quoted piece; a doubled quote begins the next one
            local last = text:find('"', at + 1, true) or #text + 1
            pieces[#pieces + 1] = text:sub(at + 1, last - 1)
            at = last + 1
        end
        local from = text:find(stop, at) or #text + 1
        row[#row + 1] = table.concat(pieces, '"') .. text:sub(at, from - 1)
        at = from + 1
        if text:sub(from, from) ~= separator then
            if text:sub(from, from + 1) == "\r\n" then at = at + 1 end
            rows[#rows + 1] = row
            row = {}
        end
    end
    if #row > 0 then rows[#rows + 1] = row end -- the last field is empty and no line end follows
    return rows
end

-- What stands for a row: its file, or for a row without one, which a hand has added, its id.
local function key_of(cells)
    return cells.file ~= "" and cells.file or "\0" .. (cells.id or "")
end

-- Bytes that are no UTF-8 are letters of Latin 1, which is what a spreadsheet of western Europe may write.
local function decoded(text)
    text = text:gsub("^\xEF\xBB\xBF", "")
    if utf8.len(text) then return text end
    return (text:gsub("[\128-\255]", function(c) return utf8.char(c:byte()) end))
end

-- { columns =, rows = { { column = text } ... }, by_key = }; nil for a text without a column `file`.
local function read_table(text)
    text = decoded(text):gsub("^sep=.\r?\n", "")
    local rows, columns
    for _, separator in ipairs{ ",", ";", "\t" } do
        rows = parse(text:match("^[^\n]*\n?"), separator)
        columns = rows[1] or {}
        for _, name in ipairs(columns) do
            if name == "file" then
                rows = parse(text, separator)
                local result = { columns = columns, rows = {}, by_key = {} }
                for i = 2, #rows do
                    local cells = {}
                    for k, column in ipairs(columns) do cells[column] = rows[i][k] or "" end
                    if table.concat(rows[i]) ~= "" then
                        table.insert(result.rows, cells)
                        result.by_key[key_of(cells)] = cells
                    end
                end
                return result
            end
        end
    end
    return nil
end

local function trimmed(text)
    return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- Letters beyond ASCII as ?, as a spreadsheet writes those that its alphabet lacks.
local function folded(text)
    return (trimmed(text):gsub("[\194-\244][\128-\191]+", "?"))
end

-- Do two cells say the same? A spreadsheet shows numbers with some ten digits.
local function same(a, b)
    if a == b then return true end
    local x, y = number_in(a), number_in(b)
    if x and y then return math.abs(x - y) <= 1e-9 * math.max(math.abs(x), math.abs(y)) end
    return folded(a) == folded(b)
end

-- ---- marks ----

local Scores = {}
Scores.__index = Scores

local fixed = { id = true, file = true, of = true } -- what a hand cannot change in a row of a submission

-- What differs from each of the copies, in the row `cells`.
local function differs(column, text, copies, key)
    for _, copy in ipairs(copies) do
        local row = copy.by_key[key]
        if same(text, row and row[column] or "") then return false end
    end
    return true
end

-- Marks of the score file as it lies there, over those that are known. Nil and a message for one that makes no sense.
function Scores:take_marks(old, copies)
    for _, cells in ipairs(old.rows) do
        local key = key_of(cells)
        local known = self.marks[key] or {}
        local is_row = false
        for _, copy in ipairs(copies) do is_row = is_row or copy.by_key[key] ~= nil end
        if not is_row and cells.file ~= "" then
            return nil, string.format("%s: no submission that was graded is called '%s'; save the file as UTF-8, and "
                .. "leave the cell empty in rows of your own", self.path, plain(cells.file))
        end
        for _, column in ipairs(old.columns) do
            local text = cells[column]
            if not (is_row and fixed[column]) and differs(column, text, copies, key) then
                known[column] = trimmed(text) ~= "" and { text = text, fresh = true } or nil
            elseif trimmed(text) == "" then
                known[column] = nil
            end
        end
        -- what stands in a row that a hand has added is the teacher's affair
        for column, mark in pairs(cells.file ~= "" and known or {}) do
            mark.number = self.points[column] and number_in(mark.text)
            if self.points[column] and not mark.number then
                return nil, string.format("%s: %s of %s is '%s', not a number; correct or empty the cell", self.path,
                    column == "total" and "the total" or "the points of " .. column, cells.file, plain(mark.text))
            end
        end
        self.marks[key] = next(known) and known or nil
    end
    return true
end

local function read_marks(path)
    local marks = {}
    for line in (pc.file.read(path) or ""):gmatch("[^\n]+") do
        local words = record.words(line)
        if words[1] == "mark" and #words == 5 then
            local key = words[2]:gsub("^id:", "\0"):gsub("^file:", "")
            marks[key] = marks[key] or {}
            marks[key][words[3]] = { text = words[4], of = words[5], number = number_in(words[4]) }
        end
    end
    return marks
end

function Scores:write_marks()
    local keys, lines = {}, {}
    for key in pairs(self.marks) do keys[#keys + 1] = key end
    table.sort(keys)
    for _, key in ipairs(keys) do
        local columns = {}
        for column in pairs(self.marks[key]) do columns[#columns + 1] = column end
        table.sort(columns)
        local name = key:sub(1, 1) == "\0" and "id:" .. key:sub(2) or "file:" .. key
        for _, column in ipairs(columns) do
            local mark = self.marks[key][column]
            lines[#lines + 1] = record.line("mark", name, column, mark.text, mark.of or "")
        end
    end
    return pc.file.write(self.store .. "marks.txt", table.concat(lines))
end

local function is_there(path)
    local folder, name = path:match("^(.*/)[^/]*$") or ".", path:match("[^/]*$")
    for _, entry in ipairs(pc.file.list(folder) or {}) do
        if entry.name == name then return true end
    end
    return false
end

-- The score file `path` of an assignment, whose copies lie in `folder`; or nil and why it must not be replaced.
function M.open(path, folder, assignment, replace)
    local self = setmetatable({ path = path, assignment = assignment, points = { total = true }, old = {} }, Scores)
    for _, part in ipairs(assignment.parts) do self.points[part.name] = true end
    self.columns = columns_of(assignment)
    self.store = folder .. "/"
    self.copy = self.store .. "written-" .. path:match("[^/]*$"):sub(1, 100)
    local text, message = pc.file.read(path)
    if not text and is_there(path) then return nil, message end
    self.marks = replace and {} or read_marks(self.store .. "marks.txt")
    if not text or replace or text == "" then return self end
    local copies = {}
    for _, ending in ipairs{ "", ".before" } do
        local written = pc.file.read(self.copy .. ending)
        copies[#copies + 1] = written and read_table(written)
    end
    local old = read_table(text)
    if #copies == 0 or not old then
        local why = old and folder .. " does not say what grading wrote there" or "it is no score file"
        return nil, path .. " exists, and " .. why .. ": marks by hand would be lost; move it away, or say --replace"
    end
    self.old = old
    local ok, wrong = self:take_marks(old, copies)
    if not ok then return nil, wrong end
    return self
end

-- A text that changes whenever marks of a submission do.
function Scores:digest(file)
    local marks, words = self.marks[file] or {}, {}
    for column, mark in pairs(marks) do words[#words + 1] = column .. "\0" .. mark.text end
    table.sort(words)
    return table.concat(words, "\0")
end

-- The result with the marks of its submission: points, verdicts and messages by hand, and a remark that says so.
-- `entry`: file, text.
function Scores:apply(entry, result)
    local marks = self.marks[entry.file]
    if not marks then return result end
    local marked = setmetatable({ parts = {}, remarks = {}, total = 0 }, { __index = result })
    for i, remark in ipairs(result.remarks) do marked.remarks[i] = remark end
    local now, told, before = string.format("%016x", random.digest(entry.text or "")), {}, false
    for i, part in ipairs(result.parts) do
        local points, verdict = marks[part.name], marks[part.name .. " verdict"]
        local message = marks[part.name .. " message"]
        marked.parts[i] = setmetatable({
            score = points and points.number, verdict = verdict and verdict.text, message = message and message.text,
            by_hand = points ~= nil,
        }, { __index = part })
        marked.total = marked.total + marked.parts[i].score
    end
    if marks.remarks then marked.remarks = { marks.remarks.text } end
    local sum = marks.total
    if sum and same(sum.text, string.format("%.10g", marked.total)) then sum = nil end
    if sum then marked.total = sum.number end
    for column, mark in pairs(marks) do
        if self.points[column] and (column ~= "total" or sum) then told[#told + 1] = column end
        if mark.fresh or not mark.of then mark.of = now end
        before = before or mark.of ~= now
    end
    table.sort(told)
    if #told > 0 then table.insert(marked.remarks, "by hand: points of " .. table.concat(told, ", ")) end
    if before then table.insert(marked.remarks, "the submission has changed since a mark by hand was written") end
    return marked
end

-- ---- the file ----

-- Columns of the teacher's own, in their order.
local function own_columns(self)
    local known, own = {}, {}
    for _, column in ipairs(self.columns) do known[column] = true end
    for _, column in ipairs(self.old.columns or {}) do
        local has_mark = false
        for _, marks in pairs(self.marks) do has_mark = has_mark or marks[column] ~= nil end
        if has_mark and not known[column] then own[#own + 1] = column end
    end
    return own
end

-- A submission that has no result yet has what a hand wrote.
local function row_of(self, entry, own)
    local marks = self.marks[entry.file] or {}
    local result = entry.result and self:apply(entry, entry.result)
    local function hand(column, otherwise)
        return marks[column] and (marks[column].number or marks[column].text) or otherwise
    end
    local row = { entry.id, entry.file, result and result.total or hand("total", ""), self.assignment.points }
    for i, wanted in ipairs(self.assignment.parts) do
        local part = result and result.parts[i]
        row[#row + 1] = part and part.score or hand(wanted.name, "")
        row[#row + 1] = part and part.verdict or hand(wanted.name .. " verdict", "not graded")
        row[#row + 1] = part and (part.message or "") or hand(wanted.name .. " message", "")
    end
    row[#row + 1] = hand("remarks", result and table.concat(result.remarks, "; ") or "not graded yet")
    for _, column in ipairs(own) do row[#row + 1] = hand(column, "") end
    return row
end

-- Write the score file. `entries`: { id =, file =, result = } in their order; those without a result have no points
-- yet. Returns the path, or nil and a message.
function Scores:write(entries)
    local own, lines, present = own_columns(self), {}, {}
    local function add(row)
        for i, x in ipairs(row) do row[i] = field(x) end
        lines[#lines + 1] = table.concat(row, ",")
    end
    local head = table.move(own, 1, #own, #self.columns + 1, table.move(self.columns, 1, #self.columns, 1, {}))
    add(table.move(head, 1, #head, 1, {}))
    for _, entry in ipairs(entries) do
        present[entry.file] = true
        add(row_of(self, entry, own))
    end
    -- rows that a hand has added, and those with marks whose submission is gone
    for _, cells in ipairs(self.old.rows or {}) do
        local key = key_of(cells)
        if self.marks[key] and not present[key] then
            local row = {}
            for i, column in ipairs(head) do row[i] = cells[column] or "" end
            add(row)
        end
    end
    local text = table.concat(lines, "\n") .. "\n"
    local ok, message = self:write_marks()
    local before = ok and pc.file.read(self.copy)
    if before and before ~= text then ok, message = pc.file.write(self.copy .. ".before", before) end
    if ok then ok, message = pc.file.write(self.copy, text) end
    if ok then ok, message = pc.file.write(self.path, text) end
    return ok, message
end

return M
