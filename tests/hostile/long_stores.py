"""5,000 damaged stores, read, merged and resumed. Usage: long_stores.py PERCUSS [CASES [SEED]]"""
import sys

import damage
import driver

CASES, SEED = driver.start_long(5000, 17)
sys.exit(driver.report(driver.fuzz("stores.lua", CASES, SEED, damage.prepare)))
