// Ranges: weights [H], from players' notation or as given.
const { RANKS, readCard } = require("./cards");
const { Invalid, inField } = require("./errors");
const { classOf, holdingIndex, holdingsOf } = require("./holdings");

const LONGEST = 40_000; // characters
const ITEM = /^([^:+-]+)(\+)?(?:-([^:+-]+))?(?::(.+))?$/;

// A Range message as weights, or null for random cards.
function readRange(message, deck) {
  if (message?.range === "text") return inField("text", () => parseRange(message.text, deck));
  if (message?.range === "weights") return inField("weights", () => readWeights(message.weights, deck));
  return null;
}

function readWeights(bytes, deck) {
  const size = 4 * holdingsOf(deck).length;
  if (bytes.length !== size) throw new Invalid("", `must be ${size} bytes, float32 for each holding, not ${bytes.length}`);
  const weights = Float32Array.from({ length: size / 4 }, (_, i) => bytes.readFloatLE(4 * i));
  if (!weights.every((w) => Number.isFinite(w) && w >= 0)) throw new Invalid("", "must be finite numbers, none below zero");
  return weights;
}

function parseRange(text, deck) {
  if (text.length > LONGEST) throw new Invalid("", `${text.length} characters are too many; the limit is ${LONGEST}`);
  const items = text.split(/[\s,]+/).filter(Boolean);
  if (!items.length) throw new Invalid("", "an empty range; write something like QQ+,AKs, or random");
  const weights = new Float32Array(holdingsOf(deck).length);
  for (const item of items) {
    const { holdings, weight } = parseItem(item, deck);
    for (const h of holdings) weights[h] = weight;
  }
  return weights;
}

function parseItem(item, deck) {
  const bad = (why) => new Invalid("", `'${item.slice(0, 20)}': ${why}`);
  const [, first, plus, last, number = "1"] = ITEM.exec(item) || [];
  if (!first || (plus && last)) throw bad("cannot be read");
  const weight = /^(\d+\.?\d*|\.\d+)(e-?\d{1,3})?$/.test(number) ? Number(number) : NaN;
  if (!(weight >= 0 && weight <= 1)) throw bad("a weight is between 0 and 1");
  const every = [...holdingsOf(deck).keys()];
  if (first.toLowerCase() === "random" && !plus && !last) return { holdings: every, weight };
  const cards = first.length === 2 * deck.holdingSize ? first.match(/../g).map(readCard) : [-1];
  if (!plus && !last && cards.every((card) => card >= 0)) {
    if (cards.some((card) => deck.place[card] < 0) || cards[0] === cards[1]) throw bad(`no holding of the ${deck.name} deck`);
    return { holdings: [holdingIndex(deck, cards)], weight };
  }
  const labels = deck.isHoldem ? pairsOf(first, plus, last, bad) : ranksOf(first, plus, last, deck, bad);
  for (const label of labels) if (!classesOf(deck).has(label)) throw bad(`there is no ${label} in the ${deck.name} deck`);
  return { holdings: labels.flatMap((label) => classesOf(deck).get(label)), weight };
}

const classes = new Map();

// The holdings of each class.
function classesOf(deck) {
  if (!classes.has(deck)) {
    const byClass = new Map();
    holdingsOf(deck).forEach((cards, h) => byClass.set(classOf(cards), [...(byClass.get(classOf(cards)) || []), h]));
    classes.set(deck, byClass);
  }
  return classes.get(deck);
}

// Class labels of an item like AKs, ATs+, A5s-A2s or JTs-87s.
function pairsOf(first, plus, last, bad) {
  const [high, low, kind] = readClass(first, bad);
  const kinds = kind || high === low ? [kind] : ["s", "o"];
  let steps = [[high, low]];
  if (plus && high === low) steps = from(high, 12).map((rank) => [rank, rank]);
  else if (plus) steps = from(low, high - 1).map((rank) => [high, rank]);
  else if (last) steps = run([high, low], readClass(last, bad), kind, bad);
  return steps.flatMap(([a, b]) => kinds.map((each) => RANKS[a] + RANKS[b] + each));
}

// From one class to another: pairs, kickers of one rank, or the same gap.
function run([high, low], [high2, low2, kind2], kind, bad) {
  if (kind !== kind2 || (high === low) !== (high2 === low2)) throw bad("both ends must be of one kind");
  if (high === high2 && high !== low) return from(Math.min(low, low2), Math.max(low, low2)).map((rank) => [high, rank]);
  if (high - low !== high2 - low2) throw bad("both ends must have the same gap, or the same high card");
  return from(Math.min(high, high2), Math.max(high, high2)).map((rank) => [rank, rank - high + low]);
}

function readClass(text, bad) {
  const [, a, b, kind] = /^(.)(.)([so]?)$/.exec(text) || [];
  const ranks = [a, b].map((letter) => (letter ? RANKS.indexOf(letter.toUpperCase()) : -1)).sort((x, y) => y - x);
  if (ranks[1] < 0 || (kind && ranks[0] === ranks[1])) throw bad("is not a class of holdings, like QQ, AKs or T9o");
  return [...ranks, kind];
}

// Ranks of an item of a deck with one private card: K, Q+ or K-J.
function ranksOf(first, plus, last, deck, bad) {
  const ends = [first, last || first].map((text) => RANKS.indexOf(text.toUpperCase()));
  if (first.length > 1 || (last || "").length > 1 || Math.min(...ends) < 0) throw bad("is not a card or rank");
  const low = Math.min(...ends), high = plus ? deck.ranks.at(-1) : Math.max(...ends);
  return from(low, high).map((rank) => RANKS[rank]);
}

const from = (low, high) => Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);

module.exports = { readRange, classesOf };
