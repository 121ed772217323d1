"""The kernel of notebooks, asked by the real client (jupyter-client). Usage: kernel.py PERCUSS; run by test_kernel.py
with a Python that has the client."""
import contextlib
import hashlib
import hmac
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import zmq
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

warnings.simplefilter("ignore")

PERCUSS = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else os.environ["PERCUSS"]

# For answers that take no time by themselves.
PATIENCE = 30

HIT = ("hit = collide(body.sphere{ radius = 5e-3, mass = 0.0041 }, contact.linear{ kn = 1.5e7, eta = 1.21, mu = 0.5 }, "
       "{ vt = 1, vn = -1 })")


class Notebook:
    """A kernel and its client."""

    def __init__(self, interrupt="signal", **changes):
        self.home = tempfile.mkdtemp(prefix="percuss-test-")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("LUA_", "XDG_", "PERCUSS_"))}
        os.environ["JUPYTER_RUNTIME_DIR"] = self.home
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(argv=[PERCUSS, "kernel", "{connection_file}"], display_name="percuss",
                                               language="lua", interrupt_mode=interrupt)
        self.manager.start_kernel(env={**env, "HOME": self.home, **changes}, cwd=self.home)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        if self.manager.is_alive():
            self.manager.shutdown_kernel(now=True)
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, code, timeout=PATIENCE, **options):
        """The reply, and what was published: a list of (type, content)."""
        published = []
        reply = self.client.execute_interactive(
            code, timeout=timeout, output_hook=lambda m: published.append((m["msg_type"], m["content"])), **options)
        return reply["content"], published

    def values(self, code):
        """Plain texts of the values that a cell shows."""
        reply, published = self.run(code)
        assert reply["status"] == "ok", reply
        return [c["data"]["text/plain"] for kind, c in published if kind == "execute_result"]

    def bundles(self, code):
        reply, published = self.run(code)
        assert reply["status"] == "ok", reply
        return [c["data"] for kind, c in published if kind in ("display_data", "execute_result")]

    def text(self, code, name="stdout", timeout=PATIENCE):
        _, published = self.run(code, timeout)
        return "".join(c["text"] for kind, c in published if kind == "stream" and c["name"] == name)

    def ask(self, method, *args, **kwargs):
        message = getattr(self.client, method)(*args, **kwargs)
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == message:
                return reply["content"]


