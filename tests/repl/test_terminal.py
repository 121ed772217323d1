"""The prompt in its terminal: leaving, history, pastes, windows."""
import os
import pathlib
import shutil
import signal
import tempfile
import termios
import time
import unittest

from program import PERCUSS, Terminal, run


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

    def test_a_pipe_in_its_place_is_no_obstacle(self):
        self.file.parent.mkdir()
        os.mkfifo(self.file)
        # without a reader, and with one: opening such a pipe would succeed, and then reading it never end
        for reader in (None, lambda: os.open(self.file, os.O_RDWR)):
            end = reader() if reader else None
            with Terminal(state=self.state) as t:
                t.expect("> ")
                self.assertEqual(t.reply("1 + 1"), "2\n")
            if end is not None:
                os.close(end)


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


if __name__ == "__main__":
    unittest.main()
