"""Folders of submissions as people and learning platforms leave them, names that are long or clash, marks that a hand
wrote into the score file, and gradings that end early."""

import csv
import io
import os
import random
import shutil
import signal
import subprocess
import time

from helpers import PERCUSS, check, read, rows, run, write

# The right answer of a student is their own number, so that nobody's file is right for somebody else.
ASSIGNMENT = """
local A = require "percuss.assignment"
return A.new{ name = "mine", limits = { seconds = 10 },
    data = function(random) return { x = random:number(1, 1000, 9) } end,
    parts = {
        A.number{ name = "a", points = 8, text = "", unit = "m", relative = 1e-8, answer = function(d) return d.x end },
        A.words{ name = "where", points = 2, text = "" },
    } }
"""


def start(base, name):
    """A folder with the assignment; the number of each id, as a work file tells it."""
    base = os.path.join(base, name)
    os.mkdir(base)
    write(os.path.join(base, "mine.lua"), ASSIGNMENT)
    return base


def number_of(base, who):
    scratch = os.path.join(base, "number-" + who + ".lua")
    if not os.path.exists(scratch):
        run("assignment", "start", "mine.lua", "--id", who, "--out", os.path.basename(scratch), cwd=base)
    return read(scratch).split("d.x = ")[1].split()[0]


def work(base, who, says=None, answer=None):
    """What `who` hands in: the number is written down, so that it is right for that student alone."""
    head = "" if says == "" else "-- percuss assignment: mine\n-- student: %s\n-- file: mine.lua\n" % (says or who)
    return head + "local work = ...\nfunction work.a() return '%s m' end\nfunction work.where() return 'here' end\n" % (
        answer or number_of(base, who))


