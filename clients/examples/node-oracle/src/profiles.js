// The place of each holding among all others, over all run-outs: percentiles in bins, and their mean.
const { without } = require("./cards");
const { choose, combinations } = require("./counting");
const { TooLarge } = require("./errors");
const { cardsOf, holdingsOf } = require("./holdings");
const { strengthsOn } = require("./strengths");

const MOST = 1_000_000_000; // hands
const PER_BREATH = 200; // run-outs

// Adds the profile and the mean of every holding on one board.
function* addProfile(deck, board, binCount, profiles, means) {
  const holdings = holdingsOf(deck), every = [...holdings.keys()], cards = cardsOf(deck, every), rest = without(deck, board);
  const toCome = deck.boardSizes.at(-1) - board.length, runouts = choose(rest.length, toCome);
  if (runouts * every.length > MOST) throw new TooLarge("hands are too many for a profile", runouts * every.length, MOST);
  const strengths = new Uint16Array(every.length), sums = new Float64Array(profiles.length);
  const total = new Float64Array(every.length), counts = new Uint32Array(every.length), below = new Uint32Array(7464);
  let done = 0;
  for (const more of combinations(rest, toCome)) {
    strengthsOn(deck, [...board, ...more], cards, strengths);
    below.fill(0); // first the number of holdings with each strength, then with less
    for (const strength of strengths) if (strength) below[strength + 1]++;
    for (let i = 1; i < below.length; i++) below[i] += below[i - 1];
    for (let h = 0; h < strengths.length; h++) {
      if (!strengths[h]) continue;
      const percentile = (0.5 * (below[strengths[h]] + below[strengths[h] + 1])) / below[below.length - 1];
      const place = Math.min(Math.max(percentile * binCount - 0.5, 0), binCount - 1);
      const low = Math.min(Math.floor(place), binCount - 2);
      sums[h * binCount + low] += 1 - place + low;
      sums[h * binCount + low + 1] += place - low;
      total[h] += percentile;
      counts[h]++;
    }
    if (++done % PER_BREATH === 0) yield;
  }
  for (const h of every) {
    means[h] = counts[h] ? total[h] / counts[h] : -1;
    for (let bin = 0; bin < binCount; bin++) {
      profiles[h * binCount + bin] = counts[h] ? sums[h * binCount + bin] / counts[h] : 0;
    }
  }
}

module.exports = { addProfile };
