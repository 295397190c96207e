import { get, post, seats } from "./api.js";
import { check, chips, field, h, select, show, tabs, toast } from "./dom.js";
import { prefer, preference } from "./preferences.js";

const LEVELS = ["", "baseline", "plays by its cards", "learned", "solves"];
const REFRESH_MS = 4000;
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => [String(low + i), String(low + i)]);

export async function draw(main) {
  const lobby = await get("/api/lobby");
  const name = h("input", { value: preference("name"), maxlength: "30", required: true, autocomplete: "nickname", onchange: () => prefer("name", name.value.trim()) });
  const lists = h("div", { class: "stack" });
  show(main,
    h("div", { class: "row spread" }, h("h1", {}, "Sit down and play"), h("p", { class: "muted" }, `${lobby.agents.length} agents are in the house`)),
    back(),
    h("div", { class: "columns two lobby" }, forms(lobby, name), lists, agentList(lobby.agents)));
  const refresh = async () => {
    if (document.visibilityState === "visible") {
      try { drawLists(lists, await get("/api/lobby"), name); } catch { /* the next time will tell */ }
    }
  };
  drawLists(lists, lobby, name);
  setInterval(refresh, REFRESH_MS);
}

function back() {
  const held = seats();
  if (!held.length) return null;
  return h("section", { class: "panel", "aria-label": "Your seats" },
    h("div", { class: "row spread" }, h("b", {}, held.length === 1 ? "You have a seat" : `You have ${held.length} seats`),
      h("div", { class: "row" }, held.slice(-4).map((seat) =>
        h("a", { class: "button primary", href: `/${seat.is_tournament ? "tournament" : "table"}/${seat.place}` }, `Sit back down as ${seat.name}`)))));
}

function agentPicker(agents, chosen, more = {}) {
  const options = agents.map((agent) => [agent.name, agent.name]);
  return select(options, agents.some((agent) => agent.name === chosen) ? chosen : agents[0]?.name, more);
}

function sent(form, path, body, go) {
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { class: "primary", type: "submit" }, form.label);
  return h("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    error.textContent = "";
    button.disabled = true;
    try { location.href = go(await post(path, body())); } catch (problem) { error.textContent = problem.message; button.disabled = false; }
  } }, form.parts, error, h("div", { class: "row" }, button, form.beside));
}

function forms(lobby, name) {
  const parts = tabs("What to play", [
    ["Table", h("div", {}, tableForm(lobby, name))],
    ["Tournament", h("div", {}, tournamentForm(lobby, name))],
    ["Watch agents", h("div", {}, watchForm(lobby))],
    ["Match", h("div", {}, matchForm(lobby))],
  ]);
  return h("section", { class: "panel", "aria-label": "New game" }, parts.bar, parts.bodies);
}

const number = (value, min, max) => h("input", { type: "number", inputmode: "numeric", value: String(value), min: String(min), max: String(max), required: true });

function game() {
  const small = number(50, 1, 1e9), big = number(100, 1, 1e9), stack = number(100, 1, 2000);
  const limit = select([["no", "No limit"], ["pot", "Pot limit"], ["fixed", "Fixed limit"]], "no");
  const deck = select([["52", "52 cards"], ["36", "36 cards"], ["24", "24 cards"]], "52");
  const parts = [field("Limit", limit), field("Deck", deck), field("Small blind", small), field("Big blind", big), field("Stack", stack, "in big blinds")];
  const body = () => ({ limit: limit.value, deck: deck.value, small_blind: +small.value, big_blind: +big.value, stack: +stack.value * +big.value });
  return { parts, body };
}

