"""The prompt in its terminal: leaving, history, pastes, windows."""
import os
import pathlib
import re
import shutil
import signal
import tempfile
import termios
import time
import unittest

from program import PATIENCE, PERCUSS, Terminal, run


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


class Answering(Terminal):
    """A terminal that answers when it is asked for its attributes, by these bytes."""

    def __init__(self, answer, **changes):
        self.answer, self.asked = answer, 0
        super().__init__(columns=200, rows=24, **{"NO_COLOR": None, "COLORTERM": None, "TMUX": None, **changes})

    def read(self, timeout):
        got = super().read(timeout)
        while self.raw.count(b"\x1b[c") > self.asked:
            self.asked += 1
            os.write(self.fd, self.answer)
        return got


class Asking(unittest.TestCase):
    PLOT = "plot({ 1, 3, 2 })"

    def drawn(self, answer, **changes):
        """What a plot writes, twice, on a terminal that answers so."""
        with Answering(answer, **changes) as t:
            t.expect("> ")
            start = len(t.raw)
            for _ in range(2):
                t.line(self.PLOT + " print('do' .. 'ne')")
                t.expect("done\n> $")
            self.assertEqual(t.reply("6 * 7"), "42\n")
            self.assertEqual(t.asked, 1)
            return t.raw[start:]

    def test_a_terminal_is_asked_once_and_believed(self):
        kitty, attributes, cells = b"\x1b_Gi=31;OK\x1b\\", b"\x1b[?62;22c", b"\x1b[6;20;10t"
        for answer, ways in ((kitty + attributes, "kitty"), (attributes, "text"), (b"\x1b[?62;4;22c", "sixel"),
                             (kitty + cells + b"\x1b[?62;4c", "kitty"),
                             (b"\x1b_Gi=31;EINVAL\x1b\\" + attributes, "text")):
            for tmux in (None, "/tmp/tmux-0/default,1,0"):
                with self.subTest(answer, tmux=tmux):
                    drawn = self.drawn(answer, TMUX=tmux)
                    self.assertEqual(b"\x1b_Ga=T" in drawn, ways == "kitty")
                    self.assertEqual(b"\x1bP" in drawn, ways == "sixel")
                    self.assertEqual("┤".encode() in drawn, ways == "text")
        # what the environment promises and the terminal denies is not sent
        self.assertIn("┤".encode(), self.drawn(attributes, TERM="xterm-kitty", KITTY_WINDOW_ID="1"))
        columns = [int(re.search(rb"c=(\d+),r=", self.drawn(a + kitty + attributes))[1]) for a in (b"", cells)]
        self.assertLess(columns[1], columns[0])

    def test_silence_and_nonsense_do_no_harm(self):
        start = time.monotonic()
        self.drawn(b"")
        self.assertLess(time.monotonic() - start, PATIENCE / 2)
        for answer in (b"\x1b[?", b"\x1b[?;;;99999999999999999999;4", b"\x1b[?c", b"\x1b[6;0;0t\x1b[?c",
                       b"\x1b_G" * 300, b"\x1b[6;9999999;-3t\x1b[?62c", b"\x1b" * 300,
                       bytes(range(0x80, 0x100)) * 20 + b"\r", b"\x1b]11;rgb:ffff\x1b\\\x1b[?62c", b"\x00" * 100):
            with self.subTest(answer[:20]):
                self.assertIn("┤".encode(), self.drawn(answer))

    def test_what_is_typed_meanwhile_stands_in_the_next_line(self):
        with Answering(b"1 + \x1b[?62c") as t:
            t.expect("> ")
            t.line(self.PLOT)
            t.expect(r"> 1 \+ ")
            self.assertEqual(t.reply("2"), "3\n")

    def test_a_script_asks_its_terminal_and_a_pipe_is_not_asked(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write("local pc = require 'percuss'\npc.plot{ 1, 3, 2 }\n")
            script.flush()
            with Answering(b"\x1b_Gi=31;OK\x1b\\\x1b[?62;22c", command=[PERCUSS, script.name]) as t:
                self.assertEqual(t.wait(), 0)
                self.assertIn(b"\x1b_Ga=T", t.raw)
            self.assertNotIn("\x1b", run(script.name).stdout)

    def test_fields_are_half_blocks_in_24_bits_where_the_terminal_takes_them(self):
        field = "x = linspace(0, 1, 50) f = chart.figure{} f:panel{}:heatmap{ { 1, 2 }, x, { x, x * x } } f:show()"
        for depth, wanted in (("truecolor", rb"\x1b\[38;2;\d+;\d+;\d+m"), (None, rb"\x1b\[38;5;\d+m")):
            with Answering(b"\x1b[?62c", COLORTERM=depth) as t:
                t.expect("> ")
                t.line(field + " print('do' .. 'ne')")
                t.expect("done\n> $")
                self.assertRegex(t.raw, wanted)
                self.assertIn("▀".encode(), t.raw)


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
