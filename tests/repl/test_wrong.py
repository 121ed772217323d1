"""A fiftieth of the calls with one thing wrong that long_wrong.py makes."""
import unittest

import wrong
from program import PERCUSS


class Wrong(unittest.TestCase):
    def test_no_call_crashes_hangs_or_speaks_of_the_inside_of_the_library(self):
        found, calls, _ = wrong.call_all(PERCUSS, seed=1, share=0.02)
        self.assertEqual(found, [])
        self.assertGreater(calls, 1000)  # of more than 70,000
