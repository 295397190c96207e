// Card features: equity now against random cards, and the deciles of equity on each later street.
const { without } = require("./cards");
const { choose, combinations } = require("./counting");
const { TooLarge } = require("./errors");
const { strengthOf, strengthsOn } = require("./strengths");

const DECILES = 10;
const MOST = 1_000_000_000; // hands
const PER_BREATH = 100; // run-outs

const featureCount = (deck, board) => 1 + DECILES * (deck.boardSizes.length - 1 - deck.boardSizes.indexOf(board.length));

// Two for each opposing holding that a holding beats on a complete board, and one for each that it ties.
function score(deck, board, holding) {
  const unseen = without(deck, [...board, ...holding]);
  const others = new Uint8Array(unseen.length * (unseen.length - 1));
  let end = 0;
  for (let b = 1; b < unseen.length; b++) {
    for (let a = 0; a < b; a++) (others[end++] = unseen[a]), (others[end++] = unseen[b]);
  }
  const strengths = new Uint16Array(end / 2), mine = strengthOf(deck, [...holding, ...board]);
  strengthsOn(deck, board, others, strengths);
  let points = 0;
  for (const strength of strengths) points += (strength < mine) + (strength <= mine);
  return points;
}

// Returns the deciles of n values in ascending order: those in places ceil(k * n / 10), counted from 1.
function deciles(values, unit) {
  const ordered = Float64Array.from(values).sort();
  return Array.from({ length: DECILES }, (_, k) => ordered[Math.ceil(((k + 1) * ordered.length) / DECILES) - 1] / unit);
}

// Writes the features of one holding. A board's total is the sum of its run-outs' scores.
function* writeFeatures(deck, board, holding, out) {
  const whole = deck.boardSizes.at(-1), unseen = without(deck, [...board, ...holding]);
  const best = 2 * choose(deck.cards.length - whole - 2, 2);
  const later = deck.boardSizes.filter((size) => size > board.length);
  const totals = new Map(later.map((size) => [size, new Map()])); // by street, then by the cards that it adds
  let sum = 0, count = 0;
  for (const more of combinations(unseen, whole - board.length)) {
    const points = score(deck, [...board, ...more], holding);
    sum += points;
    for (const size of later) {
      for (const part of combinations(more, size - board.length)) {
        const name = part.reduce((key, card) => 64 * key + card, 0);
        totals.get(size).set(name, (totals.get(size).get(name) || 0) + points);
      }
    }
    if (++count % PER_BREATH === 0) yield;
  }
  const numbers = [sum / (count * best)];
  for (const size of later) {
    const runouts = choose(deck.cards.length - size - 2, whole - size);
    numbers.push(...deciles(totals.get(size).values(), runouts * best));
  }
  out.set(numbers);
}

// Refuses a request that takes too many hands, by estimate.
function check(deck, board, holdings) {
  const unseen = deck.cards.length - board.length - 2, toCome = deck.boardSizes.at(-1) - board.length;
  const hands = holdings.length * choose(unseen, toCome) * choose(unseen - toCome, 2);
  if (hands > MOST) throw new TooLarge("hands are too many for features", hands, MOST);
}

// Features of holdings, in rows; NaN for a holding that the board blocks.
function* featuresOf(deck, board, holdings) {
  check(deck, board, holdings);
  const width = featureCount(deck, board), rows = new Float32Array(holdings.length * width).fill(NaN);
  for (const [i, holding] of holdings.entries()) {
    if (holding.some((card) => board.includes(card))) continue;
    yield* writeFeatures(deck, board, holding, rows.subarray(i * width, (i + 1) * width));
  }
  return { rows, width };
}

module.exports = { featuresOf };
