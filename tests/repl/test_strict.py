"""Globals that do not exist: errors in what a person wrote, nil in modules and for those who ask rawget."""
import os
import shutil
import tempfile
import unittest

from program import run

# One of each kind that has to go on as under lua: it asks for a global that is not there.
MODULE = """
local found = unknown_name
if _G.another_unknown == nil then probed = true end
return { found = found, inner = function() return still_unknown end }
"""


class StrictNames(unittest.TestCase):
    def setUp(self):
        self.old = os.getcwd()
        self.dir = tempfile.mkdtemp(prefix="percuss-test-")
        os.chdir(self.dir)
        self.write("probing.lua", MODULE)

    def tearDown(self):
        os.chdir(self.old)
        shutil.rmtree(self.dir)

    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)

    def script(self, text, *options):
        self.write("study.lua", text)
        return run(*options, "study.lua")

    def refused(self, done, sentence):
        self.assertEqual(done.returncode, 1)
        self.assertIn(sentence, done.stderr.splitlines()[0])

    def test_a_script_that_reads_one_is_told_the_line_and_the_nearest_name(self):
        self.refused(self.script("local x = 1\nprint(pritn)"),
                     "study.lua:2: 'pritn' is not defined; did you mean 'print'?")
        self.refused(self.script("friction = 0.3\nlocal function f() return fricton end\nf()"),
                     "study.lua:2: 'fricton' is not defined; did you mean 'friction'?")

    def test_a_name_of_percuss_is_told_with_where_it_is(self):
        self.refused(self.script("local pc = require 'percuss'\nprint(colide)"),
                     "did you mean require \"percuss\".collide?")

    def test_a_name_that_has_had_a_value_may_be_nil(self):
        done = self.script("x = nil\nprint(x)\ny = 1\ny = nil\nprint(y, rawget(_G, 'z'))\narg = nil\nprint(arg)")
        self.assertEqual(done.stdout, "nil\nnil\tnil\nnil\n", done.stderr)

    def test_names_of_other_versions_of_Lua_can_be_asked_for(self):
        done = self.script("local unpack = unpack or table.unpack\nprint(jit, setfenv, unpack{ 7 })")
        self.assertEqual(done.stdout, "nil\tnil\t7\n", done.stderr)

    def test_modules_and_loaded_chunks_keep_Luas_rule(self):
        done = self.script("local m = require 'probing'\nprint(m.found, m.inner(), probed)\n"
                           "print(load 'return unknown_name'(), dofile 'probing.lua'.found)")
        self.assertEqual(done.stdout, "nil\tnil\ttrue\nnil\tnil\n", done.stderr)

    def test_another_metatable_of_the_globals_takes_over(self):
        done = self.script("setmetatable(_G, { __index = function(_, name) return name end })\nprint(anything)")
        self.assertEqual(done.stdout, "anything\n", done.stderr)
        self.write("own.lua", "setmetatable(_G, { __index = function(_, name) return name .. '!' end })")
        done = self.script("print(anything)", "-l", "own")
        self.assertEqual(done.stdout, "anything!\n", done.stderr)

    def test_coroutines_and_callbacks_of_a_script_are_held_to_it(self):
        self.refused(self.script("coroutine.wrap(function() return unknown_name end)()"), "study.lua:1: 'unknown_name'")
        done = self.script("local pc = require 'percuss'\n"
                           "local t = pc.sweep{ over = { { 'x', { 1 } } }, columns = { 'y' }, progress = 'none',\n"
                           "    run = function(p) return { y = p.x * fator } end }\nprint(t:failures()[1][2])")
        self.assertIn("study.lua:3: 'fator' is not defined", done.stdout, done.stderr)

    def test_standard_input_is_a_script(self):
        self.refused(run("-", stdin="print(pritn)"), "stdin:1: 'pritn' is not defined")
        self.refused(run(stdin="print(pritn)"), "stdin:1: 'pritn' is not defined")

    def test_no_strict_gives_nil(self):
        self.assertEqual(self.script("print(pritn)", "--no-strict").stdout, "nil\n")
        self.assertEqual(run("--no-strict", "-", stdin="print(pritn)").stdout, "nil\n")
        self.assertEqual(run("--no-strict", "-e", "print(pritn, deg)").stdout, "nil\t0.017453292519943\n")

    def test_e_knows_the_names_of_percuss_and_leaves_the_globals_alone(self):
        done = run("-e", "print(collide == pc.collide and percuss == pc, rawget(_G, 'collide'), rawget(_G, 'pc'))")
        self.assertEqual(done.stdout, "true\tnil\tnil\n", done.stderr)
        done = run("-e", "t = table{ { 'x', { 1, 2 } } } table.sort{ 2, 1 }"
                         " print(type(t), type(t.x), type(1), t.x:sum())")
        self.assertEqual(done.stdout, "table\tarray\tnumber\t3.0\n", done.stderr)
        self.refused(run("-e", "print(colide)"), "(command line):1: 'colide' is not defined; did you mean 'collide'?")
        # what an earlier one has defined comes first, and a script behind it knows the globals alone
        self.assertEqual(run("-e", "collide = 1", "-e", "print(collide)").stdout, "1\n")
        self.write("study.lua", "print(collide)")
        self.refused(run("-e", "print(deg)", "study.lua"), "did you mean require \"percuss\".collide?")

    def test_Lua_INIT_keeps_Luas_rule(self):
        self.assertEqual(run("-e", "print(x)", LUA_INIT="x = type(unknown_name)").stdout, "nil\n")


if __name__ == "__main__":
    unittest.main()