class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.notebook = Notebook()

    @classmethod
    def tearDownClass(cls):
        cls.notebook.__exit__()

    def test_the_last_expressions_of_a_cell_are_shown_and_its_lines_are_one_chunk(self):
        values = self.notebook.values
        self.assertEqual(values("1 + 1"), ["2"])
        self.assertEqual(values("local x = 2\nlocal y = x * 2\ny; y + 1"), ["4", "5"])
        self.assertEqual(values("x = 3\nfor i = 1, 2 do\n    x = x + i\nend"), [])
        self.assertEqual(values("x\n-- a comment\n"), ["6"])
        self.assertEqual(values("x;"), [])
        self.assertEqual(values("_ * 7"), ["42"])
        self.assertEqual(values("f = function(t) return #t end\nf{\n 1, 2,\n 3 }"), ["3"])
        self.assertEqual(values("io.stderr:write('')\nx"), ["6"])
        self.assertEqual(values("nil; 1, nil"), ["nil", "1\tnil"])
        self.assertEqual(values(""), [])
        # a line that begins with a bracket goes on with the line before, as Lua has it
        self.assertEqual(values("g = math.max\n(1, 7)"), [])
        self.assertEqual(values("g"), ["7"])

    def test_units_time_and_who_as_at_the_prompt(self):
        self.assertEqual(self.notebook.values(HIT + "\nhit.velocity"), ["{ t = -0.288971, n = 1 } m/s"])
        self.assertRegex(self.notebook.text("time 6 * 7"), r"^took [0-9.e+-]+ (us|ms|s) \(processor .*\)\n$")
        reply, published = self.notebook.run("who")
        self.assertRegex("".join(c["text"] for kind, c in published if kind == "stream"), r"(?m)^hit +impact ")

    def test_errors_come_with_their_traceback_and_nothing_of_the_kernel(self):
        reply, published = self.notebook.run("function deep() error('no way') end\nfunction f() deep() end\nf()")
        self.assertEqual(reply["status"], "error")
        self.assertIn("no way", reply["evalue"])
        trace = "\n".join(reply["traceback"])
        self.assertIn("in function 'deep'", trace)
        self.assertIn("in function 'f'", trace)
        self.assertNotIn("kernel", trace)
        self.assertEqual([c["evalue"] for kind, c in published if kind == "error"], [reply["evalue"]])
        for code, told in (("x = = 1", "unexpected symbol"), ("hti", "did you mean"), ("error{}", "table value"),
                           ("contact.linear{ frction = 1 }", "did you mean 'friction'"),
                           ("for i = 1, 2 do", "expected")):
            reply, _ = self.notebook.run(code)
            self.assertEqual((reply["status"], told in reply["evalue"]), ("error", True), reply["evalue"])
        self.assertEqual(self.notebook.values("1"), ["1"])

    def test_figures_tables_animations_pages_and_help_are_bundles(self):
        figure, = self.notebook.bundles("plot{ 1, 3, 2 }")
        self.assertTrue(figure["image/png"].startswith("iVBORw0KGgo"))
        drawn, = self.notebook.bundles("plot({ 1, 2 }, { 3, 4 }, { file = 'a.svg' })")
        self.assertTrue(drawn["image/svg+xml"].startswith("<svg"), drawn["image/svg+xml"][:80])
        for code in (HIT + "\nhit:plot{ 'F_t' }", "chart.figure{}:panel{}.figure"):
            self.assertIn("text/plain", self.notebook.bundles(code)[0])
        shown, = self.notebook.bundles("table{ { 'mu <', linspace(0, 1, 50) } }")
        self.assertIn("mu &lt;", shown["text/html"])
        self.assertEqual(shown["text/html"].count("<tr>"), 22)
        scene = ("ball = free{ shape = 'disc', radius = 0.1, mass = 1, y = 1.1 }\n"
                 "law = contact.newton{ restitution = 0.5, friction = 0 }\n"
                 "world = scene{ ball, floor{ height = 0 }, contact = law }\n"
                 "run = simulate(world, { duration = 1 })\n")
        moving, = self.notebook.bundles(scene + "run:animate{ file = 'm.gif', fps = 5, to = 0.4 }")
        self.assertTrue(moving["text/html"].startswith('<img src="data:image/gif;base64,R0lGOD'))
        page, = self.notebook.bundles("run:view()")
        self.assertIn("<iframe srcdoc=", page["text/html"])
        explained, = self.notebook.bundles("help(collide)")
        self.assertIn("<pre>", explained["text/html"])
        self.assertIn("collide(body, law", explained["text/plain"])

    def test_output_is_in_order_whole_and_of_the_cell_that_wrote_it(self):
        cell = "print 'one'\nio.stderr:write 'two\\n'\nplot{ 1, 2 }\nos.execute 'echo three'\n4"
        _, published = self.notebook.run(cell)
        kinds = [(kind, c.get("text")) for kind, c in published if kind in ("stream", "display_data", "execute_result")]
        self.assertEqual(sorted(kinds[:2]), [("stream", "one\n"), ("stream", "two\n")])
        self.assertEqual(kinds[2:], [("display_data", None), ("stream", "three\n"), ("execute_result", None)])
        self.assertEqual(self.notebook.text(r"io.write('\xff\xc3', 'a\0b\27[1m\"\\', 'μ\u{10FFFF}')"),
                         "\ufffd\ufffda\0b\x1b[1m\"\\μ\U0010ffff")
        # characters that one read of the pipe cuts in two
        self.assertEqual(self.notebook.text("io.write('x', ('μ'):rep(200000))"), "x" + "μ" * 200000)

    def test_completion_inspection_and_history(self):
        ask = self.notebook.ask
        self.notebook.run("name_of_mine = 1; 'μ'")
        found = ask("complete", "x = 'μμ'; name_o", 17)
        self.assertEqual((found["matches"], found["cursor_start"], found["cursor_end"]), (["name_of_mine"], 10, 16))
        self.assertIn("vn", ask("complete", "collide(ball, law, { ", 21)["matches"])
        self.assertEqual(ask("complete", "pc.contact.linear{ fric")["matches"], ["friction = "])
        self.assertEqual(ask("complete", "chart.figure{ theme = \"da")["matches"], ["dark"])
        self.assertIn("of a body with the obstacle", ask("inspect", "collide", 3)["data"]["text/plain"])
        self.assertIn("of a body with the obstacle", ask("inspect", "x = collide(ball, ", 18)["data"]["text/plain"])
        self.assertFalse(ask("inspect", "no_such_thing", 3)["found"])
        for code, status in (("1 +", "incomplete"), ("for i = 1, 2 do\n", "incomplete"), ("1", "complete"),
                             ("x = = 1", "invalid"), ("local a = 1\na", "complete"), ("'abc", "invalid")):
            self.assertEqual(ask("is_complete", code)["status"], status, code)
        last = ask("history", raw=True, output=False, hist_access_type="tail", n=1)["history"]
        self.assertEqual([entry[2] for entry in last], ["name_of_mine = 1; 'μ'"])
        found = ask("history", raw=True, output=False, hist_access_type="search", pattern="name_*", n=9)["history"]
        self.assertEqual(len(found), 1)

    def test_silent_cells_count_nothing_and_progress_goes_to_one_line(self):
        before, _ = self.notebook.run("1")
        self.notebook.run("2", silent=True)
        after, _ = self.notebook.run("3")
        self.assertEqual(after["execution_count"], before["execution_count"] + 1)
        told = self.notebook.text("points = linspace(0, 1, 40)\n"
                                  "sweep{ over = { { 'x', points } }, columns = { 'y' }, run = function(p)\n"
                                  "local t = os.clock() while os.clock() < t + 0.1 do end return { y = p.x } end };",
                                  "stderr")
        self.assertIn("\r", told)
        self.assertIn("40 of 40", told)


