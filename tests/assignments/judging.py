"""Answers that once broke the judge or kept it busy: each is judged, in little time, with a plain reason."""

import os
import time

from helpers import check, read, rows, run, write

ASSIGNMENT = """
local pc = require "percuss"
local A = require "percuss.assignment"
return A.new{ name = "judging", limits = { seconds = %g, instructions = 2e7, memory = 128, reply = 8 }, parts = {
    A.number{ name = "pure", points = 1, text = "", unit = "", relative = 1e-12, answer = 2^53 },
    A.number{ name = "zero", points = 1, text = "", unit = "", absolute = 1e-3, answer = 0 },
    A.number{ name = "length", points = 1, text = "", unit = "m", digits = 3, answer = 3.5 },
    A.curve{ name = "list", points = 1, text = "", unit = "m", relative = 1e-3, answer = { 1, 2, 4 } },
    A.words{ name = "words", points = 1, text = "", least = 3 },
    A.chart{ name = "chart", points = 1, text = "", x = { unit = "s" }, y = { unit = "m" },
        test = function(panel) return pc.array(panel.series[1].y):max() == 2, "the top is at 2 m" end },
    A.chart{ name = "fifth", points = 1, text = "", x = { unit = "s" }, y = { unit = "m" },
        test = function(panel) return panel.series[1].y[5] + 0 == 2 end },
    A.law{ name = "often", points = 1, text = "", seconds = 1, properties = {
        { name = "it is x", test = function(f)
            for i = 1, 40 do if f(i) ~= i then return false end end
            return true
        end },
    } },
    A.law{ name = "counted", points = 1, text = "", properties = {
        { name = "it is x", test = function(f)
            for i = 1, 40 do if f(i) ~= i then return false end end
            return true
        end },
    } },
    A.law{ name = "solved", points = 1, text = "", seconds = 2, properties = {
        { name = "it decays", test = function(f)
            local y = pc.ode.solve{ rhs = function(_, x) return f(x) end, y = { 1 }, t = 1 }
            return y:at(1) < 1
        end },
        { name = "it is zero at zero", test = function(f) return f(0) == 0 end },
    } },
} }
"""

AXES = ('local pc = require "percuss"\nlocal f = pc.chart.figure{}\n'
        'local p = f:panel{ xlabel = "t", xunit = "s", ylabel = "y", yunit = "m" }\n')
LONG = "%s_LONG_%s"


def drawn(*series):
    return AXES + "".join("p:line{ %s }\n" % one for one in series) + "return f"


