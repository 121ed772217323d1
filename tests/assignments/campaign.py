"""Hostile submissions at random: answers, figures, functions, files, names and folders that nobody wrote by hand. What
has to hold whatever they do: the grading ends in time, every file has a row, an honest part keeps its points, nothing
is said to be an internal error, nothing is written outside, no process is left, and grading again grades nothing and
says the same. Everything follows from a seed."""

import os
import random
import subprocess
import time

from helpers import PERCUSS, check, read, rows, run, write

# A part that every submission has right, and one of each kind that it may have wild.
ASSIGNMENT = """
local pc = require "percuss"
local A = require "percuss.assignment"
return A.new{
    name = "wild", limits = { seconds = 2, instructions = 2e7, memory = 64, reply = 2 },
    data = function(random) return { x = random:number(1, 2) } end,
    parts = {
        A.number{ name = "honest", points = 1, text = "", unit = "m", digits = 3, answer = 3.5 },
        A.number{ name = "number", points = 1, text = "", unit = "m", digits = 3, answer = 3.5,
            mistakes = { { answer = function(_, right) return 2 * right end, message = "twice" } } },
        A.number{ name = "angle", points = 1, text = "", unit = "rad", absolute = 0, answer = 0 },
        A.curve{ name = "list", points = 1, text = "", unit = "m", norm = "rms", answer = { 1, 2, 3 } },
        A.words{ name = "words", points = 1, text = "", least = 3 },
        A.chart{ name = "chart", points = 1, text = "", x = { unit = "s" }, y = { unit = "m" }, series = 2,
            test = function(panel) return pc.array(panel.series[1].y):max() > 0 and panel.series[2].x[3] + 0 > 0 end },
        A.law{ name = "law", points = 1, text = "", inputs = function(r) return { { r:number(0, 1) }, { 2.0 } } end,
            answer = function(_, x) return x end,
            properties = {
                { name = "it decays", test = function(f)
                    return pc.ode.solve{ rhs = function(_, y) return f(y) end, y = { 1 }, t = 1 }:at(1) < 1
                end },
            } },
    },
}
"""

HEAD = "-- percuss assignment: %s\n-- student: %s\n-- file: %s\n"


