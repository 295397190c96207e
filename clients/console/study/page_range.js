// A range as a grid of classes, its averages, and the holdings of one class.

const SHOWS = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
  ["weight", "Weight"],
];
const classes = page.classes.flat();
const cells = classes.map(({ label }) => cellPart(label));

function makeGrid() {
  const grid = byId("grid");
  const side = page.classes.length;
  grid.style.setProperty("--side", side);
  for (let row = 0; row < side; row++) {
    grid.append(make("div", { class: "row", role: "row" }, ...cells.slice(row * side, (row + 1) * side)));
  }
  grid.hidden = !side;
  byId("legend").hidden = !side;
  byId("list").hidden = side > 0;
}

function cellPart(label) {
  const on = {
    click: () => pick(label),
    mouseenter: () => lookAt(label),
    mouseleave: () => lookAt(null),
    focus: () => lookAt(label),
    blur: () => lookAt(null),
  };
  const parts = [make("span", { class: "label" }, label), make("span", { class: "value" })];
  return make("button", { class: "cell", role: "gridcell", tabindex: "-1", on }, ...parts);
}

function drawGrid({ node, numbers }) {
  const averages = classes.map(({ holdings }) => together(node, numbers, place.player, holdings));
  const largest = Math.max(...averages.map(({ weight }) => weight));
  const scale = scaleOf(node, averages);
  averages.forEach((average, i) => fillCell(cells[i], classes[i].label, node, average, largest, scale));
  const tabbed = cells[classes.findIndex(({ label }) => label === place.picked)] ?? cells[0];
  cells.forEach((cell) => (cell.tabIndex = cell === tabbed ? 0 : -1));
  drawLegend(node, scale);
}

function fillCell(cell, label, node, average, largest, scale) {
  const isThere = average.weight > 0;
  const high = isThere ? Math.max(8, (100 * average.weight) / largest) : 0;
  cell.classList.toggle("gone", !average.free.length);
  cell.classList.toggle("empty", !isThere);
  cell.classList.toggle("picked", label === place.picked);
  cell.style.setProperty("--fill", isThere ? fillOf(node, average, scale) : "none");
  cell.style.setProperty("--high", `${high.toFixed(1)}%`);
  cell.lastChild.textContent = isThere ? shortValue(node, average) : "";
  cell.setAttribute("aria-label", isThere ? `${label}: ${longValue(node, average)}` : `${label}: not in the range`);
}

function fillOf(node, average, scale) {
  if (place.show === "strategy") return barsOf(node, average.frequencies);
  if (place.show === "weight") return plain(heat(scale, average.weight));
  return isNumber(average[place.show]) ? plain(heat(scale, average[place.show])) : plain("var(--middle)");
}

function shortValue(node, average) {
  if (place.show === "ev") return chips(average.ev, node.pot);
  if (place.show === "equity") return isNumber(average.equity) ? fixed(100 * average.equity, 0) : "–";
  if (place.show === "weight") return counted(100 * average.weight).replace(".0", "");
  return "";
}

function longValue(node, average) {
  if (place.show === "ev") return `EV ${chips(average.ev, node.pot, 1)}`;
  if (place.show === "equity") return `equity ${percent(average.equity)}`;
  if (place.show === "weight") return `weight ${percent(average.weight)}`;
  return node.choices.map((words, i) => `${words} ${percent(average.frequencies[i], 0)}`).join(", ");
}

// The legend of the colours: from the worst value over an even share of the pot to the best.
function scaleOf(node, averages) {
  if (place.show === "weight") return { low: 0, middle: 0, high: Math.max(...averages.map(({ weight }) => weight)) };
  if (place.show === "equity") return { low: 0, middle: 0.5, high: 1 };
  const evs = averages.map(({ ev }) => ev).filter(isNumber);
  const middle = node.pot / 2;
  return { low: Math.min(0, ...evs), middle, high: Math.max(node.pot, ...evs) };
}

function drawLegend(node, scale) {
  const isStrategy = place.show === "strategy";
  const parts = isStrategy ? node.choices.map((words, i) => swatchPart(node, i, words)) : rampParts(node, scale);
  byId("legend").replaceChildren(...parts);
}

function rampParts(node, scale) {
  const { low, middle, high } = scale;
  const [first, between, last] = {
    ev: [chips(low, node.pot), `${chips(middle, node.pot)}, half of the pot`, `${chips(high, node.pot)} chips`],
    equity: ["0 %", "50 %", "100 % of the pot"],
    weight: ["0 %", "", `${percent(high)} of its holdings`],
  }[place.show];
  const style = { "--from": heat(scale, low), "--between": heat(scale, low === middle ? high / 2 : middle) };
  return [first, make("span", { class: "ramp", style }, between), last];
}

function swatchPart(node, i, words) {
  const swatch = make("i", { class: "swatch", style: { "--c": colourOf(node, i) } });
  return make("span", { class: "named" }, swatch, ...wordParts(words));
}

// What to show, and whose range

function drawTools({ node }) {
  byId("players").replaceChildren(
    ...page.players.map((name, player) => switchPart(name, player === place.player, true, () => see({ player }))),
  );
  byId("shows").replaceChildren(
    ...SHOWS.map(([show, name]) => switchPart(name, show === place.show, canShow(show, node), () => see({ show }))),
  );
  byId("shows").hidden = !classes.length;
}

