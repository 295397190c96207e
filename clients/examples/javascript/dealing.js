// Fair dealing, as docs/fair-dealing.md specifies it: contribute to every shuffle, and check every deal. No packages.
const crypto = require("node:crypto");

const LEFT_OUT = 3; // hands in a row without our contribution, after which the server is to blame: no client is late that often
const SEATS = "riverboat deal v2 seat";
const DECKS = {
  52: { ranks: "23456789TJQKA", suits: "cdhs", holding: 2 },
  36: { ranks: "6789TJQKA", suits: "cdhs", holding: 2 },
  24: { ranks: "9TJQKA", suits: "cdhs", holding: 2 },
  leduc: { ranks: "JQK", suits: "hs", holding: 1 },
  kuhn: { ranks: "JQK", suits: "s", holding: 1 },
};
const [RANKS, SUITS] = ["23456789TJQKA", "cdhs"];
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), crypto.createHash("sha256")).digest();
const textHash = (...lines) => sha256(lines.join("\n")).toString("hex");
const hex = (text) => Buffer.from(text, "hex");
const big = (number, bytes) => hex(number.toString(16).padStart(2 * bytes, "0"));
const cardNumber = (text) => 4 * RANKS.indexOf(text[0]) + SUITS.indexOf(text[1]);
const cardsIn = (text) => text.match(/../g) || [];
const deckCards = ({ ranks, suits }) => [...ranks].flatMap((rank) => [...suits].map((suit) => cardNumber(rank + suit)));

