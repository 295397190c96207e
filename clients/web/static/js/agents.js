import { get } from "./api.js";
import { field, h, percent, select, show } from "./dom.js";
import { fill, grid } from "./grid.js";

const TONES = { raise: "var(--raise)", call: "var(--call)", fold: "var(--fold)" };
const MIX = ["var(--fold)", "var(--call)", "#e0a63a", "#dd8433", "#d1603a", "#b53f3a", "#8c2f55", "#5d2a63"];
const LINES = [["", "on the button, first to act"], ["r200", "as big blind, after a raise to 200"], ["r300", "as big blind, after a raise to 300"], ["c", "as big blind, after a call"], ["r300 r900", "on the button, after r300 r900"]];
const OPEN_TO = 2; // questions

export async function draw(main) {
  const { agents } = await get("/api/lobby"), names = agents.map((agent) => [agent.name, agent.name]);
  const wanted = new URLSearchParams(location.search).get("agent") ?? "rollout";
  const agent = select(names, names.some(([name]) => name === wanted) ? wanted : names[0]?.[0]), line = select(LINES, ""), chart = h("div"), trees = h("div");
  const street = select([["preflop", "Preflop"], ["flop", "Flop"], ["turn", "Turn"], ["river", "River"]], "flop"), treeAgent = select([["cart", "cart"], ["oct", "oct"]], wanted === "oct" ? "oct" : "cart");
  const drawChart = () => load(chart, "Asking the agent…", `/api/agents/${encodeURIComponent(agent.value)}/chart?line=${encodeURIComponent(line.value)}`, chartOf);
  const drawTree = () => load(trees, "Reading the tree…", `/api/agents/${treeAgent.value}/tree/${street.value}`, treeOf);
  for (const control of [agent, line]) control.addEventListener("change", drawChart);
  for (const control of [street, treeAgent]) control.addEventListener("change", drawTree);
  show(main, h("h1", {}, "Look inside an agent"), h("div", { class: "columns even" },
    h("section", { class: "panel stack" }, h("h2", {}, "Before the flop"), h("p", { class: "muted" }, "Two players, 100 big blinds deep, blinds 50 and 100."), h("div", { class: "fields" }, field("Agent", agent), field("Situation", line)), chart),
    h("section", { class: "panel stack" }, h("h2", {}, "A tree that plays"), h("p", { class: "muted" }, "These agents ask such questions and draw an action from the leaf they come to."), h("div", { class: "fields" }, field("Agent with trees", treeAgent), field("Street", street)), trees)));
  await Promise.all([drawChart(), drawTree()]);
}

async function load(place, waiting, path, drawn) {
  const turn = (place.turn = (place.turn ?? 0) + 1);
  show(place, h("p", { class: "muted", role: "status" }, waiting));
  try { const answer = await get(path); if (place.turn === turn) show(place, drawn(answer)); } catch (problem) { if (place.turn === turn) show(place, h("p", { class: "error", role: "alert" }, problem.message)); }
}

function chartOf(chart) {
  const names = ["raise", "call", "fold"].filter((name) => Object.keys(chart.shares[name]).length);
  return [h("h3", {}, chart.title), h("p", {}, chart.summary), grid((label, cell) => {
    const shares = names.map((name) => [name, chart.shares[name][label] ?? 0]);
    fill(cell, shares.map(([name, share]) => [TONES[name], share]));
    cell.classList.add("mixed");
    return shares.map(([name, share]) => `${name === "call" ? chart.calls : name} ${percent(share)}`).join(", ");
  }, { name: "Chart" }), h("ul", { class: "legend" }, names.map((name) => h("li", {}, h("i", { vars: { "--tone": TONES[name] } }), name === "call" ? chart.calls : name))), chart.trust ? h("p", { class: "muted small" }, chart.trust) : null];
}

function treeOf(tree) {
  const bar = (node) => h("span", { class: "mix-bar", role: "img", "aria-label": node.words }, node.mix.map((chance, i) => (chance > 0 ? h("i", { vars: { "--tone": MIX[i % MIX.length], "--part": `${100 * chance}%` } }) : null)));
  const draw = (node, depth, answer) => {
    const head = [answer ? h("b", {}, `${answer}: `) : null, bar(node), " ", h("span", {}, node.question ?? node.words), h("span", { class: "muted small" }, ` ${percent(node.share, 1)}`)];
    if (!node.yes) return h("div", { class: "leaf" }, head, node.question ? h("span", { class: "muted small" }, " …") : null);
    return h("details", { open: depth < OPEN_TO }, h("summary", {}, head), draw(node.yes, depth + 1, "yes"), draw(node.no, depth + 1, "no"));
  };
  return [h("h3", {}, tree.title), h("p", { class: "muted" }, `${tree.leaves} leaves, at most ${tree.depth} questions; the percentage is the share of all states that come there.`),
    h("ul", { class: "legend" }, tree.choices.map((name, i) => h("li", {}, h("i", { vars: { "--tone": MIX[i % MIX.length] } }), name))), h("div", { class: "tree" }, draw(tree.root, 0, ""))];
}
