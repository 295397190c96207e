// Small parts: elements, cards, numbers as people read them, and colours.

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RAMP = 5; // colours of bets, from the smallest to the largest
const NOT_HERE = "not on this page: riverboat solve --load shows them";

function make(tag, settings = {}, ...inside) {
  const { style = {}, on = {}, ...rest } = settings;
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  for (const [name, value] of Object.entries(style)) made.style.setProperty(name, value);
  for (const [name, act] of Object.entries(on)) made.addEventListener(name, act);
  made.append(...inside.filter((part) => part !== null));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

function cardPart(card, size = "") {
  const [rank, suit] = card;
  const parts = [make("b", {}, rank), make("i", {}, SIGNS[suit])];
  return make("span", { class: `card ${suit} ${size}`, role: "img", "aria-label": cardName(card) }, ...parts);
}

function cardName(card) {
  return `${card[0]} of ${SUIT_NAMES[card[1]]}`;
}

function cardParts(text, size) {
  return cardsOf(text).map((card) => cardPart(card, size));
}

// Words, with cards in them drawn as cards.
function wordParts(words) {
  return words.split(" ").flatMap((word, i) => {
    const isCards = /^([2-9TJQKA][cdhs])+$/.test(word);
    const parts = isCards ? cardParts(word, "small") : [word];
    return i ? [" ", ...parts] : parts;
  });
}

function fixed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
}

function isNumber(value) {
  return value !== null && !Number.isNaN(value);
}

function chips(value, pot, more = 0) {
  if (!isNumber(value)) return "–";
  return fixed(value, (pot >= 100 ? 0 : pot >= 10 ? 1 : 2) + more);
}

function percent(value, digits = 1) {
  return isNumber(value) ? `${fixed(100 * value, digits)} %` : "–";
}

function counted(value) {
  if (!isNumber(value)) return "–";
  return value > 0 && value < 0.05 ? "< 0.1" : value.toFixed(value < 100 ? 1 : 0);
}

// Folds and calls have a colour each; the larger a bet, the darker it is.
function colourOf(node, choice) {
  const action = node.actions[choice];
  if (action === undefined) return "var(--faint)";
  if (action < 0) return "var(--fold)";
  if (action === 0) return "var(--call)";
  const raises = node.actions.filter((other) => other > 0).sort((a, b) => a - b);
  const part = raises.length > 1 ? raises.indexOf(action) / (raises.length - 1) : 0.5;
  const place = 1 + part * (RAMP - 1);
  const below = Math.min(Math.floor(place), RAMP - 1);
  const more = Math.round(100 * (place - below));
  return `color-mix(in oklab, var(--bet-${below + 1}) ${more}%, var(--bet-${below}))`;
}

// Bars side by side, as wide as the frequencies, as one background.
function barsOf(node, frequencies) {
  const stops = [];
  let from = 0;
  frequencies.forEach((frequency, choice) => {
    const to = from + 100 * frequency;
    if (frequency > 0) stops.push(`${colourOf(node, choice)} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
    from = to;
  });
  return stops.length ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}

function plain(colour) {
  return `linear-gradient(${colour}, ${colour})`;
}

// A colour for a value from low to high: rust below the middle, blue above.
function heat({ low, middle, high }, value) {
  const [end, colour] = value < middle ? [low, "var(--below)"] : [high, "var(--above)"];
  const part = end === middle ? 0 : Math.min(1, (value - middle) / (end - middle));
  return `color-mix(in oklab, ${colour} ${Math.round(100 * part)}%, var(--middle))`;
}

function headed(text, ...more) {
  return make("h2", {}, text, ...more);
}

function noteOf(text) {
  return make("p", { class: "note" }, text);
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
