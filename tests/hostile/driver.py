"""Drives a script of hostile cases in the program under test and survives what they do to it.

The script is called with a first and a last case and a seed; before each case it prints "case N", after one that went
wrong "FAILED reason" (one line), and at its end "done" and a few words. A case that ends its process, or that does not
end and ignores an interrupt, costs that case: the rest goes on in a new process."""
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# What a case may take before it is interrupted, and how soon it must then give way: on a busy machine.
LONGEST = 5
GRACE = 10

def sanitized():
    """A sanitizer maps much and is slow."""
    return os.path.basename(os.path.dirname(os.environ["PERCUSS"])).endswith("san")


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sanitized():
        # a count that was believed must not swap the machine to death
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


class Lines:
    """Lines of a pipe, with time-outs."""

    def __init__(self, pipe):
        self.pipe, self.rest = pipe, b""

    def next(self, seconds):
        """A line, "" at the end, None when there is none in time."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.pipe], [], [], left)[0]:
                return None
            data = os.read(self.pipe.fileno(), 65536)
            if not data:
                return ""
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace") or " "


class Result:
    def __init__(self, name):
        self.name, self.cases, self.failures, self.slow, self.words = name, 0, [], [], []

    def fail(self, case, reason):
        self.failures.append(f"{self.name}: case {case}: {reason}")


def run_part(result, command, folder, first):
    """Run from the case `first` on; the case to go on with, or None when the script is done."""
    with open(os.path.join(folder, "stderr"), "w+b") as errors:
        process = subprocess.Popen([*command[:-2], str(first), *command[-2:]], cwd=folder, stdout=subprocess.PIPE,
                                   stderr=errors, stdin=subprocess.DEVNULL, preexec_fn=limits)
        case, lines, interrupted = first - 1, Lines(process.stdout), False
        while True:
            line = lines.next((GRACE if interrupted else LONGEST) * (4 if sanitized() else 1))
            if line is None and not interrupted:
                interrupted = True
                process.send_signal(signal.SIGINT)
                continue
            if line is None:
                result.fail(case, f"does not end within {LONGEST} s and ignores an interrupt")
                process.kill()
                process.wait()
                return case + 1
            if line == "":
                break
            if line.startswith("case "):
                case, interrupted = int(line[5:]), False
                result.cases += 1
            elif line.startswith("FAILED "):
                result.fail(case, line[7:])
            elif line.startswith("done"):
                result.words.append(line[5:])
                process.wait()
                return None
            if interrupted:
                result.slow.append(case)
                interrupted = False
        code = process.wait()
        errors.seek(0)
        text = errors.read().decode(errors="replace")
        if interrupted:
            result.slow.append(case)
        else:
            result.fail(case, f"the program ended with the status {code}: {text[-3000:]}")
        return case + 1 if case >= first else None


def fuzz(script, cases, seed, prepare=None):
    """Cases 1 to `cases` of the script in this folder; prepare(folder, first, last, seed) makes what they need."""
    result = Result(script)
    folder = tempfile.mkdtemp(prefix="percuss-hostile-")
    batch = 200 if prepare else cases
    try:
        for start in range(1, cases + 1, batch):
            last, first = min(start + batch - 1, cases), start
            if prepare:
                prepare(folder, first, last, seed)
            command = [os.environ["PERCUSS"], os.path.join(HERE, script), str(last), str(seed)]
            while first is not None and first <= last and len(result.failures) < 20:
                first = run_part(result, command, folder, first)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return result


def report(*results):
    """Print failures and the last line that the runner reads; the exit status."""
    passed = failed = 0
    for result in results:
        for failure in result.failures:
            print("FAILED", failure)
        if result.slow:
            print(f"{result.name}: interrupted after {LONGEST} s: cases {result.slow}")
        print(f"{result.name}: {result.cases} cases; {'; '.join(result.words[:3])}")
        bad = len(result.failures) + (result.cases == 0)
        passed += max(result.cases - bad, 0)
        failed += bad
    print(f"{passed} passed, {failed} failed")
    return failed > 0


def start_long(cases, seed):
    """The arguments PERCUSS [CASES [SEED]] of a long suite."""
    start()
    given = list(map(int, sys.argv[2:4]))
    return given + [cases, seed][len(given):]


def start():
    os.environ["PERCUSS"] = os.path.abspath(sys.argv[1])
    sys.dont_write_bytecode = True
