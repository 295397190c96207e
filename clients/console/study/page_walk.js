// The current place on the page: kept in the address, changed by clicks and keys, drawn when it changes.

const place = {
  at: 0, // node
  wishedShow: "strategy",
  wishedPlayer: null, // null: the player to act
  show: "strategy", // what is shown: the wish, where it is possible
  player: 0,
  picked: null, // the class that stays
  looked: null, // the class under the mouse, or with the focus
};
const lastChild = new Map(); // node: the child that the user came back from
let shown = null; // the node that is on the screen, with its numbers

// The address: #checks/bets-50?show=ev&player=1&class=AKs

function partOf(words) {
  return encodeURIComponent(words.replaceAll(" ", "-"));
}

function addressOf({ at, wishedShow, wishedPlayer, picked }) {
  const steps = pathTo(at).slice(0, -1);
  const path = steps.map((step) => partOf(page.nodes[step.at].choices[step.choice])).join("/");
  const more = new URLSearchParams();
  if (wishedShow !== "strategy") more.set("show", wishedShow);
  if (wishedPlayer !== null) more.set("player", wishedPlayer);
  if (picked) more.set("class", picked);
  const text = more.toString();
  return `#${path}${text ? `?${text}` : ""}`;
}

function readAddress() {
  const [path, more = ""] = location.hash.slice(1).split("?");
  const settings = new URLSearchParams(more);
  place.at = nodeAt(path);
  place.wishedShow = SHOWS.find(([show]) => show === settings.get("show"))?.[0] ?? "strategy";
  place.wishedPlayer = { 0: 0, 1: 1 }[settings.get("player")] ?? null;
  place.picked = classes.find(({ label }) => label === settings.get("class"))?.label ?? null;
}

// The node at the end of a path, or the last node of the path that this page has.
function nodeAt(path) {
  let at = 0;
  for (const part of path.split("/").filter(Boolean)) {
    const { choices, children } = page.nodes[at];
    const child = children[choices.findIndex((words) => partOf(words) === part)] ?? null;
    if (child === null) break;
    at = child;
  }
  return at;
}

function walkTo(at) {
  if (at === null || at === undefined) return;
  if (parents[place.at]) lastChild.set(parents[place.at].at, place.at);
  location.hash = addressOf({ ...place, at, wishedPlayer: null });
}

function see({ show = place.wishedShow, player = place.wishedPlayer }) {
  location.replace(addressOf({ ...place, wishedShow: show, wishedPlayer: player }));
}

function pick(label) {
  const picked = label === place.picked ? null : label;
  location.replace(addressOf({ ...place, picked }));
}

function lookAt(label) {
  place.looked = label;
  if (shown) drawDetail(shown);
}

// Drawing

// Whose range is shown: the one that was asked for, else of the player to act, else the same as before.
function settle(node) {
  if (place.wishedPlayer !== null) place.player = place.wishedPlayer;
  else if (node.player >= 0) place.player = node.player;
  place.show = canShow(place.wishedShow, node) ? place.wishedShow : "ev";
}

async function draw() {
  readAddress();
  const { at } = place;
  const numbers = await numbersOf(at);
  if (at !== place.at) return; // the user has walked on meanwhile
  const node = page.nodes[at];
  shown = { node, numbers };
  settle(node);
  drawBoard(node);
  drawLine();
  drawPicker();
  drawTools(shown);
  drawSummary(shown);
  if (classes.length) drawGrid(shown);
  else drawList(shown);
  drawDetail(shown);
}

function drawBoard(node) {
  byId("board").replaceChildren(...cardParts(node.board, "large"));
  const who = node.player >= 0 ? `${page.players[node.player]} to act` : node.deals.length ? "a deal" : "the end";
  byId("turn").replaceChildren(make("b", {}, `pot ${node.pot}`), ` · ${who}`);
}

function drawTop() {
  byId("title").textContent = page.title;
  byId("facts").replaceChildren(
    ...page.facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
}

// Keys

const WALKS = {
  ArrowLeft: () => walkTo(parents[place.at]?.at),
  Backspace: () => walkTo(parents[place.at]?.at),
  ArrowRight: () => walkTo(nextOf(place.at)),
  ArrowUp: () => walkTo(besideOf(place.at, -1)),
  ArrowDown: () => walkTo(besideOf(place.at, 1)),
  Escape: leaveGrid,
  g: () => cells.find((cell) => cell.tabIndex === 0)?.focus(),
  m: nextShow,
  p: () => see({ player: 1 - place.player }),
};
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// Forward: to the child last visited, otherwise to the most frequent choice.
function nextOf(at) {
  const { children, means } = page.nodes[at];
  const known = children.map((child, i) => [child, means.frequencies[i] ?? 0]).filter(([child]) => child !== null);
  known.sort((a, b) => b[1] - a[1]);
  return lastChild.get(at) ?? known[0]?.[0];
}

function besideOf(at, step) {
  if (!parents[at]) return null;
  const known = page.nodes[parents[at].at].children.filter((child) => child !== null);
  return known[known.indexOf(at) + step];
}

function nextShow() {
  const shows = SHOWS.map(([show]) => show).filter((show) => canShow(show, shown.node));
  see({ show: shows[(shows.indexOf(place.show) + 1) % shows.length] });
}

function leaveGrid() {
  document.activeElement?.blur();
  if (place.picked) pick(null);
}

function moveInGrid(from, [down, right]) {
  const side = page.classes.length;
  const row = Math.floor(from / side) + down;
  const column = (from % side) + right;
  if (row >= 0 && row < side && column >= 0 && column < side) cells[row * side + column].focus();
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !shown) return;
  const cell = cells.indexOf(document.activeElement);
  let act = WALKS[event.key];
  if (/^[1-9]$/.test(event.key) && shown.node.player >= 0) act = () => walkOn(place.at, event.key - 1);
  if (cell >= 0 && MOVES[event.key]) act = () => moveInGrid(cell, MOVES[event.key]);
  if (!act) return;
  event.preventDefault();
  act();
}

function start() {
  if (!("DecompressionStream" in window)) {
    byId("main").replaceChildren(make("p", { class: "panel" }, "This page needs a browser from 2023 or later."));
    return;
  }
  drawTop();
  makeGrid();
  byId("close").addEventListener("click", () => pick(null));
  addEventListener("hashchange", draw);
  addEventListener("keydown", onKey);
  draw();
}

start();
