"""Running percuss for the tests: in a pipe, or at the far end of a pseudo-terminal as a person would."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

PERCUSS = os.environ["PERCUSS"]

# For answers that take no time by themselves: a busy machine, or a sanitizer, may be a hundred times slower than usual.
PATIENCE = 30

# Carriage returns and escape sequences, also one that has not arrived whole.
CONTROL = re.compile(r"\r|\x1b\[[0-9;?]*[A-Za-z]|\x1b\[?[0-9;?]*$|\x1b[^\[]")


def environment(**changes):
    """What the program sees: nothing of the user's own Lua settings, history or terminal."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LUA_", "XDG_")) and k != "INPUTRC"}
    env.update(TERM="xterm", LC_ALL="C.UTF-8", INPUTRC="/dev/null", HISTFILE="/dev/null", PAGER="cat")
    env.update(changes)
    return {k: v for k, v in env.items() if v is not None}


def run(*args, stdin="", program=PERCUSS, cwd=None, **changes):
    """Run to the end; returns the completed process with text in stdout and stderr."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run([program, *args], input=data, capture_output=True, timeout=PATIENCE, check=False,
                          env=environment(**changes), cwd=cwd)
    done.stdout = done.stdout.decode(errors="replace")
    done.stderr = done.stderr.decode(errors="replace")
    return done


class Terminal:
    """percuss on a pseudo-terminal. `raw` is everything it wrote, `seen` the same as text, without control sequences
    and carriage returns; expect() moves `position` behind a match."""

    def __init__(self, *args, command=None, columns=80, rows=24, state=None, **changes):
        self.own_state = state is None
        self.state = state or tempfile.mkdtemp(prefix="percuss-test-")
        self.seen = ""
        self.raw = b""
        self.position = 0
        command = command or [PERCUSS, *args]
        env = environment(**{"XDG_STATE_HOME": self.state, "HOME": self.state, **changes})
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.execve(command[0], command, env)
            finally:
                os._exit(127)
        self.resize(columns, rows)
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
        if self.own_state:
            shutil.rmtree(self.state, ignore_errors=True)

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, timeout):
        """Take in what has been written; False after `timeout` seconds of silence or at the end."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side has closed
            return False
        self.raw += data
        self.seen = CONTROL.sub("", self.raw.decode(errors="replace"))
        return bool(data)

    def send(self, text):
        """Type, reading meanwhile, so that a long text cannot block both sides."""
        data = text if isinstance(text, bytes) else text.encode()
        while data:
            _, writable, _ = select.select([], [self.fd], [], 0.01)
            if writable:
                data = data[os.write(self.fd, data[:1024]):]
            self.read(0)

    def line(self, text):
        self.send(text + "\r")

    def expect(self, pattern, timeout=PATIENCE):
        """Wait for a match behind the last one; returns it."""
        limit = time.monotonic() + timeout
        while True:
            match = re.compile(pattern).search(self.seen, self.position)
            if match:
                self.position = match.end()
                return match
            left = limit - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"no {pattern!r} in {self.seen[self.position:]!r}, all: {self.seen[-2000:]!r}")

    def reply(self, text):
        """Type a line; returns what is written between it and the next prompt."""
        self.line(text)
        return self.expect(r"(?s)\n(.*?)(?<![^\n])>>? $").group(1)

    def interrupt(self):
        """Ctrl-C; returns the seconds until the prompt is back. What has been written before does not count."""
        while self.read(0.02):
            pass
        self.position = len(self.seen)
        start = time.monotonic()
        self.send("\x03")
        self.expect("> ")
        return time.monotonic() - start

    def wait(self, timeout=PATIENCE):
        """Wait for the end; returns the exit code, negative for a signal."""
        limit = time.monotonic() + timeout
        while True:
            self.read(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
            if time.monotonic() > limit:
                raise AssertionError(f"still running; last seen {self.seen[-2000:]!r}")
