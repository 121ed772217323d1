"""The README says what is so: its sessions at the prompt are typed and compared, its Lua runs."""
import pathlib
import re
import tempfile
import unittest

from program import Terminal, run

README = (pathlib.Path(__file__).resolve().parent.parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)


class Readme(unittest.TestCase):
    def test_its_sessions_at_the_prompt_are_what_is_seen(self):
        sessions = [text for language, text in BLOCKS if not language and text.startswith("> ")]
        self.assertGreater(len(sessions), 2)
        with Terminal(columns=100, NO_COLOR="1") as t:
            t.expect("> ")
            for session in sessions:
                for typed, shown in re.findall(r"^> (.*)\n((?:(?!> ).*\n)*)", session, re.M):
                    answer = t.reply(typed).replace("  (traceback() shows where this came from)\n", "")
                    with self.subTest(typed):
                        self.assertEqual(answer, shown)

    def test_its_first_script_runs(self):
        script = next(text for language, text in BLOCKS if language == "lua" and text.startswith("local pc"))
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            path = pathlib.Path(place, "first.lua")
            path.write_text(script)
            done = run(str(path))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("slip-stick-slip", done.stdout)


if __name__ == "__main__":
    unittest.main()
