// Equity and cheat sheets: exactly where that is feasible, otherwise by rollouts.
const { parseBoard } = require("./cards");
const { Invalid, TooLarge, inField } = require("./errors");
const { enumerate, isQuick, resultOf } = require("./exact");
const { liveHoldings } = require("./holdings");
const { checkOpponentCount, matchup, player } = require("./matchup");
const { generator, newSeed } = require("./random");
const { classesOf } = require("./ranges");
const { MOST, checkCount, rollOut } = require("./rollouts");

const USUAL = 1_000_000; // rollouts
const USUAL_OF_A_CELL = 100_000;
const MOST_COUNTS = 9; // of opponents

// Progress, then one result.
function* equity(request, deck) {
  const board = inField("board", () => parseBoard(request.board, deck));
  const question = matchup(deck, board, request.hero, request.opponents);
  const { count, target, seed } = inField("rollouts", () => readRollouts(request.rollouts));
  const isExact = !deck.isHoldem || request.method === "exact" || (request.method !== "rollouts" && isQuick(question));
  let last = 0;
  const tell = function* (done, soFar) {
    if (done > last) yield { progress: { done: (last = Math.min(done, 1)), so_far: soFar } };
    else yield;
  };
  if (isExact) {
    const tallies = yield* through(enumerate(question), (done) => tell(done));
    return yield { result: resultOf(tallies, question.players[0].weights) };
  }
  const result = yield* through(rollOut(question, count, target, seed), ({ done, result }) => tell(done, result));
  yield { result };
}

// Goes through a generator, passes each step to `say`, and returns the generator's result.
function* through(steps, say) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yield* say(value);
  }
}

function readRollouts(rollouts) {
  const count = Number(rollouts?.rollout_count || 0), target = rollouts?.target_error ?? 0;
  checkCount(count, "rollout_count");
  if (!(target >= 0) || !Number.isFinite(target)) throw new Invalid("target_error", "must be a number from 0 on");
  const seed = rollouts?._seed ? rollouts.seed : newSeed();
  return { count: count || (target > 0 ? MOST : USUAL), target, seed };
}

// Yields cells as they are computed, with `done` in every message.
function* cheatSheet(request, deck) {
  if (!deck.isHoldem) throw new Invalid("deck", `cheat sheets are for decks with two private cards, not ${deck.name}`);
  const board = inField("board", () => parseBoard(request.board, deck)), counts = request.opponent_counts;
  inField("opponent_counts", () => {
    if (!counts.length || counts.length > MOST_COUNTS || new Set(counts).size < counts.length) {
      throw new Invalid("", "must be different numbers, at least one");
    }
    counts.forEach((count) => checkOpponentCount(deck, count));
  });
  checkCount(Number(request.rollout_count), "rollout_count");
  const rollouts = Number(request.rollout_count) || USUAL_OF_A_CELL;
  const live = new Set(liveHoldings(deck, board));
  const classes = [...classesOf(deck)].map(([label, held]) => [label, held.filter((h) => live.has(h))])
    .filter(([, held]) => held.length);
  const isRolled = (count) => count > 1 || request.no_exact;
  const total = rollouts * classes.length * counts.filter(isRolled).length;
  if (total > MOST) throw new TooLarge("rollouts are too many for one sheet", total, MOST);
  const seed = request._seed ? request.seed : newSeed(), random = generator(seed);
  for (const [at, count] of counts.entries()) {
    const cells = isRolled(count) ? rolledCells(deck, board, classes, count, rollouts, seed, random) : exactCells(deck, board, classes);
    for (const step of cells) {
      if (!step) yield;
      else yield { done: (at + step.done) / counts.length, cell: step.cell && { opponent_count: count, ...step.cell } };
    }
  }
}

function* exactCells(deck, board, classes) {
  const everybody = player(deck, liveHoldings(deck, board), null);
  const tallies = yield* through(enumerate({ deck, board, players: [everybody, everybody] }), function* () { yield; });
  const place = new Map(everybody.held.map((h, i) => [h, i]));
  for (const [i, [label, held]] of classes.entries()) {
    const equity = resultOf(held.map((h) => tallies[place.get(h)]), held.map(() => 1));
    yield { done: (i + 1) / classes.length, cell: { label, holding_count: held.length, equity } };
  }
}

function* rolledCells(deck, board, classes, count, rollouts, seed, random) {
  const live = liveHoldings(deck, board), anybody = player(deck, live, null);
  for (const [i, [label, held]] of classes.entries()) {
    const hero = { held, weights: new Float64Array(held.length).fill(1), isRandom: false };
    const question = { deck, board, players: [hero, ...new Array(count).fill(anybody)] };
    const equity = yield* through(rollOut(question, rollouts, 0, seed, random), function* () { yield; });
    yield { done: (i + 1) / classes.length, cell: { label, holding_count: held.length, equity } };
  }
}

module.exports = { equity, cheatSheet };