def put(base, path, text):
    path = os.path.join(base, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write(path, text)


def raw(path):
    with open(path, "rb") as file:
        return file.read()


def grade(base, folder, *options, code=0, out="grades.csv"):
    said = run("assignment", "grade", "mine.lua", folder, "--out", out, *options, cwd=base, code=code)
    path = os.path.join(base, out)
    return said, {row["file"]: row for row in rows(path)} if os.path.exists(path) else {}


# ---- whose files they are ----

LAYOUTS = [
    # file, who hands in, what the file says (None: the same; "": nothing), whether it is graded
    ("s1.lua", "s1", None, True), ("s2.lua", "s2", "", True), ("s3.lua", "s4", "s4", False),
    ("Jan Mueller_123456_assignsubmission_file/s5.lua", "s5", None, True),
    ("Jan Mueller_123457_assignsubmission_file_/s6.lua", "s6", None, True),
    ("Anna-Lena von X_99_assignsubmission_file/s7.lua", "s8", "s8", False),
    ("Jan Mueller_123458_assignsubmission_file_s9.lua", "s9", None, True),
    ("Jan Mueller_123459_assignsubmission_file_s10.lua", "s10", "", True),
    ("muellerjan_12345_678901_s11.lua", "s11", None, True), ("muellerjan_LATE_12345_678902_s12.lua", "s12", None, True),
    ("muellerjan_12345_678903_s13-1.lua", "s13", None, True), ("muellerjan_12345_678904_s14.lua", "s15", "s15", False),
    ("s16/work.lua", "s16", None, True), ("a_1_2_s17.lua", "a_1_2_s17", None, True),
    ("s18-1.lua", "s18", None, False),
]


def test_layouts(base):
    base = start(base, "layouts")
    for path, who, says, _ in LAYOUTS:
        put(base, "in/" + path, work(base, who, says))
    put(base, "in/s16/helper.lua", "return 7\n")
    put(base, "in/s16/notes.txt", "notes")
    said, table = grade(base, "in")
    for path, who, says, graded in LAYOUTS:
        row = table[path]
        if graded:
            check("%s is graded with the numbers of %s" % (path, who), (row["id"], row["a verdict"]) == (who, "right"),
                  row)
        else:
            check("%s is not graded with anybody's numbers" % path, row["a verdict"] == "not run" and row["a"] == "0",
                  row)
            check("%s is told, with both names" % path, who in row["a message"] and "--ids" in row["a message"]
                  and path in said, (row, said))
    check("helpers and notes are left alone", len(table) == len(LAYOUTS) and "2 other files" in said, said)
    _, table = grade(base, "in", "--ids", "file", out="file.csv")
    check("--ids file: what the file says", table["s3.lua"]["a verdict"] == "right"
          and table["muellerjan_12345_678904_s14.lua"]["id"] == "s15" and table["s2.lua"]["a verdict"] == "not run",
          table)
    _, table = grade(base, "in", "--ids", "name", out="name.csv")
    check("--ids name: what the name says", table["s3.lua"]["id"] == "s3" and table["s3.lua"]["a verdict"] == "wrong"
          and table["muellerjan_12345_678904_s14.lua"]["id"] == "s14" and "says student" in table["s3.lua"]["remarks"],
          table)
    said = run("assignment", "grade", "mine.lua", "in", "--out", "x.csv", "--ids", "both", cwd=base, code=1)
    check("--ids knows two words", "file or name" in said, said)


def test_twins(base):
    base = start(base, "twins")
    put(base, "in/A_1_assignsubmission_file/s1.lua", work(base, "s1"))
    put(base, "in/B_2_assignsubmission_file/s1.lua", work(base, "s1"))
    put(base, "in/C_3_assignsubmission_file/s1.lua", work(base, "s1"))
    put(base, "in/D_4_assignsubmission_file/s2.lua", work(base, "s2"))
    _, table = grade(base, "in")
    verdicts = [row["a verdict"] for row in table.values()]
    check("of two who claim one id neither is graded", verdicts == ["not run"] * 3 + ["right"], table)
    check("and both are named", all(row["remarks"].count("_assignsubmission_file/s1.lua") == 2
                                    for row in list(table.values())[:3]), table)


def test_nothing(base):
    base = start(base, "nothing")
    os.mkdir(os.path.join(base, "in"))
    said, _ = grade(base, "in", code=1)
    check("an empty folder is told", "no submissions in in" in said and "ID.lua" in said, said)
    put(base, "in/all.zip", "x")
    put(base, "in/A_1_assignsubmission_file/notes.txt", "x")
    said, table = grade(base, "in", code=1)
    check("what is there instead is told", "2 other files" in said and "all.zip" in said and "unpack" in said, said)
    check("then no score file is written", table == {} and os.listdir(base).count("grades.csv") == 0)
    grade(base, "none", code=1)


# ---- names ----

NAMES = ["ы" * 45, "ы" * 120, "名" * 80, "x" * 250, "x" * 249 + "y", "class", "Class", "CLASS", "records", "index",
         "Müller, Jan", "a b", "a~20b", "%41", "con", ".hidden", "-rf", "=1+1", "+1", "@x", "=" * 100, "s1"]


def test_names(base):
    base = start(base, "names")
    for name in NAMES:
        put(base, "in/" + name + ".lua", work(base, "s1", "", answer="1.5"))
    put(base, "in/s1.lua", work(base, "s1"))
    said, table = grade(base, "in")
    by_name = {key.lstrip("'"): row for key, row in table.items()}
    check("every name has a row", len(table) == len(NAMES), len(table))
    for name in NAMES:
        row = by_name[name.lstrip("'") + ".lua"]
        check("the id of %s is its name" % name, row["id"].lstrip("'") == name, row["id"])
        check("%s is graded" % name, row["a verdict"] == ("right" if name == "s1" else "wrong"), row)
    reports = os.path.join(base, "grades-reports")
    pages = {file: read(os.path.join(reports, file)) for file in os.listdir(reports) if file.endswith(".html")}
    check("each has a page, and the class its own", len(pages) == len(NAMES) + 1
          and "look alike" in pages["class.html"], sorted(pages))
    check("pages differ beyond upper and lower case", len({name.lower() for name in pages}) == len(pages))
    for name in NAMES:
        shown = name.replace("'", "&#39;")
        link = [page for page in pages if page != "class.html" and "submission %s.lua:" % shown in pages[page]]
        check("the page of %s is there and linked" % name, len(link) == 1
              and 'href="%s"' % link[0] in pages["class.html"], link)
    said, again = grade(base, "in")
    check("nothing is graded again", "%d of them graded before" % len(NAMES) in said and again == table, said)


def test_one_fails(base):
    """What fails with one submission, here a page that cannot be written, costs that one."""
    base = start(base, "fails")
    for who in ("s1", "s2", "s3"):
        put(base, "in/%s.lua" % who, work(base, who))
    os.makedirs(os.path.join(base, "grades-reports", "s2.html"))
    said, table = grade(base, "in", code=1)
    check("the others are graded", [row["a verdict"] for row in table.values()] == ["right", "not run", "right"], table)
    check("the one is told", "could not be graded" in table["s2.lua"]["remarks"] and "s2.lua" in said, said)
    os.rmdir(os.path.join(base, "grades-reports", "s2.html"))
    said, table = grade(base, "in")
    check("and done the next time", "2 of them graded before" in said and table["s2.lua"]["a verdict"] == "right", said)


FORMULAS = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "x;=1+1", "x; +1", "x;\t-1", "x,=1", 'x;"=1',
            "x|@y", "  =1", "\uff1d1", "x;\uff0b1", ";=1", ";;=1", "x\n;=1", '"=1+1"', "'=1"]


