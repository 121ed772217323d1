-- Run one submission in sandboxes and judge its parts: the same for the student's own check and for grading.
--
-- Each part is a request with its own limits. What ends a process (a crash, an endless loop, too much memory) costs the
-- part that was asked for; the next part gets a new process. Many submissions run side by side as coroutines: a run
-- yields its sandbox while it waits, and M.schedule resumes it when there is an answer.
local pc = require "percuss"
local assignments = require "percuss.assignment"
local cut = require("percuss.assignment_text").cut

local M = {}

local scheduled = false -- a coroutine of M.schedule runs

-- Wait for the answer of a sandbox: reply, or nil, reason, message.
local function take(box)
    while true do
        -- a stand-in called from inside a solver cannot yield: then the others wait too
        if scheduled and coroutine.isyieldable() then coroutine.yield(box) else pc.sandbox.wait({ box }, 1) end
        local reply, reason, message = box:take()
        if type(reply) == "table" then return reply end
        if reply ~= nil then return nil, "ended", "the answer is no answer" end
        if reason ~= "wait" then return nil, reason, message end
    end
end

-- Send a request to a sandbox and wait for its answer.
function M.request(box, content, seconds)
    local sent, message = box:post(content, seconds)
    if not sent then
        -- it died after its last answer; taking says how
        local _, reason, how = take(box)
        return nil, reason or "ended", how or message
    end
    return take(box)
end

local request = M.request

local function close(run)
    if run.box then run.box:close() end
    run.box = nil
end

local MESSAGE = 1000 -- bytes of what a submission says of an error

