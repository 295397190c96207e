// A range painted on the grid: drag to paint, weights by a slider, text for what the grid cannot say.

import { h } from "./dom.js";
import { CLASSES, classOf, comboCount, fill, walk } from "./grid.js";
import { RANK_ORDER } from "./cards.js";

const PRESETS = [
  ["All", "random"], ["Top 10 %", "77+,A9s+,KTs+,QTs+,JTs,ATo+,KQo"], ["Top 25 %", "55+,A2s+,K8s+,Q9s+,J9s+,T9s,98s,87s,A8o+,KTo+,QTo+,JTo"],
  ["Top 50 %", "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,86s+,75s+,65s,54s,A2o+,K6o+,Q8o+,J8o+,T8o+,98o"],
];

export class RangePainter {
  constructor(name, text) {
    this.weights = new Map();
    this.text = h("textarea", { rows: "2", "aria-label": `${name} as text`, spellcheck: "false", value: text, onchange: () => this.read() });
    this.count = h("span", { class: "muted small" });
    this.weight = h("input", { type: "range", min: "5", max: "100", step: "5", value: "100", "aria-label": "Weight to paint, percent" });
    this.weightText = h("span", { class: "small" }, "100 %");
    this.weight.addEventListener("input", () => { this.weightText.textContent = `${this.weight.value} %`; });
    this.cells = CLASSES.map((label, i) => h("button", { type: "button", "data-class": label, tabindex: i ? "-1" : "0", "aria-pressed": "false" }, h("span", {}, label)));
    this.grid = h("div", { class: "grid13", role: "group", "aria-label": `${name}: arrow keys walk, space paints`, onkeydown: (event) => walk(event, this.cells),
      onpointerdown: (event) => this.start(event), onpointermove: (event) => this.paint(event) });
    this.grid.append(...this.cells);
    this.cells.forEach((cell) => cell.addEventListener("click", (event) => { if (event.detail === 0) this.flip(cell.dataset.class); }));
    addEventListener("pointerup", () => { this.isPainting = false; });
    const presets = PRESETS.map(([label, range]) => h("button", { type: "button", onclick: () => { this.text.value = range; this.read(); } }, label));
    const clear = h("button", { type: "button", onclick: () => { this.weights.clear(); this.draw(); this.write(); } }, "None");
    this.place = h("details", { open: true }, h("summary", {}, name), h("div", { class: "stack" }, h("div", { class: "presets row" }, presets, clear), this.grid, h("div", { class: "row" }, h("span", { class: "small" }, "paint at"), this.weight, this.weightText, this.count), this.text));
    this.weight.style.width = "120px";
    this.read();
  }

  start(event) {
    const cell = event.target.closest?.("[data-class]");
    if (!cell || event.button) return;
    event.preventDefault();
    cell.focus();
    this.isPainting = true;
    this.sets = (this.weights.get(cell.dataset.class) ?? 0) !== +this.weight.value / 100 ? +this.weight.value / 100 : 0;
    this.put(cell.dataset.class, this.sets);
  }

  paint(event) {
    if (!this.isPainting) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-class]");
    if (cell && this.grid.contains(cell)) this.put(cell.dataset.class, this.sets);
  }

  flip(label) {
    this.put(label, (this.weights.get(label) ?? 0) > 0 ? 0 : +this.weight.value / 100);
  }

  put(label, weight) {
    if (weight) this.weights.set(label, weight); else this.weights.delete(label);
    this.draw();
    this.write();
  }

  // The classes that a text names. What names single holdings or cards of other decks stays in the text.
  read() {
    this.weights.clear();
    this.isText = false;
    for (const item of this.text.value.trim().split(/[\s,]+/).filter(Boolean)) {
      const [word, given] = item.split(":"), weight = given === undefined ? 1 : Number(given);
      const named = word.toLowerCase() === "random" ? CLASSES : spanned(word);
      if (!named.length) { const label = word.length === 4 && CLASSES.includes(classOf(word)) ? classOf(word) : null; this.isText = true; if (label) this.weights.set(label, Math.max(weight / comboCount(label), this.weights.get(label) ?? 0)); continue; }
      named.forEach((label) => this.weights.set(label, weight));
    }
    this.draw();
  }

  write() {
    this.isText = false;
    this.text.value = CLASSES.every((label) => this.weights.get(label) === 1) ? "random"
      : CLASSES.filter((label) => this.weights.get(label)).map((label) => { const weight = this.weights.get(label); return weight === 1 ? label : `${label}:${+weight.toFixed(2)}`; }).join(",");
  }

  draw() {
    let combos = 0;
    this.cells.forEach((cell) => {
      const label = cell.dataset.class, weight = this.weights.get(label) ?? 0;
      combos += weight * comboCount(label);
      cell.querySelector(".fill")?.remove();
      cell.classList.toggle("mixed", weight > 0.45);
      if (weight) fill(cell, [["var(--paint)", 1]], weight);
      cell.setAttribute("aria-label", `${label}, ${Math.round(100 * weight)} percent`);
      cell.setAttribute("aria-pressed", String(weight > 0));
    });
    this.count.textContent = `${Math.round(combos)} of 1,326 holdings, ${(combos / 13.26).toFixed(1)} %`;
  }

  get value() { return this.text.value.trim(); }
  set value(text) { this.text.value = text; this.read(); }
}

const rank = (letter) => RANK_ORDER.indexOf(letter);

// The classes that a word names: "QQ+", "88-55", "ATs+", "A5s-A2s", "AK".
function spanned(word) {
  const match = /^([2-9TJQKA])([2-9TJQKA])([so]?)(\+|-([2-9TJQKA])([2-9TJQKA])[so]?)?$/i.exec(word);
  if (!match) return [];
  const [high, low] = [match[1].toUpperCase(), match[2].toUpperCase()].sort((a, b) => rank(a) - rank(b)), kinds = match[3] ? [match[3].toLowerCase()] : ["s", "o"];
  const span = match[4];
  if (high === low) {
    const last = span === "+" ? 0 : span ? rank(match[5].toUpperCase()) : rank(high);
    const [from, to] = [Math.min(rank(high), last), Math.max(rank(high), last)];
    return [...RANK_ORDER.slice(from, to + 1)].map((one) => one + one);
  }
  if (!span) return kinds.map((kind) => high + low + kind);
  const other = span === "+" ? rank(high) + 1 : Math.max(rank(match[5].toUpperCase()), rank(match[6].toUpperCase()));
  if (span !== "+" && match[5].toUpperCase() !== high) { // connectors: JTs-87s
    const gap = rank(low) - rank(high), last = Math.min(rank(match[5].toUpperCase()), rank(match[6].toUpperCase()));
    const [from, to] = [Math.min(rank(high), last), Math.max(rank(high), last)];
    return [...RANK_ORDER.slice(from, to + 1)].flatMap((one, i) => kinds.map((kind) => one + RANK_ORDER[from + i + gap] + kind));
  }
  const [from, to] = [Math.min(rank(low), other), Math.max(rank(low), other)];
  return [...RANK_ORDER.slice(from, to + 1)].flatMap((one) => kinds.map((kind) => high + one + kind));
}
