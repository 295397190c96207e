// Exact equity: every deal there is, counted once.
const { without } = require("./cards");
const { choose, combinations } = require("./counting");
const { TooLarge } = require("./errors");
const { cardsOf, holdingsOf } = require("./holdings");
const { strengthsOn } = require("./strengths");

const MOST = 1_000_000_000; // hands or deals to look at
const QUICK = 100_000_000; // hands or deals up to which the exact answer is the default
const FEW = 64; // pairs of holdings; up to here comparing all is quicker than sorting
const PER_BREATH = 100_000;

const isHeadsUp = ({ deck, players }) => deck.isHoldem && players.length === 2;

// Returns the cards that a run-out may have, without those that a player certainly holds, and how many come.
function boardsOf({ deck, board, players }) {
  const holdings = holdingsOf(deck);
  const known = players.filter(({ held }) => held.length === 1).flatMap(({ held }) => holdings[held[0]]);
  return { rest: without(deck, [...board, ...known]), toCome: deck.boardSizes.at(-1) - board.length };
}

// Estimates the work of an enumeration, in hands or deals.
function workOf(question) {
  const { rest, toCome } = boardsOf(question), sizes = question.players.map(({ held }) => held.length);
  const each = isHeadsUp(question) ? sizes[0] + sizes[1] : sizes.reduce((a, b) => a * b, 1);
  return choose(rest.length, toCome) * each;
}

function check(question) {
  const work = workOf(question);
  if (work > MOST) throw new TooLarge("hands are too many to enumerate", work, MOST);
}

const isQuick = (question) => workOf(question) <= QUICK;

// Yields the share done; returns the wins, ties and total weight of each of the hero's holdings.
function* enumerate(question) {
  check(question);
  const { deck, board, players } = question, { rest, toCome } = boardsOf(question);
  const count = choose(rest.length, toCome), perBoard = workOf(question) / count;
  const strengths = players.map(({ held }) => new Uint16Array(held.length));
  const cards = players.map(({ held }) => cardsOf(deck, held));
  const tallies = players[0].held.map(() => ({ win: 0, tie: 0, share: 0, weight: 0, deals: 0 }));
  const look = isHeadsUp(question) ? compareTwo(question, tallies) : compareAll(question, tallies);
  let done = 0, work = 0;
  for (const more of combinations(rest, toCome)) {
    const whole = [...board, ...more];
    for (let i = 0; i < cards.length; i++) strengthsOn(deck, whole, cards[i], strengths[i]);
    look(strengths);
    done++;
    if ((work += perBoard) > PER_BREATH) (work = 0), yield done / count;
  }
  if (isHeadsUp(question)) countTwo(question, tallies);
  return tallies;
}

// Two players: adds the wins and ties of each of the hero's holdings on a board.
function compareTwo({ deck, players }, tallies) {
  const holdings = holdingsOf(deck), [hero, other] = players;
  const pairs = hero.held.length * other.held.length;
  const share = (h, g) => holdings[h].some((card) => holdings[g].includes(card));
  if (pairs <= FEW) {
    const apart = hero.held.map((h) => [...other.held.keys()].filter((j) => !share(h, other.held[j])));
    return ([mine, theirs]) => {
      apart.forEach((those, i) => {
        if (!mine[i]) return;
        for (const j of those) {
          if (!theirs[j]) continue;
          if (mine[i] > theirs[j]) tallies[i].win += other.weights[j];
          else if (mine[i] === theirs[j]) (tallies[i].tie += other.weights[j]), (tallies[i].share += other.weights[j] / 2);
        }
      });
    };
  }
  return sortAndCompare(deck, hero, other, tallies);
}

