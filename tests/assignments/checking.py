"""Checks of work files that came from somebody else: nothing that they name runs outside the sandbox, is printed as it
is, or is written through a link. And a check says what grading says."""

import os
import shutil
import signal
import subprocess
import time

from helpers import PERCUSS, check, read, rows, run, write

ASSIGNMENTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "scripts", "assignments")

HEAD = "-- percuss assignment: x\n-- student: s1\n-- file: %s\n"

# What an assignment in a hostile folder does; each has to leave no canary, and the check has to end.
HOSTILE = {
    "writes": 'io.open("CANARY", "w"):write("x"):close()',
    "writes-by-percuss": 'require("percuss").file.write("CANARY", "x")',
    "executes": 'os.execute("touch CANARY")',
    "opens": 'io.popen("touch CANARY"):close()',
    "requires": 'package.path = "./?.lua;" .. package.path require "neighbour"',
    "does": 'dofile "neighbour.lua"',
    "loads": 'loadfile("neighbour.lua")()',
    "saves": 'local f = require("percuss").chart.figure{} f:panel{}:line{ { 0, 1 }, { 0, 1 } } f:save "CANARY"',
    "makes-folder": 'require("percuss").make_directory "CANARY"',
    "sweeps": 'require("percuss").sweep{ over = { { "x", { 1, 2 } } }, columns = { "y" }, jobs = 2,\n'
              'run = function(p) os.execute "touch CANARY" return { y = 1 } end }',
    "starts": 'require("percuss.assignment_student").start("neighbour.lua", "s1", "CANARY")',
    "makes": 'require("percuss.assignment_template").write "CANARY"',
    "grades": 'require("percuss.assignment_grade").grade("neighbour.lua", ".", { out = "CANARY" })',
    "changes-the-library": 'local A = require "percuss.assignment" A.parse = nil A.data = nil\n'
                           'package = nil require = nil pcall = nil error = nil pairs = nil',
    "says-escapes": 'error("\\27[2Jcleared\\27]0;title\\7", 0)',
    "leaves": "os.exit(0)",
    "recurses": "local function f() return 1 + f() end f()",
    "fills": 'local s = "x" while true do s = s .. s end',
}

# Assignments that load, and lie about themselves: the field of A.new's result that is replaced.
LIES = {
    "names": 'parts[1].name = "\\27[2J"', "numbers": "parts[1].points = 0/0", "hints": "parts[1].hints = { 7 }",
    "limits": "limits.memory = 60000", "texts": "limits = nil", "nothing": "parts = {}",
    "words": 'parts[1].judge = function() return { verdict = "\\27[2J", score = 1 } end',
    "scores": 'parts[1].judge = function() return { verdict = "right", score = 1e9 } end',
    "fails": 'parts[1].judge = function() error("\\27[2J") end',
    "asks": 'parts[1].judge = function(_, _, _, ask) ask{ 7 } end',
    "asks-nothing": 'parts[1].judge = function(_, _, _, ask) ask(7) end',
    "data": "make_data = function() return 7 end",
}

ASSIGNMENT = """
local A = require "percuss.assignment"
local mine = A.new{ name = "x", parts = {
    A.number{ name = "a", points = 1, text = "", unit = "m", digits = 3, answer = 1, hints = { { 1, "a hint" } } },
} }
%s
return mine
"""

MARK = "CANARY"


def left(folder):
    return [name for name in os.listdir(folder) if name.startswith(MARK)]


