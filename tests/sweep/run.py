"""Sweeps under fire: workers and whole programs killed at any moment, disks that fill, stores that are no stores.
Usage: run.py PERCUSS; the last line is "N passed, N failed"."""
import glob
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile

PERCUSS = os.path.abspath(sys.argv[1])

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "repl"))
os.environ["PERCUSS"] = PERCUSS
from program import Terminal  # noqa: E402  (it reads PERCUSS)

# For answers that take no time by themselves, on a busy machine or under a sanitizer.
PATIENCE = 60

# Every start of the function appends one byte to the file "count". How long it takes is no part of what it computes.
SWEEP = """
local pc = require "percuss"
local n, store = tonumber(arg[1]), arg[3]
local t, message = pc.sweep{
    over = { { "x", pc.linspace(0, 1, n), unit = "m" } }, columns = { "square", "chance" }, units = { square = "m^2" },
    store = store ~= "" and store or nil,
    run = function(p)
        local log = io.open("count", "a")
        log:write(".")
        log:close()
        local stop = os.clock() + tonumber(os.getenv "MILLISECONDS") / 1000
        while os.clock() < stop do end
        return { square = p.x ^ 2, chance = math.random() }
    end,
}
if not t then
    print(message)
    os.exit(2)
end
print("skipped", t.info.skipped, "computed", t.info.computed)
t:csv(arg[4] or "out.csv")
"""


class Folder:
    """A directory of its own with the script in it, gone afterwards."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="percuss-sweep-")
        self.write("sweep.lua", SWEEP)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def starts(self):
        """How often the function has been called in this folder."""
        try:
            return os.path.getsize(os.path.join(self.path, "count"))
        except FileNotFoundError:
            return 0

    def environment(self, changes):
        unwanted = ("LUA_", "PERCUSS_", "OMPI_", "PMI_", "SLURM_", "SGE_")
        env = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        env.update(changes)
        return env

    def start(self, *words, options=(), before=None, **changes):
        if words and words[0] == "sweep.lua":
            changes["MILLISECONDS"] = str(words[2])
        return subprocess.Popen([PERCUSS, *options, *map(str, words)], cwd=self.path, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True,
                                preexec_fn=before, env=self.environment(changes), text=True)

    def run(self, *words, **keys):
        process = self.start(*words, **keys)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def wait_for(self, starts):
        deadline = time.monotonic() + PATIENCE
        while self.starts() < starts:
            assert time.monotonic() < deadline, f"only {self.starts()} points began"
            time.sleep(0.001)


def kill_all(process):
    """The program and its workers, as a machine that loses power would."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_killed_at_fifty_random_moments_the_table_is_that_of_one_run():
    with Folder() as folder:
        chance = random.Random(8)
        kills = 0
        while kills < 50:
            process = folder.start("sweep.lua", 3000, 2, "a.db")
            time.sleep(chance.uniform(0.0, 0.12))
            if process.poll() is not None:
                process.communicate()
                break
            kill_all(process)
            kills += 1
        assert kills == 50, f"the sweep was over after {kills} kills"
        code, out, err = folder.run("sweep.lua", 3000, 2, "a.db")
        assert code == 0, err
        resumed = folder.read("out.csv")
        code, out, err = folder.run("sweep.lua", 3000, 0, "")
        assert code == 0, err
        assert resumed == folder.read("out.csv")


def rows_of(folder, name="a.db"):
    with sqlite3.connect(f"file:{folder.path}/{name}?mode=ro", uri=True) as db:
        return db.execute("SELECT count(*) FROM points").fetchone()[0]


def test_after_a_kill_at_most_the_point_in_flight_runs_twice():
    with Folder() as folder:
        process = folder.start("sweep.lua", 100, 40, "a.db", options=("--jobs", "1"))
        folder.wait_for(50)
        while rows_of(folder) < 49:
            time.sleep(0.001)
        kill_all(process)
        code, out, err = folder.run("sweep.lua", 100, 1, "a.db", options=("--jobs", "1"))
        assert code == 0, err
        assert 100 <= folder.starts() <= 101, folder.starts()
        skipped, computed = map(int, re.search(r"skipped\t(\d+)\tcomputed\t(\d+)", out).groups())
        assert skipped >= 49 and skipped + computed == 100, out


