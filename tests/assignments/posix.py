"""A build without libseccomp and without Linux's own calls (make MODE=posix): it does all but run what others wrote,
which it refuses with the reason. Usage: posix.py PERCUSS"""
import os
import sys
import tempfile

from helpers import check, counts, run, write

ASSIGNMENT = """
local A = require "percuss.assignment"
return A.new{ name = "impact", parts = {
    A.number{ name = "v", points = 1, text = "How fast?", unit = "m/s", digits = 3, answer = 1 },
} }
"""
WHY = "this build of percuss has no libseccomp, which sandboxes need"


def test_grading_is_refused_and_leaves_nothing(place):
    write(os.path.join(place, "impact.lua"), ASSIGNMENT)
    run("assignment", "start", "impact.lua", "--id", "s1", cwd=place)
    os.mkdir(os.path.join(place, "handed_in"))
    os.rename(os.path.join(place, "s1.lua"), os.path.join(place, "handed_in", "s1.lua"))
    before = sorted(os.listdir(place))
    for more in ([], ["--weak"]):
        told = run("assignment", "grade", "impact.lua", "handed_in", "--out", "grades.csv", *more, cwd=place, code=1)
        check("grading says why it refuses", WHY in told, told)
    told = run("assignment", "check", "handed_in/s1.lua", "--assignment", "impact.lua", cwd=place, code=1)
    check("a check says why it refuses", WHY in told, told)
    check("nothing was written", sorted(os.listdir(place)) == before, os.listdir(place))


def test_the_rest_is_there(place):
    told = run("--version", "--verbose")
    check("the build says what it lacks", "build posix" in told and "\nwithout SECCOMP" in told, told)
    told = run("-e", 'print(#percuss.sweep{ over = { { "x", percuss.linspace(0, 1, 50) } }, columns = { "y" },'
                     ' jobs = 2, run = function(p) return { y = p.x } end, store = "a.db" }.y)', cwd=place)
    check("workers and stores work", told.strip() == "50", told)


def main():
    for test in (test_grading_is_refused_and_leaves_nothing, test_the_rest_is_there):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            test(place)
    print("%d passed, %d failed" % (counts["passed"], counts["failed"]))
    sys.exit(counts["failed"] > 0)


if __name__ == "__main__":
    main()
