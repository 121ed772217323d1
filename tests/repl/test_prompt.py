"""The prompt, as a person sees it."""
import os
import pathlib
import re
import shutil
import signal
import tempfile
import termios
import time
import unittest

from program import PERCUSS, Terminal, run


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
            self.assertEqual(t.reply("quit"), "'quit' is not defined; Ctrl-D leaves\n")
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

    def test_time_tells_how_long_and_takes_no_name_away(self):
        with Terminal() as t:
            t.expect("> ")
            self.assertRegex(t.reply("time 6 * 7"), r"^42\ntook [0-9.e+-]+ (us|ms|s) \(processor [^\n]*\)\n$")
            t.line("time for i = 1, 10 do")
            t.expect(">> ")
            self.assertRegex(t.reply("end"), r"^took ")
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

    def test_scripts_run_before_the_prompt_of_i(self):
        with Terminal("-i", "-e", "print('first') y = 3") as t:
            t.expect(r"first\n> ")
            self.assertEqual(t.reply("y"), "3\n")


class Tour(unittest.TestCase):
    def test_the_readme_shows_what_the_prompt_says(self):
        text = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text()
        blocks = [b for b in re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S) if b.startswith("> ")]
        self.assertGreater(len(blocks), 2)
        with Terminal(columns=120) as t:
            t.expect("> ")
            for typed, shown in re.findall(r"^> (.*)\n((?:(?!> ).*\n)*)", "".join(blocks), flags=re.M):
                self.assertEqual(t.reply(typed), shown)


class Leaving(unittest.TestCase):
    def test_end_of_input_leaves(self):
        with Terminal() as t:
            t.expect("> ")
            t.send("\x04")
            self.assertEqual(t.wait(), 0)

    def test_end_of_input_inside_a_statement_drops_it_first(self):
        with Terminal() as t:
            t.expect("> ")
            t.line("do")
            t.expect(">> ")
            t.send("\x04")
            t.expect(r"'end' expected[^\n]*\n> ")
            t.send("\x04")
            self.assertEqual(t.wait(), 0)

    def test_os_exit_gives_its_code(self):
        with Terminal() as t:
            t.expect("> ")
            t.line("os.exit(7)")
            self.assertEqual(t.wait(), 7)

    def test_a_closed_terminal_ends_it(self):
        t = Terminal()
        t.expect("> ")
        os.close(t.fd)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            pid, _ = os.waitpid(t.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.01)
        else:
            os.kill(t.pid, signal.SIGKILL)
            os.waitpid(t.pid, 0)
            self.fail("still running without its terminal")
        shutil.rmtree(t.state)

    def test_a_kill_leaves_the_terminal_as_it_was(self):
        with Terminal() as t:
            before = termios.tcgetattr(t.fd)
            t.expect("> ")
            self.assertNotEqual(termios.tcgetattr(t.fd)[3] & termios.ICANON, before[3] & termios.ICANON)
            os.kill(t.pid, signal.SIGTERM)
            self.assertEqual(t.wait(), -signal.SIGTERM)
            self.assertEqual(termios.tcgetattr(t.fd)[3], before[3])


