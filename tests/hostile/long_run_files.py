"""20,000 forged run files. Usage: long_run_files.py PERCUSS [CASES [SEED]]"""
import sys

import driver

CASES, SEED = driver.start_long(20000, 11)
sys.exit(driver.report(driver.fuzz("run_files.lua", CASES, SEED)))