def test_formulas(base):
    base = start(base, "formulas")
    for i, text in enumerate(FORMULAS):
        quoted = "'%s'" % "".join("\\x%02x" % byte for byte in text.encode())
        put(base, "in/f%02d.lua" % i,
            "local work = ...\nfunction work.a() error(%s, 0) end\nerror(%s, 0)\n" % (quoted, quoted))
        put(base, "in/%02d;%s.lua" % (i, text.replace("/", "")), work(base, "s1", "", answer="1.5"))
    grade(base, "in")
    text = read(os.path.join(base, "grades.csv"))
    for separator in ",;\t|":
        for quote in ('"', None):
            how = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
            bad = [cell for row in csv.reader(io.StringIO(text), delimiter=separator, **how) for cell in row
                   if cell.lstrip(" \t\r\n\"").startswith(("=", "+", "-", "@", "\uff1d", "\uff0b"))
                   or cell.startswith(("\t", "\r", "\n"))]
            check("no cell is a formula where %r ends fields" % separator, not bad, bad)


# ---- marks by hand ----

def change(path, cells, separator=",", mark="", end="\n", encoding="utf-8"):
    """What a spreadsheet does: read the score file, change cells, { (file, column): text }, write it all again."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        text = file.read()
    reader = csv.DictReader(io.StringIO(text), delimiter=";" if text.split("\n")[0].count(";") else ",")
    table, columns = list(reader), list(reader.fieldnames)
    for (file, column), value in cells.items():
        if column not in columns:
            columns.append(column)
        for row in table:
            if row["file"] == file:
                row[column] = value
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, delimiter=separator, lineterminator=end, restval="")
    writer.writeheader()
    writer.writerows(table)
    write(path, (mark + out.getvalue()).encode(encoding, "replace"))


def test_marks(base):
    base = start(base, "marks")
    for who in ("s1", "s2", "s3"):
        put(base, "in/%s.lua" % who, work(base, who))
    path = os.path.join(base, "grades.csv")
    _, first = grade(base, "in")
    change(path, {("s1.lua", "where"): "2", ("s1.lua", "where message"): "well said", ("s2.lua", "a"): "0",
                  ("s2.lua", "comment"): "copied; see me"})
    said, table = grade(base, "in")
    check("points by hand stay", (table["s1.lua"]["where"], table["s1.lua"]["total"]) == ("2", "10"), table)
    check("a message by hand stays", table["s1.lua"]["where message"] == "well said", table)
    check("they are told", "by hand: points of where" in table["s1.lua"]["remarks"], table)
    check("points are taken away by hand as well", (table["s2.lua"]["a"], table["s2.lua"]["total"]) == ("0", "0"),
          table)
    check("a column of the teacher's own stays", table["s2.lua"]["comment"] == "copied; see me"
          and table["s1.lua"]["comment"] == "", table)
    check("what no hand touched is as it was", {k: v for k, v in table["s3.lua"].items() if k != "comment"}
          == first["s3.lua"], table)
    page = read(os.path.join(base, "grades-reports", "s1.html"))
    check("the page has the points by hand", "10 of 10" in page and "by hand" in page and "well said" in page, page)
    check("the class has them", "<b>" not in read(os.path.join(base, "grades-reports", "class.html"))
          and ">10<" in read(os.path.join(base, "grades-reports", "class.html")))
    for _ in range(3):
        before = read(path)
        grade(base, "in")
        check("grading again changes nothing", read(path) == before)
    # whatever a spreadsheet does to the file besides
    for separator, mark, end in ((";", "\ufeff", "\r\n"), ("\t", "", "\n"), (",", "\ufeff", "\r\n"),
                                 (";", "sep=;\n", "\n")):
        before = rows(path)
        change(path, {}, separator, mark, end)
        grade(base, "in")
        check("a file saved with %r is understood" % separator, rows(path) == before, rows(path))
    change(path, {("s3.lua", "where"): "1,5"}, ";")
    _, table = grade(base, "in")
    check("a decimal comma is understood", (table["s3.lua"]["where"], table["s3.lua"]["total"]) == ("1.5", "9.5"),
          table)
    change(path, {("s3.lua", "total"): "7"})
    _, table = grade(base, "in")
    check("a total by hand stays", table["s3.lua"]["total"] == "7" and "total" in table["s3.lua"]["remarks"], table)
    change(path, {("s3.lua", "total"): "", ("s3.lua", "where"): ""})
    _, table = grade(base, "in")
    check("an emptied cell is the grading's again", (table["s3.lua"]["where"], table["s3.lua"]["total"]) == ("0", "8")
          and "by hand" not in table["s3.lua"]["remarks"], table)
    # the submission changes, and the assignment does
    put(base, "in/s1.lua", work(base, "s1", answer="1.5"))
    _, table = grade(base, "in")
    check("points by hand outlive a new submission, which is told", table["s1.lua"]["where"] == "2"
          and table["s1.lua"]["total"] == "2" and "has changed since" in table["s1.lua"]["remarks"], table)
    write(os.path.join(base, "mine.lua"), ASSIGNMENT.replace("points = 8", "points = 6"))
    _, table = grade(base, "in")
    check("and a changed assignment", table["s1.lua"]["where"] == "2" and table["s2.lua"]["a"] == "0"
          and table["s3.lua"]["a"] == "6", table)
    # submissions go, rows are added
    os.remove(os.path.join(base, "in", "s2.lua"))
    write(path, read(path) + "absent,,,,,,,,,,,ill until May\n")
    _, table = grade(base, "in")
    check("a row with marks stays where its submission is gone", table["s2.lua"]["comment"] == "copied; see me", table)
    check("a row that a hand added stays", table[""]["id"] == "absent" and table[""]["comment"] == "ill until May",
          table)
    os.remove(os.path.join(base, "in", "s3.lua"))
    _, table = grade(base, "in")
    check("one without marks goes", sorted(table) == ["", "s1.lua", "s2.lua"], table)


def test_old_file(base):
    """A grading that was killed before the score file was written, or a spreadsheet that saves what it had open: what
    stands there is old, and no mark."""
    base = start(base, "old")
    path = os.path.join(base, "grades.csv")
    for who in ("s1", "s2"):
        put(base, "in/%s.lua" % who, work(base, who))
    grade(base, "in")
    old = raw(path)
    put(base, "in/s1.lua", work(base, "s1", answer="1.5"))
    _, table = grade(base, "in")
    check("the new answer is wrong", table["s1.lua"]["a"] == "0", table)
    write(path, old)
    _, table = grade(base, "in")
    check("an old score file has no marks", table["s1.lua"]["a"] == "0" and "by hand" not in raw(path).decode(), table)
    write(path, old)
    change(path, {("s2.lua", "where"): "1"})
    _, table = grade(base, "in")
    check("but what is new in it is one", table["s2.lua"]["where"] == "1" and table["s1.lua"]["a"] == "0", table)
    os.remove(path)
    _, table = grade(base, "in")
    check("marks outlive the file", table["s2.lua"]["where"] == "1" and table["s2.lua"]["total"] == "9", table)


def test_comments(base):
    """Texts of the teacher's own with whatever CSV has to quote come back as they are."""
    base = start(base, "comments")
    path = os.path.join(base, "grades.csv")
    put(base, "in/s1.lua", work(base, "s1"))
    grade(base, "in")
    r = random.Random(7)
    for turn in range(30):
        text = "x" + "".join(r.choice(['"', '""', ",", ";", "'", " a", "é", "ы", "1", "|", "b"])
                             for _ in range(r.randrange(1, 30))) + "y"
        change(path, {("s1.lua", "comment"): text, ("s1.lua", "where message"): text[::-1]}, r.choice(",;\t"),
               r.choice(["", "\ufeff"]), r.choice(["\n", "\r\n"]))
        _, table = grade(base, "in")
        check("the comment %r stays" % text, (table["s1.lua"]["comment"], table["s1.lua"]["where message"])
              == (text, text[::-1]), table)