def test_a_finished_point_is_in_the_store_within_50_ms():
    # the third point has begun, so the second is finished; on a busy machine the parent may have to wait for a core
    found = []
    for _ in range(5):
        with Folder() as folder:
            process = folder.start("sweep.lua", 20, 300, "a.db", options=("--jobs", "1"))
            folder.wait_for(3)
            time.sleep(0.05)
            kill_all(process)
            found.append(rows_of(folder))
        if found[-1] == 2:
            return
    raise AssertionError(found)


def test_jobs_change_nothing():
    with Folder() as folder:
        tables = []
        for jobs in ("1", "2", "3", "7"):
            code, _, err = folder.run("sweep.lua", 500, 0, "", options=("--jobs", jobs))
            assert code == 0, err
            tables.append(folder.read("out.csv"))
        assert tables[0].count(b"\n") == 501
        assert len(set(tables)) == 1


def test_a_worker_that_is_killed_costs_its_point_alone():
    with Folder() as folder:
        folder.write("kill.lua", """
            local pc = require "percuss"
            local t = pc.sweep{ over = { { "i", pc.array.range(1, 200) } }, columns = { "i2" }, run = function(p)
                if p.i % 50 == 0 then
                    local pid = io.open("/proc/self/stat"):read("n")
                    os.execute("kill -KILL " .. pid)
                end
                return { i2 = p.i * p.i }
            end }
            for _, f in ipairs(t:failures()) do print(f[1], f[2]) end
            print(t.i2:where(t.i2:eq(t.i2)):sum())
        """)
        code, out, err = folder.run("kill.lua")
        assert code == 0, err
        lines = out.strip().split("\n")
        assert [line.split("\t")[0] for line in lines[:4]] == ["50", "100", "150", "200"], out
        assert all("killed by signal 9" in line for line in lines[:4]), out
        assert float(lines[4]) == sum(i * i for i in range(1, 201) if i % 50), out


def test_a_function_that_ends_its_process_fails_its_point():
    with Folder() as folder:
        folder.write("exit.lua", """
            local pc = require "percuss"
            local t = pc.sweep{ over = { { "i", pc.array.range(1, 40) } }, columns = { "i2" }, run = function(p)
                if p.i == 7 then os.exit(true) elseif p.i == 21 then os.exit(3) end
                return { i2 = p.i * p.i }
            end }
            for _, f in ipairs(t:failures()) do print(f[1], f[2]) end
            print(t.info.computed, t.info.missing)
        """)
        _, out, err = folder.run("exit.lua")
        said = "the function ended its process with the exit code"
        assert out == f"7\t{said} 0\n21\t{said} 3\n40\t0\n", out + err


def test_workers_end_with_their_parent():
    with Folder() as folder:
        process = folder.start("sweep.lua", 4, 20000, "", options=("--jobs", "2"))
        folder.wait_for(2)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)  # the workers hold the pipe: it ends when they do


def test_ctrl_c_stops_within_a_second_and_the_same_call_goes_on():
    with Folder() as folder:
        process = folder.start("sweep.lua", 1000, 20, "a.db")
        folder.wait_for(20)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        waited = time.monotonic() - begun
        assert process.returncode == 130, process.returncode
        assert waited < 1, waited
        before = folder.starts()
        code, out, err = folder.run("sweep.lua", 1000, 0, "a.db")
        assert code == 0, err
        assert folder.starts() <= 1002, (before, folder.starts())


def test_at_the_prompt_ctrl_c_leaves_the_table_and_lets_go_of_the_store():
    with Folder() as folder:
        folder.write("partial.lua", """
            spec = {
                over = { { "x", require("percuss").linspace(0, 1, 2000) } }, columns = { "y" }, store = "a.db",
                run = function(p)
                    local stop = os.clock() + slow
                    while os.clock() < stop do end
                    return { y = 2 * p.x }
                end,
            }
        """)
        with Terminal(command=[shutil.which("env"), "-C", folder.path, PERCUSS]) as t:
            t.expect("> $")
            t.reply('pc = require "percuss" dofile("partial.lua") slow = 0.01')
            t.line("pc.sweep(spec)")
            t.expect(r"points: \d+ of 2000")
            assert t.interrupt() < 1
            assert "interrupted: what there is so far is in _" in t.seen, t.seen
            assert re.search(r"true\ttrue\ttrue", t.reply("print(#_ == 2000, _.info.computed > 0, _.info.missing > 0)"))
            # the store can be written to again at once
            t.reply('slow = 0 spec.changed = "keep" whole = pc.sweep(spec)')
            assert re.search(r"true\t0", t.reply("print(whole.info.skipped > 0, whole.info.missing)"))