class Endings(unittest.TestCase):
    def test_interrupts_by_signal_and_by_message_in_every_phase(self):
        for how in ("signal", "message"):
            with self.subTest(how), Notebook(how) as notebook:
                dice = random.Random(25)
                self.assertEqual(notebook.values("1"), ["1"])
                for code in ("while true do end", "while true do pcall(error) end", "map(1, 2, 3) while true do end",
                             "repeat local x = pc.linspace(0, 1, 1000):sum() until false",
                             "coroutine.wrap(function() while true do end end)()", "for i = 1, 1e9 do print(i) end"):
                    timer = threading.Timer(0.05 + 0.2 * dice.random(), notebook.manager.interrupt_kernel)
                    timer.start()
                    reply, _ = notebook.run(code)
                    timer.join()
                    self.assertEqual(reply["status"], "error", code)
                # while it is idle, begins, answers, and ends: no cell is lost, whatever becomes of it
                for i in range(40):
                    timer = threading.Timer(0.004 * dice.random(), notebook.manager.interrupt_kernel)
                    timer.start()
                    reply, published = notebook.run(f"local s = 0 for k = 1, 20000 do s = s + k end\n{i}")
                    timer.join()
                    if reply["status"] == "ok":
                        self.assertIn(str(i), [c["data"]["text/plain"] for kind, c in published
                                               if kind == "execute_result"])
                    else:
                        self.assertEqual(reply["ename"], "interrupted")
                self.assertEqual(notebook.values("6 * 7"), ["42"])

    def test_a_partial_result_is_kept(self):
        with Notebook() as notebook:
            threading.Timer(0.5, notebook.manager.interrupt_kernel).start()
            reply, _ = notebook.run("sweep{ over = { { 'x', linspace(0, 1, 2000) } }, columns = { 'y' }, run = "
                                    "function(p) local t = os.clock() while os.clock() < t + 0.01 do end "
                                    "return { y = 1 } end }")
            self.assertIn("so far is in _", reply["evalue"])
            self.assertEqual(notebook.values("pc.type(_)"), ["table"])

    def test_fifty_megabytes_of_output_arrive_whole(self):
        with Notebook() as notebook:
            got = notebook.text("for i = 1, 50 do io.write(('x'):rep(1e6 - 1), '\\n') end", timeout=120)
            self.assertEqual((len(got), got.count("\n")), (50_000_000, 50))
            self.assertEqual(notebook.values("1"), ["1"])

    def test_a_thousand_cells(self):
        with Notebook() as notebook:
            start = time.monotonic()
            for i in range(1000):
                reply, published = notebook.run(f"print({i}) show('shown') print('after')\n{i}")
                self.assertEqual(reply["execution_count"], i + 1)
                told = [c["text"] if k == "stream" else c["data"]["text/plain"] for k, c in published
                        if k in ("stream", "execute_result")]
                self.assertEqual(told, [f"{i}\n", "shown", "after\n", str(i)])
            print(f"a cell there and back: {time.monotonic() - start:.2f} ms", file=sys.stderr)

    def test_it_ends_when_asked_also_while_it_runs_and_by_exit(self):
        for code in (None, "while true do end", "exit"):
            with self.subTest(code), Notebook() as notebook:
                process = notebook.manager.provisioner.process
                if code == "exit":
                    self.assertEqual(notebook.run("exit")[0]["payload"][0]["source"], "ask_exit")
                else:
                    if code:
                        notebook.client.execute(code)
                        time.sleep(0.2)
                    notebook.client.shutdown()
                self.assertEqual(process.wait(PATIENCE), 0)


