// The methods of the contract: generators that take a request. A unary method returns its answer, a stream yields its
// messages; an empty yield lets other calls have their turn.
const { DECKS, findDeck, formatCard, formatCards, parseBoard, parseCards } = require("./cards");
const { followingBoards } = require("./boards");
const { classify, showdown } = require("./classify");
const { equity, cheatSheet } = require("./equity");
const { Invalid, TooLarge, inField } = require("./errors");
const { featuresOf } = require("./features");
const { cardsOf, holdingsOf, liveHoldings } = require("./holdings");
const { addProfile } = require("./profiles");
const { generator, newSeed, shuffle } = require("./random");
const { readRange } = require("./ranges");
const { strengthsOn } = require("./strengths");
const { studUtility, utility } = require("./utility");

const MOST_HANDS = 1000;
const MOST_FEATURE_HOLDINGS = 1326;
const MOST_BYTES = 4_000_000;
const CHUNK_BYTES = 1_000_000;
const MOST_RANGES = 4;
const BOARDS_PER_BREATH = 50;

const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

const describeDeck = (deck) => ({ name: deck.name, about: deck.about, cards: deck.cards.map(formatCard),
  holding_size: deck.holdingSize, holding_count: holdingsOf(deck).length, board_sizes: deck.boardSizes,
  categories: deck.categories.map((name) => `CATEGORY_${name}`) });

function* ListDecks() {
  return { decks: [...DECKS.values()].map(describeDeck) };
}

function* GetDeck(request) {
  const deck = findDeck(request.deck);
  return { deck: describeDeck(deck), holdings: holdingsOf(deck).map((cards) => formatCards([...cards].reverse())) };
}

function* Deal(request) {
  const deck = findDeck(request.deck), { holding_count: count, board_size: boardSize } = request;
  if (count < 0) throw new Invalid("holding_count", `cannot be negative, but is ${count}`);
  if (boardSize < 0) throw new Invalid("board_size", `cannot be negative, but is ${boardSize}`);
  const cut = count * deck.holdingSize, wanted = cut + boardSize;
  if (wanted > deck.cards.length) {
    throw new Invalid("holding_count", `${wanted} cards are needed; the ${deck.name} deck has ${deck.cards.length}`);
  }
  const seed = request._seed ? request.seed : newSeed();
  const cards = shuffle([...deck.cards], deck.cards.length, generator(seed));
  const holdings = Array.from({ length: count }, (_, i) => cards.slice(i * deck.holdingSize, (i + 1) * deck.holdingSize));
  return { holdings: holdings.map(formatCards), board: formatCards(cards.slice(cut, wanted)),
    stub: formatCards(cards.slice(wanted)), seed };
}

function* Classify(request) {
  const deck = findDeck(request.deck), { hands } = request;
  if (hands.length > MOST_HANDS) throw new TooLarge("hands are too many for one call", hands.length, MOST_HANDS);
  return { classifications: hands.map((text, i) => inField(`hands[${i}]`, () => classify(deck, parseCards(text, deck)))) };
}

function* Showdown(request) {
  const deck = findDeck(request.deck);
  const board = inField("board", () => parseBoard(request.board, deck, deck.isHoldem ? [3, 4, 5] : deck.boardSizes));
  if (!request.holdings.length) throw new Invalid("holdings", "there must be at least one");
  if (request.holdings.length > deck.cards.length) throw new Invalid("holdings", "there are more of them than cards");
  const taken = [...board];
  const holdings = request.holdings.map((text, i) => {
    const cards = readHolding(deck, text, i, taken);
    taken.push(...cards);
    return cards;
  });
  return showdown(deck, board, holdings);
}

// Reads a holding; refuses one with a card that is already taken.
function readHolding(deck, text, i, taken) {
  return inField(`holdings[${i}]`, () => {
    const cards = parseCards(text, deck);
    if (cards.length !== deck.holdingSize) throw new Invalid("", `must have ${deck.holdingSize} cards, not ${cards.length}`);
    const twice = cards.find((card) => taken.includes(card));
    if (twice !== undefined) throw new Invalid("", `${formatCard(twice)} appears twice`);
    return cards;
  });
}

