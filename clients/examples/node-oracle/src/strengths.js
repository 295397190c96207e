// Strengths: the values of five cards, numbered from 1 without gaps, looked up by sets of ranks.
const { DECKS, RANKS } = require("./cards");

const SETS = 1 << RANKS.length;
const BITS = Uint8Array.from({ length: SETS }, (_, set) => [...set.toString(2)].filter((bit) => bit === "1").length);
const ACE = 1 << 12;
const top = (set) => 31 - Math.clz32(set);

// The n highest ranks of a set, highest first.
function highest(set, n) {
  const ranks = [];
  for (; ranks.length < n && set; set ^= 1 << ranks[ranks.length - 1]) ranks.push(top(set));
  return ranks;
}

// The highest rank of a straight in a set, or -1; `low` are the four ranks that an ace goes below.
function straight(set, low) {
  for (let rank = 12; rank >= 4; rank--) if (((set >> (rank - 4)) & 31) === 31) return rank;
  return (set & ACE) !== 0 && (set & low) === low ? top(low) : -1;
}

// Returns the category of five cards and the ranks that decide, most important first.
function meaning(counts, isSuited, low) {
  const ranks = [...counts.keys()].filter((rank) => counts[rank]).sort((a, b) => counts[b] - counts[a] || b - a);
  const shape = ranks.map((rank) => counts[rank]).join("");
  if (shape !== "11111") {
    const names = { 41: "FOUR_OF_A_KIND", 32: "FULL_HOUSE", 311: "THREE_OF_A_KIND", 221: "TWO_PAIR", 2111: "PAIR" };
    return [names[shape], ranks];
  }
  const high = straight(ranks.reduce((set, rank) => set | (1 << rank), 0), low);
  if (high < 0) return [isSuited ? "FLUSH" : "HIGH_CARD", ranks];
  if (!isSuited) return ["STRAIGHT", [high]];
  return high === 12 ? ["ROYAL_FLUSH", [high]] : ["STRAIGHT_FLUSH", [high]];
}

// Yields all ways to take five ranks, at most four of each, as counts by rank.
function* collections(lowest) {
  const counts = new Array(RANKS.length).fill(0);
  function* take(rank, left) {
    if (left === 0) return yield counts;
    if (rank === RANKS.length) return;
    for (let n = Math.min(4, left); n >= 0; n--) {
      counts[rank] = n;
      yield* take(rank + 1, left - n);
      counts[rank] = 0;
    }
  }
  yield* take(lowest, 5);
}

// A scale has a strength for each value, and the meaning of each strength.
function makeScale(lowest, categories) {
  const low = 0b1111 << lowest;
  const place = (category, ranks) =>
    ranks.reduce((sum, rank, i) => sum + (rank + 1) * 16 ** (4 - i), categories.indexOf(category) * 16 ** 5);
  const values = new Map();
  for (const counts of collections(lowest)) {
    for (const isSuited of counts.some((n) => n > 1) ? [false] : [false, true]) {
      const hand = meaning(counts, isSuited, low);
      values.set(place(...hand), hand);
    }
  }
  const ordered = [...values.keys()].sort((a, b) => a - b);
  const strengths = new Map(ordered.map((value, i) => [value, i + 1]));
  const strength = (category, ...ranks) => strengths.get(place(category, ranks)) || 0;
  return { low, strength, meanings: [null, ...ordered.map((value) => values.get(value))] };
}

