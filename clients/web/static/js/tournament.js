import { get, post } from "./api.js";
import { chips, field, h, show } from "./dom.js";
import { prefer, preference } from "./preferences.js";

export async function draw(main, { id }) {
  const refresh = async () => {
    const one = await get(`/api/tournaments/${id}`);
    show(main, page(one, id));
    return one.tournament.status === "over" || one.tournament.status === "cancelled";
  };
  await refresh();
  const timer = setInterval(async () => {
    if (document.activeElement?.matches("input")) return;
    try { if (await refresh()) clearInterval(timer); } catch { /* the next time will tell */ }
  }, 3000);
}

function page({ tournament, standings, waits_for, entered }, id) {
  const isOpen = tournament.status === "registering", isOn = tournament.status === "playing";
  return h("div", { class: "stack" },
    h("div", { class: "row spread" }, h("h1", {}, tournament.name), h("span", { class: `badge ${isOn ? "live" : "gold"}` }, tournament.status)),
    h("div", { class: "columns two" },
      h("section", { class: "panel" }, h("h2", {}, "Standings"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["place", "player", "chips", ""].map((name, i) => h("th", { class: i === 2 ? "number" : null }, name)))),
        h("tbody", {}, standings.map((one, i) => h("tr", {}, h("td", {}, one.rank || i + 1), h("td", {}, one.name, one.is_agent ? h("span", { class: "muted small" }, " agent") : ""), h("td", { class: "number" }, one.rank ? "out" : chips(one.chips)),
          h("td", {}, one.table ? h("a", { href: `/watch/${one.table}${tournament.agents_only ? "?cards" : ""}` }, "watch") : ""))))))),
      h("div", { class: "stack" },
        h("section", { class: "panel stack" }, h("h2", {}, isOpen ? "Registration" : `Level ${tournament.level}`),
          h("p", {}, isOpen ? `${tournament.registered} of ${tournament.entrants} have entered. Seats are drawn when everybody is here.` : `Blinds ${chips(tournament.blinds[0])}/${chips(tournament.blinds[1])}${tournament.blinds[2] ? `, ante ${chips(tournament.blinds[2])}` : ""}. ${tournament.left} of ${tournament.entrants} are left after ${chips(tournament.hands)} hands.`),
          waits_for ? h("p", { class: "muted" }, waits_for) : null,
          entered ? h("a", { class: "button primary", href: `/table/${id}` }, isOpen ? "Take your seat and wait" : "To your table") : isOpen ? entry(id) : null))));
}

function entry(id) {
  const name = h("input", { value: preference("name"), maxlength: "30", required: true }), error = h("p", { class: "error", role: "alert" });
  return h("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    prefer("name", name.value.trim());
    try { await post(`/api/tournaments/${id}/enter`, { name: name.value }); location.href = `/table/${id}`; } catch (problem) { error.textContent = problem.message; }
  } }, field("Your name", name), error, h("button", { class: "primary" }, "Enter"));
}