// Reads boards, which must all have the same length.
function readBoards(deck, textsOfBoards, sizes, bytesEach) {
  if (!textsOfBoards.length) throw new Invalid("boards", "there must be at least one");
  const size = textsOfBoards.length * bytesEach;
  if (size > MOST_BYTES) throw new TooLarge("bytes would be in the answer", size, MOST_BYTES);
  const boards = textsOfBoards.map((text, i) => inField(`boards[${i}]`, () => parseBoard(text, deck, sizes)));
  const odd = boards.findIndex((board) => board.length !== boards[0].length);
  if (odd > 0) throw new Invalid(`boards[${odd}]`, `must have as many cards as the first board, ${boards[0].length}`);
  return boards;
}

function* Strengths(request) {
  const deck = findDeck(request.deck), every = [...holdingsOf(deck).keys()], cards = cardsOf(deck, every);
  const sizes = deck.isHoldem ? [3, 4, 5] : deck.boardSizes;
  const boards = readBoards(deck, request.boards, sizes, 2 * every.length);
  const strengths = new Uint16Array(boards.length * every.length);
  for (const [k, board] of boards.entries()) {
    strengthsOn(deck, board, cards, strengths.subarray(k * every.length, (k + 1) * every.length));
    if (k % BOARDS_PER_BREATH === 0) yield;
  }
  return { strengths: bytes(strengths), board_count: boards.length, holding_count: every.length };
}

function* StrengthProfiles(request) {
  const deck = findDeck(request.deck), { bin_count: binCount } = request, count = holdingsOf(deck).length;
  if (!deck.isHoldem) throw new Invalid("deck", `profiles are for decks with two private cards, not ${deck.name}`);
  if (!(binCount >= 2 && binCount <= 256)) throw new Invalid("bin_count", `must be 2 to 256, not ${binCount}`);
  const boards = readBoards(deck, request.boards, deck.boardSizes, 4 * count * (binCount + 1));
  const profiles = new Float32Array(boards.length * count * binCount), means = new Float32Array(boards.length * count);
  for (const [k, board] of boards.entries()) {
    const rows = profiles.subarray(k * count * binCount, (k + 1) * count * binCount);
    yield* addProfile(deck, board, binCount, rows, means.subarray(k * count, (k + 1) * count));
  }
  return { profiles: bytes(profiles), means: bytes(means), board_count: boards.length, holding_count: count };
}

function* Features(request) {
  const deck = findDeck(request.deck), { holdings: named } = request;
  if (!deck.isHoldem) throw new Invalid("deck", `must have two private cards; the ${deck.name} deck has one`);
  const board = inField("board", () => parseBoard(request.board, deck));
  if (named.length > MOST_FEATURE_HOLDINGS) {
    throw new TooLarge("holdings are too many for one call", named.length, MOST_FEATURE_HOLDINGS);
  }
  const holdings = named.length ? named.map((text, i) => readHolding(deck, text, i, board)) : holdingsOf(deck);
  const { rows, width } = yield* featuresOf(deck, board, holdings);
  return { features: bytes(rows), holding_count: holdings.length, feature_count: width };
}

// Reads places of holdings from int32; no bytes mean all holdings.
function readPlaces(data, count, field) {
  if (!data.length) return Array.from({ length: count }, (_, h) => h);
  if (data.length % 4 || data.length > 4 * count) throw new Invalid(field, `must be int32, at most ${count} of them`);
  const places = Array.from({ length: data.length / 4 }, (_, i) => data.readInt32LE(4 * i));
  if (places.some((h) => h < 0 || h >= count)) throw new Invalid(field, `holdings are 0 to ${count - 1}`);
  return places;
}

