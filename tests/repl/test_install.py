"""What make install puts where, and the frame of a study that the program writes."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import PERCUSS, environment, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(PERCUSS).parent

# A library built with sanitizers is linked with them.
SANITIZE = ["-fsanitize=address,undefined"] if BUILD.name == "asan" else []

USER = """
#include <law/law.h>
#include <base/version.h>
#include <stdio.h>
int main(void)
{
    pc_error err = {0};
    printf("%s %s\\n", PC_VERSION, pc_fail(&err, PC_E_SYSTEM, "told") == PC_E_SYSTEM ? err.text : "wrong");
    return 0;
}
"""


def call(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (BUILD / "libpercuss.a").exists() or not (BUILD / "percuss.so").exists():
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

    def test_the_program_and_the_module_run_from_there(self):
        done = run("-e", "print(require('percuss').version)", program=str(self.prefix / "bin/percuss"))
        self.assertEqual(done.returncode, 0, done.stderr)
        if not SANITIZE and shutil.which("lua5.4"):
            module = environment(LUA_CPATH=f"{self.prefix}/lib/lua/5.4/?.so")
            self.assertEqual(call("lua5.4", "-e", "print(require('percuss').version)", env=module), done.stdout)

    def test_a_program_in_c_is_compiled_with_what_pkg_config_says(self):
        source = self.place / "user.c"
        source.write_text(USER)
        env = {**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}
        flags = call("pkg-config", "--cflags", "--libs", "percuss", env=env).split()
        call("cc", "-std=c11", source, "-o", self.place / "user", *SANITIZE, *flags)
        self.assertRegex(call(self.place / "user"), r"^\d+\.\d+\.\d+ told\n$")

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
        self.assertTrue((placed / "include/percuss/law/law.h").exists())
        self.assertTrue((placed / "share/doc/percuss/index.html").exists())
        self.install("uninstall", stage)
        self.assertEqual([p for p in stage.rglob("*") if not p.is_dir()], [])
        self.assertFalse((placed / "include/percuss").exists())


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