function shuffled(items, seed) {
  const order = [...items];
  let [block, at, counter] = [Buffer.alloc(0), 0, 0];
  const next = () => {
    if (at === block.length) [block, at] = [sha256(seed, big(counter++, 8)), 0];
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  for (let i = order.length - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let number = next();
    while (number >= limit) number = next();
    const j = number % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const leaf = (place, card, salt) => sha256(Buffer.from([0, place, card]), salt);
const node = (left, right) => sha256(Buffer.from([1]), left, right);

// The Merkle root of the deck that a seed gives.
function rootOf(deck, seed) {
  const salt = (i) => sha256("riverboat deal v2 salt", seed, big(i >> 1, 4)).subarray(16 * (i & 1), 16 * (i & 1) + 16);
  let level = shuffled(deckCards(deck), seed).map((card, i) => leaf(i, card, salt(i)));
  while (level.length > 1) {
    const pairs = level.flatMap((left, i) => (i % 2 ? [] : [[left, level[i + 1]]]));
    level = pairs.map(([left, right]) => (right ? node(left, right) : left));
  }
  return level[0].toString("hex");
}

// Whether an opening proves the card at a place of a deck.
function opens(root, cardCount, place, card, { salt, path }) {
  let [hash, rest] = [leaf(place, card, salt), path];
  for (let [index, width] = [place, cardCount]; width > 1; [index, width] = [index >> 1, (width + 1) >> 1]) {
    if ((index ^ 1) >= width) continue;
    hash = index & 1 ? node(rest.subarray(0, 32), hash) : node(hash, rest.subarray(0, 32));
    if (rest.length < 32) return false;
    rest = rest.subarray(32);
  }
  return salt.length === 16 && !rest.length && hash.toString("hex") === root;
}

const serverCommitment = (tableId, hand, attempt, roots) =>
  textHash("riverboat deal v2 server", tableId, hand, attempt, ...roots);
const seatCommitment = (commitment, chair, secret) => textHash(SEATS, commitment, chair, secret);
const mixOf = (commitment, chairs, secrets) =>
  textHash("riverboat deal v2 mix", commitment, ...chairs.map((chair, i) => `${chair} ${secrets[i] || "-"}`));
const orderOf = (mix, cardCount) => shuffled(Array(cardCount).keys(), hex(textHash("riverboat deal v2 order", mix)));

// Keeps what one chair saw before each hand, and finds false deals. `draw(32)` returns random bytes.
class Witness {
  constructor(draw = crypto.randomBytes) {
    Object.assign(this, { draw, hands: new Map(), sent: new Map(), told: new Map(), leftOut: 0, isBarred: false });
  }

  // Sent contributions may not have arrived, and a secret that was due while the connection was lost may be missing.
  reconnect() {
    this.sent.clear();
    for (const kept of this.hands.values()) if (kept.secret && !kept.isRevealed && !kept.start) this.isBarred = true;
  }

  // Returns the contributions to send after a view, and the new problems.
  see(view) {
    const problems = [];
    const tell = (hand, text) => {
      if (!this.told.has(`${hand} ${text}`)) problems.push(`hand ${hand}: ${text}`);
      this.told.set(`${hand} ${text}`, hand);
    };
    for (const { deal_voided } of view.events) if (deal_voided) this.seeVoid(view, deal_voided, tell);
    this.seeHand(view, tell);
    const contribution = view.coming_deal && this.seeComing(view, view.coming_deal, tell);
    for (const old of [...this.hands.keys()].filter((hand) => hand < view.hand_number - 1)) this.hands.delete(old);
    for (const kept of [this.sent, this.told])
      for (const [key, hand] of kept) if (hand < view.hand_number - 1) kept.delete(key);
    if (!contribution || this.sent.has(JSON.stringify(contribution))) return { contributions: [], problems };
    this.sent.set(JSON.stringify(contribution), contribution.hand_number);
    return { contributions: [contribution], problems };
  }

  // The server blames a void attempt on some chairs. If it blames us, we may not contribute, or it lies.
  seeVoid(view, { hand_number, attempt, chairs }, tell) {
    const kept = this.hands.get(hand_number);
    if (kept?.attempt !== attempt || !chairs.includes(view.chair)) return;
    if (kept.isRevealed) tell(hand_number, `attempt ${attempt} was void because our secret was missing, though the server had it`);
    else this.isBarred = true;
  }

  seeComing(view, coming, tell) {
    const { hand_number, attempt, commitment, roots } = coming;
    const lineup = coming.lineup.length ? JSON.stringify(coming.lineup.map((seat) => [seat.chair, seat.commitment])) : "";
    let kept = this.hands.get(hand_number) || { attempt: 0 };
    const isLate = kept.isLate || (!this.hands.size && attempt > 1); // we sat down after a void attempt
    if (roots.length !== 2 || serverCommitment(view.table_id, hand_number, attempt, roots) !== commitment)
      return tell(hand_number, "the server's commitment does not match its two pre-decks");
    if (attempt < kept.attempt) return tell(hand_number, "the server went back to an earlier attempt");
    if (attempt > kept.attempt) kept = { attempt, commitment, lineup: "", isLate };
    this.hands.set(hand_number, kept);
    if (commitment !== kept.commitment) return tell(hand_number, "the server changed its commitment");
    if (kept.lineup && lineup !== kept.lineup) return tell(hand_number, "the server changed the lineup");
    kept.lineup = lineup;
    kept.isRevealed ||= coming.is_revealed;
    this.isBarred &&= !coming.may_contribute;
    const own = () => seatCommitment(commitment, view.chair, kept.secret);
    if (!lineup) {
      if (!coming.may_contribute) return;
      kept.secret ||= Buffer.from(this.draw(32)).toString("hex");
      kept.arrived = coming.own_commitment === own();
      return kept.arrived ? undefined : { hand_number, attempt, commitment: own() };
    }
    const listed = coming.lineup.find((seat) => seat.chair === view.chair);
    kept.isIn = !!(listed && kept.secret && listed.commitment === own());
    if (kept.isIn) return coming.is_revealed ? undefined : { hand_number, attempt, secret: kept.secret };
    if (listed && (listed.commitment || kept.arrived)) tell(hand_number, "the lineup does not have our contribution");
  }

  seeHand(view, tell) {
    const started = view.events.find((event) => event.hand_started)?.hand_started;
    if (!started || !view.state) return;
    const hand = view.hand_number;
    const kept = this.hands.get(hand) || { attempt: 0 };
    this.hands.set(hand, kept);
    const ended = view.events.find((event) => event.hand_ended)?.hand_ended;
    if (!started.attempt) return this.seeSeeded(view, started, ended, kept, tell);
    const { commitment, attempt, roots, chairs, secrets, other_seed } = started;
    const listed = JSON.stringify(
      chairs.map((chair, i) => [chair, secrets[i] ? seatCommitment(commitment, chair, secrets[i]) : ""]));
    if (kept.attempt && commitment !== kept.commitment && (attempt <= kept.attempt || kept.isIn))
      tell(hand, "it was not dealt from the commitment that was announced before it");
    else if (kept.lineup && attempt === kept.attempt && listed !== kept.lineup)
      tell(hand, "it was not dealt with the secrets that were committed to");
    kept.start ||= JSON.stringify(started);
    if (kept.start !== JSON.stringify(started)) tell(hand, "the server changed how it was dealt");
    kept.holding ||= view.holding;
    if (view.holding && view.holding !== kept.holding) tell(hand, "our cards changed");
    const deck = DECKS[view.state.variant.deck || "52"];
    const mix = mixOf(commitment, chairs, secrets);
    const dealt = hex(mix)[31] & 1;
    if (!kept.isChecked) {
      kept.isChecked = true;
      if (serverCommitment(view.table_id, hand, attempt, roots) !== commitment)
        tell(hand, "its commitment does not match its two pre-decks");
      if (rootOf(deck, hex(other_seed)) !== roots[1 - dealt]) tell(hand, "the deck that was opened is a false one");
    }
    this.checkCards(view, { hand, deck, root: roots[dealt], mix, board: chairs.length * deck.holding }, tell);
    const isSeed = (seed) => rootOf(deck, seed) === roots[dealt];
    if (ended && !kept.isOver) this.seeEnd(view, ended, { kept, chairs, isSeed }, tell);
  }

  // Every card was proved against the root, so a seed of this root deals the same ones.
  seeEnd(view, { seed }, { kept, chairs, isSeed }, tell) {
    kept.isOver = true;
    if (seed && !isSeed(hex(seed))) tell(view.hand_number, "the seed is not the one that was committed to");
    const isExcused = this.isBarred || kept.isLate;
    this.leftOut = chairs.includes(view.chair) && !kept.isIn && !isExcused ? this.leftOut + 1 : 0;
    if (this.leftOut >= LEFT_OUT)
      tell(view.hand_number, `the server has dealt ${this.leftOut} hands in a row without our contribution`);
  }

  // A deal v1: one seed, whose hash is announced with the hand. A seed that is secret when the hand ends is not checked.
  seeSeeded(view, { commitment, chairs }, ended, kept, tell) {
    const hand = view.hand_number;
    if (kept.attempt) return tell(hand, "it was not dealt from the decks that were offered for it");
    kept.commitment ||= commitment;
    if (kept.commitment !== commitment) tell(hand, "the server changed its commitment");
    kept.holding ||= view.holding;
    if (view.holding && view.holding !== kept.holding) tell(hand, "our cards changed");
    if (!ended?.seed) return;
    if (sha256("riverboat deal v1", hex(ended.seed)).toString("hex") !== kept.commitment)
      tell(hand, "the seed is not the one that was committed to");
    const deck = DECKS[view.state.variant.deck || "52"];
    const cards = shuffled(deckCards(deck), hex(ended.seed));
    const check = (position, text) =>
      cardsIn(text).forEach((card) => {
        const held = cards.slice(position, position + cardsIn(text).length);
        if (!held.includes(cardNumber(card))) tell(hand, `${card} is not the card that the seed deals`);
      });
    if (kept.holding) check(view.seat * deck.holding, kept.holding);
    let position = chairs.length * deck.holding;
    for (const { shown, board_dealt } of view.events) {
      if (shown) check(shown.seat * deck.holding, shown.cards);
      for (const card of cardsIn(board_dealt?.cards || "")) check(position++, card);
    }
  }

  checkCards(view, { hand, deck, root, mix, board }, tell) {
    const cardCount = deck.ranks.length * deck.suits.length;
    const order = orderOf(mix, cardCount);
    const opened = view.holding ? [[view.seat * deck.holding, view.holding, view.openings]] : [];
    let position = board;
    for (const { shown, board_dealt } of view.events) {
      if (shown) opened.push([shown.seat * deck.holding, shown.cards, shown.openings]);
      if (board_dealt) opened.push([position, board_dealt.cards, board_dealt.openings]);
      if (board_dealt) position += board_dealt.cards.length / 2;
    }
    const positions = new Map();
    for (const [first, text, openings] of opened) {
      cardsIn(text).forEach((card, i) => {
        const isProved = openings[i] && opens(root, cardCount, order[first + i], cardNumber(card), openings[i]);
        if (!isProved) tell(hand, `${card} is not the card that was committed to`);
        if (positions.has(card) && positions.get(card) !== first + i) tell(hand, `${card} was dealt twice`);
        positions.set(card, first + i);
      });
    }
  }
}

module.exports = { DECKS, Witness, mixOf, opens, orderOf, rootOf, seatCommitment, serverCommitment, cardNumber };