def test_hostile_folder(base):
    write(os.path.join(base, "neighbour.lua"), 'io.open("CANARY", "w"):close()\n')
    for name, text in HOSTILE.items():
        write(os.path.join(base, "self.lua"), HEAD % "self.lua" + text + "\n")
        write(os.path.join(base, "named.lua"), HEAD % "other.lua" + "local work = ...\n")
        write(os.path.join(base, "other.lua"), text + "\n" + ASSIGNMENT % "")
        # a file that names itself is the same to the check; a few of them are enough
        for work in ("self.lua", "named.lua") if name in ("writes", "executes") else ("named.lua",):
            done = subprocess.run([PERCUSS, "assignment", "check", work], cwd=base, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            said = done.stdout.decode("utf-8", "replace")
            check("an assignment that %s runs confined (%s)" % (name, work), not left(base), (left(base), said))
            check("the check of one that %s says something, and no escapes" % name,
                  said != "" and "\x1b" not in said and "stack traceback" not in said, said)
            for found in left(base):
                shutil.rmtree(os.path.join(base, found), ignore_errors=True)
    done = subprocess.run([PERCUSS, "-e", 'percuss = require "percuss" print(percuss.check("self.lua"))'], cwd=base,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    check("check() at the prompt runs it confined as well", not left(base) and done.returncode == 0, done.stdout)
    write(os.path.join(base, "self.lua"), HEAD % "self.lua" + HOSTILE["writes"] + "\n")
    for words in (("assignment", "check", "self.lua"), ("assignment", "check", "self.lua", "--assignment", "self.lua"),
                  ("-e", 'percuss = require "percuss" percuss.check("self.lua")'),
                  ("-e", 'percuss = require "percuss" percuss.check()')):
        subprocess.run([PERCUSS, *words], cwd=base, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120)
        check("nothing of it runs by %s" % " ".join(words), not left(base))
    # the same file does write where it runs as a program: else nothing above would prove anything
    run("self.lua", cwd=base)
    check("outside the sandbox the canary is written", left(base) == [MARK])
    os.remove(os.path.join(base, MARK))


def test_lies(base):
    write(os.path.join(base, "w.lua"), HEAD % "lies.lua" + "local work = ...\nfunction work.a() return '1.00 m' end\n")
    for name, lie in LIES.items():
        write(os.path.join(base, "lies.lua"), ASSIGNMENT % ("mine." + lie))
        done = subprocess.run([PERCUSS, "assignment", "check", "w.lua"], cwd=base, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        said = done.stdout.decode("utf-8", "replace")
        check("an assignment that lies about its %s is refused or judges nothing" % name,
              "stack traceback" not in said and "\x1b" not in said and (done.returncode == 1 or "not judged" in said
              or name == "words"), (done.returncode, said))
    write(os.path.join(base, "lies.lua"), ASSIGNMENT % "")
    said = run("assignment", "check", "w.lua", cwd=base)
    check("one that does not is believed", "right" in said and "1 of 1" in said, said)


def test_tries(base):
    """The file of tries is not written through a link, and what stands in it is read in no time."""
    victim = os.path.join(base, "victim.txt")
    write(victim, "mine")
    write(os.path.join(base, "t.lua"), HEAD % "lies.lua" + "local work = ...\nfunction work.a() return '2.00 m' end\n")
    tries = os.path.join(base, "t.lua.tries")
    os.symlink(victim, tries)
    run("assignment", "check", "t.lua", cwd=base)
    check("tries are not written through a link", read(victim) == "mine" and os.path.islink(tries))
    os.remove(tries)
    for text in ("a" * 60000, "a 1" * 20000, "a " + "9" * 50000, "\0" * 1000, "a 1\n" * 10000):
        write(tries, text)
        begin = time.time()
        said = run("assignment", "check", "t.lua", cwd=base)
        check("a strange file of tries is read quickly", time.time() - begin < 5 and "a hint" in said, said)
    check("a wrong try is counted", read(tries).startswith("a "), read(tries))


def test_data_beside(base):
    """An assignment may read measurements that lie beside it: in a check it gets copies, and writing changes those."""
    write(os.path.join(base, "measured.csv"), "x\n3.5\n2\n")
    write(os.path.join(base, "notes.txt"), "1.5\n")
    write(os.path.join(base, "unnamed.txt"), "secret")
    write(os.path.join(base, "data.lua"), """
local pc = require "percuss"
local A = require "percuss.assignment"
local x, note = pc.csv.read("measured.csv").x[1], io.open("notes.txt"):read("n")
pc.file.write("notes.txt", "changed")
local seen = io.open("unnamed" .. "." .. "txt")
return A.new{ name = "data", parts = {
    A.number{ name = "a", points = 1, text = "", unit = "m", digits = 2, answer = x + note },
    A.number{ name = "b", points = 1, text = "", unit = "", relative = 0, answer = seen and 1 or 0 },
} }
""")
    write(os.path.join(base, "d.lua"), HEAD % "data.lua" + "local work = ...\nfunction work.a() return '5.0 m' end\n"
          "function work.b() return 0 end\n")
    said = run("assignment", "check", "d.lua", cwd=base)
    check("it reads what lies beside it", said.count("right") == 2, said)
    check("which stays as it is", read(os.path.join(base, "notes.txt")) == "1.5\n")


def test_interrupt(base):
    write(os.path.join(base, "endless.lua"), HEAD % "endless.lua" + "while true do end\n")
    process = subprocess.Popen([PERCUSS, "assignment", "check", "endless.lua"], cwd=base, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    time.sleep(0.5)
    check("an endless assignment keeps the check busy", process.poll() is None)
    process.send_signal(signal.SIGINT)
    begin = time.time()
    said = process.communicate(timeout=60)[0].decode("utf-8", "replace")
    check("Ctrl-C ends it", time.time() - begin < 5 and process.returncode != 0, (process.returncode, said))


def test_same_verdicts(base):
    """A check judges as grading does: the model solutions, by both."""
    for name in sorted(name[:-4] for name in os.listdir(ASSIGNMENTS) if name.endswith(".lua")):
        folder = os.path.join(base, "same-" + name)
        os.mkdir(folder)
        shutil.copy(os.path.join(ASSIGNMENTS, name + ".lua"), base)
        text = read(os.path.join(ASSIGNMENTS, "solutions", name + ".lua"))
        text = "-- percuss assignment: %s\n-- student: m17\n-- file: %s.lua\n" % (name, name) + text
        write(os.path.join(folder, "m17.lua"), text)
        said = run("assignment", "check", os.path.join("same-" + name, "m17.lua"), cwd=base)
        run("assignment", "grade", name + ".lua", "same-" + name, "--out", name + ".csv", cwd=base)
        row = rows(os.path.join(base, name + ".csv"))[0]
        told = {line.split()[0]: line.split()[1] for line in said.splitlines() if line.strip()}
        graded = {key[:-8]: verdict for key, verdict in row.items() if key.endswith(" verdict")}
        check("the check of %s says what grading says" % name, told == graded and set(told.values()) <= {
            "right", "person"}, (told, graded))


def test_checking(base):
    base = os.path.join(base, "checking")
    os.mkdir(base)
    test_hostile_folder(base)
    test_lies(base)
    test_tries(base)
    test_data_beside(base)
    test_interrupt(base)
    test_same_verdicts(base)