class History(unittest.TestCase):
    def setUp(self):
        self.state = tempfile.mkdtemp(prefix="percuss-test-")
        self.file = pathlib.Path(self.state, "percuss", "history")
        self.addCleanup(shutil.rmtree, self.state)

    def test_statements_come_back_in_the_next_session(self):
        with Terminal(state=self.state) as t:
            t.expect("> ")
            self.assertEqual(t.reply("6 * 7"), "42\n")
            t.send("\x04")
            t.wait()
        with Terminal(state=self.state) as t:
            t.expect("> ")
            t.send("\x1b[A")
            t.expect(r"6 \* 7")
            t.send("\r")
            t.expect(r"\n42\n")

    def test_a_statement_of_several_lines_comes_back_whole(self):
        with Terminal(state=self.state) as t:
            t.expect("> ")
            t.line("for i = 1, 2 do")
            t.expect(">> ")
            t.line("  print('turn', i)")
            t.expect(">> ")
            self.assertEqual(t.reply("end"), "turn\t1\nturn\t2\n")
        with Terminal(state=self.state) as t:
            t.expect("> ")
            t.send("\x1b[A")
            t.expect("end")
            t.send("\r")
            t.expect(r"turn\t1\nturn\t2\n")

    def test_nothing_is_lost_when_the_program_is_killed(self):
        with Terminal(state=self.state) as t:
            t.expect("> ")
            t.reply("kept = 1")
        self.assertIn("kept = 1\n", self.file.read_text())

    def test_blank_lines_and_repetitions_are_left_out(self):
        with Terminal(state=self.state) as t:
            t.expect("> ")
            for text in ("x = 1", "", "   ", "x = 1", "x = 2"):
                t.reply(text)
        lines = [s for s in self.file.read_text().splitlines() if not s.startswith("#")]
        self.assertEqual(lines, ["x = 1", "x = 2"])

    def test_it_is_for_the_user_alone_and_in_the_home_directory_by_default(self):
        for state in (None, "relative/path"):
            with Terminal(state=self.state, XDG_STATE_HOME=state) as t:
                t.expect("> ")
                t.reply("x = 1")
        file = pathlib.Path(self.state, ".local/state/percuss/history")
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(file.parent.stat().st_mode & 0o777, 0o700)
        self.assertFalse(os.path.exists("relative"))

    def test_a_place_that_cannot_be_written_is_no_obstacle(self):
        for place in ("/dev/null/x", "/proc/none"):
            with Terminal(XDG_STATE_HOME=place) as t:
                t.expect("> ")
                self.assertEqual(t.reply("1 + 1"), "2\n")
                t.send("\x1b[A")
                t.expect(r"1 \+ 1")


class Pastes(unittest.TestCase):
    LINES = 10000

    def paste(self, t, text):
        t.send("\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~")
        t.send("\r")

    def test_ten_thousand_statements(self):
        for terminal in ("xterm", "dumb"):
            with self.subTest(terminal), Terminal(TERM=terminal) as t:
                t.expect("> ")
                t.reply("n = 0")
                text = "\n".join(["n = n + 1"] * self.LINES)
                if terminal == "xterm":
                    self.paste(t, text)
                else:
                    t.send(text + "\n")
                t.line("print('sum', n)")
                t.expect(rf"sum\t{self.LINES}\n", timeout=120)

    def test_one_statement_of_ten_thousand_lines(self):
        for terminal in ("xterm", "dumb"):
            with self.subTest(terminal), Terminal(TERM=terminal) as t:
                t.expect("> ")
                text = "x = {\n" + "".join(f"  {i}, -- [[ ( do\n" for i in range(self.LINES)) + "}"
                if terminal == "xterm":
                    self.paste(t, text)
                else:
                    t.send(text + "\n")
                t.line("print('size', #x)")
                t.expect(rf"size\t{self.LINES}\n", timeout=120)

    def test_a_long_statement_ends_where_it_ends(self):
        # lines that open or close something for a reader who does not know Lua's strings, comments and names
        odd = r"""local a = '(' .. "{ [[ ' \" ( " .. '\\' --[==[ do ( ]==]
            local b = [=[ ]] ( if
            ]=] -- end end
            local c = 'goes on \
            here ( do' .. 'and \z
                there { if'
            local function ended() return 1 end
            local t = { do_end = 1, ['end'] = 2, [1] = function() end } local i = t[t[1] and 1 or 1]
            if a then for _ = 1, 2 do repeat local u = 1 until u end
            elseif b then while false do end else b = 1 end""".splitlines()
        for terminal in ("xterm", "dumb"):
            with self.subTest(terminal), Terminal(TERM=terminal) as t:
                t.expect("> ")
                for line in ["do", *odd * 8, "print('end of it')"]:
                    t.line(line)
                    t.expect(r"\n>> ")
                self.assertEqual(t.reply("end"), "end of it\n")

    def test_a_paste_means_what_its_lines_mean(self):
        with Terminal() as t:
            t.expect("> ")
            self.paste(t, "k = 2\nk + 1\nfor i = 1, 2 do\n\tprint('turn', i)\nend\nerror('third')\nk * 10")
            t.expect(r"\n3\nturn\t1\nturn\t2\nthird\n20\n> ")


