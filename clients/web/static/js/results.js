import { get, isResearcher, post } from "./api.js";
import { boxPlot, lineChart } from "./chart.js";
import { chips, field, h, select, show, toast } from "./dom.js";

const TONES = { raw: "var(--fold)", adjusted: "var(--accent)", count: "var(--muted)" };

export async function draw(main) {
  if (isResearcher()) await report(main, false); else unlock(main);
}

function unlock(main) {
  const key = h("input", { type: "password", autocomplete: "off", required: true }), error = h("p", { class: "error", role: "alert" });
  show(main, h("form", { class: "panel stack", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/experiment/key", { key: key.value }); await report(main, false); } catch (problem) { error.textContent = problem.message; }
  } }, h("h1", {}, "Results"), field("Key", key, "riverboat web prints it when it starts"), error, h("button", { class: "primary" }, "Show the results")));
}

const rate = (one, kind) => (one[kind] === null ? "–" : `${one[kind] > 0 ? "+" : ""}${one[kind].toFixed(2)} ± ${one[`${kind}_margin`]?.toFixed(2) ?? "∞"}`);

async function report(main, withAll) {
  const results = await get(`/api/experiment/results${withAll ? "?all=1" : ""}`), body = h("div", { class: "stack" });
  const draw = (i) => show(body, group(results.groups[i], results));
  const chosen = select(results.groups.map((one, i) => [String(i), one.name]), "0", { "aria-label": "Agent", onchange: () => draw(+chosen.value) });
  const everybody = h("input", { type: "checkbox", checked: withAll, onchange: () => report(main, everybody.checked) });
  chosen.style.width = "auto";
  show(main, h("div", { class: "row spread" }, h("h1", {}, `Results: ${results.name}`), h("div", { class: "row" }, h("a", { class: "button", href: "/api/experiment/hands.csv", download: true }, "Hands as CSV"), h("a", { class: "button", href: "/api/experiment/participants.csv", download: true }, "Answers as CSV"))),
    h("div", { class: "row" }, chosen, h("label", { class: "check" }, everybody, h("span", {}, "count those who do not play in earnest"))), body, participants(results, main, withAll));
  draw(0);
}

function group(one, results) {
  const curve = (name, kind) => ({ name: kind === "raw" ? "raw" : "all-ins by equity", tone: TONES[kind], points: one.curves[name].n.map((n, i) => [n, one.curves[name][kind][i], one.curves[name][`${kind}_margin`][i]]) });
  const chart = (title, name) => h("section", { class: "panel" }, lineChart(title, [curve(name, "raw"), curve(name, "adjusted")], { x: "hands", y: "small blinds a hand" }));
  const first = one.by_first_hands;
  return [
    h("section", { class: "panel" }, h("h2", {}, `Win rate of ${one.name}, small blinds a hand`), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "against"), ["hands", "raw", "all-ins by equity"].map((name) => h("th", { class: "number" }, name)))),
      h("tbody", {}, Object.entries(one.rates).map(([name, own]) => h("tr", {}, h("td", {}, name), h("td", { class: "number" }, chips(own.hands)), h("td", { class: "number" }, rate(own, "raw")), h("td", { class: "number" }, rate(own, "adjusted"))))))),
      h("p", { class: "muted small" }, `${one.participants} participants; ± is half of the 95 % interval. Positive: the agent wins.`)),
    h("div", { class: "columns even" }, chart("All hands in the order played", "all"), h("section", { class: "panel" }, lineChart("Only the first n hands of each participant", [{ name: "all-ins by equity", tone: TONES.adjusted, points: first.n.map((n, i) => [n, first.adjusted[i], first.adjusted_margin[i]]) }, { name: "raw", tone: TONES.raw, points: first.n.map((n, i) => [n, first.raw[i]]) }], { x: "hands of each participant", y: "small blinds a hand" }), lineChart("Hands counted", [{ name: "hands", tone: TONES.count, points: first.n.map((n, i) => [n, first.hands[i]]) }], { x: "hands of each participant" })),
      chart("Against novices", "novices"), chart("Against experienced players", "experienced")),
    h("section", { class: "panel" }, h("h2", {}, "Bet sizes of participants, against the training data"), h("div", { class: "columns even" }, one.sizes.map(sizeTable))),
    h("section", { class: "panel" }, h("h2", {}, "Questionnaire"), h("div", { class: "columns even" },
      boxPlot("3 is about right", ["bluffing", "value_size", "bluff_size"].map((key) => ({ name: { bluffing: "bluffs how often", value_size: "value bets", bluff_size: "bluffs how large" }[key], values: one.answers[key] }))),
      boxPlot("1 little, 5 much", ["strength", "predictability", "humanlike", "aggression"].map((key) => ({ name: { strength: "strong", predictability: "predictable", humanlike: "like a person", aggression: "aggressive" }[key], values: one.answers[key] })))),
      results.open.map((open) => h("details", {}, h("summary", {}, `${open.words} (${open.answers.length})`), h("ul", {}, open.answers.map((answer) => h("li", {}, answer)))))),
  ];
}

function sizeTable(one) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, one.name), h("th", { class: "number" }, "expected"), h("th", { class: "number" }, "observed"))),
    h("tbody", {}, one.sizes.map((name, i) => h("tr", {}, h("td", {}, name), h("td", { class: "number" }, one.expected[i].toFixed(1)), h("td", { class: "number" }, one.observed[i]))))),
    h("p", { class: "muted small" }, one.chi2 === null ? "too little is expected for a test" : `χ²(6) = ${one.chi2.toFixed(2)}, p ${one.p < 0.001 ? "< 0.001" : `= ${one.p.toFixed(3)}`}`));
}

function participants(results, main, withAll) {
  const remove = (number) => async () => {
    if (!confirm(`Delete everything about participant ${number}?`)) return;
    try { await post("/api/experiment/remove", { number }); await report(main, withAll); } catch (problem) { toast(problem.message); }
  };
  return h("section", { class: "panel" }, h("h2", {}, `Participants (${results.participants.length})`), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["number", "agent", "experience", "hands", "agent's rate", "answered", "left out", ""].map((name) => h("th", {}, name)))),
    h("tbody", {}, results.participants.map((one) => h("tr", {}, h("td", {}, one.number), h("td", {}, one.agent), h("td", {}, one.experience), h("td", {}, chips(one.hands)), h("td", {}, rate(one.rate, "adjusted")), h("td", {}, one.answered ? "yes" : "no"), h("td", {}, one.left_out), h("td", {}, h("button", { type: "button", class: "danger quiet", onclick: remove(one.number) }, "Delete"))))))));
}
