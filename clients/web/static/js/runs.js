import { get } from "./api.js";
import { chips, h, percent, show } from "./dom.js";
import { lineChart } from "./chart.js";

const TONES = ["var(--accent)", "var(--raise)", "var(--call)", "var(--fold)", "var(--gold)"];

export async function draw(main) {
  const runs = h("div", { class: "stack" }, h("p", { class: "loading", role: "status" }, "Asking the trainer; the first time takes some seconds…")), models = h("div", { class: "stack" });
  show(main, h("h1", {}, "Runs and networks"), h("div", { class: "columns two" }, runs, models));
  const opened = new Set();
  const refresh = async () => {
    const answer = await get("/api/runs");
    show(runs, answer.runs.length ? answer.runs.map((run) => runPanel(run, opened)) : h("section", { class: "panel" }, h("h2", {}, "No runs yet"),
      h("p", {}, "Training and evolution appear here as they go. Start one in a terminal, in the same folder:"), h("p", { class: "code" }, "riverboat train --samples 2000")));
    return answer.runs.some((run) => !run.is_over);
  };
  const again = async () => { try { if (await refresh()) setTimeout(again, 3000); } catch (problem) { show(runs, h("p", { class: "error", role: "alert" }, problem.message)); } };
  await Promise.all([again(), drawModels(models)]);
}

function runPanel(run, opened) {
  const names = Object.keys(run.curves), losses = names.filter((name) => name.endsWith("loss")), others = names.filter((name) => !name.endsWith("loss"));
  const charts = [losses.length ? lineChart("Loss by epoch, in pots", losses.map((name, i) => ({ name, tone: TONES[i], points: run.curves[name] })), { x: "epoch", zero: false }) : null,
    ...others.slice(0, 6).map((name, i) => lineChart(name, [{ name, tone: TONES[i % TONES.length], points: run.curves[name] }], { x: "round", zero: false }))].filter(Boolean);
  return h("section", { class: "panel stack" }, h("div", { class: "row spread" }, h("h2", {}, `${run.trains} `, h("span", { class: "muted small" }, run.id)), h("span", { class: `badge ${run.is_over ? "" : "live"}` }, run.stage)),
    h("div", { class: "bar", role: "progressbar", "aria-label": "Done", "aria-valuenow": String(Math.round(100 * run.done)), "aria-valuemin": "0", "aria-valuemax": "100" }, h("i", { vars: { "--share": `${100 * run.done}%` } })),
    h("p", {}, run.line, run.is_over ? "" : ` · ${percent(run.done)}`), charts,
    h("details", { open: opened.has(run.id), ontoggle: (event) => (event.target.open ? opened.add(run.id) : opened.delete(run.id)) }, h("summary", {}, "Plan"), facts(run.plan)));
}

function facts(object) {
  const rows = Object.entries(object ?? {}).filter(([, value]) => value !== null && value !== "");
  return h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", {}, typeof value === "object" ? JSON.stringify(value) : String(value)))))));
}

async function drawModels(place) {
  show(place, h("p", { class: "loading", role: "status" }, "Asking the resolver…"));
  try {
    const known = await get("/api/models"), all = [...known.in_use.map((one) => ({ ...one, use: "in use" })), ...known.by_name.map((one) => ({ ...one, use: "by name" }))];
    show(place, h("section", { class: "panel" }, h("h2", {}, "Value networks"), all.length ? h("ul", { class: "list" }, all.map((one) => h("li", { class: "item" }, h("div", { class: "what" }, h("b", {}, one.name), h("span", { class: "muted small" }, `${one.deck} cards, ${one.street} · trained on ${chips(one.samples)} situations`, one.reason ? ` · ${one.reason}` : "")),
      h("span", { class: `badge ${one.use === "in use" ? "live" : ""}` }, one.use), h("span", { class: "small" }, one.huber === null ? "not scored" : `score ${one.huber.toFixed(4)}, error ${one.error?.toFixed(4)} pots`)))) : h("p", { class: "muted" }, "The resolver has no network: it estimates by equity.")),
      known.trained.length ? h("section", { class: "panel" }, h("h2", {}, "Made by runs"), h("ul", { class: "list" }, known.trained.map((one) => h("li", { class: "item" }, h("div", { class: "what" }, h("b", {}, one.name), h("span", { class: "muted small" }, one.kind)), h("details", {}, h("summary", {}, "Card"), facts(known.cards[one.name])))))) : null);
  } catch (problem) { show(place, h("p", { class: "error", role: "alert" }, problem.message)); }
}
