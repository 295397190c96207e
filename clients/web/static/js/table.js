import { Line } from "./api.js";
import { ActionBar } from "./actions.js";
import { Felt } from "./felt.js";
import { SidePanel } from "./side.js";
import { chips, h, show, toast } from "./dom.js";
import { preference } from "./preferences.js";

const share = (value) => (value === null ? "–" : Math.round(100 * value));
const MOST_BEHIND = 8; // states that may wait to be shown

export function draw(main, { id }) {
  const query = new URLSearchParams(location.search), watches = location.pathname.startsWith("/watch/");
  const path = `/ws/tables/${id}${watches ? `?watch${query.has("cards") ? "&cards" : ""}` : ""}`;
  new TablePage(main, path, { id, watches, advises: !watches });
}

export class TablePage {
  constructor(main, path, options) {
    Object.assign(this, { main, options, queue: [], current: null, isReady: false });
    this.felt = new Felt();
    this.bar = new ActionBar((move, to) => this.act(move, to), (text) => this.act("typed", undefined, text));
    this.side = new SidePanel(options, (message) => this.line.send(message) || toast("the connection is lost; one moment"));
    this.title = h("h1", {}, "Table");
    this.badge = h("span", { class: "badge" }, "connecting…");
    this.announcer = h("div", { class: "visually-hidden", "aria-live": "polite" });
    this.tools = h("div", { class: "row" });
    main.classList.add("table-page");
    show(main, h("div", { class: "table-head" }, this.title, this.badge, h("span", { class: "spacer" }), this.tools), this.felt.stage, this.side.place, this.bar.place, this.announcer);
    this.bar.wait("One moment…");
    this.felt.draw(null, [], 2, -1);
    this.line = new Line(path, (message) => this.hear(message), (isOpen) => this.connection(isOpen));
    addEventListener("keydown", (event) => this.press(event));
    setInterval(() => this.tick(), 200);
  }

  connection(isOpen) {
    if (isOpen) this.side.connected();
    this.mark(isOpen ? (this.current ? "live" : "connecting…") : "reconnecting…", isOpen);
  }

  mark(text, isLive) {
    this.badge.textContent = text;
    this.badge.classList.toggle("live", isLive);
  }

  hear(message) {
    switch (message.type) {
      case "table": this.queue.push({ ...message, since: performance.now() }); this.next(); break;
      case "lost": this.mark("the game manager is away", false); break;
      case "gone": this.gone(message.text); break;
      case "refused": this.refused(message.text); break;
      case "note": toast(message.text); break;
      case "statistics": this.know(message); this.side.hear(message); break;
      default: this.side.hear(message);
    }
  }

  // Shows states one after another, slowly enough to be seen; one's own turn and old news are shown at once.
  next() {
    if (this.isBusy) return;
    if (this.queue.length > MOST_BEHIND) this.queue.splice(0, this.queue.length - 1);
    const state = this.queue.shift();
    if (!state) return;
    const wait = this.current && !this.isSame(state) ? +preference("pace") : 0;
    this.show(state);
    if (wait) {
      this.isBusy = true;
      setTimeout(() => { this.isBusy = false; this.next(); }, state.me?.turn ? 0 : wait);
    } else this.next();
  }

  // How the others play, beside their names from the next picture on: VPIP / PFR, and over how many hands.
  know({ players }) {
    this.statistics = new Map(players.map((one) => [one.name, `${share(one.vpip)}/${share(one.pfr)} · ${one.hands}`]));
  }

  isSame(state) {
    return this.current.hand === state.hand && this.current.log.length === state.log.length;
  }

  show(state) {
    const { table, me } = state, before = this.current;
    this.current = state;
    this.isSending = false;
    this.title.textContent = table.name || "Table";
    document.title = `${me?.turn ? "● " : ""}${table.name || "Table"} · Riverboat`;
    this.mark(state.waits_for || (state.status === "waiting" ? "waiting for players" : state.hand ? `hand ${chips(state.hand)}` : "live"), !state.waits_for);
    for (const chair of state.chairs) if (chair.chair !== me?.chair) chair.statistics = this.statistics?.get(chair.name);
    this.felt.hidesFree = Boolean(table.tournament_id) || table.agents_only;
    this.felt.draw(state.picture, state.chairs, table.chair_count, me?.chair ?? -1, this.said(state), table.big_blind);
    this.side.show(state, before);
    this.announce(state, before);
    this.decide(state);
    this.drawTools(state);
    this.tick();
  }

