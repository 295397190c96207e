// The boards that can follow a board. Boards that differ only in the names of suits are listed once.
const { without } = require("./cards");
const { choose, combinations, permutations } = require("./counting");
const { TooLarge } = require("./errors");
const { holdingIndex, holdingsOf } = require("./holdings");
const { generator, shuffle } = require("./random");

const MOST = 100_000;

// The exchanges of suits that change neither the board nor any range.
function exchangesOf(deck, board, ranges) {
  const suits = [...new Set(deck.cards.map((card) => card & 3))];
  const exchanges = permutations(suits).map((order) => {
    const card = (each) => each - (each & 3) + order[suits.indexOf(each & 3)];
    return { card, holdings: Int32Array.from(holdingsOf(deck), (cards) => holdingIndex(deck, cards.map(card))) };
  });
  const isKept = ({ card, holdings }) =>
    board.every((each) => board.includes(card(each))) &&
    ranges.every((weights) => weights.every((weight, h) => weights[holdings[h]] === weight));
  return exchanges.filter(isKept);
}

const key = (cards) => [...cards].sort((a, b) => a - b).join(" ");

// Yields the boards after one deal: cards, the exchanges that make the mirrors, and those that remain for later deals.
function* dealt(rest, size, exchanges) {
  const seen = new Set();
  for (const taken of combinations(rest, size)) {
    const cards = [...taken], name = key(cards);
    if (seen.has(name)) continue;
    seen.add(name);
    const mirrors = [], left = [];
    for (const exchange of exchanges) {
      const other = key(cards.map(exchange.card));
      if (other === name) left.push(exchange);
      else if (!seen.has(other)) seen.add(other), mirrors.push(exchange.holdings);
    }
    yield { cards, mirrors, left };
  }
}

function sample(rest, size, count, random) {
  const every = Array.from(combinations(rest, size), (cards) => [...cards]);
  const taken = shuffle(every, Math.min(count, every.length), random).slice(0, count);
  return taken.map((cards) => ({ cards, mirrors: [], left: [] }));
}

// Returns all boards as rows, parents before children.
function followingBoards(deck, board, dealCount, ranges, { keepAll, sampled, seed }) {
  checkCount(deck, board, dealCount, sampled);
  const random = generator(seed), isMerged = !keepAll && !sampled;
  const rows = [{ cards: board, level: 0, parent: -1, chance: 1, mirrors: [],
    left: isMerged ? exchangesOf(deck, board, ranges) : [] }];
  for (let parent = 0; parent < rows.length; parent++) {
    const { cards, level, left } = rows[parent];
    if (level === dealCount) continue;
    const size = deck.boardSizes[deck.boardSizes.indexOf(cards.length) + 1] - cards.length;
    const rest = without(deck, cards), count = choose(rest.length, size);
    const isSample = sampled > 0 && sampled < count;
    // Each board of a sample stands for several, so that a sample's chances add up to those of all boards.
    const chance = (isSample ? count / sampled : 1) / choose(rest.length - 2 * deck.holdingSize, size);
    for (const next of isSample ? sample(rest, size, sampled, random) : dealt(rest, size, left)) {
      rows.push({ ...next, cards: [...cards, ...next.cards], level: level + 1, parent, chance });
    }
  }
  return rows;
}

function checkCount(deck, board, dealCount, sampled) {
  const first = deck.boardSizes.indexOf(board.length);
  let count = 1;
  for (let i = first; i < first + dealCount; i++) {
    const all = choose(deck.cards.length - deck.boardSizes[i], deck.boardSizes[i + 1] - deck.boardSizes[i]);
    count *= sampled ? Math.min(all, sampled) : all;
  }
  if (count > MOST) throw new TooLarge("boards can follow", count, MOST);
}

module.exports = { followingBoards };
