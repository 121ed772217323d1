"""What the tests of sweeps share: folders in which programs run, stores that are read."""
import os
import shutil
import subprocess
import tempfile
import time

PERCUSS = os.environ["PERCUSS"]

# For answers that take no time by themselves, on a busy machine or under a sanitizer.
PATIENCE = 60

# Every start of the function appends one byte to the file "count". How long it takes is no part of what it computes.
SWEEP = """
local pc = require "percuss"
local n, store = tonumber(arg[1]), arg[3]
local t, message = pc.sweep{
    over = { { "x", pc.linspace(0, 1, n), unit = "m" } }, columns = { "square", "chance" }, units = { square = "m^2" },
    store = store ~= "" and store or nil,
    run = function(p)
        local log = io.open("count", "a")
        log:write(".")
        log:close()
        local stop = os.clock() + tonumber(os.getenv "MILLISECONDS") / 1000
        while os.clock() < stop do end
        return { square = p.x ^ 2, chance = math.random() }
    end,
}
if not t then
    print(message)
    os.exit(2)
end
print("skipped", t.info.skipped, "computed", t.info.computed)
t:csv(arg[4] or "out.csv")
"""


class Folder:
    """A directory of its own with the script in it, gone afterwards."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="percuss-sweep-")
        self.write("sweep.lua", SWEEP)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def starts(self):
        """How often the function has been called in this folder."""
        try:
            return os.path.getsize(os.path.join(self.path, "count"))
        except FileNotFoundError:
            return 0

    def environment(self, changes):
        unwanted = ("LUA_", "PERCUSS_", "OMPI_", "PMI_", "SLURM_", "SGE_")
        env = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        env.update(changes)
        return env

    def start(self, *words, options=(), before=None, **changes):
        if words and words[0] == "sweep.lua":
            changes["MILLISECONDS"] = str(words[2])
        return subprocess.Popen([PERCUSS, *options, *map(str, words)], cwd=self.path, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True,
                                preexec_fn=before, env=self.environment(changes), text=True)

    def run(self, *words, **keys):
        process = self.start(*words, **keys)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def wait_for(self, starts):
        deadline = time.monotonic() + PATIENCE
        while self.starts() < starts:
            assert time.monotonic() < deadline, f"only {self.starts()} points began"
            time.sleep(0.001)
