#!/usr/bin/env python3
"""Pages that play a motion, in a real browser: python3 tests/docs/long_view.py PROGRAM.

At three widths nothing stands over the edge; keys step, play, go to events and to the ends; the slider leads; the
canvas is drawn and changes; text stands out from its ground by a ratio of 4.5 in the light and in the dark. Without a
browser (chromium) this is pending, and said so.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SCRIPT = """
local pc = require "percuss"
local rig = pc.chain{ links = { { length = 0.5, mass = 1 }, { length = 0.4, mass = 1 } }, angles = { 2.4, -1.6 } }
local world = pc.scene{ rig, pc.floor{ height = -0.75 }, pc.step{ x = 0.3, y = -0.6, side = "right" },
    contact = pc.contact.poisson{ restitution = 0.8, friction = 0.15 } }
pc.simulate(world, { duration = 3 }):view{ file = "run.html", frames = 100 }
local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local spring = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
pc.collide(ball, spring, { vt = 1, vn = -1 }):view{ file = "hit.html", frames = 100 }
local rigid = pc.contact.poisson{ restitution = 0.5, friction = 0.3 }
pc.collide(ball, rigid, { vt = 1, vn = -1 }):view{ file = "rigid.html", frames = 100 }
"""

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const out = { errors: [], over: [], pages: {} };
const frame = document.createElement("iframe");
frame.height = 900;
document.body.append(frame);
const load = (file, width) => new Promise(done => {
    frame.width = width;
    frame.onload = () => {
        frame.contentWindow.addEventListener("error", event => out.errors.push(file + ": " + event.message));
        setTimeout(done, 20);
    };
    frame.src = file;
});
const wait = time => new Promise(done => setTimeout(done, time));
const $ = id => frame.contentDocument.getElementById(id);
const press = key => frame.contentDocument.body.dispatchEvent(
    new frame.contentWindow.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const channels = text => text.match(/[\\d.]+/g).map(Number);
function luminance(color) {
    const linear = color.slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
function leastContrast() {
    const style = one => frame.contentWindow.getComputedStyle(one), page = frame.contentDocument;
    const ground = luminance(channels(style(page.body).backgroundColor));
    let least = [Infinity, ""];
    const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        if (!text.data.trim() || text.parentElement.tagName === "SCRIPT") continue;
        const ink = luminance(channels(style(text.parentElement).color));
        const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        if (ratio < least[0]) least = [ratio, text.data.trim().slice(0, 40)];
    }
    return [...least, ground];
}
(async () => {
    for (const file of ["run.html", "hit.html", "rigid.html"]) {
        for (const width of [390, 800, 1400]) {
            await load(file, width);
            const root = frame.contentDocument.documentElement;
            if (root.scrollWidth > root.clientWidth) out.over.push([file, width]);
        }
        const p = out.pages[file] = {}, at = () => Number($("time").value), picture = () => $("stage").toDataURL();
        p.start = [at(), picture()];
        press("ArrowRight"); press("ArrowRight"); press("ArrowLeft");
        p.stepped = at();
        press("End");
        p.end = [at(), Number($("time").max)];
        p.last = picture();
        press("Home");
        press("i");
        p.event = [at(), $("mark").textContent];
        press("Home");
        $("time").value = 50;
        $("time").dispatchEvent(new frame.contentWindow.Event("input"));
        p.dragged = $("now").textContent;
        $("speed").value = "4";
        $("speed").dispatchEvent(new frame.contentWindow.Event("change"));
        press("Home");
        // the browser's clock is a virtual one here, by which pictures are hardly ever due
        frame.contentWindow.requestAnimationFrame = f => setTimeout(() => f(frame.contentWindow.performance.now()), 16);
        press(" ");
        p.playing = $("play").textContent;
        for (let i = 0; i < 200 && at() < 99; i++) await wait(20);
        await wait(50);
        p.played = [at(), $("play").textContent];
        p.light = leastContrast();
        p.changes = p.start[1] !== p.last;
        p.start = p.start[0];
        delete p.last;
    }
    const result = document.createElement("pre");
    result.id = "outcome";
    result.textContent = JSON.stringify(out);
    document.body.append(result);
})().catch(error => { document.body.append(Object.assign(document.createElement("pre"), { id: "outcome",
    textContent: JSON.stringify({ errors: [String(error)] }) })); });
</script></body>"""


def main():
    program = os.path.abspath(sys.argv[1])
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no browser here: the pages that play motions were not looked at")
        print("0 successes / 0 failures / 0 errors / 1 pending")
        return 0
    passed = failed = 0

    def check(good, text):
        nonlocal passed, failed
        if good:
            passed += 1
        else:
            failed += 1
            print("FAILED " + text)

    def look(folder, *options):
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                   "--user-data-dir=" + os.path.join(folder, "profile"), "--virtual-time-budget=60000", "--dump-dom",
                   *options, "file://" + os.path.join(folder, "harness.html")]
        dump = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
        found = re.search(r'<pre id="outcome">(.*?)</pre>', dump, re.S)
        return json.loads(html.unescape(found.group(1))) if found else {"errors": ["no end"]}

    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "make.lua"), "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        subprocess.run([program, "make.lua"], check=True, cwd=folder)
        with open(os.path.join(folder, "harness.html"), "w", encoding="utf-8") as file:
            file.write(HARNESS)
        for scheme, options in (("light", []), ("dark", ["--blink-settings=preferredColorScheme=0"])):
            out = look(folder, *options)
            check(not out["errors"], f"{scheme}: {out['errors'][:3]}")
            if out["errors"]:
                continue
            check(not out["over"], f"over the edge: {out['over']}")
            for file, p in out["pages"].items():
                check(p["start"] == 0 and p["stepped"] == 1, f"{file}: arrows lead to {p['stepped']}")
                check(p["end"][0] == p["end"][1] > 10, f"{file}: End leads to {p['end']}")
                check(p["changes"], f"{file}: the last picture is the first")
                check(file == "rigid.html" or p["event"][0] > 0 and p["event"][1], f"{file}: i leads to {p['event']}")
                check(re.match(r"(t|p_n) = \S+ (s|N s)$", p["dragged"]), f"{file}: '{p['dragged']}'")
                check(p["playing"] == "Pause", f"{file}: the button says {p['playing']}")
                check(p["played"] == [p["end"][1], "Play"], f"{file}: played to {p['played']}")
                check(p["light"][0] >= 4.5, f"{file}, {scheme}: contrast of '{p['light'][1]}' is {p['light'][0]:.2f}")
                check((p["light"][2] > 0.5) == (scheme == "light"), f"{file} is not {scheme}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
