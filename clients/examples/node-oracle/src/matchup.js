// A matchup: each player's possible holdings, and the board.
const { Invalid, inField } = require("./errors");
const { holdingsOf, liveHoldings } = require("./holdings");
const { readRange } = require("./ranges");

const MOST_OPPONENTS = 9;
const MOST_PLACINGS = 2000; // tries at a joint deal before the computation itself must find out

function checkOpponentCount(deck, count) {
  if (!(count >= 1 && count <= MOST_OPPONENTS)) throw new Invalid("", `there must be 1 to ${MOST_OPPONENTS}, not ${count}`);
  const wanted = deck.holdingSize * (count + 1) + deck.boardSizes.at(-1);
  if (wanted > deck.cards.length) throw new Invalid("", `${count} opponents need ${wanted} cards; the ${deck.name} deck has fewer`);
}

// One player's holdings: their places on axis H, and how likely each is.
function player(deck, live, weights) {
  const held = weights ? live.filter((h) => weights[h] > 0) : live;
  if (!held.length) throw new Invalid("", "the range is empty on this board");
  const isRandom = held.length === live.length && held.every((h) => !weights || weights[h] === weights[held[0]]);
  return { held, weights: Float64Array.from(held, (h) => (weights && !isRandom ? weights[h] : 1)), isRandom };
}

function matchup(deck, board, hero, opponents) {
  inField("opponents", () => checkOpponentCount(deck, opponents.length));
  const live = liveHoldings(deck, board);
  const weights = inField("hero", () => readRange(hero, deck));
  if (!weights) throw new Invalid("hero", "a holding or a range must be given");
  const players = [inField("hero", () => player(deck, live, weights))];
  opponents.forEach((range, i) => {
    players.push(inField(`opponents[${i}]`, () => player(deck, live, readRange(range, deck))));
  });
  if (!canBeDealt(deck, players)) throw new Invalid("opponents", "no deal gives every player a holding in range");
  return { deck, board, players };
}

// Whether all players can have a holding at once; true if a short search cannot tell.
function canBeDealt(deck, players) {
  const holdings = holdingsOf(deck), used = new Uint8Array(52);
  const ranges = players.filter((each) => !each.isRandom).sort((a, b) => a.held.length - b.held.length);
  let tries = 0;
  const place = (depth) => {
    if (depth === ranges.length || ++tries > MOST_PLACINGS) return true;
    return ranges[depth].held.some((h) => {
      if (holdings[h].some((card) => used[card])) return false;
      holdings[h].forEach((card) => (used[card] = 1));
      const isPlaced = place(depth + 1);
      holdings[h].forEach((card) => (used[card] = 0));
      return isPlaced;
    });
  };
  return place(0);
}

module.exports = { matchup, player, checkOpponentCount };