function tableForm(lobby, name) {
  const rules = game(), agent = agentPicker(lobby.agents, "rollout"), count = select(range(2, 10), "2");
  const others = h("input", { placeholder: "random, always-call", maxlength: "200" });
  const free = select(range(0, 9), "0"), clock = number(0, 0, 3600), title = h("input", { maxlength: "60" });
  const reveal = h("input", {}), rebuy = h("input", { checked: true });
  const form = { label: "Sit down", parts: [
    h("div", { class: "fields" }, field("Your name", name), field("Opponent", agent), field("Seats", count)),
    h("details", {}, h("summary", {}, "More: people, stakes, clock"), h("div", { class: "stack" },
      h("div", { class: "fields" }, field("Seats for other people", free), field("More agents", others, "names with commas; they take turns"),
        field("Clock", clock, "seconds for a decision; 0: none while you are alone with agents"), field("Name of the table", title)),
      h("div", { class: "fields" }, rules.parts),
      check("Show all cards after each hand", reveal), check("Agents buy in again when they are bust", rebuy)))] };
  return sent(form, "/api/tables", () => ({
    name: name.value, agents: [agent.value, ...others.value.split(",").map((word) => word.trim()).filter(Boolean)].slice(0, Math.max(0, +count.value - 1 - +free.value)),
    seats: +count.value, free: +free.value, clock: +clock.value, reveal_all: reveal.checked, rebuy: rebuy.checked,
    ...(title.value.trim() ? { title: title.value.trim() } : {}), ...rules.body(),
  }), (made) => `/table/${made.table}`);
}

function watchForm(lobby) {
  const rules = game(), first = agentPicker(lobby.agents, "rollout"), second = agentPicker(lobby.agents, "random"), count = select(range(2, 10), "2"), hands = number(0, 0, 1e6);
  const form = { label: "Open the table", parts: [
    h("p", { class: "muted" }, "A table for agents only. You watch with all cards open."),
    h("div", { class: "fields" }, field("Agent", first), field("Against", second), field("Seats", count), field("Hands", hands, "0: until one has all chips")),
    h("details", {}, h("summary", {}, "Stakes"), h("div", { class: "fields" }, rules.parts))] };
  return sent(form, "/api/tables", () => ({ watch: true, agents: [first.value, second.value], seats: +count.value, hands: +hands.value, ...rules.body() }), (made) => `/watch/${made.table}?cards`);
}

function matchForm(lobby) {
  const rules = game(), first = agentPicker(lobby.agents, "rollout"), second = agentPicker(lobby.agents, "random"), deals = number(200, 1, 1e6), duplicate = h("input", { checked: true });
  const form = { label: "Start the match", parts: [
    h("p", { class: "muted" }, "Many hands between two agents; every hand begins with the same stacks."),
    h("div", { class: "fields" }, field("Agent", first), field("Against", second), field("Deals", deals)),
    check("Play each deal from both sides, to take luck out", duplicate),
    h("details", {}, h("summary", {}, "Stakes"), h("div", { class: "fields" }, rules.parts))] };
  return sent(form, "/api/matches", () => ({ agents: [first.value, second.value], deals: +deals.value, duplicate: duplicate.checked, ...rules.body() }), (made) => `/watch/${made.table}?cards`);
}

function tournamentForm(lobby, name) {
  const preset = select([["sng-9", "One table"], ["mtt-45", "Several tables"]], "sng-9"), entrants = number(6, 2, 200), free = number(1, 0, 200);
  const agent = agentPicker(lobby.agents, "rollout"), other = agentPicker(lobby.agents, "always-call");
  const label = h("span", {}, "Your name");
  const own = h("input", { value: preference("name"), maxlength: "30", onchange: () => prefer("name", own.value.trim()) });
  name.addEventListener("change", () => { own.value = name.value; });
  const form = { label: "Open registration", parts: [
    h("div", { class: "fields" }, field(label, own), field("Structure", preset), field("Entrants", entrants), field("Places for people", free, "you take one of them")),
    h("div", { class: "fields" }, field("Agents", agent), field("and", other))] };
  return sent(form, "/api/tournaments", () => ({ name: own.value, preset: preset.value, entrants: +entrants.value, free: +free.value, agents: [...new Set([agent.value, other.value])].slice(0, Math.max(0, +entrants.value - +free.value)) }), (made) => `/tournament/${made.tournament}`);
}

