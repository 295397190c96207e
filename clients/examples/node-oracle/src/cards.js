// Cards and decks. A card is 4 * rank + suit, ranks 2..A as 0..12, suits c d h s as 0..3.
const { Invalid } = require("./errors");

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const LONGEST = 400; // characters of a list of cards: more than a deck has
const CATEGORIES = ["HIGH_CARD", "PAIR", "TWO_PAIR", "THREE_OF_A_KIND", "STRAIGHT", "FLUSH", "FULL_HOUSE",
  "FOUR_OF_A_KIND", "STRAIGHT_FLUSH", "ROYAL_FLUSH"];
const SHORT_CATEGORIES = ["HIGH_CARD", "PAIR", "TWO_PAIR", "THREE_OF_A_KIND", "STRAIGHT", "FULL_HOUSE", "FLUSH",
  "FOUR_OF_A_KIND", "STRAIGHT_FLUSH", "ROYAL_FLUSH"];

function deck(name, about, ranks, suits, holdingSize, boardSizes, categories) {
  const cards = [...ranks].flatMap((rank) => [...suits].map((suit) => 4 * RANKS.indexOf(rank) + SUITS.indexOf(suit)));
  const place = new Int32Array(52).fill(-1);
  cards.forEach((card, i) => (place[card] = i));
  const isHoldem = holdingSize === 2;
  return { name, about, cards, place, ranks: [...ranks].map((r) => RANKS.indexOf(r)), holdingSize, boardSizes, categories,
    isHoldem };
}

const HOLDEM = [0, 3, 4, 5];
const DECKS = new Map([
  deck("52", "all cards, two to ace", RANKS, SUITS, 2, HOLDEM, CATEGORIES),
  deck("36", "six to ace: a flush beats a full house, and A-6-7-8-9 is a straight", RANKS.slice(4), SUITS, 2, HOLDEM,
    SHORT_CATEGORIES),
  deck("24", "nine to ace: the ace is high only", RANKS.slice(7), SUITS, 2, HOLDEM, CATEGORIES),
  deck("leduc", "jack, queen and king of hearts and spades, with one board card", "JQK", "hs", 1, [0, 1],
    ["HIGH_CARD", "PAIR"]),
  deck("kuhn", "jack, queen and king of spades, without a board", "JQK", "s", 1, [0], ["HIGH_CARD"]),
].map((each) => [each.name, each]));

function findDeck(name) {
  const named = DECKS.get(name || "52");
  if (!named) throw new Invalid("deck", `no deck is called '${name.slice(0, 20)}'; the decks are ${[...DECKS.keys()].join(", ")}`);
  return named;
}

function formatCard(card) {
  return RANKS[card >> 2] + SUITS[card & 3];
}

function formatCards(cards) {
  return Array.from(cards, formatCard).join("");
}

// A card of two letters, or -1.
function readCard(text) {
  const rank = RANKS.indexOf(text[0]?.toUpperCase()), suit = SUITS.indexOf(text[1]?.toLowerCase());
  return text.length === 2 && rank >= 0 && suit >= 0 ? 4 * rank + suit : -1;
}

// Reads cards in a row, with or without spaces and commas; each must be in the deck, and none may appear twice.
function parseCards(text, deck) {
  if (text.length > LONGEST) throw new Invalid("", `${text.length} characters are too many for a list of cards`);
  const letters = text.replace(/[\s,]/g, "");
  if (letters.length % 2) throw new Invalid("", `'${text.slice(0, 40)}' is not a list of cards: each card has a rank and a suit`);
  const cards = [];
  for (let i = 0; i < letters.length; i += 2) {
    const card = readCard(letters.slice(i, i + 2));
    if (card < 0) throw new Invalid("", `'${letters.slice(i, i + 2)}' is not a card; write a rank of ${RANKS} and a suit of ${SUITS}`);
    if (deck.place[card] < 0) throw new Invalid("", `${formatCard(card)} is not in the ${deck.name} deck`);
    if (cards.includes(card)) throw new Invalid("", `${formatCard(card)} appears twice`);
    cards.push(card);
  }
  return cards;
}

// Reads a board with one of these lengths; by default the length of any street.
function parseBoard(text, deck, sizes = deck.boardSizes) {
  const board = parseCards(text, deck);
  if (!sizes.includes(board.length)) {
    throw new Invalid("", `must have ${sizes.join(" or ")} cards of the ${deck.name} deck, not ${board.length}`);
  }
  return board;
}

// Returns the deck's cards without some.
function without(deck, cards) {
  return deck.cards.filter((card) => !cards.includes(card));
}

module.exports = { DECKS, RANKS, CATEGORIES, findDeck, formatCard, formatCards, readCard, parseCards, parseBoard, without };
