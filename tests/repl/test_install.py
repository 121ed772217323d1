"""What make install puts where, and the frame of a study that the program writes."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PERCUSS, environment, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(PERCUSS).parent

# A library built with sanitizers is linked with them.
SANITIZE = ["-fsanitize=address,undefined"] if BUILD.name == "asan" else []

def call(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    """Tests that look at an installed tree."""

    @classmethod
    def setUpClass(cls):
        if not list(BUILD.glob("libpercuss.so.*")) or not (BUILD / "percuss.so").exists():
            raise unittest.SkipTest("the library is not built")
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="percuss-test-"))
        cls.prefix = cls.place / "opt" / "percuss"
        call(PERCUSS, ROOT / "tests/tools/docgen.lua", cls.place / "doc", PERCUSS, cwd=ROOT)
        cls.install("install")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.place, ignore_errors=True)

    @classmethod
    def install(cls, action, destination=""):
        return call("sh", "tests/tools/install", action, BUILD, cls.place / "doc", cls.prefix, destination, cwd=ROOT)


class Install(Installed):
    def test_the_program_and_the_module_run_from_there(self):
        done = run("-e", "print(require('percuss').version)", program=str(self.prefix / "bin/percuss"))
        self.assertEqual(done.returncode, 0, done.stderr)
        if not SANITIZE and shutil.which("lua5.4"):
            module = environment(LUA_CPATH=f"{self.prefix}/lib/lua/5.4/?.so")
            self.assertEqual(call("lua5.4", "-e", "print(require('percuss').version)", env=module), done.stdout)

    def test_what_teaches_is_in_the_program(self):
        program, place = self.prefix / "bin/percuss", self.place / "elsewhere"
        place.mkdir()
        for words, shown in ((["tutorial"], "10_study"), (["recipe"], "call_from_c"), (["examples"], "lai1999/fig5_14"),
                             (["recipe", "super_ball"], "spin"), (["tutorial", "1"], "-> "),
                             (["examples", "birlik2012/fig4_14", "--no-figures"], "critical"),
                             (["-e", 'help "wedging"'], "Painleve"), (["-e", 'apropos "shaking table"'], "vibrating")):
            self.assertIn(shown, call(program, *words, cwd=place))
        manual = self.prefix / "share/doc/percuss"
        for page in ("index", "guide-prompt", "tutorial", "topics", "recipes", "gallery", "studies", "misprints",
                     "assignments"):
            self.assertTrue((manual / f"{page}.html").exists(), page)

    def test_bash_completes_options(self):
        script = (f". {self.prefix}/share/bash-completion/completions/percuss; COMP_WORDS=(percuss --pro); "
                  "COMP_CWORD=1; _percuss 2>/dev/null; echo ${COMPREPLY[@]}")
        self.assertEqual(call("bash", "-c", script), "--progress\n")

    def test_the_man_page_names_every_option(self):
        page = (self.prefix / "share/man/man1/percuss.1").read_text().replace("\\-", "-")
        for option in ("-e stat", "-i", "--no-strict", "--jobs N", "--merge", "--version"):
            self.assertIn(f".B {option}", page)

    def test_uninstall_leaves_nothing_and_destdir_stands_in_front(self):
        stage = self.place / "stage"
        self.install("install", stage)
        placed = stage / str(self.prefix).lstrip("/")
        self.assertIn(f"prefix={self.prefix}\n", (placed / "lib/pkgconfig/percuss.pc").read_text())
        self.assertTrue((placed / "include/percuss.h").exists())
        self.assertEqual([p.name for p in (placed / "include").rglob("*")], ["percuss.h"])
        self.assertEqual(os.readlink(placed / "lib/libpercuss.so"), "libpercuss.so.0")
        self.assertTrue((placed / "lib/libpercuss.so").exists())
        self.assertTrue((placed / "share/doc/percuss/index.html").exists())
        self.install("uninstall", stage)
        self.assertEqual([p for p in stage.rglob("*") if not p.is_dir()], [])
        self.assertFalse((placed / "share/doc/percuss").exists())


# Every warning is an error, as in the header's own promise.
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
C = ["cc", "-std=c99", *STRICT]
CXX = ["c++", "-x", "c++", "-std=c++98", *STRICT]


# What scripts/embedding/throw.c does.
THROW = """
local percuss = require "percuss"
local world = percuss.scene{
    percuss.free{ shape = "disc", radius = 0.1, mass = 0.4, y = 1, vx = 9, vy = 9, name = "ball" },
    percuss.polygon{ corners = { { 6, 0 }, { 14, 0 }, { 12, 2 }, { 8, 2 } } },
    percuss.force{ on = "ball", f = function(_, b)
        local speed = (b.vx^2 + b.vy^2)^0.5
        return -0.01*speed*b.vx, -0.01*speed*b.vy
    end },
    contact = percuss.contact.newton{
        restitution = percuss.restitution.power{ value = 0.8, exponent = 0.25 }, friction = 0.3,
    },
}
local run = percuss.simulate(world, { duration = 2 })
local hit = run.impacts[1]
print(("strikes the roof at %.6f s with %.6f m/s, and leaves with %.6f m/s"):format(hit.time,
    -hit.velocity_before.n, hit.velocity.n))
