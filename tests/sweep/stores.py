"""Stores that others use, that are damaged, or that are none; disks that fill; exports."""
import glob
import json
import os
import resource
import signal
import sqlite3
import struct
import zipfile

from helpers import Folder, PATIENCE


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
