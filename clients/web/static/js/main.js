import { begin, post } from "./api.js";
import { check, field, h, select, show, toast } from "./dom.js";
import { prefer, preference } from "./preferences.js";

const PAGES = [
  [/^\/$/, "./lobby.js", "Play"],
  [/^\/(table|watch)\/(?<id>[\w-]+)$/, "./table.js", "Table"],
  [/^\/tournament\/(?<id>[\w-]+)$/, "./tournament.js", "Tournament"],
  [/^\/replay(\/(?<id>[\w-]+)\/(?<hand>\d+))?$/, "./replay.js", "Replay"],
  [/^\/study$/, "./study.js", "Study"],
  [/^\/agents$/, "./agents.js", "Agents"],
  [/^\/runs$/, "./runs.js", "Runs"],
  [/^\/experiment$/, "./experiment.js", "Experiment"],
  [/^\/experiment\/results$/, "./results.js", "Results"],
];
const NAV = [["/", "Play"], ["/study", "Study"], ["/replay", "Replay"], ["/agents", "Agents"], ["/runs", "Runs"]];
const NAV_EXPERIMENT = [["/experiment", "Experiment"]];

function drawTop(isExperiment) {
  const links = (isExperiment ? NAV_EXPERIMENT : NAV).map(([path, name]) =>
    h("a", { href: path, "aria-current": location.pathname === path ? "page" : null }, name));
  show(document.getElementById("nav"), links);
  show(document.getElementById("tools"),
    h("button", { type: "button", class: "quiet icon", "aria-label": "Settings", title: "Settings", onclick: settings }, "⚙"));
}

function settings() {
  const choose = (name, options) => select(options, preference(name), { onchange: (event) => prefer(name, event.target.value) });
  const motion = h("input", { checked: preference("motion") === "on", onchange: (event) => prefer("motion", event.target.checked ? "on" : "off") });
  const dialog = h("dialog", { "aria-labelledby": "settings-title", onclose: () => dialog.remove() },
    h("h2", { id: "settings-title" }, "Settings"),
    h("div", { class: "stack" },
      field("Colours", choose("theme", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]])),
      field("Suits", choose("suits", [["four", "Four colours"], ["two", "Two colours"]])),
      field("Each action of others stays for", choose("pace", [["0", "no time"], ["300", "0.3 s"], ["600", "0.6 s"], ["1200", "1.2 s"]])),
      check("Animations", motion),
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Done"))));
  document.body.append(dialog);
  dialog.showModal();
}

function password(main) {
  const given = h("input", { type: "password", autocomplete: "current-password", required: true });
  const error = h("p", { class: "error", role: "alert" });
  show(main, h("form", { class: "panel stack", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/login", { password: given.value }); location.reload(); } catch (problem) { error.textContent = problem.message; }
  } }, h("h1", {}, "Riverboat"), field("Password", given), error, h("button", { class: "primary" }, "Enter")));
}

async function start() {
  const main = document.getElementById("main");
  try {
    const session = await begin();
    drawTop(session.experiment);
    if (!session.admitted) return password(main);
    if (session.experiment && !location.pathname.startsWith("/experiment")) return location.replace("/experiment");
    const found = PAGES.map(([path, module, title]) => [path.exec(location.pathname), module, title]).find(([match]) => match);
    if (!found) { show(main, h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: "/" }, "To the tables"))); return; }
    document.title = `${found[2]} · Riverboat`;
    const page = await import(found[1]);
    await page.draw(main, found[0].groups ?? {});
  } catch (error) {
    show(main, h("section", { class: "panel" }, h("h1", {}, "This did not work"), h("p", { role: "alert" }, error.message),
      h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Try again")));
  }
}

addEventListener("unhandledrejection", (event) => { toast(event.reason?.message ?? "something went wrong"); event.preventDefault(); });
start();
