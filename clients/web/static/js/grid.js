// The grid of 169 classes: pairs on the diagonal, suited above it, offsuit below.

import { h, percent } from "./dom.js";
import { RANK_ORDER } from "./cards.js";

export const CLASSES = [...RANK_ORDER].map((high, row) => [...RANK_ORDER].map((low, column) =>
  row === column ? high + low : row < column ? `${high}${low}s` : `${low}${high}o`)).flat();

// The class of a holding like "AhKd".
export function classOf(holding) {
  const [a, x, b, y] = holding, order = RANK_ORDER.indexOf(a) <= RANK_ORDER.indexOf(b) ? a + b : b + a;
  return a === b ? order : order + (x === y ? "s" : "o");
}

export const comboCount = (name) => (name.length === 2 ? 6 : name[2] === "s" ? 4 : 12);

// A grid to look at; `draw` fills a cell and returns its label.
export function grid(draw, { small = false, onpick = null, name = "Range" } = {}) {
  const cells = CLASSES.map((label, i) => {
    const cell = h("button", { type: "button", "data-class": label, tabindex: i ? "-1" : "0" }, h("span", {}, label));
    cell.setAttribute("aria-label", `${label}: ${draw(label, cell) ?? ""}`);
    if (onpick) cell.addEventListener("click", () => onpick(label));
    return cell;
  });
  return h("div", { class: `grid13 ${small ? "mini13" : ""}`, role: "group", "aria-label": `${name}: arrow keys walk through the grid`, onkeydown: (event) => walk(event, cells) }, cells);
}

export function walk(event, cells) {
  const at = cells.indexOf(document.activeElement), step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 }[event.key];
  if (at < 0 || !step || !cells[at + step]) return;
  event.preventDefault();
  cells[at].tabIndex = -1;
  cells[at + step].tabIndex = 0;
  cells[at + step].focus();
}

// Fills a cell with parts of colours: [[colour, share], …], up to a height.
export function fill(cell, parts, height = 1) {
  cell.prepend(h("div", { class: "fill", vars: { "--h": `${100 * height}%` }, "aria-hidden": "true" }, parts.map(([tone, share]) => h("i", { vars: { "--tone": tone, "--part": `${100 * share}%` } }))));
}

export function rangeGrid(weights) {
  return grid((label, cell) => {
    const weight = weights[label] ?? 0;
    if (weight > 0.01) { fill(cell, [["var(--paint)", 1]], weight); if (weight > 0.5) cell.classList.add("mixed"); }
    return percent(weight);
  }, { small: true });
}