def test_two_processes_cannot_write_to_one_store():
    with Folder() as folder:
        first = folder.start("sweep.lua", 60, 20, "a.db", "first.csv")
        folder.wait_for(4)
        code, out, _ = folder.run("sweep.lua", 60, 20, "a.db")
        assert code == 2 and "another process writes to it" in out, out
        first.communicate(timeout=PATIENCE)
        assert first.returncode == 0
        assert folder.starts() == 60


def test_others_may_read_a_store_while_it_grows():
    with Folder() as folder:
        process = folder.start("sweep.lua", 100, 10, "a.db")
        folder.wait_for(20)
        with sqlite3.connect(f"file:{folder.path}/a.db?mode=ro", uri=True) as db:
            assert db.execute("SELECT count(*) FROM points").fetchone()[0] > 0
            assert ("square", "m^2") in db.execute("SELECT name, unit FROM column").fetchall()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


def test_a_full_disk_is_said_and_what_was_written_is_kept():
    def little_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (150000, resource.RLIM_INFINITY))

    with Folder() as folder:
        code, out, _ = folder.run("sweep.lua", 3000, 1, "a.db", before=little_room)
        assert code == 2 and "a.db" in out and ("disk is full" in out or "disk I/O error" in out), out
        with sqlite3.connect(os.path.join(folder.path, "a.db")) as db:
            rows = db.execute("SELECT count(*) FROM points").fetchone()[0]
            assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert 0 < rows < 3000, rows
        code, out, err = folder.run("sweep.lua", 3000, 0, "a.db")
        assert code == 0 and f"skipped\t{rows}\t" in out, out + err


def test_what_is_not_a_store_is_refused_and_left_alone():
    with Folder() as folder:
        folder.write("text.db", "this is no database\n" * 100)
        with sqlite3.connect(os.path.join(folder.path, "other.db")) as db:
            db.execute("CREATE TABLE mine (x)")
        before = {name: folder.read(name) for name in ("text.db", "other.db")}
        for name in before:
            code, out, _ = folder.run("sweep.lua", 10, 0, name)
            assert code == 2 and "not a store of sweeps" in out, out
            assert folder.read(name) == before[name], name
        os.mkdir(os.path.join(folder.path, "folder.db"))
        code, out, _ = folder.run("sweep.lua", 10, 0, "folder.db")
        assert code == 2 and "folder.db" in out, out
        code, out, _ = folder.run("sweep.lua", 10, 0, "missing/a.db")
        assert code == 2 and "No such file or directory" in out, out


def test_a_damaged_store_is_said():
    with Folder() as folder:
        code, _, err = folder.run("sweep.lua", 3000, 0, "a.db")
        assert code == 0, err
        data = bytearray(folder.read("a.db"))
        data[8192:20000] = os.urandom(20000 - 8192)
        with open(os.path.join(folder.path, "a.db"), "wb") as file:
            file.write(data)
        for name in glob.glob(folder.path + "/a.db-*"):
            os.remove(name)
        code, out, _ = folder.run("sweep.lua", 3000, 0, "a.db")
        assert code == 2 and "is damaged" in out, out


def test_a_store_that_cannot_be_written_is_said():
    with Folder() as folder:
        # a file that not even root can write to
        code, out, _ = folder.run("sweep.lua", 20, 0, "/proc/version")
        assert code == 2 and "cannot write to the store '/proc/version'" in out, out


def test_shards_are_joined_and_the_rest_is_named():
    with Folder() as folder:
        for shard in ("1/3", "3/3"):
            code, _, err = folder.run("sweep.lua", 100, 0, "a.db", options=("--shard", shard))
            assert code == 0, err
        parts = ["a.1of3.db", "a.3of3.db"]
        code, out, err = folder.run(options=("--merge", "all.db", *parts))
        assert code == 1 and "67 of 100 points" in out and "missing 2 to 98, every 3" in out, out + err
        code, _, err = folder.run("sweep.lua", 100, 0, "a.db", options=("--shard=2/3",))
        code, out, err = folder.run(options=("--merge", "all.db", "a.2of3.db", *parts))
        assert code == 0 and "100 of 100 points, 0 failed, 0 missing" in out, out + err
        starts = folder.starts()
        code, out, err = folder.run("sweep.lua", 100, 0, "all.db")
        assert code == 0 and "skipped\t100\t" in out and folder.starts() == starts, out + err
        joined = folder.read("out.csv")
        folder.run("sweep.lua", 100, 0, "")
        assert joined == folder.read("out.csv")
        code, _, err = folder.run("sweep.lua", 90, 0, "b.db")
        code, out, err = folder.run(options=("--merge", "all.db", "b.db"))
        assert code == 1 and "does not belong to the same sweep" in err, out + err


