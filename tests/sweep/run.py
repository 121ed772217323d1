"""Sweeps under fire: workers and whole programs killed at any moment, disks that fill, stores that are no stores.
Usage: run.py PERCUSS [word...]: tests whose names have one of the words; the last line is "N passed, N failed"."""
import importlib
import os
import sys
import traceback

here = os.path.dirname(os.path.abspath(__file__))


def main():
    os.environ["PERCUSS"] = os.path.abspath(sys.argv[1])
    sys.path[:0] = [here, os.path.join(here, os.pardir, "repl")]
    sys.dont_write_bytecode = True
    passed = failed = 0
    wanted = sys.argv[2:]
    for module in ("kills", "stores", "shards", "reports", "surroundings", "clients"):
        for name, test in list(vars(importlib.import_module(module)).items()):
            if not name.startswith("test_") or (wanted and not any(word in name for word in wanted)):
                continue
            try:
                test()
                passed += 1
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"FAILED {name}")
                traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
