import { get, post } from "./api.js";
import { Felt } from "./felt.js";
import { chips, field, h, select, show, toast } from "./dom.js";
import { review } from "./side.js";
import { withSigns } from "./cards.js";

const STEP_MS = 1300;

export async function draw(main, { id, hand }) {
  const place = h("div", { class: "stack" });
  const file = h("input", { type: "file", accept: ".phh,.phhs,text/plain", class: "visually-hidden", onchange: () => file.files[0] && open(file.files[0]) });
  const drop = h("label", { class: "drop" }, h("h1", {}, "Replay a hand"), h("p", { class: "muted" }, "Drop a PHH file here, or choose one. Any finished hand of a table can be replayed from its page."), h("span", { class: "button primary" }, "Choose a file"), file);
  const open = async (chosen) => {
    try {
      const found = await post("/api/replays", chosen, "text/plain");
      found.problems.forEach(toast);
      drop.classList.add("small-drop");
      show(place, new Replay(found.hands).place);
      place.scrollIntoView({ block: "start" });
    } catch (problem) { toast(problem.message); show(place, h("p", { class: "error", role: "alert" }, problem.message)); }
  };
  for (const kind of ["dragover", "dragenter"]) addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  addEventListener("dragleave", () => drop.classList.remove("over"));
  addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]); });
  if (!id) { show(main, h("div", { class: "stack" }, drop, place)); return; }
  const one = await get(`/api/tables/${id}/hands/${hand}`);
  show(main, h("div", { class: "stack" }, h("div", { class: "row spread" }, h("h1", {}, `Hand ${hand}`), h("a", { class: "button", href: `/api/tables/${id}/hands/${hand}.phh`, download: true }, "Save as PHH")), new Replay([one]).place, place));
}

class Replay {
  constructor(hands) {
    Object.assign(this, { hands, at: 0, timer: null });
    this.felt = new Felt();
    this.text = h("p", { role: "status", class: "row" });
    this.slider = h("input", { type: "range", min: "0", value: "0", "aria-label": "Moment of the hand", oninput: () => this.go(+this.slider.value) });
    this.playButton = h("button", { type: "button", class: "primary", onclick: () => this.toggle() }, "Play");
    this.list = h("ol", { class: "log moments" });
    this.review = h("div");
    const chosen = select(hands.map((one, i) => [String(i), `${i + 1}: ${one.names.join(", ").slice(0, 60)}`]), "0", { onchange: () => this.choose(+chosen.value) });
    const step = (label, sign, move) => h("button", { type: "button", "aria-label": label, onclick: () => this.go(move()) }, sign);
    this.place = h("div", { class: "columns two" }, h("section", { class: "panel stack", "aria-label": "Replay" }, hands.length > 1 ? field("Hand", chosen) : null, this.felt.stage, this.text,
      h("div", { class: "steps" }, step("First", "«", () => 0), step("Back", "◀", () => this.at - 1), this.playButton, step("On", "▶", () => this.at + 1), step("Last", "»", () => Infinity)), this.slider),
      h("div", { class: "stack" }, h("section", { class: "panel" }, h("h2", {}, "What happens"), this.list), this.review));
    addEventListener("keydown", (event) => {
      if (event.target.matches?.("input, select, textarea")) return;
      if (event.key === "ArrowRight") this.go(this.at + 1);
      if (event.key === "ArrowLeft") this.go(this.at - 1);
      if (event.key === " " && !event.target.matches?.("button, summary, a")) { event.preventDefault(); this.toggle(); }
    });
    this.choose(0);
  }

  choose(i) {
    this.hand = this.hands[i];
    this.slider.max = String(this.hand.steps.length - 1);
    show(this.list, this.hand.steps.map((step, j) => h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => this.go(j) }, h("span", {}, withSigns(step.text))))));
    this.drawReview();
    this.go(0);
  }

  drawReview() {
    if (this.hand.names.length !== 2) { show(this.review); return; }
    const seat = select(this.hand.names.map((name, i) => [String(i), name]), "0"), holding = h("input", { placeholder: "AhKd", maxlength: "6" }), answer = h("div");
    show(this.review, h("section", { class: "panel stack" }, h("h2", {}, "Review"), h("p", { class: "muted" }, "Solves each street and grades every decision of a player."),
      h("div", { class: "fields" }, field("Player", seat), field("Cards", holding, "only if the hand does not show them")),
      h("button", { type: "button", class: "primary", onclick: () => { this.stop?.(); this.stop = review(answer, `Review of ${this.hand.names[+seat.value]}`, "/ws/study/review", { phh: this.hand.phh, seat: +seat.value, holding: holding.value.trim() }); } }, "Review"), answer));
  }

  go(to) {
    const { steps } = this.hand;
    this.at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[this.at];
    this.slider.value = String(this.at);
    this.felt.draw(step.picture, step.chairs, step.chairs.length, step.chairs.length - 1, "", this.hand.big_blind);
    show(this.text, h("b", {}, `${this.at + 1} of ${steps.length}`), h("span", {}, withSigns(step.text)), h("span", { class: "muted" }, `pot ${chips(step.picture.pot)}`));
    [...this.list.children].forEach((item, i) => item.firstChild.setAttribute("aria-current", String(i === this.at)));
    if (this.at === steps.length - 1) this.halt();
  }

  toggle() {
    if (this.timer) { this.halt(); return; }
    if (this.at === this.hand.steps.length - 1) this.go(0);
    this.playButton.textContent = "Pause";
    this.timer = setInterval(() => this.go(this.at + 1), STEP_MS);
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
  }
}