# part, body of its function, verdict, a word of the message
CASES = [
    ("pure", "return (1 << 53) + 1", "right", ""), ("pure", "return 1 << 53", "right", ""),
    ("pure", "return math.maxinteger", "wrong", ""), ("pure", "return math.mininteger", "wrong", ""),
    ("pure", "return -(1 << 53) - 1", "wrong", "sign"), ("pure", "return 5e-324", "wrong", ""),
    ("pure", "return 1.7976931348623157e308", "wrong", ""), ("zero", "return -0.0", "right", ""),
    ("zero", "return math.mininteger", "wrong", ""), ("zero", 'return "5 %^1e308"', "wrong unit", ""),
    ("zero", 'return "5 rad^nan"', "wrong unit", ""), ("zero", 'return "5 rad^1e400"', "wrong unit", ""),
    ("length", 'return "1 x" .. (" "):rep(2000000) .. "y"', "not a number", "too long"),
    ("length", 'return ("1"):rep(2000000) .. "x"', "not a number", "too long"),
    ("length", 'return "3.50 " .. ("m "):rep(500000)', "not a number", "too long"),
    ("length", 'return 3.5, ("m/"):rep(500000)', "wrong unit", "cannot be read"),
    ("length", 'return 3.5, "m^" .. ("("):rep(500000)', "wrong unit", "cannot be read"),
    ("length", 'return { 3.5, "m" }', "right", ""), ("length", "return 3.5, {}", "wrong unit", "missing"),
    ("length", 'local t = {} for i = 1, 200000 do t[i] = "m" end return 3.5, t', "output", "values"),
    ("length", "local t = {} for i = 1, 100000 do t[-i] = i end return t", "output", "keys"),
    ("length", 'local t = { 3.5, "m" } for i = 1, 9000 do t["k" .. i] = i end return t', "right", ""),
    ("list", "local t = {} for i = 3, 1, -1 do t[i] = 2 ^ (i - 1) end return t, 'm'", "right", ""),
    ("list", "local t = {} for i = 150000, 1, -1 do t[i] = i end return t, 'm'", "wrong", "not 150000"),
    ("list", 'return { 1, 2, 4 }, ("m"):rep(1000000)', "wrong unit", ""),
    ("list", "return { 1, 2, 1 << 62 }, 'm'", "wrong", ""), ("list", "return {}, 'm'", "wrong", "not 0"),
    ("words", 'return ("word "):rep(1000000)', "person", ""), ("words", 'return (" "):rep(5000000)', "missing", ""),
    ("words", 'return ("x"):rep(5000000)', "wrong", "at least 3 words"),
    ("chart", drawn("{ 0, 1 }, { 2, 0 }"), "right", ""),
    ("chart", drawn("{}, {}", "{ 0, 1 }, { 2, 0 }"), "right", ""),
    ("chart", drawn("{}, {}"), "partly", "series with points"),
    ("chart", drawn("{ 0, 1 }, { 0/0, 0/0 }"), "partly", "series with points"),
    ("chart", drawn("{ 0, 1 }, { 0/0, 0/0 }", "{ 0, 1 }, { 2, 0 }"), "right", ""),
    ("chart", drawn("{ 0, 1, 2 }, { 2, 0/0, 1 }"), "right", ""),
    ("chart", drawn("{ 0, 1 }, { 1/0, -1/0 }"), "partly", "series with points"),
    ("chart", drawn("{ 0, 1 }, { 1, 0 }"), "partly", "the top is at 2 m"),
    ("chart", 'return { figure = true, panels = { { series = { {}, {} } } } }', "wrong", "series with points"),
    ("fifth", drawn("{ 0, 1, 2, 3, 4 }, { 0, 0, 0, 0, 2 }"), "right", ""),
    ("fifth", drawn("{ 0, 1 }, { 2, 0 }"), "partly", "cannot be tested"),
]

# Whole files: text after `local work = ...`, part, verdict, a word of the message.
FILES = [
    ("function work.often(x) return x end", "often", "right", ""),
    ("function work.counted(x) for i = 1, 1e5 do local y = i * i end return x end", "counted", "right", ""),
    # 40 requests of 2e6 instructions: each is within the limit of 2e7, the part is not
    ("function work.counted(x) for i = 1, 1e6 do local y = i * i end return x end", "counted", "instructions", ""),
    # patterns cost time and no instructions: 40 requests of some 0.2 s, and 1 s for the part
    ("function work.often(x) (('a'):rep(20)):find(('.-'):rep(8) .. 'b') return x end", "often", "time", ""),
    ("function work.solved(x) return -x end", "solved", "right", ""),
    ("function work.solved(x) return x ^ 2 * 1e200 end", "solved", "partly", "it cannot be tested"),
    # a solver that this leads into endless small steps: each request is quick, and there are too many
    ("function work.solved(x) return 1e9 * math.sin(1e9 * x) end", "solved", "time", ""),
    ("function work.solved(x) return 0/0 end", "solved", "wrong", "not a finite number"),
    ("for i = 1, 300 do work['f' .. i] = i end\nfunction work.length() return 3.5, 'm' end", "length", "right", ""),
    ("for i = 1, 50000 do work['f' .. i] = i end\nfunction work.length() return 3.5, 'm' end\n"
     "for i = 1, 50000 do work['g' .. i] = i end", "length", "right", ""),
]

HEADS = [b"", b"\xef\xbb\xbf", b"#!/usr/bin/env percuss\n", b"\xef\xbb\xbf#!/usr/bin/env percuss\n", b"#", b"#\r\n"]


