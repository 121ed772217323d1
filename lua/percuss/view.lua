-- run:view and hit:view: a motion as one page of HTML that plays it. The page carries its numbers, its script and its
-- style, asks no network, and stands alone as a file or within a notebook.
local pc = require "percuss"
local plot = require "percuss.plot"

local view = {}

-- ---- the page ----

-- @DATA@ is { title, note, clock = { name, unit }, times, marks = { { at, text } }, stage, charts }; stage has limits,
-- fixed lines and for each time a list of lines and of arrows; a line is { colour, x, y, x, y, ... }, an arrow
-- { colour, x, y, dx, dy }. A chart is { title, unit, t, series = { { name, y } } }.
local PAGE = [==[
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>@TITLE@</title>
<style>
:root { color-scheme: light dark; --page: #fff; --ink: #1c1c1c; --muted: #595959; --grid: #dcdcdc; --focus: #0b57d0;
    --c0: #0072b2; --c1: #c04000; --c2: #00785a; --c3: #a3457d; --c4: #8a6500; --c5: #2a7bb0; --c6: #1c1c1c; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; --ink: #e8e8e8; --muted: #a8adb5; --grid: #3a3f47;
    --focus: #8ab4f8; --c0: #5cb3f0; --c1: #ff9457; --c2: #3fc79f; --c3: #e08cc0; --c4: #e3c04f; --c5: #9ad1f5;
    --c6: #e8e8e8; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 12px; background: var(--page); color: var(--ink); font: 15px/1.4 system-ui, sans-serif; }
h1 { font-size: 17px; font-weight: 600; margin: 0 0 8px; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 12px; }
canvas { display: block; width: 100%; border: 1px solid var(--grid); border-radius: 4px; }
#stage { height: 420px; } .chart canvas { height: 200px; }
.chart p { margin: 0 0 2px; color: var(--muted); font-size: 13px; } .chart { margin-bottom: 8px; }
.chart p span { margin-left: 10px; white-space: nowrap; }
#bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-top: 8px; }
#time { flex: 1 1 160px; min-width: 120px; accent-color: var(--focus); }
button, select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--muted);
    border-radius: 4px; padding: 3px 10px; }
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--focus);
    outline-offset: 1px; }
