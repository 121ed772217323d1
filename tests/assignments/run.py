"""Assignments from the outside: hostile submissions, a class that is killed half-way, tolerances at their edges, the
commands. Usage: run.py PERCUSS. The last line is "N passed, N failed"."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the checkout stays as it is

from attacks import ATTACKS, CANARY, FILE, SECRET  # noqa: E402
from campaign import campaign  # noqa: E402
from checking import test_checking  # noqa: E402
from degraded import test_degraded  # noqa: E402
from figures import test_figures  # noqa: E402
from handed_in import test_handed_in  # noqa: E402
from helpers import PERCUSS, check, counts, read, rows, run, write  # noqa: E402
from judging import test_judging  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
ASSIGNMENTS = os.path.join(HERE, "..", "..", "scripts", "assignments")

# Every part here has the right answer 3.5 m, whoever asks.
TARGET = """
local A = require "percuss.assignment"
return A.new{
    name = "target",
    limits = { seconds = %g, instructions = 2e7, memory = 48, reply = 1 },
    parts = {
        A.number{ name = "a", points = 1, text = "a length", unit = "m", digits = 3, answer = 3.5 },
        A.number{ name = "b", points = 1, text = "a length", unit = "m", digits = 3, answer = 3.5 },
        A.chart{ name = "c", points = 1, text = "a chart", x = { unit = "s" }, y = { unit = "m" } },
        A.law{ name = "d", points = 1, text = "a law", answer = function(_, x) return x end,
            inputs = function() return { { 1.0 }, { 2.0 } } end },
    },
}
"""

HONEST = 'local work = ...\nfunction work.b() return 3.5, "m" end\n'
SECRET_TEXT = "secret-7219"


def odd_files(folder):
    """Names and kinds of files that a folder of submissions should not have; a pipe would block whoever opens it."""
    honest = HONEST + 'function work.a() return 3.5, "m" end\n'
    os.symlink("../secret.txt", os.path.join(folder, "zz-link.lua"))
    os.symlink("honest.lua", os.path.join(folder, "zz-link-inside.lua"))
    os.symlink("nowhere", os.path.join(folder, "zz-dangling.lua"))
    os.mkfifo(os.path.join(folder, "zz-pipe.lua"))
    os.mkdir(os.path.join(folder, "zz-folder.lua"))
    write(os.path.join(folder, "zz-long.lua"), "-" * (2 << 20))
    write(os.path.join(folder, "zz-empty.lua"), "")
    for name in ["=2+3", "-rf", "a b'\"", "<b>x", "new\nline", "..", "ünï", "x" * 200, "$(reboot)", "%2e"]:
        write(os.path.join(folder, name + ".lua"), honest)
    write(os.path.join(os.fsencode(folder), b"\xff\xfe.lua"), honest)
    write(os.path.join(folder, "notes.txt"), "not a submission")
    return {"link", "link-inside", "dangling", "pipe", "folder", "long"}


def children_left():
    """Processes of sandboxes that are still there."""
    left = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().split(b"\0")
            with open("/proc/%s/stat" % pid) as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if len(words) > 1 and words[1] == b"--sandbox-child" and parent in (1, os.getpid()):
            left.append(pid)
    return left


def controls(base, secret):
    """What the sandbox has to bar works outside it: else the attacks would prove nothing."""
    free = os.path.join(base, "free")
    said = run("-e", 'local pc = require "percuss" print(pc.file.read("%s"), pc.file.write("%s", "x") ~= nil, '
               'pc.sweep{ over = { { "x", { 1, 2 } } }, columns = { "y" }, jobs = 2, '
               'run = function(p) return { y = p.x } end }.y, '
               '#pc.file.list("/") > 0, io.open("link-out"):read("a"), os.getenv("HOME") ~= nil)' % (secret, free),
               cwd=base)
    check("outside the sandbox files and processes are in reach",
          said.count(SECRET_TEXT) == 2 and said.count("true") == 3, said)
    os.remove(free)


def test_attacks(base):
    submissions = os.path.join(base, "submissions")
    os.mkdir(submissions)
    secret, canary = os.path.join(base, "secret.txt"), os.path.join(base, "canary")
    write(secret, SECRET_TEXT)
    write(os.path.join(base, "target.lua"), TARGET % 4)
    for name, text, _ in ATTACKS:
        prefix = "" if text.startswith(("\x1b", "\0")) else HONEST
        write(os.path.join(submissions, name + ".lua"), prefix + text.replace(SECRET, secret).replace(CANARY, canary))
    write(os.path.join(submissions, "honest.lua"), HONEST + 'function work.a() return "3.50 m" end\n')
    unread = odd_files(submissions)
    os.symlink("secret.txt", os.path.join(base, "link-out"))
    os.symlink(".", os.path.join(base, "link-folder"))
    os.mkfifo(os.path.join(base, "pipe-in"))
    controls(base, secret)

    out = os.path.join(base, "grades.csv")
    said = run("assignment", "grade", "target.lua", "submissions", "--out", out, cwd=base)
    check("the walls that stand are told", "Sandbox:" in said, said)
    table = {row["file"]: row for row in rows(out)}
    for name, _, verdicts in ATTACKS:
        row = table.get(name + ".lua", {})
        got = row.get("a verdict")
        check("the attack %s is reported" % name, got in verdicts, (got, row.get("a message")))
        if FILE not in verdicts:
            check("the attack %s costs its own part only" % name, row.get("b verdict") == "right", row.get("b message"))
    check("an honest submission among them has its points", table["honest.lua"]["total"] == "2", table["honest.lua"])
    for name in unread:
        check("the %s is not read" % name, table["zz-%s.lua" % name]["a verdict"] == "not run")
    check("odd names are graded", table["'=2+3.lua"]["b verdict"] == "right")
    check("every submission has a row", len(table) == len(ATTACKS) + 1 + 7 + 11, len(table))
    check("nothing was written outside", not [n for n in os.listdir(base) if n.startswith("canary")])
    reports = os.path.join(base, "grades-reports")
    names = [name for name in os.listdir(reports) if name.endswith((".html", ".svg"))]
    pages = {name: read(os.path.join(reports, name)) for name in names}
    everything = read(out) + "".join(pages.values())
    check("the secret is told to nobody", SECRET_TEXT not in everything)
    check("no page has a script", not [name for name, text in pages.items() if "<script" in text])
    check("no page has a control character", not [name for name, text in pages.items() if "\x1b" in text])
    check("no field starts a formula", not [1 for line in read(out).split(",") if line.startswith(("=", "@"))])
    check("giant output is told", "64 KiB" in table["giant-output.lua"]["remarks"])
    check("no process is left", not children_left(), children_left())
    run("assignment", "grade", "target.lua", "submissions", "--out", out + "2", "--reports", reports, cwd=base)
    check("grading again gives the same scores", read(out) == read(out + "2"))


# ---- a class, killed and resumed ----

def class_of(base, n):
    """Submissions of a generated class: right, wrong, in other units, slow and broken ones, some of them copied."""
    folder = os.path.join(base, "class")
    os.mkdir(folder)
    for i in range(n):
        kind = i % 8
        speed = "math.sqrt(2 * 9.81 * d.height)"
        answer = [speed + ', "m/s"', "1e3 * " + speed + ', "mm/s"', "-" + speed + ', "m/s"', speed + ', "s"',
                  '(function() for i = 1, 3e5 do speed = i end return "' + "99 m/s" + '" end)()', "nil", 'error("no")',
                  'string.format("%.3g m/s", ' + speed + ")"][kind]
        text = ("local work = ...\nlocal d = work.data\nfunction work.speed() return %s end\n"
                "function work.rebound(v) return -%g * v * d.restitution end\n" % (answer, 1 if kind < 4 else 1.1))
        write(os.path.join(folder, "s%03d.lua" % i), text)
    return folder


def test_class(base, n):
    run("new", "assignment", "bounce", cwd=base)
    class_of(base, n)
    tables = []
    for attempt in (1, 2):
        out, reports = os.path.join(base, "class%d.csv" % attempt), os.path.join(base, "reports%d" % attempt)
        command = [PERCUSS, "assignment", "grade", "bounce.lua", "class", "--out", out, "--reports", reports,
                   "--jobs", "2"]
        process = subprocess.Popen(command, cwd=base, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        records = os.path.join(reports, "records")
        deadline = time.time() + 300
        while time.time() < deadline and process.poll() is None:
            if os.path.isdir(records) and len(os.listdir(records)) >= n // 2 + 7 * attempt:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        check("the grading was killed half-way", process.wait() == -signal.SIGKILL and not os.path.exists(out))
        done = len([name for name in os.listdir(records) if name.endswith(".txt")])
        said = run(*command[1:], cwd=base)
        check("resuming keeps what was graded", "%d of them graded before" % done in said, said)
        tables.append(read(out))
        check("no process is left after the kill", not children_left(), children_left())
    check("a class killed and resumed twice has equal scores", tables[0] == tables[1])
    table = rows(os.path.join(base, "class1.csv"))
    check("the whole class is graded", len(table) == n, len(table))
    verdicts = [row["speed verdict"] for row in table[:8]]
    # the fifth hands in a number that is right for nobody here
    check("the generated answers have their verdicts", verdicts == [
        "right", "right", "wrong", "wrong unit", "wrong", "missing", "error", "right"], verdicts)
    check("the summary tells the class", "%d submissions" % n in read(os.path.join(base, "reports1", "class.html")))
    write(os.path.join(base, "class", "s000.lua"), "local work = ...")
    said = run("assignment", "grade", "bounce.lua", "class", "--out", os.path.join(base, "class1.csv"), "--reports",
               os.path.join(base, "reports1"), cwd=base)
    check("only a changed submission is graded again", "%d of them graded before" % (n - 1) in said, said)


def test_alike(base):
    """A copy with other names and numbers is told; two people's own programs are not."""
    folder = os.path.join(base, "alike")
    os.mkdir(folder)
    mine = """local work = ...
function work.speed()
    local total = 0
    for i = 1, 10 do
        if i % 2 == 0 then total = total + i * 3 else total = total - (i + 1) / 2 end
    end
    local list = { 1, 2, 3 }
    while #list > 1 do list[#list] = nil end
    return total * list[1], 'm/s'
end
"""
    copy = mine.replace("total", "sum").replace("list", "values").replace("10", "12") + "-- my own work\n"
    other = """local work = ...
local d = work.data
function work.speed() return math.sqrt(2 * 9.81 * d.height), 'm/s' end
function work.rebound(v) return math.abs(v) * d.restitution end
"""
    for name, text in (("ann", mine), ("bob", copy), ("cid", other)):
        write(os.path.join(folder, name + ".lua"), text)
    run("assignment", "grade", "bounce.lua", "alike", "--out", "alike.csv", cwd=base)
    page = read(os.path.join(base, "alike-reports", "class.html"))
    check("a copy with other names is told", "ann and bob" in page)
    check("different programs are not", "cid" not in page.split("look alike")[1].split("<h2>")[0])


