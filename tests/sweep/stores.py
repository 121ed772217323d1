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


def remake(path, *statements):
    """Rebuild the tables of a store without their constraints, then do the rest of what is asked."""
    db = sqlite3.connect(path)
    for table in ("sweep", "column"):
        db.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
        db.execute(f"DROP TABLE {table}")
        db.execute(f"ALTER TABLE loose RENAME TO {table}")
    for text in statements:
        db.execute(text)
    db.commit()
    db.close()  # which ends its journal


def test_what_others_wrote_into_a_store_is_not_believed():
    damages = [
        ("UPDATE column SET name = NULL WHERE position = 2", "the name of column 2 of POINTS is no text"),
        ("UPDATE column SET unit = NULL WHERE position = 3", "the unit of column 3 of POINTS is no text"),
        ("UPDATE column SET unit = x'6d00' WHERE position = 1", "the unit of column 1 of POINTS is no text"),
        ("UPDATE column SET role = NULL WHERE position = 1", "the role of column 1 of POINTS is no text"),
        ("UPDATE column SET name = 'other' WHERE position = 3",
         "column 4 of the points of POINTS is 'chance', not 'other'"),
        ("DELETE FROM column WHERE position = 3", "the points of POINTS have 6 columns, not 5"),
        ("UPDATE sweep SET name = NULL", "the name of a sweep is no text"),
        ("UPDATE sweep SET function = NULL", "the function of POINTS is no text"),
        ("UPDATE sweep SET points = NULL", "POINTS has no number of points"),
        ("UPDATE sweep SET points = -3", "POINTS has no number of points"),
        ("UPDATE points SET \"index\" = 7 WHERE \"index\" = 5", "POINTS has a point 7 after point 4 of 5"),
        ("UPDATE points SET \"index\" = -7 WHERE \"index\" = 5", "POINTS has a point -7 after point 0 of 5"),
        ("UPDATE points SET square = 'x' WHERE \"index\" = 2", "'square' of point 2 of POINTS is no number"),
        ("UPDATE points SET error = x'00' WHERE \"index\" = 2", "the error of point 2 of POINTS is no text"),
        ("DROP TABLE points", "POINTS has no table of points"),
        ("DROP TABLE column", "it has no table 'column'"),
    ]
    with Folder() as folder:
        code, _, err = folder.run("sweep.lua", 5, 0, "good.db")
        assert code == 0, err
        folder.write("read.lua", 'print(require "percuss".store.read(arg[1]))')
        for statement, told in damages:
            told = told.replace("POINTS", "the sweep 'points'")
            for name in glob.glob(folder.path + "/a.db*"):
                os.remove(name)
            with open(folder.path + "/a.db", "wb") as file:
                file.write(folder.read("good.db"))
            remake(folder.path + "/a.db", statement)
            for words in (("read.lua", "a.db"), ("--merge", "all.db", "a.db")):
                code, out, err = folder.run(*words)
                assert f"the store 'a.db' is damaged: {told}" in " ".join((out + err).split()), (statement, out, err)
                assert code == (0 if words[0] == "read.lua" else 1), (statement, code)
            code, out, _ = folder.run("sweep.lua", 5, 0, "a.db")
            assert code == 2 and "a.db" in out, (statement, out)


def test_more_points_than_anybody_counts_are_told_at_once():
    with Folder() as folder:
        code, _, err = folder.run("sweep.lua", 5, 0, "a.db")
        assert code == 0, err
        with sqlite3.connect(folder.path + "/a.db") as db:
            db.execute("UPDATE sweep SET points = 9000000000000000000")
            db.execute("DELETE FROM points WHERE \"index\" IN (2, 4)")
        code, out, _ = folder.run("--merge", "all.db", "a.db")
        assert code == 1 and "3 of 9000000000000000000 points" in out, out
        assert "missing 2 to 6, every 2\n" in out and "missing 7 to 9000000000000000000\n" in out, out


def test_views_and_triggers_of_a_store_do_nothing():
    with Folder() as folder:
        code, _, err = folder.run("sweep.lua", 5, 0, "a.db")
        assert code == 0, err
        with sqlite3.connect(folder.path + "/a.db") as db:
            db.execute("CREATE TRIGGER t BEFORE INSERT ON points BEGIN DELETE FROM sweep; END")
            db.execute("DELETE FROM points WHERE \"index\" = 3")
        code, out, err = folder.run("sweep.lua", 5, 0, "a.db")
        assert code == 0 and "skipped\t4\tcomputed\t1" in out, out + err
        with sqlite3.connect(folder.path + "/a.db") as db:
            assert db.execute("SELECT count(*) FROM sweep").fetchone()[0] == 1
            db.execute("ALTER TABLE points RENAME TO mine")
            db.execute("CREATE VIEW points AS SELECT * FROM mine")
        code, out, _ = folder.run("sweep.lua", 5, 0, "a.db")
        assert code == 2 and "has no table of points" in out, out
