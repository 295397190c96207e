// One solution, walked node by node: the path, the grid of the range, the holdings of a class.

import { get } from "./api.js";
import { chips, h, percent, select, show } from "./dom.js";
import { cardElement, withSigns } from "./cards.js";
import { classOf, fill, grid } from "./grid.js";

const RAISES = ["var(--raise)", "#a8406f", "#7d3f9c", "#8c2f1f", "#d0873a"];
const WHO = ["acts first", "acts last"];
const LAYERS = [["strategy", "Strategy"], ["ev", "EV"], ["equity", "Equity"], ["weight", "Range"]];

export class NodeView {
  constructor(solved, form, close) {
    Object.assign(this, { solved, form, path: [], layer: "strategy", side: null, picked: null });
    this.body = h("div", { class: "stack" });
    const cost = [`exploitability ${solved.exploitability?.toFixed(3)} % of the pot`, `${chips(solved.iterations)} iterations`, `${solved.seconds.toFixed(1)} s`, solved.locks ? `${solved.locks} locked` : "", solved.below_cut ? "estimated below the cut" : ""].filter(Boolean).join(" · ");
    this.place = h("section", { class: "panel", "aria-label": "Solution" },
      h("div", { class: "row spread" }, h("div", {}, h("h2", {}, `Solved ${solved.street ?? "spot"}`), h("p", { class: "muted small" }, cost)),
        h("div", { class: "row" }, h("a", { class: "button", href: `/api/study/${solved.handle}/file`, download: true }, "Save"), h("button", { type: "button", class: "quiet icon", "aria-label": "Close this solution", onclick: close }, "✕"))),
      this.body);
    this.go([]);
  }

  async go(path) {
    try {
      this.node = await get(`/api/study/${this.solved.handle}/node?path=${encodeURIComponent(path.map((step) => step.step).join(" "))}`);
    } catch (problem) { show(this.body, h("p", { class: "error", role: "alert" }, problem.message)); return; }
    this.path = path;
    this.side = this.node.player >= 0 ? this.node.player : 0;
    this.picked = null;
    this.draw();
  }

  tones() {
    let raises = 0;
    return this.node.actions.map((action) => (action.action === -1 ? "var(--fold)" : action.action === 0 ? "var(--call)" : RAISES[raises++ % RAISES.length]));
  }

  draw() {
    const { node } = this, tones = this.tones();
    const trail = h("nav", { class: "path", "aria-label": "Line" }, h("button", { type: "button", onclick: () => this.go([]) }, "Start"),
      this.path.map((step, i) => [h("span", { class: "sep", "aria-hidden": "true" }, "›"), h("button", { type: "button", onclick: () => this.go(this.path.slice(0, i + 1)) }, withSigns(step.words))]));
    const board = h("div", { class: "row spread" }, h("div", { class: "spot-cards", vars: { "--card": "36px" } }, node.board.map((card) => cardElement(card))), h("span", {}, `Pot ${chips(node.pot)} · behind ${node.stacks.map(chips).join(" and ")}`));
    const layer = select(LAYERS, this.layer, { "aria-label": "Layer", onchange: (event) => { this.layer = event.target.value; this.draw(); } });
    const side = select([["0", `the player who ${WHO[0]}`], ["1", `the player who ${WHO[1]}`]], String(this.side), { "aria-label": "Whose range", onchange: (event) => { this.side = +event.target.value; this.draw(); } });
    layer.style.width = side.style.width = "auto";
    show(this.body, trail, board, this.choices(tones), h("div", { class: "row" }, layer, side), this.grid(tones), this.holdings(tones));
  }