# ---- judging at its edges ----

EDGES = """
local A = require "percuss.assignment"
return A.new{ name = "edges", parts = {
    A.number{ name = "digits", points = 1, text = "", unit = "m", digits = 3, answer = 4.4 },
    A.number{ name = "loose", points = 1, text = "", unit = "m", relative = 0.125, answer = 2 },
    A.number{ name = "angle", points = 1, text = "", unit = "rad", digits = 3, answer = math.pi / 6 },
    A.number{ name = "mm", points = 1, text = "", unit = "mm", digits = 3, answer = 250,
        mistakes = { { answer = function(_, right) return 2 * right end, credit = 0.5, message = "diameter" } } },
    A.number{ name = "zero", points = 1, text = "", unit = "J", absolute = 1e-3, answer = 0 },
    A.number{ name = "pure", points = 1, text = "", unit = "", digits = 2, answer = 0.75 },
    A.number{ name = "quick", points = 1, text = "", unit = "", seconds = 0.5, answer = 1 },
    A.curve{ name = "list", points = 1, text = "", unit = "m", relative = 0.125, answer = { 1, 2, 4 } },
} }
"""

CASES = [
    ("quick", "('a'):rep(40):find(('.-'):rep(40) .. 'b')", "time"), ("quick", "1", "right"),
    ("digits", '"4.40 m"', "right"), ("digits", '"4.4 m"', "too few digits"), ("digits", "4.4, 'm'", "right"),
    ("digits", '"4.4 m", "m"', "too few digits"), ("digits", '"4 m"', "too few digits"),
    ("digits", "4, 'm'", "too few digits"), ("digits", '"4.41 m"', "right"), ("digits", '"4.43 m"', "wrong"),
    ("digits", "4.4", "wrong unit"), ("digits", '"4400 mm"', "right"), ("digits", "4400, 'mm'", "right"),
    ("digits", "4.40, 'mm'", "wrong"), ("digits", "4400, 'm'", "wrong"), ("digits", '"0.00440 km"', "right"),
    ("digits", '"4.40e0 m"', "right"), ("digits", '"4,40 m"', "not a number"), ("digits", '"4.40 kg"', "wrong unit"),
    ("digits", '"4.40 furlong"', "wrong unit"), ("digits", "{ 4.4, 'm' }", "right"), ("digits", "nil", "missing"),
    ("digits", "-4.4, 'm'", "wrong"), ("digits", '"nan m"', "not a number"), ("digits", '"inf m"', "not a number"),
    ("digits", "0/0, 'm'", "not a number"), ("digits", "-1/0, 'm'", "not a number"),
    ("digits", "true", "not a number"), ("digits", "{}", "not a number"), ("digits", '"4.40m"', "right"),
    ("digits", '"1e400 m"', "wrong"), ("digits", '""', "not a number"),
    ("loose", "2.25, 'm'", "right"), ("loose", "1.75, 'm'", "right"), ("loose", "2.2500001, 'm'", "wrong"),
    ("loose", "1.7499999, 'm'", "wrong"),
    ("angle", "math.pi/6, 'rad'", "right"), ("angle", "30, 'deg'", "right"), ("angle", '"30.0 deg"', "right"),
    ("angle", "30, 'rad'", "wrong"), ("angle", "math.pi/6, '1'", "right"), ("angle", "math.pi/6", "wrong unit"),
    ("mm", '"250 mm"', "right"), ("mm", '"0.250 m"', "right"), ("mm", '"25.0 cm"', "right"),
    ("mm", '"500 mm"', "partly"), ("mm", '"0.25 m"', "too few digits"),
    ("zero", "0, 'J'", "right"), ("zero", "1e-3, 'J'", "right"), ("zero", "1.001e-3, 'J'", "wrong"),
    ("zero", "0, 'N m'", "right"), ("zero", "0, 'N'", "wrong unit"),
    ("pure", "0.75", "right"), ("pure", '"75 %"', "right"), ("pure", '"0.75"', "right"),
    ("pure", "0.75, 'm'", "wrong unit"),
    ("list", "{ 1, 2, 4 }, 'm'", "right"), ("list", "{ 1.5, 2, 4 }, 'm'", "right"),
    ("list", "{ 1.51, 2, 4 }, 'm'", "wrong"), ("list", "{ 1000, 2000, 4000 }, 'mm'", "right"),
    ("list", "{ 1, 2 }, 'm'", "wrong"), ("list", "{ 1, 2, 4 }", "wrong unit"),
    ("list", "{ 1, 2, 0/0 }, 'm'", "not a number"), ("list", "{ 1, 'x', 4 }, 'm'", "not a number"),
    ("list", "7", "not a number"),
]