// The same by going through both players' holdings from the weakest on. The opponent's weight below is also summed for
// each card, so that the weight of holdings that share a card with the hero's can be subtracted.
function sortAndCompare(deck, hero, other, tallies) {
  const holdings = holdingsOf(deck), own = new Float64Array(holdings.length);
  other.held.forEach((h, j) => (own[h] = other.weights[j]));
  const [heroOrder, otherOrder] = [hero, other].map(({ held }) => new Float64Array(held.length));
  const below = new Float64Array(53), group = new Float64Array(53); // by card, and of all in the last place
  const [heroCards, otherCards] = [cardsOf(deck, hero.held), cardsOf(deck, other.held)];
  const add = (sums, j, weight) => {
    sums[otherCards[2 * j]] += weight;
    sums[otherCards[2 * j + 1]] += weight;
    sums[52] += weight;
  };
  return ([mine, theirs]) => {
    for (let i = 0; i < mine.length; i++) heroOrder[i] = mine[i] * 2048 + i;
    for (let j = 0; j < theirs.length; j++) otherOrder[j] = theirs[j] * 2048 + j;
    heroOrder.sort();
    otherOrder.sort();
    below.fill(0);
    group.fill(0);
    let next = 0, level = 0;
    while (next < otherOrder.length && otherOrder[next] < 2048) next++; // holdings that the board rules out
    for (const entry of heroOrder) {
      const strength = Math.floor(entry / 2048), i = entry % 2048;
      if (!strength) continue;
      if (strength !== level) {
        for (let c = 0; c < 53; c++) (below[c] += group[c]), (group[c] = 0);
        for (; next < otherOrder.length && otherOrder[next] < (strength + 1) * 2048; next++) {
          const j = otherOrder[next] % 2048;
          add(otherOrder[next] < strength * 2048 ? below : group, j, other.weights[j]);
        }
        level = strength;
      }
      const a = heroCards[2 * i], b = heroCards[2 * i + 1];
      const tie = group[52] - group[a] - group[b] + own[hero.held[i]];
      tallies[i].win += below[52] - below[a] - below[b];
      tallies[i].tie += tie;
      tallies[i].share += tie / 2;
    }
  };
}

// Counts the deals of two players and their weight: every pair of holdings has the same number of run-outs.
function countTwo({ deck, board, players: [hero, other] }, tallies) {
  const holdings = holdingsOf(deck), unseen = deck.cards.length - board.length;
  const boards = choose(unseen - 2 * deck.holdingSize, deck.boardSizes.at(-1) - board.length);
  hero.held.forEach((h, i) => {
    other.held.forEach((g, j) => {
      if (holdings[h].some((card) => holdings[g].includes(card))) return;
      tallies[i].weight += boards * other.weights[j];
      tallies[i].deals += boards;
    });
  });
}

// Any number of players: all ways to deal their holdings on a board.
function compareAll({ deck, players }, tallies) {
  const holdings = holdingsOf(deck), used = new Uint8Array(52);
  return (strengths) => {
    const deal = (depth, mine, best, ties, weight, i) => {
      if (depth === players.length) {
        tallies[i].weight += weight;
        tallies[i].deals++;
        if (mine < best) return;
        if (ties === 0) tallies[i].win += weight;
        else (tallies[i].tie += weight), (tallies[i].share += weight / (ties + 1));
        return;
      }
      players[depth].held.forEach((h, j) => {
        const strength = strengths[depth][j];
        if (!strength || holdings[h].some((card) => used[card])) return;
        for (const card of holdings[h]) used[card] = 1;
        if (depth === 0) deal(1, strength, 0, 0, 1, j);
        else deal(depth + 1, mine, Math.max(best, strength), ties + (strength === mine), weight * players[depth].weights[j], i);
        for (const card of holdings[h]) used[card] = 0;
      });
    };
    deal(0, 0, 0, 0, 1, 0);
  };
}

// Sums up some of the hero's holdings as an EquityResult.
function resultOf(tallies, weights) {
  const sum = (name) => tallies.reduce((total, each, i) => total + each[name] * weights[i], 0);
  const total = sum("weight"), win = sum("win") / total;
  const deals = tallies.reduce((count, each) => count + each.deals, 0);
  return { win, tie: sum("tie") / total, equity: win + sum("share") / total, error: 0, deal_count: deals, exact: true, seed: "0" };
}

module.exports = { enumerate, isQuick, resultOf };
