// Holdings in the order of axis H: by the higher card, then by the lower one, counted by places in the deck.
const { RANKS } = require("./cards");

const lists = new Map();

// Cards of every holding, lower card first.
function holdingsOf(deck) {
  if (!lists.has(deck)) {
    const holdings = [];
    deck.cards.forEach((high, b) => {
      if (deck.holdingSize === 1) holdings.push([high]);
      else for (let a = 0; a < b; a++) holdings.push([deck.cards[a], high]);
    });
    lists.set(deck, holdings);
  }
  return lists.get(deck);
}

// The cards of some holdings one after another, for loops that must be quick.
function cardsOf(deck, some) {
  return Uint8Array.from(some.flatMap((h) => holdingsOf(deck)[h]));
}

function holdingIndex(deck, cards) {
  const [a, b] = cards.map((card) => deck.place[card]).sort((x, y) => x - y);
  return cards.length === 1 ? a : (b * (b - 1)) / 2 + a;
}

// "QQ", "AKs", "T9o", or "K" for a single card.
function classOf(cards) {
  const [high, low] = [...cards].sort((a, b) => b - a);
  if (low === undefined) return RANKS[high >> 2];
  const kind = high >> 2 === low >> 2 ? "" : (high & 3) === (low & 3) ? "s" : "o";
  return RANKS[high >> 2] + RANKS[low >> 2] + kind;
}

// Places of the holdings that share no card with others.
function liveHoldings(deck, dead) {
  const holdings = holdingsOf(deck);
  return [...holdings.keys()].filter((h) => !holdings[h].some((card) => dead.includes(card)));
}

module.exports = { holdingsOf, cardsOf, holdingIndex, classOf, liveHoldings };