  said(state) {
    const ends = state.log.filter((line) => line.kind === "end").map((line) => line.text);
    if (ends.length) return ends.join("; ");
    if (state.withheld) return "This hand is shown when all sides have played it";
    return state.picture ? "" : state.status === "closed" ? "The table is closed" : "The first hand is about to begin";
  }

  announce(state, before) {
    const known = before?.hand === state.hand ? before.log.length : 0;
    const fresh = state.log.slice(known).map((line) => line.text);
    if (state.me?.turn && !before?.me?.turn) fresh.push(`Your turn${state.me.legal.to_call ? `, ${chips(state.me.legal.to_call)} to call` : ""}`);
    if (fresh.length) this.announcer.textContent = fresh.join(". ");
  }

  decide(state) {
    if (!state.me) { this.bar.wait(h("span", {}, "You are watching.")); return; }
    if (state.me.turn) {
      if (this.bar.legal && this.offered === `${state.hand}.${state.action}`) return;
      this.offered = `${state.hand}.${state.action}`;
      this.bar.offer(state.me.legal);
      return;
    }
    this.offered = null;
    const actor = state.chairs.find((chair) => chair.is_actor), broke = state.me.may_buy > 0 && state.is_over;
    const text = state.me.is_leaving ? "You get up after this hand." : actor ? `${actor.name} is to act.` : state.is_over ? "The next hand comes in a moment." : "Waiting for the next hand.";
    this.bar.wait(h("span", {}, text), broke && !this.options.isExperiment ? h("button", { type: "button", onclick: () => this.line.send({ do: "buy", chips: state.me.may_buy }) }, `Buy ${chips(state.me.may_buy)}`) : null);
  }

  ask(what) {
    this.side.asked(what);
    this.line.send({ do: what });
  }

  drawTools(state) {
    const { me, table } = state, own = [], drawn = `${Boolean(me)} ${table.tournament_id}`;
    if (this.toolsDrawn === drawn) return;
    this.toolsDrawn = drawn;
    if (me && this.options.advises) own.push(
      h("button", { type: "button", onclick: () => this.ask("hint") }, "Hint ", h("kbd", { "aria-hidden": "true" }, "H")),
      h("button", { type: "button", onclick: () => this.ask("why") }, "Why? ", h("kbd", { "aria-hidden": "true" }, "?")));
    if (me) own.push(h("button", { type: "button", class: "quiet", onclick: () => this.leave() }, "Leave"));
    if (table.tournament_id) own.push(h("a", { class: "button quiet", href: `/tournament/${table.tournament_id}` }, "Tournament"));
    show(this.tools, own);
  }

  leave() {
    const inHand = this.current?.picture && !this.current.is_over;
    const dialog = h("dialog", { onclose: () => dialog.remove() }, h("h2", {}, "Leave the table?"),
      h("p", {}, inHand ? "A hand is being played. You can get up after it, or give it up now." : "You get up at once."),
      h("form", { method: "dialog", class: "row" },
        h("button", { class: "primary", onclick: () => this.line.send({ do: "leave" }) }, inHand ? "After this hand" : "Get up"),
        inHand ? h("button", { class: "danger", onclick: () => this.line.send({ do: "leave", give_up: true }) }, "Give up the hand") : null, h("button", {}, "Stay")));
    document.body.append(dialog);
    dialog.showModal();
  }

  act(move, to, text) {
    const state = this.current;
    if (!state?.me?.turn || this.isSending) return;
    this.isSending = this.line.send({ do: "act", hand: state.hand, action: state.action, move, ...(to === undefined ? {} : { to }), ...(text === undefined ? {} : { text }) });
    if (!this.isSending) toast("the connection is lost; your decision was not sent");
  }

  refused(text) {
    this.isSending = false;
    toast(text);
    this.side.refused(text);
  }

  gone(text) {
    this.mark("over", false);
    this.bar.wait(h("span", { role: "alert" }, text), this.options.isExperiment ? null : h("a", { class: "button primary", href: "/" }, "To the lobby"));
    this.options.whenGone?.(text);
  }

  tick() {
    const state = this.current;
    if (!state) return;
    const total = state.table.clock_ms, left = state.time_left_ms - (performance.now() - state.since);
    this.felt.tick(state.time_left_ms > 0 && total ? Math.max(0, Math.min(1, left / total)) : null);
  }

  press(event) {
    if (!this.options.advises || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select")) return;
    if (event.key === "h") this.ask("hint");
    if (event.key === "?") this.ask("why");
  }
}