def grade(base, name):
    begin = time.time()
    said = run("assignment", "grade", "judging.lua", name, "--out", name + ".csv", cwd=base)
    check("no internal error in %s" % name, "stack traceback" not in said, said)
    return {row["id"]: row for row in rows(os.path.join(base, name + ".csv"))}, time.time() - begin


def test_cases(base):
    os.mkdir(os.path.join(base, "cases"))
    claims = []
    for i, (part, body, verdict, word) in enumerate(CASES):
        name = "c%03d" % i
        write(os.path.join(base, "cases", name + ".lua"),
              "local work = ...\nfunction work.%s()\n%s\nend\n" % (part, body))
        claims.append((name, part, body, verdict, word))
    for i, (body, part, verdict, word) in enumerate(FILES):
        name = "f%03d" % i
        write(os.path.join(base, "cases", name + ".lua"), "local work = ...\n" + body + "\n")
        claims.append((name, part, body, verdict, word))
    table, seconds = grade(base, "cases")
    for name, part, body, verdict, word in claims:
        row = table[name]
        got = (row[part + " verdict"], row[part + " message"], row["remarks"])
        check("%s = %s is %s" % (part, body[-150:], verdict), got[0] == verdict and word in got[1], got)
        check("no internal error reaches the page of %s" % name, "not judged" not in row.values(), row)
    stopped = {name: table[name]["remarks"] for name, _, _, _, word in claims if "cannot be tested" in word}
    check("the teacher hears of a test that stopped", all("stopped" in text for text in stopped.values()), stopped)
    # an answer with two million blanks alone would take hours if it met the pattern
    check("no answer keeps the grader busy", seconds < 60, seconds)


def test_heads(base):
    """A byte order mark and a first line that begins with # cost no points, and lines keep their numbers."""
    os.mkdir(os.path.join(base, "heads"))
    body = "local work = ...\nfunction work.length() return 3.5, 'm' end\nfunction work.zero() error('here') end\n"
    for i, head in enumerate(HEADS):
        for k, text in enumerate((body, body.replace("\n", "\r\n"))):
            end = b"" if head.endswith(b"\n") or not head.startswith(b"#") else b"\n"
            write(os.path.join(base, "heads", "h%d%d.lua" % (i, k)), head + end + text.encode())
    table, _ = grade(base, "heads")
    for i, head in enumerate(HEADS):
        for k in (0, 1):
            row = table["h%d%d" % (i, k)]
            check("a file that begins with %r is run" % head, row["length verdict"] == "right", row)
            check("its errors name their line", "work:%d: here" % (4 if b"#" in head else 3) in row["zero message"],
                  row["zero message"])


def test_alike_time(base):
    """Texts that a search for copies could stumble over: open comments, quotes, brackets, one giant line."""
    os.mkdir(os.path.join(base, "long"))
    texts = ["--[[" * 50000, "--[[\n" * 40000, "'\"" * 100000, "--[[ ]]" * 28000, "(" * 200000]
    for i, text in enumerate(texts):
        write(os.path.join(base, "long", "l%02d.lua" % i), text)
    run("assignment", "grade", "judging.lua", "long", "--out", "first.csv", cwd=base)
    # run again, nothing is left to do but the search, in five texts of 200 kB
    begin = time.time()
    said = run("assignment", "grade", "judging.lua", "long", "--out", "first.csv", cwd=base)
    seconds = time.time() - begin
    check("the search for copies takes little time", "%d of them graded before" % len(texts) in said
          and seconds < 30, (seconds, said))


def test_judging(base, seconds=20):
    base = os.path.join(base, "judging")
    os.mkdir(base)
    write(os.path.join(base, "judging.lua"), ASSIGNMENT % seconds)
    test_cases(base)
    test_heads(base)
    test_alike_time(base)
    check("texts are cut in the pages", len(read(os.path.join(base, "cases-reports", "c026.html"))) < 100000)
