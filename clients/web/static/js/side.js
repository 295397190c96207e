// Beside the table: history, advice, players, and the hands that are over.

import { ask, get } from "./api.js";
import { withSigns } from "./cards.js";
import { chips, h, percent, show, tabs } from "./dom.js";
import { rangeGrid } from "./grid.js";

export class SidePanel {
  constructor(options, send) {
    Object.assign(this, { options, send });
    this.log = h("ul", { class: "log" });
    this.advice = h("div", { class: "stack" }, h("p", { class: "muted" }, "Hint says what you hold and how often it wins. Why? solves the spot and gives the reasons; it needs two players."));
    this.players = h("div", {}, h("p", { class: "muted" }, "Nothing is known before the first hand is over."));
    this.hands = h("div", {}, h("p", { class: "muted" }, "No hand is over yet."));
    this.score = h("div");
    const parts = [["History", h("div", { class: "body" }, this.log)]];
    if (options.advises) parts.push(["Advice", h("div", { class: "body" }, this.advice)]);
    if (!options.isExperiment) parts.push(["Players", h("div", { class: "body" }, this.score, this.players)], ["Hands", h("div", { class: "body" }, this.hands)]);
    this.tabs = tabs("Beside the table", parts);
    this.place = h("aside", { class: "side panel", "aria-label": "Beside the table" }, this.tabs.bar, this.tabs.bodies);
  }

  connected() {
    if (!this.options.isExperiment) this.send({ do: "statistics" });
  }

  show(state, before) {
    const body = this.log.parentElement, atEnd = body.scrollHeight - body.scrollTop - body.clientHeight < 40;
    if (before?.hand !== state.hand || !before) this.earlier = before ? [...(this.earlier ?? []), ...before.log].slice(-160) : [];
    show(this.log, [...(this.earlier ?? []), ...state.log].map((line) => h("li", { class: line.kind }, withSigns(line.text))),
      state.deal_problems?.map((text) => h("li", { class: "mark" }, `the deal: ${text}`)));
    if (atEnd) body.scrollTop = body.scrollHeight;
    // A page may miss the last picture of a hand, and the list may be a moment behind it: so ask when a hand begins, too.
    const isOtherHand = before && before.hand !== state.hand;
    if ((isOtherHand || (state.is_over && !before?.is_over)) && !this.options.isExperiment) {
      this.send({ do: "statistics" });
      this.listHands(state);
    }
    if (state.table.is_match && state.is_over) this.match(state.table.match_id || state.table.id);
  }

  async listHands(state) {
    const id = state.table.id;
    try {
      const { hands } = await get(`/api/tables/${id}/hands?first=${Math.max(1, state.hand - 60)}`);
      show(this.hands, h("ul", { class: "list" }, hands.reverse().map((hand) => {
        const seat = state.me ? hand.chairs.indexOf(state.me.chair) : -1, won = seat < 0 ? null : hand.payoffs[seat];
        return h("li", { class: "item" }, h("div", { class: "what" }, h("b", {}, `Hand ${hand.hand}`, won === null ? "" : ` · ${won > 0 ? "+" : ""}${chips(won)}`), h("span", {}, hand.board.map((card) => [withSigns(card), " "]))),
          h("div", { class: "row" }, h("a", { class: "button", href: `/replay/${id}/${hand.hand}`, target: "_blank", rel: "noopener" }, "Replay"),
            seat >= 0 && hand.names.length === 2 ? h("button", { type: "button", onclick: () => this.review(id, hand.hand) }, "Review") : null));
      })));
    } catch { /* asked again after the next hand */ }
  }

  async match(id) {
    try {
      const score = await get(`/api/matches/${id}`);
      show(this.score, h("h3", {}, `Match: ${chips(score.hands)} of ${chips(score.wanted)} hands`), h("table", {}, h("tbody", {}, score.scores.map((one) =>
        h("tr", {}, h("td", {}, one.name), h("td", { class: "number" }, `${one.mbb > 0 ? "+" : ""}${chips(Math.round(one.mbb))} ± ${one.margin === null ? "∞" : chips(Math.round(one.margin))} mbb/hand`))))));
    } catch { /* asked again after the next hand */ }
  }

  asked(what) {
    this.tabs.pick(1);
    show(this.advice, h("p", { class: "muted", role: "status" }, what === "hint" ? "Asking the oracle…" : "Solving the spot…"),
      what === "why" ? h("div", { class: "row" }, h("div", { class: "bar", role: "progressbar", "aria-label": "Solving" }, (this.progress = h("i"))), h("button", { type: "button", onclick: () => this.send({ do: "stop" }) }, "Stop")) : null);
  }

