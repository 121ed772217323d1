"""Workers and whole programs that end at any moment."""
import os
import random
import re
import shutil
import signal
import sqlite3
import time

from helpers import Folder, PATIENCE, PERCUSS
from program import Terminal


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
        assert all("killed by signal 9" in line and 'retry = "failed"' in line for line in lines[:4]), out
        assert float(lines[4]) == sum(i * i for i in range(1, 201) if i % 50), out


def test_a_point_whose_worker_was_killed_once_is_computed_by_the_same_call():
    with Folder() as folder:
        folder.write("once.lua", """
            local pc = require "percuss"
            local t = pc.sweep{ over = { { "i", pc.array.range(1, 200) } }, columns = { "i2" }, jobs = tonumber(arg[1]),
                store = "a.db", run = function(p)
                    local name = "died-" .. math.tointeger(p.i)
                    local died = io.open(name)
                    local log = io.open("count", "a")
                    log:write(".")
                    log:close()
                    if p.i % 40 == 1 and not died then
                        io.open(name, "w"):close()
                        os.execute("kill -KILL " .. io.open("/proc/self/stat"):read("n"))
                    end
                    return { i2 = p.i * p.i }
                end }
            print(t.info.failed, t.i2:sum())
        """)
        total = sum(i * i for i in range(1, 201))
        for jobs in (1, 2):
            code, out, err = folder.run("once.lua", jobs)
            assert code == 0 and out == f"0\t{total}.0\n", out + err
            assert folder.starts() == 205, folder.starts()
            for name in os.listdir(folder.path):
                if name != "once.lua":
                    os.remove(os.path.join(folder.path, name))


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
