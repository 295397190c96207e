// The felt: seats around an oval, cards, bets, board and pot. It draws a picture and knows nothing of where it came from.

import { chips, h, show } from "./dom.js";
import { cardElement, withSigns } from "./cards.js";

const PORTRAIT = matchMedia("(max-width: 700px)");

// Seats on a phone: one's own at the bottom, the others up one side, across the top and down the other.
function portrait(i, count) {
  if (i === 0) return { x: 50, y: 89, bx: 50, by: 71 };
  const others = count - 1, perSide = Math.floor(others / 2), isLeft = i <= perSide;
  if (others % 2 && i === perSide + 1) return { x: 50, y: 10, bx: 50, by: 23 };
  const step = isLeft ? i : count - i, low = perSide === 2 ? 68 : 80, top = perSide === 2 ? 27 : others % 2 ? 16 : 12;
  const y = perSide === 1 ? 44 : low - (step - 1) * (low - top) / (perSide - 1);
  const x = others % 2 || step < perSide || perSide === 1 ? 13 : 26;
  return { x: isLeft ? x : 100 - x, y, bx: isLeft ? x + 20 : 80 - x, by: y > 38 && y < 56 ? y + 14 : y + 2 };
}

// Seats clockwise from the bottom, on a rounded oval; bets lie on the way to the middle.
function place(i, count) {
  if (PORTRAIT.matches) return portrait(i, count);
  const turn = i / count;
  const angle = turn * 2 * Math.PI, sin = Math.sin(angle), cos = Math.cos(angle);
  const bent = (v) => Math.sign(v) * Math.abs(v) ** 0.86, rx = 41, ry = 37.5;
  return { x: 50 - rx * bent(sin), y: 47 + ry * bent(cos), bx: 50 - rx * 0.63 * bent(sin), by: 46 + ry * (cos > 0.6 ? 0.5 : 0.6) * bent(cos) };
}

const label = (seat) => [
  seat.name, seat.is_button ? "button" : "", `${chips(seat.stack)} chips`, seat.folded ? "folded" : "", seat.all_in ? "all-in" : "",
  seat.bet ? `bet ${chips(seat.bet)}` : "", seat.is_actor ? "to act" : "", seat.words ?? "", seat.won > 0 ? `won ${chips(seat.won)}` : "",
].filter(Boolean).join(", ");

export class Felt {
  constructor() {
    this.seats = h("ol", { class: "seats", "aria-label": "Seats" });
    this.board = h("div", { class: "board", role: "group" });
    this.pot = h("div", { class: "pot" });
    this.pots = h("div", { class: "pots" });
    this.said = h("div", { class: "said" });
    this.bets = h("div", { "aria-hidden": "true" });
    this.stage = h("section", { class: "stage", "aria-label": "Table" }, h("div", { class: "felt", "aria-hidden": "true" }), this.bets, this.seats,
      h("div", { class: "middle" }, this.board, this.pot, this.pots, this.said));
    this.known = new Set(); // cards on the table, so that only new ones are dealt with a movement
    PORTRAIT.addEventListener("change", () => this.last && this.draw(...this.last));
  }

  draw(picture, chairs, chairCount, ownChair, said = "", bigBlind = 100) {
    this.last = [picture, chairs, chairCount, ownChair, said, bigBlind];
    const first = ownChair >= 0 ? ownChair : 0, shown = new Set();
    const fresh = (key) => { shown.add(key); return this.known.has(key) ? "" : "deal"; };
    this.stage.classList.toggle("crowded", chairCount > 6);
    const byChair = new Map(chairs.map((seat) => [seat.chair, seat])), bets = [];
    const items = Array.from({ length: chairCount }, (_, i) => {
      const chair = (first + i) % chairCount, at = place(i, chairCount), seat = byChair.get(chair);
      const vars = { "--x": `${at.x}%`, "--y": `${at.y}%` };
      if (!seat && this.hidesFree) return null;
      if (!seat) return h("li", { class: "seat empty-seat", vars }, h("div", { class: "plate" }, h("span", { class: "name" }, "free")));
      if (seat.bet) bets.push(h("div", { class: "bet", vars: { "--bx": `${at.bx}%`, "--by": `${at.by}%` } }, h("span", { class: `chip ${seat.bet >= 10 * bigBlind ? "big" : ""}` }), chips(seat.bet)));
      return this.seat(seat, vars, chair === ownChair, fresh);
    });
    const cards = picture ? picture.board.map((card) => cardElement(card, fresh(`b${card}`))) : [];
    const slots = picture ? Array.from({ length: Math.max(0, picture.board_size - cards.length) }, () => h("span", { class: "card slot", "aria-hidden": "true" })) : [];
    show(this.board, cards, slots);
    this.board.setAttribute("aria-label", cards.length ? "Board" : "No board yet");
    this.pot.textContent = picture ? `Pot ${chips(picture.pot)}` : "";
    this.pot.hidden = !picture;
    this.pots.hidden = !picture?.pots.length;
    this.pots.textContent = picture?.pots.map((pot, i) => `${i ? "side" : "main"} ${chips(pot.chips)}`).join(" · ") ?? "";
    show(this.said, withSigns(said));
    show(this.seats, items);
    show(this.bets, bets);
    this.known = shown;
  }

  seat(seat, vars, isMe, fresh) {
    const state = ["seat", isMe && "me", seat.folded && "folded", seat.is_actor && "actor", seat.won > 0 && "winner"].filter(Boolean).join(" ");
    const cards = seat.cards.map((card, i) => cardElement(card, fresh(`${seat.chair}.${i}.${card}`)));
    return h("li", { class: state, vars, "data-chair": seat.chair },
      h("span", { class: "visually-hidden" }, label(seat)),
      h("div", { class: "hand" }, cards),
      h("div", { class: "plate", "aria-hidden": "true" },
        h("span", { class: "name" }, seat.name), h("span", { class: "chips" }, seat.all_in && seat.won === undefined ? "all-in" : chips(seat.stack)),
        seat.statistics ? h("span", { class: "hud" }, seat.statistics) : null,
        seat.is_button ? h("span", { class: "button-mark" }, "D") : null,
        seat.won > 0 ? h("span", { class: "won" }, `+${chips(seat.won)}`) : null,
        seat.words && !(seat.won > 0) ? h("span", { class: "words" }, seat.words) : null,
        seat.is_actor ? h("span", { class: "clock", hidden: true }, h("i")) : null));
  }

  // Shows how much of the clock is left, 0 to 1; none for no clock.
  tick(share) {
    const clock = this.seats.querySelector(".clock");
    if (!clock) return;
    clock.hidden = share === null;
    if (share !== null) {
      clock.classList.toggle("late", share < 0.25);
      clock.firstChild.style.setProperty("--share", `${100 * share}%`);
    }
  }
}
