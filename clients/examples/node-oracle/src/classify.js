// Classifies hands by category, the five cards that count, and words; and says who wins a showdown.
const { formatCards } = require("./cards");
const { combinations } = require("./counting");
const { Invalid } = require("./errors");
const { strengthOf, tablesOf } = require("./strengths");

const ONE = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const MANY = ONE.map((word) => word + (word === "six" ? "es" : "s"));

function classify(deck, cards) {
  const size = cards.length, most = deck.isHoldem ? 7 : deck.holdingSize + deck.boardSizes.at(-1);
  if (size > most || size < (deck.isHoldem ? 5 : 1)) {
    throw new Invalid("", `a hand of the ${deck.name} deck has ${deck.isHoldem ? 5 : 1} to ${most} cards, not ${size}`);
  }
  if (!deck.isHoldem) return classifySmall(deck, cards);
  const strength = strengthOf(deck, cards);
  const [category, ranks] = tablesOf(deck).meanings[strength];
  return { category: `CATEGORY_${category}`, strength, best: formatCards(bestFive(deck, cards, strength, category, ranks)),
    words: describe(category, ranks) };
}

// The five cards that make a hand, most important first.
function bestFive(deck, cards, strength, category, ranks) {
  const descending = [...cards].sort((a, b) => b - a);
  for (const five of combinations(descending, 5)) {
    if (strengthOf(deck, five) !== strength) continue;
    const count = (card) => five.filter((other) => other >> 2 === card >> 2).length;
    const isLowAce = (card) => category.startsWith("STRAIGHT") && card >> 2 > ranks[0];
    return [...five].sort((a, b) => isLowAce(a) - isLowAce(b) || count(b) - count(a) || b - a);
  }
  throw new Error(`no five of ${formatCards(cards)} have its strength`);
}

function classifySmall(deck, cards) {
  const isPair = cards.length > 1 && cards[0] >> 2 === cards[1] >> 2;
  const category = isPair ? "PAIR" : "HIGH_CARD";
  return { category: `CATEGORY_${category}`, strength: strengthOf(deck, cards),
    best: formatCards(isPair ? cards : cards.slice(0, 1)), words: describe(category, [cards[0] >> 2]) };
}

function describe(category, ranks) {
  const [first, second] = ranks, name = category.toLowerCase().replaceAll("_", " ");
  const after = (kickers) => (kickers.length ? `, with ${kickers.map((rank) => ONE[rank]).join(" and ")}` : "");
  switch (category) {
    case "ROYAL_FLUSH": return name;
    case "STRAIGHT": case "STRAIGHT_FLUSH": return `${name}, ${ONE[first]} high`;
    case "FULL_HOUSE": return `${name}, ${MANY[first]} over ${MANY[second]}`;
    case "TWO_PAIR": return `${name}, ${MANY[first]} and ${MANY[second]}${after(ranks.slice(2))}`;
    case "FOUR_OF_A_KIND": case "THREE_OF_A_KIND": return `${name}, ${MANY[first]}${after(ranks.slice(1))}`;
    case "PAIR": return `${name} of ${MANY[first]}${after(ranks.slice(1))}`;
    default: return `${name}, ${ranks.map((rank) => ONE[rank]).join("-")}`;
  }
}

function showdown(deck, board, holdings) {
  const hands = holdings.map((holding) => classify(deck, [...holding, ...board]));
  const places = hands.map((hand) => 1 + hands.filter((other) => other.strength > hand.strength).length);
  return { hands, places, winners: [...places.keys()].filter((i) => places[i] === 1) };
}

module.exports = { classify, showdown };
