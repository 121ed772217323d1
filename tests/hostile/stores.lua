-- Stores of sweeps that somebody has damaged: read, merged in both directions, resumed. Whatever is in the file, the
-- answer is a table, a store that goes on, or a message that names the file.
-- Usage: stores.lua FIRST LAST SEED, in a folder with good.db and N.db for each case N.
local pc = require "percuss"

local first, last = tonumber(arg[1]), tonumber(arg[2])

local function sweep(store)
    return pc.sweep{
        over = { { "x", pc.linspace(0, 1, 12), unit = "m" } }, columns = { "square", "half" },
        units = { square = "m^2" }, store = store, jobs = 1, progress = "none", changed = "keep",
        run = function(p)
            if p.x > 0.9 then error "too far" end
            return { square = p.x ^ 2, half = p.x / 2 }
        end,
    }
end

-- What was said, if it was said as to a user. SQLite's "attempt to write a readonly database" is; none of Lua's
-- attempts begins with a w.
local function check(what, name, ok, result, message)
    if ok and result then return result end
    local text = tostring(ok and message or result)
    if not text:find(name, 1, true) or text:find "^percuss%.[%w_]+:%d+" or text:find "attempt to [^w]" or
        text:find "bad argument" then
        print(("FAILED %s: %s"):format(what, (text:gsub("\n", " "))))
    end
    return nil
end

local done = { read = 0, merge = 0, resume = 0 }
local function count(what, result) done[what] = done[what] + (result and 1 or 0) end

for case = first, last do
    print("case " .. case)
    io.stdout:flush()
    local name = case .. ".db"
    local read = check("read", name, pcall(pc.store.read, name))
    count("read", read)
    if read then
        for i = 1, math.min(#read, 20) do
            local _ = tostring(read:row(i))
        end
        local _ = tostring(read)
        check("csv", "", pcall(read.csv, read, "out.csv"))
    end
    local all = case .. ".all.db"
    count("merge", check("merge", name, pcall(pc.store.merge, all, { "good.db", name })))
    check("merge into", name, pcall(pc.store.merge, name, { "good.db" }))
    local whole = check("resume", name, pcall(sweep, name))
    count("resume", whole)
    if whole then
        -- what went on is whole: the last two points fail, no other does
        if whole.info.skipped + whole.info.computed ~= 12 then print("FAILED points are missing after a resumption") end
        check("read again", name, pcall(pc.store.read, name, "points"))
    end
    for _, file in ipairs{ name, all } do
        for _, ending in ipairs{ "", "-wal", "-shm", "-journal" } do os.remove(file .. ending) end
    end
end
print(("done %d read, %d merged, %d resumed"):format(done.read, done.merge, done.resume))
