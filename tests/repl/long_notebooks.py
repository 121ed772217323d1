#!/usr/bin/env python3
"""The notebooks, executed by nbconvert as a reader's front end does it: those of scripts/notebooks by the kernel of
percuss, that of scripts/embedding by Python's own. Usage: long_notebooks.py PERCUSS. The last line is "N passed, N
failed".
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What each page must show: its pictures, its tables, its players, and words of its last results.
MARKS = {
    "double_pendulum": ["data:image/gif", "data:image/png", "<iframe srcdoc=", "impacts", "<th>"],
    "first_impact": ["data:image/png", "<iframe srcdoc=", "slip-stick-slip"],
    "fit": ["data:image/png", "<th>", "mu"],
    "vibrating_table": ["data:image/png", "<iframe srcdoc="],
    "wedging": ["data:image/png"],
    "results": ["too rough", "is not allowed", "<th>"],
}


def python_with(modules):
    """A Python that has them; the first may be one that its user built."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import " + modules], capture_output=True, check=False).returncode == 0:
            return python
    sys.exit(f"needs {modules}: make packages-long")


def execute(python, source, place, env):
    shutil.copy(source, place)
    done = subprocess.run([python, "-m", "nbconvert", "--execute", "--to", "html", source.name], env=env, cwd=place,
                          capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        return [done.stderr[-2000:]]
    page = pathlib.Path(place, source.stem + ".html").read_text(encoding="utf-8")
    return [f"no {mark}" for mark in MARKS[source.stem] if mark not in page]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    python = python_with("nbconvert, ipykernel, pandas")
    books = sorted(ROOT.glob("scripts/notebooks/*.ipynb")) + [ROOT / "scripts/embedding/results.ipynb"]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
        os.symlink(next(program.parent.glob("libpercuss.so.0.*")), pathlib.Path(place, "libpercuss.so.0"))
        env = {**os.environ, "HOME": place, "JUPYTER_DATA_DIR": place, "JUPYTER_RUNTIME_DIR": place,
               "JUPYTER_CONFIG_DIR": place, "IPYTHONDIR": place, "PERCUSS": str(program), "LD_LIBRARY_PATH": place}
        subprocess.run([program, "kernel", "install"], check=True, env=env, capture_output=True)
        if {book.stem for book in books} != set(MARKS):
            failed += 1
            print(f"not the notebooks that are known: {[book.stem for book in books]}")
        for book in books:
            problems = execute(python, book, place, env)
            passed += not problems
            failed += bool(problems)
            for problem in problems:
                print(f"{book.name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
