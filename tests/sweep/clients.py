"""What other programs read: the notebook of scripts/embedding, in a Python that has pandas and numpy."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from program import PERCUSS

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "scripts/embedding/results.ipynb"

# One name space for all cells, as a kernel has it; the last words say that the end was reached.
RUNNER = """
import json, sys
names = {}
for number, cell in enumerate(json.load(open(sys.argv[1]))["cells"], 1):
    if cell["cell_type"] == "code":
        assert not cell["outputs"] and cell["execution_count"] is None, "kept without its output"
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
stored = names["stored"]
print(len(stored), int(stored.error.notna().sum()), names["sweeps"].name[0], names["sweeps"].program[0].split()[0])
"""


def has(python, modules):
    try:
        return subprocess.run([python, "-c", "import " + modules], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def test_pandas_numpy_and_ctypes_find_the_same_doubles():
    python = next((p for p in (sys.executable, "/usr/bin/python3") if has(p, "pandas, numpy")), None)
    assert python, "needs python3-pandas"
    library = next(pathlib.Path(PERCUSS).parent.glob("libpercuss.so.0.*"), None)
    assert library, "needs libpercuss.so: make core"
    if library.parent.name in ("asan", "tsan"):
        return  # Python itself is not built with the sanitizers of the library
    with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
        os.symlink(library, pathlib.Path(place, "libpercuss.so.0"))
        env = {**os.environ, "PERCUSS": str(PERCUSS), "LD_LIBRARY_PATH": place}
        done = subprocess.run([python, "-c", RUNNER, NOTEBOOK], cwd=place, env=env, capture_output=True, text=True,
                              timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        refused, counted = done.stdout.splitlines()
        assert refused == "contact.newton: friction (\u03bc) = -1 is not allowed; it must be >= 0", refused
        assert counted == "42 2 friction percuss", counted
