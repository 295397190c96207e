import { ask, post } from "./api.js";
import { RANK_ORDER, SUIT_ORDER, cardElement, cardName, sign } from "./cards.js";
import { chips, field, h, select, show, toast } from "./dom.js";
import { NodeView } from "./node_view.js";
import { RangePainter } from "./painter.js";

const STREETS = { 3: "flop", 4: "turn", 5: "river" };
const EXAMPLE = { board: "Td9d6hQc2s", pot: 100, stack: 300, sizes: "50%,100%,a", oop: "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,76s,ATo+,KJo+,QJo", ip: "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,97s+,87s,A9o+,KTo+,QTo+,JTo" };

export function draw(main) {
  const spot = readSpot(), panel = new SpotForm(spot), answer = h("div", { class: "stack" });
  const views = [];
  const addView = (solved) => {
    if (views.length === 2) views.shift().place.remove();
    const view = new NodeView(solved, panel, () => { views.splice(views.indexOf(view), 1); view.place.remove(); compare.classList.toggle("two", views.length === 2); });
    if (!panel.keeps.checked) views.splice(0).forEach((old) => old.place.remove());
    views.push(view);
    compare.append(view.place);
    compare.classList.toggle("two", views.length === 2);
    view.place.scrollIntoView({ block: "nearest" });
  };
  const compare = h("div", { class: "compare" });
  panel.solved = addView;
  show(main, h("div", { class: "row spread" }, h("h1", {}, "Study a spot"), h("p", { class: "muted" }, "Two players, from the start of a street to the end of the hand.")),
    h("div", { class: "study-layout" }, panel.place, h("div", { class: "stack" }, answer, compare, h("section", { class: "panel intro" }, h("h2", {}, "What you get"),
      h("p", {}, "For every holding: how often it takes each action, and what that is worth. Walk the tree by clicking actions and cards, lock what a player does somewhere and solve again, keep a solution beside another one, and save it as a file that riverboat solve reads."),
      h("p", {}, "To review a hand that was played, open it on the ", h("a", { href: "/replay" }, "replay page"), ".")))));
}

// A spot in the address, so that it can be sent to somebody.
function readSpot() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return { ...EXAMPLE, ...given, pot: +(given.pot ?? EXAMPLE.pot), stack: +(given.stack ?? EXAMPLE.stack) };
}