class Wild:
    """Random pieces of Lua; `r` decides everything."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *choices):
        chosen = self.r.choice(choices)
        return chosen() if callable(chosen) else chosen

    def number(self):
        return self.pick("0/0", "1/0", "-1/0", "-0.0", "5e-324", "1.7976931348623157e308", "math.maxinteger",
                         "math.mininteger", "(1 << 53) + 1", "1 << 63", "3.5", "-3.5", "7", "0",
                         lambda: repr(self.r.uniform(-10, 10)), lambda: repr(10 ** self.r.uniform(-320, 308)),
                         lambda: str(self.r.randrange(-2 ** 63, 2 ** 63)))

    def size(self):
        return int(10 ** self.r.uniform(0, 6))

    def text(self):
        """A text: short or long, of pieces that patterns, units, pages and score files could stumble over."""
        piece = self.pick("3.50 m", "3.5", " ", "m ", "m/", "^", "(", "%", "=1+1", ";@x", "\\27[2J", "<script>", "\\0",
                          "\\xff", "\\u{1F600}", "e", "1", ".", "-", "m^-1e9", "rad", "\\r\\n", "\\t", "'", "&", "deg^",
                          "--[[", "]]", "\\u{202E}", "nan", "inf", "0x1p3", "1e999", "1_0", ",", "\\xEF\\xBC\\x9D")
        other = self.pick("", "3.50 m", " ", "y", "=", "m")
        return '("%s"):rep(%d) .. "%s"' % (piece, self.pick(1, 1, 2, self.size), other)

    def key(self):
        return self.pick(lambda: "[%s]" % self.pick("1", "2", "-1", "0", "0.5", "1e300", "true", "math.mininteger"),
                         "opaque", "figure", "panels", "values", "n", "ok", "asks", "reason", "verdict", "score")

    def table(self, depth):
        if self.r.random() < 0.1:
            return "(function() local t = {} for i = 1, %d do t[%s] = %s end return t end)()" % (
                self.size(), self.pick("i", "-i", "i * 65535", "i .. ''", "i + 0.5"), self.pick("i", "t", "{}", "'m'"))
        return "{ %s }" % ", ".join("%s = %s" % (self.key(), self.value(depth - 1))
                                    for _ in range(self.r.randrange(5)))

    def array(self):
        return 'require("percuss").array{ %s }' % ", ".join(self.number() for _ in range(self.r.randrange(6)))

    def list(self):
        return "{ %s }" % ", ".join(self.pick(self.number, self.number, self.text)
                                    for _ in range(self.r.randrange(6)))

    def value(self, depth=3):
        choices = [self.number, self.number, self.text, self.array, self.list, "nil", "true", "print",
                   "coroutine.create(print)", "setmetatable({}, { __index = error, __len = error, __name = 7 })",
                   "require('percuss').chart.figure{}", self.figure]
        if depth > 0:
            choices += [lambda: self.table(depth)] * 3
        return self.pick(*choices)

    def figure(self):
        """A figure by percuss, or a table that looks like one."""
        if self.r.random() < 0.4:
            series = ", ".join("{ x = %s, y = %s }" % (self.pick(self.array, self.value_of_list), self.array())
                               for _ in range(self.r.randrange(4)))
            axes = "x = { label = %s, unit = %s }, y = %s" % (self.text(), self.text(),
                                                             self.pick("7", "{}", self.text))
            return "{ figure = true, title = %s, panels = { { %s, series = { %s }, fields = %s } } }" % (
                self.text(), axes, series, self.pick("nil", self.number))
        lines = ["local f = require('percuss').chart.figure{}",
                 "local p = f:panel{ xlabel = 't', xunit = 's', ylabel = %s, yunit = 'm', xlog = %s }" % (
                     self.text(), self.pick("true", "false"))]
        for _ in range(self.r.randrange(5)):
            lines.append("pcall(p.%s, p, { %s, %s, label = %s })" % (self.pick("line", "scatter", "bars"), self.list(),
                                                                  self.list(), self.text()))
        return "(function() %s return f end)()" % " ".join(lines)

    def value_of_list(self):
        return self.list()

    def deed(self):
        """What a function does before it answers."""
        return self.pick(
            "", "", "", "", "error(%s)" % self.value(1), "print(%s)" % self.text(), "work[%s] = %s" % (
                self.pick("'number'", "{}", "'asks'", "1"), self.value(1)),
            "for i = 1, %d do work['f' .. i] = i end" % (self.size() // 10),
            "os.execute('touch CANARY')", "local f = io.open('CANARY', 'w') f:write('x') f:close()",
            "require('percuss').file.write('../CANARY', 'x')", "while true do end", "pcall(error) coroutine.yield(1)",
            "setmetatable(_G, { __index = function() return 7 end })", "string.rep = nil table = nil",
            "getmetatable('').__index = function() return 7 end", "collectgarbage('stop')",
            "local t = {} for i = 1, 1e7 do t[i] = i end", "os.exit(%d)" % self.r.randrange(256),
            "setmetatable({}, { __gc = function() error('gc') end }) collectgarbage()",
            "(('a'):rep(%d)):find(('.-'):rep(%d) .. 'b')" % (self.r.randrange(5, 40), self.r.randrange(2, 40)))

    def function(self, name, arguments=""):
        answers = self.pick(self.value, lambda: "%s, %s" % (self.value(), self.pick("'m'", self.text, self.value)))
        if arguments and self.r.random() < 0.5:
            answers = self.pick("x", "-x", "x * x * 1e200", "x / 0", "x .. ''", "x, x")
        return "function work.%s(%s)\n%s\ndo return %s end\nend\n" % (name, arguments, self.deed(), answers)

    def submission(self):
        """A program with an honest part in front, which nothing after it may touch: so all else is done in calls."""
        text = "local work = ...\nfunction work.honest() return 3.5, 'm' end\n"
        for name in ("number", "angle", "list", "words", "chart"):
            if self.r.random() < 0.7:
                text += self.function(name)
        if self.r.random() < 0.7:
            text += self.function("law", "x")
        return text

    def name(self):
        stem = "".join(self.pick("a", "B", "7", "_", "-", ".", " ", "ü", "ы", "名", "=", "+", "@", ";", ",", "'", '"',
                                 "<b>", "&", "~", "%", "\n", "\t", "\x1b", "$", "`", "|", "\u202e")
                       for _ in range(self.r.randrange(1, 40)))
        return stem.encode()[:240].decode("utf-8", "ignore").replace("/", "")


def campaign(base, seed, n):
    """Grade a folder of `n` submissions, and check some work files of the same kind, in a folder of its own."""
    wild = Wild(seed)
    base = os.path.join(base, "campaign%d" % seed)
    folder = os.path.join(base, "in")
    os.makedirs(folder)
    write(os.path.join(base, "wild.lua"), ASSIGNMENT)
    files = {}
    for i in range(n):
        # the number tells names apart, also where the score file puts a blank in the place of a control character
        name = "%s%03d" % (wild.name(), i)
        place = wild.pick("", "", "", "A B_%d_assignsubmission_file/" % i, "sub%d/" % i)
        head = wild.pick(b"", b"", b"", b"\xef\xbb\xbf", b"#!/usr/bin/percuss\n", b"\xef\xbb\xbf# x\n")
        path = os.path.join(folder, place + name + ".lua")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files[i] = wild.submission()
        write(path, head + files[i].encode("utf-8", "surrogateescape"))
    command = ["assignment", "grade", "wild.lua", "in", "--out", "wild.csv"]
    begin = time.time()
    said = run(*command, cwd=base)
    seconds = time.time() - begin
    # each of seven parts may take its two seconds, and what the pages take
    check("the grading of seed %d ends in time" % seed, seconds < 20 * n, seconds)
    check("it says nothing internal (seed %d)" % seed, "stack traceback" not in said and "percuss." not in said, said)
    table = rows(os.path.join(base, "wild.csv"))
    check("every file of seed %d has a row" % seed, len(table) == n, (len(table), n))
    for row in table:
        i = int(row["file"][-7:-4])
        check("the honest part of %d, %d is right" % (seed, i), row["honest verdict"] == "right",
              (row["honest verdict"], row["honest message"], files[i]))
        check("all of %d, %d is judged" % (seed, i), "not judged" not in row.values()
              and "could not be graded" not in row["remarks"], (row, files[i]))
        check("points of %d, %d are in order" % (seed, i), all(0 <= float(row[part]) <= 1 for part in (
            "honest", "number", "angle", "list", "words", "chart", "law")), row)
    reports = os.path.join(base, "wild-reports")
    pages = {name: read(os.path.join(reports, name)) for name in os.listdir(reports) if name.endswith(".html")}
    check("each of seed %d has a page" % seed, len(pages) == n + 1, len(pages))
    bad = [name for name, text in pages.items() if "<script" in text or "\x1b" in text or "\0" in text]
    check("no page of seed %d has a script or a control character" % seed, not bad, bad)
    first = read(os.path.join(base, "wild.csv"))
    said = run(*command, cwd=base)
    check("grading seed %d again grades nothing and says the same" % seed,
          "%d of them graded before" % n in said and read(os.path.join(base, "wild.csv")) == first, said)
    # a work file of the kind that names itself, or one of the others, as its assignment
    for i in wild.r.sample(range(n), max(1, n // 8)):
        work = HEAD % ("wild", "s1", wild.pick("work.lua", "wild.lua", "other.lua"))
        write(os.path.join(base, "work.lua"), work + files[i])
        deed = wild.deed()
        while "while true" in deed or ":find(" in deed: # a check has minutes for its assignment
            deed = wild.deed()
        write(os.path.join(base, "other.lua"), deed + "\n" + ASSIGNMENT)
        done = subprocess.run([PERCUSS, "assignment", "check", "work.lua"], cwd=base, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
        said = done.stdout.decode("utf-8", "replace")
        check("the check of %d, %d says something and no escapes" % (seed, i), said != "" and "\x1b" not in said
              and "stack traceback" not in said and done.returncode in (0, 1), (done.returncode, said, files[i]))
    canaries = [place for place, _, names in os.walk(os.path.dirname(base)) for name in names if name == "CANARY"]
    check("seed %d wrote nothing outside" % seed, not canaries, canaries)