#now { min-width: 9em; font-variant-numeric: tabular-nums; } #mark { color: var(--muted); min-height: 1.4em; }
#keys, #note { color: var(--muted); font-size: 13px; margin: 6px 0 0; }
@media (max-width: 760px) { main { grid-template-columns: minmax(0, 1fr); } #stage { height: 300px; } }
</style></head><body>
<h1 id="title"></h1>
<main><div><canvas id="stage" role="img"></canvas>
<div id="bar"><button id="play" aria-label="play">Play</button>
<input id="time" type="range" min="0" step="1" aria-label="time">
<output id="now" for="time"></output>
<select id="speed" aria-label="speed"></select></div>
<div id="mark" aria-live="polite"></div>
<p id="note"></p>
<p id="keys">Space plays, arrows step, i and I go to the next and the last event, Home and End to the ends.</p></div>
<div id="charts"></div></main>
<script>
"use strict";
const data = @DATA@;
const $ = id => document.getElementById(id), n = data.times.length;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = x => x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toExponential(2)
    : Number(x.toPrecision(4)).toString();
const state = { at: 0, playing: false, speed: 1, last: 0, part: 0 };
$("title").textContent = data.title;
$("note").textContent = data.note;
$("time").max = n - 1;
for (const s of [0.05, 0.1, 0.25, 0.5, 1, 2, 4]) $("speed").add(new Option(s + " \u00d7", s, s === 1, s === 1));
// Pixels of the screen, so that lines are sharp; coordinates stay those of CSS.
function pen(canvas) {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio);
        canvas.height = Math.round(h * ratio);
    }
    const c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    c.lineJoin = c.lineCap = "round";
    return [c, w, h];
}
function drawStage() {
    const s = data.stage, [c, w, h] = pen($("stage")), pad = 8;
    const k = Math.min((w - 2 * pad) / (s.xlim[1] - s.xlim[0]), (h - 2 * pad) / (s.ylim[1] - s.ylim[0]));
    const X = x => w / 2 + k * (x - (s.xlim[0] + s.xlim[1]) / 2);
    const Y = y => h / 2 - k * (y - (s.ylim[0] + s.ylim[1]) / 2);
    const line = (l, width) => {
        c.strokeStyle = css("--c" + l[0]);
        c.lineWidth = width;
        c.beginPath();
        for (let i = 1; i < l.length; i += 2) i === 1 ? c.moveTo(X(l[1]), Y(l[2])) : c.lineTo(X(l[i]), Y(l[i + 1]));
        c.stroke();
    };
    for (const l of s.fixed) line(l, 1.5);
    for (const l of s.frames[state.at].lines) line(l, 2);
    for (const a of s.frames[state.at].arrows || []) {
        const x = X(a[1]), y = Y(a[2]), u = X(a[1] + a[3]), v = Y(a[2] + a[4]), d = Math.hypot(u - x, v - y);
        if (d < 1) continue;
        const e = [(u - x) / d, (v - y) / d], t = Math.min(9, d / 2);
        c.strokeStyle = c.fillStyle = css("--c" + a[0]);
        c.lineWidth = 2.5;
        c.beginPath();
        c.moveTo(x, y);
        c.lineTo(u - e[0] * t, v - e[1] * t);
        c.stroke();
        c.beginPath();
        c.moveTo(u, v);
        c.lineTo(u - e[0] * t - e[1] * t / 2, v - e[1] * t + e[0] * t / 2);
        c.lineTo(u - e[0] * t + e[1] * t / 2, v - e[1] * t - e[0] * t / 2);
        c.fill();
    }
}
const plots = data.charts.map(chart => {
    const [box, head, canvas] = ["div", "p", "canvas"].map(tag => document.createElement(tag));
    box.className = "chart";
    head.textContent = chart.title + (chart.unit ? " [" + chart.unit + "]" : "");
    chart.series.forEach((one, i) => {
        const label = document.createElement("span");
        label.textContent = "\u2015 " + one.name;
        label.style.color = "var(--c" + i % 6 + ")";
        head.append(label);
    });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", chart.title + " over " + data.clock.name);
    box.append(head, canvas);
    $("charts").append(box);
    let lo = Infinity, hi = -Infinity;
    const values = chart.series.flatMap(one => one.y).filter(y => y !== null);
    for (const y of values) [lo, hi] = [Math.min(lo, y), Math.max(hi, y)];
    if (!(hi > lo)) { const m = Number.isFinite(lo) ? lo : 0, d = Math.abs(m) || 1; lo = m - d; hi = m + d; }
    return { chart, canvas, lo, hi };
});
const first = data.times[0], whole = data.times[n - 1] - first || 1;
function drawChart(p) {
    const [c, w, h] = pen(p.canvas), left = 58, right = 8, top = 8, bottom = 20;
    const X = t => left + (w - left - right) * (t - first) / whole;
    const Y = y => top + (h - top - bottom) * (p.hi - y) / (p.hi - p.lo);
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = css("--muted");
    c.strokeStyle = css("--grid");
    c.lineWidth = 1;
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (let i = 0; i <= 2; i++) {
        const y = p.lo + (p.hi - p.lo) * i / 2;
        c.beginPath();
        c.moveTo(left, Y(y));
        c.lineTo(w - right, Y(y));
        c.stroke();
        c.fillText(short(y), left - 4, Y(y));
    }
    c.textBaseline = "alphabetic";
    for (let i = 0; i <= 2; i++) {
        c.textAlign = ["left", "center", "right"][i];
        const t = first + whole * i / 2;
        c.fillText(short(t) + (i === 2 ? " " + data.clock.unit : ""), X(t), h - 5);
    }
    p.chart.series.forEach((one, s) => {
        c.strokeStyle = css("--c" + s % 6);
        c.lineWidth = 1.5;
        c.beginPath();
        let up = true;
        one.y.forEach((y, i) => {
            if (y === null) { up = true; return; }
            up ? c.moveTo(X(p.chart.t[i]), Y(y)) : c.lineTo(X(p.chart.t[i]), Y(y));
            up = false;
        });
        c.stroke();
    });
    c.strokeStyle = css("--ink");
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(X(data.times[state.at]), top);
    c.lineTo(X(data.times[state.at]), h - bottom);
    c.stroke();
}
function draw() {
    drawStage();
    plots.forEach(drawChart);
    const t = data.times[state.at];
    $("time").value = state.at;
    $("now").textContent = data.clock.name + " = " + short(t) + " " + data.clock.unit;
    $("time").setAttribute("aria-valuetext", $("now").textContent);
    let near = null;
    for (const m of data.marks) if (m[0] <= t + 1e-12 * whole) near = m;
    $("mark").textContent = near ? near[1] : "";
}
function go(i) {
    state.at = Math.max(0, Math.min(n - 1, i));
    draw();
}
function play(on) {
    state.playing = on && n > 1;
    if (on && state.at === n - 1) state.at = 0;
    state.last = 0;
    state.part = 0;
    $("play").textContent = state.playing ? "Pause" : "Play";
    $("play").setAttribute("aria-label", state.playing ? "pause" : "play");
    if (state.playing) requestAnimationFrame(tick);
}
// A whole motion takes its own time, or some seconds where that is too short or too long to follow.
const lasts = data.clock.unit === "s" && whole >= 0.5 && whole <= 30 ? whole : 6;
function tick(now) {
    if (!state.playing) return;
    if (state.last) state.part += (now - state.last) / 1000 * state.speed / lasts * (n - 1);
    state.last = now;
    const steps = Math.floor(state.part);
    state.part -= steps;
    if (steps) go(state.at + steps);
    if (state.at === n - 1) play(false); else requestAnimationFrame(tick);
}
// The first time at or after that of an event, so that its text is shown.
const indexOf = t => Math.max(0, data.times.findIndex(x => x >= t - 1e-12 * whole));
function jump(forwards) {
    const places = data.marks.map(m => indexOf(m[0]));
    const found = forwards ? places.find(i => i > state.at) : places.reverse().find(i => i < state.at);
    if (found !== undefined) go(found);
}
$("play").onclick = () => play(!state.playing);
$("time").oninput = event => { play(false); go(Number(event.target.value)); };
$("speed").onchange = event => { state.speed = Number(event.target.value); };
document.addEventListener("keydown", event => {
    const keys = { ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1), Home: () => go(0),
        End: () => go(n - 1), i: () => jump(true), I: () => jump(false), " ": () => play(!state.playing) };
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key] || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    if (event.key !== " ") play(false);
    keys[event.key]();
});
window.addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
$("stage").setAttribute("aria-label", data.title + ", in motion");
draw();
</script></body></html>
]==]

