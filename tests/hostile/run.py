"""A seeded part of the hostile suites long_*.py. Usage: run.py PERCUSS; the last line is "N passed, N failed"."""
import sys

import damage
import driver


def main():
    driver.start()
    return driver.report(driver.fuzz("run_files.lua", 150, seed=1), driver.fuzz("stores.lua", 60, 1, damage.prepare),
                         driver.fuzz("extremes.lua", 100, seed=7))


if __name__ == "__main__":
    sys.exit(main())
