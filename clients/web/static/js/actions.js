// The bar of actions: fold, call, raise; sizes by slider, by parts of the pot and typed; keys.

import { chips, h, show } from "./dom.js";

const PARTS = [["Min", (legal) => legal.min], ["⅓", part(1 / 3)], ["½", part(1 / 2)], ["¾", part(3 / 4)], ["Pot", part(1)], ["2×", part(2)], ["All-in", (legal) => legal.max]];
function part(share) {
  return (legal) => legal.bet + Math.trunc(share * (legal.pot + legal.to_call));
}
const PHONE = matchMedia("(max-width: 700px)");
const key = (letter) => h("kbd", { "aria-hidden": "true" }, letter);

export class ActionBar {
  constructor(act, typed) {
    Object.assign(this, { act, typed, legal: null });
    this.place = h("section", { class: "actions", "aria-label": "Your decision" });
    addEventListener("keydown", (event) => this.press(event));
  }

  wait(...children) {
    this.legal = null;
    show(this.place, h("div", { class: "waiting" }, ...children));
  }

  offer(legal) {
    this.legal = legal;
    this.place.classList.remove("open");
    const call = legal.to_call ? `Call ${chips(legal.to_call)}${legal.call_all_in ? " all-in" : ""}` : "Check";
    const buttons = h("div", { class: "buttons" },
      h("button", { type: "button", class: "act-fold", disabled: !legal.can_fold, onclick: () => this.do("fold") }, "Fold", key("F")),
      h("button", { type: "button", class: "act-call", onclick: () => this.do("call") }, call, key("C")));
    const parts = [legal.max ? this.sizing(legal) : null, buttons];
    this.raiseButton = h("button", { type: "button", class: "act-raise", disabled: !legal.max, onclick: () => (this.isFolded() ? this.unfold() : this.raise()) });
    buttons.append(this.raiseButton);
    this.label();
    show(this.place, parts);
  }

  // On a phone the sizes come up with the first tap on the button.
  isFolded() {
    return PHONE.matches && !this.place.classList.contains("open");
  }

  unfold() {
    this.place.classList.add("open");
    this.label();
  }

  sizing(legal) {
    const first = legal.sizes[0] ?? legal.min;
    this.amount = h("input", { type: "text", inputmode: "text", "aria-label": "Amount: chips, or 75%, 2/3, 3bb, pot", value: String(first), autocomplete: "off", oninput: () => this.label(), onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); this.raise(); } } });
    this.slider = h("input", { type: "range", min: String(legal.min), max: String(legal.max), step: "1", value: String(first), "aria-label": "Size of the bet", oninput: () => this.set(this.snapped(+this.slider.value)) });
    const presets = (legal.sizes.length ? legal.sizes.map((to) => [chips(to), () => to]) : PARTS)
      .map(([name, size]) => [name, size(legal)]).filter(([name, to]) => name === "Min" || name === "All-in" || (to >= legal.min && to <= legal.max))
      .map(([name, to]) => h("button", { type: "button", onclick: () => this.set(to) }, name));
    return h("div", { class: "sizing" }, h("div", { class: "presets", role: "group", "aria-label": "Sizes" }, presets), this.slider, this.amount);
  }

  snapped(to) {
    const { sizes, min, max, bet } = this.legal;
    if (sizes.length) return sizes.reduce((best, size) => (Math.abs(size - to) < Math.abs(best - to) ? size : best));
    const step = Math.max(1, Math.round((max - min) / 400 / 5) * 5 || 1);
    return to >= max - step ? max : to <= min + step / 2 ? min : Math.round(to / step) * step || bet;
  }

  set(to) {
    this.amount.value = String(to);
    this.slider.value = String(to);
    this.label();
  }

  label() {
    const { legal, raiseButton } = this;
    if (!legal || !raiseButton) return;
    if (!legal.max || this.isFolded()) { show(raiseButton, `${legal.bet ? "Raise" : "Bet"}${legal.max ? "…" : ""}`); return; }
    const text = this.amount.value.trim(), to = Number(text.replaceAll(",", ""));
    const words = Number.isInteger(to) && to > 0 ? (to >= legal.max && legal.max === legal.all_in_to ? `All-in ${chips(legal.max)}` : `${legal.bet ? "Raise to" : "Bet"} ${chips(to)}`) : `${legal.bet ? "Raise" : "Bet"} ${text}`;
    if (Number.isInteger(to)) this.slider.value = String(to);
    show(raiseButton, words, key("R"));
  }

  raise() {
    const text = this.amount.value.trim(), to = Number(text.replaceAll(",", ""));
    if (Number.isInteger(to) && to > 0) this.do("raise", to);
    else this.typed(text);
  }

  do(move, to) {
    if (!this.legal || (move === "fold" && !this.legal.can_fold)) return;
    this.act(move, to);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const isTyping = event.target.matches?.("input[type=text], input[type=number], textarea, select");
    if (isTyping) { if (event.key === "Escape") event.target.blur(); return; }
    if (!this.legal) return;
    const letter = event.key.toLowerCase();
    if (letter === "f") this.do("fold");
    else if (letter === "c" || letter === "x") this.do("call");
    else if ((letter === "r" || letter === "b") && this.legal.max) { this.amount.focus(); this.amount.select(); }
    else if (letter === "a" && this.legal.max) { this.set(this.legal.max); this.raiseButton.focus(); }
    else if (letter === "p" && this.legal.max && !this.legal.sizes.length) { this.set(Math.min(this.legal.max, Math.max(this.legal.min, part(1)(this.legal)))); this.raiseButton.focus(); }
    else return;
    event.preventDefault();
  }
}