class Raw(unittest.TestCase):
    """A kernel that is spoken to by hand."""

    @contextlib.contextmanager
    def kernel(self, **changes):
        def free():
            with socket.socket() as s:
                s.bind(("127.0.0.1", 0))
                return s.getsockname()[1]
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            info = {"transport": "tcp", "ip": "127.0.0.1", "key": "a key", "signature_scheme": "hmac-sha256",
                    **{name + "_port": free() for name in ("shell", "iopub", "control", "stdin", "hb")}, **changes}
            path = pathlib.Path(place, "connection.json")
            path.write_text(json.dumps(info))
            process = subprocess.Popen([PERCUSS, "kernel", path], stderr=subprocess.PIPE, cwd=place)
            context = zmq.Context()
            self.sockets = {}
            for name, kind in (("shell", zmq.DEALER), ("control", zmq.DEALER), ("iopub", zmq.SUB), ("hb", zmq.REQ)):
                self.sockets[name] = context.socket(kind)
                self.sockets[name].linger = 0
                self.sockets[name].reconnect_ivl = 1  # it is there before the kernel is
                if kind == zmq.SUB:
                    self.sockets[name].subscribe(b"")
                self.sockets[name].connect(f"tcp://127.0.0.1:{info[name + '_port']}")
            try:
                yield process
            finally:
                process.kill()
                process.wait()
                process.stderr.close()
                context.destroy(0)

    def frames(self, kind, content=None, key=b"a key"):
        header = {"msg_id": kind, "session": "s", "username": "u", "date": "", "msg_type": kind, "version": "5.3"}
        parts = [json.dumps(p).encode() for p in (header, {}, {}, content or {})]
        return [b"<IDS|MSG>", hmac.new(key, b"".join(parts), hashlib.sha256).hexdigest().encode(), *parts]

    def answer(self, channel="shell", timeout=PATIENCE):
        if not self.sockets[channel].poll(1000 * timeout):
            return None
        return self.sockets[channel].recv_multipart()

    def test_it_is_ready_at_once_and_signs_what_it_sends(self):
        with self.kernel():
            start = time.monotonic()
            self.sockets["shell"].send_multipart(self.frames("kernel_info_request"))
            _, signature, *parts = self.answer()
            print(f"ready within {1000 * (time.monotonic() - start):.0f} ms of its start", file=sys.stderr)
            self.assertEqual(signature.decode(), hmac.new(b"a key", b"".join(parts), hashlib.sha256).hexdigest())
            self.assertEqual(json.loads(parts[1])["msg_id"], "kernel_info_request")
            self.sockets["hb"].send(b"alive?")
            self.assertEqual(self.answer("hb"), [b"alive?"])

    def test_malformed_messages_and_wrong_signatures_do_no_harm(self):
        good, dice = self.frames("kernel_info_request"), random.Random(7)
        with self.kernel() as process:
            bad = [[b""], [b"x"] * 100, [b"<IDS|MSG>"], [b"<IDS|MSG>", b""], good[:-1], good[1:],
                   self.frames("execute_request", {"code": "os.exit(3)"}, key=b"another key"),
                   [good[0], b"", *good[2:]], [good[0], good[1].upper(), *good[2:]], [good[0], b"0" * 64, *good[2:]],
                   [b"\xff" * 1000] * 3 + good[1:]]
            for _ in range(300):
                frames = [bytearray(f) for f in good]
                for _ in range(dice.randint(1, 3)):
                    frame = frames[dice.randrange(len(frames))]
                    if frame:
                        frame[dice.randrange(len(frame))] ^= 1 << dice.randrange(8)
                if frames != good:
                    bad.append([bytes(f) for f in frames])
            for channel in ("shell", "control"):
                for frames in bad:
                    self.sockets[channel].send_multipart(frames)
            # signed, and nonsense all the same
            for text in (b"", b"null", b"[]", b"1", b"{", b'{"msg_type": 5}', b'{"msg_type": "execute_request"}',
                         b"[" * 10000, b'"\\ud800"', b"\xff\xfe",
                         b'{"code": {"a": [1, null]}, "cursor_pos": -5, "n": "x"}'):
                for kind in (b'{"msg_type": "execute_request"}', b'{"msg_type": "complete_request"}',
                             b'{"msg_type": "inspect_request"}', b'{"msg_type": "history_request"}',
                             b'{"msg_type": "is_complete_request"}', b'{"msg_type": "no_such_request"}', text):
                    parts = [kind, text, text, text]
                    code = hmac.new(b"a key", b"".join(parts), hashlib.sha256).hexdigest().encode()
                    self.sockets["shell"].send_multipart([b"<IDS|MSG>", code, *parts])
            self.sockets["shell"].send_multipart(self.frames("execute_request", {"code": "6 * 7"}))
            while True:
                frames = self.answer()
                self.assertIsNotNone(frames)
                if json.loads(frames[3]) and json.loads(frames[3]).get("msg_id") == "execute_request":
                    break
            self.assertEqual(json.loads(frames[5])["status"], "ok")
            self.assertIsNone(process.poll())

    def test_wrong_connection_files_are_refused_in_a_sentence(self):
        cases = (({"shell_port": 70000}, "a port from 0 to 65535"), ({"key": 5}, "key in the connection file must be"),
                 ({"signature_scheme": "hmac-md5"}, "hmac-sha256"), ({"ip": "no.such.host.here"}, "cannot listen"),
                 ({"transport": "pigeon"}, "cannot listen"), ({"ip": "1" * 600}, "too long"))
        for changes, told in cases:
            with self.subTest(changes), self.kernel(**changes) as process:
                self.assertIn(told, process.stderr.read().decode())
                self.assertEqual(process.wait(PATIENCE), 1)
        done = subprocess.run([PERCUSS, "kernel", "/no/such/file"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, "cannot read the connection file" in done.stderr), (1, True))

    def test_without_its_parent_it_ends(self):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            path = pathlib.Path(place, "connection.json")
            path.write_text(json.dumps({"transport": "ipc", "ip": place + "/k", "key": "", "shell_port": 1,
                                        "iopub_port": 2, "control_port": 3, "stdin_port": 4, "hb_port": 5}))
            script = f"JPY_PARENT_PID=1 '{PERCUSS}' kernel '{path}' </dev/null >/dev/null 2>&1 & echo $!; sleep 1"
            number = int(subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout)
            limit = time.monotonic() + PATIENCE
            while time.monotonic() < limit:
                try:
                    os.kill(number, 0)
                except ProcessLookupError:
                    break
                if pathlib.Path(f"/proc/{number}/stat").read_text().split()[2] == "Z":
                    break
                time.sleep(0.05)
            else:
                os.kill(number, signal.SIGKILL)
                self.fail("it goes on")