-- ---- numbers as text ----

local function number(x)
    if type(x) ~= "number" or x ~= x or x == math.huge or x == -math.huge then return "null" end
    return ("%.5g"):format(x)
end

-- A string of JSON that may stand within a script of HTML.
local function text(x)
    return '"' .. x:gsub('[%c"\\<>&]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function list(values, write)
    local out = {}
    for i = 1, #values do out[i] = (write or number)(values[i]) end
    return "[" .. table.concat(out, ",") .. "]"
end

local function line_of(line)
    local out = { tostring(line.colour) }
    for i, x in ipairs(line[1]) do
        out[#out + 1] = number(x)
        out[#out + 1] = number(line[2][i])
    end
    return "[" .. table.concat(out, ",") .. "]"
end

local function frame_of(frame)
    return ('{"lines":%s,"arrows":%s}'):format(list(frame.lines, line_of), list(frame.arrows or {}, list))
end

local function series_of(one)
    return ('{"name":%s,"y":%s}'):format(text(one.name), list(one.y))
end

local function chart_of(chart)
    return ('{"title":%s,"unit":%s,"t":%s,"series":%s}'):format(text(chart.title), text(chart.unit), list(chart.t),
        list(chart.series, series_of))
end

-- Times are told in full: neighbours of a long motion must not fall together.
local function time(t) return ("%.12g"):format(t) end

local function mark_of(mark) return ("[%s,%s]"):format(time(mark[1]), text(mark[2])) end

local function escaped(title)
    return (title:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- The page of what was filmed.
function view.page(film)
    local stage = ('{"xlim":%s,"ylim":%s,"fixed":%s,"frames":%s}'):format(list(film.xlim), list(film.ylim),
        list(film.fixed, line_of), list(film.frames, frame_of))
    local data = ('{"title":%s,"note":%s,"clock":{"name":%s,"unit":%s},"times":%s,"marks":%s,"stage":%s,"charts":%s}')
        :format(text(film.title), text(film.note or ""), text(film.clock[1]), text(film.clock[2]),
            list(film.times, time), list(film.marks, mark_of), stage, list(film.charts, chart_of))
    local words = { TITLE = escaped(film.title), DATA = data }
    return (PAGE:gsub("@(%u+)@", words))
end

-- ---- runs ----

local function greatest(values)
    local most = 0
    for i = 1, #values do
        local x = math.abs(values[i])
        if x == x then most = math.max(most, x) end
    end
    return most
end

-- Columns in groups of one unit each: energies, and the forces of contacts. A group that is zero all the time, as the
-- forces of contacts that do not last, is left out.
local function charts_of(columns, groups)
    local charts = {}
    for _, group in ipairs(groups) do
        local chart = { title = group.title, t = columns[group.over or "t"], series = {} }
        for _, name in ipairs(columns.names) do
            if group.has(name) and #chart.series < 6 then
                chart.unit = chart.unit or columns.units[name]
                chart.series[#chart.series + 1] = { name = name, y = columns[name] }
            end
        end
        local most = 0
        for _, one in ipairs(chart.series) do most = math.max(most, greatest(one.y)) end
        if most > 0 then charts[#charts + 1] = chart end
    end
    return charts
end

local ENERGIES = { kinetic = true, potential = true, stored = true, energy = true }

local RUN_CHARTS = {
    { title = "Energy", has = function(name) return ENERGIES[name] end },
    { title = "Contact forces", has = function(name) return name:match "F_[tn]$" or name:match "%.F_[tn]%d*$" end },
    { title = "Velocities", has = function(name) return name:match "v[xy]$" end },
    { title = "Rates", has = function(name) return name:match "rate%d*$" end },
}

-- What happened, in the order of time: impacts with their place and rule, and the events in between.
local function marks_of(run, from, to)
    local marks = {}
    for i, impact in ipairs(run.impacts) do
        if impact.time >= from and impact.time <= to and #marks < 2000 then
            marks[#marks + 1] = { impact.time, ("impact %d at t = %.6g s"):format(i, impact.time) }
        end
    end
    for _, event in ipairs(run.events) do
        if event.name ~= "impact" and event.time >= from and event.time <= to and #marks < 4000 then
            marks[#marks + 1] = { event.time, ("%s at t = %.6g s"):format(event.name, event.time) }
        end
    end
    table.sort(marks, function(a, b) return a[1] < b[1] end)
    return marks
end

-- run:view
function view.run(run, options)
    options = options or {}
    local motion = require "percuss.run"
    local from, to = options.from or run.start, options.to or run.time
    if not (to > from and from >= run.start and to <= run.time) then
        plot.fail("view: from = %g s and to = %g s must lie in this order within the motion, %g to %g s", from, to,
            run.start, run.time)
    end
    local film = motion.film_of(run, from, to, (options.frames or 400) - 1)
    local step = (to - from) / 600
    local times = {}
    for i = 0, 600 do times[i + 1] = math.min(from + i * step, to) end
    film.title = options.title or tostring(run):match "^[^\n]*"
    film.clock = { "t", "s" }
    film.marks = marks_of(run, from, to)
    film.charts = charts_of(run:columns(times), RUN_CHARTS)
    return view.deliver(view.page(film), options.file)
end

-- ---- impacts ----

-- Integral of a column over time.
local function travelled(t, v)
    local x = { 0 }
    for i = 2, #t do x[i] = x[i - 1] + 0.5 * (v[i - 1] + v[i]) * (t[i] - t[i - 1]) end
    return x
end

local PHASE_MARK = "%s from %s = %.4g %s"

-- The way of the contact point, much enlarged, with the body's surface, the tangential element and the force within the
-- cone of friction.
local function compliant_film(hit, frames)
    local h = hit:trace(frames)
    local x, y = travelled(h.t, h.v_t), travelled(h.t, h.v_n)
    local size = math.max(greatest(x), greatest(y), 1e-300)
    local strength = math.max(greatest(h.F_t), greatest(h.F_n), 1e-300)
    local film = { times = h.t, frames = {}, fixed = {}, marks = {}, clock = { "t", "s" },
        note = "The body's surface where it touches, displacements much enlarged; the tangential element below; the "
            .. "force on the body as an arrow within the cone of friction." }
    film.xlim, film.ylim = { -2.6 * size, 2.6 * size }, { -1.6 * size, 2.6 * size }
    film.fixed[1] = { { -2.6 * size, 2.6 * size }, { 0, 0 }, colour = 6 }
    local mu = hit.law.friction
    if type(mu) == "number" and mu > 0 then
        local reach = 2.2 * size / math.sqrt(1 + mu * mu)
        for side = -1, 1, 2 do
            film.fixed[#film.fixed + 1] = { { 0, side * mu * reach }, { 0, reach }, colour = 4 }
        end
    end
    for i = 1, #h.t do
        local xs, ys = {}, {}
        for k = -12, 12 do
            local angle = k * math.pi / 30
            xs[#xs + 1] = x[i] + 4 * size * math.sin(angle)
            ys[#ys + 1] = y[i] + 4 * size * (1 - math.cos(angle))
        end
        film.frames[i] = {
            lines = { { xs, ys, colour = 0 }, { { x[i] - h.u_t[i], x[i] }, { -1.2 * size, y[i] }, colour = 2 } },
            arrows = { { 1, 0, 0, 2.2 * size * h.F_t[i] / strength, 2.2 * size * h.F_n[i] / strength } },
        }
    end
    for _, phase in ipairs(hit.phases) do
        film.marks[#film.marks + 1] = { phase.start, PHASE_MARK:format(phase.kind, "t", phase.start, "s") }
    end
    film.charts = charts_of(h, {
        { title = "Contact forces", has = function(name) return name == "F_t" or name == "F_n" end },
        { title = "Velocities of the contact point", has = function(name) return name == "v_t" or name == "v_n" end },
        { title = "Energy", has = function(name) return name == "energy" or name:match "^W_" end },
    })
    return film
end

-- A rigid impact has no history in time: it moves through the plane of impulses.
local function rigid_film(hit, frames)
    local path = pc.impulse.path(hit, frames)
    local n = #path.p_n
    local size = math.max(greatest(path.p_n), greatest(path.p_t), 1e-300)
    local speed = math.max(greatest(path.v_t), greatest(path.v_n), 1e-300)
    -- the normal impulse grows all the way, but for places that stand twice where the slip stops
    local times = {}
    for i = 1, n do times[i] = path.p_n[i] end
    path.names = { "v_t", "v_n", "W_n", "W_f" }
    local film = { times = times, frames = {}, fixed = { { {}, {}, colour = 0 } }, marks = {},
        clock = { "p_n", "N s" }, xlim = { -1.2 * size, 1.2 * size }, ylim = { -0.5 * size, 1.3 * size },
        note = "The plane of impulses: p_t across, p_n up, between the lines of friction; the arrow is the velocity of "
            .. "the contact point." }
    for i = 1, n do film.fixed[1][1][i], film.fixed[1][2][i] = path.p_t[i], path.p_n[i] end
    local mu = hit.law.friction
    if type(mu) == "number" and mu > 0 then
        for side = -1, 1, 2 do
            film.fixed[#film.fixed + 1] = { { 0, side * mu * 1.2 * size }, { 0, 1.2 * size }, colour = 4 }
        end
    end
    for i = 1, n do
        local x, y = path.p_t[i], path.p_n[i]
        film.frames[i] = {
            lines = { { { 0, x }, { 0, y }, colour = 2 } },
            arrows = { { 1, x, y, 0.4 * size * path.v_t[i] / speed, 0.4 * size * path.v_n[i] / speed } },
        }
    end
    film.charts = charts_of(path, {
        { title = "Velocities of the contact point", over = "p_n", has = function(name) return name:match "^v_" end },
        { title = "Works", over = "p_n", has = function(name) return name:match "^W_" end },
    })
    return film
end

-- impact:view
function view.impact(hit, options)
    options = options or {}
    local make = hit.law.abilities.compliant and compliant_film or rigid_film
    local film = make(hit, options.frames or 400)
    film.title = options.title or ("%s: %s, %s"):format(hit.law.name or "impact", hit.regime, hit.outcome)
    return view.deliver(view.page(film), options.file)
end

-- ---- where a page goes ----

-- A notebook shows pages by this; nil elsewhere.
view.show = nil

function view.deliver(page, file)
    if file then return pc.file.write(file, page) end
    if not view.show then
        plot.fail "view: give file = a name that ends in .html; a notebook shows the page by itself"
    end
    view.show(page)
end

return view