class Terminals(unittest.TestCase):
    def test_no_escape_bytes_where_the_terminal_has_none(self):
        with Terminal(TERM="dumb") as t:
            t.expect("> ")
            self.assertEqual(t.reply("1 + 1"), "2\n")
            t.line("while true do end")
            time.sleep(0.1)
            t.interrupt()
            t.send("\x04")
            t.wait()
            self.assertNotIn(b"\x1b", t.raw)
            self.assertNotIn(b"\x07", t.raw)

    def test_no_escape_bytes_into_a_pipe(self):
        with Terminal(command=["/bin/sh", "-c", f"'{PERCUSS}' | cat"]) as t:
            t.expect("> ")
            self.assertEqual(t.reply("1 + 1"), "2\n")
            t.send("\x04")
            t.wait()
            self.assertNotIn(b"\x1b", t.raw)

    def test_no_escape_bytes_and_no_echo_without_a_terminal(self):
        done = run("-i", stdin="x = 1\nx + 1\nfor i = 1, 2 do\nprint(i)\nend\nerror('no')\n7")
        self.assertRegex(done.stdout, r"^percuss [^\n]*\n> > 2\n> >> >> 1\n2\n> > 7\n> \n$")
        self.assertEqual((done.stderr, done.returncode), ("no\n", 0))

    def test_a_narrow_window_and_one_that_changes(self):
        with Terminal(columns=12, rows=4) as t:
            t.expect("> ")
            t.line("'a line much longer than the window is wide' .. 1 .. 2")
            t.expect(r"\na line much longer than the window is wide12\n")
            t.expect("> ")
            t.resize(100, 30)
            os.kill(t.pid, signal.SIGWINCH)
            self.assertEqual(t.reply("6 * 7"), "42\n")
            t.resize(1, 1)
            os.kill(t.pid, signal.SIGWINCH)
            t.line("6 * 8")
            t.expect("48")

    def test_greek_letters_in_any_locale(self):
        for locale in ("C.UTF-8", "C"):
            with self.subTest(locale), Terminal(LC_ALL=locale) as t:
                t.expect("> ")
                self.assertEqual(t.reply("#'μω'"), "4\n")
                self.assertEqual(t.reply("'μω'"), "μω\n")

    def test_junk_does_no_harm(self):
        # without the characters by which a terminal interrupts, ends, stops, quotes or suspends
        junk = bytes(c for c in range(1, 256) if c not in b"\x03\x04\x11\x13\x16\x1a\x1c")
        for terminal in ("xterm", "dumb"):
            with self.subTest(terminal), Terminal(TERM=terminal) as t:
                t.expect("> ")
                t.send(junk * 4)
                t.send("\r")
                time.sleep(0.2)
                t.read(0.2)
                t.interrupt()
                self.assertIn("still here\n", t.reply("print('still ' .. 'here')"))

    def test_junk_from_a_pipe_is_an_error_of_syntax(self):
        junk = bytes(range(256)) + b"\n\x1bLua\x54\x00\x19\x93\r\n\x1a\n" + b"\n\0\0\0\nprint('still here')\n"
        done = run("-i", stdin=junk)
        self.assertIn("still here", done.stdout)
        self.assertEqual(done.returncode, 0)


