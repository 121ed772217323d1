"""The calls of wrong.lua, watched: none may crash or go on for ever, and no message may point into the library."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent

# A call may take long if what it was given asks for much; it must then answer Ctrl-C.
QUIET, GRACE = 1.5, 20


class Watched:
    """One child that calls from a number on; its log grows with every call."""

    def __init__(self, program, folder, seed, share, first):
        self.log = os.path.join(folder, "calls.log")
        self.errors = open(os.path.join(folder, "errors"), "w+", encoding="utf-8", errors="replace")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("LUA_", "XDG_"))}
        env.update(LUA_PATH=f"{here}/?.lua;;", LC_ALL="C.UTF-8", HOME=folder, TERM="dumb")
        self.child = subprocess.Popen([program, here / "wrong.lua", self.log, str(seed), str(share), str(first)],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors,
                                      cwd=os.path.join(folder, "files"), env=env, start_new_session=True)

    def size(self):
        return os.path.getsize(self.log) if os.path.exists(self.log) else 0

    def goes_on(self, seconds):
        """Wait until the child has ended (False), or for a while in which the log grew (True) or did not (None)."""
        before, start = self.size(), time.monotonic()
        while time.monotonic() - start < seconds:
            if self.child.poll() is not None:
                return False
            if self.size() != before:
                return True
            time.sleep(0.02)
        return None

    def watch(self):
        """Until the end; what was wrong with it, or None. Whoever is silent is interrupted."""
        interrupted, started = False, False
        while True:
            state = self.goes_on(QUIET if started and not interrupted else GRACE)
            started = True
            if state is None and interrupted:
                return "does not answer Ctrl-C"
            if state is None:
                self.child.send_signal(signal.SIGINT)
                interrupted = True
            elif state is False:
                self.errors.seek(0)
                good = self.child.returncode == 0 or (interrupted and self.child.returncode == 130)
                return None if good else f"ended with {self.child.returncode}: {self.errors.read()[-2000:]}"

    def end(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()
        self.errors.close()


def call_all(program, seed, share):
    """Make a share of all calls, chosen by the seed: what was wrong, how many were made, how many interrupted."""
    folder = tempfile.mkdtemp(prefix="percuss-test-")
    os.mkdir(os.path.join(folder, "files"))
    wrong, first, interrupted = [], 1, 0
    try:
        while True:
            watched = Watched(program, folder, seed, share, first)
            try:
                problem = watched.watch()
            finally:
                watched.end()
            with open(watched.log, encoding="utf-8", errors="replace") as log:
                lines = log.read().splitlines()
            calls = [line for line in lines if line[:1].isdigit()]
            if problem:
                wrong.append(f"{calls[-1] if calls else 'no call'} {problem}")
            if lines and lines[-1].startswith("done "):
                break
            if not calls or int(calls[-1].split()[0]) < first:
                wrong.append(f"stopped before the call {first}: {problem}")
                break
            interrupted += problem is None
            first = int(calls[-1].split()[0]) + 1
        wrong += [line for line in lines if line.startswith("wrong: ")]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, len(calls), interrupted
