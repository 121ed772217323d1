"""Hostile submissions at random, twelve hundred of them; run.py has the first few. Usage: long_attacks.py PERCUSS.
The last line is "N passed, N failed"."""

import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # the checkout stays as it is

from campaign import campaign  # noqa: E402
from helpers import counts  # noqa: E402

SEEDS, SIZE = 60, 20


def main():
    for seed in range(1, SEEDS + 1):
        base = tempfile.mkdtemp(prefix="percuss-attacks-")
        try:
            campaign(base, seed, SIZE)
        finally:
            shutil.rmtree(base)
    print("%d passed, %d failed" % (counts["passed"], counts["failed"]))
    sys.exit(counts["failed"] > 0)


if __name__ == "__main__":
    main()
