"""Disks that are full, files that may not grow, pipes in place of files, little memory: told, and nothing is lost."""
import os
import resource
import signal

from helpers import Folder, PATIENCE, PERCUSS

# Everything that writes a file, each by its own way; names in the folder, or what the argument says.
WRITERS = """
local pc = require "percuss"
local x = pc.linspace(0, 1, 20000)
local t, f = pc.table{ { "x", x } }, pc.chart.figure{}
f:panel{}:line{ x, x }
local link = { length = 1, mass = 1 }
local run = pc.simulate(pc.scene{ pc.chain{ links = { link, link }, angles = { 1, 2 } } }, { duration = 1 })
local function say(name, ok, result, message) print(name .. ":", ok and message or result) end
local function try(name, writer, ...) say(name, pcall(writer, ...)) end
local function to(name) return arg[1] or "out." .. name end
try("csv", t.csv, t, to "csv")
try("columns", pc.csv.write, to "columns", { { "x", x } })
try("array", x.to_csv, x, to "array")
try("npz", t.npz, t, to "npz")
try("jsonl", t.jsonl, t, to "jsonl")
try("run", run.save, run, to "run")
try("text", pc.file.write, to "text", ("x"):rep(1e6))
for _, ending in ipairs{ "svg", "png" } do try(ending, f.save, f, "out." .. ending) end
local gif = pc.chart.gif "out.gif"
say("gif", true, gif:add(f))
if arg[1] then say("gif closed", pcall(gif.close, gif)) end
"""


def written(out):
    return dict(line.split(": ", 1) for line in out.split("\n") if ": " in line)


def test_a_full_disk_is_what_is_told():
    with Folder() as folder:
        folder.write("writers.lua", WRITERS)
        for name in ("out.svg", "out.png", "out.gif"):
            os.symlink("/dev/full", os.path.join(folder.path, name))
        code, out, err = folder.run("writers.lua", "/dev/full")
        told = written(out.expandtabs(1).replace(":  ", ": "))
        assert code == 0 and len(told) >= 10, out + err
        for name, message in told.items():
            assert "No space left on device" in message or name == "gif closed", (name, message)
        assert os.stat("/dev/full").st_mode & 0o170000 == 0o020000  # nothing was put in its place


def test_a_file_that_may_not_grow_is_told_and_nothing_half_written_stays():
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))

    with Folder() as folder:
        folder.write("writers.lua", WRITERS)
        code, out, err = folder.run("writers.lua", before=small_files)
        told = written(out.expandtabs(1).replace(":  ", ": "))
        assert code == 0 and len(told) == 10, out + err
        for name, message in told.items():
            assert "File too large" in message, (name, message)
        assert sorted(os.listdir(folder.path)) == ["sweep.lua", "writers.lua"], os.listdir(folder.path)
        # programs started from here have the default action again
        folder.write("child.lua", 'print(os.execute("exec head -c 5000 /dev/zero > big"))')
        _, out, _ = folder.run("child.lua", before=small_files)
        assert f"signal\t{int(signal.SIGXFSZ)}" in out, out


def test_a_pipe_is_no_store_and_no_run():
    with Folder() as folder:
        os.mkfifo(os.path.join(folder.path, "pipe"))
        folder.write("read.lua", """
            local pc = require "percuss"
            print(pc.store.read "pipe")
            print(pc.load_run "pipe")
            print(pc.store.merge("all.db", { "pipe" }))
        """)
        code, out, err = folder.run("read.lua")
        assert code == 0 and out.count("'pipe' is not a file") == 2 and "it is no plain file" in out, out + err
        # what may be a pipe can be interrupted while it waits
        folder.write("wait.lua", 'io.stderr:write "begun\\n" print(require "percuss".csv.read "pipe")')
        process = folder.start("wait.lua")
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def test_with_little_memory_charts_and_sweeps_fail_with_a_reason():
    if os.path.basename(os.path.dirname(PERCUSS)).endswith("san"):
        return  # a sanitizer needs more than that for itself

    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    with Folder() as folder:
        folder.write("draw.lua", """
            local pc = require "percuss"
            local x = pc.linspace(0, 1, 1000)
            local f = pc.chart.figure{}
            f:panel{}:line{ x, x }
            for _, ending in ipairs{ "svg", "png", "pdf", "png" } do
                print(ending, pcall(f.save, f, "out." .. ending))
            end
            local t = pc.sweep{ over = { { "i", pc.array.range(1, 8) } }, columns = { "n" }, jobs = 2,
                run = function() return { n = #pc.array.zeros(4e6) } end }
            for _, f in ipairs(t:failures()) do print("point", f[2]) end
            print("sweep", t.info.failed, #t)
        """)
        for megabytes in (30, 40, 60, 90, 120, 150, 180, 220, 300, 1000):
            code, out, err = folder.run("draw.lua", before=little_memory)
            assert code == 0, (megabytes, code, out, err)
            for line in out.split("\n")[:4]:
                assert "true" in line or "not enough memory for the picture" in line, (megabytes, line)
            if megabytes == 30:
                assert out.count("point\tnot enough memory") == 8 and "sweep\t8\t8" in out, out
        assert out.count("true") == 4 and "sweep\t0\t8" in out, out  # with enough of it all is drawn