class Completion(unittest.TestCase):
    def complete(self, text, lines=(), keys="\t"):
        """What stands at the prompt after Tab, and what has been written since."""
        with Terminal() as t:
            t.expect("> ")
            for s in lines:
                t.reply(s)
            start = len(t.seen)
            t.send(text + keys)
            time.sleep(0.2)
            while t.read(0.2):
                pass
            written = t.seen[start:]
            t.interrupt()
            self.assertEqual(t.reply("6 * 7"), "42\n")
            return written

    def test_names_and_fields_are_completed(self):
        self.assertIn("print(math.floor", self.complete("print(math.flo"))
        self.assertIn("string.format", self.complete("stri\t.form"))
        self.assertIn("pc.contact", self.complete("pc.cont"))
        self.assertIn("long_name_here", self.complete("t.lon", ["t = { long_name_here = 1 }"]))
        self.assertIn("s:reverse", self.complete("s:rev", ["s = 'x'"]))
        self.assertIn("function", self.complete("func"))

    def test_fields_and_methods_of_objects_are_completed(self):
        lines = ["ball = body.sphere{ radius = 5e-3, mass = 0.0041 }",
                 "hit = collide(ball, contact.linear{ kn = 1.5e7, eta = 1.21, mu = 0.5 }, { vt = 1, vn = -1 })"]
        self.assertIn("hit.loss_fraction", self.complete("hit.loss_f", lines))
        self.assertIn("hit:trace", self.complete("hit:tr", lines))
        self.assertNotIn("hit:loss", self.complete("hit:lo", lines))
        self.assertIn("hit.restitution.kinematic", self.complete("hit.restitution.kinem", lines))

    def test_options_and_their_choices_are_completed_inside_braces(self):
        self.assertIn("linear{ friction = ", self.complete("pc.contact.linear{ fric"))
        self.assertIn("1, stiffness_ratio = ", self.complete("x = pc.contact.linear{ stiffness = 1, stiff"))
        written = self.complete("pc.contact.linear{ stiffness = 1, ", keys="\t\t")
        self.assertRegex(written, r"\bfriction\s+mu\b")
        self.assertNotIn("print", written)
        with Terminal() as t:
            t.expect("> ")
            t.line("x = pc.contact.linear{")
            t.expect(">> ")
            t.send("  stiffness = 1, fric\t0.5 }\r")
            t.expect("friction = 0.5")
            t.expect("needs|exactly|tangential")

    def test_choices_are_completed_in_and_out_of_strings(self):
        with Terminal() as t:
            t.expect("> ")
            found = t.reply("for _, e in ipairs(pc.register()) do for _, r in ipairs(e.rows or {}) do if r.choices "
                            "then print('choice', e.path, r.name, r.choices[1]) break end end end")
        path, name, choice = re.search(r"choice\t(\S+)\t(\S+)\t(\S+)", found).groups()
        self.assertIn(f'= "{choice}', self.complete(f'pc.{path}{{ {name} = "{choice[:-1]}'))
        self.assertIn(f'= "{choice}"', self.complete(f"pc.{path}{{ {name} = ", keys='"' + choice[:-1] + "\t\""))

    def test_words_of_chart_options_are_completed(self):
        lines = ["p = chart.figure{}:panel{}"]
        self.assertIn('dash = "dotted', self.complete('p:line{ { 1 }, { 1 }, dash = "dot', lines))
        self.assertIn('theme = "dark"', self.complete('chart.figure{ theme = ', keys='"da\t"'))
        self.assertIn("simulate(world, { duration = ", self.complete("simulate(world, { dura"))

    def test_names_of_files_are_completed_in_strings(self):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            pathlib.Path(place, "measured values-1.csv").touch()
            written = self.complete(f'f("{place}/measured v')
            self.assertIn("/measured values-1.csv", written)

    def test_greek_letters_are_written_by_name(self):
        for typed, letter in (("\\mu", "μ"), ("\\Ome", "Ω"), ("\\ep", "ε")):
            with Terminal() as t:
                t.expect("> ")
                t.send(f"print('{typed}\t')\r")
                t.expect(rf"\n{letter}\n> ")

    def test_the_second_tab_lists(self):
        written = self.complete("string.re", keys="\t\t")
        self.assertRegex(written, r"string\.rep +string\.reverse")

    def test_tab_never_fails_and_runs_nobodys_code(self):
        spoilt = ["bad = setmetatable({}, { __index = function() error('called') end, __pairs = error })",
                  "loop = setmetatable({}, {}) getmetatable(loop).__index = loop",
                  "odd = { ['two words'] = 1, [1] = 2, ['end '] = 3, [{}] = 4 }"]
        for text in ("23", '("x"):', "nil.", "bad.", "bad.x.y", "loop.x", "odd.", "odd..", ".", ":", "a.b.c.", "x[1].",
                     "1.", "'unfinished", "--[[", "math.floor.", "_G._G._G.", "io.stdout:", "\\mu", "\\", "bad{ ",
                     "{ { ", "f(bad.x{ y = ", "pc.contact.linear{ [[ ", "bad:", "hit..", ")}]"):
            with self.subTest(text):
                written = self.complete(text, spoilt, keys="\t\t")
                self.assertNotIn("called", written)
                self.assertNotIn("two words", written)

    def test_tab_indents_at_the_start_of_a_line(self):
        with Terminal() as t:
            t.expect("> ")
            t.send("\t\tx = 3\r")
            t.expect("> ")
            self.assertEqual(t.reply("x"), "3\n")


if __name__ == "__main__":
    unittest.main()