print(("the air has taken %.6f J until then"):format(-run:work("force", 0, hit.time)))
"""

# What scripts/embedding/bounce.c does.
BOUNCE = """
local percuss = require "percuss"
local ball = percuss.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
local world = percuss.scene{ ball, percuss.floor{ height = 0 },
    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }
local run = percuss.simulate(world, { duration = 2, events = {
    { function(t, q) return q[2] - 0.6 end, name = "half way", direction = -1 } } })
for i, e in ipairs(run.events) do
    if i < 5 or e.kind ~= "impact" then print(("%s %.17g s"):format(e.kind, e.time)) end
end
"""


class Embedding(Installed):
    """percuss.h and libpercuss.so, and the examples of scripts/embedding, from an installed tree."""

    def flags(self, *words):
        env = {**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}
        return call("pkg-config", *words, "percuss", env=env).split()

    def example(self, name, compiler):
        """What an example prints."""
        return self.compiled(ROOT / "scripts/embedding" / (name + ".c"), compiler)

    def compiled(self, source, compiler):
        """What a program prints."""
        program = self.place / f"{source.stem}-{compiler[0]}"
        call(*compiler, source, "-o", program, *SANITIZE, *self.flags("--cflags", "--libs"), "-lm")
        return call(program, env={**os.environ, "LD_LIBRARY_PATH": str(self.prefix / "lib")})

    def numbers(self, text):
        return [float(word) for word in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])", text)]

    def test_the_header_alone_compiles(self):
        source = self.place / "alone.c"
        source.write_text("#include <percuss.h>\nint main(void) { return 0; }\n")
        for standard in ("c99", "c11", "c17"):
            call("cc", f"-std={standard}", *STRICT, "-c", source, "-o", self.place / "alone.o", *self.flags("--cflags"))

    @unittest.skipUnless(shutil.which("c++"), "there is no C++ compiler")
    def test_header_and_examples_are_cxx_as_well(self):
        source = self.place / "alone.cc"
        source.write_text("#include <percuss.h>\nint main() { return 0; }\n")
        for standard in ("c++98", "c++17"):
            call("c++", f"-std={standard}", *STRICT, "-c", source, "-o", self.place / "alone.o",
                 *self.flags("--cflags"))
        for name in ("ball", "bounce", "pendulum", "throw"):
            self.assertEqual(self.example(name, CXX), self.example(name, C))

    def test_the_library_shows_the_functions_of_the_header_and_nothing_else(self):
        header = (self.prefix / "include/percuss.h").read_text()
        declared = set(re.findall(r"PERCUSS_API [^;(]*?\b(percuss_\w+)\(", header))
        self.assertGreater(len(declared), 50)
        library = self.prefix / "lib/libpercuss.so"
        shown = {line.split()[-1] for line in call("nm", "-D", "--defined-only", library).splitlines()}
        self.assertEqual(shown, declared)
        dynamic = call("readelf", "-d", library)
        self.assertRegex(dynamic, r"SONAME.*\[libpercuss\.so\.0\]")
        if not SANITIZE:  # charts, stores and Lua stay out
            needed = re.findall(r"NEEDED.*\[(.*?)\.so", dynamic)
            self.assertLessEqual(set(needed), {"libm", "libc", "libpthread"})

    def test_private_requirements_stay_private(self):
        self.assertEqual(self.flags("--libs"), [f"-L{self.prefix}/lib", "-lpercuss"])
        self.assertEqual(self.flags("--cflags"), [f"-I{self.prefix}/include"])
        self.assertEqual(self.flags("--print-requires"), [])

    def test_a_ball_as_in_lua_to_the_last_bit(self):
        wanted = run("-e", "local ball = percuss.body.sphere{ radius = 0.02, mass = 0.05 } "
                     "local law = percuss.contact.newton{ restitution = 0.8, friction = 0.05 } "
                     "local hit = percuss.collide(ball, law, { vt = 1, vn = -2 }) "
                     "print(('v_t = %.17g m/s, v_n = %.17g m/s, loss = %.17g J, %s'):format(hit.velocity.t, "
                     "hit.velocity.n, hit.loss, hit.regime))")
        told = self.example("ball", C)
        self.assertEqual(told, wanted.stdout)
        v_t, v_n, loss = self.numbers(told)
        # friction slides all the time: p_n = m (1 + e) |v_n|, p_t = -mu p_n
        self.assertAlmostEqual(v_n, 1.6, delta=1e-15)
        self.assertAlmostEqual(v_t, 1 - 3.5 * 0.05 * 3.6, delta=1e-15)
        spin = 2.5 * 0.05 * 3.6 / 0.02
        after = 0.025 * ((1 - 0.05 * 3.6) ** 2 + 1.6 ** 2 + 0.4 * 0.02 ** 2 * spin ** 2)
        self.assertAlmostEqual(loss, 0.025 * 5 - after, delta=1e-16)

    def test_the_example_in_the_header_is_a_program(self):
        header = (ROOT / "src/percuss.h").read_text()
        program = re.search(r"( \*     #include <percuss.h>.*?\* {5}\})", header, re.S)[1]
        source = self.place / "header.c"
        source.write_text(re.sub(r"^ \* ?", "", program, flags=re.M))
        self.assertEqual(self.compiled(source, C), "1.6 m/s\n")

    def test_a_bouncing_ball_follows_its_closed_form_and_lua(self):
        g, e = 9.81, 0.5
        script = self.place / "bounce.lua"
        script.write_text(BOUNCE)
        lua = run(str(script)).stdout
        first, fall = (2 / g) ** 0.5, (2 * g) ** 0.5
        told = self.example("bounce", C)
        events = re.findall(r"^(\w+) ([\d.e-]+) s$", told, re.M)
        self.assertEqual(lua, told[:told.index("y at")])
        times = {}
        for kind, t in events:
            times.setdefault(kind, []).append(float(t))
        self.assertEqual(events[0][0], "user")
        self.assertAlmostEqual(times["user"][0], (1 / g) ** 0.5, delta=1e-14)
        for k in range(3):
            bounce = first + sum(2 * fall * e ** (n + 1) / g for n in range(k))
            self.assertAlmostEqual(times["impact"][k], bounce, delta=1e-14)
        # the end of infinitely many is extrapolated from the last that were told apart
        self.assertAlmostEqual(times["accumulation"][0], first + 2 * fall * e / (g * (1 - e)), delta=1e-12)
        self.assertAlmostEqual(float(re.search(r"y at 0.2 s: ([\d.]+) m", told)[1]), 1.1 - g * 0.02, delta=1e-14)

    def test_a_throw_is_that_of_lua(self):
        script = self.place / "throw.lua"
        script.write_text(THROW)
        self.assertEqual(run(str(script)).stdout, self.example("throw", C))

    def test_a_pendulum_swings_as_gauss_says(self):
        period, exact, angle = self.numbers(self.example("pendulum", C))
        self.assertAlmostEqual(period, exact, delta=1e-10 * exact)  # rtol 1e-12 over some 20 steps
        self.assertAlmostEqual(angle, -2, delta=1e-9)

    @unittest.skipIf(SANITIZE, "Python itself is not built with the sanitizers of the library")
    def test_python_calls_it_without_a_compiler(self):
        env = {**os.environ, "LD_LIBRARY_PATH": str(self.prefix / "lib")}
        told = call("python3", ROOT / "scripts/embedding/ball.py", env=env)
        self.assertEqual(self.numbers(told), self.numbers(self.example("ball", C))[:2])


class NewStudy(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="percuss-test-")
        self.addCleanup(shutil.rmtree, self.place)

    def test_it_runs_as_it_stands_and_is_never_overwritten(self):
        name = os.path.join(self.place, "deeper", "my_study")
        self.assertIn("is a study that runs", run("new", "study", name).stdout)
        done = run(name + ".lua", "--out", self.place)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("slip-stick-slip", done.stdout)
        self.assertEqual(pathlib.Path(self.place, "loss.png").read_bytes()[:4], b"\x89PNG")
        settings = json.loads(pathlib.Path(self.place, "deeper", ".luarc.json").read_text())
        self.assertEqual(settings["runtime.version"], "Lua 5.4")
        for folder in settings.get("workspace.library", []):
            self.assertTrue(os.path.exists(folder + "/percuss.lua"))
        own = pathlib.Path(self.place, "deeper", ".luacheckrc")
        self.assertIn("lua54", own.read_text())
        own.write_text("-- mine")
        self.assertEqual(run("new", "study", name + "2").returncode, 0)
        self.assertEqual(own.read_text(), "-- mine")
        again = run("new", "study", name + ".lua")
        self.assertEqual(again.returncode, 1)
        self.assertIn("exists already", again.stderr)

    def test_a_wrong_call_says_how(self):
        for words in ((), ("a", "b")):
            done = run("new", "study", *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn("usage: percuss new study NAME", done.stderr)
        self.assertIn("cannot open new", run("new").stderr)


if __name__ == "__main__":
    unittest.main()
