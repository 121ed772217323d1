"""The kernel of notebooks: kernel.py, run by a Python that has the real client."""
import pathlib
import re
import subprocess
import sys
import unittest

from program import PERCUSS, run

HERE = pathlib.Path(__file__).resolve().parent


def has_client(python):
    try:
        return subprocess.run([python, "-c", "import jupyter_client, zmq"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


PYTHON = next((python for python in (sys.executable, "/usr/bin/python3") if has_client(python)), None)


class Kernel(unittest.TestCase):
    @unittest.skipUnless(PYTHON, "needs python3-jupyter-client")
    @unittest.skipUnless("libzmq" in run("--version").stdout, "needs a build with libzmq")
    def test_cells_endings_and_messages_by_the_real_client(self):
        done = subprocess.run([PYTHON, HERE / "kernel.py", PERCUSS], capture_output=True, text=True, check=False,
                              timeout=800)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(int(re.search(r"Ran (\d+) tests", done.stderr)[1]), 15)

    @unittest.skipIf("libzmq" in run("--version").stdout, "needs a build without libzmq")
    def test_a_build_without_the_library_refuses(self):
        self.assertIn("has no libzmq", run("kernel", HERE / "no_such_file").stderr)


if __name__ == "__main__":
    unittest.main()
