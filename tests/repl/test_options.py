"""percuss and lua, side by side: the same output, the same complaints, the same exit code."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PERCUSS, run

LUA = shutil.which("lua5.4")

FILES = {
    "args.lua": "print(...) for i = -9, 9 do if arg[i] then print(i, arg[i]) end end",
    "shebang.lua": "#!/usr/bin/env lua\nprint('second line', ...)\nerror('third')",
    "fails.lua": "local function f() error('deep') end\nlocal function g() f() end\ng()",
    "syntax.lua": "x = = 1",
    "object.lua": "error(setmetatable({}, { __tostring = function() return 'I am an object' end }))",
    "table.lua": "error({})",
    "nil.lua": "error()",
    "number.lua": "error(42, 0)",
    "init.lua": "greeting = 'from a file'",
    "module.lua": "return { name = ... }",
    "-": "print('a file called -', ...)",
    "exits.lua": """
        setmetatable({}, { __gc = function() print('collected') end })
        os.exit(tonumber(...) or ... == 'true', true)""",
}


@unittest.skipUnless(LUA, "needs lua5.4 to compare with")
class BesideLua(unittest.TestCase):
    def setUp(self):
        self.old = os.getcwd()
        self.dir = tempfile.mkdtemp(prefix="percuss-test-")
        os.chdir(self.dir)
        for name, text in FILES.items():
            with open(name, "w", encoding="utf-8") as f:
                f.write(text)

    def tearDown(self):
        os.chdir(self.old)
        shutil.rmtree(self.dir)

    def same(self, *args, stdin="", **changes):
        """Run both; their answers must differ by their names alone. Returns what lua answered."""
        answers = []
        for program in (LUA, PERCUSS):
            done = run(*args, stdin=stdin, program=program, **changes)
            answers.append((done.stdout.replace(program, "PROGRAM"), done.stderr.replace(program, "PROGRAM"),
                            done.returncode))
        self.assertEqual(answers[0], answers[1], args)
        return answers[0]

    def test_e_executes_a_string_joined_or_separate_in_order(self):
        self.same("-e", "print(1)")
        self.same("-eprint(2)")
        out, _, _ = self.same("-e", "x = 1", "-ex = x + 1", "-e", "print(x)", "args.lua", "tail")
        self.assertTrue(out.startswith("2\ntail"))
        self.same("-e", "")

    def test_an_error_in_e_stops_what_follows(self):
        out, err, code = self.same("-e", "error('first')", "-e", "print('second')", "args.lua")
        self.assertEqual((out, code), ("", 1))
        self.assertIn("(command line):1: first", err)
        self.same("-e", "x =")

    def test_l_requires_into_a_global(self):
        self.same("-l", "module", "-e", "print(module.name)")
        self.same("-lmodule", "-e", "print(module.name)")
        out, _, _ = self.same("-l", "m=module", "-e", "print(m.name, module)")
        self.assertEqual(out, "module\tnil\n")
        out, err, code = self.same("-l", "no_such_module")
        self.assertEqual(code, 1)
        self.assertIn("module 'no_such_module' not found", err)
        self.same("-l", "syntax")

    def test_arg_counts_from_the_script(self):
        out, _, _ = self.same("-W", "-e", "x = 1", "args.lua", "a", "-b", "--", "")
        self.assertIn("0\targs.lua", out)
        self.assertIn("-3\t-W", out)
        self.same("-e", "for i = -9, 9 do print(i, arg[i]) end")
        self.same("--", "args.lua", "x")

    def test_arg_may_be_changed_but_must_stay_a_table(self):
        self.same("-e", "table.insert(arg, 'more')", "args.lua", "a")
        _, err, code = self.same("-e", "arg = nil", "args.lua")
        self.assertEqual(code, 1)
        self.assertIn("'arg' is not a table", err)

    def test_minus_is_standard_input_and_behind_minus_minus_a_file(self):
        self.same("-", "a", "b", stdin="print('stdin', ...)")
        self.same("-", stdin="error('no')")
        self.same(stdin="print('no script', #arg)")
        out, _, _ = self.same("--", "-", "c")
        self.assertEqual(out, "a file called -\tc\n")

    def test_errors_of_scripts_have_a_traceback_and_exit_code_1(self):
        for name in ("fails", "syntax", "object", "table", "nil", "number", "shebang", "missing"):
            with self.subTest(name):
                _, err, code = self.same(name + ".lua")
                self.assertEqual(code, 1)
                self.assertTrue(err.startswith("PROGRAM: "), err)

    def test_os_exit_gives_its_code_and_closes_the_state(self):
        for code, expected in (("0", 0), ("3", 3), ("true", 0), ("false", 1)):
            out, _, got = self.same("exits.lua", code)
            self.assertEqual((out, got), ("collected\n", expected))

    def test_warnings_are_off_until_W(self):
        self.same("-e", "warn('hidden')")
        _, err, _ = self.same("-W", "-e", "warn('shown')")
        self.assertIn("Lua warning: shown", err)
        self.same("-e", "warn('@on') warn('on')")

    def test_LUA_INIT_runs_first_by_text_or_file(self):
        self.same("-e", "print(greeting)", LUA_INIT="greeting = 'hello'")
        self.same("-e", "print(greeting)", LUA_INIT="@init.lua")
        out, _, _ = self.same("-e", "print(greeting)", LUA_INIT="greeting = 'old'", LUA_INIT_5_4="greeting = 'new'")
        self.assertEqual(out, "new\n")
        _, err, code = self.same("-e", "print(1)", LUA_INIT="error('bad')")
        self.assertEqual(code, 1)
        self.assertIn("LUA_INIT:1: bad", err)
        self.same("-e", "print(1)", LUA_INIT="@missing.lua")

    def test_E_ignores_the_environment(self):
        out, _, _ = self.same("-E", "-e", "print(rawget(_G, 'greeting'), package.path)",
                              LUA_INIT="greeting = 1", LUA_PATH="here/?.lua")
        self.assertTrue(out.startswith("nil\t"))
        self.assertNotIn("here/", out)
        out, _, _ = self.same("-e", "print(package.path)", LUA_PATH="here/?.lua;;")
        self.assertTrue(out.startswith("here/?.lua;"))

    def test_wrong_options_are_named_and_exit_with_1(self):
        for args in (["-x"], ["-e"], ["-l"], ["-e", "-v"], ["-ii"], ["-vx"], ["-E1"], ["-W1"], ["--foo"],
                     ["-e", "x=1", "-q"]):
            with self.subTest(args):
                answers = [run(*args, program=p) for p in (LUA, PERCUSS)]
                first = [a.stderr.splitlines()[0].split(": ", 1)[1] for a in answers]
                self.assertEqual(first[0], first[1])
                self.assertEqual([a.returncode for a in answers], [1, 1])
                self.assertIn("usage: ", answers[1].stderr)

    def test_coroutines_behave_as_those_of_lua(self):
        # the two functions percuss replaces, to know which coroutine runs
        out, _, code = self.same("-", stdin="""
            local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) error('in it ' .. c) end)
            print(coroutine.resume(co, 1, 2)) print(coroutine.resume(co, 'x')) print(coroutine.resume(co))
            print(coroutine.status(co), coroutine.resume(coroutine.running()))
            print(pcall(coroutine.resume, 1)) print(pcall(coroutine.wrap, 1))
            local f = coroutine.wrap(function(...) local n = select('#', ...) coroutine.yield(n) error('wrapped') end)
            print(f(nil, nil, nil)) print(pcall(f)) print(pcall(f))
            local g = coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function(_, e)
                print('closing', e) error('from close') end }) error('from body') end)
            print(pcall(g))
            local h = coroutine.wrap(function() error({ 1 }) end)
            print(type(select(2, pcall(h))))
            print(select('#', pcall(coroutine.wrap(function() return table.unpack({}, 1, 1e5) end))))
            local same = coroutine.create(function(...) return ... end)
            print(select('#', coroutine.resume(same, table.unpack({}, 1, 200))))
            for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do print(i) end
            local k k = coroutine.wrap(function() return pcall(k) end) print(k())
            coroutine.wrap(function() error('uncaught') end)()""")
        self.assertEqual(code, 1)
        self.assertIn("cannot resume dead coroutine", out)


class Program(unittest.TestCase):
    def test_version_names_every_library(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^percuss \d+\.\d+\.\d+\nLua 5\.4\.\d+\nPLplot [\d.]+\nchafa [\d.]+\n"
                                      r"GLib [\d.]+\nreadline [\d.]+\n(libzmq [\d.]+\n)?$")

    def test_version_verbose_says_how_it_was_built(self):
        done = run("--version", "--verbose", PERCUSS_JOBS="3")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertTrue(done.stdout.startswith(run("--version").stdout))
        for told in (r"^compiler .+$", r"^build (release|debug|asan|tsan|strict|bare|posix)$", r"^with .*$",
                     r"^without .*$",
                     rf"^{os.uname().sysname} .* on {os.uname().machine}$", r"^TERM=xterm$", r"^PERCUSS_JOBS=3$"):
            self.assertRegex(done.stdout, f"(?m){told}")
        with_, without = (set(re.search(rf"(?m)^{word} (.*)$", done.stdout)[1].split()) for word in ("with", "without"))
        self.assertFalse(with_ & without)
        self.assertEqual("ZMQ" in with_, "libzmq" in done.stdout)

    def test_v_prints_one_line_and_stops_when_nothing_else_is_asked(self):
        done = run("-v")
        self.assertRegex(done.stdout, r"^percuss \d+\.\d+\.\d+ \(Lua 5\.4\.\d+\)\n$")
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_help_lists_every_option_on_standard_output(self):
        done = run("--help")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        for option in ("-e", "-i", "-l", "-v", "-E", "-W", "--", "-", "--help", "--version"):
            self.assertRegex(done.stdout, rf"\n  {option} ")

    def test_tolerances_are_printed_with_value_and_use(self):
        done = run("--tolerances")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        for meaning, value in (("rounding of a sum", 2**-46), ("one instant", 2**-49), ("rank", 1e-12)):
            found = re.search(rf"^{meaning} +(\S+) +of .+\n +\S", done.stdout, re.M)
            self.assertIsNotNone(found, meaning)
            self.assertAlmostEqual(float(found[1]) / value, 1, delta=0.01)
        self.assertIn("\n  --tolerances\n", run("--help").stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs a device that is always full")
    def test_output_that_is_lost_is_a_failure(self):
        for command in (["-e", "print(1)"], ["-e", "io.write(('x'):rep(100000))"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PERCUSS, *command], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn(b"cannot write to standard output", done.stderr)
        with open("/dev/full", "wb") as full:
            self.assertEqual(subprocess.run([PERCUSS, "-e", "x = 1"], stdout=full, check=False).returncode, 0)

    def test_a_failing_script_on_standard_input_fails(self):
        # lua answers 0 here, and a shell would take the failure for success
        self.assertEqual(run(stdin="error('x')").returncode, 1)

    def test_e_shows_values_as_the_prompt_does(self):
        self.assertEqual(run("-e", "show{ n = 1, t = -0.28897123 }").stdout, "{ t = -0.288971, n = 1 }\n")
        self.assertEqual(run("-e", "show = 3", "-e", "print(show)").stdout, "3\n")

    def test_percuss_is_there_without_any_file(self):
        done = run("-E", "-e", "print(type(require 'percuss'), rawget(_G, 'percuss'))")
        self.assertEqual(done.stdout, "table\tnil\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
