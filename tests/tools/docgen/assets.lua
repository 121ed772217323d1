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
nav a { display: block; padding: .1em 0 .1em .9em; color: inherit; overflow-wrap: anywhere; }
nav summary { cursor: pointer; padding: .2em 0; font-weight: 600; }
a { text-decoration: none; color: var(--accent); } a:hover { text-decoration: underline; }
main { padding: 1em 2em 4em; max-width: 58em; min-width: 0; }
section { border-top: 1px solid var(--line); padding: .6em 0; scroll-margin-top: 1em; }
h1 { margin: .4em 0; } h2 { margin: 2em 0 .5em; } h3 { margin: .4em 0; overflow-wrap: anywhere; }
h4 { margin: .9em 0 .2em; font-size: 14px; color: var(--dim); } p { margin: .5em 0; }
code, pre { font: 14px/1.45 ui-monospace, monospace; } h3 code { font-size: 16px; }
pre { padding: .7em .9em; background: var(--code); border-radius: 5px; overflow: auto; margin: .4em 0; }
.comment { color: var(--dim); } .string { color: var(--string); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 15px; }
td, th { text-align: left; padding: .2em .9em .2em 0; vertical-align: top; } td { border-top: 1px solid var(--line); }
th { font-size: 13px; font-weight: 500; color: var(--dim); }
td code { white-space: nowrap; } td:last-child { min-width: 14em; } [hidden] { display: none !important; }
sub, sup { line-height: 0; font-size: 75%; } .kind, .source { color: var(--dim); font-size: 14px; font-weight: 400; }
img { max-width: 100%; border-radius: 4px; }
figure { margin: 1em 0; } figcaption { color: var(--dim); font-size: 14px; }
#none { padding: 1em 0; } .start td { border: 0; }
@media (max-width: 50em) {
    body { display: block; } main { padding: 0 1em 3em; }
    nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); }
    nav a { padding: .35em 1em; }
}]]

-- Each word typed has to occur in what an entry says. Greek letters are found by their names as well, and F_n, which
-- the page shows with an index, as it is typed.
assets.script = [[
const box = document.getElementById("search"), none = document.getElementById("none");
const greek = {
    α: "alpha", β: "beta", γ: "gamma", ζ: "zeta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", π: "pi",
    ψ: "psi", χ: "chi", ρ: "rho", ω: "omega", "√": "sqrt",
};
const plain = text => text.toLowerCase().replaceAll("_", "");
const spelled = text => plain(text).replace(/[α-ω√]/g, letter => `${letter} ${greek[letter] ?? ""} `);
const parts = [...document.querySelectorAll("section[id]")].map(part => {
    const link = document.querySelector(`nav a[href="#${CSS.escape(part.id)}"]`);
    return [part, plain(part.textContent) + spelled(part.textContent), link];
});
const groups = [...document.querySelectorAll("nav details")];
const heads = [...document.querySelectorAll("main > h2, .start")];
function search() {
    const words = plain(box.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const [part, text, link] of parts) {
        const hidden = !words.every(word => text.includes(word));
        part.hidden = hidden;
        found += !hidden;
        if (link) link.hidden = hidden;
    }
    for (const group of groups) {
        group.hidden = !group.querySelector("a:not([hidden])");
        group.open = words.length > 0;
    }
    for (const head of heads) head.hidden = words.length > 0;
    none.hidden = found > 0;
}
function show() {
    const link = parts.find(([part]) => "#" + part.id === decodeURIComponent(location.hash))?.[2];
    if (link) link.closest("details").open = true;
}
box.addEventListener("input", search);
addEventListener("hashchange", show);
show();
if (box.value) search();
]]

return assets
