// Line charts and box plots, drawn as SVG; every chart has its numbers as a table for those who cannot see it.

import { h, s } from "./dom.js";

const W = 640, H = 280, LEFT = 56, RIGHT = 14, TOP = 12, BOTTOM = 34;

const nice = (value) => { const power = 10 ** Math.floor(Math.log10(Math.abs(value) || 1)); return Math.ceil(value / power * 2) / 2 * power; };
const short = (value) => (Math.abs(value) >= 1000 ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : +value.toPrecision(3)).toString();

// `lines`: [{name, tone, points: [[x, y, margin?]]}]
export function lineChart(title, lines, { x = "", y = "", zero = true } = {}) {
  const points = lines.flatMap((line) => line.points.filter((point) => Number.isFinite(point[1])));
  if (!points.length) return h("p", { class: "muted" }, `${title}: no data yet.`);
  const xs = points.map((point) => point[0]), lows = points.map((point) => point[1]);
  const spread = [...lows].sort((a, b) => a - b), cut = (share) => spread[Math.floor(share * (spread.length - 1))];
  let low = Math.min(cut(0.02), zero ? 0 : Infinity), high = Math.max(cut(0.98), zero ? 0 : -Infinity);
  if (low === high) { low -= 1; high += 1; }
  const pad = 0.12 * (high - low); low -= pad; high += pad;
  const firstX = Math.min(...xs), lastX = Math.max(...xs, firstX + 1);
  const px = (v) => LEFT + (v - firstX) / (lastX - firstX) * (W - LEFT - RIGHT), py = (v) => TOP + (high - Math.max(low, Math.min(high, v))) / (high - low) * (H - TOP - BOTTOM);
  const step = nice((high - low) / 5), ticks = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) ticks.push(v);
  const drawn = lines.filter((line) => line.points.length).map((line) => {
    const known = line.points.filter((point) => Number.isFinite(point[1])), banded = known.filter((point) => Number.isFinite(point[2]));
    const band = banded.length > 1 ? s("path", { class: "band", d: `M${banded.map((p) => `${px(p[0])},${py(p[1] + p[2])}`).join("L")}L${[...banded].reverse().map((p) => `${px(p[0])},${py(p[1] - p[2])}`).join("L")}Z` }) : null;
    return s("g", { vars: { "--tone": line.tone } }, band, s("path", { class: "line", d: `M${known.map((p) => `${px(p[0])},${py(p[1])}`).join("L")}` }));
  });
  return h("figure", { class: "figure-box" }, h("figcaption", {}, h("b", {}, title)),
    s("svg", { class: "figure", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}. ${lines.map((line) => { const last = line.points.at(-1); return last ? `${line.name}: ${short(last[1])} at ${short(last[0])}` : ""; }).filter(Boolean).join("; ")}` },
      ticks.map((v) => [s("line", { class: Math.abs(v) < step / 1e6 ? "zero" : "axis", x1: LEFT, x2: W - RIGHT, y1: py(v), y2: py(v) }), s("text", { x: LEFT - 8, y: py(v) + 4, "text-anchor": "end" }, short(v))]),
      [0, 0.25, 0.5, 0.75, 1].map((part) => s("text", { x: LEFT + part * (W - LEFT - RIGHT), y: H - 14, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle" }, short(Math.round(firstX + part * (lastX - firstX))))),
      s("text", { x: W - RIGHT, y: H - 1, "text-anchor": "end" }, x), s("text", { x: 4, y: 10 }, y), drawn),
    lines.length > 1 ? h("ul", { class: "legend" }, lines.map((line) => h("li", {}, h("i", { vars: { "--tone": line.tone } }), line.name))) : null);
}

const quantile = (sorted, share) => { const at = share * (sorted.length - 1), low = Math.floor(at); return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]); };

// `boxes`: [{name, values (1 to 5)}]
export function boxPlot(title, boxes) {
  const rows = boxes.map((box) => ({ ...box, sorted: [...box.values].sort((a, b) => a - b) })), height = 40 * rows.length + 40;
  const px = (v) => 190 + (v - 1) / 4 * 420;
  return h("figure", { class: "figure-box" }, h("figcaption", {}, h("b", {}, title)),
    s("svg", { class: "figure", viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": `${title}. ${rows.map((row) => (row.sorted.length ? `${row.name}: median ${short(quantile(row.sorted, 0.5))} of ${row.sorted.length} answers` : `${row.name}: no answers`)).join("; ")}` },
      [1, 2, 3, 4, 5].map((v) => [s("line", { class: "axis", x1: px(v), x2: px(v), y1: 6, y2: height - 28 }), s("text", { x: px(v), y: height - 10, "text-anchor": "middle" }, String(v))]),
      rows.map((row, i) => {
        const y = 24 + 40 * i, own = row.sorted;
        const label = s("text", { x: 180, y: y + 4, "text-anchor": "end" }, `${row.name} (${own.length})`);
        if (!own.length) return label;
        const [low, first, middle, third, high] = [0, 0.25, 0.5, 0.75, 1].map((share) => px(quantile(own, share)));
        return [label, s("line", { class: "whisker", x1: low, x2: high, y1: y, y2: y }), s("rect", { class: "box", x: first, width: Math.max(3, third - first), y: y - 11, height: 22, rx: 3 }), s("line", { class: "whisker", x1: middle, x2: middle, y1: y - 11, y2: y + 11, "stroke-width": 3 })];
      })));
}