function* Utility(request) {
  const deck = findDeck(request.deck);
  if (request.situation === "stud") {
    yield* inChunks(stud(deck, request.stud), deck.cards.length);
    return;
  }
  const count = holdingsOf(deck).length, isWhole = !request.rows.length && !request.columns.length;
  const sizes = deck.isHoldem && isWhole ? [3, 4, 5] : deck.boardSizes;
  const board = inField("board", () => parseBoard(request.board || "", deck, sizes));
  const rows = readPlaces(request.rows, count, "rows"), columns = readPlaces(request.columns, count, "columns");
  yield* inChunks(yield* utility(deck, board, rows, columns, isWhole ? NaN : 0), columns.length);
}

function stud(deck, cards) {
  if (!deck.isHoldem) throw new Invalid("deck", `the ${deck.name} deck has no hands of five cards`);
  return inField("stud", () => {
    const [mine, theirs] = ["mine", "theirs"].map((field) => inField(field, () => {
      const visible = parseCards(cards[field], deck);
      if (visible.length !== 4) throw new Invalid("", `must be four visible cards, not ${visible.length}`);
      return visible;
    }));
    if (theirs.some((card) => mine.includes(card))) throw new Invalid("theirs", "has a card of the other player");
    return studUtility(deck, mine, theirs);
  });
}

function* inChunks(matrix, width) {
  const height = matrix.length / width, step = Math.max(1, Math.floor(CHUNK_BYTES / (4 * width)));
  for (let first = 0; first < height; first += step) {
    const count = Math.min(step, height - first);
    const values = bytes(matrix.subarray(first * width, (first + count) * width));
    yield { values, first_row: first, row_count: count, column_count: width };
  }
}

function* FollowingBoards(request) {
  const deck = findDeck(request.deck), { deal_count: dealCount, board_count: sampled } = request;
  const board = inField("board", () => parseBoard(request.board, deck));
  const left = deck.boardSizes.length - 1 - deck.boardSizes.indexOf(board.length);
  if (!(dealCount >= 0 && dealCount <= left)) throw new Invalid("deal_count", `must be 0 to ${left}, not ${dealCount}`);
  if (sampled < 0) throw new Invalid("board_count", `cannot be negative, but is ${sampled}`);
  if (request.ranges.length > MOST_RANGES) throw new Invalid("ranges", `must be at most ${MOST_RANGES}`);
  const ranges = request.ranges.map((range, i) => inField(`ranges[${i}]`, () => readRange(range, deck))).filter(Boolean);
  const rows = followingBoards(deck, board, dealCount, ranges, { keepAll: request.keep_all, sampled, seed: request.seed });
  return encodeBoards(deck, rows);
}

function encodeBoards(deck, rows) {
  const holdings = holdingsOf(deck), exchanges = new Map(); // an exchange, and its place
  const mirrors = rows.flatMap((row) => row.mirrors);
  for (const mirror of mirrors) if (!exchanges.has(mirror)) exchanges.set(mirror, exchanges.size);
  const live = rows.map(({ cards }) => {
    const bits = new Uint8Array(Math.ceil(holdings.length / 8));
    for (const h of liveHoldings(deck, cards)) bits[h >> 3] |= 1 << (h & 7);
    return bits;
  });
  const ints = (values) => bytes(Int32Array.from(values));
  return { boards: rows.map(({ cards }) => formatCards(cards)), holding_count: holdings.length,
    level: ints(rows.map(({ level }) => level)), parent: ints(rows.map(({ parent }) => parent)),
    chance: bytes(Float64Array.from(rows, ({ chance }) => chance)), live: Buffer.concat(live),
    exchanges: Buffer.concat([...exchanges.keys()].map(bytes)),
    mirror_counts: ints(rows.map((row) => row.mirrors.length)),
    mirrors: ints(mirrors.map((mirror) => exchanges.get(mirror))),
    items: Buffer.from(holdings.flatMap((cards) => cards.map((card) => deck.place[card]))) };
}

function* Equity(request) {
  yield* equity(request, findDeck(request.deck));
}

function* CheatSheet(request) {
  yield* cheatSheet(request, findDeck(request.deck));
}

module.exports = { ListDecks, GetDeck, Deal, Classify, Showdown, Strengths, StrengthProfiles, Features, Utility,
  FollowingBoards, Equity, CheatSheet };
