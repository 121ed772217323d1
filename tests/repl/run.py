#!/usr/bin/env python3
"""Run the tests of the program and its prompt. Usage: run.py PERCUSS [name...], names as in test_<name>.py.

Failures are printed in full; the last line is "N passed, N failed".
"""
import os
import pathlib
import sys
import unittest

here = pathlib.Path(__file__).resolve().parent


def main():
    os.environ["PERCUSS"] = str(pathlib.Path(sys.argv[1]).resolve())
    sys.path.insert(0, str(here))
    sys.dont_write_bytecode = True
    names = ["test_" + name for name in sys.argv[2:]] or sorted(p.stem for p in here.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    # a test of several parts counts once, however many of them fail
    failed = len({getattr(test, "test_case", test) for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
