"""Constants that are no tolerances of the table (base/tolerance.h) decide nothing: with all of them ten times as large,
or a tenth, on copies of the tree, every golden scene has the same events in the same order, and values to 1e-6.
Usage: long_thresholds.py PROGRAM [FACTOR...]"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# What can decide an event or an impact. The table itself stays as it is, and so do what help promises (PC_EVENT_FIT)
# and what says how forces are shared that mechanics leaves open (FRICTION_LAST): those shares are its meaning.
ROOMS = ["math", "event", "law", "engine", "body", "scene", "motion"]
KEPT = {"base/tolerance.h"}
PROMISED = {"PC_EVENT_FIT", "FRICTION_LAST"}

# A named constant that is small beside 1. Larger ones are shares and counts, which no rounding could come near.
SMALL = 1e-3
NUMBER = r"(\d+(?:\.\d*)?(?:e[-+]?\d+)?|0x1p-\d+|\d+ \* DBL_EPSILON)"
CONSTANTS = re.compile(r"^(?:static const double .*;|#define \w+ .*)$", re.M)
ONE = re.compile(r"\b([A-Z][A-Z0-9_]*)( = | \(?)" + NUMBER + r"(?=[,;)\n]|$)")


def value_of(text):
    if text.startswith("0x"):
        return float.fromhex(text)
    parts = text.split(" * ")
    return float(parts[0]) * (2.0 ** -52 if len(parts) > 1 else 1)


def scale(text, factor, names):
    def one(match):
        name, gap, number = match.groups()
        if name in PROMISED or not 0 < value_of(number) <= SMALL:
            return match.group(0)
        names.append(name)
        return f"{name}{gap}{factor} * {number}" if "(" in gap or "=" in gap else f"{name} ({factor} * {number})"

    return CONSTANTS.sub(lambda line: ONE.sub(one, line.group(0)), text)


def verdicts(folder, factor):
    """Run the scenes by a copy with scaled constants: how many pass, and how many do not."""
    copy = pathlib.Path(folder) / f"times_{factor}"
    copy.mkdir()
    for name in ["Makefile", "README.md"]:
        shutil.copy2(ROOT / name, copy)
    for name in ["src", "lua", "scripts", "tests"]:
        shutil.copytree(ROOT / name, copy / name)
    names = []
    for room in ROOMS:
        for file in sorted((copy / "src" / room).rglob("*.[ch]")):
            if str(file.relative_to(copy / "src")) in KEPT:
                continue
            text = file.read_text(encoding="utf-8")
            file.write_text(scale(text, factor, names), encoding="utf-8")
    print(f"{len(names)} constants times {factor}")
    environment = {name: value for name, value in os.environ.items() if name not in ("T", "MAKEFLAGS", "MFLAGS")}
    made = subprocess.run(["make", "-s", "-j2", "all"], cwd=copy, env=environment, check=False,
                          capture_output=True, text=True)
    if made.returncode:
        print(made.stdout[-2000:], made.stderr[-2000:])
        return 0, 1
    done = subprocess.run(["build/release/percuss", "tests/golden/run.lua", "verdicts"], cwd=copy, check=False,
                          capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    counts = re.match(r"(\d+) passed, (\d+) failed$", lines[-1]) if lines else None
    print("\n".join(f"times {factor}: {line}" for line in lines[:-1]))
    return (int(counts.group(1)), int(counts.group(2))) if counts else (0, 1)


def main():
    factors = sys.argv[2:] or ["10", "0.1"]
    with tempfile.TemporaryDirectory() as folder:
        good, bad = (sum(column) for column in zip(*(verdicts(folder, factor) for factor in factors)))
    print(f"{good} passed, {bad} failed")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
