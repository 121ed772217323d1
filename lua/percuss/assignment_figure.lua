-- Figures of an assignment: charts that percuss draws from the student's numbers, or picture files that lie beside the
-- assignment. They come from the teacher; what students draw is in assignment_chart.lua.
--
--   figures = {
--       A.figure{ name = "setup", caption = "...", draw = function(d) ... return figure end },
--       A.figure{ name = "photo", caption = "...", file = "photo.png" },
--   }
local pc = require "percuss"

local M = {}

local kinds = { png = "image/png", svg = "image/svg+xml", jpg = "image/jpeg", jpeg = "image/jpeg" }

local function ending_of(file)
    local ending = file:match("%.(%w+)$")
    return ending and kinds[ending:lower()] and ending:lower()
end

-- What is wrong with the options of a figure, or nil.
function M.complaint(options)
    local name = options.name
    if type(name) ~= "string" or not name:match("^[%a_][%w_]*$") then
        return "a figure needs a name that is a Lua name"
    end
    local where, caption = "the figure " .. name, options.caption
    if caption ~= nil and type(caption) ~= "string" then return where .. ": the caption must be a text" end
    if (options.draw == nil) == (options.file == nil) then return where .. " needs either draw or file" end
    if options.draw then return type(options.draw) ~= "function" and where .. ": draw must be a function" or nil end
    if type(options.file) ~= "string" or not ending_of(options.file) then
        return where .. ": the file must be a .png, .svg, .jpg or .jpeg"
    end
end

-- Read the picture files, which lie in `folder`. Nil, or what is wrong.
function M.read(figures, folder)
    for _, figure in ipairs(figures) do
        if figure.file then
            local bytes, message = pc.file.read(folder .. figure.file, 1 << 26)
            if not bytes then return "the figure " .. figure.name .. ": " .. message end
            figure.bytes = bytes
        end
    end
end

-- The figure drawn for a student, or nil and why not.
local function draw(figure, data)
    local ok, drawn = pcall(figure.draw, data)
    if ok and pc.type(drawn) == "figure" then return drawn end
    local why = ok and "draw returned no figure" or tostring(drawn)
    return nil, "the figure " .. figure.name .. " cannot be drawn: " .. why
end

-- A figure as a file: its bytes and the ending of its name; or nil and why not. `format`: of what is drawn.
function M.bytes(figure, data, format)
    if figure.bytes then return figure.bytes, ending_of(figure.file) end
    local drawn, message = draw(figure, data)
    if not drawn then return nil, message end
    local ok, bytes, wrong = pcall(drawn.bytes, drawn, format)
    if ok and bytes then return bytes, format end
    return nil, "the figure " .. figure.name .. " cannot be drawn: " .. tostring(ok and wrong or bytes)
end

-- Name of the file beside a work file: s123.lua has s123-setup.png.
function M.file_name(figure, work)
    return work:gsub("%.lua$", "") .. "-" .. figure.name .. "." .. (figure.file and ending_of(figure.file) or "png")
end

-- A file of output gets no figures, unless PERCUSS_CHART asks for them.
local function is_shown()
    return pc.chart.terminal().interactive or (os.getenv "PERCUSS_CHART" or "") ~= ""
end

local function show_picture(bytes)
    local ok, result = pcall(pc.chart.picture, bytes)
    return ok and result
end

local function print_caption(figure)
    print(figure.name .. (figure.caption and ": " .. figure.caption or ""))
end

-- Show the figures where the terminal can: a drawn one as pixels or as text, a picture file where the terminal takes
-- PNG files.
function M.show(figures, data)
    if #figures == 0 or not is_shown() then return end
    for _, figure in ipairs(figures) do
        local shown = false
        if figure.draw then
            local drawn = draw(figure, data)
            shown = drawn and pcall(drawn.show, drawn)
        elseif ending_of(figure.file) == "png" then
            shown = show_picture(figure.bytes)
        end
        if shown then print_caption(figure) end
    end
end

-- Show the pictures that lie beside a work file, where the terminal takes PNG files.
function M.show_files(figures, work)
    if #figures == 0 or not is_shown() then return end
    for _, figure in ipairs(figures) do
        local name = M.file_name(figure, work)
        local bytes = name:find("%.png$") and pc.file.read(name, 1 << 24)
        if bytes and show_picture(bytes) then print_caption(figure) end
    end
end

-- ---- pages ----

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- RFC 4648.
local function base64(bytes)
    local words, letters = {}, {}
    for i = 0, 63 do letters[i] = digits:sub(i + 1, i + 1) end
    for i = 1, #bytes - 2, 3 do
        local a, b, c = bytes:byte(i, i + 2)
        words[#words + 1] = letters[a >> 2] .. letters[(a & 3) << 4 | b >> 4] .. letters[(b & 15) << 2 | c >> 6]
            .. letters[c & 63]
    end
    local a, b = bytes:byte(#bytes - #bytes % 3 + 1, #bytes)
    if b then
        words[#words + 1] = letters[a >> 2] .. letters[(a & 3) << 4 | b >> 4] .. letters[(b & 15) << 2] .. "="
    elseif a then
        words[#words + 1] = letters[a >> 2] .. letters[(a & 3) << 4] .. "=="
    end
    return table.concat(words)
end

-- An image as the address of itself, so that a page needs no file beside it.
function M.address(bytes, ending)
    return "data:" .. kinds[ending] .. ";base64," .. base64(bytes)
end

return M