def test_edges(base):
    write(os.path.join(base, "edges.lua"), EDGES)
    folder = os.path.join(base, "edges")
    os.mkdir(folder)
    for i, (name, answer, _) in enumerate(CASES):
        text = "local work = ...\nfunction work.%s() return %s end\n" % (name, answer)
        write(os.path.join(folder, "e%03d.lua" % i), text)
    run("assignment", "grade", "edges.lua", "edges", "--out", "edges.csv", cwd=base)
    table = {row["id"]: row for row in rows(os.path.join(base, "edges.csv"))}
    for i, (name, answer, verdict) in enumerate(CASES):
        row = table["e%03d" % i]
        check("%s = %s is %s" % (name, answer, verdict), row[name + " verdict"] == verdict,
              (row[name + " verdict"], row[name + " message"]))
    messages = [table["e%03d" % i]["%s message" % case[0]] for i, case in enumerate(CASES)]
    told = dict(zip([case[:2] for case in CASES], messages))
    check("the sign is recognised", "sign" in told["digits", "-4.4, 'm'"])
    check("a power of ten is recognised", "power of ten" in told["digits", "4400, 'm'"])
    check("degrees are recognised", "degrees" in told["angle", "30, 'rad'"])
    check("a mistake of the assignment is recognised", told["mm", '"500 mm"'] == "diameter")


