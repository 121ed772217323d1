"""The README and the guides say what is so: their sessions at the prompt are typed and compared, their Lua runs."""
import pathlib
import re
import tempfile
import unittest

from program import Terminal, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
TEXTS = [README] + [path.read_text() for path in sorted((ROOT / "scripts/guides").glob("*.md"))]
BLOCKS = [block for text in TEXTS for block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)]


class Readme(unittest.TestCase):
    def test_it_is_two_screens_and_then_links(self):
        before, after = README.split("## Where to go on")
        self.assertLess(before.count("\n"), 80)  # two screens of 40 lines
        self.assertLess(after.count("\n"), 25)
        for target in re.findall(r"\]\(([^)]*)\)", "".join(TEXTS)):
            self.assertTrue((ROOT / target).exists(), target)

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
                for says in ("slip-stick-slip" if head == "" else None, "impacts" if "simulate" in script else None,
                             "101\t" if "loss.db" in script else None):
                    self.assertIn(says or "", done.stdout)
                for name in re.findall(r'(?:file = |save )"([^"]+)"', script):
                    if not name.endswith(".svg"):  # named in a comment
                        self.assertGreater(pathlib.Path(place, name).stat().st_size, 0)



if __name__ == "__main__":
    unittest.main()
