-- Animations: GIF by percuss.chart.gif, and animated PNG from single ones. The pixels of every frame of the latter come
-- from the chart's own PNG; an animation is those chunks in another order, with numbers (APNG specification 1.0;
-- checksums as in PNG, appendix D).
local pc = require "percuss"

local animation = {}

local crc_of = {}
for i = 0, 255 do
    local c = i
    for _ = 1, 8 do c = c & 1 == 1 and 0xEDB88320 ~ (c >> 1) or c >> 1 end
    crc_of[i] = c
end

local function crc(text)
    local c = 0xFFFFFFFF
    for i = 1, #text do c = crc_of[(c ~ text:byte(i)) & 0xFF] ~ (c >> 8) end
    return c ~ 0xFFFFFFFF
end

local function chunk(kind, data)
    return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", crc(kind .. data))
end

-- Chunks of a PNG: { { kind, data }, ... }.
local function chunks_of(png)
    local list, at = {}, 9
    while at <= #png do
        local length = string.unpack(">I4", png, at)
        list[#list + 1] = { png:sub(at + 4, at + 7), png:sub(at + 8, at + 7 + length) }
        at = at + 12 + length
    end
    return list
end

local function read(path)
    local file, message = io.open(path, "rb")
    if not file then return nil, message end
    local text = file:read "a"
    file:close()
    return text
end

local function write_gif(path, n, fps, frame)
    local film = pc.chart.gif(path, { rate = fps })
    for i = 1, n do
        local added, message, code = film:add(frame(i))
        if not added then return nil, message, code end
    end
    return film:close()
end

local function write_png(path, n, fps, frame)
    local shot, part = path .. ".frame.png", path .. ".part"
    local out, message = io.open(part, "wb")
    if not out then return nil, message, "system" end
    local function give_up(why, code)
        out:close()
        os.remove(part)
        os.remove(shot)
        return nil, why, code or "system"
    end
    local header, sequence = nil, 0
    for i = 1, n do
        local saved, why, code = frame(i):save(shot)
        if not saved then return give_up(why, code) end
        local png
        png, why = read(shot)
        if not png then return give_up(why) end
        local list = chunks_of(png)
        local first = list[1][2] -- IHDR
        if not header then
            header = first
            out:write(png:sub(1, 8), chunk("IHDR", header), chunk("acTL", string.pack(">I4I4", n, 0)))
        end
        local width, height = string.unpack(">I4I4", first)
        out:write(chunk("fcTL", string.pack(">I4I4I4I4I4I2I2BB", sequence, width, height, 0, 0, 100,
            math.floor(100 * fps + 0.5), 0, 0)))
        sequence = sequence + 1
        for _, c in ipairs(list) do
            if c[1] == "IDAT" and i == 1 then
                out:write(chunk("IDAT", c[2]))
            elseif c[1] == "IDAT" then
                out:write(chunk("fdAT", string.pack(">I4", sequence) .. c[2]))
                sequence = sequence + 1
            end
        end
    end
    out:write(chunk("IEND", ""))
    os.remove(shot)
    if not out:close() then return give_up "the animation could not be written" end
    local renamed, why = os.rename(part, path)
    if not renamed then return give_up(why) end
    return path
end

-- The n frames that frame(i) draws, into `path`, a .gif or a .png: the path, or nil, message, code. The file appears
-- whole or not at all.
function animation.write(path, n, fps, frame)
    return (path:find "%.gif$" and write_gif or write_png)(path, n, fps, frame)
end

return animation