def test_alphabets(base):
    """A spreadsheet may save letters in its own alphabet, and ? for those that this lacks."""
    base = start(base, "alphabets")
    path = os.path.join(base, "grades.csv")
    put(base, "in/Müller.lua", work(base, "s1", "", answer="1.5"))
    put(base, "in/s2.lua", "local work = ...\nfunction work.a() error('ы ü €', 0) end\n")
    grade(base, "in")
    change(path, {("Müller.lua", "where"): "2", ("Müller.lua", "where message"): "für Mühe"}, ";", "", "\r\n",
           "latin-1")
    said, table = grade(base, "in")
    check("marks in Latin 1 are read", table["Müller.lua"]["where"] == "2"
          and table["Müller.lua"]["where message"] == "für Mühe", table)
    check("what its alphabet lacks is no mark", "ы ü €" in table["s2.lua"]["a message"]
          and "by hand" not in table["s2.lua"]["remarks"], table)
    put(base, "in/Ыы.lua", work(base, "s1", "", answer="1.5"))
    grade(base, "in")
    change(path, {("Ыы.lua", "where"): "2"}, ";", "", "\r\n", "latin-1")
    before = raw(path)
    said = run("assignment", "grade", "mine.lua", "in", "--out", "grades.csv", cwd=base, code=1)
    check("a row that nobody can tell is refused by name", "'??.lua'" in said and "UTF-8" in said
          and raw(path) == before, said)


