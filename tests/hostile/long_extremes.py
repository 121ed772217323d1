"""Examples of the documentation with extreme numbers. Usage: long_extremes.py PERCUSS [CASES [SEED]]"""
import sys

import driver

CASES, SEED = driver.start_long(4000, 23)
sys.exit(driver.report(driver.fuzz("extremes.lua", CASES, SEED)))
