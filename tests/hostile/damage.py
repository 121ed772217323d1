"""Stores of sweeps and how to damage them: by SQL, as somebody with the sqlite3 shell would, and byte by byte."""
import os
import random
import sqlite3
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

# The same tables without what keeps NULL and doubles out, as another program may have made them.
LOOSE = """
CREATE TABLE sweep (name, points, parameters, function, program, processor, begun);
CREATE TABLE column (sweep, position, name, unit, role);
"""

ENDLESS = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x AS \"index\", x, x AS square, " \
    "x AS half, 0.0 AS seconds, NULL AS error FROM c"

VALUES = ["NULL", "''", "'x'", "-1", "0", "1", "2", "12", "13", "9223372036854775807", "-9223372036854775808", "1e300",
          "1.5", "x'00ff'", "x''", "'a' || char(0) || 'b'", "zeroblob(100000)",
          "replace(hex(zeroblob(50000)), '0', 'n')", "'\"'", "''''", "'%s%n'", "char(10)", "char(27) || '[2J'",
          "'points'", "'sweep'", "'column'", "'index'",
          "'error'", "'seconds'", "'sqlite_master'", "'square'", "cast(x'fffe' AS TEXT)", "1e999", "'nan'"]

COLUMNS = {
    "sweep": ["name", "points", "parameters", "function", "program", "processor", "begun"],
    "column": ["sweep", "position", "name", "unit", "role"],
    "points": ['"index"', "x", "square", "half", "seconds", "error"],
}


def make_good(folder):
    """good.db: half of a sweep, with failed points among them."""
    script = os.path.join(folder, "good.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write("""
            local pc = require "percuss"
            local function sweep(shard)
                pc.sweep{ over = { { "x", pc.linspace(0, 1, 12), unit = "m" } }, columns = { "square", "half" },
                    units = { square = "m^2" }, store = "good.db", jobs = 1, progress = "none", shard = shard,
                    run = function(p)
                        if p.x > 0.9 then error "too far" end
                        return { square = p.x ^ 2, half = p.x / 2 }
                    end }
            end
            sweep "2/2"
            pc.store.merge("good.db", { "good.2of2.db" })""")
    subprocess.run([os.environ["PERCUSS"], script], cwd=folder, check=True)
    for name in os.listdir(folder):
        if name != "good.db":
            os.remove(os.path.join(folder, name))
    loosen(folder)


def loosen(folder):
    with sqlite3.connect(os.path.join(folder, "good.db")) as good:
        rows = {table: good.execute(f"SELECT * FROM {table}").fetchall() for table in COLUMNS}
        kind, version = (good.execute(f"PRAGMA {word}").fetchone()[0] for word in ("application_id", "user_version"))
    loose = sqlite3.connect(os.path.join(folder, "loose.db"))
    loose.executescript(LOOSE + f"PRAGMA application_id = {kind}; PRAGMA user_version = {version};")
    loose.execute('CREATE TABLE points ("index" INTEGER PRIMARY KEY, x, square, half, seconds, error)')
    for table, list_of in rows.items():
        for row in list_of:
            loose.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    loose.commit()
    loose.close()


def statement(rng):
    """One statement of SQL that does harm."""
    table = rng.choice(list(COLUMNS))
    column = rng.choice(COLUMNS[table])
    value = rng.choice(VALUES)
    kind = rng.randrange(20)
    if kind < 11:
        some = rng.choice(["", "", f" WHERE rowid = {rng.randrange(1, 7)}", f" WHERE rowid % 2 = {rng.randrange(2)}"])
        return f"UPDATE {table} SET {column} = {value}{some}"
    if kind == 11:
        return f"DROP TABLE {table}"
    if kind == 12:
        return f"ALTER TABLE {table} DROP COLUMN {column}"
    if kind == 13:
        return f"ALTER TABLE {table} ADD COLUMN {rng.choice(['extra', 'wide REAL', 'made AS (zeroblob(1e9))'])}"
    if kind == 14:
        return f"ALTER TABLE {table} RENAME COLUMN {column} TO {rng.choice(['other', 'Index', '[a b]', 'unit'])}"
    if kind == 15:
        body = rng.choice([ENDLESS, "SELECT * FROM points", "SELECT zeroblob(1e9), 1, 2, 3, 4, 5", "SELECT 1"])
        return f"DROP TABLE {table}; CREATE VIEW {table} AS {body}"
    if kind == 16:
        action = rng.choice([f"INSERT INTO {table} SELECT * FROM {table}", "SELECT raise(FAIL, 'no')",
                             "DELETE FROM sweep", ENDLESS])
        return f"CREATE TRIGGER t BEFORE INSERT ON points BEGIN {action}; END"
    if kind == 17:
        return f"INSERT INTO {table} SELECT * FROM {table}"
    if kind == 18:
        return f"PRAGMA {rng.choice(['application_id', 'user_version'])} = {rng.randrange(3)}"
    return f"DELETE FROM {table}{rng.choice(['', ' WHERE rowid = 1'])}"


def by_sql(rng, path):
    db = sqlite3.connect(path, isolation_level=None)
    try:
        for _ in range(rng.randrange(1, 3)):
            try:
                db.executescript(statement(rng))
            except sqlite3.Error:
                pass  # a constraint that stood; what else was changed is damage enough
    finally:
        db.close()


def by_bytes(rng, path):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(rng.choice([1, 1, 2, 5, 50])):
        at = rng.randrange(rng.choice([100, 4096, len(data)]))
        if rng.random() < 0.5:
            # a page is mostly empty: near what is in use
            at = rng.choice([i for i in range(at, min(at + 2000, len(data))) if data[i]] or [at])
        kind = rng.randrange(6)
        if kind < 3:
            data[at] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
        elif kind == 3:
            n = rng.randrange(1, 200)
            data[at:at + n] = rng.randbytes(len(data[at:at + n]))
        elif kind == 4:
            data[at:at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\0\0\0\x01"])
            data = data[:max(len(data), 1)]
        else:
            a, b = (4096 * rng.randrange(len(data) // 4096) for _ in range(2))
            data[a:a + 4096], data[b:b + 4096] = data[b:b + 4096], data[a:a + 4096]
    if rng.random() < 0.1:
        data = data[:rng.randrange(len(data))]
    with open(path, "wb") as file:
        file.write(data)
    if rng.random() < 0.1:
        with open(path + rng.choice(["-wal", "-journal"]), "wb") as file:
            file.write(rng.randbytes(rng.randrange(1, 5000)))


def prepare(folder, first, last, seed):
    """N.db for the cases first to last."""
    if not os.path.exists(os.path.join(folder, "good.db")):
        make_good(folder)
    for case in range(first, last + 1):
        rng = random.Random(f"{seed} {case}")
        path = os.path.join(folder, f"{case}.db")
        with open(os.path.join(folder, rng.choice(["good.db", "loose.db"])), "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(data)
        (by_sql if rng.random() < 0.6 else by_bytes)(rng, path)
