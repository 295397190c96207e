// Equity by rollouts: deal the unknown cards at random, compare the hands, and report the standard error.
const { without } = require("./cards");
const { Invalid } = require("./errors");
const { TooLarge } = require("./errors");
const { holdingsOf } = require("./holdings");
const { generator, shuffle } = require("./random");
const { strengthOf } = require("./strengths");

const MOST = 10_000_000_000;
const FEWEST = 4096; // before a target may stop them
const PER_BREATH = 2000;
const MOST_TRIES = 1_000_000; // at dealing all ranges without a collision

function checkCount(count, field) {
  if (count < 0) throw new Invalid(field, `cannot be negative, but is ${count}`);
  if (count > MOST) throw new TooLarge("rollouts are too many", count, MOST);
}

// Deals a holding of each range, with a probability in proportion to the product of weights; rejects collisions.
function dealer(deck, players, random) {
  const holdings = holdingsOf(deck);
  const sums = players.map(({ weights }) => {
    let sum = 0;
    return weights.map((weight) => (sum += weight));
  });
  const draw = (i) => {
    const wanted = random.fraction() * sums[i].at(-1);
    let low = 0, high = sums[i].length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[i][middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return holdings[players[i].held[low]];
  };
  return () => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const taken = [];
      if (players.every((_, i) => {
        const cards = draw(i);
        if (cards.some((card) => taken.includes(card))) return false;
        return taken.push(...cards);
      })) return taken;
    }
    throw new TooLarge("tries at a deal, because the ranges nearly exclude each other", MOST_TRIES, MOST_TRIES);
  };
}

// One rollout: how many tie with the hero, or -1 if somebody beats it.
function roller({ deck, board, players }, random) {
  const ranges = players.filter(({ isRandom }, i) => i === 0 || !isRandom);
  const deal = dealer(deck, ranges, random), rest = without(deck, board);
  const size = deck.holdingSize, toCome = deck.boardSizes.at(-1) - board.length;
  const others = players.length - ranges.length;
  return () => {
    const held = deal(), unseen = rest.filter((card) => !held.includes(card));
    shuffle(unseen, toCome + others * size, random);
    held.push(...unseen.slice(toCome, toCome + others * size));
    const whole = [...board, ...unseen.slice(0, toCome)];
    const mine = strengthOf(deck, [...held.slice(0, size), ...whole]);
    let ties = 0;
    for (let at = size; at < held.length; at += size) {
      const theirs = strengthOf(deck, [...held.slice(at, at + size), ...whole]);
      if (theirs > mine) return -1;
      if (theirs === mine) ties++;
    }
    return ties;
  };
}

// Yields { done, result } at intervals, and returns the result.
function* rollOut(question, count, target, seed, random = generator(seed)) {
  const roll = roller(question, random);
  let [rolled, wins, ties, shares, squares] = [0, 0, 0, 0, 0];
  const result = () => {
    const n = rolled + 2, mean = (shares + 1) / n; // one win and one loss more, so that nothing is certain
    const error = Math.sqrt(((squares + 1) / n - mean * mean) / n);
    return { win: wins / rolled, tie: ties / rolled, equity: shares / rolled, error, deal_count: rolled, exact: false, seed };
  };
  while (rolled < count) {
    const tied = roll(), share = tied < 0 ? 0 : 1 / (tied + 1);
    rolled++;
    wins += tied === 0;
    ties += tied > 0;
    shares += share;
    squares += share * share;
    if (rolled % PER_BREATH) continue;
    const soFar = result();
    if (target > 0 && rolled >= FEWEST && soFar.error <= target) break;
    const far = target > 0 ? Math.min(1, (target / soFar.error) ** 2) : 0;
    yield { done: Math.max(far, rolled / count), result: soFar };
  }
  return result();
}

module.exports = { rollOut, checkCount, MOST };
