#!/usr/bin/env python3
"""Every public call with one thing wrong: see wrong.py. Usage: long_wrong.py PERCUSS [seed share]. The last line is
"N passed, N failed".
"""
import pathlib
import sys

import wrong


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    seed, share = (int(sys.argv[2]), float(sys.argv[3])) if len(sys.argv) > 3 else (1, 1)
    found, calls, interrupted = wrong.call_all(program, seed, share)
    print("\n".join(found))
    print(f"{interrupted} calls that take long were interrupted")
    print(f"{calls - len(found)} passed, {len(found)} failed")
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())
