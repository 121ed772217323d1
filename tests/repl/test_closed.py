"""Objects after they were closed or finalized, or while they are in use: an error, whatever asks, and never a crash."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import PERCUSS, environment

here = pathlib.Path(__file__).resolve().parent


def run_here(name, *args, seconds=600):
    """A Lua script beside this file, in a folder of its own; its completed process with all it wrote in stdout."""
    folder = tempfile.mkdtemp(prefix="percuss-test-")
    try:
        return subprocess.run([PERCUSS, here / name, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, check=False, cwd=folder, text=True,
                              errors="replace", env=environment(LUA_PATH=f"{here}/?.lua;;"))
    finally:
        shutil.rmtree(folder)


def wrong(done):
    """What a script found wrong, or how it ended if it did not end well."""
    lines = [line for line in done.stdout.splitlines() if line.startswith("wrong: ")]
    return lines if lines or done.returncode == 0 else [f"ended with {done.returncode}: {done.stdout[-2000:]}"]


class Closed(unittest.TestCase):
    def test_every_function_and_method_refuses_them(self):
        done = run_here("closed.lua")
        self.assertEqual(wrong(done), [])
        summary = [line for line in done.stdout.splitlines() if line.endswith("left for the end")]
        self.assertEqual(len(summary), 1, done.stdout[-2000:])
        calls, left = (int(word) for word in summary[0].split() if word.isdigit())
        self.assertGreater(calls, 300)  # 8 types that can be closed, 24 operations each, and 40 functions and methods
        self.assertGreater(left, 30)
        self.assertEqual(done.stdout.count("called at the end"), left)

    def test_nothing_is_closed_under_the_hands_of_what_uses_it(self):
        done = run_here("closed_meanwhile.lua")
        self.assertEqual(wrong(done), [])
        self.assertTrue(done.stdout.endswith("done\n"), done.stdout[-2000:])