  refused(text) {
    if (this.options.advises && this.advice.querySelector("[role=status]")) show(this.advice, h("p", { class: "error", role: "alert" }, text));
  }

  hear(message) {
    switch (message.type) {
      case "statistics": this.statistics(message); break;
      case "hint": show(this.advice, h("p", { role: "status" }, message.text.split("\n").map((line) => h("span", {}, withSigns(line), h("br"))))); break;
      case "thinking": this.progress?.style.setProperty("--share", `${100 * message.done}%`); break;
      case "stopped": show(this.advice, h("p", { class: "muted" }, "Stopped.")); break;
      case "why": show(this.advice, explanation(message)); break;
    }
  }

  statistics({ hands, players }) {
    if (!players.length) return;
    const head = ["player", "hands", "VPIP", "PFR", "AF", "WTSD", "bb/100"];
    const titles = [null, null, "put chips in before the flop", "raised before the flop", "bets and raises for each call", "went to showdown after the flop", "big blinds won in 100 hands"];
    show(this.players, h("p", { class: "muted small" }, `over ${chips(hands)} hands at this table`), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head.map((name, i) => h("th", { class: i ? "number" : null, title: titles[i] }, name)))),
      h("tbody", {}, players.map((one) => h("tr", {}, h("td", {}, one.name), h("td", { class: "number" }, chips(one.hands)), h("td", { class: "number" }, percent(one.vpip)), h("td", { class: "number" }, percent(one.pfr)),
        h("td", { class: "number" }, one.aggression === null ? "–" : one.aggression.toFixed(1)), h("td", { class: "number" }, percent(one.showdown)),
        h("td", { class: "number" }, one.rate === null ? "–" : `${one.rate.toFixed(0)}${one.rate_error === null ? "" : ` ± ${one.rate_error.toFixed(0)}`}`)))))));
  }

  review(table, hand) {
    this.tabs.pick(1);
    this.stopReview?.();
    this.stopReview = review(this.advice, `Hand ${hand}`, `/ws/tables/${table}/review/${hand}`);
  }
}

// Draws a review as its answers come; returns how to stop it.
export function review(place, title, path, question) {
  const list = h("div", { class: "stack" }), progress = h("i"), status = h("p", { class: "muted", role: "status" }, "Solving each street…");
  show(place, h("h3", {}, title), status, h("div", { class: "bar" }, progress), list);
  return ask(path, question, (message) => {
    if (message.type === "thinking") progress.style.setProperty("--share", `${100 * message.done}%`);
    if (message.type === "decision") list.append(decision(message));
    if (message.type === "done" || message.type === "gone") {
      progress.parentElement.hidden = true;
      status.textContent = message.type === "done" ? (list.children.length ? "" : "There was no decision to make.") : message.text;
      status.classList.toggle("error", message.type === "gone");
    }
  });
}

const STREETS = ["Preflop", "Flop", "Turn", "River"];

function decision(one) {
  const isBest = one.taken === one.best;
  return h("details", { class: "item" }, h("summary", {}, `${STREETS[one.street] ?? "Street"}: ${one.taken} `, h("span", { class: `grade ${one.grade}` }, one.grade), isBest ? "" : ` lost ${one.loss} (${percent(one.pot_share, 1)} of the pot)`),
    isBest ? null : h("p", {}, "Best: ", h("b", {}, one.best)), explanation(one.explanation));
}

export function explanation(one) {
  return h("div", { class: "stack" },
    h("div", { class: "choices" }, one.choices.map((choice) => h("div", { class: `choice ${choice.is_best ? "best" : ""}` }, h("b", {}, choice.words), h("span", {}, `${percent(choice.frequency)} · EV ${choice.ev.toFixed(0)}`), h("div", { class: "bar" }, h("i", { vars: { "--share": `${100 * choice.frequency}%` } }))))),
    h("p", {}, withSigns(one.why)), h("p", {}, `You win ${percent(one.equity)} of the pot without further bets.`),
    h("details", {}, h("summary", {}, "Ranges"), h("div", { class: "columns" }, h("div", {}, h("h3", {}, "Yours"), rangeGrid(one.ranges.own)), h("div", {}, h("h3", {}, "Your opponent's, as guessed"), rangeGrid(one.ranges.opponent)))),
    h("p", { class: "muted small" }, one.caveat, one.estimate ? ` ${one.estimate}.` : ""));
}