class SpotForm {
  constructor(spot) {
    this.board = spot.board.match(/../g) ?? [];
    this.locks = [];
    const number = (value, min) => h("input", { type: "number", inputmode: "numeric", min: String(min), value: String(value), required: true });
    this.pot = number(spot.pot, 2);
    this.stack = number(spot.stack, 1);
    this.sizes = h("input", { value: spot.sizes, maxlength: "200" });
    this.target = select([["1%", "1 % of the pot: quick"], ["0.3%", "0.3 %: good"], ["0.1%", "0.1 %: precise"]], "0.3%");
    this.cut = select([["", "to the end of the hand"], ["turn", "to the turn; then no betting"], ["river", "to the river; then no betting"]], spot.cut ?? "");
    this.oop = new RangePainter("Range of the player who acts first", spot.oop);
    this.ip = new RangePainter("Range of the player who acts last", spot.ip);
    this.ip.place.open = false;
    this.shown = h("div", { class: "spot-cards" });
    this.picks = h("div", { class: "picks", role: "group", "aria-label": "Cards of the board" });
    this.error = h("p", { class: "error", role: "alert" });
    this.progress = h("i");
    this.status = h("p", { class: "muted", role: "status" });
    this.bar = h("div", { class: "bar", hidden: true }, this.progress);
    this.button = h("button", { class: "primary", type: "submit" }, "Solve");
    this.stopButton = h("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
    this.keeps = h("input", { type: "checkbox" });
    this.lockList = h("div", { class: "stack" });
    const file = h("input", { type: "file", accept: ".solution", class: "visually-hidden", onchange: () => file.files[0] && this.load(file.files[0]) });
    this.place = h("form", { class: "panel stack", "aria-label": "Spot", onsubmit: (event) => { event.preventDefault(); this.solve(); } },
      h("h2", {}, "Board"), this.shown, this.picks,
      h("div", { class: "fields" }, field("Pot", this.pot, "chips"), field("Stacks", this.stack, "chips behind, each"), field("Bet sizes", this.sizes, "50% of the pot, 300 chips, a: all-in")),
      this.oop.place, this.ip.place,
      h("div", { class: "fields" }, field("Exploitability", this.target), field("Tree", this.cut)),
      this.lockList,
      h("label", { class: "check" }, this.keeps, h("span", {}, "Keep the last solution beside the next one")),
      this.error, h("div", { class: "row" }, this.button, this.stopButton, h("label", { class: "button" }, "Open a file", file), h("button", { type: "button", onclick: () => this.share() }, "Copy a link")),
      this.bar, this.status);
    this.drawBoard();
  }

  drawBoard() {
    show(this.shown, this.board.map((card) => cardElement(card)), Array.from({ length: Math.max(0, 5 - this.board.length) }, () => h("span", { class: "card slot", "aria-hidden": "true" })));
    show(this.picks, [...SUIT_ORDER].flatMap((suit) => [...RANK_ORDER].map((rank) => {
      const card = rank + suit, isOn = this.board.includes(card);
      return h("button", { type: "button", class: suit, "aria-pressed": String(isOn), "aria-label": `${rank}${sign(suit)} ${cardName(card)}`, disabled: !isOn && this.board.length === 5, onclick: () => {
        this.board = isOn ? this.board.filter((other) => other !== card) : [...this.board, card];
        this.drawBoard();
        this.picks.querySelector(`[aria-label$="${cardName(card)}"]`)?.focus();
      } }, `${rank}${sign(suit)}`);
    })));
  }

  get spot() {
    return { board: this.board.join(""), pot: +this.pot.value, stack: +this.stack.value, sizes: this.sizes.value.trim(), oop: this.oop.value, ip: this.ip.value };
  }

  solve() {
    this.error.textContent = "";
    if (this.board.length < 3) { this.error.textContent = "pick three to five cards for the board"; return; }
    const question = { ...this.spot, cut: this.cut.value, target: this.target.value, locks: this.locks.map((lock) => lock.text), seconds: 300 };
    if (this.board.length === 3 && !this.cut.value) this.status.textContent = "A whole flop may take a minute or more.";
    this.busy(true);
    const spot = this.spot;
    this.cancel = ask("/ws/study/solve", question, (message) => this.hear(message, spot));
  }

  hear(message, spot) {
    if (message.type === "thinking") this.progress.style.setProperty("--share", `${100 * message.done}%`);
    if (message.type === "decision" && message.step === "progress") this.status.textContent = `${chips(message.iterations)} iterations, exploitability ${message.exploitability === null ? "…" : `${message.exploitability.toFixed(3)} % of the pot`}`;
    if (message.type === "decision" && message.step === "solved") {
      history.replaceState(null, "", `#${new URLSearchParams({ ...spot, cut: this.cut.value })}`);
      this.solved({ ...message, spot, street: STREETS[this.board.length], locks: this.locks.length });
      document.querySelector(".intro")?.remove();
    }
    if (message.type === "gone") this.error.textContent = message.text;
    if (message.type === "gone" || message.type === "done") this.busy(false);
  }

  busy(isBusy) {
    this.button.disabled = isBusy;
    this.stopButton.hidden = this.bar.hidden = !isBusy;
    if (!isBusy) this.status.textContent = "";
    else { this.progress.style.setProperty("--share", "0%"); this.status.textContent ||= "Building the tree…"; }
  }

  stop() {
    this.cancel?.();
    this.busy(false);
    this.status.textContent = "Stopped.";
  }

  lock(lock) {
    this.locks = [...this.locks.filter((other) => other.text.split(":")[0] !== lock.text.split(":")[0]), lock];
    this.drawLocks();
    toast("The node is locked. Solve again to see how the rest answers.");
  }

  drawLocks() {
    show(this.lockList, this.locks.length ? h("h3", {}, "Locked") : null, this.locks.map((lock) => h("div", { class: "item" }, h("div", { class: "what" }, lock.words),
      h("button", { type: "button", onclick: () => { this.locks = this.locks.filter((other) => other !== lock); this.drawLocks(); } }, "Unlock"))));
  }

  async load(chosen) {
    this.error.textContent = "";
    this.status.textContent = "Loading…";
    try {
      const loaded = await post("/api/study/load", chosen, "application/octet-stream"), { spot } = loaded;
      this.board = spot.board.match(/../g) ?? [];
      [this.pot.value, this.stack.value, this.sizes.value, this.oop.value, this.ip.value] = [spot.pot, spot.stack, spot.sizes, spot.oop, spot.ip];
      this.drawBoard();
      this.solved({ ...loaded, street: STREETS[this.board.length], locks: 0 });
    } catch (problem) { this.error.textContent = problem.message; }
    this.status.textContent = "";
  }

  async share() {
    history.replaceState(null, "", `#${new URLSearchParams({ ...this.spot, cut: this.cut.value })}`);
    try { await navigator.clipboard.writeText(location.href); toast("The link is copied. It has the spot, not the solution."); } catch { toast("The address above is the link: it has the spot."); }
  }
}