def test_refusals(base):
    base = start(base, "refusals")
    path = os.path.join(base, "grades.csv")
    put(base, "in/s1.lua", work(base, "s1"))
    for text in ("my shopping list\n", "id,file,total\ns1,s1.lua,5\n", "\0\1\2"):
        write(path, text)
        said, _ = grade(base, "in", code=1)
        check("a file that grading did not write stays", read(path) == text and "--replace" in said, said)
    grade(base, "in", "--replace")
    check("unless it is said", rows(path)[0]["total"] == "8")
    for wrong in ("two", "1 of 2", "nan", "inf", "0x10", "1.2.3", "--1"):
        change(path, {("s1.lua", "where"): wrong})
        before = read(path)
        said, _ = grade(base, "in", code=1)
        check("points that are no number are refused by name", "s1.lua" in said and "where" in said and wrong in said
              and read(path) == before, said)
    change(path, {("s1.lua", "where"): "1"})
    grade(base, "in")
    shutil.rmtree(os.path.join(base, "grades-reports"))
    before = read(path)
    said, _ = grade(base, "in", code=1)
    check("without the copy of what was written nothing is replaced", read(path) == before and "--replace" in said,
          said)


# ---- the end before the end ----

def test_interrupt(base):
    base = start(base, "interrupted")
    for i in range(4):
        put(base, "in/s%02d.lua" % i, work(base, "s%02d" % i))
    endless = "local work = ...\nfunction work.a() return ('a'):rep(40):find(('.-'):rep(40) .. 'b') end\n"
    for i in range(4, 20):
        put(base, "in/s%02d.lua" % i, endless)
    path = os.path.join(base, "grades.csv")
    process = subprocess.Popen([PERCUSS, "assignment", "grade", "mine.lua", "in", "--out", "grades.csv"], cwd=base,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    records = os.path.join(base, "grades-reports", "records")
    deadline = time.time() + 60
    while time.time() < deadline and not (os.path.isdir(records) and len(os.listdir(records)) >= 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    begin = time.time()
    said = process.communicate(timeout=60)[0].decode("utf-8", "replace")
    check("Ctrl-C ends the grading at once, with code 1", time.time() - begin < 5 and process.returncode == 1,
          (process.returncode, said))
    check("it says so", "interrupted" in said and "stack traceback" not in said, said)
    table = {row["file"]: row for row in rows(path)}
    check("the scores so far are there", [table["s%02d.lua" % i]["a verdict"] for i in range(4)] == ["right"] * 4,
          table)
    check("who is not graded yet has no points", table["s19.lua"]["a"] == "" and table["s19.lua"]["total"] == ""
          and table["s19.lua"]["a verdict"] == "not graded", table["s19.lua"])
    for i in range(4, 20):
        put(base, "in/s%02d.lua" % i, work(base, "s%02d" % i))
    said, table = grade(base, "in")
    check("the same command goes on", "graded before" in said and "0 of them" not in said
          and [row["a verdict"] for row in table.values()] == ["right"] * 20, said)


def test_handed_in(base):
    base = os.path.join(base, "handed")
    os.mkdir(base)
    for test in (test_layouts, test_twins, test_nothing, test_names, test_one_fails, test_formulas, test_marks,
                 test_old_file, test_comments, test_alphabets, test_refusals, test_interrupt):
        test(base)