# ---- the commands ----

def test_student(base):
    run("assignment", "start", "bounce.lua", "--id", "s7", cwd=base)
    said = run("assignment", "start", "bounce.lua", "--id", "s7", cwd=base, code=1)
    check("a work file is not replaced", "exists already" in said, said)
    run("assignment", "start", "bounce.lua", "--id", "../x", cwd=base, code=1)
    check("an id is no path", not os.path.exists(os.path.join(base, "..", "x.lua")))
    text = read(os.path.join(base, "s7.lua"))
    said = run("assignment", "check", "s7.lua", cwd=base)
    check("an untouched file has no answers", said.count("missing") == 5, said)
    write(os.path.join(base, "s7.lua"), text.replace('return nil, "m/s"', 'return math.sqrt(9.81 * d.height), "m/s"'))
    first = run("assignment", "check", "s7.lua", "speed", cwd=base)
    second = run("assignment", "check", "s7.lua", "speed", cwd=base)
    check("a known mistake has a word", "kinetic energy" in first, first)
    check("a hint comes after two wrong tries", "hint" not in first and "hint" in second, (first, second))
    right = text.replace('return nil, "m/s"', 'return math.sqrt(2 * 9.81 * d.height), "m/s"')
    write(os.path.join(base, "s7.lua"), right)
    said = run("assignment", "check", "s7.lua", "speed", cwd=base)
    check("the right answer is right", "right" in said and "2 of 2" in said, said)
    run("assignment", "check", "none.lua", cwd=base, code=1)
    run("assignment", cwd=base, code=1)
    said = run("-e", 'percuss = require "percuss" percuss.check("s7.lua", "speed")', cwd=base)
    check("check() at the prompt says the same", "right" in said, said)
    os.mkdir(os.path.join(base, "wrong"))
    shutil.copy(os.path.join(base, "s7.lua"), os.path.join(base, "wrong", "s8.lua"))
    run("assignment", "grade", "bounce.lua", "wrong", "--out", "wrong.csv", cwd=base)
    row = rows(os.path.join(base, "wrong.csv"))[0]
    check("a wrong id is told, and nothing is graded", "says student s7" in row["remarks"] and row["total"] == "0", row)
    run("assignment", "grade", "bounce.lua", "wrong", "--out", "wrong.csv", "--ids", "name", cwd=base)
    row = rows(os.path.join(base, "wrong.csv"))[0]
    # the body of the file computes from its own data, hence is right for any id; numbers copied from another are not
    check("an answer computed from the data is right for whoever hands it in", row["speed verdict"] == "right", row)


