#!/usr/bin/env python3
"""The manual in a real browser: python3 tests/docs/long_pages.py PROGRAM.

Every page at three widths: nothing stands over the edge, on a telephone no code and no table is cut off, and every
picture is there. The search finds what people ask (tests/docs/questions.json), proposes what is near, and is reached by
"/"; arrows walk through what it found. The menu is folded where the page is narrow, text stands out from its ground by
a ratio of 4.5 in the light and in the dark, the copy buttons answer, paper has no menu, and the first stop of the Tab
key leads to the text. Without a browser (chromium) this is pending, and said so.
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

# Each question and the anchors of which one must be among the first three answers.
QUESTIONS = {}


def anchors(page):
    """Where a page of help stands in the manual: topics, entries and types by their names, others by their kinds."""
    kind, _, name = page.partition(" ")
    return [f"{kind}-{name}"] if name else ["topic-" + page, page, "type-" + page]


with open("tests/docs/questions.json", encoding="utf-8") as source:
    for row in json.load(source):
        QUESTIONS[row["question"]] = [anchor for page in row["pages"] for anchor in anchors(page)]

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const pages = %s, widths = %s, questions = %s, out = { over: [], errors: [], answers: {}, near: "", focus: "",
    menus: {}, contrast: [], cut: [], lost: [], printed: [], stops: [] };
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
const press = key => {
    const view = frame.contentWindow, active = frame.contentDocument.activeElement;
    active.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
};
// The ratio of WCAG 2, of each text against the ground behind it; what is half a transparent button counts as opaque.
const channels = text => text.match(/[\d.]+/g).map(Number);
function luminance(color) {
    const linear = color.slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
function leastContrast() {
    const page = frame.contentDocument, style = one => frame.contentWindow.getComputedStyle(one);
    const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    let least = [Infinity, ""];
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const holder = text.parentElement;
        if (!text.data.trim() || holder.tagName === "SCRIPT" || !holder.checkVisibility()) continue;
        let ground = holder;
        while (ground !== page.body && channels(style(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
        const [one, other] = [style(holder).color, style(ground).backgroundColor].map(c => luminance(channels(c)));
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < least[0]) least = [ratio, holder.tagName + " " + text.data.trim().slice(0, 40)];
    }
    return least;
}
(async () => {
    for (const width of widths) for (const file of pages) {
        await load(file, width);
        const root = frame.contentDocument.documentElement;
        if (root.scrollWidth > root.clientWidth) out.over.push([file, width, root.scrollWidth - root.clientWidth]);
        if (width > 390) continue;
        for (const one of root.querySelectorAll("pre, .wide, math, code"))
            if ((one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
                || one.getBoundingClientRect().right > width)
                out.cut.push([file, one.tagName + " " + one.textContent.trim().slice(0, 40)]);
        for (const one of root.querySelectorAll("img")) {
            one.loading = "eager";
            for (let i = 0; i < 50 && !one.complete; i++) await wait(20);
            if (!one.naturalWidth || !one.alt) out.lost.push([file, one.getAttribute("src")]);
        }
    }
    await load("index.html", 1200);
    const page = frame.contentDocument;
    frame.contentWindow.dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown", { key: "/" }));
    out.focus = page.activeElement.id;
    for (const text of questions) out.answers[text] = await ask(text);
    await ask("coefficent");
    out.near = page.getElementById("none").hidden ? "" : page.getElementById("none").textContent;
    press("ArrowDown");
    out.proposed = page.activeElement.textContent;
    page.activeElement.click();
    out.accepted = page.getElementById("search").value;
    press("ArrowDown");
    out.first = page.activeElement === page.querySelector("#results a");
    press("ArrowUp");
    out.back = page.activeElement.id;
    press("Escape");
    out.left = page.getElementById("results").hidden;
    for (const width of widths) {
        await load("topics.html", width);
        out.menus[width] = frame.contentDocument.getElementById("menu").open;
    }
    for (const file of ["index.html", "tutorial.html", "percuss.contact.html", "gallery.html", "topics.html",
        "recipes.html", "misprints.html", "studies.html", "guide-prompt.html"]) {
        for (const scheme of ["light", "dark"]) {
            await load(file, 1200);
            frame.contentDocument.documentElement.style.colorScheme = scheme;
            await wait(20);
            out.contrast.push([file, scheme, ...leastContrast(),
                luminance(channels(frame.contentWindow.getComputedStyle(frame.contentDocument.body).backgroundColor))]);
        }
    }
    for (const file of ["index.html", "topics.html"]) {
        await load(file, 800);
        const page = frame.contentDocument, seen = what => page.querySelector(what).checkVisibility();
        out.stops.push(page.querySelector("a[href], button, input, summary, [tabindex]").className);
        if ([...page.querySelectorAll("[tabindex]")].some(one => one.tabIndex > 0)) out.stops.push(file);
        for (const rule of page.styleSheets[0].cssRules)
            if (rule.media?.mediaText === "print") rule.media.mediaText = "all";
        out.printed.push([file, seen("nav"), seen("main h1"), seen(".around")]);
    }
    await load("recipes.html", 1200);
    const button = frame.contentDocument.querySelector(".copied button");
    button.click();
    for (let i = 0; i < 400 && button.textContent === "copy"; i++) await wait(20);
    out.copied = button.textContent;
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
    for question, pages_of_it in QUESTIONS.items():
        check(set(pages_of_it) & set(out["answers"][question]),
              f"'{question}' finds {out['answers'][question]}, not {pages_of_it}")
    check(not out["cut"], f"cut off at 390 pixels: {out['cut'][:5]}")
    check(not out["lost"], f"pictures that are not there, or say nothing: {out['lost'][:5]}")
    check(out["stops"] == ["skip", "skip"], f"the Tab key stops first at {out['stops']}")
    for file, menu, text, around in out["printed"]:
        check(text and not menu and not around, f"{file} on paper: menu {menu}, text {text}, links {around}")
    check("coefficient" in out["near"], f"nothing near to 'coefficent': {out['near']}")
    check("coefficient" in out["proposed"], f"the arrow leads to '{out['proposed']}'")
    check(out["accepted"] == out["proposed"], f"the box takes '{out['accepted']}'")
    check(out["first"] and out["back"] == "search", f"arrows lead through the answers and back to '{out['back']}'")
    check(out["left"], "Escape leaves the search")
    check(out["menus"] == {str(width): width > 800 for width in WIDTHS}, f"menus open: {out['menus']}")
    for file, scheme, ratio, text, ground in out["contrast"]:
        check(ratio >= 4.5, f"{file}, {scheme}: '{text}' has a contrast of {ratio:.2f}")
        check((ground > 0.5) == (scheme == "light"), f"{file} is not {scheme}")
    check(out["copied"] in ("copied", "selected"), f"the copy button says '{out['copied']}'")
    check(out["copies"] == out["codes"] > 0, f"{out['copies']} buttons for {out['codes']} examples")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