local function note(run, text)
    text = cut(text, MESSAGE)
    for _, known in ipairs(run.remarks) do
        if known == text then return end
    end
    run.remarks[#run.remarks + 1] = text
end

local function keep_output(run, reply)
    if reply.cut then note(run, "it printed more than 64 KiB, which is cut") end
    local room = 4096 - #run.output
    if type(reply.output) == "string" and room > 0 then run.output = run.output .. reply.output:sub(1, room) end
end

-- The error after which nothing may be run: not of one submission, but of the machine.
local Unsafe = { __tostring = function(self) return self.text end }

function M.unsafe(text)
    return setmetatable({ text = text }, Unsafe)
end

function M.is_unsafe(failure)
    return getmetatable(failure) == Unsafe
end

-- The first message of a process: which walls stand, { seccomp =, landlock = }. A process without limits is refused,
-- and one without any wall.
function M.take_walls(box)
    local hello, _, how = take(box)
    if not hello then
        error(M.unsafe("the sandbox did not start; it needs the program percuss (" .. how .. ")"), 0)
    end
    if hello.refused then
        error(M.unsafe("submissions cannot be run safely here: " .. tostring(hello.refused)), 0)
    end
    if not hello.seccomp and not hello.landlock then
        error(M.unsafe "this kernel offers neither seccomp nor Landlock: submissions cannot be run safely here", 0)
    end
    return { seccomp = hello.seccomp == true, landlock = hello.landlock == true }
end

-- What stood when grading began has to stand in every process.
local function check_walls(run)
    local walls = M.take_walls(run.box)
    for _, name in ipairs{ "seccomp", "landlock" } do
        if run.needed[name] and not walls[name] then
            error(M.unsafe("a sandbox came up without " .. name .. ", which the others have"), 0)
        end
    end
end

-- Enough for every part to use up its time, and for loading: the last limit behind those of the parts.
local function processor_time(assignment)
    local sum = 2 * assignment.limits.seconds
    for _, part in ipairs(assignment.parts) do sum = sum + (part.seconds or assignment.limits.seconds) end
    return math.ceil(sum)
end

-- Start a process and load the submission into it. True, or false and what every part has to be told.
local function start(run)
    local limits = run.assignment.limits
    local box, failure = pc.sandbox.open{
        memory = limits.memory, instructions = limits.instructions, reply = limits.reply,
        processor = processor_time(run.assignment),
        seed = run.seed,
    }
    if not box then error(M.unsafe(failure), 0) end
    run.box = box
    check_walls(run)
    local work = { id = run.id, data = run.data, assignment = run.assignment.name }
    local names = {}
    for i, part in ipairs(run.assignment.parts) do names[i] = part.name end
    local reply, reason, message = request(run.box, { "load", "=work", run.text, work, names }, limits.seconds)
    if not reply then
        close(run)
        return false, { verdict = reason, score = 0, message = "the file did not load: " .. message }
    end
    keep_output(run, reply)
    if type(reply.kinds) ~= "table" then reply.kinds = {} end
    run.kinds = reply.kinds
    run.stopped = not reply.ok
    if not reply.ok then note(run, "the file stopped: " .. tostring(reply.message)) end
    return true
end

local ended = {} -- metatable of what `ask` raises

local verdict_texts = {
    time = "it did not end in the time allowed", instructions = "it did not end within the instructions allowed",
    memory = "it took more memory than allowed", output = "its answer is too long", ended = "it ended the process",
    error = "it stopped with an error",
}

local LEAST = 1e-4 -- seconds that a request costs at least, as sending it takes time as well

-- Wall time left for a part, in as many requests as it takes.
local function left_for(run, part)
    return run.left[part] or part.seconds or run.assignment.limits.seconds
end

-- A request took so long. The process measures it, so that nobody pays for what the grader does between; a solver that
-- an odd function leads into endless small steps comes to an end all the same.
local function spend(run, part, seconds)
    if type(seconds) ~= "number" or seconds <= LEAST then seconds = LEAST end
    run.left[part] = left_for(run, part) - seconds
end

-- A request about a part: the reply, or an error object that ends the part.
local function ask(run, part, content)
    local left, reply, reason, message = left_for(run, part), nil, "time", ""
    if left > 0 then reply, reason, message = request(run.box, content, left) end
    if not reply then
        close(run)
    else
        keep_output(run, reply)
        spend(run, part, reply.seconds)
        if reply.ok and type(reply.values) == "table" and type(reply.n) == "number" then return reply end
        reason, message = reply.reason, reply.message
    end
    if not verdict_texts[reason] then reason = "error" end
    local text = verdict_texts[reason]
    if type(message) == "string" and reason ~= "time" then text = text .. ": " .. cut(message, MESSAGE) end
    error(setmetatable({ verdict = reason, score = 0, message = text }, ended))
end

local function judge_inside(run, part)
    local kind = run.kinds[part.name]
    if type(kind) ~= "string" then return { verdict = "missing", score = 0, message = "there is no answer yet" } end
    local function call(list)
        local results = ask(run, part, { "call", part.name, list }).values[1]
        if type(results) ~= "table" then
            error(setmetatable({ verdict = "error", score = 0, message = "no results came back" }, ended))
        end
        return results
    end
    if part.is_function then
        if kind ~= "function" then
            return { verdict = "wrong", score = 0, message = "the answer must be a function, not a " .. kind }
        end
        return part.judge(part, run.data, nil, call)
    end
    return part.judge(part, run.data, ask(run, part, { "get", part.name }), call)
end

local function judge(run, part)
    if not run.box then
        if run.hopeless then return run.hopeless end
        local ok, why = start(run)
        if not ok then
            run.hopeless = why -- it would fail for every part alike
            return why
        end
    end
    local ok, result = pcall(judge_inside, run, part)
    if ok and result.remark then note(run, result.remark) end
    if ok or getmetatable(result) == ended then return result end
    if type(result) == "table" and result.code == "interrupted" or M.is_unsafe(result) then error(result, 0) end
    -- the assignment's own code is wrong, which the teacher has to see and which must not stop the grading
    local message = "the check itself failed: " .. cut(tostring(result), MESSAGE)
    return { verdict = "not judged", score = 0, message = message }
end

-- Run a submission: { id, parts = { { name, points, score, verdict, message, figure, text } }, total, remarks,
-- output }. Options: only (the name of one part), walls (which have to stand).
function M.run(assignment, id, text, options)
    local only = options and options.only
    local run = {
        assignment = assignment, id = id, text = text, data = assignments.data(assignment, id), remarks = {},
        output = "", kinds = {}, left = {}, seed = 1, needed = options and options.walls or {},
    }
    local result = { id = id, parts = {}, total = 0, remarks = run.remarks }
    local ok, message = pcall(function()
        for _, part in ipairs(assignment.parts) do
            if not only or only == part.name then
                local got = judge(run, part)
                got.name, got.points, got.score = part.name, part.points, part.points * got.score
                result.parts[#result.parts + 1] = got
                result.total = result.total + got.score
            end
        end
    end)
    close(run)
    if not ok then error(message, 0) end
    result.output = run.output
    return result
end

-- Which walls stand on this machine: { seccomp =, landlock = }; or nil and why nothing may be run.
function M.walls()
    local box, message = pc.sandbox.open{}
    if not box then return nil, message end
    local ok, walls = pcall(M.take_walls, box)
    box:close()
    if not ok then return nil, tostring(walls) end
    return walls
end

-- Run functions side by side, at most `jobs` at a time; each may call M.run. An error in one ends all, and so does an
-- interruption.
function M.schedule(tasks, jobs)
    local running, next_task = {}, 1
    scheduled = false -- where an interruption ended the last schedule
    local function resume(entry)
        scheduled = true
        local ok, box = coroutine.resume(entry.routine)
        scheduled = false
        if not ok then error(box, 0) end
        entry.box = box
        return coroutine.status(entry.routine) ~= "dead"
    end
    while next_task <= #tasks or #running > 0 do
        while next_task <= #tasks and #running < jobs do
            local entry = { routine = coroutine.create(tasks[next_task]) }
            next_task = next_task + 1
            if resume(entry) then running[#running + 1] = entry end
        end
        if #running > 0 then
            local boxes = {}
            for i, entry in ipairs(running) do boxes[i] = entry.box end
            pc.sandbox.wait(boxes, 1)
            for i = #running, 1, -1 do
                if not resume(running[i]) then table.remove(running, i) end
            end
        end
    end
end

return M
