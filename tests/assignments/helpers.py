"""What the tests of assignments share: running percuss, reading what it wrote, counting claims."""

import csv
import os
import subprocess
import sys

PERCUSS = os.path.realpath(sys.argv[1])
counts = {"passed": 0, "failed": 0}


def check(claim, ok, detail=""):
    counts["passed" if ok else "failed"] += 1
    if not ok:
        print("FAILED: %s%s" % (claim, ": " + str(detail)[:2000] if detail else ""))


def run(*arguments, cwd=None, code=0, **variables):
    """The program's output; its exit code is part of the claim. `variables`: more of the environment."""
    done = subprocess.run([PERCUSS, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600, env={**os.environ, **variables})
    text = done.stdout.decode("utf-8", "replace")
    check("%s ends with code %d" % (" ".join(arguments)[:80], code), done.returncode == code, text)
    return text


def write(path, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    with open(path, "wb") as file:
        file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
