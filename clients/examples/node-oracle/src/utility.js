// Utility of holdings against others: +1, 0 or -1 per chip at stake, averaged over all run-outs.
const { without } = require("./cards");
const { choose, combinations } = require("./counting");
const { TooLarge } = require("./errors");
const { cardsOf, holdingsOf } = require("./holdings");
const { strengthOf, strengthsOn } = require("./strengths");

const MOST = 4_000_000_000; // comparisons
const PER_BREATH = 1_000_000; // comparisons after which other calls get their turn

// The matrix of rows against columns; `impossible` marks pairs that cannot both be dealt.
function* utility(deck, board, rows, columns, impossible) {
  const holdings = holdingsOf(deck), rest = without(deck, board), toCome = deck.boardSizes.at(-1) - board.length;
  const size = rows.length * columns.length, runouts = choose(rest.length, toCome);
  if (runouts * (size + rows.length + columns.length) > MOST) {
    throw new TooLarge("comparisons are too many for one matrix", runouts * size, MOST);
  }
  const balance = new Int32Array(size), mine = new Uint16Array(rows.length), theirs = new Uint16Array(columns.length);
  const [rowCards, columnCards] = [cardsOf(deck, rows), cardsOf(deck, columns)];
  let work = 0;
  for (const more of combinations(rest, toCome)) {
    const whole = [...board, ...more];
    strengthsOn(deck, whole, rowCards, mine);
    strengthsOn(deck, whole, columnCards, theirs);
    for (let i = 0, at = 0; i < mine.length; i++) {
      const strength = mine[i];
      if (strength === 0) at += theirs.length;
      else for (let j = 0; j < theirs.length; j++, at++) {
        if (theirs[j] !== 0) balance[at] += (strength > theirs[j]) - (strength < theirs[j]);
      }
    }
    if ((work += size) > PER_BREATH) (work = 0), yield;
  }
  const count = choose(rest.length - 2 * deck.holdingSize, toCome);
  const matrix = new Float32Array(size).fill(impossible);
  const live = (h) => !holdings[h].some((card) => board.includes(card));
  const [liveRows, liveColumns] = [rows, columns].map((some) => [...some.keys()].filter((i) => live(some[i])));
  for (const i of liveRows) {
    const [a, b] = holdings[rows[i]];
    for (const j of liveColumns) {
      const other = holdings[columns[j]];
      if (!other.includes(a) && !other.includes(b)) matrix[i * columns.length + j] = balance[i * columns.length + j] / count;
    }
  }
  return matrix;
}

// Five-card stud, by the two hidden cards' places in the deck.
function studUtility(deck, mine, theirs) {
  const strengths = [mine, theirs].map((open) => deck.cards.map((card) => (open.includes(card) ? 0 : strengthOf(deck, [...open, card]))));
  const seen = [...mine, ...theirs];
  return Float32Array.from({ length: deck.cards.length ** 2 }, (_, at) => {
    const i = Math.floor(at / deck.cards.length), j = at % deck.cards.length;
    if (i === j || seen.includes(deck.cards[i]) || seen.includes(deck.cards[j])) return NaN;
    return Math.sign(strengths[0][i] - strengths[1][j]);
  });
}

module.exports = { utility, studUtility };
