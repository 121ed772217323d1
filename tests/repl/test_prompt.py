"""Statements at the prompt, as a person sees them."""
import os
import pathlib
import re
import shutil
import tempfile
import time
import unittest

from program import Terminal, run


class Statements(unittest.TestCase):
    def test_expressions_print_their_values_with_or_without_equals(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("1"), "1\n")
            t.reply("a=1")
            self.assertEqual(t.reply("a"), "1\n")
            self.assertEqual(t.reply("a==5"), "false\n")
            self.assertEqual(t.reply("= a + 1"), "2\n")
            self.assertEqual(t.reply("1, nil, 'x'"), "1\tnil\tx\n")
            self.assertEqual(t.reply("nil"), "nil\n")
            self.assertEqual(t.reply("(function() end)()"), "")

    def test_statements_go_on_over_several_lines(self):
        with Terminal() as t:
            t.expect("> ")
            for text in ("do", "local x=1", "print(x)"):
                t.line(text)
                t.expect(">> ")
            self.assertEqual(t.reply("end"), "1\n")
            t.line("f(")
            t.expect(">> ")
            self.assertEqual(t.reply("1)"), "stdin:1: 'f' is not defined\n")
            t.line("1 +")
            t.expect(">> ")
            self.assertEqual(t.reply("2"), "3\n")

    def test_long_strings_and_comments_go_on(self):
        with Terminal() as t:
            t.expect("> ")
            t.line("[[")
            t.expect(">> ")
            t.line("do")
            t.expect(">> ")
            self.assertEqual(t.reply("]]"), "do\n\n")
            t.line("--[[")
            t.expect(">> ")
            t.line("print('no')")
            t.expect(">> ")
            self.assertEqual(t.reply("]] 7"), "7\n")
            t.line("--[==[ ]]")
            t.expect(">> ")
            self.assertEqual(t.reply("]==]"), "")

    def test_an_error_is_one_line_and_its_traceback_waits_for_the_asking(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("traceback()"), "there has been no error\n")
            self.assertEqual(t.reply("error('top')"), "top\n")
            self.assertIn("in the line itself", t.reply("traceback()"))
            self.assertRegex(t.reply("1 +* 2"), r"^unexpected symbol near [^\n]*\n$")
            t.reply("function f() error('deep') end")
            self.assertRegex(t.reply("f()"), r"^deep\n *\(traceback\(\) shows [^\n]*\n$")
            self.assertRegex(t.reply("traceback()"), r"^stack traceback:\n(.*\n)+.*in function 'f'")
            self.assertEqual(t.reply("f()"), "deep\n")
            self.assertEqual(t.reply("error({})"), "(error object is a table value)\n")
            self.assertEqual(t.reply("error()"), "(error object is a nil value)\n")
            t.reply("object = setmetatable({}, { __tostring = function() return 'told' end })")
            self.assertEqual(t.reply("error(object)"), "told\n")

    def test_an_error_of_the_library_is_told_of_the_line_that_called_it(self):
        law = "pc.contact.linear{ kn = 1e7, eta = 1.2, mu = 0.5 }"
        hit = f"hit = pc.collide(pc.body.sphere{{ radius = 5e-3, mass = 0.0041 }}, {law}, {{ vt = 1, vn = -1 }})"
        with Terminal(columns=160) as t:
            t.expect("> ")
            t.reply(hit)
            self.assertEqual(t.reply("hit:plot{ 'F_x' }").splitlines()[0],
                             "plot: there is no column 'F_x'; did you mean 'F_t'?")
            self.assertIn("percuss.plot", t.reply("traceback()"))
        done = run("-", stdin=f"local pc = require 'percuss'\n{hit}\n\nhit:plot{{ 'F_x' }}\n")
        self.assertIn("stdin:4: plot: there is no column 'F_x'", done.stderr)

    def test_what_is_almost_lua_is_answered_with_what_would_be(self):
        with Terminal(columns=160) as t:
            t.expect("> ")
            self.assertTrue(t.reply("help wedge").endswith("; write help \"wedge\"\n"))
            self.assertTrue(t.reply("print hit").endswith("; write print(hit)\n"))
            self.assertRegex(t.reply("hti print"), r"^syntax error near [^;\n]*\n$")
            self.assertEqual(t.reply("'abc"), "unfinished string near <eof>\n")
            t.line("'abc\\")
            t.expect(">> ")
            self.assertEqual(t.reply("d'"), "abc\nd\n")
            self.assertRegex(t.reply("pc.csv.write('/no/such/a.csv', { { 'x', { 1 } } })"), r"^cannot write [^\t]*\n$")
            self.assertEqual(t.reply("body.sphere"), "body.sphere{ ... }: A solid sphere of uniform density.\n")

    def test_a_wrong_parameter_is_named_with_the_right_one_or_its_range(self):
        with Terminal(columns=160) as t:
            t.expect("> ")
            self.assertIn("did you mean 'friction'?", t.reply("contact.linear{ stiffness = 1, frction = 2 }"))
            answer = t.reply("body.sphere{ radius = -5e-3, mass = 1 }")
            self.assertRegex(answer, r"^[^\n]*radius[^\n]*-0\.005[^\n]*> 0 m[^\n]*\n$")

    def test_names_that_do_not_exist_are_errors_in_what_is_typed(self):
        with Terminal(columns=160) as t:
            t.expect("> ")
            self.assertEqual(t.reply("2 * pritn"), "'pritn' is not defined; did you mean 'print'?\n")
            self.assertEqual(t.reply("_G.pritn"), "nil\n")
            t.reply("x = nil")
            self.assertEqual(t.reply("x"), "nil\n")
            self.assertEqual(t.reply("load 'return unknown_name' ()"), "nil\n")
        with Terminal("--no-strict", "-i") as t:
            t.expect("> ")
            self.assertEqual(t.reply("unknown_name"), "nil\n")

    def test_an_example_of_help_runs_as_it_is_printed(self):
        with Terminal(columns=160) as t:
            t.expect("> ")
            example = re.search(r"Example\n((?:    .*\n)+)", t.reply('help "convert_restitution"')).group(1)
            lines = [line.strip() for line in example.splitlines()]
            self.assertTrue(any("percuss." in line for line in lines), example)
            wanted = [line[4:] for line in lines if line.startswith("-->")]
            code = [line for line in lines if not line.startswith("-->")]
            self.assertEqual(t.reply("do " + " ".join(code) + " end"), "\n".join(wanted) + "\n")

    def test_a_local_that_is_lost_is_explained(self):
        with Terminal(columns=160) as t:
            t.expect("> ")
            t.reply("local ball, law <const> = 1, 2")
            for name in ("ball", "law"):
                self.assertIn(f"'{name}' was local to an earlier line", t.reply(name))
            t.reply("ball = 3")
            self.assertEqual(t.reply("ball"), "3\n")

    def test_a_semicolon_silences_and_the_value_is_kept(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("6 * 7;  "), "")
            self.assertEqual(t.reply("_"), "42\n")

    def test_expressions_between_semicolons_are_shown_each(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("1; 'two'; {3}"), "1\ntwo\n{ 3 }\n")
            self.assertEqual(t.reply("x = 3; x + 1; local y = x * 2; y"), "4\n6\n")
            self.assertEqual(t.reply("math.abs(-2); math.abs(-3);"), "2\n")
            self.assertEqual(t.reply("_"), "3\n")
            # brackets, blocks, strings and comments keep their semicolons
            self.assertEqual(t.reply("#{ 1; 2 }; 'a;b'; (function() return 5; end)() -- 6; 7"), "2\na;b\n5\n")
            self.assertEqual(t.reply("do local z = 1; z = 2 end; x"), "3\n")
            t.line("8; math.max(1,")
            t.expect(">> ")
            self.assertEqual(t.reply("9); x = 4"), "8\n9\n")
            self.assertEqual(t.reply("x; error('stops here'); 2"), "4\nstops here\n")
            self.assertRegex(t.reply("1; 2 +* 3"), r"^[^\n]*syntax error|unexpected symbol[^\n]*\n$")
            hit = t.reply("hit = collide(body.sphere{ radius = 1, mass = 1 }, "
                          "contact.newton{ restitution = 0.5, friction = 0 }, { vt = 0, vn = -1 }); "
                          "hit.velocity.n; hit.loss")
            self.assertEqual(hit, "0.5 m/s\n0.375 J\n")

    def test_exit_and_quit_leave_with_and_without_brackets(self):
        for text, code in (("exit", 0), ("quit", 0), ("quit;", 0), (" exit() ", 0), ("exit(3)", 3)):
            with self.subTest(text), Terminal() as t:
                t.expect("> ")
                t.line(text)
                self.assertEqual(t.wait(), code)
        with Terminal(columns=160) as t:
            t.expect("> ")
            self.assertIn("from 0 to 255", t.reply("exit(256)"))
            t.reply("exit = 5")
            self.assertEqual(t.reply("exit"), "5\n")

    def test_who_lists_what_has_been_given_a_name(self):
        with Terminal(columns=60) as t:
            t.expect("> ")
            self.assertEqual(t.reply("who"), "nothing has been given a name yet\n")
            t.reply("ball = body.sphere{ radius = 1, mass = 2 }; n = 3; print = print; f = function() end")
            t.reply("long = ('x'):rep(500)")
            lines = t.reply("who").splitlines()
            self.assertEqual([line.split()[:2] for line in lines],
                             [["ball", "body"], ["f", "function"], ["long", "string"], ["n", "number"]])
            self.assertLessEqual(max(map(len, lines)), 60)
            t.reply("coroutine = 1")
            self.assertIn("coroutine  number    1\n", t.reply("who()"))

    def test_help_draws_the_picture_of_a_topic_or_law_in_a_terminal(self):
        with Terminal() as t:
            t.expect("> ")
            for question in ('help "wedging"', "help(contact.newton)"):
                self.assertRegex(t.reply(question), "[\u2801-\u28ff]")
            self.assertNotRegex(t.reply("help(collide)"), "[\u2801-\u28ff]")
        self.assertNotRegex(run("-e", 'help "wedging"').stdout, "[\u2801-\u28ff]")

    def test_long_help_goes_through_a_pager_and_short_help_does_not(self):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            paged = pathlib.Path(place, "paged")
            with Terminal(rows=24, PAGER=f"cat >'{paged}'; echo that was it") as t:
                t.expect("> ")
                self.assertIn("that was it", t.reply("help()"))
                self.assertIn("apropos", paged.read_text())
                paged.unlink()
                self.assertIn("Leave the prompt", t.reply("help(exit)"))
                self.assertFalse(paged.exists())
        # one that ends before it has read everything, one that fails, one that is none, and none at all
        for pager in ("true", "exit 3", "exec no-such-program-here 2>/dev/null", "", "cat"):
            with self.subTest(pager), Terminal(rows=24, PAGER=pager) as t:
                t.expect("> ")
                answer = t.reply("help()")
                self.assertEqual("apropos" in answer, pager not in ("true", "exit 3"))
                self.assertEqual(t.reply("6 * 7"), "42\n")
        with Terminal(rows=24, PAGER="trap '' INT; sleep 0.5; cat") as t:
            t.expect("> ")
            t.line("help()")
            time.sleep(0.2)
            t.send("\x03")
            t.expect("apropos")
            t.expect("> $")
            self.assertEqual(t.reply("6 * 7"), "42\n")

    def test_plot_draws_numbers_functions_and_objects(self):
        with Terminal(columns=100) as t:
            t.expect("> ")
            self.assertRegex(t.reply("plot({ 1, 3, 2 })"), r"3 ┤")
            self.assertIn("slow", t.reply("plot(linspace(0, 1, 9), { slow = math.sqrt, fast = linspace(0, 2, 9) })"))
            t.reply("hit = collide(body.sphere{ radius = 5e-3, mass = 0.0041 }, "
                    "contact.linear{ kn = 1.5e7, eta = 1.21, mu = 0.5 }, { vt = 1, vn = -1 })")
            self.assertIn("Fₜ [N]", t.reply("plot(hit, 'F_t')"))
            for wrong, told in (("plot({ 1, 2 }, { 1, 2, 3 })", "x has 2 numbers and y 3"), ("plot(3)", "not a number"),
                                ("plot(body.sphere{ radius = 1, mass = 1 })", "a body has no plot of its own"),
                                ("plot({ 1, 2 }, function() return 'a' end)", "returned a string, not a number"),
                                ("plot(math.sin)", "needs the x"), ("plot({})", "y holds no curve"),
                                ("plot({ 1, 2 }, { 3, 4 }, { colour = 'red' })", "no parameter 'colour'")):
                self.assertIn(told, t.reply(wrong), wrong)

    def test_time_tells_how_long_and_takes_no_name_away(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertRegex(t.reply("time 6 * 7"), r"^42\ntook [0-9.e+-]+ (us|ms|s) \(processor [^\n]*\)\n$")
            t.line("time for i = 1, 10 do")
            t.expect(">> ")
            self.assertRegex(t.reply("end"), r"^took ")
            self.assertRegex(t.reply("time k = 3; k + 1; k"), r"^4\n3\ntook [^\n]+\n$")
            self.assertRegex(t.reply("time k; k + 1;"), r"^3\ntook [^\n]+\n$")
            t.reply("time = 5")
            self.assertEqual(t.reply("time - 1"), "4\n")

    def test_tables_are_shown_short_aligned_and_with_units(self):
        with Terminal(columns=120) as t:
            t.expect("> ")
            self.assertEqual(t.reply("{ n = 1, t = -0.2889712345, 10, 'x' }"), "{ 10, \"x\", t = -0.288971, n = 1 }\n")
            t.reply("hit = pc.collide(body.sphere{ radius = 5e-3, mass = 0.0041 }, "
                    "contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }, { vt = 1, vn = -1 })")
            self.assertEqual(t.reply("hit.velocity"), "{ t = -0.288971, n = 1 } m/s\n")
            self.assertRegex(t.reply("hit.loss"), r"^0\.000536804\d* J\n$")
            self.assertRegex(t.reply("hit.energy"), r"^\{ before = [^\n]*, after = [^\n]* \} J\n$")
            phases = t.reply("hit.phases").splitlines()
            self.assertEqual(len({len(line) for line in phases[:4]}), 1)
            self.assertEqual(phases[1].split()[:3], ["[1]", "slip", "1"])
            self.assertRegex(phases[0], r"^ *kind +sign +start \[s\] +stop \[s\]$")
            self.assertRegex(t.reply("hit.phases[1].stop"), r"^1\.416\d*e-05 s\n$")
            self.assertEqual(t.reply("hit.phases[1].kind"), "slip\n")
            state = t.reply("hit.phases[1].at_stop").splitlines()[1:-1]
            self.assertEqual([line for line in state if not re.search(r"\d (s|m|m/s|N|N s|J),$", line)], [])
            self.assertRegex(t.reply("hit.phases[1].work"), r"\} J\n$")
            self.assertRegex(t.reply("hit.peak"), r"\{ n = \S+ N, t = \S+ N, n_time = \S+ s, t_time = \S+ s \}")
            self.assertEqual(t.reply("hit.law.stiffness"), "15000000.0 N/m\n")
            self.assertIn("... 980 more", t.reply("(function(l) for i = 1, 1000 do l[i] = i end return l end){}"))
            t.reply("loop = {} loop.inner = { loop }")
            self.assertEqual(t.reply("loop"), "{ inner = { { itself } } }\n")
            self.assertEqual(t.reply("{{{{{{}}}}}}"), "{ { { { { ... } } } } }\n")
            self.assertEqual(t.reply("setmetatable({}, { __tostring = function() return 'own' end })"), "own\n")

    def test_colour_only_where_it_is_wanted(self):
        for changes, expected in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            with self.subTest(changes), Terminal(**changes) as t:
                t.expect("> ")
                t.reply("{ 'green' }")
                self.assertEqual(b"\x1b[32m" in t.raw, expected)
        self.assertNotIn("\x1b", run("-i", stdin="{ 'green' }\n").stdout)

    def test_a_transcript_runs_and_says_the_same(self):
        state = tempfile.mkdtemp(prefix="percuss-test-")
        self.addCleanup(shutil.rmtree, state)
        path = os.path.join(state, "session.lua")
        typed = ["k = 2", "k + 1", "_ * 2", "for i = 1, 2 do print('turn', i) end", "local k = 7", "k", "k * 100;",
                 "nonsense(", "1 +* 2)", "undefined_name", "x = 4 return x, { x }", "{ 1, 2 }", "time k"]
        done = run("-i", stdin="\n".join([*typed, f"transcript({path!r})", ""]))
        again = run(path)
        self.assertEqual(again.returncode, 0, again.stderr)
        said = [line for line in re.sub("^(>+ )*", "", done.stdout, flags=re.M).splitlines()[1:]
                if line and not line.startswith(("took", path))]
        self.assertEqual(again.stdout.splitlines(), said)
        self.assertIn("3", said)

    def test_the_last_value_is_kept(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("6 * 7, 1"), "42\t1\n")
            self.assertEqual(t.reply("_ + 1"), "43\n")
            t.reply("x = 5")
            self.assertEqual(t.reply("_"), "43\n")

    def test_names_of_percuss_are_global_where_free(self):
        with Terminal("-e", "material = 'mine'", "-i") as t:
            t.expect("> ")
            self.assertEqual(t.reply("pc == require 'percuss'"), "true\n")
            self.assertEqual(t.reply("collide == pc.collide, body == pc.body, type(body)"), "true\ttrue\ttable\n")
            self.assertEqual(t.reply("material"), "mine\n")
            self.assertEqual(t.reply("string.format('%d', 3)"), "3\n")

    def test_table_and_type_are_both_those_of_percuss_and_of_Lua(self):
        for options in ((), ("--no-strict", "-i")):
            with Terminal(*options) as t:
                t.expect("> ")
                t.reply(f'csv.write("{t.state}/a.csv", {{ {{ "x", array{{ 1, 2 }} }} }})')
                t.reply(f'columns, list = csv.read "{t.state}/a.csv"')
                t.reply("data = table(list)")
                self.assertEqual(t.reply("type(data), #data, data.x:sum()"), "table\t2\t3.0\n")
                self.assertEqual(t.reply('table{ { "x", { 4, 5 } } }.x:max()'), "5.0\n")
                t.reply("words = { 'b' }")
                t.reply("table.insert(words, 1, 'a')")
                self.assertEqual(t.reply("table.concat(words), table.unpack(words)"), "ab\ta\tb\n")
                self.assertEqual(t.reply("table == _G.table, next(table) ~= nil, #table.pack(1, 2)"), "true\ttrue\t2\n")
                self.assertEqual(t.reply("type(1) == 'number', type(nil), type(print), type{}, type(io.stdout)"),
                                 "true\tnil\tfunction\ttable\tuserdata\n")
                self.assertEqual(t.reply("type(array{ 1 }), type(body.sphere{ radius = 1, mass = 1 })"),
                                 "array\tbody\n")
                self.assertIn("the name of a percuss type", t.reply("help(type)"))
                self.assertIn("A table of columns", t.reply("help(table)"))
                self.assertIn("must be a table, not a number", t.reply("table(1)"))
                t.reply("function type(x) return 'mine' end")
                self.assertEqual(t.reply("type(array{ 1 })"), "mine\n")

    def test_what_a_prompt_loads_has_the_type_of_Lua(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertEqual(t.reply("load 'return type(...)'(array{ 1 }), _G.type(array{ 1 })"),
                             "userdata\tuserdata\n")

    def test_print_and_prompts_can_be_replaced(self):
        with Terminal() as t:
            t.expect("> ")
            t.line("_PROMPT, _PROMPT2 = 'ask> ', 'more> '")
            t.expect(r"\nask> ")
            t.line("do")
            t.expect("more> ")
            t.line("end")
            t.expect("ask> ")
            t.reply("_PROMPT = setmetatable({}, { __tostring = error })")
            t.reply("function print() error('no paper', 0) end")
            self.assertEqual(t.reply("1"), "error calling 'print' (no paper)\n")
            t.reply("print = nil")
            self.assertIn("error calling 'print'", t.reply("1"))

    def test_a_script_can_read_what_is_typed(self):
        with Terminal() as t:
            t.expect("> ")
            t.line("x = io.read()")
            time.sleep(0.1)
            t.line("typed")
            t.expect("> ")
            self.assertEqual(t.reply("x"), "typed\n")

    def test_a_sequence_and_words_stand_in_a_transcript_as_calls(self):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place, Terminal(columns=160) as t:
            t.expect("> ")
            t.reply("x = 3; x + 1; 'b';")
            t.reply("who")
            t.reply(f"transcript '{place}/s.lua'")
            text = pathlib.Path(place, "s.lua").read_text()
            self.assertIn("x = 3; show(x + 1); _ = ('b');", text)
            self.assertIn("who()", text)
            self.assertEqual(run(f"{place}/s.lua").stdout, "4\nx  number  3\n")

    def test_scripts_run_before_the_prompt_of_i(self):
        with Terminal("-i", "-e", "print('first') y = 3") as t:
            t.expect(r"first\n> ")
            self.assertEqual(t.reply("y"), "3\n")


if __name__ == "__main__":
    unittest.main()
