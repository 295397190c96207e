// Randomness that a seed of 64 bits repeats, and that cannot be guessed without the seed.
const crypto = require("node:crypto");

// A new seed, as text: below 2 ** 53, so that every reader of JSON keeps it.
function newSeed() {
  return (crypto.randomBytes(8).readBigUInt64LE() >> 11n).toString();
}

// Returns a function of n that returns whole numbers from 0 to n - 1.
function generator(seed) {
  const key = crypto.createHash("sha256").update(`riverboat ${seed}`).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => key.readInt32LE(at));
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  return { below: (n) => Math.floor((next() / 2 ** 32) * n), fraction: () => next() / 2 ** 32 };
}

// Shuffles cards in place, and returns the first `count`.
function shuffle(cards, count, random) {
  for (let i = 0; i < count; i++) {
    const j = i + random.below(cards.length - i);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

module.exports = { newSeed, generator, shuffle };