# What launchers put into the environment of rank 2 of 3 (from 0: 1).
LAUNCHERS = {
    "Open MPI": {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"},
    "MPICH": {"PMI_RANK": "1", "PMI_SIZE": "3"},
    "srun": {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "3"},
    "Slurm array": {"SLURM_ARRAY_TASK_ID": "20", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "30",
                    "SLURM_ARRAY_TASK_STEP": "10"},
    "Grid Engine": {"SGE_TASK_ID": "6", "SGE_TASK_FIRST": "4", "SGE_TASK_LAST": "9", "SGE_TASK_STEPSIZE": "2"},
}


def test_launchers_say_which_shard_this_is():
    for name, variables in LAUNCHERS.items():
        with Folder() as folder:
            code, out, err = folder.run("sweep.lua", 10, 0, "a.db", **variables)
            assert code == 0 and os.path.exists(folder.path + "/a.2of3.db"), (name, out, err)
            assert "computed\t3" in out, (name, out)
    with Folder() as folder:
        # a batch script on one node has no step: everything is computed
        code, out, _ = folder.run("sweep.lua", 10, 0, "a.db", SLURM_PROCID="0", SLURM_NTASKS="3")
        assert code == 0 and "computed\t10" in out, out


def test_under_mpirun_a_killed_rank_is_completed_by_a_rerun():
    mpirun = shutil.which("mpirun")
    if not mpirun:
        print("left out, as there is no mpirun: its variables are tested above")
        return
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    with Folder() as folder:
        def launch():
            return subprocess.Popen([mpirun, "-n", "3", PERCUSS, "--jobs", "1", "sweep.lua", "90", "10", "a.db"],
                                    cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    stdin=subprocess.DEVNULL, start_new_session=True, text=True,
                                    env={**folder.environment({"MILLISECONDS": "10"}), **settings})
        process = launch()
        folder.wait_for(30)
        ranks = [pid for pid in find_descendants(process.pid) if is_rank(pid)]
        assert ranks
        os.kill(ranks[0], signal.SIGKILL)  # mpirun then ends the others
        process.communicate(timeout=PATIENCE)
        parts = sorted(os.path.basename(name) for name in glob.glob(folder.path + "/a.?of3.db"))
        code, out, err = folder.run(options=("--merge", "half.db", *parts))
        assert code == 1 and "missing" in out, out + err
        process = launch()
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        parts = ["a.1of3.db", "a.2of3.db", "a.3of3.db"]
        code, out, err = folder.run(options=("--merge", "all.db", *parts))
        assert code == 0 and "90 of 90 points" in out, out + err


def find_descendants(pid):
    """Processes below `pid`, by the table of the kernel."""
    parents = {}
    for name in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(name, encoding="ascii", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            parents[int(name.split("/")[2])] = int(fields[1])
        except (OSError, IndexError):
            continue
    found, frontier = [], [pid]
    while frontier:
        parent = frontier.pop()
        children = [child for child, p in parents.items() if p == parent]
        found += children
        frontier += children
    return found


def is_rank(pid):
    """A percuss started by mpirun, not one of its workers."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            command = file.read().split(b"\0")
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            parent = int(file.read().rsplit(")", 1)[1].split()[1])
        with open(f"/proc/{parent}/cmdline", "rb") as file:
            parent_command = file.read().split(b"\0")
    except OSError:
        return False
    return command[0] == PERCUSS.encode() and parent_command[0] != PERCUSS.encode()


def test_failed_points_alone_are_computed_again():
    script = """
        local pc = require "percuss"
        local t = pc.sweep{ over = { { "x", pc.array.range(1, 20) } }, columns = { "y" }, store = "a.db",
            retry = arg[1] or nil, changed = "keep", run = function(p)
                local log = io.open("count", "a")
                log:write(".")
                log:close()
                if p.x % 5 == 0 and not io.open("repaired") then error("not today") end
                return { y = p.x }
            end }
        print(t.info.failed, t.info.computed)
        """
    with Folder() as folder:
        folder.write("fail.lua", script)
        assert folder.run("fail.lua")[1] == "4\t20\n"
        with sqlite3.connect(os.path.join(folder.path, "a.db")) as db:
            rows = db.execute('SELECT "index", y, error FROM points WHERE error IS NOT NULL').fetchall()
        assert [row[0] for row in rows] == [5, 10, 15, 20] and all(row[1] is None for row in rows)
        assert all("not today" in row[2] for row in rows)
        folder.write("repaired", "")
        assert folder.run("fail.lua")[1] == "4\t0\n"
        assert folder.run("fail.lua", "failed")[1] == "0\t4\n"
        assert folder.starts() == 24


def test_progress_is_silent_in_a_pipe_and_json_when_asked():
    with Folder() as folder:
        _, _, err = folder.run("sweep.lua", 50, 1, "")
        assert err == "", err
        _, _, err = folder.run("sweep.lua", 300, 5, "", options=("--progress=json",))
        lines = [json.loads(line) for line in err.splitlines()]
        assert lines[-1]["state"] == "done" and lines[-1]["done"] == lines[-1]["total"] == 300, err
        assert all(a["done"] <= b["done"] for a, b in zip(lines, lines[1:])), err


def run_on_terminal(folder, words, interrupt_after=None):
    """Run the script with a terminal as standard error; returns the exit code and what was shown there."""
    ours, theirs = os.openpty()
    process = subprocess.Popen([PERCUSS, *words], cwd=folder.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=theirs, start_new_session=True,
                               env=folder.environment({"MILLISECONDS": words[2]}))
    os.close(theirs)
    shown, begun = b"", time.monotonic()
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if interrupt_after and interrupt_after in shown:
            os.killpg(process.pid, signal.SIGINT)
            interrupt_after = None
        assert time.monotonic() - begun < PATIENCE
    os.close(ours)
    return process.wait(timeout=PATIENCE), shown.decode()


def test_progress_on_a_terminal_is_one_line_that_ends_as_a_report():
    with Folder() as folder:
        code, shown = run_on_terminal(folder, ["sweep.lua", "200", "15", "a.db"])
        assert code == 0
        line = r"points: \d+ of 200 \(\d+ %\), [0-9.e+]+/s, \d+ s left"
        assert re.search("\r" + line, shown), shown
        last = shown.split("\r")[-2]  # a terminal ends its lines by \r\n
        assert re.fullmatch(r"points: 200 of 200 points in \d+ s, 0 failed", last), shown
        # a short sweep says nothing
        assert run_on_terminal(folder, ["sweep.lua", "10", "1", ""]) == (0, "")
        # one that is resumed says what it leaves out
        with sqlite3.connect(os.path.join(folder.path, "a.db")) as db:
            db.execute('DELETE FROM points WHERE "index" > 150')
        code, shown = run_on_terminal(folder, ["sweep.lua", "200", "0", "a.db"])
        assert shown.startswith("points: 150 of 200 points are in the store, going on with the rest"), shown


def test_an_interrupted_sweep_says_how_to_go_on():
    with Folder() as folder:
        code, shown = run_on_terminal(folder, ["sweep.lua", "2000", "10", "a.db"], b"points: ")
        assert code == 130
        report = r"points: \d+ of 2000 points in \d+ s, 0 failed; interrupted: the same call goes on"
        assert re.search(report, shown), shown


def test_exports_can_be_read_by_others():
    with Folder() as folder:
        folder.write("export.lua", """
            local pc = require "percuss"
            local t = pc.table{ { "x", { 0.1, 1e300, 0/0 }, unit = "m" }, { "n", { 1, 2, 3 } } }
            assert(t:npz("t.npz")); assert(t:jsonl("t.jsonl")); assert(t:csv("t.csv"))
        """)
        code, _, err = folder.run("export.lua")
        assert code == 0, err
        with zipfile.ZipFile(os.path.join(folder.path, "t.npz")) as archive:
            assert archive.testzip() is None
            assert archive.namelist() == ["x.npy", "n.npy"]
            data = archive.read("x.npy")
        assert data[:8] == b"\x93NUMPY\x01\x00" and b"'descr': '<f8'" in data and b"'shape': (3,)" in data
        start = 10 + struct.unpack("<H", data[8:10])[0]
        assert start % 64 == 0 and data[start - 1:start] == b"\n"
        assert struct.unpack("<3d", data[start:])[:2] == (0.1, 1e300)
        rows = [json.loads(line) for line in folder.read("t.jsonl").splitlines()]
        assert rows[0] == {"x": 0.1, "n": 1} and rows[2]["x"] is None
        assert folder.read("t.csv").splitlines()[0] == b"x [m],n"


def main():
    passed = failed = 0
    wanted = sys.argv[2:]
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (wanted and not any(word in name for word in wanted)):
            continue
        try:
            test()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED {name}")
            traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
