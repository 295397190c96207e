// Elements are made here and nowhere else. Text is set as text, so no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "disabled" || name === "hidden" || name === "open") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

export function show(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return place;
}

let fieldCount = 0;

// A labelled control; the hint is read out with it.
export function field(label, control, hint) {
  const id = control.id || `f${++fieldCount}`;
  control.id = id;
  const note = hint && h("span", { class: "hint", id: `${id}-hint` }, hint);
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, note);
}

export function check(label, control) {
  control.type = "checkbox";
  return h("label", { class: "check" }, control, h("span", {}, label));
}

export function select(options, chosen, attributes) {
  const made = options.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("select", attributes, ...made);
}

export function toast(text) {
  const shown = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 5000);
}

export const chips = (number) => (number === null || number === undefined ? "?" : number.toLocaleString("en-US"));
export const percent = (share, digits = 0) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`);

// Tabs that arrow keys walk through.
export function tabs(label, parts, chosen = 0) {
  const bodies = parts.map(([, body], i) => filled(body, { role: "tabpanel", hidden: i !== chosen, tabindex: "0" }, []));
  const pick = (i, focus) => {
    buttons.forEach((button, j) => {
      button.setAttribute("aria-selected", String(i === j));
      button.tabIndex = i === j ? 0 : -1;
      bodies[j].hidden = i !== j;
    });
    if (focus) buttons[i].focus();
  };
  const buttons = parts.map(([name], i) =>
    h("button", { type: "button", role: "tab", "aria-selected": String(i === chosen), tabindex: i === chosen ? "0" : "-1", onclick: () => pick(i, false) }, name));
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) pick((buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length, true);
  } }, buttons);
  return { bar, bodies, pick: (i) => pick(i, false) };
}
