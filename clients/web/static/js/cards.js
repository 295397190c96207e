import { h } from "./dom.js";

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };

export const cardName = (card) => (card === "?" ? "face-down card" : `${RANKS[card[0]]} of ${SUITS[card[1]]}`);

export function cardElement(card, extra = "") {
  if (card === "?") return h("span", { class: `card back ${extra}`, role: "img", "aria-label": cardName(card) });
  const rank = card[0] === "T" ? "10" : card[0];
  return h("span", { class: `card ${card[1]} ${extra}`, role: "img", "aria-label": cardName(card), "data-card": card },
    h("b", { "aria-hidden": "true" }, rank), h("i", { "aria-hidden": "true" }, SIGNS[card[1]]));
}

// A text with cards in it, like "Ann shows Ah Kd", with signs for suits.
export function withSigns(text) {
  return text.split(/\b((?:[2-9TJQKA][shdc])+)\b/).map((part, i) =>
    i % 2 ? part.match(/../g).map((card) => h("span", { class: `suit ${card[1]}` }, `${card[0]}${SIGNS[card[1]]}`)) : part);
}

export const RANK_ORDER = "AKQJT98765432";
export const SUIT_ORDER = "shdc";
export const sign = (suit) => SIGNS[suit];
