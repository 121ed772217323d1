-- How the manual looks and how its search works.
local assets = {}

assets.style = [[
:root { color-scheme: light dark; --line: #8885; --dim: light-dark(#666, #9a9a9a);
    --accent: light-dark(#0b5cad, #7db8f5); --code: light-dark(#f6f7f9, #1d1f22);
    --string: light-dark(#1a7f37, #7ee08f); }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17em minmax(0, 1fr);
    background: light-dark(#fff, #131416); color: light-dark(#1c1c1c, #e4e4e4); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1em; border-right: 1px solid var(--line);
    box-sizing: border-box; font-size: 14px; background: inherit; }
nav input { width: 100%; box-sizing: border-box; font: inherit; font-size: 16px; padding: .35em; margin: .2em 0 .6em; }
nav input::placeholder { color: var(--dim); opacity: 1; }
nav a { display: block; padding: .1em 0 .1em .9em; color: inherit; overflow-wrap: anywhere; }
nav summary { cursor: pointer; padding: .2em 0; font-weight: 600; }
a { text-decoration: none; color: var(--accent); } a:hover { text-decoration: underline; }
main { padding: 1em 2em 4em; max-width: 58em; min-width: 0; }
section { border-top: 1px solid var(--line); padding: .6em 0; scroll-margin-top: 1em; }
h1, h2 { margin: .4em 0; overflow-wrap: anywhere; }
h3 { margin: .9em 0 .2em; font-size: 14px; color: var(--dim); } p { margin: .5em 0; }
code, pre { font: 14px/1.45 ui-monospace, monospace; } h2 code { font-size: 16px; }
pre { padding: .7em .9em; background: var(--code); border-radius: 5px; overflow: auto; margin: .4em 0; }
pre.output { background: none; border-left: 3px solid var(--line); border-radius: 0; }
.comment { color: var(--dim); } .string { color: var(--string); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 15px; }
td, th { text-align: left; padding: .2em .9em .2em 0; vertical-align: top; } td { border-top: 1px solid var(--line); }
th { font-size: 13px; font-weight: 500; color: var(--dim); }
td code { white-space: nowrap; } td:last-child { min-width: 14em; } [hidden] { display: none !important; }
sub, sup { line-height: 0; font-size: 75%; } .kind, .source { color: var(--dim); font-size: 14px; font-weight: 400; }
img { max-width: 100%; border-radius: 4px; }
figure { margin: 1em 0; } figcaption { color: var(--dim); font-size: 14px; }
#none { padding: 1em 0; } .asking > :not(#results, #none) { display: none; }
#results a { font-weight: 600; } #results p { margin: 0 0 .6em; }
math { font-family: "Cambria Math", "STIX Two Math", "Latin Modern Math", "DejaVu Math TeX Gyre", "Noto Sans Math",
    math, serif; } .math { margin: .5em 0 .5em 1.5em; } td .math { margin: 0; } .start td { border: 0; }
#menu > summary { display: none; } main:focus { outline: none; }
.skip { position: absolute; left: -99em; } .skip:focus { left: 1em; top: .5em; padding: .3em .8em; z-index: 1;
    background: var(--code); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details.script, details.answer { margin: .4em 0; } main summary { cursor: pointer; }
#none button { font: inherit; color: var(--accent); background: none; border: 0; padding: 0 .3em; cursor: pointer;
    text-decoration: underline; }
mark { background: none; color: inherit; font-weight: 600; }
nav a[aria-current] { font-weight: 600; } .here { border-left: 2px solid var(--line); margin-left: .9em; }
.around { display: flex; justify-content: space-between; border-top: 1px solid var(--line); padding-top: 1em; }
.copied { position: relative; } .copied button { position: absolute; top: .3em; right: .3em; font-size: 12px;
    opacity: .55; cursor: pointer; } .copied button:focus, .copied:hover button { opacity: 1; }
@media (max-width: 50em) {
    body { display: block; } main { padding: 0 1em 3em; }
    nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); }
    nav a { padding: .35em 1em; } #menu > summary { display: list-item; }
    .wide table, .wide tbody, .wide tr, .wide td { display: block; } .wide th, .wide td:empty { display: none; }
    .wide tr { border-top: 1px solid var(--line); padding: .3em 0; } .wide td { border: 0; padding: 0; }
    .wide td[data-head]:not(:first-child, :last-child)::before { content: attr(data-head) ": "; color: var(--dim);
        font-size: 13px; }
    code, td code { white-space: normal; overflow-wrap: anywhere; }
    pre { font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
    .copied pre { padding-top: 2.2em; }
}
@media print {
    :root { color-scheme: light; }
    nav, .skip, #results, .copied button, .around, details.script { display: none; } body { display: block; }
    pre { white-space: pre-wrap; }
    section { break-inside: avoid; }
}]]

-- The box of the manual ranks as percuss.search does, from which it has synonyms and words that say nothing (LISTS).
-- Greek letters are found by their names as well, and F_n, which the page shows with an index, as it is typed. "/" goes
-- to the box, arrows from there to the answers, Escape leaves it.
assets.script = [==[
const box = document.getElementById("search"), none = document.getElementById("none");
const results = document.getElementById("results"), main = document.querySelector("main");
const lists = LISTS;
const greek = {
    α: "alpha", β: "beta", γ: "gamma", ζ: "zeta", η: "eta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu",
    π: "pi", ψ: "psi", χ: "chi", ρ: "rho", ω: "omega", "√": "sqrt",
};
const spelled = text => text.replace(/[α-ω√]/g, letter => `${letter} ${greek[letter] ?? ""} `);
const stop = new Set(lists.stop.split(/\s+/));
function stem(word) {
    if (word.length < 4) return word;
    let out = word.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
    if (out.length > 5) out = out.replace(/ing$/, "").replace(/ed$/, "");
    return out.length > 3 ? out.replace(/e$/, "") : out;
}
function stems(text) {
    const words = spelled(text.toLowerCase()).match(/[\p{L}\p{N}_]+/gu) ?? [];
    const parts = words.flatMap(word => word.includes("_")
        ? [word, word.replaceAll("_", ""), ...word.split("_")] : [word]);
    return parts.filter(word => word && !stop.has(word)).map(stem);
}
const same = new Map();
for (const line of lists.synonyms) {
    const list = line.split(" ").map(stem);
    for (const word of list) same.set(word, list);
}
function count(into, text, weight) {
    for (const word of stems(text)) into.set(word, (into.get(word) ?? 0) + weight);
}
// The text of all pages comes when somebody searches.
let parts = [];
const occurrences = new Map();
function learn() {
    parts = window.percussEntries.map(([file, id, title, words, summary, text, examples]) => {
        const counted = new Map();
        count(counted, `${title} ${words} ${id}`, 8);
        count(counted, summary, 4);
        const said = new Map();
        count(said, text, 1);
        for (const [word, weight] of said) counted.set(word, (counted.get(word) ?? 0) + Math.min(weight, 4));
        count(counted, examples, 0.2);
        return { file, id, called: stem(id.toLowerCase()), words: counted, title, summary, text };
    });
    for (const { words } of parts)
        for (const word of words.keys()) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
    search();
}
let asked = false;
function fetchEntries() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = "search.js";
    script.onload = learn;
    document.head.append(script);
}
function share({ words, called }, key) {
    let weight = words.get(key) ?? 0;
    for (const other of same.get(key) ?? [])
        weight = Math.max(weight, other === called ? 16 : 0.6 * (words.get(other) ?? 0));
    if (weight === 0 && key.length >= 4)
        for (const [word, there] of words) if (word.startsWith(key)) weight = Math.max(weight, 0.5 * there);
    return weight / (weight + 3);
}
function rarity(key) {
    const n = Math.max(...[key, ...same.get(key) ?? []].map(word => occurrences.get(word) ?? 0));
    return Math.log(1 + parts.length / (1 + n));
}
function rank(text) {
    const keys = [...new Set(stems(text))], asked = text.trim().toLowerCase(), found = [];
    for (const one of parts) {
        const shares = keys.map(key => share(one, key));
        const matched = shares.filter(part => part > 0).length;
        if (matched === 0) continue;
        let score = shares.reduce((sum, part, i) => sum + part * rarity(keys[i]), 0);
        if (one.id.toLowerCase() === asked) score += 100;
        found.push({ one, score: score * (matched / keys.length) ** 2 });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, 20).map(row => row.one);
}
// Changes that make one word of another: letters put in, left out or exchanged.
function distance(a, b) {
    let row = [...b].map((_, j) => j + 1);
    row.unshift(0);
    for (let i = 1; i <= a.length; i++) {
        let before = row[0];
        row[0] = i;
        for (let j = 1; j <= b.length; j++) {
            const kept = row[j];
            row[j] = Math.min(row[j] + 1, row[j - 1] + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1));
            before = kept;
        }
    }
    return row[b.length];
}
function nearest(text) {
    const word = stems(text)[0] ?? "";
    const near = [...occurrences.keys()].filter(other => other.length > 3)
        .map(other => [distance(word, other), other]).filter(row => row[0] <= Math.max(2, word.length / 3));
    return near.sort((a, b) => a[0] - b[0]).slice(0, 4).map(row => row[1]);
}
// The sentence with most of the words, as the help of the prompt shows it; long ones are cut around the first word.
function excerpt(one, keys) {
    const asked = new Set(keys.flatMap(key => [key, ...same.get(key) ?? []]));
    let best = one.summary, most = 0;
    for (const sentence of [one.summary, ...one.text.split(/(?<=[.;:?]) +/)]) {
        const words = new Set(stems(sentence)), n = keys.filter(key => words.has(key)).length
            + 0.5 * [...asked].filter(word => words.has(word)).length;
        if (n > most) [best, most] = [sentence, n];
    }
    if (best.length <= 200) return [best, asked];
    const words = best.split(" "), at = words.findIndex(word => stems(word).some(key => asked.has(key)));
    const from = Math.max(0, at - 12), to = from + 30;
    return [(from > 0 ? "… " : "") + words.slice(from, to).join(" ") + (to < words.length ? " …" : ""), asked];
}
function marked(one, keys) {
    const text = document.createElement("p"), [sentence, asked] = excerpt(one, keys);
    for (const [i, word] of sentence.split(" ").entries()) {
        if (i > 0) text.append(" ");
        if (!stems(word).some(key => asked.has(key))) { text.append(word); continue; }
        const mark = document.createElement("mark");
        mark.textContent = word;
        text.append(mark);
    }
    return text;
}
function propose(word) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word;
    button.addEventListener("click", () => {
        box.value = word;
        box.focus();
        search();
    });
    return button;
}
function search() {
    const asking = stems(box.value).length > 0;
    main.classList.toggle("asking", asking);
    if (asking) fetchEntries();
    const found = asking ? rank(box.value) : [], keys = [...new Set(stems(box.value))];
    results.replaceChildren(...found.map(one => {
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = one.file + "#" + encodeURIComponent(one.id);
        link.textContent = one.title;
        item.append(link, marked(one, keys));
        return item;
    }));
    results.hidden = !asking;
    none.hidden = !asking || found.length > 0 || parts.length === 0;
    if (!none.hidden) {
        const near = nearest(box.value);
        none.textContent = "Nothing has any of these words." + (near.length > 0 ? " Near to them:" : "");
        none.append(...near.map(propose));
    }
}
function leave() {
    box.value = "";
    search();
}
function show() {
    const id = decodeURIComponent(location.hash.slice(1)), part = id && document.getElementById(id);
    if (!part) return;
    if (box.value) leave();
    part.scrollIntoView();
}
for (const code of document.querySelectorAll("pre:not(.output)")) {
    const frame = document.createElement("div"), button = document.createElement("button");
    frame.className = "copied";
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", async () => {
        try {
            await navigator.clipboard.writeText(code.textContent);
            button.textContent = "copied";
        } catch {
            getSelection().selectAllChildren(code);
            button.textContent = "selected";
        }
        setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    code.replaceWith(frame);
    frame.append(code, button);
}
box.addEventListener("input", search);
box.addEventListener("focus", fetchEntries);
// Enter goes to the first answer; arrows walk from the box through the answers and back.
addEventListener("keydown", event => {
    const links = [...document.querySelectorAll("#results a, #none:not([hidden]) button")];
    const active = document.activeElement;
    const at = active === box ? -1 : links.indexOf(active);
    if (links.length === 0 || (at < 0 && active !== box)) return;
    const next = { ArrowDown: links[at + 1], ArrowUp: links[at - 1] ?? box }[event.key];
    if (next) {
        event.preventDefault();
        next.focus();
    }
    if (event.key === "Enter" && active === box) links[0].click();
    if (event.key === "Escape" && active !== box) {
        leave();
        box.focus();
    }
});
addEventListener("hashchange", show);
addEventListener("keydown", event => {
    if (event.key === "Escape" && document.activeElement === box) leave();
    if (event.key !== "/" || event.ctrlKey || event.metaKey || document.activeElement === box) return;
    event.preventDefault();
    box.focus();
});
results.addEventListener("click", event => {
    if (event.target.closest("a")) setTimeout(show);
});
if (matchMedia("(max-width: 50em)").matches) document.getElementById("menu").open = false;
show();
if (box.value) search();
]==]

return assets