def test_solutions(base):
    """A model solution earns every point that needs no person."""
    solutions = os.path.join(ASSIGNMENTS, "solutions")
    names = sorted(name[:-4] for name in os.listdir(ASSIGNMENTS) if name.endswith(".lua"))
    check("there are six assignments", len(names) == 6, names)
    for name in names:
        folder = os.path.join(base, "model-" + name)
        os.mkdir(folder)
        for student in ("s1", "s2", "s3", "anna", "m-17"):
            shutil.copy(os.path.join(solutions, name + ".lua"), os.path.join(folder, student + ".lua"))
        out = os.path.join(base, name + ".csv")
        run("assignment", "grade", os.path.join(ASSIGNMENTS, name + ".lua"), folder, "--out", out, cwd=base)
        for row in rows(out):
            verdicts = {key: value for key, value in row.items() if key.endswith(" verdict")}
            check("the model solution of %s is right for %s" % (name, row["id"]),
                  set(verdicts.values()) <= {"right", "person"}, row)


def main():
    base = tempfile.mkdtemp(prefix="percuss-assignments-")
    try:
        test_attacks(base)
        test_class(base, 200)
        test_alike(base)
        test_edges(base)
        test_student(base)
        test_solutions(base)
        test_figures(base)
        test_degraded(base)
        test_checking(base)
        test_judging(base)
        test_handed_in(base)
        campaign(base, 1, 12)
    finally:
        shutil.rmtree(base)
    print("%d passed, %d failed" % (counts["passed"], counts["failed"]))
    sys.exit(counts["failed"] > 0)


main()