  choices(tones) {
    const { node } = this;
    if (node.player < 0 && node.deals.length) return h("div", {}, h("h3", {}, "Which card comes?"), h("div", { class: "presets" }, node.deals.map((card) => h("button", { type: "button", onclick: () => this.go([...this.path, { step: card, words: card }]) }, withSigns(card)))));
    if (node.player < 0) return h("p", { class: "muted" }, "The line ends here.");
    const own = node.players[node.player], total = own.pairs.reduce((sum, pair) => sum + pair, 0) || 1;
    const rows = node.actions.map((action, i) => {
      const often = own.strategy[i].reduce((sum, share, j) => sum + share * own.pairs[j], 0) / total;
      const worth = own.strategy[i].reduce((sum, share, j) => sum + share * own.pairs[j] * (own.action_evs[i][j] ?? 0), 0) / (often * total || 1);
      return h("tr", {}, h("td", {}, h("button", { type: "button", onclick: () => this.go([...this.path, action]) }, h("i", { class: "chip-tone", "aria-hidden": "true", vars: { background: tones[i], width: "13px", height: "13px", "border-radius": "4px" } }), action.words)), h("td", { class: "number" }, percent(often, 1)), h("td", { class: "number" }, often > 0.0005 ? worth.toFixed(1) : "–"));
    });
    return h("div", {}, h("h3", {}, `The player who ${WHO[node.player]} decides`), h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "action"), h("th", { class: "number" }, "frequency"), h("th", { class: "number" }, "EV"))), h("tbody", {}, rows)),
      h("details", {}, h("summary", {}, "Lock this decision"), this.lockForm()));
  }

  lockForm() {
    const { node } = this, inputs = node.actions.map(() => h("input", { type: "number", min: "0", max: "100", value: "0", "aria-label": "percent" }));
    inputs[0].value = "100";
    const error = h("p", { class: "error", role: "alert" });
    return h("div", { class: "stack" }, h("p", { class: "muted small" }, "The whole range does this, whatever it holds; the shares add up to 100 %."),
      h("div", { class: "fields" }, node.actions.map((action, i) => h("label", { class: "field" }, action.words, inputs[i]))), error,
      h("div", {}, h("button", { type: "button", onclick: () => {
        if (inputs.reduce((sum, input) => sum + +input.value, 0) !== 100) { error.textContent = "the shares must add up to 100 %"; return; }
        const line = this.path.map((step) => step.step).join(" ") || "root", shares = node.actions.map((action, i) => `${action.step}=${inputs[i].value}`).join(" ");
        this.form.lock({ text: `${line}: ${shares}`, words: `${this.path.map((step) => step.words).join(", ") || "Start"}: ${node.actions.map((action, i) => (+inputs[i].value ? `${action.words} ${inputs[i].value} %` : "")).filter(Boolean).join(", ")}` });
      } }, "Lock it")));
  }

  classes() {
    const own = this.node.players[this.side], isActor = this.side === this.node.player, found = new Map();
    own.holdings.forEach((holding, i) => {
      const label = classOf(holding), one = found.get(label) ?? { weight: 0, count: 0, ev: 0, equity: 0, parts: isActor ? own.strategy.map(() => 0) : [], all: [] };
      const weight = own.weight[i];
      one.weight += weight; one.count += 1;
      one.ev += weight * (own.ev[i] ?? 0); one.equity += weight * (own.equity[i] ?? 0);
      if (isActor) own.strategy.forEach((row, a) => { one.parts[a] += weight * (row[i] ?? 0); });
      one.all.push(i);
      found.set(label, one);
    });
    return found;
  }

  grid(tones) {
    const classes = this.classes(), { pot } = this.node, isActor = this.side === this.node.player;
    const shown = grid((label, cell) => {
      const one = classes.get(label);
      if (!one) return "not in the range";
      cell.classList.add("mixed");
      const height = Math.min(1, one.weight / one.count);
      if (this.layer === "strategy" && isActor) {
        const shares = one.parts.map((part) => part / one.weight);
        fill(cell, shares.map((share, a) => [tones[a], share]), height);
        return shares.map((share, a) => (share > 0.005 ? `${this.node.actions[a].words} ${percent(share)}` : "")).filter(Boolean).join(", ");
      }
      if (this.layer === "weight" || this.layer === "strategy") { fill(cell, [["var(--paint)", 1]], height); return percent(height); }
      const share = this.layer === "ev" ? one.ev / one.weight / pot : one.equity / one.weight;
      fill(cell, [[`hsl(${Math.round(8 + 132 * Math.max(0, Math.min(1, share)))} 52% 38%)`, 1]], 1);
      const text = this.layer === "ev" ? (one.ev / one.weight).toFixed(0) : (100 * share).toFixed(0);
      cell.querySelector("span").append(Object.assign(document.createElement("em"), { textContent: text }));
      return text;
    }, { onpick: (label) => { this.picked = label; this.draw(); this.body.querySelector(`[data-class="${label}"]`)?.focus(); }, name: "Range" });
    shown.querySelector(`[data-class="${this.picked}"]`)?.setAttribute("aria-pressed", "true");
    const legend = isActor && this.layer === "strategy" ? h("ul", { class: "legend" }, this.node.actions.map((action, i) => h("li", {}, h("i", { vars: { "--tone": tones[i] } }), action.words))) : null;
    return h("div", {}, shown, legend);
  }

  holdings(tones) {
    const one = this.picked && this.classes().get(this.picked);
    if (!one) return h("p", { class: "muted small" }, "Click a class to see its holdings.");
    const own = this.node.players[this.side], isActor = this.side === this.node.player;
    return h("div", {}, h("h3", {}, this.picked), h("div", { class: "holdings" }, one.all.map((i) => h("div", { class: "holding" }, h("b", {}, withSigns(own.holdings[i])),
      isActor ? h("div", { class: "mix", role: "img", "aria-label": this.node.actions.map((action, a) => `${action.words} ${percent(own.strategy[a][i])}`).join(", ") }, own.strategy.map((row, a) => h("i", { vars: { "--tone": tones[a], "--part": `${100 * row[i]}%` } }))) : null,
      h("div", { class: "small" }, `EV ${own.ev[i]?.toFixed(1) ?? "–"} · equity ${percent(own.equity[i])}`), h("div", { class: "muted small" }, `weight ${percent(own.weight[i])}`)))));
  }
}