function canShow(show, node) {
  return show !== "strategy" || place.player === node.player;
}

function switchPart(name, isOn, isPossible, click) {
  const title = isPossible ? null : "only the player to act has a strategy";
  return make("button", { "aria-pressed": String(isOn), disabled: !isPossible, title, on: { click } }, name);
}

// Averages

function drawSummary({ node }) {
  const played = place.at ? make("small", {}, `this line is played ${percent(playedOf(place.at))} of the time`) : null;
  const bar = node.player >= 0 ? [overallBar(node)] : [];
  byId("summary").replaceChildren(headed(whoActs(node), played), ...bar, rangesTable(node));
}

function whoActs(node) {
  if (node.player >= 0) return capital(`${page.players[node.player]} acts`);
  return node.deals.length ? "A card is dealt" : "The line ends";
}

// How often both players' actions lead to a node, if the cards fall this way.
function playedOf(at) {
  return pathTo(at).reduce((part, step) => part * (page.nodes[step.at].means.frequencies[step.choice] ?? 1), 1);
}

function overallBar(node) {
  const frequencies = node.means.frequencies.map((frequency) => frequency ?? 0);
  return make("div", { class: "overall", style: { "--fill": barsOf(node, frequencies) }, "aria-hidden": "true" });
}

function rangesTable(node) {
  const { evs, equities, holding_counts } = node.means;
  const rows = page.players.map((name, player) => [
    name,
    chips(evs[player], node.pot, 1),
    isNumber(evs[player]) ? percent(evs[player] / node.pot) : "–",
    percent(equities[player]),
    counted(holding_counts[player]),
  ]);
  return tableOf(["range", "EV", "of the pot", "equity", "holdings"], rows.map((texts) => rowOf(texts)));
}

function tableOf(heads, rows, name = null) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  return make("table", { class: name }, make("thead", {}, head), make("tbody", {}, ...rows));
}

// A row of a table: its name, cells as they are, and texts.
function rowOf([name, ...texts], parts = [], kind = null) {
  const names = Array.isArray(name) ? name : [name];
  const cellsOf = texts.map((text) => make("td", {}, text));
  return make("tr", { class: kind }, make("th", { scope: "row" }, ...names), ...parts, ...cellsOf);
}

// The holdings of one class

function drawDetail(shown) {
  const label = place.looked ?? place.picked;
  const chosen = classes.find((one) => one.label === label);
  const hint = "Point at a class to see its holdings; click it to keep them on the page.";
  byId("detail").hidden = !classes.length;
  byId("detail").classList.toggle("open", place.picked !== null);
  byId("close").hidden = place.picked === null;
  const parts = chosen ? [detailHead(shown, chosen), detailBody(shown, chosen)] : [noteOf(hint)];
  byId("holdings").replaceChildren(...parts);
  cells.forEach((cell, i) => cell.classList.toggle("looked", classes[i].label === label));
}

function detailHead({ node, numbers }, { label, holdings }) {
  const { count, free } = together(node, numbers, place.player, holdings);
  const text = `${page.players[place.player]}: ${counted(count)} of ${free.length} holdings`;
  return headed(label, make("small", {}, text));
}

function detailBody(shown, { label, holdings }) {
  const { count, free } = together(shown.node, shown.numbers, place.player, holdings);
  if (!free.length) return noteOf(`${label} is impossible on this board.`);
  return count > 0 ? holdingsTable(shown, holdings) : noteOf(`${label} is not in the range here.`);
}

function holdingsTable({ node, numbers }, holdings) {
  const acts = place.player === node.player;
  const actions = acts ? node.choices.map((words, i) => swatchPart(node, i, words)) : [];
  const free = possible(holdings, node.board).reverse();
  const rows = free.map((holding) => holdingRow(node, numbers, holding, acts));
  if (free.length > 1) rows.push(averageRow(node, together(node, numbers, place.player, holdings)));
  return make("div", { class: "scroll" }, tableOf(["holding", ...actions, "EV", "equity", "weight"], rows, "holdings"));
}

function holdingRow(node, numbers, holding, acts) {
  const { weights, evs, equities } = numbers.players[place.player];
  const rows = acts ? numbers.strategy : [];
  const parts = rows.map((row, i) => actionCell(node, i, row[holding], numbers.actionEvs[i][holding]));
  const texts = [chips(evs[holding], node.pot, 1), percent(equities[holding]), percent(weights[holding])];
  const name = cardParts(page.holdings[holding], "small");
  return rowOf([name, ...texts], parts, weights[holding] > 0 ? null : "empty");
}

function averageRow(node, { frequencies, ev, equity, weight }) {
  const parts = frequencies.map((frequency, i) => actionCell(node, i, frequency, null));
  return rowOf(["average", chips(ev, node.pot, 1), percent(equity), percent(weight)], parts, "average");
}

function actionCell(node, i, frequency, ev) {
  const style = { "--c": colourOf(node, i), "--part": `${100 * (frequency || 0)}%` };
  const below = isNumber(ev) ? make("small", {}, chips(ev, node.pot, 1)) : null;
  return make("td", { class: "part", style }, percent(frequency, 0), below);
}

// Decks without classes: all holdings at once.
function drawList(shown) {
  byId("list").replaceChildren(holdingsTable(shown, page.holdings.map((_, i) => i)));
}