class Books(unittest.TestCase):
    """The notebooks of scripts/notebooks, each with what it promises at its end."""

    def test_every_notebook_runs_without_an_error_and_shows_what_it_draws(self):
        books = sorted(pathlib.Path(__file__).resolve().parents[2].glob("scripts/notebooks/*.ipynb"))
        self.assertEqual(len(books), 5)
        for path in books:
            book = json.loads(path.read_text())
            self.assertEqual(book["metadata"]["kernelspec"]["name"], "percuss")
            with self.subTest(path.stem), Notebook() as notebook:
                shown = set()
                for cell in book["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), "kept without its output")
                    reply, published = notebook.run("".join(cell["source"]), timeout=120)
                    self.assertEqual(reply["status"], "ok", reply.get("traceback"))
                    shown.update(kind for m, c in published for kind in c.get("data", {}))
                self.assertLessEqual({"text/plain", "image/png"}, shown)


class Installing(unittest.TestCase):
    def test_the_client_finds_what_was_installed(self):
        with tempfile.TemporaryDirectory(prefix="percuss-test-") as place:
            env = {**os.environ, "HOME": place, "JUPYTER_DATA_DIR": ""}
            for args, folder in (([], place + "/.local/share/jupyter"), (["--user"], place + "/.local/share/jupyter"),
                                 (["--prefix", place + "/p"], place + "/p/share/jupyter")):
                done = subprocess.run([PERCUSS, "kernel", "install", *args], capture_output=True, text=True, env=env,
                                      check=False)
                path = folder + "/kernels/percuss/kernel.json"
                self.assertEqual((done.stdout, done.returncode), (path + "\n", 0), done.stderr)
                spec = json.loads(pathlib.Path(path).read_text())
                self.assertEqual(spec["argv"], [os.path.realpath(PERCUSS), "kernel", "{connection_file}"])
            for args in (["--prefix"], ["--global"], ["--user", "x"]):
                done = subprocess.run([PERCUSS, "kernel", "install", *args], capture_output=True, text=True, env=env,
                                      check=False)
                self.assertEqual((done.returncode, "usage" in done.stderr), (1, True))


if __name__ == "__main__":
    unittest.main(verbosity=1)
