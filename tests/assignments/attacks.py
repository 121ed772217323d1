"""Hostile submissions: name, program text, verdicts of part a that are in order.

The runner puts an honest part b in front of each, which has to keep its points unless the attack is at the level of the
file (FILE)."""

FILE = "file"  # marks attacks that may cost the whole file

LIMIT = {"instructions", "time"}
REFUSED = {"error", "missing", "wrong", "not a number", "wrong unit"}


def part(body):
    return "function work.a()\n" + body + "\nend\n"


# What a script would need and does not have: any of them must be nil, or the text of its failure.
def absent(expression):
    return part('local ok, x = pcall(function() return %s end)\n'
                'if ok and x then return 1, "m" end\nerror("nothing there")' % expression)


# Actions of percuss itself that reach the kernel: they must fail there, whatever Lua offers.
def barred(action):
    return part('local ok, x = pcall(function() %s end)\nif ok and x then return 1, "m" end\nerror("barred")' % action)


SECRET = "@SECRET@"  # path of a file outside, replaced by the runner
CANARY = "@CANARY@"  # path that must not come into being

ATTACKS = [
    # time
    ("endless-loop", part("while true do end"), LIMIT),
    ("endless-loop-in-pcall", part("while true do pcall(function() while true do end end) end"), LIMIT),
    ("endless-loop-in-coroutine", part("coroutine.wrap(function() while true do end end)()"), LIMIT),
    (
        "coroutines-for-ever",
        part("while true do local c = coroutine.wrap(function() coroutine.yield() end) c() end"),
        LIMIT,
    ),
    ("endless-handler", part("xpcall(function() while true do end end, function() while true do end end)"), LIMIT),
    (
        "endless-gc",
        part("setmetatable({}, { __gc = function() while true do end end }) collectgarbage() return 1, 'm'"),
        LIMIT,
    ),
    (
        "endless-close",
        part("local x <close> = setmetatable({}, { __close = function() while true do end end }) return 1"),
        LIMIT,
    ),
    (
        "gc-revives-itself",
        part("local function again() setmetatable({}, { __gc = again }) end again()\n"
            "for i = 1, 200 do collectgarbage() end error('done')"),
        {"error"} | LIMIT,
    ),
    ("catastrophic-pattern", part('return ("a"):rep(40):find((".-"):rep(40) .. "b"), "m"'), LIMIT),
    ("slow-format", part("while true do string.format('%99.99f', 1e308) end"), LIMIT),
    (
        "sort-that-never-agrees",
        part("local t = {} for i = 1, 1e5 do t[i] = i end\n"
            "while true do pcall(table.sort, t, function() return math.random() < 0.5 end) end"),
        LIMIT,
    ),
    (
        "endless-tostring-error",
        part("error(setmetatable({}, { __tostring = function() while true do end end }))"),
        {"error"} | LIMIT,
    ),
    (
        "endless-index",
        part("local t = {} setmetatable(t, { __index = function(s, k) return s[k + 1] end }) return t[1]"),
        {"error"} | LIMIT,
    ),
    # memory and size
    ("memory-bomb", part("local t = {} for i = 1, 1e9 do t[i] = { i } end"), {"memory"} | LIMIT),
    ("string-bomb", part('local s = "x" while true do s = s .. s end'), {"memory"}),
    ("rep-bomb", part('return ("x"):rep(1 << 40)'), {"memory", "error"}),
    ("array-bomb", part('return require("percuss").array.zeros(1 << 33)'), {"memory", "error"}),
    (
        "native-memory-bomb",
        part('local keep, pc = {}, require "percuss"\nlocal x = pc.linspace(0, 1, 200000)\n'
            "for i = 1, 1e5 do\nlocal c = pc.chart.figure{}\nc:panel{}:line{ x, x }\nkeep[i] = c\nend"),
        {"memory", "error", "ended"} | LIMIT,
    ),
    ("giant-output", part('for i = 1, 1e4 do print(("x"):rep(1000)) end return 1, "m"'), {"wrong"}),
    ("giant-answer", part('return ("x"):rep(8 << 20)'), {"output"}),
    ("giant-table-answer", part("local t = {} for i = 1, 5e5 do t[i] = i end return t"), {"output", "ended"} | REFUSED),
    ("nested-answer", part("local t = {} for i = 1, 1e5 do t = { t } end return t"), {"output"}),
    ("cyclic-answer", part("local t = {} t[1] = t return t"), {"output"}),
    ("giant-error", part('error(("x"):rep(1 << 22))'), {"error"}),
    ("deep-recursion", part("local function f() return 1 + f() end return f()"), {"error", "memory"}),
    (
        "deep-c-recursion",
        part("local function f() return pcall(string.gsub, 'x', 'x', f) end f() error('done')"),
        {"error", "memory"},
    ),
    ("deep-nesting-in-load", part('assert(load(("("):rep(1e5) .. "1" .. (")"):rep(1e5)))'), {"error"}),
    ("many-results", part("return table.unpack({}, 1, 1e6)"), {"error", "output"} | REFUSED),
    # reaching out through Lua
    ("os-execute", absent('os.execute("touch %s")' % CANARY), {"error"}),
    ("io-popen", absent('io.popen("touch %s")' % CANARY), {"error"}),
    ("io-open", absent('io.open("%s"):read("a")' % SECRET), {"error"}),
    ("os-remove", absent('os.remove("%s")' % SECRET), {"error"}),
    ("os-exit", absent("os.exit(0)"), {"error"}),
    ("loadlib", absent('package.loadlib("libc.so.6", "*")'), {"error"}),
    ("require-package", absent('require("package")'), {"error"}),
    ("require-debug", absent('require("debug")'), {"error"}),
    ("require-io", absent('require("io").open'), {"error"}),
    ("require-file", absent('require("%s")' % SECRET), {"error"}),
    ("loaded-of-globals", absent("_G.package or _G.debug or _G.dofile or _G.loadfile or string.dump"), {"error"}),
    ("dofile-secret", absent('dofile("%s")' % SECRET), {"error"}),
    (
        "registry-by-metatable",
        absent("getmetatable(_G) or getmetatable(print) or getmetatable(coroutine.create(print))"),
        {"error"},
    ),
    ("bytecode", part('return load("\\27Lua\\x54\\0\\x19\\x93\\r\\n\\x1a\\n", "x", "b")()'), {"error"}),
    (
        "bytecode-by-reader",
        part('local n = 0\nreturn load(function() n = n + 1 return n == 1 and "\\27Lua" or nil end)()'),
        {"error"},
    ),
    ("getenv", absent('os.getenv("HOME")'), {"error"}),
    (
        "set-metatable-of-userdata",
        part('local b = require("percuss").linspace(0, 1, 3)\nsetmetatable(b, {})'),
        {"error"},
    ),
    (
        "metatable-of-userdata",
        part('local pc = require "percuss"\nlocal f = pc.chart.figure{}\nlocal m = getmetatable(f)\n'
            'if type(m) == "table" then m.__gc(f) m.__gc(f) end\nreturn f:text()'),
        {"error"} | REFUSED,
    ),
    (
        "gc-of-another-type",
        part('local pc = require "percuss"\nlocal f = pc.chart.figure{}\nlocal x <close> = f\nf.__gc(1)'),
        {"error"},
    ),
    (
        "string-metatable",
        part('getmetatable("").__index = function() return function() while true do end end end\n'
            'return ("x"):rep(3)'),
        LIMIT | {"error"},
    ),
    ("string-metatable-add", part('getmetatable("").__name = {} return "3.50 m"'), {"right"} | REFUSED),
    # reaching out through percuss, down to the kernel
    ("read-secret", barred('return require("percuss").file.read("%s")' % SECRET), {"error"}),
    ("read-proc", barred('return require("percuss").file.read("/proc/self/maps")'), {"error"}),
    ("list-folder", barred('return require("percuss").file.list("/")'), {"error"}),
    ("write-outside", barred('return require("percuss").file.write("%s", "x")' % CANARY), {"error"}),
    ("write-parent", barred('return require("percuss").file.write("../x", "x")'), {"error"}),
    ("csv-outside", barred('return require("percuss").csv.read("%s")' % SECRET), {"error"}),
    ("run-outside", barred('return require("percuss").load_run("%s")' % SECRET), {"error"}),
    ("make-directory", barred('return require("percuss").make_directory("%s")' % CANARY), {"error"}),
    (
        "save-figure",
        barred('local c = require("percuss").chart.figure{}\nc:panel{}:line{ { 0, 1 }, { 0, 1 } }\n'
            'return c:save("%s.svg")' % CANARY),
        {"error"},
    ),
    ("store", barred('local pc = require "percuss"\nreturn pc.store.read("%s")' % SECRET), {"error"}),
    (
        "fork-by-sweep",
        barred('local pc = require "percuss"\nreturn pc.sweep{ over = { { "x", { 1, 2 } } }, columns = { "y" },\n'
            'run = function(p) return { y = p.x } end, jobs = 8 }'),
        {"error"},
    ),
    (
        "fork-by-sandbox",
        barred('local pc, n = require "percuss", 0\nfor i = 1, 100 do\n'
            "if pc.sandbox.open{} then n = n + 1 end\nend\nreturn n > 0"),
        {"error"},
    ),
    (
        "show-figure",
        part('local c = require("percuss").chart.figure{}\nc:panel{}:line{ { 0, 1 }, { 0, 1 } }\n'
            'c:show{}\nreturn 1, "m"'),
        {"wrong", "error"},
    ),
    # the scratch folder
    ("scratch-link-out", absent('io.open("link-out"):read("a")'), {"error"}),
    ("scratch-link-in-folder", absent('io.open("link-folder/secret.txt"):read("a")'), {"error"}),
    ("scratch-parent", absent('io.open("../secret.txt") or io.open("./../secret.txt")'), {"error"}),
    ("scratch-parent-inside", absent('io.open("a/../../secret.txt") or io.open("..") or io.open(".")'), {"error"}),
    ("scratch-answers", absent('io.open("target.lua") or io.open("./target.lua")'), {"error"}),
    ("scratch-answers-lines", absent('io.lines("target.lua")()'), {"error"}),
    ("scratch-other-submission", absent('io.open("submissions/honest.lua") or io.open("honest.lua")'), {"error"}),
    ("scratch-proc", absent('io.open("/proc/self/environ") or io.open("/proc/self/mem", "r+")'), {"error"}),
    ("scratch-device", absent('io.open("/dev/zero") or io.open("/dev/tty", "w")'), {"error"}),
    ("scratch-fifo", absent('io.open("pipe-in")'), {"error"}),
    ("scratch-zero-byte", absent('io.open("x\\0/../../secret.txt", "w")'), {"error"}),
    ("scratch-mode", absent('io.open("x", "wx") or io.open("x", "w,ccs=UTF-8")'), {"error"}),
    ("scratch-write-outside", absent('io.open("%s", "w")' % CANARY), {"error"}),
    ("scratch-write-canary", part('assert(io.open("canary-here", "w")):write("x") return 1, "m"'), {"wrong"}),
    ("scratch-remove-outside", absent('os.remove("target.lua") or os.remove("%s")' % SECRET), {"error"}),
    ("scratch-rename", absent('io.open("a", "w"):close() and os.rename("a", "%s")' % CANARY), {"error"}),
    ("scratch-rename-in", absent('os.rename("%s", "a") or os.rename("target.lua", "a")' % SECRET), {"error"}),
    ("scratch-run", absent('loadfile("x") or dofile("x") or require("x")'), {"error"}),
    (
        "scratch-fill",
        part('local f, piece = io.open("x", "w"), ("x"):rep(1 << 20)\nf:setvbuf("no")\n'
            "for i = 1, 1e9 do assert(f:write(piece)) end"),
        {"error"},
    ),
    (
        "scratch-far-seek",
        part('local f = io.open("x", "w")\nf:seek("set", 1 << 39)\nassert(f:write("x"))\nassert(f:flush())'),
        {"error"},
    ),
    ("scratch-many-files", part('for i = 1, 1e9 do assert(io.open("x" .. i, "w")):close() end'), {"error"}),
    (
        "scratch-many-open",
        part('local keep = {} for i = 1, 1e9 do keep[i] = assert(io.open("x", "a")) end'),
        {"error"},
    ),
    (
        "scratch-removed-but-open",
        part('local keep, piece = {}, ("x"):rep(1 << 20)\nfor i = 1, 1e9 do\nlocal f = assert(io.open("x", "w"))\n'
            'assert(f:write(piece)) assert(f:flush()) keep[i] = f os.remove("x")\nend'),
        {"error"},
    ),
    ("scratch-giant-read", part('local f = io.open("x", "w+") return f:read(1 << 40)'), {"memory", "error"}),
    (
        "scratch-closed-twice",
        part('local f = io.open("x", "w+")\nlocal m = getmetatable(f)\nm.__gc(f) m.__gc(f) m.__close(f)\n'
            'return f:read("a")'),
        {"error"},
    ),
    ("scratch-forged", part("local f = io.open('x', 'w') return getmetatable(f).__index.read(io.stdout)"), {"error"}),
    ("scratch-leave", part('io.open("left-behind", "w"):write("x"):close() return 1, "m"'), {"wrong"}),
    ("scratch-found", absent('io.open("left-behind")'), {"error"}),
    (
        "scratch-honest",
        part('local f = assert(io.open("notes.txt", "w"))\nf:write("3.5\\n", "m\\n"):close()\nlocal found = {}\n'
            'for line in io.lines "./notes.txt" do found[#found + 1] = line end\n'
            'assert(os.remove("notes.txt") and not io.open("notes.txt"))\nreturn tonumber(found[1]), found[2]'),
        {"right"},
    ),
    (
        "scratch-of-percuss",
        part('local pc = require "percuss"\nlocal t = pc.table{ { "x", { 3.5, 2 }, unit = "m" } }\n'
            'assert(t:csv "t.csv" == "t.csv" and t:jsonl "t.jsonl" and t:npz "t.npz")\n'
            'assert(io.open("t.jsonl"):read("l") == \'{"x": 3.5}\')\n'
            'assert(io.open("t.npz", "rb"):read(2) == "PK" and not io.open("t.csv.part"))\n'
            'assert(pc.file.write("n.txt", "note") and pc.file.read "n.txt" == "note")\n'
            'local world = pc.scene{ pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 },\n'
            'pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5, friction = 0 } }\n'
            'local run = pc.simulate(world, { duration = 0.1 })\n'
            'assert(pc.load_run(assert(run:save "r.run")):at(0.1).y == run:at(0.1).y)\n'
            'assert(os.rename("t.csv", "u.csv") and not io.open("t.csv"))\n'
            'return pc.csv.read("u.csv").x[1], "m"'),
        {"right"},
    ),
    (
        "scratch-of-percuss-fill",
        part('local pc, text = require "percuss", ("x"):rep(1 << 20)\n'
            'for i = 1, 1e9 do assert(pc.file.write("f" .. i % 60, text)) end'),
        {"error"},
    ),
    # the answer itself as a weapon
    ("answer-nan", part('return 0/0, "m"'), {"not a number"}),
    ("answer-infinity", part('return 1/0, "m"'), {"not a number"}),
    ("answer-text", part('return "three metres"'), {"not a number"}),
    ("answer-function", part("return function() return 3.5 end"), {"not a number"}),
    (
        "answer-equals-all",
        part('return setmetatable({}, { __eq = function() return true end, __lt = function() return true end,\n'
            '__le = function() return true end, __sub = function() return 0 end }), "m"'),
        {"not a number"},
    ),
    ("answer-opaque", part("return { opaque = { opaque = {} } }"), {"not a number"}),
    ("answer-html", part('return "<script>alert(1)</script>"'), {"not a number"}),
    ("answer-bytes", part('return "\\0\\255\\27[2J"'), {"not a number"}),
    ("error-html", part('error("<script>alert(1)</script>\\27[2J", 0)'), {"error"}),
    ("error-formula", part('error("=cmd|x", 0)'), {"error"}),
    ("error-nil", part("error(nil)"), {"error"}),
    (
        "figure-forged",
        "function work.c() return { figure = true, panels = { { x = 1, y = {}, series = { {}, { x = {} } } } } } end\n"
            + part('return 1, "m"'),
        {"wrong"},
    ),
    (
        "law-lies",
        "function work.d(x) return setmetatable({}, { __add = function() return 0 end }) end\n"
            + part('return 1, "m"'),
        {"wrong"},
    ),
    # the work table and the checks
    ("override-print", "print = nil _G.print = error tostring = nil type = nil\n" + part('return 3.5, "m"'), {"right"}),
    (
        "override-everything",
        part("for name in pairs(_G) do if name ~= 'pairs' then _G[name] = nil end end return 3.5, 'm'"),
        {"right", "error"},
    ),
    ("override-require", 'require = function() return { check = true } end\n' + part('return 1, "m"'), {"wrong"}),
    (
        "work-metatable",
        "setmetatable(work, { __index = function() while true do end end })\n" + part('return 1, "m"'),
        {"wrong"},
    ),
    ("work-replaced", "work.data = nil work.id = 'other'\n" + part('return 1, "m"'), {"wrong"}),
    (
        "changes-while-read",
        part("for name in pairs(work) do work[name .. 'x'] = 1 end return 1, 'm'"),
        {"wrong", "error"},
    ),
    ("yield-out", part("coroutine.yield(1) return 3.5, 'm'"), {"error"}),
    ("close-itself", part("return coroutine.close(coroutine.running())"), {"error"}),
    ("warn-on", part('warn("@on") warn("x") return 1, "m"'), {"wrong"}),
    # the file
    ("file-endless", "while true do end", {"instructions", "missing", FILE}),
    ("file-endless-pcall", "while true do pcall(function() while true do end end) end", {"instructions", FILE}),
    ("file-error", part('return 3.5, "m"') + "error('late')", {"right"}),
    ("file-syntax", "function work.a( return", {"missing", FILE}),
    ("file-bytecode", "\x1bLua", {"missing", FILE}),
    ("file-zeros", "\0" * 1000, {"missing", FILE}),
]
