"""20,000 forged run files. Usage: long_run_files.py PERCUSS [CASES [SEED]]"""
import sys

import driver

driver.start()
CASES, SEED = (list(map(int, sys.argv[2:4])) + [20000, 11][len(sys.argv) - 2:])
sys.exit(driver.report(driver.fuzz("run_files.lua", CASES, SEED)))