function agentList(agents) {
  const best = Math.max(1, ...agents.map((agent) => Math.abs(agent.strength?.mbb ?? 0)));
  const strength = (agent) => (agent.name === "rollout" ? "the yardstick: 0" : agent.strength ? `${agent.strength.mbb > 0 ? "+" : ""}${chips(Math.round(agent.strength.mbb))} ± ${chips(Math.round(agent.strength.margin))}` : "not measured");
  return h("section", { class: "panel agents" }, h("div", { class: "row spread" }, h("h2", {}, "Agents"), h("span", { class: "muted small" }, "mbb a hand against rollout")),
    agents.length ? h("ul", { class: "list" }, [...agents].sort((a, b) => b.level - a.level).map((agent) => h("li", { class: "agent" },
      h("div", {}, h("a", { href: `/agents?agent=${encodeURIComponent(agent.name)}` }, h("b", {}, agent.name)), " ", agent.level ? h("span", { class: "badge" }, LEVELS[agent.level]) : null, h("div", { class: "muted small" }, `${agent.what}; ${agent.players}`)),
      h("div", { class: "small figure-of" }, strength(agent), agent.strength ? h("div", { class: "scale-bar", "aria-hidden": "true" }, h("i", { vars: { "--from": `${Math.min(50, 50 + 50 * agent.strength.mbb / best)}%`, "--to": `${Math.max(50, 50 + 50 * agent.strength.mbb / best)}%` } })) : null))))
      : h("p", { class: "muted" }, "No agent host attends. riverboat bot offers your own agent; riverboat up starts the built-in ones."));
}

function drawLists(place, lobby, name) {
  const people = lobby.tables.filter((table) => !table.agents_only && !table.tournament_id);
  const agents = lobby.tables.filter((table) => table.agents_only && !table.tournament_id && !(table.match_id && table.match_id !== table.id));
  show(place,
    section("Tables", people, (table) => tableItem(table, name, lobby), "Nobody plays yet. Sit down, and others can join you here."),
    section("Agents at play", agents, (table) => tableItem(table, name, lobby), "No agents play each other at the moment."),
    section("Tournaments", lobby.tournaments, (one) => tournamentItem(one, name, lobby), "No tournament is on."));
}

function section(title, items, draw, empty) {
  return h("section", { class: "panel" }, h("h2", {}, title), items.length ? h("ul", { class: "list" }, items.map((item) => h("li", { class: "item" }, draw(item)))) : h("p", { class: "muted" }, empty));
}

function tableItem(table, name, lobby) {
  const free = table.chair_count - table.chairs.length, isMine = lobby.seats.includes(table.id);
  const names = table.chairs.map((chair) => chair.name).join(", ");
  return [
    h("div", { class: "what" }, h("b", {}, table.name || "Table"), h("span", { class: "muted small" }, `${table.game} · ${names || "nobody yet"}`)),
    h("span", { class: `badge ${table.status === "playing" ? "live" : ""}` }, table.status === "playing" ? `hand ${chips(table.hands)}` : table.status),
    h("div", { class: "row" },
      isMine ? h("a", { class: "button primary", href: `/table/${table.id}` }, "Sit back down")
        : free > 0 && !table.agents_only ? h("button", { type: "button", class: "primary", onclick: () => join(`/api/tables/${table.id}/join`, `/table/${table.id}`, name) }, "Join") : null,
      isMine ? null : h("a", { class: "button", href: `/watch/${table.id}${table.agents_only ? "?cards" : ""}` }, "Watch")),
  ];
}

function tournamentItem(one, name, lobby) {
  const isMine = lobby.seats.includes(one.id), isOpen = one.status === "registering";
  return [
    h("div", { class: "what" }, h("b", {}, one.name), h("span", { class: "muted small" }, isOpen ? `${one.registered} of ${one.entrants} entered` : `${one.left} of ${one.entrants} left, level ${one.level}`)),
    h("span", { class: `badge ${isOpen ? "gold" : "live"}` }, one.status),
    h("div", { class: "row" }, isOpen && !isMine ? h("button", { type: "button", class: "primary", onclick: () => join(`/api/tournaments/${one.id}/enter`, `/tournament/${one.id}`, name) }, "Enter") : null,
      h("a", { class: "button", href: `/tournament/${one.id}` }, isMine ? "Sit back down" : "Look")),
  ];
}

async function join(path, go, name) {
  if (!name.reportValidity()) return;
  try { await post(path, { name: name.value }); location.href = go; } catch (problem) { toast(problem.message); }
}
