import { get, post } from "./api.js";
import { chips, check, field, h, show, toast } from "./dom.js";
import { TablePage } from "./table.js";

export async function draw(main) {
  const plan = await get("/api/experiment");
  if (plan.me) home(main, plan); else welcome(main, plan);
}

function welcome(main, plan) {
  const error = h("p", { class: "error", role: "alert" }), agrees = h("input", { required: true }), earnest = h("input", { required: true }), code = h("input", { autocomplete: "off", required: true, placeholder: "ABCD-EFGH-JKLM-NPQR" }), codeError = h("p", { class: "error", role: "alert" });
  const experiences = plan.experiences.map((one, i) => h("label", { class: "check" }, h("input", { type: "radio", name: "experience", value: one.key, required: true, checked: i === 1 }), h("span", {}, one.words)));
  const form = h("form", { class: "panel stack", onsubmit: async (event) => {
    event.preventDefault();
    try {
      const made = await post("/api/experiment/begin", { experience: new FormData(form).get("experience"), agrees: agrees.checked, earnest: earnest.checked });
      showCode(main, made.code);
    } catch (problem) { error.textContent = problem.message; }
  } }, h("h2", {}, "Take part"), h("fieldset", {}, h("legend", {}, "How much poker have you played?"), h("div", { class: "stack" }, experiences)),
    check("I have read what is kept, and I agree to take part. I can stop at any time and have everything deleted.", agrees),
    check("I will play as I would for money. If I stop playing in earnest, I stop the experiment: hands without thought do not help.", earnest),
    error, h("button", { class: "primary" }, "Begin"));
  const back = h("form", { class: "panel stack", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/experiment/return", { code: code.value }); location.reload(); } catch (problem) { codeError.textContent = problem.message; }
  } }, h("h2", {}, "Come back"), field("Your code", code), codeError, h("button", {}, "Go on where I stopped"));
  show(main, h("h1", {}, "Play poker against a computer"),
    h("div", { class: "columns two" }, h("div", { class: "stack" }, h("section", { class: "panel" }, h("h2", {}, "What this is"),
      h("p", {}, `An experiment about how computers play poker against people. You play up to ${chips(plan.hands)} hands of no-limit Texas hold'em against one opponent, a program. Which program it is stays hidden. Both of you begin every hand with 100 big blinds. You may stop whenever you like and come back later.`),
      h("p", {}, `After ${chips(plan.questions_after)} hands you are asked some questions about your opponent.`),
      h("h3", {}, "What is kept"), h("p", {}, "How much you have played before, your hands with your decisions, and your answers. No name, no address, nothing else about you. A cookie of this page keeps your seat. You can delete everything yourself at any time."),
      h("h3", {}, "What is checked"), h("p", {}, "People who go all-in before the flop in most hands, or fold nearly every hand at once, are left out of the results.")), back), form));
}

function showCode(main, code) {
  show(main, h("section", { class: "panel stack" }, h("h1", {}, "Your code"), h("p", {}, "With this code you can come back on any device. It is shown only now: copy it."), h("p", { class: "code" }, code),
    h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "I have it; on to the table")));
  main.focus();
}

function home(main, plan) {
  const { me } = plan, isDone = me.hands >= plan.hands, mayAnswer = me.hands >= plan.questions_after;
  const progress = h("div", { class: "bar", role: "progressbar", "aria-label": "Hands played", "aria-valuemin": "0", "aria-valuemax": String(plan.hands), "aria-valuenow": String(me.hands) }, h("i", { vars: { "--share": `${100 * me.hands / plan.hands}%` } }));
  show(main, h("h1", {}, isDone ? "Thank you" : "Welcome back"), h("div", { class: "columns two" },
    h("section", { class: "panel stack" }, h("h2", {}, `${chips(me.hands)} of ${chips(plan.hands)} hands`), progress,
      isDone ? h("p", {}, "You have played all hands.") : h("div", {}, h("button", { type: "button", class: "primary", onclick: () => play(main, plan) }, me.hands ? "Go on playing" : "Sit down")),
      mayAnswer ? h("p", {}, me.answered ? "You have answered the questions. You may change your answers below." : "Please answer the questions below.") : h("p", { class: "muted" }, `The questions come after ${chips(plan.questions_after)} hands.`)),
    h("section", { class: "panel stack" }, h("h2", {}, "Your data"), h("p", {}, "Delete your hands and your answers for good. Nothing can bring them back."), h("div", {}, h("button", { type: "button", class: "danger", onclick: () => remove() }, "Delete everything about me")))),
    mayAnswer ? questionnaire(plan) : null);
}

function remove() {
  const dialog = h("dialog", { onclose: () => dialog.remove() }, h("h2", {}, "Delete everything?"), h("p", {}, "Your hands, your answers and your code are deleted for good."),
    h("form", { method: "dialog", class: "row" }, h("button", { class: "danger", onclick: async () => { await post("/api/experiment/delete", {}); location.reload(); } }, "Delete"), h("button", {}, "Keep")));
  document.body.append(dialog);
  dialog.showModal();
}

async function play(main, plan) {
  try { await post("/api/experiment/sit", {}); } catch (problem) { toast(problem.message); return; }
  show(main);
  let played = plan.me.hands;
  const page = new TablePage(main, "/ws/experiment", { isExperiment: true, advises: false, whenGone: () => location.reload() });
  const decide = page.show.bind(page), count = h("span", { class: "badge gold" }, `${chips(played)} of ${chips(plan.hands)} hands`);
  page.show = (state) => {
    const isNew = state.is_over && !(page.current?.is_over && page.current.hand === state.hand);
    decide(state);
    show(page.tools, count, h("button", { type: "button", class: "quiet", onclick: () => location.reload() }, "Pause"));
    if (!isNew) return;
    played += 1;
    count.textContent = `${chips(played)} of ${chips(plan.hands)} hands`;
    if (played === plan.questions_after && !plan.me.answered) ask();
  };
}

function ask() {
  const dialog = h("dialog", { onclose: () => dialog.remove() }, h("h2", {}, "Some questions"), h("p", {}, "You have played enough to tell us what you think of your opponent. It takes two minutes."),
    h("form", { method: "dialog", class: "row" }, h("button", { class: "primary", onclick: () => location.reload() }, "Answer now"), h("button", {}, "Later")));
  document.body.append(dialog);
  dialog.showModal();
}

function questionnaire(plan) {
  const error = h("p", { class: "error", role: "alert" });
  const scale = (one) => h("fieldset", { class: "question" }, h("legend", {}, one.words), h("div", { class: "scale" },
    [...one.answers.map((answer, i) => [String(i + 1), `${i + 1}. ${answer}`]), ...(one.may_not_know ? [["unknown", "I do not know"]] : [])].map(([value, words]) => h("label", {}, h("input", { type: "radio", name: one.key, value, required: true }), words))));
  const form = h("form", { class: "panel", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/experiment/answers", Object.fromEntries(new FormData(form))); toast("Thank you. Your answers are kept."); location.reload(); } catch (problem) { error.textContent = problem.message; }
  } }, h("h2", {}, "What do you think of your opponent?"), plan.questions.map(scale),
    plan.open.map((one) => h("div", { class: "question" }, field(one.words, h("textarea", { name: one.key, rows: "3", maxlength: "2000" })))), error, h("button", { class: "primary" }, "Send"));
  return form;
}
