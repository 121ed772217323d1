"""Machines that lack a protection, played by a filter of system calls around the whole of percuss: grading tells what
is missing, and refuses where it has to."""

import ctypes
import errno
import os
import platform
import struct
import subprocess

from helpers import PERCUSS, check, read, rows, write

# Numbers of system calls: seccomp, landlock_create_ruleset, prlimit64, setrlimit, prctl.
CALLS = {"x86_64": (317, 444, 302, 160, 157), "aarch64": (277, 444, 261, 164, 167)}.get(platform.machine())
LOAD, SKIP_UNLESS, RETURN = 0x20, 0x15, 0x06  # linux/filter.h: load a word, jump if equal, return
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS
SET_SECCOMP = 22  # what prctl did before there was a call seccomp, and still does

ASSIGNMENT = """
local A = require "percuss.assignment"
return A.new{ name = "poor", parts = {
    A.number{ name = "a", points = 1, text = "", unit = "m", digits = 3, answer = 1 },
    A.number{ name = "b", points = 1, text = "", unit = "m", digits = 3, answer = 1 },
} }
"""
WORK = """-- percuss assignment: poor
-- student: s1
-- file: poor.lua
local work = ...
function work.a() return "1.00 m" end
function work.b()
    -- listing a folder is what of percuss still asks the kernel; the rest is led into the scratch folder
    local file = require("percuss").file
    local found = file.list(".") or file.read("secret.txt") or file.write("../canary", "x")
    return found and "1.00 m"
end
"""


def without(calls):
    """For preexec_fn: in this process and its children the calls fail with ENOSYS (seccomp(2))."""
    steps = [(LOAD, 0, 0, 0)]  # the call's number
    for call in calls:
        steps += [(SKIP_UNLESS, 0, 1, call), (RETURN, 0, 0, FAIL)]
    if CALLS[0] in calls:  # prctl's way to the same filter, by its first argument
        steps += [(SKIP_UNLESS, 0, 3, CALLS[4]), (LOAD, 0, 0, 16), (SKIP_UNLESS, 0, 1, SET_SECCOMP),
                  (RETURN, 0, 0, FAIL)]
    steps.append((RETURN, 0, 0, ALLOW))
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)
    text = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = [("n", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    whole = Program(len(steps), ctypes.addressof(text))
    whole.text = text  # which it points to

    def install():
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(SET_SECCOMP, 2, ctypes.byref(whole), 0, 0) != 0:
            os._exit(99)

    return install


def run_without(calls, *arguments, cwd):
    done = subprocess.run([PERCUSS, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, preexec_fn=without(calls))
    return done.returncode, done.stdout.decode("utf-8", "replace")


def test_degraded(base):
    check("this machine's system calls are known", CALLS is not None, platform.machine())
    seccomp, landlock, prlimit, setrlimit, _ = CALLS
    base = os.path.join(base, "degraded")
    folder = os.path.join(base, "in")
    os.makedirs(folder)
    write(os.path.join(base, "poor.lua"), ASSIGNMENT)
    write(os.path.join(base, "secret.txt"), "x")
    for place in (base, folder):
        write(os.path.join(place, "s1.lua"), WORK)
    # lacking, options, code, what is said, and whether it is graded
    cases = [
        ((), (), 0, "seccomp and Landlock both stand", True),
        ((landlock,), (), 0, "lacks the closed file system (Landlock)", True),
        ((seccomp,), (), 1, "lacks the filter of system calls (seccomp)", False),
        ((seccomp,), ("--weak",), 0, "lacks the filter of system calls (seccomp)", True),
        ((seccomp, landlock), (), 1, "neither seccomp nor Landlock", False),
        ((seccomp, landlock), ("--weak",), 1, "neither seccomp nor Landlock", False),
        ((prlimit, setrlimit), (), 1, "cannot limit the core dump of a process", False),
        ((prlimit, setrlimit), ("--weak",), 1, "cannot limit the core dump of a process", False),
    ]
    whole = "both stand" in run_without((), "assignment", "grade", "poor.lua", "in", "--out", "x.csv", cwd=base)[1]
    if not whole:
        print("note: this machine itself lacks seccomp or Landlock; what depends on both is not tried")
        cases = cases[4:]
    # a sanitizer sets limits of its own, before percuss runs; there tests/c/test_sandbox.c alone plays this
    limits_can_fail = "/asan/" not in PERCUSS
    if not limits_can_fail:
        cases = [case for case in cases if prlimit not in case[0]]
    for i, (calls, options, code, text, graded) in enumerate(cases):
        out = "grades%d.csv" % i
        ended, said = run_without(calls, "assignment", "grade", "poor.lua", "in", "--out", out, *options, cwd=base)
        what = "without %s, with %s" % (calls, options)
        check("grading %s ends with code %d" % (what, code), ended == code, (ended, said))
        check("grading %s says what is missing" % what, text in said and "stack traceback" not in said, said)
        check("grading %s leaves scores or none" % what, os.path.exists(os.path.join(base, out)) == graded)
        if graded:
            row = rows(os.path.join(base, out))[0]
            check("files are out of reach %s" % what, (row["a"], row["b"]) == ("1", "0"), row)
            summary = read(os.path.join(base, out[:-4] + "-reports", "class.html"))
            check("the summary says it %s" % what, text in summary)
    ended, said = run_without((seccomp, landlock), "assignment", "check", "s1.lua", cwd=base)
    check("a check without walls is refused", ended == 1 and "neither seccomp nor Landlock" in said, said)
    if limits_can_fail:
        ended, said = run_without((prlimit, setrlimit), "assignment", "check", "s1.lua", cwd=base)
        check("a check without limits is refused", ended == 1 and "cannot limit" in said, said)
    check("nothing was written outside", not os.path.exists(os.path.join(base, "canary")))
