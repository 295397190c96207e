// The line so far with the alternatives at each step, and the cards that can be dealt.

function drawLine() {
  const line = byId("line");
  const hadFocus = line.contains(document.activeElement);
  const path = pathTo(place.at);
  line.replaceChildren(...path.map((step, i) => stepPart(step, i === path.length - 1)));
  line.scrollTo({ left: line.scrollWidth });
  if (hadFocus) line.lastElementChild.querySelector("button:not(:disabled)")?.focus();
}

function stepPart({ at, choice }, isLast) {
  const node = page.nodes[at];
  const settings = { class: isLast ? "step here" : "step", "aria-current": isLast ? "step" : null };
  const acts = node.player >= 0;
  const actions = node.actions.map((_, i) => choicePart(node, at, i, choice, isLast));
  const parts = acts ? actions : [stillPart(node, choice, at)];
  return make("li", settings, stepHead(node, at, isLast && acts), ...parts);
}

function stepHead(node, at, isWide) {
  const who = node.player >= 0 ? page.players[node.player] : node.deals.length ? "deal" : "the end";
  const heads = isWide ? ["often", "holdings", "their EV"].map((text) => make("small", { class: "number" }, text)) : [];
  const pot = make("small", { class: "pot" }, `pot ${node.pot}`);
  const end = isWide ? make("kbd", { "aria-hidden": "true" }, "1") : null;
  return make("button", { class: "head", on: { click: () => walkTo(at) } }, make("span", {}, who), pot, ...heads, end);
}

// One action with its frequency; at the current node also its holdings and their EV.
function choicePart(node, at, i, chosen, isLast) {
  const isGone = node.children[i] === null && !canAsk(node, i);
  const { frequencies, action_counts, action_evs } = node.means;
  const settings = {
    class: "choice",
    style: { "--c": colourOf(node, i), "--part": `${100 * (frequencies[i] ?? 0)}%` },
    "aria-pressed": String(i === chosen),
    disabled: isGone,
    title: isGone ? whyNotOn(node.actions[i]) : null,
    on: { click: () => walkOn(at, i) },
  };
  const texts = [percent(frequencies[i])];
  if (isLast) texts.push(counted(action_counts[i]), chips(action_evs[i], node.pot, 1));
  const numbers = texts.map((text) => make("span", { class: "number" }, text));
  const key = isLast ? make("kbd", { "aria-hidden": "true" }, i < 9 ? String(i + 1) : " ") : null;
  const words = make("span", { class: "words" }, ...wordParts(node.choices[i]));
  return make("button", settings, make("i", { class: "swatch" }), words, ...numbers, key);
}

function whyNotOn(action) {
  return action < 0 ? "the hand is over" : "not on this page: riverboat solve --open shows it";
}

// A node where nobody acts: the card that was dealt, or a request to choose one.
function stillPart(node, choice, at) {
  if (!node.deals.length) return make("p", { class: "still" }, "nobody acts again");
  if (choice === null) return make("p", { class: "still" }, "choose a card");
  const settings = { class: "dealt", title: "choose another card", on: { click: () => walkTo(at) } };
  return make("button", settings, ...cardParts(node.deals[choice]));
}

function drawPicker() {
  const node = page.nodes[place.at];
  const picker = byId("picker");
  picker.hidden = !node.deals.length;
  if (picker.hidden) return;
  const here = page.live ? node.deals.length : node.children.filter((child) => child !== null).length;
  const some = here < node.deals.length ? `${here} of ${node.deals.length} are on this page` : "";
  const single = node.deals.every((deal) => deal.length === 2);
  picker.replaceChildren(
    headed("Choose the card to deal", make("small", {}, some)),
    single ? deckPart(node) : dealsPart(node),
    here ? pickerNote(node) : noteOf(`These cards are ${NOT_HERE}.`),
  );
}

function deckPart(node) {
  const suits = [...new Set(page.cards.map((card) => card[1]))].reverse();
  const ranks = [...new Set(page.cards.map((card) => card[0]))].reverse();
  const cards = suits.flatMap((suit) => ranks.map((rank) => pickPart(node, rank + suit)));
  return make("div", { class: "deck", style: { "--ranks": ranks.length } }, ...cards);
}

// Deals of several cards are too many to show those that the page lacks.
function dealsPart(node) {
  const here = node.deals.filter((_, i) => node.children[i] !== null || canAsk(node, i));
  return make("div", { class: "deals" }, ...here.map((deal) => pickPart(node, deal)));
}

// A deal as a button, coloured by what it is worth for the player whose range is shown.
function pickPart(node, deal) {
  const i = node.deals.indexOf(deal);
  const child = node.children[i] ?? null;
  const face = cardParts(deal, "small");
  if (child === null && i >= 0 && canAsk(node, i)) {
    const on = { click: () => walkOn(place.at, i) };
    return make("button", { class: "pick", style: { "--c": "var(--middle)" }, title: node.choices[i], on }, ...face);
  }
  if (child === null) {
    const why = i < 0 ? "cannot be dealt" : NOT_HERE;
    return make("span", { class: i < 0 ? "pick gone" : "pick lacking", title: `${deal}: ${why}` }, ...face);
  }
  const ev = page.nodes[child].means.evs[place.player];
  const share = isNumber(ev) ? ev / page.nodes[child].pot : null;
  const colour = share === null ? "var(--middle)" : heat({ low: 0.25, middle: 0.5, high: 0.75 }, share);
  const title = `${node.choices[i]}: EV of ${page.players[place.player]} ${chips(ev, node.pot, 1)}`;
  const on = { click: () => walkTo(child) };
  const below = make("small", {}, share === null ? "–" : fixed(100 * share, 0));
  return make("button", { class: "pick", style: { "--c": colour }, title, "aria-label": title, on }, ...face, below);
}

function pickerNote(node) {
  const what = "Below each card: EV of the range shown, in % of the pot.";
  return noteOf(node.children.includes(null) && !page.live ? `${what} The others are ${NOT_HERE}.` : what);
}
