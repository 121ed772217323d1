#!/usr/bin/env python3
"""The manual in a real browser: python3 tests/docs/long_pages.py PROGRAM.

Every page at three widths: nothing stands over the edge. The search finds what people ask, proposes what is near, and
is reached by "/". Without a browser (chromium) this is pending, and said so.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = [390, 800, 1400]

# Each question and a page that must be among the first three answers.
QUESTIONS = {
    "how does a super ball come back": "topic-super_ball",
    "which law for a steel ball on glass": "topic-which_law",
    "ball on a shaking table": "topic-vibrating_table",
    "when does a pendulum wedge": "topic-wedging",
    "my impact gains energy": "topic-energy",
    "air drag": "recipe-ball_with_drag",
    "write my own law": "topic-own_laws",
    "plot for a two-column paper": "recipe-figure_for_a_paper",
    "run this sweep on a cluster": "recipe-sweep_on_a_cluster",
    "elastic cord": "recipe-bungee",
}

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const pages = %s, widths = %s, questions = %s, out = { over: [], errors: [], answers: {}, near: "", focus: "" };
const frame = document.createElement("iframe");
frame.height = 900;
document.body.append(frame);
const load = (file, width) => new Promise(done => {
    frame.width = width;
    frame.onload = () => {
        frame.contentWindow.addEventListener("error", event => out.errors.push(file + ": " + event.message));
        setTimeout(done, 5);
    };
    frame.src = file;
});
const wait = time => new Promise(done => setTimeout(done, time));
async function ask(text) {
    const page = frame.contentDocument, box = page.getElementById("search");
    box.value = text;
    box.dispatchEvent(new Event("input"));
    for (let i = 0; i < 100 && !frame.contentWindow.percussEntries; i++) await wait(20);
    await wait(20);
    return [...page.querySelectorAll("#results a")].slice(0, 3)
        .map(link => decodeURIComponent(link.getAttribute("href").split("#")[1]));
}
(async () => {
    for (const width of widths) for (const file of pages) {
        await load(file, width);
        const root = frame.contentDocument.documentElement;
        if (root.scrollWidth > root.clientWidth) out.over.push([file, width, root.scrollWidth - root.clientWidth]);
    }
    await load("index.html", 1200);
    const page = frame.contentDocument;
    frame.contentWindow.dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown", { key: "/" }));
    out.focus = page.activeElement.id;
    for (const text of questions) out.answers[text] = await ask(text);
    await ask("coefficent");
    out.near = page.getElementById("none").hidden ? "" : page.getElementById("none").textContent;
    await load("recipes.html", 1200);
    out.copies = frame.contentDocument.querySelectorAll(".copied button").length;
    out.codes = frame.contentDocument.querySelectorAll("pre:not(.output)").length;
    const result = document.createElement("pre");
    result.id = "outcome";
    result.textContent = JSON.stringify(out);
    document.body.append(result);
})();
</script></body>"""


def main():
    program = os.path.abspath(sys.argv[1])
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no browser here: the pages of the manual were not looked at")
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

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "tests/tools/docgen.lua", folder, program], check=True, stdout=subprocess.DEVNULL)
        pages = sorted(name for name in os.listdir(folder) if name.endswith(".html"))
        with open(os.path.join(folder, "harness.html"), "w", encoding="utf-8") as file:
            file.write(HARNESS % (json.dumps(pages), json.dumps(WIDTHS), json.dumps(list(QUESTIONS))))
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                   "--user-data-dir=" + os.path.join(folder, "profile"), "--virtual-time-budget=120000", "--dump-dom",
                   "file://" + os.path.join(folder, "harness.html")]
        dump = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    found = re.search(r'<pre id="outcome">(.*?)</pre>', dump, re.S)
    if not found:
        print("FAILED: the browser did not come to an end")
        print("0 passed, 1 failed")
        return 1
    out = json.loads(html.unescape(found.group(1)))
    over = {(file, width): more for file, width, more in out["over"]}
    for width in WIDTHS:
        for file in pages:
            more = over.get((file, width), 0)
            check(more == 0, f"{file} at {width} pixels stands {more} over the edge")
    check(not out["errors"], f"errors of the script: {out['errors'][:3]}")
    check(out["focus"] == "search", f"'/' leads to '{out['focus']}'")
    for question, page in QUESTIONS.items():
        check(page in out["answers"][question], f"'{question}' finds {out['answers'][question]}, not {page}")
    check("coefficient" in out["near"], f"nothing near to 'coefficent': {out['near']}")
    check(out["copies"] == out["codes"] > 0, f"{out['copies']} buttons for {out['codes']} examples")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
