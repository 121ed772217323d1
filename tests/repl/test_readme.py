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

    def test_its_scripts_run(self):
        scripts = [text for language, text in BLOCKS if language == "lua" and " ... " not in text]
        self.assertGreater(len(scripts), 1)
        for script in scripts:
            head = "" if script.startswith("local pc") else 'local pc = require "percuss"\n'
            with self.subTest(script[:40]), tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
                path = pathlib.Path(place, "script.lua")
                path.write_text(head + script)
                done = run(str(path), cwd=place)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("slip-stick-slip" if head == "" else "60 impacts", done.stdout)
                for name in re.findall(r'(?:file = |save )"([^"]+)"', script):
                    if not name.endswith(".svg"):  # named in a comment
                        self.assertGreater(pathlib.Path(place, name).stat().st_size, 0)



if __name__ == "__main__":
    unittest.main()
