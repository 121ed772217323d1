"""What a sweep says while it runs and when it ends."""
import json
import os
import re
import signal
import sqlite3
import subprocess
import time

from helpers import Folder, PATIENCE, PERCUSS


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