// Tables by sets of ranks and by pairs of ranks: [rank * SETS + set of the others], [rank * 13 + other].
function makeTables({ low, strength, meanings }) {
  const tables = { meanings, flush: new Uint16Array(SETS), straight: new Uint16Array(SETS), high: new Uint16Array(SETS),
    pair: new Uint16Array(13 * SETS), trips: new Uint16Array(13 * SETS), twoPair: new Uint16Array(13 ** 3),
    house: new Uint16Array(13 ** 2), quads: new Uint16Array(13 ** 2) };
  for (let set = 0; set < SETS; set++) {
    const end = straight(set, low);
    if (end >= 0) tables.straight[set] = strength("STRAIGHT", end);
    if (BITS[set] >= 5) {
      const five = highest(set, 5);
      tables.high[set] = strength("HIGH_CARD", ...five);
      tables.flush[set] = end === 12 ? strength("ROYAL_FLUSH", end)
        : end >= 0 ? strength("STRAIGHT_FLUSH", end) : strength("FLUSH", ...five);
    }
    for (let rank = 0; rank < 13; rank++) {
      if (BITS[set] >= 3) tables.pair[rank * SETS + set] = strength("PAIR", rank, ...highest(set, 3));
      if (BITS[set] >= 2) tables.trips[rank * SETS + set] = strength("THREE_OF_A_KIND", rank, ...highest(set, 2));
    }
  }
  for (let a = 0; a < 13; a++) {
    for (let b = 0; b < 13; b++) {
      tables.house[a * 13 + b] = strength("FULL_HOUSE", a, b);
      tables.quads[a * 13 + b] = strength("FOUR_OF_A_KIND", a, b);
      for (let c = 0; c < 13; c++) tables.twoPair[(a * 13 + b) * 13 + c] = strength("TWO_PAIR", a, b, c);
    }
  }
  return tables;
}

const STANDARD = makeTables(makeScale(0, DECKS.get("52").categories));
const SHORT = makeTables(makeScale(4, DECKS.get("36").categories));
const tablesOf = (deck) => (deck.name === "36" ? SHORT : STANDARD);

// The strength of the best five of 5 to 7 cards, given as the set of ranks in each suit.
function evaluate(tables, a, b, c, d) {
  if (BITS[a] > 4) return tables.flush[a];
  if (BITS[b] > 4) return tables.flush[b];
  if (BITS[c] > 4) return tables.flush[c];
  if (BITS[d] > 4) return tables.flush[d];
  const any = a | b | c | d;
  const two = (a & b) | (c & d) | ((a | b) & (c | d));
  if (two === 0) return tables.straight[any] || tables.high[any];
  const three = (a & b & (c | d)) | (c & d & (a | b));
  const four = a & b & c & d;
  if (four) return tables.quads[top(four) * 13 + top(any ^ (1 << top(four)))];
  if (three) {
    const trips = top(three), others = two ^ (1 << trips);
    if (others) return tables.house[trips * 13 + top(others)];
    return tables.straight[any] || tables.trips[trips * SETS + (any ^ (1 << trips))];
  }
  if (tables.straight[any]) return tables.straight[any];
  const first = top(two), rest = two ^ (1 << first);
  if (!rest) return tables.pair[first * SETS + (any ^ (1 << first))];
  const second = top(rest);
  return tables.twoPair[(first * 13 + second) * 13 + top(any ^ (1 << first) ^ (1 << second))];
}

// The strength of a hand; in decks with one private card, the private card comes first.
function strengthOf(deck, cards) {
  if (!deck.isHoldem) {
    const isPair = cards.slice(1).some((card) => card >> 2 === cards[0] >> 2);
    return deck.ranks.indexOf(cards[0] >> 2) + 1 + (isPair ? deck.ranks.length : 0);
  }
  const suits = [0, 0, 0, 0];
  for (const card of cards) suits[card & 3] |= 1 << (card >> 2);
  return evaluate(tablesOf(deck), ...suits);
}

// Strengths on a board of some holdings, 0 where one has a card of the board; `held` has their cards one after another.
function strengthsOn(deck, board, held, out) {
  if (!deck.isHoldem) {
    held.forEach((card, i) => (out[i] = board.includes(card) ? 0 : strengthOf(deck, [card, ...board])));
    return;
  }
  const tables = tablesOf(deck), suits = new Int32Array(4), sets = new Int32Array(4);
  for (const card of board) suits[card & 3] |= 1 << (card >> 2);
  for (let i = 0; i < out.length; i++) {
    const one = held[2 * i], other = held[2 * i + 1];
    const isTaken = ((suits[one & 3] >> (one >> 2)) | (suits[other & 3] >> (other >> 2))) & 1;
    for (let suit = 0; suit < 4; suit++) sets[suit] = suits[suit];
    sets[one & 3] |= 1 << (one >> 2);
    sets[other & 3] |= 1 << (other >> 2);
    out[i] = isTaken ? 0 : evaluate(tables, sets[0], sets[1], sets[2], sets[3]);
  }
}

module.exports = { strengthOf, strengthsOn, tablesOf };
