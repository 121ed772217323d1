"""What Tab offers at the prompt."""
import pathlib
import re
import tempfile
import time
import unittest

from program import Terminal


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

    def test_objects_motions_and_columns_are_completed(self):
        lines = ["ball = body.sphere{ radius = 5e-3, mass = 0.0041 }; mine = material.steel",
                 "law = contact.linear{ kn = 1.5e7, eta = 1.21, mu = 0.5 }",
                 "hit = collide(ball, law, { vt = 1, vn = -1 })"]
        written = self.complete("body.sphere{ material = ", lines, keys="\t\t\t")
        self.assertRegex(written, r"\bmaterial\.steel\b")
        self.assertRegex(written, r"\bmine\b")
        self.assertNotIn("print", written)
        self.assertIn("= material.steel", self.complete("body.sphere{ material = material.st", lines))
        self.assertIn("collide(ball", self.complete("collide(ba", lines))
        self.assertIn("collide(linspace", self.complete("collide(linsp", lines))
        written = self.complete("collide(ball, law, { ", lines, keys="\t\t")
        self.assertRegex(written, r"incidence +rates")
        self.assertRegex(written, r"vn +vt2")
        self.assertIn("{ vn = ", self.complete("collide(ball, law, { vn", lines))
        self.assertIn('"contact_energy', self.complete('hit:plot{ "F_t", "cont', lines))
        self.assertNotIn("F_t", self.complete('hit:plot{ "F_n", file = "F', lines, keys="\t\t").split("file")[1])

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
